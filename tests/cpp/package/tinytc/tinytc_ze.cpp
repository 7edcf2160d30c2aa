// SPDX-License-Identifier: BSD-3-Clause

#include <tinytc/tinytc_ze.hpp>

int main() {
    auto prog = tinytc::parse_string("func @f(%a: i32) {\n}\n");
    try {
        // The wrapper of the bundle calls the loader that the target brings.
        tinytc::create_kernel_bundle(ze_context_handle_t{}, ze_device_handle_t{}, prog.get());
    } catch (tinytc::status const &st) {
        auto level = tinytc_support_level_none;
        return st == tinytc::status::invalid_arguments &&
                       tinytc_ze_get_support_level(nullptr, &level) == static_cast<int>(st)
                   ? 0
                   : 1;
    }
    return 1;
}
