# SPDX-License-Identifier: BSD-3-Clause

# A test of the tests: all that use SYCL run on two back ends.

# tiletc_sycl_programs(<variable> <folder>...): the programs that are built there and use SYCL
function(tiletc_sycl_programs variable)
    set(programs "")
    set(folders ${ARGN})
    while(folders)
        list(POP_FRONT folders folder)
        get_property(deeper DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
        list(APPEND folders ${deeper})
        get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
        foreach(target IN LISTS targets)
            get_target_property(type ${target} TYPE)
            tiletc_uses_sycl(uses_sycl ${target})
            if(type STREQUAL "EXECUTABLE" AND uses_sycl)
                list(APPEND programs "$<TARGET_FILE:${target}>")
            endif()
        endforeach()
    endwhile()
    set(${variable} "${programs}" PARENT_SCOPE)
endfunction()

# tiletc_check_twins(<name> <folder of a build> <program>...)
function(tiletc_check_twins name folder)
    list(JOIN ARGN "\n" programs)
    file(GENERATE OUTPUT "${folder}/sycl_programs.txt" CONTENT "${programs}\n")
    add_test(NAME ${name} COMMAND "${CMAKE_COMMAND}" "-DFOLDER=${folder}"
        "-DEXCEPT=${tiletc_on_one_back_end}" -P "${CMAKE_CURRENT_SOURCE_DIR}/both_back_ends.cmake")
endfunction()

if(NOT TARGET tiletc::sycl OR NOT TILETC_LEVEL_ZERO_DRIVER)
    tiletc_skipped_test(both_back_ends "there is no SYCL, or TILETC_LEVEL_ZERO_DRIVER is not set")
    return()
endif()
set(folders "${CMAKE_CURRENT_SOURCE_DIR}")
if(TARGET examples_common)
    list(APPEND folders "${PROJECT_SOURCE_DIR}/cpp-examples")
endif()
tiletc_sycl_programs(programs ${folders})
tiletc_check_twins(both_back_ends "${CMAKE_CURRENT_BINARY_DIR}" ${programs})

# tiletc_notices(<name> <what is noticed> <second test> [<program>...]): where there is a test that uses SYCL
function(tiletc_notices name what second)
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/twins/${name}")
    file(WRITE "${folder}/CTestTestfile.cmake" "subdirs(\"deeper\")\n")
    file(WRITE "${folder}/deeper/CTestTestfile.cmake"
        "add_test(one \"/program\" \"1\")\n${second}\n")
    tiletc_check_twins(both_back_ends_${name} "${folder}" /program ${ARGN})
    set_tests_properties(both_back_ends_${name} PROPERTIES PASS_REGULAR_EXPRESSION "${what}")
endfunction()
set(same "add_test(virtual_one \"/program\" \"1\")")
set(other "add_test(virtual_one \"/program\" \"2\")")
set(device "set_tests_properties(virtual_one PROPERTIES
    ENVIRONMENT_MODIFICATION \"A=set:1;ONEAPI_DEVICE_SELECTOR=set:level_zero:gpu\")")
tiletc_notices(right "1 tests with SYCL run on two back ends" "${same}\n${device}")
tiletc_notices(alone "one uses SYCL, and there is no virtual_one" "")
tiletc_notices(another "virtual_one has another command than one" "${other}\n${device}")
tiletc_notices(elsewhere "virtual_one does not run on Level Zero" "${same}")
tiletc_notices(never_run "/unused uses SYCL, and no test runs it" "${same}\n${device}" /unused)
