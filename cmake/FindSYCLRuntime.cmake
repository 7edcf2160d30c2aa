# SPDX-License-Identifier: BSD-3-Clause

# Finds the headers and the library of Intel's SYCL runtime, for programs that need no SYCL compiler. Its headers
# include that of OpenCL, which comes with them or is looked for in OpenCL_ROOT.
#
# Looked for in TILETC_INTEL_ROOT, a variable of CMake or of the environment, in the active oneAPI (CMPLR_ROOT,
# ONEAPI_ROOT), around an icpx that is the compiler or on the PATH, and where CMake looks anyway.
#
#   SYCLRuntime_FOUND     whether it was found
#   SYCLRuntime_ROOT_DIR  its prefix
#   SYCLRuntime::sycl     target to link

set(syclruntime_hints ${TILETC_INTEL_ROOT} $ENV{TILETC_INTEL_ROOT} $ENV{CMPLR_ROOT})
if(DEFINED ENV{ONEAPI_ROOT})
    list(APPEND syclruntime_hints "$ENV{ONEAPI_ROOT}/compiler/latest" "$ENV{ONEAPI_ROOT}")
endif()
get_filename_component(syclruntime_compiler "${CMAKE_CXX_COMPILER}" DIRECTORY)
find_program(SYCLRuntime_ICPX icpx HINTS "${syclruntime_compiler}")
mark_as_advanced(SYCLRuntime_ICPX)
if(SYCLRuntime_ICPX)
    get_filename_component(syclruntime_bin "${SYCLRuntime_ICPX}" REALPATH)
    get_filename_component(syclruntime_bin "${syclruntime_bin}" DIRECTORY)
    list(APPEND syclruntime_hints "${syclruntime_bin}/..")
endif()

find_path(SYCLRuntime_INCLUDE_DIR sycl/sycl.hpp HINTS ${syclruntime_hints} PATH_SUFFIXES include)
find_library(SYCLRuntime_LIBRARY sycl HINTS ${syclruntime_hints} PATH_SUFFIXES lib)
find_path(SYCLRuntime_OPENCL_INCLUDE_DIR CL/cl.h
    HINTS ${SYCLRuntime_INCLUDE_DIR} ${OpenCL_ROOT} $ENV{OpenCL_ROOT} PATH_SUFFIXES include)
mark_as_advanced(SYCLRuntime_INCLUDE_DIR SYCLRuntime_LIBRARY SYCLRuntime_OPENCL_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SYCLRuntime
    REQUIRED_VARS SYCLRuntime_LIBRARY SYCLRuntime_INCLUDE_DIR SYCLRuntime_OPENCL_INCLUDE_DIR)

if(SYCLRuntime_FOUND)
    get_filename_component(SYCLRuntime_ROOT_DIR "${SYCLRuntime_INCLUDE_DIR}" DIRECTORY)
    if(NOT TARGET SYCLRuntime::sycl)
        add_library(SYCLRuntime::sycl SHARED IMPORTED)
        set_target_properties(SYCLRuntime::sycl PROPERTIES
            IMPORTED_LOCATION "${SYCLRuntime_LIBRARY}"
            INTERFACE_INCLUDE_DIRECTORIES
            "${SYCLRuntime_INCLUDE_DIR};${SYCLRuntime_OPENCL_INCLUDE_DIR}"
            # Host code needs no SYCL compiler, whatever the headers would rather see.
            INTERFACE_COMPILE_DEFINITIONS SYCL_DISABLE_FSYCL_SYCLHPP_WARNING
            INTERFACE_COMPILE_FEATURES cxx_std_17)
    endif()
endif()
