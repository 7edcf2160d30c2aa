// SPDX-License-Identifier: BSD-3-Clause

#ifndef EXAMPLES_TILE_SESSION_HPP
#define EXAMPLES_TILE_SESSION_HPP

#include "command_line.hpp"
#include "device.hpp"
#include "kernel.hpp"
#include "progress.hpp"
#include "timing.hpp"
#include "usm_array.hpp"

#include <tiletc/tiletc_sycl.hpp>

#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <tuple>

/// Sizes of a product, or of the blocks that it is computed in.
struct product_sizes {
    std::int64_t m, n, k;

    auto to_string() const -> std::string {
        return std::to_string(m) + 'x' + std::to_string(n) + 'x' + std::to_string(k);
    }
    /// Definitions of $bm, $bn, and $bk, to stand in front of a text.
    auto definitions() const -> std::string {
        return "$bm = " + std::to_string(m) + " $bn = " + std::to_string(n) +
               " $bk = " + std::to_string(k) + ' ';
    }
    /// Blocks that cover the result of a product.
    auto rows_of(product_sizes const &product) const -> std::int64_t {
        return (product.m + m - 1) / m;
    }
    auto cols_of(product_sizes const &product) const -> std::int64_t {
        return (product.n + n - 1) / n;
    }
};

/// A product that is asked for.
struct product_request {
    product_sizes size;
    /// The first entries of matrices lie one number behind an aligned address.
    bool is_misaligned;

    auto offset() const -> std::int64_t { return is_misaligned ? 1 : 0; }
    /// Definition of a name for the attribute that says where first entries lie.
    template <typename T> auto alignment(char const *name = "$align") const -> std::string {
        auto const bytes = is_misaligned ? sizeof(T) : usm_array<T>::alignment;
        return name + (" = {alignment=" + std::to_string(bytes)) + "} ";
    }
};

/// A request from a command line that has no options but `--size M N K`, `--misaligned` and what `other`
/// takes, which returns whether it did. Prints `help` and ends the program if that is asked for.
template <typename Other>
auto read_request(int argc, char **argv, char const *help, product_sizes size, Other const &other)
    -> product_request {
    auto is_misaligned = false;
    constexpr std::int64_t largest = 8192;
    auto line = command_line{argc, argv};
    while (line.next()) {
        if (line.is("-h", "--help")) {
            std::printf("Usage: %s\n\nIf no sizes are given, they are %s.\n", help,
                        size.to_string().c_str());
            std::exit(0);
        } else if (line.is("-s", "--size")) {
            size.m = line.number(1, largest);
            size.n = line.number(1, largest);
            size.k = line.number(0, largest);
        } else if (line.is("--misaligned")) {
            is_misaligned = true;
        } else if (!other(line)) {
            line.refuse();
        }
    }
    return {size, is_misaligned};
}
inline auto read_request(int argc, char **argv, char const *help, product_sizes size)
    -> product_request {
    return read_request(argc, argv, help, size, [](command_line const &) { return false; });
}

/// Choices of a command line besides the sizes of a product.
struct product_choices {
    std::int64_t number;
    std::string kernel_file;

    /// Takes an option with a number from 1 to `largest`, and `--kernel`, for `read_request`.
    auto reader(char const *short_name, char const *long_name, std::int64_t largest) {
        return [this, short_name, long_name, largest](command_line &line) {
            if (line.is(short_name, long_name)) {
                number = line.number(1, largest);
            } else if (line.is("--kernel")) {
                kernel_file = line.value();
            } else {
                return false;
            }
            return true;
        };
    }
};

/// A queue of SYCL's default device, and a table of what was computed there.
class tile_session {
  public:
    tile_session() {
        check_device<float>(queue_.get_device(), 0.0);
        print_device(queue_.get_device());
        std::printf("%-52s %10s %10s\n", "", "ms", "error");
    }

    auto queue() const -> sycl::queue const & { return queue_; }

    auto compile(std::string const &text, char const *kernel) -> compiled_kernel {
        status_line_.show("compiling");
        auto made = compile_text(text, kernel, queue_, status_line_);
        status_line_.clear();
        return made;
    }

    /// Compiles a kernel of a file, a template that `definitions` go in front of.
    auto compile_file(std::string const &file, std::string const &definitions, char const *kernel)
        -> compiled_kernel {
        status_line_.show("compiling");
        auto made = compile_template(file, definitions, kernel, queue_, status_line_);
        status_line_.clear();
        return made;
    }

    /// Runs a kernel with a tuple of arguments and returns the milliseconds. Strides that the text leaves
    /// open have it compiled for those of the arguments first.
    template <typename Arguments>
    auto launch(compiled_kernel const &made, std::int64_t groups_x, std::int64_t groups_y,
                Arguments const &arguments) -> double {
        auto const groups = sycl::range<3u>{1, static_cast<std::size_t>(groups_y),
                                            static_cast<std::size_t>(groups_x)};
        return std::apply(
            [&](auto const &...argument) {
                status_line_.show("compiling for these strides");
                tiletc::select_variant(made.kernel, argument...);
                status_line_.clear();
                auto const start = clock_type::now();
                tiletc::submit(queue_, made.kernel, groups, argument...).wait();
                return milliseconds_since(start);
            },
            arguments);
    }

    /// Prints a line of the table. The error is a fraction of what rounding allows.
    void report(std::string const &name, double milliseconds, double error) {
        report(name, milliseconds, error, error <= 1.0);
    }
    void report(std::string const &name, double milliseconds, double error, bool pass) {
        std::printf("%-52s %10.2f %10.2e %s\n", name.c_str(), milliseconds, error,
                    pass ? "PASS" : "FAIL");
        std::fflush(stdout);
        right_ = right_ && pass;
    }

    /// Prints whether all lines are right, and returns it.
    auto finish() const -> bool {
        std::printf("result %s\n", right_ ? "PASS" : "FAIL");
        return right_;
    }

  private:
    sycl::queue queue_;
    progress status_line_;
    bool right_ = true;
};

#endif // EXAMPLES_TILE_SESSION_HPP
