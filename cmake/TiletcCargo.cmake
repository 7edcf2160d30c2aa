# SPDX-License-Identifier: BSD-3-Clause

# Where the Rust library comes from: a folder the user names, or a build by cargo.
#
# Sets tiletc_library_dir, and makes the target tiletc_cargo if cargo has work to do.

if(TILETC_LIBRARY_DIR)
    if(NOT EXISTS "${TILETC_LIBRARY_DIR}/libtiletc.so")
        message(FATAL_ERROR "There is no libtiletc.so in TILETC_LIBRARY_DIR (${TILETC_LIBRARY_DIR})")
    endif()
    set(tiletc_library_dir "${TILETC_LIBRARY_DIR}")
    return()
endif()

find_program(TILETC_CARGO cargo HINTS "$ENV{CARGO_HOME}/bin" "$ENV{HOME}/.cargo/bin")
if(NOT TILETC_CARGO)
    message(FATAL_ERROR "cargo was not found. Install Rust, or set TILETC_LIBRARY_DIR to a folder "
        "with libtiletc.so and libtiletc.a")
endif()

set(tiletc_library_dir "${PROJECT_BINARY_DIR}/cargo/release")
# Cargo knows best what has changed, so it is always asked.
add_custom_target(tiletc_cargo ALL
    COMMAND "${TILETC_CARGO}" build --release --locked --package tiletc
        --target-dir "${PROJECT_BINARY_DIR}/cargo"
    BYPRODUCTS "${tiletc_library_dir}/libtiletc.so" "${tiletc_library_dir}/libtiletc.a"
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    COMMENT "Building libtiletc with cargo"
    USES_TERMINAL
    VERBATIM)
