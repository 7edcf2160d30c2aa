// SPDX-License-Identifier: BSD-3-Clause

#include "options.hpp"

auto parse_options(int argc, char const *const *argv) -> options {
    constexpr std::int64_t largest = 1024;
    auto opts = options{};
    auto line = command_line{argc, argv};
    while (line.next()) {
        if (line.is("-s", "--small")) {
            auto factor = small_factor{};
            factor.N = line.number(1, largest);
            factor.K = line.number(1, largest);
            opts.factors.push_back(factor);
        } else if (line.is("-m", "--rows")) {
            opts.rows = line.number(1, 1 << 26);
        } else if (line.is("--block")) {
            opts.block = static_cast<std::int32_t>(line.number(1, 1 << 20));
        } else if (line.is("--specialised")) {
            opts.specialised = true;
        } else {
            opts.read(line);
        }
    }
    if (opts.factors.empty()) {
        opts.factors = {{9, 9}, {16, 16}, {32, 16}, {64, 64}, {9, 56}};
    }
    return opts;
}

auto help_text() -> char const * {
    return R"(Usage: tall_and_skinny [options]

Multiplies a matrix with many rows and a small one, C = A B with A M x K and B K x N, with
the recipe of tiletc, checks every result against products with more digits, and prints
the arithmetic per second.

Options:
  -m, --rows M         rows of A and C (default 100003)
  -s, --small N K      size of B; may be given more than once
                       (default: 9 9, 16 16, 32 16, 64 64, 9 56)
      --block ROWS     rows of a work-group (default: what the compiler suggests)
      --specialised    tell the recipe M and the leading dimensions, too
  -f, --precision F    f32, f64 or both (default both)
  -n, --runs N         how often each is timed; the median counts (default 11)
      --mkl FILE       compare with gemm of this libmkl_rt.so
  -h, --help           this text

The device is SYCL's default, a GPU before a CPU; the environment variable
ONEAPI_DEVICE_SELECTOR chooses another one.

Exit code: 0 all results are right, 1 a result is wrong or the run failed,
2 wrong usage.
)";
}
