# SPDX-License-Identifier: BSD-3-Clause

# The targets of tiletc, in its own build and in an installation alike.

include_guard(GLOBAL)
cmake_policy(VERSION 3.22)

# tiletc_add_targets(<folder of headers> <folder of libraries> [GLOBAL] LINKAGES <shared|static>...)
#
#   tiletc::tiletc       the compiler
#   tiletc::opencl       tiletc with OpenCL, if OpenCL is found
#   tiletc::level_zero   tiletc with Level Zero, if its header and loader are found
#   tiletc::sycl         tiletc with SYCL, if that is found
#
# use the shared library; the same names with _static behind use the static one. With GLOBAL, projects
# that add this one as a folder see them, too.
#
# TILETC_INTEL_ROOT, a variable of CMake or of the environment, names the prefix in which SYCL and OpenCL are looked for
# first.
function(tiletc_add_targets include_dir library_dir)
    cmake_parse_arguments(PARSE_ARGV 2 arg "GLOBAL" "" "LINKAGES")
    set(scope "")
    if(arg_GLOBAL)
        set(scope GLOBAL)
    endif()

    tiletc_find(Threads Threads::Threads "${scope}")
    tiletc_find(SYCLRuntime SYCLRuntime::sycl "${scope}")
    if(NOT DEFINED OpenCL_ROOT)
        set(OpenCL_ROOT ${SYCLRuntime_ROOT_DIR} ${TILETC_INTEL_ROOT} $ENV{TILETC_INTEL_ROOT})
    endif()
    tiletc_find(OpenCL OpenCL::OpenCL "${scope}")
    tiletc_find(LevelZero LevelZero::LevelZero "${scope}")

    foreach(linkage IN LISTS arg_LINKAGES)
        if(linkage STREQUAL "shared")
            set(suffix "")
            add_library(tiletc::tiletc SHARED IMPORTED ${scope})
            set_target_properties(tiletc::tiletc PROPERTIES
                IMPORTED_LOCATION "${library_dir}/libtiletc.so")
        else()
            set(suffix _static)
            add_library(tiletc::tiletc_static STATIC IMPORTED ${scope})
            set_target_properties(tiletc::tiletc_static PROPERTIES
                IMPORTED_LOCATION "${library_dir}/libtiletc.a"
                INTERFACE_COMPILE_DEFINITIONS TILETC_STATIC_DEFINE
                INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};m")
        endif()
        set_target_properties(tiletc::tiletc${suffix} PROPERTIES
            INTERFACE_INCLUDE_DIRECTORIES "${include_dir}")

        if(TARGET OpenCL::OpenCL)
            add_library(tiletc::opencl${suffix} INTERFACE IMPORTED ${scope})
            target_link_libraries(tiletc::opencl${suffix} INTERFACE
                tiletc::tiletc${suffix} OpenCL::OpenCL)
            tiletc_opencl_version(version)
            target_compile_definitions(tiletc::opencl${suffix} INTERFACE
                CL_TARGET_OPENCL_VERSION=${version})
        endif()
        if(TARGET LevelZero::LevelZero)
            add_library(tiletc::level_zero${suffix} INTERFACE IMPORTED ${scope})
            target_link_libraries(tiletc::level_zero${suffix} INTERFACE
                tiletc::tiletc${suffix} LevelZero::LevelZero)
        endif()
        if(TARGET SYCLRuntime::sycl)
            add_library(tiletc::sycl${suffix} INTERFACE IMPORTED ${scope})
            target_link_libraries(tiletc::sycl${suffix} INTERFACE
                tiletc::tiletc${suffix} SYCLRuntime::sycl)
        endif()
    endforeach()

    set(SYCLRuntime_ROOT_DIR "${SYCLRuntime_ROOT_DIR}" PARENT_SCOPE)
endfunction()

# tiletc_reason(<variable> <opencl|level_zero|sycl>): why there is no such target, and what would change that
function(tiletc_reason variable runtime)
    set(reason_of_opencl "OpenCL was not found (CL/cl.h and libOpenCL): install its headers and its loader, or set \
OpenCL_ROOT to their prefix")
    set(reason_of_level_zero "Level Zero was not found (level_zero/ze_api.h and libze_loader): install its headers and \
its loader, or set LevelZero_ROOT to their prefix")
    set(reason_of_sycl "no SYCL runtime was found (sycl/sycl.hpp, CL/cl.h and libsycl): activate oneAPI, or set \
TILETC_INTEL_ROOT, here or in the environment, to the prefix of Intel's runtime")
    if(SYCLRuntime_INCLUDE_DIR AND NOT SYCLRuntime_OPENCL_INCLUDE_DIR)
        set(reason_of_sycl "a SYCL runtime was found, but not the header of OpenCL, CL/cl.h: install it, or set \
OpenCL_ROOT to its prefix")
    endif()
    set(${variable} "${reason_of_${runtime}}" PARENT_SCOPE)
endfunction()

# Finds a package if it is there. A target that does not yet exist gets the scope of ours, which are of
# no use where it is unknown.
macro(tiletc_find package target scope)
    if(TARGET ${target})
        set(tiletc_is_known TRUE)
    else()
        set(tiletc_is_known FALSE)
    endif()
    find_package(${package} QUIET)
    if(TARGET ${target} AND NOT tiletc_is_known AND "${scope}" STREQUAL "GLOBAL")
        set_target_properties(${target} PROPERTIES IMPORTED_GLOBAL TRUE)
    endif()
endmacro()

# The newest version that the headers of OpenCL describe, as they want it: 300 for 3.0.
function(tiletc_opencl_version variable)
    set(version 300)
    if(OpenCL_VERSION_STRING MATCHES "^([0-9]+)\\.([0-9]+)")
        set(version "${CMAKE_MATCH_1}${CMAKE_MATCH_2}0")
    endif()
    set(${variable} "${version}" PARENT_SCOPE)
endfunction()
