# SPDX-License-Identifier: BSD-3-Clause

# Installs tiletc from BUILD_DIR, builds the project in this folder against it, and runs the result;
# everything happens in WORK_DIR.

function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${WORK_DIR}")
run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${WORK_DIR}/prefix")
# Moving the installation must not break it.
file(RENAME "${WORK_DIR}/prefix" "${WORK_DIR}/moved")
run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${WORK_DIR}/build" -G "${GENERATOR}"
    "-DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}"
    "-DCMAKE_C_COMPILER=${C_COMPILER}" "-DCMAKE_PREFIX_PATH=${WORK_DIR}/moved"
    "-DTILETC_INTEL_ROOT=${INTEL_ROOT}" "-DEXPECT_SYCL=${EXPECT_SYCL}")
run("${CMAKE_COMMAND}" --build "${WORK_DIR}/build")
run("${WORK_DIR}/build/external")
run("${WORK_DIR}/build/external_static")
if(EXPECT_SYCL)
    run("${WORK_DIR}/build/external_sycl")
endif()
