// SPDX-License-Identifier: BSD-3-Clause

#include "options.hpp"

auto parse_options(int argc, char const *const *argv) -> options {
    constexpr std::int64_t largest = 1024;
    auto opts = options{};
    auto line = command_line{argc, argv};
    while (line.next()) {
        if (line.is("-s", "--shape")) {
            auto shape = gemm_shape{};
            shape.M = line.number(1, largest);
            shape.N = line.number(1, largest);
            shape.K = line.number(1, largest);
            opts.shapes.push_back(shape);
        } else if (line.is("-b", "--batch")) {
            opts.howmany = line.number(1, 1 << 24);
        } else {
            opts.read(line);
        }
    }
    if (opts.shapes.empty()) {
        opts.shapes = {{8, 8, 8},    {16, 16, 16}, {32, 32, 32},
                       {64, 64, 64}, {56, 9, 56},  {128, 128, 128}};
    }
    return opts;
}

auto help_text() -> char const * {
    return R"(Usage: gemm_batched [options]

Multiplies many small matrices at once, C_i = A_i B_i, with the recipe of tiletc, checks
every result against products with more digits, and prints the arithmetic per second.

Options:
  -s, --shape M N K    sizes of the product; may be given more than once
                       (default: 8 8 8, 16 16 16, 32 32 32, 64 64 64, 56 9 56, 128 128 128)
  -f, --precision F    f32, f64 or both (default both)
  -b, --batch N        products of a launch (default: 0.2 GFLOP, and at most 256 MB)
  -n, --runs N         how often each is timed; the median counts (default 11)
      --mkl FILE       compare with this libmkl_rt.so: gemm_batch_strided, and the JIT GEMM
                       on as many threads as there are processors
  -h, --help           this text

The device is SYCL's default, a GPU before a CPU; the environment variable
ONEAPI_DEVICE_SELECTOR chooses another one.

Exit code: 0 all results are right, 1 a result is wrong or the run failed,
2 wrong usage.
)";
}
