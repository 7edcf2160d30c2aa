# SPDX-License-Identifier: BSD-3-Clause

# Runs COMMANDS, separated by `|`, with an installed loader of Level Zero that finds DRIVER by
# ZE_ENABLE_ALT_DRIVERS. VERSION is a program that says what the loader knows, and AT_LEAST which version of Level
# Zero it has to know. LIBRARIES are folders of libraries, and FOLDER one for the test itself.

cmake_minimum_required(VERSION 3.22)

# The loader that the variable names, or the one that programs would find.
set(loader "$ENV{TILETC_LEVEL_ZERO_LOADER}")
if(NOT loader)
    find_library(loader NAMES libze_loader.so.1)
endif()
if(NOT EXISTS "${loader}")
    message("skipped: there is no Level Zero loader; install libze1, or set TILETC_LEVEL_ZERO_LOADER")
    return()
endif()

# Under the names that programs look for, and before the driver, which has them as well
file(REAL_PATH "${loader}" loader)
get_filename_component(beside "${loader}" DIRECTORY)
file(MAKE_DIRECTORY "${FOLDER}")
foreach(name IN ITEMS libze_loader.so libze_loader.so.1)
    file(CREATE_LINK "${loader}" "${FOLDER}/${name}" SYMBOLIC)
endforeach()
list(PREPEND LIBRARIES "${FOLDER}")

# A loader of another system may need the C library that lies beside it.
set(start "")
if(EXISTS "${beside}/ld-linux-x86-64.so.2")
    list(JOIN LIBRARIES ":" paths)
    set(start "${beside}/ld-linux-x86-64.so.2" --library-path "${paths}:${beside}")
else()
    list(APPEND LIBRARIES "$ENV{LD_LIBRARY_PATH}")
    list(JOIN LIBRARIES ":" paths)
    set(ENV{LD_LIBRARY_PATH} "${paths}")
endif()
set(ENV{ZE_ENABLE_ALT_DRIVERS} "${DRIVER}")
set(ENV{ONEAPI_DEVICE_SELECTOR} "level_zero:gpu")

# run(<variable> <program> [<argument>...]): what the program says; stops the test if it fails or complains.
function(run variable)
    execute_process(COMMAND ${start} ${ARGN}
        RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors)
    message("${output}")
    if(NOT result EQUAL 0 OR errors)
        message(FATAL_ERROR "${ARGN}: ${result}\n${errors}")
    endif()
    set(${variable} "${output}" PARENT_SCOPE)
endfunction()

run(version "${VERSION}")
string(REGEX MATCH "Level Zero ([0-9.]+)" version "${version}")
if(CMAKE_MATCH_1 VERSION_LESS AT_LEAST)
    message("skipped: ${loader} knows ${version}, and ${AT_LEAST} is needed")
    return()
endif()
string(REPLACE "|" ";" commands "${COMMANDS}")
foreach(command IN LISTS commands)
    separate_arguments(words UNIX_COMMAND "${command}")
    run(output ${words})
endforeach()
