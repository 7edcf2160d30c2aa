// SPDX-License-Identifier: BSD-3-Clause

// Defines what was declared in the namespace, in a file that includes the headers only afterwards.

#include "parts.hpp"

#include <tinytc/tinytc.hpp>

auto tinytc::name_of(status code) -> std::string { return to_string(code); }

namespace tinytc::cmd {

class arg_parser {
  public:
    transpose t = transpose::T;
};

auto parser() -> arg_parser & {
    static auto parser = arg_parser{};
    return parser;
}

auto text_of(arg_parser const &parser) -> std::string { return to_string(parser.t); }

} // namespace tinytc::cmd
