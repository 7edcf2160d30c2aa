# SPDX-License-Identifier: BSD-3-Clause

# How tests are registered. A test whose program uses SYCL is registered on two back ends: on the device that SYCL
# chooses, and as virtual_<name> on the virtual GPU. The test both_back_ends looks whether one was forgotten.

# Runtimes from an unpacked prefix have to be told to the loaders; an active oneAPI has done that.
set(test_environment "")
if(SYCLRuntime_ROOT_DIR)
    list(APPEND test_environment "LD_LIBRARY_PATH=path_list_prepend:${SYCLRuntime_ROOT_DIR}/lib")
    if(EXISTS "${SYCLRuntime_ROOT_DIR}/lib/libintelocl.so" AND NOT DEFINED ENV{OCL_ICD_FILENAMES})
        list(APPEND test_environment
            "OCL_ICD_FILENAMES=set:${SYCLRuntime_ROOT_DIR}/lib/libintelocl.so")
    endif()
endif()

# The virtual GPU: its driver takes the place of Level Zero's loader, and SYCL programs see nothing else.
if(TILETC_LEVEL_ZERO_DRIVER)
    set(virtual_dir "${CMAKE_CURRENT_BINARY_DIR}/virtual_gpu")
    file(MAKE_DIRECTORY "${virtual_dir}")
    file(CREATE_LINK "${TILETC_LEVEL_ZERO_DRIVER}" "${virtual_dir}/libze_loader.so.1" SYMBOLIC)
    set(virtual_environment "${test_environment}"
        "LD_LIBRARY_PATH=path_list_prepend:${virtual_dir}"
        "ONEAPI_DEVICE_SELECTOR=set:level_zero:gpu")
endif()
# A program that did not run, and what the virtual GPU finds wrong with a kernel
set(virtual_absent "No device of requested type;no Level Zero device")
set(virtual_finding "virtual-xe: ")

# Tests that use SYCL and have no device to choose, or take the virtual GPU too long; memcheck.cmake adds those that
# valgrind is too slow for
set(tiletc_on_one_back_end
    level_zero_sycl # Level Zero's driver is a fake, and SYCL's part is played by functions.
    tile_gemm_large # A product of 2 GFLOP
    tile_hgemm_large
    ader_dg_orders_f32 # 384 elements for up to 31 steps
    ader_dg_orders_f64
    ader_dg_clusters_orders_f32 # 768 elements, the largest for up to 77 steps
    ader_dg_clusters_orders_f64
    ader_dg_clusters_order_3 # Up to 378 elements for 32 steps; that of order 2 says what a GPU makes of clusters.
    ader_dg_clusters_order_4
    ader_dg_wrong_half # Order 7
    ader_dg_wrong_weight
    ader_dg_ranks_2_device # An MPI library that does not know the virtual GPU must not write to its memory.
    ader_dg_ranks_4_device
    ader_dg_ranks_5_device
    ader_dg_rates) # The largest rates that a device reaches

function(tiletc_set_test_properties name)
    set_tests_properties(${name} PROPERTIES
        ENVIRONMENT_MODIFICATION "${test_environment}"
        SKIP_RETURN_CODE 77
        TIMEOUT 300)
endfunction()

# tiletc_virtual_test(<name> <command>...): the test <name> again, on the virtual GPU. There, none is skipped.
function(tiletc_virtual_test name)
    if(TILETC_LEVEL_ZERO_DRIVER)
        add_test(NAME virtual_${name} COMMAND ${ARGN})
        set_tests_properties(virtual_${name} PROPERTIES
            ENVIRONMENT_MODIFICATION "${virtual_environment}"
            FAIL_REGULAR_EXPRESSION "${virtual_absent};${virtual_finding}"
            TIMEOUT 300)
    endif()
endfunction()

