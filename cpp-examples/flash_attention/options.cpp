// SPDX-License-Identifier: BSD-3-Clause

#include "options.hpp"

#include "command_line.hpp"

auto parse_options(int argc, char const *const *argv) -> options {
    using number_type = options::number_type;
    constexpr std::int64_t most = 1 << 24;
    auto opts = options{};
    auto line = command_line{argc, argv};
    while (line.next()) {
        if (line.is("-h", "--help")) {
            opts.help = true;
        } else if (line.is("-s", "--sequence")) {
            opts.length = line.number(1, most);
        } else if (line.is("-d", "--head-dim")) {
            opts.head_dim =
                line.choice<std::int64_t>({{"32", 32}, {"64", 64}, {"96", 96}, {"128", 128}});
        } else if (line.is("-b", "--batch")) {
            opts.batch = line.number(1, most);
        } else if (line.is("--heads")) {
            opts.heads = line.number(1, most);
        } else if (line.is("-g", "--group")) {
            opts.group = line.number(1, most);
        } else if (line.is("-c", "--causal")) {
            opts.causal = true;
        } else if (line.is("-t", "--type")) {
            opts.type = line.choice<number_type>({{"f32", number_type::f32},
                                                  {"f16", number_type::f16},
                                                  {"bf16", number_type::bf16}});
        } else if (line.is("-n", "--launches")) {
            opts.launches = static_cast<int>(line.number(1, 1000000));
        } else if (line.is("-r", "--rows")) {
            opts.rows = line.number(1, most);
        } else if (line.is("--kernel")) {
            opts.kernel_file = line.value();
        } else {
            line.refuse();
        }
    }
    if (opts.heads % opts.group != 0) {
        throw usage_error("--group needs a divisor of the number of heads");
    }
    return opts;
}

auto help_text() -> char const * {
    return R"(Usage: flash_attention [options]

Computes O = softmax(Q^T K / sqrt(D)) V for every head of a batch with a kernel compiled
by tiletc, and checks rows of O on the host in double precision.

Options:
  -s, --sequence L    queries and keys of a head (default 1024)
  -d, --head-dim D    32, 64, 96 or 128 (default 64)
  -b, --batch B       sequences (default 2)
      --heads H       heads of a sequence (default 8)
  -g, --group G       heads that share keys and values (default 1)
  -c, --causal        query i sees the keys 0, ..., i only
  -t, --type T        type of Q, K, V and O: f32, f16 or bf16 (default f32)
  -n, --launches N    how often it is computed (default 5)
  -r, --rows R        rows of O to check, spread over all heads (default 16384)
      --kernel FILE   program with the function @flash_attention (default: flash_attention.ir
                      next to this program)
  -h, --help          this text

The device is SYCL's default, a GPU before a CPU; the environment variable
ONEAPI_DEVICE_SELECTOR chooses another one.

Exit code: 0 all results are right, 1 a result is wrong or the run failed,
2 wrong usage.
)";
}
