# SPDX-License-Identifier: BSD-3-Clause

# Builds the tests of the headers with clang and runs them.

cmake_minimum_required(VERSION 3.22)

function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run("${CMAKE_COMMAND}" -S "${SOURCE_DIR}" -B "${BUILD_DIR}" -G "${GENERATOR}"
    "-DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}" "-DCMAKE_C_COMPILER=${C_COMPILER}"
    "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DTILETC_LIBRARY_DIR=${LIBRARY_DIR}"
    "-DTILETC_INTEL_ROOT=${INTEL_ROOT}" -DTILETC_BUILD_TESTS=ON -DCMAKE_BUILD_TYPE=Debug)
run("${CMAKE_COMMAND}" --build "${BUILD_DIR}" --target interface_tests)
run("${CTEST}" --test-dir "${BUILD_DIR}" -L interface --no-tests=error --output-on-failure)
