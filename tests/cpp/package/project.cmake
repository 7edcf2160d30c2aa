# SPDX-License-Identifier: BSD-3-Clause

# Configures and builds the project SOURCE against the installation in PREFIX, and runs its programs:
# RUN lists them as `program[!soname][ argument]...`, separated by `|`, where the soname is that of the
# libtiletc which the program has to look for, or none. If VIRTUAL_GPU names a folder with a loader for the
# virtual GPU, they use SYCL, run there as well, and say what they have run on.

cmake_minimum_required(VERSION 3.22)

if(MISSING)
    message("skipped: ${MISSING} was not found")
    return()
endif()

include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

file(REMOVE_RECURSE "${WORK_DIR}")
set(definitions "")
foreach(name IN ITEMS PACKAGE LINKAGE LEVEL_ZERO VERSION TILETC LIBRARIES)
    if(DEFINED ${name})
        list(APPEND definitions "-D${name}=${${name}}")
    endif()
endforeach()
if(LEVEL_ZERO)
    list(APPEND definitions "-DLevelZero_ROOT=${LEVEL_ZERO}")
endif()
configure("${SOURCE}" "${WORK_DIR}" "-DCMAKE_PREFIX_PATH=${PREFIX}" -DCMAKE_BUILD_TYPE=Debug
    ${definitions})
run("${CMAKE_COMMAND}" --build "${WORK_DIR}")
if(INSTALL_TO)
    run("${CMAKE_COMMAND}" --install "${WORK_DIR}" --prefix "${INSTALL_TO}")
endif()

string(REPLACE "|" ";" programs "${RUN}")
foreach(program IN LISTS programs)
    separate_arguments(words UNIX_COMMAND "${program}")
    list(POP_FRONT words name)
    string(REPLACE "!" ";" name "${name}")
    list(POP_FRONT name file)
    if(name)
        check_needed("${WORK_DIR}/${file}" "${name}")
    endif()
    run("${WORK_DIR}/${file}" ${words})
    if(VIRTUAL_GPU)
        run_on_virtual_gpu("${WORK_DIR}/${file}" ${words})
    endif()
endforeach()
