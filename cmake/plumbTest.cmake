# plumbTest.cmake - tests of CTest that explore an object.
#
#   plumb_add_test([NAME] name SOURCES harness.c more.c ... [TEST "enq(1) | deq()"]
#                  [SPEC queue:cap=4] [INCLUDES directory ...]
#                  [FLAGS word ...] [OPTIONS word ...])
#
# The first source describes the object (docs/testing-an-object.md).  FLAGS are
# for the compiler, which is that of the project; OPTIONS are those of
# `plumb explore`.  A violation, an error and an undecided result fail the test;
# the schedule of a violation is in .plumb of the build directory.
function(plumb_add_test name)
  set(behind 1)
  if(name STREQUAL NAME)
    set(name ${ARGV1})
    set(behind 2)
  endif()
  cmake_parse_arguments(PARSE_ARGV ${behind} P "" "TEST;SPEC"
    "SOURCES;INCLUDES;FLAGS;OPTIONS")
  if(NOT P_SOURCES)
    message(FATAL_ERROR "plumb_add_test(${name}): give SOURCES")
  endif()
  if(P_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR
      "plumb_add_test(${name}): unknown words: ${P_UNPARSED_ARGUMENTS}")
  endif()
  set(files "")
  foreach(file ${P_SOURCES})
    get_filename_component(file ${file} ABSOLUTE)
    list(APPEND files ${file})
  endforeach()
  list(POP_FRONT files harness)
  set(words explore ${harness})
  if(DEFINED P_TEST)
    list(APPEND words --test ${P_TEST})
  endif()
  if(DEFINED P_SPEC)
    list(APPEND words --spec ${P_SPEC})
  endif()
  list(APPEND words ${P_OPTIONS} -- ${files})
  foreach(directory ${P_INCLUDES})
    get_filename_component(directory ${directory} ABSOLUTE)
    list(APPEND words -I${directory})
  endforeach()
  list(APPEND words ${P_FLAGS})
  add_test(NAME ${name} COMMAND plumb::cli ${words}
    WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  set(environment "")
  if(CMAKE_C_COMPILER)
    list(APPEND environment "CC=${CMAKE_C_COMPILER}")
  endif()
  if(CMAKE_CXX_COMPILER)
    list(APPEND environment "CXX=${CMAKE_CXX_COMPILER}")
  endif()
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "${environment}"
    SKIP_RETURN_CODE 77)
endfunction()
