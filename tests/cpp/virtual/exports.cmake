# SPDX-License-Identifier: BSD-3-Clause

# Runs TEST, which writes the names of the functions that it has called to CALLED, and compares them with what
# DRIVER exports.

cmake_minimum_required(VERSION 3.22)

execute_process(COMMAND "${TEST}" "${CALLED}" RESULT_VARIABLE result)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "the test fails: ${result}")
endif()
execute_process(COMMAND "${NM}" -D --defined-only "${DRIVER}" OUTPUT_VARIABLE symbols RESULT_VARIABLE result)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "${NM} cannot read ${DRIVER}")
endif()
string(REGEX MATCHALL "[TW] ze[A-Za-z0-9_]+" exported "${symbols}")
list(TRANSFORM exported REPLACE "^[TW] " "")
list(LENGTH exported count)
file(STRINGS "${CALLED}" called)
list(REMOVE_ITEM exported ${called})
if(exported OR count LESS 200)
    message(FATAL_ERROR "of ${count} functions, these are not called: ${exported}")
endif()
message(STATUS "all ${count} functions are called")
