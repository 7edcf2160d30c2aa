// SPDX-License-Identifier: BSD-3-Clause

#include <tiletc/tiletc.hpp>
#include <tinytc/tinytc.hpp>

#include <cstdio>

int main() {
    auto prog = tiletc::parse_string("func @f(%a: i32) {\n}\n");
    std::fputs(tinytc::print_to_string(prog.get()).get(), stdout);
}
