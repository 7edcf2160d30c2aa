# SPDX-License-Identifier: BSD-3-Clause

# What the scripts of this folder share.

# What they build with CMake is compiled once, as long as neither sources nor headers change.
foreach(language IN ITEMS C CXX)
    set(ENV{CMAKE_${language}_COMPILER_LAUNCHER}
        "sh;${CMAKE_CURRENT_LIST_DIR}/kept_objects.sh;${KEPT_OBJECTS}")
endforeach()

# run(<command>...): stops the test if the command fails.
function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# run_on_virtual_gpu(<command>...): stops the test if the command fails, does not name the virtual GPU, or has
# something to complain of.
function(run_on_virtual_gpu)
    execute_process(RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors
        COMMAND "${CMAKE_COMMAND}" -E env "LD_LIBRARY_PATH=${VIRTUAL_GPU}:$ENV{LD_LIBRARY_PATH}"
        ONEAPI_DEVICE_SELECTOR=level_zero:gpu ${ARGN})
    if(NOT result EQUAL 0 OR errors OR NOT output MATCHES "virtual-xe pvc")
        message(FATAL_ERROR "on the virtual GPU: ${result}\n${output}${errors}")
    endif()
    message("${output}")
endfunction()

# configure(<source> <build> [<argument>...]): with the compilers of the test's own build.
function(configure source build)
    run("${CMAKE_COMMAND}" -S "${source}" -B "${build}" -G "${GENERATOR}"
        "-DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}"
        "-DCMAKE_C_COMPILER=${C_COMPILER}" "-DTILETC_INTEL_ROOT=${INTEL_ROOT}" ${ARGN})
endfunction()

# check_needed(<program> <soname or none>): which libtiletc the program has the loader look for.
function(check_needed program expected)
    execute_process(COMMAND "${READELF}" -d "${program}" OUTPUT_VARIABLE dynamic
        COMMAND_ERROR_IS_FATAL ANY)
    set(needed none)
    if(dynamic MATCHES "NEEDED[^\n]*\\[(libtiletc[^]]*)\\]")
        set(needed "${CMAKE_MATCH_1}")
    endif()
    if(NOT needed STREQUAL expected)
        message(FATAL_ERROR "${program} needs ${needed}, not ${expected}")
    endif()
endfunction()
