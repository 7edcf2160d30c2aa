# SPDX-License-Identifier: BSD-3-Clause

# What the scripts of this folder share.

# run(<command>...): stops the test if the command fails.
function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
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
