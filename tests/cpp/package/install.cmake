# SPDX-License-Identifier: BSD-3-Clause

# Installs tiletc from BUILD_DIR to PREFIX, by a detour: nothing in it may know where it was installed to.

cmake_minimum_required(VERSION 3.22)

include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

file(REMOVE_RECURSE "${WORK_DIR}" "${PREFIX}")
set(first "${WORK_DIR}/prefix")
# A second installation over the first is as good as one.
foreach(time RANGE 1)
    run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${first}")
endforeach()

# A packager collects the same files elsewhere first.
set(staged "${WORK_DIR}/staged")
set(ENV{DESTDIR} "${staged}")
run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix /opt/tiletc)
unset(ENV{DESTDIR})
file(GLOB_RECURSE installed LIST_DIRECTORIES false RELATIVE "${first}" "${first}/*")
file(GLOB_RECURSE collected LIST_DIRECTORIES false RELATIVE "${staged}/opt/tiletc" "${staged}/*")
if(NOT installed STREQUAL collected)
    message(FATAL_ERROR "installed: ${installed}\ncollected with DESTDIR: ${collected}")
endif()
file(REMOVE_RECURSE "${staged}")

# Nothing names a folder of this machine, not even the library, if it was built as packages are.
get_filename_component(profile "${LIBRARIES}" NAME)
if(profile STREQUAL "dist")
    get_filename_component(target "${LIBRARIES}" DIRECTORY)
    set(cargo_home "$ENV{CARGO_HOME}")
    if(NOT cargo_home)
        set(cargo_home "$ENV{HOME}/.cargo")
    endif()
    execute_process(COMMAND grep -rlF -e "${SOURCE}/" -e "${target}/" -e "${cargo_home}/" "${first}"
        OUTPUT_VARIABLE names RESULT_VARIABLE code)
    # 1 is grep's code for nothing found.
    if(NOT code EQUAL 1)
        message(FATAL_ERROR "these name ${SOURCE}, ${target} or ${cargo_home} (grep: ${code}):\n${names}")
    endif()
endif()
# The text files name no folder that was installed to.
foreach(name IN LISTS installed)
    if(name MATCHES "\\.(cmake|pc|h|hpp|txt)$")
        file(READ "${first}/${name}" text)
        string(FIND "${text}" "${WORK_DIR}" place)
        if(NOT place EQUAL -1)
            message(FATAL_ERROR "${name} names the prefix")
        endif()
    endif()
endforeach()

file(RENAME "${first}" "${PREFIX}")

# The library is found under its soname, and says it.
execute_process(COMMAND "${READELF}" -d "${PREFIX}/lib/${SONAME}" OUTPUT_VARIABLE dynamic
    COMMAND_ERROR_IS_FATAL ANY)
string(FIND "${dynamic}" "SONAME" place)
if(place EQUAL -1 OR NOT dynamic MATCHES "soname: \\[${SONAME}\\]")
    message(FATAL_ERROR "the library is not called ${SONAME}:\n${dynamic}")
endif()

# The tools run; by the names of tinytc's they keep its exit code of wrong usage.
file(WRITE "${WORK_DIR}/kernel.ir" "func @f(%a: i32) {\n}\n")
foreach(name IN ITEMS tiletc tinytc)
    run("${PREFIX}/bin/${name}" -S "${WORK_DIR}/kernel.ir")
    run("${PREFIX}/bin/${name}-opt" "${WORK_DIR}/kernel.ir")
endforeach()
foreach(tool IN ITEMS tiletc!2 tiletc-opt!2 tinytc!255 tinytc-opt!255 tinytc-cl-info!255
        tinytc-ze-info!255)
    string(REPLACE "!" ";" tool "${tool}")
    list(POP_FRONT tool name)
    execute_process(COMMAND "${PREFIX}/bin/${name}" --no-such-option
        RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET)
    if(NOT code EQUAL tool)
        message(FATAL_ERROR "${name}: wrong usage ends with ${code}, not ${tool}")
    endif()
endforeach()

# A debugger finds the file that the library names.
execute_process(COMMAND "${READELF}" --string-dump=.gnu_debuglink "${PREFIX}/lib/${SONAME}" OUTPUT_VARIABLE link
    COMMAND_ERROR_IS_FATAL ANY)
if(NOT link MATCHES "(libtiletc[^ \n]*\\.debug)" OR NOT EXISTS "${PREFIX}/lib/${CMAKE_MATCH_1}")
    message(FATAL_ERROR "the library's debug file is not installed:\n${link}")
endif()

# The virtual GPU runs what it is told to, and says how to use it.
execute_process(COMMAND "${PREFIX}/bin/tiletc-virtual-gpu" "${PREFIX}/bin/tiletc" run "${WORK_DIR}/kernel.ir"
    --device level_zero --arg 1 COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${PREFIX}/bin/tiletc-virtual-gpu" OUTPUT_VARIABLE usage COMMAND_ERROR_IS_FATAL ANY)
if(NOT usage MATCHES "^Usage: tiletc-virtual-gpu PROGRAM")
    message(FATAL_ERROR "tiletc-virtual-gpu says:\n${usage}")
endif()

foreach(name IN ITEMS share/doc/tiletc/LICENSE share/doc/tiletc/THIRD-PARTY-NOTICES.txt
        share/doc/tiletc/manual/from-tinytc.md share/man/man1/tiletc.1 share/man/man1/tiletc-run.1
        share/man/man1/tiletc-opt.1 share/bash-completion/completions/tiletc
        share/zsh/site-functions/_tiletc share/fish/vendor_completions.d/tiletc.fish)
    if(NOT EXISTS "${PREFIX}/${name}")
        message(FATAL_ERROR "${name} is not installed")
    endif()
endforeach()
