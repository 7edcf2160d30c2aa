# SPDX-License-Identifier: BSD-3-Clause

# Where the Rust library comes from: a folder the user names, or a build by cargo.
#
# Sets tiletc_cargo_dir, the folder with cargo's output, and tiletc_link_dir, the folder with the same
# libraries under the names that linkers and loaders look for. Makes the target tiletc_cargo if cargo
# has work to do.

if(TILETC_LIBRARY_DIR)
    if(NOT EXISTS "${TILETC_LIBRARY_DIR}/libtiletc.so")
        message(FATAL_ERROR "There is no libtiletc.so in TILETC_LIBRARY_DIR (${TILETC_LIBRARY_DIR})")
    endif()
    get_filename_component(tiletc_cargo_dir "${TILETC_LIBRARY_DIR}" ABSOLUTE)
else()
    find_program(TILETC_CARGO cargo HINTS "$ENV{CARGO_HOME}/bin" "$ENV{HOME}/.cargo/bin")
    if(NOT TILETC_CARGO)
        message(FATAL_ERROR "cargo was not found. Install Rust, or set TILETC_LIBRARY_DIR to a "
            "folder with libtiletc.so and libtiletc.a")
    endif()
    # What `cargo xtask` has built is not built again, and the other way round. A project that
    # adds this one as a folder has its own place for everything.
    set(tiletc_target_dir "${PROJECT_BINARY_DIR}/cargo")
    if(PROJECT_IS_TOP_LEVEL)
        execute_process(COMMAND "${TILETC_CARGO}" metadata --no-deps --offline --format-version 1
            WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
            OUTPUT_VARIABLE tiletc_metadata
            COMMAND_ERROR_IS_FATAL ANY)
        string(JSON tiletc_target_dir GET "${tiletc_metadata}" target_directory)
    endif()
    set(TILETC_CARGO_TARGET_DIR "${tiletc_target_dir}" CACHE PATH "Folder that cargo builds into")
    set(tiletc_cargo_dir "${TILETC_CARGO_TARGET_DIR}/dist")
    # No folder of this machine gets into what is built (xtask/src/paths.rs has the same flags).
    set(tiletc_cargo_home "$ENV{CARGO_HOME}")
    if(NOT tiletc_cargo_home)
        set(tiletc_cargo_home "$ENV{HOME}/.cargo")
    endif()
    set(tiletc_flags "")
    foreach(folder IN ITEMS "${PROJECT_SOURCE_DIR}=/tiletc" "${tiletc_cargo_home}=/cargo"
            "${TILETC_CARGO_TARGET_DIR}=/target")
        list(APPEND tiletc_flags "'--remap-path-prefix=${folder}'")
    endforeach()
    list(JOIN tiletc_flags "," tiletc_flags)
    # Cargo knows best what has changed, so it is always asked.
    add_custom_target(tiletc_cargo ALL
        COMMAND "${TILETC_CARGO}" build --profile dist --locked
            --package tiletc --package tiletc-tools --package virtual-xe-level-zero
            --target-dir "${TILETC_CARGO_TARGET_DIR}" --config "build.rustflags=[${tiletc_flags}]"
        BYPRODUCTS "${PROJECT_BINARY_DIR}/lib/libtiletc.so" "${PROJECT_BINARY_DIR}/lib/libtiletc.a"
            "${tiletc_cargo_dir}/tiletc"
        WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
        COMMENT "Building libtiletc with cargo"
        USES_TERMINAL
        VERBATIM)
endif()

# Cargo names the library without its version, the loader looks for the soname. Each minor version before 1.0 may
# change the interface (build.rs has the same rule).
set(tiletc_soname "libtiletc.so.${PROJECT_VERSION_MAJOR}")
if(PROJECT_VERSION_MAJOR EQUAL 0)
    string(APPEND tiletc_soname ".${PROJECT_VERSION_MINOR}")
endif()
set(tiletc_link_dir "${PROJECT_BINARY_DIR}/lib")
file(MAKE_DIRECTORY "${tiletc_link_dir}")
file(CREATE_LINK "${tiletc_cargo_dir}/libtiletc.so" "${tiletc_link_dir}/libtiletc.so.${PROJECT_VERSION}"
    SYMBOLIC)
file(CREATE_LINK "libtiletc.so.${PROJECT_VERSION}" "${tiletc_link_dir}/${tiletc_soname}" SYMBOLIC)
file(CREATE_LINK "${tiletc_soname}" "${tiletc_link_dir}/libtiletc.so" SYMBOLIC)
file(CREATE_LINK "${tiletc_cargo_dir}/libtiletc.a" "${tiletc_link_dir}/libtiletc.a" SYMBOLIC)
