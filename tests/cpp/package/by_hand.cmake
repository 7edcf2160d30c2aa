# SPDX-License-Identifier: BSD-3-Clause

# Builds PROGRAM with the command line of the manual's page PAGE and runs it, as the page says: once with the library in
# the folder that cargo builds into, once in that which CMake does, LIBRARIES.

cmake_minimum_required(VERSION 3.22)

if(MISSING)
    message("skipped: ${MISSING} was not found")
    return()
endif()

include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

# The block of commands that begins with the compiler's
file(READ "${PAGE}" text)
string(REGEX MATCH "```\n(g\\+\\+ [^`]*)```" block "${text}")
set(commands "${CMAKE_MATCH_1}")
if(NOT commands MATCHES "-o program\n./program\n$")
    message(FATAL_ERROR "${PAGE} does not say how to build and run a program:\n${block}")
endif()

file(REMOVE_RECURSE "${WORK_DIR}")
file(MAKE_DIRECTORY "${WORK_DIR}")
# Where the reader stands: in the checkout, beside a program.
file(CREATE_LINK "${SOURCE}/include" "${WORK_DIR}/include" SYMBOLIC)
configure_file("${PROGRAM}" "${WORK_DIR}/program.cpp" COPYONLY)
set(ENV{TILETC_INTEL_ROOT} "${INTEL_ROOT}")
set(loaded "$ENV{LD_LIBRARY_PATH}")
foreach(folder IN LISTS LIBRARIES)
    file(REMOVE "${WORK_DIR}/program")
    set(ENV{TILETC_LIBRARY_DIR} "${folder}")
    set(ENV{LD_LIBRARY_PATH} "${folder}:${loaded}")
    execute_process(COMMAND sh -e -c "${commands}" WORKING_DIRECTORY "${WORK_DIR}" COMMAND_ERROR_IS_FATAL ANY)
    check_needed("${WORK_DIR}/program" "${SONAME}")
endforeach()
