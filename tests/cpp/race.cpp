// SPDX-License-Identifier: BSD-3-Clause

// A data race, for `cargo xtask soak races` to see that it would notice one.

#include "on_threads.hpp"

int main() {
    int count = 0;
    on_threads(2, [&](unsigned) { ++count; });
    return count > 2;
}
