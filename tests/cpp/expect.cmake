# SPDX-License-Identifier: BSD-3-Clause

# Runs the command that follows `--`, and fails unless it ends with the exit code CODE and its output matches the
# regular expression EXPECTED.

cmake_minimum_required(VERSION 3.22)

include("${CMAKE_CURRENT_LIST_DIR}/command.cmake")

execute_process(COMMAND ${command} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
# What a program ends with that cannot run here; CTest skips the test if these are the first words.
if(result EQUAL 77 AND NOT CODE EQUAL 77)
    message("skipped: the program ended with 77")
else()
    message("The program ended with ${result}:")
endif()
message("${output}")
if(NOT result STREQUAL CODE)
    message(FATAL_ERROR "ended with ${result}, not ${CODE}")
endif()
if(NOT output MATCHES "${EXPECTED}")
    message(FATAL_ERROR "did not say: ${EXPECTED}")
endif()
