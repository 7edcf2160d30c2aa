# SPDX-License-Identifier: BSD-3-Clause

# Configures and builds SOURCE as the manual says where there is neither OpenCL, SYCL nor Level Zero, and where one of
# them is there: what is left out is listed. The tests of the headers build there as well, and what cannot be tested is
# skipped, in so many lines.

cmake_minimum_required(VERSION 3.22)

include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

set(without_OpenCL "OpenCL was not found")
set(without_SYCLRuntime "no SYCL runtime was found .*TILETC_INTEL_ROOT")
set(without_LevelZero "Level Zero was not found .*LevelZero_ROOT")

# without(<package>...): a build in ${folder} where these packages are not found
macro(without)
    string(REPLACE ";" "_" folder "${WORK_DIR}/without;${ARGN}")
    set(definitions "-DTILETC_LIBRARY_DIR=${LIBRARIES}")
    set(lines "")
    foreach(package IN ITEMS ${ARGN})
        list(APPEND definitions "-DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON")
        list(APPEND lines "${without_${package}}")
    endforeach()
endmacro()

file(REMOVE_RECURSE "${WORK_DIR}")
# Where SYCL is there, it is the environment that says so.
set(ENV{TILETC_INTEL_ROOT} "${INTEL_ROOT}")
foreach(packages IN ITEMS "SYCLRuntime" "OpenCL" "OpenCL;SYCLRuntime;LevelZero")
    without(${packages})
    execute_process(COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${folder}" -G "${GENERATOR}"
        "-DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}"
        "-DCMAKE_C_COMPILER=${C_COMPILER}" ${definitions}
        OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
    foreach(line IN LISTS lines ITEMS "the tests: TILETC_BUILD_TESTS is off"
            "the examples: TILETC_BUILD_EXAMPLES is off")
        if(NOT output MATCHES "Left out:.*${line}")
            message(FATAL_ERROR "without ${packages}, it is not said that ${line}:\n${output}")
        endif()
    endforeach()
    if("OpenCL" IN_LIST packages AND NOT "SYCLRuntime" IN_LIST packages AND INTEL_ROOT
            AND NOT output MATCHES "tiletc [0-9.]+ with [a-z:_, ]*tiletc::sycl")
        message(FATAL_ERROR "SYCL is left out for want of OpenCL's loader:\n${output}")
    endif()
    run("${CMAKE_COMMAND}" --build "${folder}")
endforeach()

# With tests and examples
foreach(packages IN ITEMS "SYCLRuntime" "OpenCL;SYCLRuntime;LevelZero;MPI")
    without(${packages})
    string(APPEND folder "_tested")
    configure("${SOURCE}" "${folder}" ${definitions} -DTILETC_BUILD_TESTS=ON -DTILETC_BUILD_EXAMPLES=ON)
    run("${CMAKE_COMMAND}" --build "${folder}" --target headers_in_c headers_in_cpp17)
endforeach()
set(skipped opencl sycl level_zero virtual_gpu both_back_ends example_matrix_chain example_opencl_c
    memcheck_matrix_chain)
list(JOIN skipped "|" names)
execute_process(COMMAND "${CTEST}" --test-dir "${folder}" --no-tests=error -R "^(${names})$"
    OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
foreach(name IN LISTS skipped)
    if(NOT output MATCHES " ${name} [.]+[*]+Skipped")
        message(FATAL_ERROR "${name} is not skipped:\n${output}")
    endif()
endforeach()
