# Links the program's C++ libraries in, where that is possible: gpusight::fmt instead of fmt::fmt,
# gpusight_link_statically(TARGET) for the C++ runtime, gpusight_static_libraries() for archives.
# The dynamic linker took a millisecond of each run, which is most of what `status` takes besides the
# driver (docs/performance.md); and a program that is copied into a container finds no libraries there.
# Other versions of fmt keep other things in their library (src/base/fmt_library.cc).
if(fmt_VERSION VERSION_GREATER_EQUAL 9 AND fmt_VERSION VERSION_LESS 10)
  add_library(gpusight_fmt STATIC ${CMAKE_SOURCE_DIR}/src/base/fmt_library.cc)
  get_target_property(include_folders fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
  target_include_directories(gpusight_fmt SYSTEM PUBLIC ${include_folders})
  if(GPUSIGHT_SANITIZE)
    target_compile_options(gpusight_fmt PRIVATE -fsanitize=${GPUSIGHT_SANITIZE})
  endif()
else()
  add_library(gpusight_fmt INTERFACE)
  target_link_libraries(gpusight_fmt INTERFACE fmt::fmt)
endif()
add_library(gpusight::fmt ALIAS gpusight_fmt)

function(gpusight_link_statically target)
  if(NOT GPUSIGHT_SANITIZE)
    target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
endfunction()

# The archives of these libraries into `result`; empty when one is missing.
function(gpusight_static_libraries result)
  set(found)
  foreach(name ${ARGN})
    find_library(GPUSIGHT_STATIC_${name} lib${name}.a)
    if(NOT GPUSIGHT_STATIC_${name})
      set(${result} "" PARENT_SCOPE)
      return()
    endif()
    list(APPEND found ${GPUSIGHT_STATIC_${name}})
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()
