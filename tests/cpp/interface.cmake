# SPDX-License-Identifier: BSD-3-Clause

# Tests of the headers as programs see them: in C and in C++, under both names, with the system's
# compiler and with clang.

include(CheckCXXSourceRuns)

set_property(GLOBAL PROPERTY tiletc_interface_tests "")

# tiletc_interface_test(<name> <source> <language standard> [<argument>...])
function(tiletc_interface_test name source standard)
    tiletc_test(${name} "${source}" ${standard} tiletc::tiletc ${ARGN})
    # Warnings about our own headers count.
    set_target_properties(test_${name} PROPERTIES NO_SYSTEM_FROM_IMPORTED ON)
    set_tests_properties(${name} PROPERTIES LABELS interface)
    set_property(GLOBAL APPEND PROPERTY tiletc_interface_tests test_${name})
endfunction()

set(arguments_region_builder "${example_dir}")
set(arguments_creators "${CMAKE_CURRENT_SOURCE_DIR}/creators.ir")

tiletc_interface_test(c_abi c_abi.c c_std_11)
tiletc_interface_test(values_c values.c c_std_11)
tiletc_interface_test(compat_c compat_c.c c_std_11)
foreach(standard IN ITEMS 17 20)
    foreach(test IN ITEMS core handles views values builder region_builder creators recipes
            compat_cpp compat_status)
        tiletc_interface_test(${test}${standard} ${test}.cpp cxx_std_${standard}
            ${arguments_${test}})
    endforeach()
endforeach()

foreach(test IN ITEMS values_c values17 values20 core17 core20)
    target_compile_definitions(test_${test} PRIVATE BEYOND_TINYTC)
endforeach()

# The same programs as they would be written for tinytc.
set(tinytc_dir "${CMAKE_CURRENT_BINARY_DIR}/tinytc")
foreach(file IN ITEMS check.h check.hpp builder.hpp enumerators.inc c_abi.c values.c core.cpp
        handles.cpp views.cpp values.cpp builder.cpp region_builder.cpp creators.cpp)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    file(READ "${file}" text)
    string(REPLACE "tiletc" "tinytc" text "${text}")
    string(REPLACE "TILETC" "TINYTC" text "${text}")
    file(GENERATE OUTPUT "${tinytc_dir}/${file}" CONTENT "${text}")
endforeach()
foreach(test IN ITEMS c_abi values)
    tiletc_interface_test(tinytc_${test}_c "${tinytc_dir}/${test}.c" c_std_11)
    target_link_libraries(test_tinytc_${test}_c PRIVATE tinytc::tinytc_shared)
endforeach()
foreach(test IN ITEMS core handles views values builder region_builder creators)
    tiletc_interface_test(tinytc_${test} "${tinytc_dir}/${test}.cpp" cxx_std_17
        ${arguments_${test}})
    target_link_libraries(test_tinytc_${test} PRIVATE tinytc::tinytc_shared)
endforeach()
foreach(test IN ITEMS compat_c compat_cpp17 compat_cpp20 compat_status17 compat_status20 recipes17
        recipes20)
    target_link_libraries(test_${test} PRIVATE tinytc::tinytc_shared)
endforeach()

# Every function under its name in tinytc; that none is missing is checked by tests/ffi. Without OpenCL its
# functions are not declared.
file(STRINGS "${PROJECT_SOURCE_DIR}/tests/ffi/symbols.txt" symbols)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    "${PROJECT_SOURCE_DIR}/tests/ffi/symbols.txt")
if(NOT TARGET OpenCL::OpenCL)
    list(FILTER symbols EXCLUDE REGEX "^tiletc_cl_")
endif()
list(LENGTH symbols number)
list(TRANSFORM symbols REPLACE "^tiletc_(.*)$" "FUNCTION(tinytc_\\1)\n" OUTPUT_VARIABLE functions)
list(JOIN functions "" functions)
file(GENERATE OUTPUT "${tinytc_dir}/functions.inc" CONTENT "${functions}")
tiletc_interface_test(compat_names compat_names.c c_std_11)
target_include_directories(test_compat_names PRIVATE "${tinytc_dir}")
target_compile_definitions(test_compat_names PRIVATE NUMBER_OF_FUNCTIONS=${number})
target_link_libraries(test_compat_names PRIVATE tinytc::tinytc_shared tinytc::tinytc_cl_shared
    tinytc::tinytc_ze_shared)
if(TARGET OpenCL::OpenCL)
    target_compile_definitions(test_compat_names PRIVATE WITH_OPENCL)
    target_include_directories(test_compat_names SYSTEM PRIVATE
        $<TARGET_PROPERTY:OpenCL::OpenCL,INTERFACE_INCLUDE_DIRECTORIES>)
endif()

# The namespaces: files of both kinds, and files that mix them in any order, are one program.
set(namespaces_sources main.cpp in_c.c interleaved.cpp of_tiletc.cpp of_tinytc.cpp parser.cpp selected.cpp
    tiletc_first.cpp tinytc_first.cpp)
list(TRANSFORM namespaces_sources PREPEND namespaces/)
foreach(standard IN ITEMS 17 20)
    tiletc_interface_test(namespaces${standard} "${namespaces_sources}" cxx_std_${standard})
    target_compile_features(test_namespaces${standard} PRIVATE c_std_11)
    target_compile_definitions(test_namespaces${standard} PRIVATE FOLDER=/opt/tinytc/lib)
    target_link_libraries(test_namespaces${standard} PRIVATE tinytc::tinytc_shared)
endforeach()

