// SPDX-License-Identifier: BSD-3-Clause

#include <tinytc/tinytc_ze.hpp>

int main() {
    auto prog = tinytc::parse_string("func @f(%a: i32) {\n}\n");
    try {
        // The wrapper of the bundle calls the loader that the target brings.
        tinytc::create_kernel_bundle(ze_context_handle_t{}, ze_device_handle_t{}, prog.get());
    } catch (tinytc::status const &st) {
        return st == tinytc::status::invalid_arguments ? 0 : 1;
    }
    return 1;
}
