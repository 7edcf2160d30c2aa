# SPDX-License-Identifier: BSD-3-Clause

# Programs under valgrind: nothing of ours is lost, and no memory is used that is not ours. SYCL programs run on
# the virtual GPU, whose driver is ours, too; the OpenCL CPU driver's compiler takes valgrind most of a minute. The
# library's cache, in a folder that only this program uses, spares it that unless the library has changed.

find_program(TILETC_VALGRIND valgrind)
mark_as_advanced(TILETC_VALGRIND)

# What depends on undefined values is not looked for: in optimised Rust code, two tests may become one that reads
# more than it needs, to no effect.
set(memcheck "${TILETC_VALGRIND}" --quiet --leak-check=full --show-leak-kinds=definite
    --errors-for-leak-kinds=definite --undef-value-errors=no
    "--suppressions=${CMAKE_CURRENT_SOURCE_DIR}/valgrind.supp" --num-callers=30 --error-exitcode=99)

# tiletc_memcheck_program(<name> <target> [<argument>...])
function(tiletc_memcheck_program name target)
    if(TILETC_VALGRIND)
        add_test(NAME ${name} COMMAND ${memcheck} $<TARGET_FILE:${target}> ${ARGN})
        tiletc_set_test_properties(${name})
    else()
        tiletc_skipped_test(${name} "there is no valgrind")
    endif()
endfunction()

# tiletc_memcheck(<test> [<argument>...]): the program of a test.
function(tiletc_memcheck name)
    tiletc_memcheck_program(memcheck_${name} test_${name} ${ARGN})
endfunction()

# tiletc_memcheck_example(<program> [<argument>...])
function(tiletc_memcheck_example program)
    if(TARGET ${program})
        tiletc_memcheck_program(memcheck_${program} ${program} ${ARGN})
    else()
        tiletc_skipped_test(memcheck_${program} "the example is not built")
    endif()
endfunction()

# tiletc_memcheck_virtual(<program> [<argument>...]): an example on the virtual GPU
function(tiletc_memcheck_virtual program)
    set(name memcheck_${program})
    if(NOT TARGET ${program})
        tiletc_skipped_test(${name} "the example is not built")
    elseif(NOT TILETC_LEVEL_ZERO_DRIVER)
        tiletc_skipped_test(${name} "TILETC_LEVEL_ZERO_DRIVER is not set")
    else()
        tiletc_memcheck_program(${name} ${program} ${ARGN})
        set_tests_properties(${name} PROPERTIES
            ENVIRONMENT_MODIFICATION "${virtual_environment}"
            FAIL_REGULAR_EXPRESSION "${virtual_absent}")
        list(APPEND tiletc_on_one_back_end ${name})
        set(tiletc_on_one_back_end "${tiletc_on_one_back_end}" PARENT_SCOPE)
    endif()
endfunction()

foreach(name IN ITEMS c_abi compat_c compat_cpp17 core17 handles17 recipes17 views17)
    tiletc_memcheck(${name})
endforeach()
tiletc_memcheck(threads 12 3 "${PROJECT_SOURCE_DIR}/tests/filetests/kernels/gemm_nn.ir")

# A leak that is there is found.
add_executable(test_leak leak.c)
target_link_libraries(test_leak PRIVATE tiletc::tiletc)
if(TILETC_VALGRIND)
    tiletc_expect_test(memcheck_leak 99 "definitely lost.*tiletc_compiler_context_create"
        ${memcheck} $<TARGET_FILE:test_leak>)
else()
    tiletc_skipped_test(memcheck_leak "there is no valgrind")
endif()

# Programs for Level Zero, where the host takes the place of the device
tiletc_memcheck(threads_objects 3 2 "${CMAKE_CURRENT_BINARY_DIR}/memcheck_cache")
tiletc_memcheck(level_zero_host)
tiletc_memcheck(page_level_zero_on_host)
set(on_host threads_objects level_zero_host page_level_zero_on_host)
if(TARGET test_level_zero_c_on_host)
    tiletc_memcheck(level_zero_c_on_host --elements 10 --steps 2)
    list(APPEND on_host level_zero_c_on_host)
endif()
list(TRANSFORM on_host PREPEND memcheck_)
set_property(TEST ${on_host} APPEND PROPERTY ENVIRONMENT_MODIFICATION
    "LD_LIBRARY_PATH=path_list_prepend:$<TARGET_FILE_DIR:fake_level_zero>")

# Every example
tiletc_memcheck_example(builder_c --output "${CMAKE_CURRENT_BINARY_DIR}/memcheck.spv")
tiletc_memcheck_example(opencl_c --elements 3 --steps 1)
set_property(TEST memcheck_opencl_c APPEND PROPERTY ENVIRONMENT_MODIFICATION
    "TILETC_CACHE_DIR=set:${CMAKE_CURRENT_BINARY_DIR}/memcheck_builds")
tiletc_memcheck_virtual(ader_dg --mesh 1 --steps 1 --order 2 --peak 100 --bandwidth 10)
tiletc_memcheck_virtual(builder_cpp --elements 33 --steps 1)
tiletc_memcheck_virtual(dg_volume --elements 3 --steps 1 --order 2)
tiletc_memcheck_virtual(flash_attention
    --batch 1 --heads 1 --launches 1 --sequence 17 --head-dim 32)
tiletc_memcheck_virtual(gemm_batched --batch 2 --runs 1 --shape 7 5 3)
tiletc_memcheck_virtual(jit --elements 3 --steps 1 --sizes 7x1x33x9x5)
tiletc_memcheck_virtual(matrix_chain --elements 3 --steps 1)
tiletc_memcheck_virtual(matrix_chain_mpi --elements 3 --steps 1)
tiletc_memcheck_virtual(tall_and_skinny --rows 31 --runs 1 --small 9 9)
