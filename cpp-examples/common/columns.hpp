// SPDX-License-Identifier: BSD-3-Clause

#ifndef EXAMPLES_COLUMNS_HPP
#define EXAMPLES_COLUMNS_HPP

#include "command_line.hpp"
#include "device.hpp"
#include "kernel.hpp"
#include "parallel.hpp"
#include "progress.hpp"
#include "random.hpp"
#include "timing.hpp"
#include "usm_array.hpp"

#include <tiletc/tiletc_sycl.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

/// Sizes of a kernel that computes each column of Y from that of X, and how often it runs.
struct column_request {
    std::int64_t rows = 1000, cols = 4096;
    int launches = 10;
    /// File with the kernel; empty: the one that lies next to the program.
    std::string kernel_file;
};

/// Reads the command line; prints what `help` says about the program and ends it if asked to.
inline auto read_column_request(int argc, char **argv, char const *help) -> column_request {
    auto request = column_request{};
    auto line = command_line{argc, argv};
    while (line.next()) {
        if (line.is("-h", "--help")) {
            std::printf("Usage: %s [--rows R] [--cols C] [--launches N] [--kernel FILE]\n\nR is at most "
                        "4096. If nothing is said, they are 1000, 4096 and 10, and the kernel lies "
                        "next to the program.\n",
                        help);
            std::exit(0);
        } else if (line.is("-r", "--rows")) {
            request.rows = line.number(1, 4096);
        } else if (line.is("-c", "--cols")) {
            request.cols = line.number(1, 1 << 24);
        } else if (line.is("-n", "--launches")) {
            request.launches = static_cast<int>(line.number(1, 1000000));
        } else if (line.is("--kernel")) {
            request.kernel_file = line.value();
        } else {
            line.refuse();
        }
    }
    return request;
}

/// The tile of a work-group that holds whole columns.
struct column_tile {
    std::int64_t rows, cols;

    /// The tile for columns of so many rows. Four columns share a line of what subgroups exchange;
    /// registers, and the nearest cache of a processor, hold one long one. As many subgroups as
    /// registers need have the same number of rows.
    column_tile(std::int64_t of, sycl::queue const &q)
        : cols{of <= (q.get_device().is_cpu() ? 512 : 1024) ? 4 : 1} {
        auto const multiple = std::int64_t{of <= 1024 ? 64 : 256};
        rows = (of + multiple - 1) / multiple * multiple;
    }

    /// The definitions in front of a kernel.
    auto definitions() const -> std::string {
        return "$rows = " + std::to_string(rows) + " $cols = " + std::to_string(cols);
    }

    /// Work-groups for so many columns.
    auto groups(std::int64_t columns) const -> sycl::range<3u> {
        return {1, 1, static_cast<std::size_t>((columns + cols - 1) / cols)};
    }
};

/// X, Y and a kernel between them.
class column_session {
  public:
    explicit column_session(column_request const &request)
        : request_{request}, X_{request.rows * request.cols, queue_},
          Y_{request.rows * request.cols, queue_} {
        auto const size = request.rows * request.cols;
        check_device<float>(queue_.get_device(), 2.0 * sizeof(float) * static_cast<double>(size));
        print_device(queue_.get_device());
        parallel_parts(size, [&](std::int64_t begin, std::int64_t end) {
            for (auto i = begin; i < end; ++i) {
                X_.get()[i] = static_cast<float>(random_number(0, i, 10.0));
                Y_.get()[i] = std::nanf("");
            }
        });
    }

    auto queue() const -> sycl::queue const & { return queue_; }
    auto X() const -> float const * { return X_.get(); }
    auto Y() const -> float const * { return Y_.get(); }

    /// Compiles a kernel for tiles that hold whole columns, and runs it with X, Y and what else it takes.
    template <typename... Others> void run(char const *name, Others const &...others) {
        auto const tile = column_tile{request_.rows, queue_};
        auto status_line = progress{};
        status_line.show("compiling the kernel");
        auto const file = request_.kernel_file.empty()
                              ? beside_program((std::string{name} + ".ir").c_str())
                              : request_.kernel_file;
        auto const compiled = compile_template(file, tile.definitions(), name, queue_, status_line);
        auto const [rows, cols] = std::pair{request_.rows, request_.cols};
        auto times = std::vector<double>{};
        for (int launch = 0; launch < request_.launches; ++launch) {
            auto const start = clock_type::now();
            tiletc::submit(queue_, compiled.kernel, tile.groups(cols), X_.get(), rows, cols, rows,
                           Y_.get(), rows, cols, rows, others...)
                .wait();
            times.push_back(milliseconds_since(start));
        }
        status_line.clear();
        auto const bytes = 2.0 * sizeof(float) * static_cast<double>(rows * cols);
        std::printf("%lld columns of %lld rows: %.3f ms (median), %.1f GB/s read and written\n",
                    static_cast<long long>(cols), static_cast<long long>(rows), median(times),
                    bytes / median(times) * 1e-6);
    }

    /// Prints the largest error as a fraction of what rounding allows, which `worst_of_column` returns of a
    /// column of X and of Y; true if it is at most 1.
    template <typename WorstOf> auto check(WorstOf const &worst_of_column) const -> bool {
        auto const worst = parallel_max(request_.cols, [&](std::int64_t column) {
            return worst_of_column(X() + column * request_.rows, Y() + column * request_.rows);
        });
        auto const pass = worst <= 1.0;
        std::printf("worst error %.2e of what rounding allows: %s\n", worst, pass ? "PASS" : "FAIL");
        return pass;
    }

  private:
    column_request request_;
    sycl::queue queue_;
    usm_array<float> X_, Y_;
};

#endif // EXAMPLES_COLUMNS_HPP
