# Configures and builds HOST in WORK against what is installed in PREFIX, and runs RUN if it is given.

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${WORK}")
set(flags "-DCMAKE_CXX_FLAGS=-Wall -Wextra")
if(SANITIZE)
  string(APPEND flags " -fsanitize=${SANITIZE}")
endif()
run(${CMAKE_COMMAND} -S "${HOST}" -B "${WORK}" -G Ninja "-DCMAKE_PREFIX_PATH=${PREFIX}" ${flags})
run(${CMAKE_COMMAND} --build "${WORK}")
if(RUN)
  run("${WORK}/${RUN}")
endif()