# tiletc_uses_sycl(<variable> <target>): whether a target is linked with SYCL, by itself or through others.
function(tiletc_uses_sycl variable target)
    set(${variable} FALSE PARENT_SCOPE)
    set(next ${target})
    set(seen "")
    while(next)
        list(POP_FRONT next library)
        if(library STREQUAL "SYCLRuntime::sycl")
            set(${variable} TRUE PARENT_SCOPE)
            return()
        endif()
        if(TARGET ${library} AND NOT library IN_LIST seen)
            list(APPEND seen ${library})
            foreach(property IN ITEMS LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
                get_target_property(libraries ${library} ${property})
                if(libraries)
                    list(APPEND next ${libraries})
                endif()
            endforeach()
        endif()
    endwhile()
endfunction()

# tiletc_add_test(<name> <command>...): on both back ends, if a program of the command uses SYCL.
function(tiletc_add_test name)
    add_test(NAME ${name} COMMAND ${ARGN})
    tiletc_set_test_properties(${name})
    if(name IN_LIST tiletc_on_one_back_end)
        return()
    endif()
    foreach(word IN LISTS ARGN)
        string(REGEX REPLACE "^\\$<TARGET_FILE:(.*)>$" "\\1" word "${word}")
        if(TARGET ${word})
            tiletc_uses_sycl(uses_sycl ${word})
            if(uses_sycl)
                tiletc_virtual_test(${name} ${ARGN})
                return()
            endif()
        endif()
    endforeach()
endfunction()

# tiletc_expect_test(<name> <exit code> <expected output> <command>...): the command ends with this code and says what
# matches this. CTest on its own does not look at the exit code where it looks at the output.
function(tiletc_expect_test name code expected)
    set(command ${ARGN})
    list(POP_FRONT command program)
    if(TARGET ${program})
        set(program "$<TARGET_FILE:${program}>")
    endif()
    tiletc_add_test(${name} "${CMAKE_COMMAND}" "-DCODE=${code}" "-DEXPECTED=${expected}"
        -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/expect.cmake" -- "${program}" ${command})
    set_tests_properties(${name} PROPERTIES
        SKIP_REGULAR_EXPRESSION "^skipped: the program ended with 77")
    # Of what goes wrong the virtual GPU may have noticed something as well.
    if(TEST virtual_${name} AND NOT code EQUAL 0)
        set_tests_properties(virtual_${name} PROPERTIES FAIL_REGULAR_EXPRESSION "${virtual_absent}")
    endif()
endfunction()

# tiletc_keep_builds(<name>...): what the driver has built for the tests is taken from the library's cache, as long as the
# library is the same. Drivers take most of the time to build kernels.
function(tiletc_keep_builds)
    set_property(TEST ${ARGN} APPEND PROPERTY ENVIRONMENT_MODIFICATION
        "TILETC_CACHE_DIR=set:${PROJECT_BINARY_DIR}/driver_builds"
        "TILETC_CACHE_MAX_BYTES=set:1073741824")
endfunction()

# tiletc_in_own_folder(<name>): the test writes files, and may run on both back ends at once.
function(tiletc_in_own_folder name)
    foreach(test IN ITEMS ${name} virtual_${name})
        if(TEST ${test})
            file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/${test}")
            set_tests_properties(${test} PROPERTIES
                WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/${test}")
        endif()
    endforeach()
endfunction()

# tiletc_test(<name> <source> <language standard> <library> [<argument>...])
function(tiletc_test name source standard library)
    add_executable(test_${name} ${source})
    target_compile_features(test_${name} PRIVATE ${standard})
    target_compile_options(test_${name} PRIVATE -Wall -Wextra -Wpedantic -Werror)
    target_link_libraries(test_${name} PRIVATE ${library})
    tiletc_add_test(${name} test_${name} ${ARGN})
endfunction()

# tiletc_skipped_test(<name> <reason>): a test that cannot run here
function(tiletc_skipped_test name reason)
    add_test(NAME ${name} COMMAND "${CMAKE_COMMAND}" -E echo "skipped: ${reason}")
    set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped: ")
endfunction()
