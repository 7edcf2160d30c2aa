// SPDX-License-Identifier: BSD-3-Clause

#ifndef TILETC_TESTS_ON_THREADS_HPP
#define TILETC_TESTS_ON_THREADS_HPP

#include <atomic>
#include <thread>
#include <vector>

/// Runs `work(thread)` on that many threads at the same time.
template <typename Work> void on_threads(unsigned number, Work &&work) {
    auto ready = std::atomic<unsigned>{0};
    auto threads = std::vector<std::thread>{};
    for (unsigned i = 0; i < number; ++i) {
        threads.emplace_back([&, i] {
            for (++ready; ready < number;) {
                std::this_thread::yield();
            }
            work(i);
        });
    }
    for (auto &thread : threads) {
        thread.join();
    }
}

#endif // TILETC_TESTS_ON_THREADS_HPP
