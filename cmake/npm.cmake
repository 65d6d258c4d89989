# Pages are written in TypeScript and bundled by esbuild, which npm brings in the versions that the
# page's package-lock.json names. Nothing of it lands in the source tree or is needed at run time.
#   gpusight_page(NAME FOLDER OUTPUT)   builds web/FOLDER into the C++ file OUTPUT
find_program(GPUSIGHT_NPM npm)
find_program(GPUSIGHT_NODE NAMES node nodejs)
if(NOT GPUSIGHT_NPM OR NOT GPUSIGHT_NODE)
  message(FATAL_ERROR "The page of 'gpusight report' is built with npm, which is not here. Install it with\n"
    "    sudo apt-get install nodejs npm\n"
    "(Node.js 18 or later) and configure again; ./quickstart and ./test do both.\n"
    "Or configure with -DGPUSIGHT_PAGES=OFF: 'report' then makes Markdown and JSON only.")
endif()

function(gpusight_page name folder output)
  set(source ${CMAKE_SOURCE_DIR}/web/${folder})
  set(copy ${CMAKE_BINARY_DIR}/web/${folder})
  file(GLOB sources CONFIGURE_DEPENDS ${source}/*.ts ${source}/*.css ${source}/*.html ${source}/*.mjs
       ${source}/tsconfig.json)
  # The packages: only when the lock changes. A cache that has them is enough, also without a network.
  add_custom_command(
    OUTPUT ${copy}/packages.stamp
    COMMAND ${CMAKE_COMMAND} -E make_directory ${copy}
    COMMAND ${CMAKE_COMMAND} -E copy ${source}/package.json ${source}/package-lock.json ${copy}
    COMMAND ${CMAKE_COMMAND} -E chdir ${copy} ${GPUSIGHT_NPM} ci --prefer-offline --ignore-scripts --no-audit --no-fund --loglevel=error
    COMMAND ${CMAKE_COMMAND} -E touch ${copy}/packages.stamp
    DEPENDS ${source}/package.json ${source}/package-lock.json
    COMMENT "Fetching the packages of web/${folder} (npm ci; needs the npm registry once)"
    VERBATIM)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -E copy ${sources} ${copy}
    COMMAND ${CMAKE_COMMAND} -E chdir ${copy} ${GPUSIGHT_NODE} build.mjs ${output}
    DEPENDS ${sources} ${copy}/packages.stamp
    COMMENT "Bundling web/${folder}"
    VERBATIM)
endfunction()
