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
        } else if (line.is("-b", "--order")) {
            opts.order = line.number(1, 100);
        } else if (line.is("-d", "--density")) {
            opts.percent = line.number(1, 100);
        } else if (line.is("-n", "--steps")) {
            opts.steps = static_cast<int>(line.number(1, 1000000));
        } else if (line.is("-f", "--precision")) {
            using precision = options::precision;
            opts.number =
                line.choice<precision>({{"f32", precision::f32}, {"f64", precision::f64}});
        } else if (line.is("-p", "--print")) {
            opts.print = true;
        } else {
            line.refuse();
        }
    }
    return opts;
}

auto help_text() -> char const * {
    return R"(Usage: builder_cpp [options]

Updates Q(:,:,e) <- Q(:,:,e) + S P(:,:,e) for all e with a kernel that was built for
the sparse matrix S: its entries are constants of the kernel, and what is zero leaves
no code. Every Q(:,:,e) is checked on the host in double precision.

Options:
  -e, --elements E    number of matrices E (default 20000)
  -b, --order B       order of S, and rows of P and Q (default 20)
  -d, --density D     percentage of the entries of S that are not zero (default 20)
  -n, --steps N       number of steps (default 20)
  -f, --precision F   f32 or f64 (default f32)
  -p, --print         print the program and do nothing else
  -h, --help          this text

The device is SYCL's default, a GPU before a CPU; the environment variable
ONEAPI_DEVICE_SELECTOR chooses another one.

Exit code: 0 all results are right, 1 a result is wrong or the run failed,
2 wrong usage.
)";
}
