// SPDX-License-Identifier: BSD-3-Clause

#include "options.hpp"

#include "command_line.hpp"

#include <charconv>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

namespace {

/// Matrices there may be, and rows or columns of one.
constexpr std::size_t most_matrices = 8;
constexpr std::int64_t most_rows = 1024;

/// Reads `20x35x9`.
auto read_sizes(std::string_view text) -> std::vector<std::int64_t> {
    auto sizes = std::vector<std::int64_t>{};
    auto const *at = text.data();
    auto const *const end = at + text.size();
    for (bool more = true; more;) {
        std::int64_t size = 0;
        auto const [rest, error] = std::from_chars(at, end, size);
        more = rest != end && *rest == 'x';
        if (error != std::errc{} || size < 1 || size > most_rows || (!more && rest != end)) {
            sizes.clear();
            break;
        }
        sizes.push_back(size);
        at = rest + 1;
    }
    if (sizes.size() < 3 || sizes.size() > most_matrices + 1) {
        throw usage_error("--sizes needs 3 to " + std::to_string(most_matrices + 1) +
                          " sizes from 1 to " + std::to_string(most_rows) +
                          ", like 20x35x9, not '" + std::string(text) + "'");
    }
    return sizes;
}

} // namespace

auto parse_options(int argc, char const *const *argv) -> options {
    using precision = options::precision;
    auto opts = options{};
    auto line = command_line{argc, argv};
    while (line.next()) {
        if (line.is("-h", "--help")) {
            opts.help = true;
        } else if (line.is("-s", "--sizes")) {
            opts.sizes = read_sizes(line.value());
        } else if (line.is("-e", "--elements")) {
            opts.elements = line.number(1, std::numeric_limits<std::int32_t>::max());
        } else if (line.is("-n", "--steps")) {
            opts.steps = static_cast<int>(line.number(1, 1000000));
        } else if (line.is("-f", "--precision")) {
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
    return R"(Usage: jit [options]

Writes a kernel for Q_e <- Q_e + X_1e X_2e ... X_ne with matrices of the given sizes, compiles
it with tiletc, runs it for all elements e a number of times, and checks every Q_e on the host
in higher precision.

Options:
  -s, --sizes D0xD1x... sizes: X_1 is D0 x D1, X_2 is D1 x D2, and so on; two matrices or more
                        (default 20x35x9x9)
  -e, --elements E      number of elements (default 10000)
  -n, --steps N         number of steps (default 10)
  -f, --precision F     f32 or f64 (default f32)
  -p, --print           print the kernel
  -h, --help            this text

The device is SYCL's default, a GPU before a CPU; the environment variable
ONEAPI_DEVICE_SELECTOR chooses another one.

Exit code: 0 all results are right, 1 a result is wrong or the run failed,
2 wrong usage.
)";
}
