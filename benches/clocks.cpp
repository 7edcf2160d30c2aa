// SPDX-License-Identifier: BSD-3-Clause

// One kernel by three clocks: a loop of launches that is timed by hand, `tiletc::bench`, and the tool
// `tiletc bench` in a process of its own. They take turns, and the medians of their ratios are printed: other
// programs on the machine change a time by more than the clocks differ, but meet neighbours alike.

#include "kernels.hpp"
#include "progress.hpp"
#include "timing.hpp"
#include "usm_array.hpp"

#include <sycl/sycl.hpp>
#include <tiletc/bench.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace std::chrono_literals;

constexpr int turns = 15;
/// Launches of the loop, of which the first is not timed.
constexpr int launches = 13;
constexpr std::int64_t size = 1024;
constexpr std::int64_t block = 64;

/// Milliseconds that `tiletc bench` finds; its other results are of no interest.
auto of_tool(std::string const &command) -> double {
    auto const close = [](std::FILE *pipe) { pclose(pipe); };
    auto const pipe = std::unique_ptr<std::FILE, decltype(close)>{popen(command.c_str(), "r"), close};
    auto text = std::string{};
    char part[4096];
    for (std::size_t read = 1; pipe && read > 0; text.append(part, read)) {
        read = std::fread(part, 1, sizeof part, pipe.get());
    }
    auto const key = std::string{"\"median\": "};
    auto const at = text.find(key);
    if (at == std::string::npos) {
        throw std::runtime_error{"no time from: " + command};
    }
    return std::strtod(text.c_str() + at + key.size(), nullptr) * 1e3;
}

void measure(sycl::queue q, std::string const &tool, std::string const &program) {
    auto const kernel = kernels::embedded_kernels::program0().kernel(q, 0);
    auto const A = usm_array<float>{size * size, q};
    auto const B = usm_array<float>{size * size, q};
    auto const C = usm_array<float>{size * size, q};
    std::fill_n(A.get(), size * size, 1.0f);
    std::fill_n(B.get(), size * size, 0.5f);
    auto const groups = sycl::range<3u>{1, size / block, size / block};
    auto const range = tiletc::get_execution_range(kernel, groups);
    auto const by_hand = [&] {
        auto times = std::vector<double>{};
        for (int launch = 0; launch < launches; ++launch) {
            auto const start = clock_type::now();
            q.submit([&](sycl::handler &h) {
                 h.set_args(A.get(), B.get(), C.get());
                 h.parallel_for(range, kernel);
             }).wait();
            times.push_back(milliseconds_since(start));
        }
        times.erase(times.begin());
        return median(times);
    };
    auto const options = tiletc::bench_options{}.cold(false).budget(250ms).num_groups(groups);
    auto const command = "'" + tool + "' bench '" + program +
                         "' -d opencl --hot --budget 0.25 --format json --groups 16,16"
                         " --arg A=random --arg B=random --arg C=zeros 2>/dev/null";
    auto library = std::vector<double>{};
    auto process = std::vector<double>{};
    auto loop = std::vector<double>{};
    auto status_line = progress{};
    for (int turn = 0; turn < turns; ++turn) {
        status_line.show("turn " + std::to_string(turn + 1) + " of " + std::to_string(turns));
        auto const before = by_hand();
        library.push_back(1e3 * tiletc::bench(q, kernel, options, A.get(), B.get(), C.get()).median);
        auto const between = by_hand();
        process.push_back(of_tool(command));
        auto const after = by_hand();
        library.back() /= (before + between) / 2.0;
        process.back() /= (between + after) / 2.0;
        loop.push_back(between);
    }
    status_line.clear();
    std::printf("%-24s %8.3f ms\n", "a loop by hand", median(loop));
    std::printf("%-24s %8.3f of that\n", "tiletc::bench", median(library));
    std::printf("%-24s %8.3f of that\n", "tiletc bench", median(process));
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: bench_clocks TILETC PROGRAM\n");
        return 2;
    }
    try {
        measure(sycl::queue{sycl::property::queue::enable_profiling{}}, argv[1], argv[2]);
    } catch (std::exception const &e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return 0;
}
