# replicant_test(<name> KIND <unit|postgres|crash|package|fuzz> SOURCES ... LINK ... [TIMEOUT seconds]
#   [FIXTURES name])
# One test program; every TEST_CASE becomes a CTest test "<name>: <case>" labelled with the kind. FIXTURES names tests that have to be run before.
function(replicant_test name)
  cmake_parse_arguments(arg "" "KIND;TIMEOUT;FIXTURES" "SOURCES;LINK" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  add_executable(${name} ${arg_SOURCES})
  replicant_target(${name})
  target_include_directories(${name} PRIVATE "${PROJECT_BINARY_DIR}/include")
  target_link_libraries(${name} PRIVATE ${arg_LINK} Catch2::Catch2WithMain)
  set(fixtures)
  if(arg_FIXTURES)
    set(fixtures FIXTURES_REQUIRED ${arg_FIXTURES})
  endif()
  catch_discover_tests(${name} TEST_PREFIX "${name}: "
    PROPERTIES LABELS ${arg_KIND} TIMEOUT ${arg_TIMEOUT} ${fixtures})
  set_property(GLOBAL APPEND PROPERTY REPLICANT_TEST_PROGRAMS ${name})
endfunction()

# Writes the names of all test programs, so that test.sh notices one that ran nothing.
function(replicant_list_test_programs)
  get_property(names GLOBAL PROPERTY REPLICANT_TEST_PROGRAMS)
  list(JOIN names "\n" lines)
  file(WRITE "${PROJECT_BINARY_DIR}/test_programs.txt" "${lines}\n")
endfunction()
