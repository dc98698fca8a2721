# Installs BUILD below WORK, configures and builds HOST against it, and runs it.

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${WORK}/prefix" "${WORK}/host")
run(${CMAKE_COMMAND} --install "${BUILD}" --prefix "${WORK}/prefix")
set(flags)
if(SANITIZE)
  set(flags "-DCMAKE_CXX_FLAGS=-fsanitize=${SANITIZE}")
endif()
run(${CMAKE_COMMAND} -S "${HOST}" -B "${WORK}/host" -G Ninja "-DCMAKE_PREFIX_PATH=${WORK}/prefix" ${flags})
run(${CMAKE_COMMAND} --build "${WORK}/host")
run("${WORK}/host/host")
