// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// The fused matrix chain on several ranks: each has its part of the elements and a queue of its
/// own.

#include "chain.hpp"
#include "device.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "rank_device.hpp"
#include "world.hpp"

#include <sycl/sycl.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr char const *help_text =
    R"(Usage: mpirun -n RANKS matrix_chain_mpi [options]

Updates Q(:,:,e) <- Q(:,:,e) + K P(:,:,e) A_e for all e with a kernel compiled by
tiletc, a number of times, and checks every Q(:,:,e) on the host in double precision.
The elements are spread over the ranks. Ranks on one machine take its devices in turn.
)";

/// Measurements that a rank sends to the root; times in milliseconds.
struct rank_report {
    std::int64_t elements;
    double compile_time, step_time, worst_error;
    char device[64];
};

/// Prints what all ranks have told; true if every result is right.
template <typename T> auto print_reports(std::vector<rank_report> const &reports) -> bool {
    std::printf("\nrank  elements   compile ms      ms/step    GFLOP/s   worst error  device\n");
    std::int64_t elements = 0;
    double slowest = 0.0;
    bool pass = true;
    int rank = 0;
    for (auto const &r : reports) {
        std::printf("%4d %9lld %12.2f %12.3f %10.1f %13.2e  %s\n", rank++,
                    static_cast<long long>(r.elements), r.compile_time, r.step_time,
                    flops_per_step(r.elements) / r.step_time * 1e-6, r.worst_error, r.device);
        elements += r.elements;
        slowest = std::max(slowest, r.step_time);
        pass = r.worst_error <= tolerance<T> && pass;
    }
    std::printf("\ntime per step   %10.3f ms       median of the slowest rank\n", slowest);
    std::printf("performance     %10.1f GFLOP/s  all ranks\n",
                flops_per_step(elements) / slowest * 1e-6);
    std::printf("result          %s\n", pass ? "PASS" : "FAIL");
    return pass;
}

/// Runs this rank's part; true, on all ranks, if every result of every rank is right.
template <typename T> auto run_rank(options const &opts, world const &ranks) -> bool {
    auto const begin = ranks.begin(opts.elements, ranks.rank());
    auto const howmany = ranks.begin(opts.elements, ranks.rank() + 1) - begin;
    sycl::queue q = ranks.together([&] {
        auto const device = device_of_rank(ranks).device;
        check_device<T>(device, problem<T>::bytes_needed(howmany));
        return sycl::queue{device};
    });
    if (ranks.is_root()) {
        std::printf("problem         E = %lld on %d rank%s, %d step%s, %s\n",
                    static_cast<long long>(opts.elements), ranks.size(),
                    ranks.size() == 1 ? "" : "s", opts.steps, opts.steps == 1 ? "" : "s",
                    type_name<T>());
        std::fflush(stdout);
    }
    auto status_line = progress{};
    auto const result =
        run_time_loop<T>(opts, begin, howmany, q, status_line, [&] { ranks.barrier(); });

    auto report = rank_report{};
    report.elements = howmany;
    report.compile_time = result.compile_time;
    report.step_time = median(result.step_times);
    report.worst_error = result.worst_error;
    auto const name = q.get_device().get_info<sycl::info::device::name>();
    name.copy(report.device, sizeof(report.device) - 1);
    auto const reports = ranks.gather(report);
    return ranks.broadcast(ranks.is_root() && print_reports<T>(reports));
}

} // namespace

auto main(int argc, char **argv) -> int {
    auto const ranks = world{argc, argv};
    return run_on_ranks(ranks, [&] {
        auto const opts = ranks.together([&] {
            auto const result = parse_options(argc, argv);
            if (!result.help && result.elements < ranks.size()) {
                throw usage_error("--elements needs one element for each rank");
            }
            return result;
        });
        if (opts.help) {
            if (ranks.is_root()) {
                std::printf("%s\n%s", help_text, options_text());
            }
            return true;
        }
        return opts.number == options::precision::f32 ? run_rank<float>(opts, ranks)
                                                      : run_rank<double>(opts, ranks);
    });
}