# Every header alone, twice. Only the runtimes' own headers are left in peace, and the end of what another begins.
set(runtimes "")
set(left_out "_(cl|sycl)\\.|/(autotune|bench|embedded|launch_plan|recipe_launch)\\.")
if(TARGET tiletc::sycl)
    set(runtimes SYCLRuntime::sycl)
    set(left_out "^$")
elseif(TARGET tiletc::opencl)
    set(runtimes OpenCL::OpenCL)
    set(left_out "_sycl\\.|/(autotune|bench|embedded|launch_plan|recipe_launch)\\.")
endif()

# tiletc_header_library(<name> <language standard> <extension of sources> <pattern of headers> [<line>...]): each
# header alone, twice, and the lines behind it
function(tiletc_header_library name standard extension pattern)
    file(GLOB headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/include"
        "${PROJECT_SOURCE_DIR}/include/${pattern}")
    list(FILTER headers EXCLUDE REGEX "${left_out}|/namespace_end\\.")
    list(JOIN ARGN "\n" lines)
    set(sources "")
    foreach(header IN LISTS headers)
        set(source "${CMAKE_CURRENT_BINARY_DIR}/${name}/${header}.${extension}")
        file(GENERATE OUTPUT "${source}" CONTENT
            "#include <${header}>\n#include <${header}>\ntypedef int not_empty;\n${lines}\n")
        list(APPEND sources "${source}")
    endforeach()
    add_library(${name} OBJECT ${sources})
    target_compile_features(${name} PRIVATE ${standard})
    target_compile_options(${name} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
    target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/include")
    target_link_libraries(${name} PRIVATE ${runtimes})
    set_property(GLOBAL APPEND PROPERTY tiletc_interface_tests ${name})
endfunction()

tiletc_header_library(headers_in_c c_std_11 c "*/*.h")
tiletc_header_library(headers_in_cpp17 cxx_std_17 cpp "*/*.h*")
tiletc_header_library(headers_in_cpp20 cxx_std_20 cpp "*/*.h*")

# A program that is linked to the static library says so as it did with tinytc, and nothing is marked as exported.
set(static "#include <tiletc/tiletc.h>" "#define TEXT_(X) #X" "#define TEXT(X) TEXT_(X)"
    "typedef char is_static[sizeof(TEXT(TILETC_EXPORT)) == 1 ? 1 : -1]$<SEMICOLON>")
tiletc_header_library(headers_static_c c_std_11 c "tinytc/*.h" ${static})
tiletc_header_library(headers_static_cpp cxx_std_17 cpp "tinytc/*.hpp" ${static})
foreach(library IN ITEMS headers_static_c headers_static_cpp)
    target_compile_definitions(${library} PRIVATE TINYTC_STATIC_DEFINE)
endforeach()

# What is built and thrown away leaves nothing behind. The libraries need not be instrumented for
# this: memory they forget counts too.
set(CMAKE_REQUIRED_FLAGS "-fsanitize=address")
check_cxx_source_runs("int main() { return 0; }" TILETC_HAS_ADDRESS_SANITIZER)
unset(CMAKE_REQUIRED_FLAGS)
set(example "${PROJECT_SOURCE_DIR}/cpp-examples/builder_c")
set(sources_builder_c "${example}/main.c" "${example}/kernel.c" "${example}/options.c")
set(arguments_builder_c --output "${CMAKE_CURRENT_BINARY_DIR}/leaks.spv")
foreach(test IN ITEMS handles builder region_builder creators)
    set(sources_${test} ${test}.cpp)
endforeach()
foreach(test IN ITEMS handles builder region_builder creators builder_c)
    if(TILETC_HAS_ADDRESS_SANITIZER)
        tiletc_test(${test}_leaks "${sources_${test}}" cxx_std_17 tiletc::tiletc
            ${arguments_${test}})
        target_compile_options(test_${test}_leaks PRIVATE -fsanitize=address -O0)
        target_link_options(test_${test}_leaks PRIVATE -fsanitize=address)
    else()
        tiletc_skipped_test(${test}_leaks "the compiler has no address sanitizer")
    endif()
endforeach()

# The same with clang, in a build of its own.
get_property(interface_tests GLOBAL PROPERTY tiletc_interface_tests)
add_custom_target(interface_tests DEPENDS ${interface_tests})
find_program(TILETC_CLANG clang)
find_program(TILETC_CLANGXX clang++)
mark_as_advanced(TILETC_CLANG TILETC_CLANGXX)
if(NOT TILETC_CLANG OR NOT TILETC_CLANGXX)
    tiletc_skipped_test(clang "clang and clang++ were not found")
elseif(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    add_test(NAME clang COMMAND "${CMAKE_COMMAND}"
        "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}" "-DBUILD_DIR=${CMAKE_CURRENT_BINARY_DIR}/clang"
        "-DGENERATOR=${CMAKE_GENERATOR}" "-DMAKE_PROGRAM=${CMAKE_MAKE_PROGRAM}"
        "-DC_COMPILER=${TILETC_CLANG}" "-DCXX_COMPILER=${TILETC_CLANGXX}"
        "-DCTEST=${CMAKE_CTEST_COMMAND}" "-DLIBRARY_DIR=${tiletc_cargo_dir}"
        "-DINTEL_ROOT=${SYCLRuntime_ROOT_DIR}"
        -P "${CMAKE_CURRENT_SOURCE_DIR}/clang.cmake")
    tiletc_set_test_properties(clang)
    set_tests_properties(clang PROPERTIES TIMEOUT 1200)
endif()
