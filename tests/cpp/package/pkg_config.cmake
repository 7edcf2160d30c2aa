# SPDX-License-Identifier: BSD-3-Clause

# Builds and runs the programs of SOURCE with what pkg-config says about the installation in PREFIX.

cmake_minimum_required(VERSION 3.22)

if(NOT PKG_CONFIG)
    message("skipped: there is no pkg-config")
    return()
endif()

include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

# ask(<variable> <argument>...)
function(ask variable)
    execute_process(COMMAND "${PKG_CONFIG}" ${ARGN} OUTPUT_VARIABLE answer
        OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(answer UNIX_COMMAND "${answer}")
    set(${variable} "${answer}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK_DIR}")
file(MAKE_DIRECTORY "${WORK_DIR}")

set(ENV{PKG_CONFIG_PATH} "${PREFIX}/lib/pkgconfig")
foreach(package IN ITEMS tiletc!${VERSION} tinytc!0.4.0)
    string(REPLACE "!" ";" package "${package}")
    list(POP_FRONT package name)
    ask(answer --modversion ${name})
    if(NOT answer STREQUAL package)
        message(FATAL_ERROR "${name} has the version ${answer}, not ${package}")
    endif()
    ask(flags --cflags --libs ${name})
    run("${CXX_COMPILER}" -std=c++17 "${SOURCE}/main.cpp" -o "${WORK_DIR}/${name}" ${flags}
        "-Wl,-rpath,${PREFIX}/lib")
    check_needed("${WORK_DIR}/${name}" "${SONAME}")
    run("${WORK_DIR}/${name}")
endforeach()

# Linkers prefer a shared library, so here is a prefix without. C++ brings libraries along that C does not.
set(static "${WORK_DIR}/prefix")
file(MAKE_DIRECTORY "${static}/lib")
file(CREATE_LINK "${PREFIX}/include" "${static}/include" SYMBOLIC)
file(CREATE_LINK "${PREFIX}/lib/libtiletc.a" "${static}/lib/libtiletc.a" SYMBOLIC)
file(COPY "${PREFIX}/lib/pkgconfig" DESTINATION "${static}/lib")
set(ENV{PKG_CONFIG_PATH} "${static}/lib/pkgconfig")
ask(flags --static --cflags --libs tiletc)
run("${C_COMPILER}" -std=c11 "${SOURCE}/main.c" -o "${WORK_DIR}/static" ${flags})
check_needed("${WORK_DIR}/static" none)
run("${WORK_DIR}/static")
