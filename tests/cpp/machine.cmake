# SPDX-License-Identifier: BSD-3-Clause

# The tests that depend on what the machine has installed, not on what the compiler makes of programs alone:
# `cargo xtask test --machine` builds the target machine_tests and runs what machine_tests.txt matches.

set(programs ader_dg builder_c headers_in_c headers_in_cpp17 level_zero_c matrix_chain matrix_chain_mpi opencl_c)
foreach(name IN ITEMS builder_c_leaks c_abi c_abi_static example_check leak level_zero_c level_zero_c_on_host
        level_zero_c_without level_zero_host native_handles opencl_host page_level_zero page_level_zero_on_host
        page_level_zero_without page_opencl page_sycl virtual_driver virtual_level_zero_c
        virtual_loader_version virtual_page_level_zero virtual_sycl_devices virtual_sycl_tiles)
    list(APPEND programs test_${name})
endforeach()
# They are installed.
foreach(library IN ITEMS tinytc tinytc_cl tinytc_ze tinytc_sycl)
    list(APPEND programs ${library}_shared ${library}_static)
endforeach()
add_custom_target(machine_tests)
foreach(program IN LISTS programs)
    if(TARGET ${program})
        add_dependencies(machine_tests ${program})
    endif()
endforeach()

# Of the packages' tests one builds every example once more.
set(packages built_once by_hand choices install level_zero native pkg_config subproject tinytc.* without_runtimes)
list(JOIN packages "|" packages)
set(names "(virtual_)?ader_dg_(cut|ranks_[a-z]+.*|(ranks|tiles)_2_.*)" "both_back_ends.*"
    "builder_c(_.*)?" "c_abi(_static)?" "example_.*" "expect_.*" level_zero
    "(virtual_)?level_zero_c.*" level_zero_host "(virtual_)?matrix_chain.*" "memcheck_(c_abi|leak|matrix_chain)"
    native_handles opencl "opencl_c_.*" opencl_host "package_(${packages})" "page_level_zero.*" page_opencl
    "(virtual_)?page_sycl" sycl "virtual_(driver|page_level_zero|real_loader).*" virtual_gpu "virtual_sycl_(devices|tiles.*)")
list(JOIN names "|" names)
file(WRITE "${PROJECT_BINARY_DIR}/machine_tests.txt" "^(${names})$")
