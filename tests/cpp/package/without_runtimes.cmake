# SPDX-License-Identifier: BSD-3-Clause

# Configures SOURCE where there is neither OpenCL, SYCL nor Level Zero: what cannot be tested there is skipped, in
# so many lines.

include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

file(REMOVE_RECURSE "${WORK_DIR}")
set(definitions "")
foreach(package IN ITEMS OpenCL SYCLRuntime LevelZero MPI)
    list(APPEND definitions "-DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON")
endforeach()
configure("${SOURCE}" "${WORK_DIR}" "-DTILETC_LIBRARY_DIR=${LIBRARIES}" ${definitions})

set(skipped opencl sycl level_zero virtual_gpu both_back_ends example_matrix_chain example_opencl_c
    memcheck_matrix_chain)
list(JOIN skipped "|" names)
execute_process(COMMAND "${CTEST}" --test-dir "${WORK_DIR}" --no-tests=error -R "^(${names})$"
    OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
foreach(name IN LISTS skipped)
    if(NOT output MATCHES " ${name} [.]+[*]+Skipped")
        message(FATAL_ERROR "${name} is not skipped:\n${output}")
    endif()
endforeach()
