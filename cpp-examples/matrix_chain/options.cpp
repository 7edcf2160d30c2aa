// SPDX-License-Identifier: BSD-3-Clause

#include "options.hpp"

#include <charconv>
#include <limits>
#include <string_view>
#include <system_error>

namespace {

/// A whole number from 1 to `max`, and nothing else.
auto parse_count(std::string_view option, std::string_view text, std::int64_t max) -> std::int64_t {
    std::int64_t count = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc{} || end != text.data() + text.size() || count < 1 || count > max) {
        throw usage_error(std::string(option) + " needs a whole number from 1 to " +
                          std::to_string(max) + ", not '" + std::string(text) + "'");
    }
    return count;
}

auto parse_precision(std::string_view option, std::string_view text) -> options::precision {
    if (text == "f32") {
        return options::precision::f32;
    }
    if (text == "f64") {
        return options::precision::f64;
    }
    throw usage_error(std::string(option) + " needs f32 or f64, not '" + std::string(text) + "'");
}

} // namespace

auto parse_options(int argc, char const *const *argv) -> options {
    auto opts = options{};
    for (int i = 1; i < argc; ++i) {
        std::string_view const option = argv[i];
        auto const value = [&]() -> std::string_view {
            if (i + 1 >= argc) {
                throw usage_error(std::string(option) + " needs a value");
            }
            return argv[++i];
        };

        if (option == "-h" || option == "--help") {
            opts.help = true;
        } else if (option == "-e" || option == "--elements") {
            opts.elements = parse_count(option, value(), std::numeric_limits<std::int32_t>::max());
        } else if (option == "-n" || option == "--steps") {
            opts.steps = static_cast<int>(parse_count(option, value(), 1000000));
        } else if (option == "-f" || option == "--precision") {
            opts.number = parse_precision(option, value());
        } else if (option == "--kernel") {
            opts.kernel_file = value();
        } else {
            throw usage_error("unknown argument '" + std::string(option) + "'");
        }
    }
    return opts;
}

auto help_text() -> char const * {
    return R"(Usage: matrix_chain [options]

Updates Q(:,:,e) <- Q(:,:,e) + K P(:,:,e) A_e for all e with a kernel compiled by
tiletc, a number of times, and checks every Q(:,:,e) on the host in double precision.

Options:
  -e, --elements E    number of matrices E (default 50000)
  -n, --steps N       number of steps (default 20)
  -f, --precision F   f32 or f64 (default f32)
      --kernel FILE   program with the function @fused_kernel (default: fused_kernel.ir
                      or fused_kernel_f64.ir next to this program)
  -h, --help          this text

The device is SYCL's default, a GPU before a CPU; the environment variable
ONEAPI_DEVICE_SELECTOR chooses another one.

Exit code: 0 all results are right, 1 a result is wrong or the run failed,
2 wrong usage.
)";
}
