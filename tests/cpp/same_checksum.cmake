# SPDX-License-Identifier: BSD-3-Clause

# Runs the program that follows `--`, by itself and behind the words of MPIRUN, and fails unless both end with 0 and print
# the same checksums, and the latter what matches the regular expression EXPECTED.

cmake_minimum_required(VERSION 3.22)

include("${CMAKE_CURRENT_LIST_DIR}/command.cmake")

function(run variable)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    message("${output}")
    if(NOT result STREQUAL 0)
        message(FATAL_ERROR "ended with ${result}, not 0")
    endif()
    if(NOT output MATCHES "checksums [^\n]*")
        message(FATAL_ERROR "did not print checksums")
    endif()
    set(checksums "${CMAKE_MATCH_0}" PARENT_SCOPE)
    set(${variable} "${output}" PARENT_SCOPE)
endfunction()

run(alone ${command})
set(expected "${checksums}")
string(REPLACE "|" ";" MPIRUN "${MPIRUN}")
run(together ${MPIRUN} ${command})
if(NOT checksums STREQUAL expected)
    message(FATAL_ERROR "${checksums}, and with a single rank ${expected}")
endif()
if(NOT together MATCHES "${EXPECTED}")
    message(FATAL_ERROR "did not say: ${EXPECTED}")
endif()
