# SPDX-License-Identifier: BSD-3-Clause

# `cargo xtask` and CMake share one build of the library: what one left in LIBRARIES, CMake's own build takes as it is.

cmake_minimum_required(VERSION 3.22)

include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

get_filename_component(target "${LIBRARIES}" DIRECTORY)
get_filename_component(profile "${LIBRARIES}" NAME)
if(NOT CARGO OR NOT EXISTS "${target}/CACHEDIR.TAG" OR NOT profile STREQUAL "dist")
    message("skipped: ${LIBRARIES} was not filled by a cargo that is here")
    return()
endif()

file(REMOVE_RECURSE "${WORK_DIR}")
file(TIMESTAMP "${LIBRARIES}/libtiletc.so" before "%s")
file(SHA256 "${LIBRARIES}/libtiletc.so" hash_before)

set(ENV{CARGO_TARGET_DIR} "${target}")
set(ENV{PATH} "$ENV{PATH}:${CARGO}/..")
configure("${SOURCE}" "${WORK_DIR}")
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${WORK_DIR}"
    OUTPUT_VARIABLE output ERROR_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
message("${output}")
if(NOT output MATCHES "Finished" OR output MATCHES "Compiling")
    message(FATAL_ERROR "cargo was not asked, or has built something again")
endif()

file(TIMESTAMP "${LIBRARIES}/libtiletc.so" after "%s")
file(SHA256 "${LIBRARIES}/libtiletc.so" hash_after)
file(REAL_PATH "${WORK_DIR}/lib/libtiletc.so" library)
file(REAL_PATH "${LIBRARIES}/libtiletc.so" expected)
if(NOT before STREQUAL after OR NOT hash_before STREQUAL hash_after)
    message(FATAL_ERROR "the library was written again")
endif()
if(NOT library STREQUAL expected)
    message(FATAL_ERROR "CMake links ${library}, not ${expected}")
endif()
