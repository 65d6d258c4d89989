# The Python that runs tests and checks: build/venv holds the judges that we did not write
# (tests/requirements.txt) and is made by ./test; without it GPUSIGHT_JUDGES is off, the tests that
# need a judge are not there, and the system's Python runs the checks.
#   ${GPUSIGHT_PYTHON}             for tests and checks
#   ${GPUSIGHT_FRAMEWORKS_PYTHON}  where PyTorch and PaddlePaddle are, when GPUSIGHT_FRAMEWORKS is on
set(GPUSIGHT_JUDGES OFF)
if(EXISTS ${CMAKE_SOURCE_DIR}/build/venv/stamp)
  set(GPUSIGHT_JUDGES ON)
  set(GPUSIGHT_PYTHON ${CMAKE_SOURCE_DIR}/build/venv/bin/python)
else()
  find_program(GPUSIGHT_SYSTEM_PYTHON python3)
  set(GPUSIGHT_PYTHON ${GPUSIGHT_SYSTEM_PYTHON})
  message(STATUS "Without build/venv (made by ./test) the tests with other programs are left out")
endif()
set(GPUSIGHT_FRAMEWORKS_PYTHON ${CMAKE_SOURCE_DIR}/build/venv-frameworks/bin/python)
