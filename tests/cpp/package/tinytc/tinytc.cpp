// SPDX-License-Identifier: BSD-3-Clause

#include <tinytc/tinytc.hpp>

#include <cstdio>

int main() {
    auto prog = tinytc::parse_string("func @f(%a: i32) {\n}\n");
    std::fputs(tinytc::print_to_string(prog.get()).get(), stdout);
    return tinytc_prog_dump(prog.get()) == tinytc_status_success ? 0 : 1;
}
