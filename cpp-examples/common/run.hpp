// SPDX-License-Identifier: BSD-3-Clause

#ifndef EXAMPLES_RUN_HPP
#define EXAMPLES_RUN_HPP

#include "command_line.hpp"

#include <exception>
#include <iostream>

/// The exit code of a program that does `body`, which returns whether all results are right: 0 if
/// they are, 1 if not or if something failed, 2 for wrong usage.
template <typename Body> auto run(Body const &body) -> int {
    try {
        return body() ? 0 : 1;
    } catch (usage_error const &e) {
        std::cerr << "error: " << e.what() << "\nTry --help.\n";
        return 2;
    } catch (std::exception const &e) {
        std::cerr << "error: " << e.what() << '\n';
    }
    return 1;
}

#endif // EXAMPLES_RUN_HPP
