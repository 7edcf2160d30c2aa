// SPDX-License-Identifier: BSD-3-Clause

// What the files of the program have for each other. No header of tiletc or tinytc comes with it,
// and it opens the namespace and names structures of its own accord.

#ifndef TILETC_TESTS_PARTS_HPP
#define TILETC_TESTS_PARTS_HPP

#include <string>

struct tinytc_prog;

namespace tinytc {

enum class status;

/// A function with a type of the headers, which all files call.
auto name_of(status) -> std::string;

} // namespace tinytc

namespace tinytc::cmd {

class arg_parser;
auto parser() -> arg_parser &;
auto text_of(arg_parser const &) -> std::string;

} // namespace tinytc::cmd

/// Interface of each file: the text of a program, and a program from a text, which the caller releases.
using print_function = auto (*)(tinytc_prog *prog) -> std::string;
using parse_function = auto (*)(char const *text) -> tinytc_prog *;

#define PART(name)                                                                                 \
    namespace name {                                                                               \
    auto print(tinytc_prog *prog) -> std::string;                                                  \
    auto parse(char const *text) -> tinytc_prog *;                                                 \
    }
PART(interleaved)
PART(of_tiletc)
PART(of_tinytc)
PART(selected)
PART(tiletc_first)
PART(tinytc_first)

extern "C" int is_valid_in_c(struct tinytc_prog *prog);

#endif // TILETC_TESTS_PARTS_HPP
