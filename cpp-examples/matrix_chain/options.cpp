// SPDX-License-Identifier: BSD-3-Clause

#include "options.hpp"

#include "command_line.hpp"

#include <limits>

auto parse_options(int argc, char const *const *argv) -> options {
    auto opts = options{};
    auto line = command_line{argc, argv};
    while (line.next()) {
        if (line.is("-h", "--help")) {
            opts.help = true;
        } else if (line.is("-e", "--elements")) {
            opts.elements = line.number(1, std::numeric_limits<std::int32_t>::max());
        } else if (line.is("-n", "--steps")) {
            opts.steps = static_cast<int>(line.number(1, 1000000));
        } else if (line.is("-f", "--precision")) {
            using precision = options::precision;
            opts.number =
                line.choice<precision>({{"f32", precision::f32}, {"f64", precision::f64}});
        } else if (line.is("--kernel")) {
            opts.kernel_file = line.value();
        } else {
            line.refuse();
        }
    }
    return opts;
}

auto options_text() -> char const * {
    return R"(Options:
  -e, --elements E    number of matrices E (default 50000)
  -n, --steps N       number of steps (default 20)
  -f, --precision F   f32 or f64 (default f32)
      --kernel FILE   program with the function @fused_kernel (default: that of
                      fused_kernel.ir or fused_kernel_f64.ir, a part of this program)
  -h, --help          this text

The device is SYCL's default, a GPU before a CPU; the environment variable
ONEAPI_DEVICE_SELECTOR chooses another one.

Exit code: 0 all results are right, 1 a result is wrong or the run failed,
2 wrong usage.
)";
}
