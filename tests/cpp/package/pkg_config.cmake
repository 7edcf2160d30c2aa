# SPDX-License-Identifier: BSD-3-Clause

# Builds and runs the programs of SOURCE with what pkg-config says about the installation in PREFIX.

cmake_minimum_required(VERSION 3.22)

if(NOT PKG_CONFIG)
    message("skipped: there is no pkg-config")
    return()
endif()

include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

# ask(<variable> <argument>...)
function(ask variable)
    execute_process(COMMAND "${PKG_CONFIG}" ${ARGN} OUTPUT_VARIABLE answer
        OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(answer UNIX_COMMAND "${answer}")
    set(${variable} "${answer}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK_DIR}")
file(MAKE_DIRECTORY "${WORK_DIR}")

set(ENV{PKG_CONFIG_PATH} "${PREFIX}/lib/pkgconfig")
file(GLOB packages RELATIVE "${PREFIX}/lib/pkgconfig" "${PREFIX}/lib/pkgconfig/*.pc")
list(TRANSFORM packages REPLACE "\\.pc$" "")
foreach(name IN LISTS packages)
    set(expected 0.4.0)
    if(name STREQUAL "tiletc")
        set(expected "${VERSION}")
    endif()
    ask(answer --modversion ${name})
    if(NOT answer STREQUAL expected)
        message(FATAL_ERROR "${name} has the version ${answer}, not ${expected}")
    endif()
    # Each brings those that it needs.
    ask(flags --libs ${name})
    if(NOT "-l${name}" IN_LIST flags OR NOT -ltiletc IN_LIST flags)
        message(FATAL_ERROR "${name} means ${flags}")
    endif()
endforeach()
foreach(name IN ITEMS tinytc tinytc_cl tinytc_ze)
    if(NOT name IN_LIST packages)
        message(FATAL_ERROR "there is no ${name}, only ${packages}")
    endif()
endforeach()

# build(<name> <language standard> <source> <flag>...): the program is linked to libtiletc, and runs.
function(build name standard source)
    run("${CXX_COMPILER}" ${standard} "${SOURCE}/${source}" -o "${WORK_DIR}/${name}" ${ARGN}
        "-Wl,-rpath,${PREFIX}/lib")
    check_needed("${WORK_DIR}/${name}" "${SONAME}")
    run("${WORK_DIR}/${name}")
endfunction()
ask(flags --cflags --libs tiletc)
build(tiletc -std=c++17 native/main.cpp ${flags})
ask(flags --cflags --libs tinytc)
build(tinytc -std=c++17 tinytc/tinytc.cpp ${flags})
# The line that builds a program for tinytc names its library only.
build(plain -std=c++17 tinytc/tinytc.cpp "-I${PREFIX}/include" "-L${PREFIX}/lib" -ltinytc)
# One for SYCL names neither OpenCL nor Level Zero, whose loaders nobody may have to link to.
if("tinytc_sycl" IN_LIST packages)
    set(sycl -DSYCL_DISABLE_FSYCL_SYCLHPP_WARNING "-I${INTEL_ROOT}/include" "-L${INTEL_ROOT}/lib")
    ask(flags --cflags --libs tinytc_sycl)
    if(flags MATCHES "-lOpenCL|-lze_loader")
        message(FATAL_ERROR "tinytc_sycl means ${flags}")
    endif()
    build(tinytc_sycl -std=c++17 tinytc/tinytc_sycl.cpp ${sycl} ${flags})
    build(plain_sycl -std=c++17 tinytc/tinytc_sycl.cpp ${sycl} "-I${PREFIX}/include" "-L${PREFIX}/lib"
        -ltinytc_sycl -ltinytc -lsycl)
endif()

# Linkers prefer a shared library, so here is a prefix without. C++ brings libraries along that C does not.
set(static "${WORK_DIR}/prefix")
file(MAKE_DIRECTORY "${static}/lib")
file(CREATE_LINK "${PREFIX}/include" "${static}/include" SYMBOLIC)
foreach(name IN ITEMS tiletc tinytc)
    file(CREATE_LINK "${PREFIX}/lib/lib${name}.a" "${static}/lib/lib${name}.a" SYMBOLIC)
endforeach()
file(COPY "${PREFIX}/lib/pkgconfig" DESTINATION "${static}/lib")
set(ENV{PKG_CONFIG_PATH} "${static}/lib/pkgconfig")
ask(flags --static --cflags --libs tiletc)
run("${C_COMPILER}" -std=c11 "${SOURCE}/native/main.c" -o "${WORK_DIR}/static" ${flags})
check_needed("${WORK_DIR}/static" none)
run("${WORK_DIR}/static")
ask(flags --static --cflags --libs tinytc)
run("${CXX_COMPILER}" -std=c++17 "${SOURCE}/tinytc/tinytc.cpp" -o "${WORK_DIR}/tinytc_static" ${flags})
check_needed("${WORK_DIR}/tinytc_static" none)
run("${WORK_DIR}/tinytc_static")
