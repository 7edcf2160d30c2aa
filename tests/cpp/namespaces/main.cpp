// SPDX-License-Identifier: BSD-3-Clause

// A program made of files for tinytc, files for tiletc, and files for both. What one has parsed the
// others print.

#include "../check.h"
#include "parts.hpp"

#include <tinytc/tinytc.h>

int main() {
    CHECK(text_of(tinytc::cmd::parser()) == "t");
    parse_function const parse[] = {interleaved::parse, of_tiletc::parse,    of_tinytc::parse,
                                    selected::parse,    tiletc_first::parse, tinytc_first::parse};
    print_function const print[] = {interleaved::print, of_tiletc::print,    of_tinytc::print,
                                    selected::print,    tiletc_first::print, tinytc_first::print};
    for (auto const parse_one : parse) {
        auto *const prog = parse_one("func @f(%a: i32) {\n}\n");
        CHECK(is_valid_in_c(prog));
        for (auto const print_one : print) {
            CHECK(print_one(prog) == "func @f(%a: i32) {\n}\n");
        }
        CHECK(tinytc_prog_release(prog) == tinytc_status_success);
    }
    return check_result();
}
