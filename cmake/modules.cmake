# Three helpers by which every folder of src/ describes itself:
#   gpusight_module(NAME SOURCES a.cc b.cc DEPENDS base gpusight::fmt PRIVATE_DEPENDS x)   one static library
#   gpusight_tests(NAME [THREADS] SOURCES a_test.cc ... DEPENDS extra)                its unit tests, beside their sources
#                                    THREADS: they start threads, so ThreadSanitizer runs them too
#   gpusight_fuzz(NAME SOURCE x_fuzz.cc DEPENDS module CORPUS dir)                    one fuzz target (fuzz/)

add_library(gpusight_options INTERFACE)
target_include_directories(gpusight_options INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_compile_options(gpusight_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                       -Wno-sign-conversion $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor> -Werror=return-type
                       -Werror=switch -ffile-prefix-map=${CMAKE_SOURCE_DIR}=.)
# g++ 12 warns of overlapping copies inside its own std::string when it optimises (GCC bug 105329).
target_compile_options(gpusight_options INTERFACE
                       $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-Wno-restrict>)
# The build type of the sanitizer presets: fast enough, readable stacks, assertions on.
set(CMAKE_C_FLAGS_SANITIZE "-O1 -g1")
set(CMAKE_CXX_FLAGS_SANITIZE "-O1 -g1 -D_GLIBCXX_ASSERTIONS")
if(GPUSIGHT_SANITIZE)
  target_compile_options(gpusight_options INTERFACE -fsanitize=${GPUSIGHT_SANITIZE}
                         -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(gpusight_options INTERFACE -fsanitize=${GPUSIGHT_SANITIZE})
endif()

add_custom_target(threads_tests)  # what `./test --tsan` builds
file(WRITE ${CMAKE_BINARY_DIR}/fuzz_targets.txt "")  # what `./test --fuzz` runs

if(GPUSIGHT_FUZZ)
  # The code under test must report its coverage too, else the fuzzer searches blindly.
  target_compile_options(gpusight_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

function(gpusight_module name)
  cmake_parse_arguments(M "" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  add_library(gpusight_${name} STATIC ${M_SOURCES})
  add_library(gpusight::${name} ALIAS gpusight_${name})
  target_link_libraries(gpusight_${name} PUBLIC gpusight_options ${M_DEPENDS}
                        PRIVATE ${M_PRIVATE_DEPENDS})
endfunction()

function(gpusight_tests name)
  if(NOT GPUSIGHT_TESTS)
    return()
  endif()
  cmake_parse_arguments(T "THREADS" "" "SOURCES;DEPENDS" ${ARGN})
  find_package(GTest REQUIRED)
  include(GoogleTest)
  add_executable(${name}_test ${T_SOURCES})
  target_include_directories(${name}_test PRIVATE ${CMAKE_SOURCE_DIR})
  target_compile_definitions(${name}_test PRIVATE GPUSIGHT_TESTDATA="${CMAKE_SOURCE_DIR}/testdata")
  target_link_libraries(${name}_test PRIVATE ${T_DEPENDS} gpusight_options GTest::gmock
                        GTest::gtest_main)
  set(labels unit)
  if(T_THREADS)
    set(labels threads)
    add_dependencies(threads_tests ${name}_test)
  endif()
  gtest_discover_tests(${name}_test TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60
                       PROPERTIES TIMEOUT 120 LABELS ${labels})
endfunction()

# A fuzz target is one LLVMFuzzerTestOneInput. With clang and GPUSIGHT_FUZZ it becomes a libFuzzer
# program; in every build with tests its corpus is replayed once, so that a crash found stays found.
function(gpusight_fuzz name)
  cmake_parse_arguments(F "" "SOURCE;CORPUS" "DEPENDS" ${ARGN})
  if(GPUSIGHT_FUZZ)
    add_executable(fuzz_${name} ${F_SOURCE})
    target_compile_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    target_link_libraries(fuzz_${name} PRIVATE ${F_DEPENDS} gpusight_options)
    file(APPEND ${CMAKE_BINARY_DIR}/fuzz_targets.txt "${name} ${F_CORPUS}\n")
  elseif(GPUSIGHT_TESTS)
    add_executable(fuzz_${name}_replay ${F_SOURCE} ${CMAKE_SOURCE_DIR}/fuzz/replay_main.cc)
    target_link_libraries(fuzz_${name}_replay PRIVATE ${F_DEPENDS} gpusight_options)
    add_test(NAME fuzz.${name} COMMAND fuzz_${name}_replay ${F_CORPUS})
  endif()
endfunction()
