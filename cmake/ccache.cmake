# Uses ccache where it is installed, so that a second checkout or a clean clone rebuilds in seconds.
find_program(GPUSIGHT_CCACHE ccache)
if(GPUSIGHT_CCACHE)
  # base_dir and nohashdir let checkouts in different folders share one cache.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
               CCACHE_MAXSIZE=4G CCACHE_SLOPPINESS=time_macros ${GPUSIGHT_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()
