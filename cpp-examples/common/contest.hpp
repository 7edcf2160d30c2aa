// SPDX-License-Identifier: BSD-3-Clause

#ifndef EXAMPLES_CONTEST_HPP
#define EXAMPLES_CONTEST_HPP

#include "timing.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

/// Bytes of the last level of the cache.
inline auto cache_bytes() -> double {
    long const level3 = sysconf(_SC_LEVEL3_CACHE_SIZE);
    long const level2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return static_cast<double>(std::max({level3, level2, 8l << 20}));
}

/// Several programs for one problem. They take turns, so that whatever else the machine does meets all
/// of them.
class contest {
  public:
    /// Result of one of them.
    struct result {
        std::string name;
        /// The median, and the shortest and longest time.
        double milliseconds, least, most;
        /// The largest error in terms of what rounding allows.
        double worst_error;
    };

    /// Adds a program. `compute` has it done when it returns.
    void add(std::string name, std::function<void()> compute) {
        programs_.push_back({std::move(name), std::move(compute), {}});
    }

    /// Lets each run `runs` times after a first time, before which `reset` spoils the results and after
    /// which `worst_error` looks at them. The times are medians of the others.
    template <typename Reset, typename Check>
    auto run(int runs, Reset const &reset, Check const &worst_error) -> std::vector<result> {
        auto results = std::vector<result>{};
        for (auto &program : programs_) {
            reset();
            program.compute();
            results.push_back({program.name, 0.0, 0.0, 0.0, worst_error()});
        }
        for (int i = 0; i < runs; ++i) {
            for (auto &program : programs_) {
                auto const start = clock_type::now();
                program.compute();
                program.times.push_back(milliseconds_since(start));
            }
        }
        for (std::size_t i = 0; i < results.size(); ++i) {
            auto const &times = programs_[i].times;
            auto const [least, most] = std::minmax_element(times.begin(), times.end());
            results[i].milliseconds = median(times);
            results[i].least = *least;
            results[i].most = *most;
        }
        return results;
    }

  private:
    struct program {
        std::string name;
        std::function<void()> compute;
        std::vector<double> times;
    };
    std::vector<program> programs_;
};

#endif // EXAMPLES_CONTEST_HPP
