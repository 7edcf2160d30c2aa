// SPDX-License-Identifier: BSD-3-Clause

#include "faults.hpp"

#include <set>
#include <stdexcept>

namespace {

/// A piece of text, and what stands there by mistake.
struct fault {
    char const *what;
    std::string right, wrong;
    /// True if the piece has to be the last one that begins with this.
    std::string last_of = {};
};

auto faults() -> std::vector<fault> {
    return {
        {"every work-group computes the first element", "%e = group_id.x", "%e = constant 0"},
        {"a factor has the wrong sign", "constant -1.50", "constant 1.50"},
        {"the output is overwritten", "constant 1.00", "constant 0.00", "constant "},
        {"a part begins a row too early", "[1:", "[0:"},
        {"a group is moved too little", ", offset: 3", ", offset: 2"},
        {"a loop stays with its first slice", ",%d]", ",%first]"},
    };
}

/// Puts the mistake into the text; false if there is no place for it.
auto plant(fault const &f, std::string &text) -> bool {
    auto const place = f.last_of.empty() ? text.find(f.right) : text.rfind(f.last_of);
    if (place == std::string::npos || text.compare(place, f.right.size(), f.right) != 0) {
        return false;
    }
    text.replace(place, f.right.size(), f.wrong);
    return true;
}

} // namespace

auto faulty_kernels(std::vector<written_kernel> const &kernels) -> std::vector<written_kernel> {
    auto chosen = std::vector<written_kernel>{};
    auto taken = std::set<std::string>{};
    for (auto const &f : faults()) {
        auto const before = chosen.size();
        for (auto const &kernel : kernels) {
            auto copy = kernel;
            // Single precision, so that every device can tell.
            if (!copy.what.double_precision && taken.count(copy.what.name) == 0 &&
                plant(f, copy.text)) {
                taken.insert(copy.what.name);
                chosen.push_back(copy);
                break;
            }
        }
        if (chosen.size() == before) {
            throw std::runtime_error(std::string("no kernel for the mistake that ") + f.what);
        }
    }
    return chosen;
}
