# SPDX-License-Identifier: BSD-3-Clause

# The targets of tiletc, in its own build and in an installation alike.

include_guard(GLOBAL)
cmake_policy(VERSION 3.22)

# tiletc_add_targets(<folder of headers> <folder of libraries>)
#
#   tiletc::tiletc         the compiler, as a shared library
#   tiletc::tiletc_static  the same as a static library
#   tiletc::opencl         tiletc with OpenCL, if OpenCL is found
#   tiletc::sycl           tiletc with OpenCL and SYCL, if both are found
#
# TILETC_INTEL_ROOT names the prefix in which SYCL and OpenCL are looked for first.
function(tiletc_add_targets include_dir library_dir)
    find_package(Threads QUIET REQUIRED)

    add_library(tiletc::tiletc SHARED IMPORTED)
    set_target_properties(tiletc::tiletc PROPERTIES
        IMPORTED_LOCATION "${library_dir}/libtiletc.so"
        INTERFACE_INCLUDE_DIRECTORIES "${include_dir}")

    add_library(tiletc::tiletc_static STATIC IMPORTED)
    set_target_properties(tiletc::tiletc_static PROPERTIES
        IMPORTED_LOCATION "${library_dir}/libtiletc.a"
        INTERFACE_COMPILE_DEFINITIONS TILETC_STATIC_DEFINE
        INTERFACE_INCLUDE_DIRECTORIES "${include_dir}"
        INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};m")

    find_package(SYCLRuntime QUIET)
    if(NOT DEFINED OpenCL_ROOT AND SYCLRuntime_FOUND)
        set(OpenCL_ROOT "${SYCLRuntime_ROOT_DIR}")
    endif()
    find_package(OpenCL QUIET)

    if(OpenCL_FOUND)
        add_library(tiletc::opencl INTERFACE IMPORTED)
        set_target_properties(tiletc::opencl PROPERTIES
            INTERFACE_LINK_LIBRARIES "tiletc::tiletc;OpenCL::OpenCL")
    endif()
    if(OpenCL_FOUND AND SYCLRuntime_FOUND)
        add_library(tiletc::sycl INTERFACE IMPORTED)
        set_target_properties(tiletc::sycl PROPERTIES
            INTERFACE_LINK_LIBRARIES "tiletc::opencl;SYCLRuntime::sycl")
    endif()

    set(SYCLRuntime_ROOT_DIR "${SYCLRuntime_ROOT_DIR}" PARENT_SCOPE)
endfunction()
