// SPDX-License-Identifier: BSD-3-Clause

#include "options.hpp"

#include "command_line.hpp"

#include <limits>

auto parse_options(int argc, char const *const *argv) -> options {
    using precision = options::precision;
    auto opts = options{};
    auto line = command_line{argc, argv};
    while (line.next()) {
        if (line.is("-h", "--help")) {
            opts.help = true;
        } else if (line.is("-o", "--order")) {
            opts.orders = {static_cast<int>(line.number(2, 7))};
        } else if (line.is("-e", "--elements")) {
            opts.elements = line.number(1, std::numeric_limits<std::int32_t>::max());
        } else if (line.is("-n", "--steps")) {
            opts.steps = static_cast<int>(line.number(1, 1000000));
        } else if (line.is("-f", "--precision")) {
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

auto help_text() -> char const * {
    return R"(Usage: dg_volume [options]

Applies the volume kernel of a discontinuous Galerkin scheme with 9 quantities,
Q_e <- Q_e + sum_d K_d I_e A_de, to all elements, step by step, with a kernel compiled by
tiletc for each order, and checks every Q_e on the host in higher precision.

Options:
  -o, --order N       order of the scheme, 2 to 7 (default: one after the other)
  -e, --elements E    number of elements (default 10000)
  -n, --steps N       number of time steps (default 10)
  -f, --precision F   f32 or f64 (default f32)
      --kernel FILE   program with the function @volume (default: volume.ir next to this
                      program)
  -h, --help          this text

The device is SYCL's default, a GPU before a CPU; the environment variable
ONEAPI_DEVICE_SELECTOR chooses another one.

Exit code: 0 all results are right, 1 a result is wrong or the run failed,
2 wrong usage.
)";
}
