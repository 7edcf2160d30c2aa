// SPDX-License-Identifier: BSD-3-Clause

// Failures that the headers deal with themselves, in the namespace of tinytc, where what fails throws
// the bare enumeration.

#include "check.hpp"
#include "on_default_device.hpp"

#include <tiletc/autotune.hpp>
#include <tiletc/embedded.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

constexpr char const *text = R"(
func @twice(%x: memref<f32x32x?>, %y: memref<f32x32x?>) {
    %g = group_id.x
    %from = subview %x[0:32,%g]
    %to = subview %y[0:32,%g]
    axpby 2.0, %from, 0.0, %to
}
)";

/// Columns of 32 numbers, and whether a launch has doubled the first one.
class columns {
  public:
    static constexpr std::int64_t count = 4;

    explicit columns(sycl::queue q)
        : q_{q}, x{sycl::aligned_alloc_shared<float>(128, 32 * count, q)},
          y{sycl::aligned_alloc_shared<float>(128, 32 * count, q)} {
        x[0] = 3.0f;
        y[0] = 0.0f;
    }
    columns(columns const &) = delete;
    ~columns() {
        sycl::free(x, q_);
        sycl::free(y, q_);
    }

  private:
    // In front of the memory, which is made with it.
    sycl::queue q_;

  public:
    float *x, *y;
};

/// A config that does not compile is one with a reason.
void configs_fail(sycl::queue q) {
    auto memory = columns{q};
    auto const n = columns::count;
    auto const kernel = tiletc::autotune(q, text)
                            .configs({{{"subgroup_size", "16"}}, {{"subgroup_size", "7"}}})
                            .budget(std::chrono::milliseconds{50});
    kernel(memory.x, n, memory.y, n).wait();
    CHECK(memory.y[0] == 6.0f);
    auto const report = kernel.report(memory.x, n, memory.y, n);
    CHECK(report.find("subgroup_size=7: ") != std::string::npos);
}

/// The text takes the place of a native binary that is none.
void native_binaries_fail(sycl::queue q) {
    static constexpr auto binary = std::array<std::uint8_t, 4>{1, 2, 3, 4};
    auto program = tiletc::embedded_program(
        text, {"twice"},
        {{"pvc", tiletc::bundle_format::native, tiletc_core_feature_flags_t{}, binary.size(),
          binary.data()}});
    auto memory = columns{q};
    auto const n = columns::count;
    program.launch(q, 0, sycl::range<3u>{1, 1, 4}, {}, memory.x, n, memory.y, n).wait();
    CHECK(memory.y[0] == 6.0f);
}

} // namespace

int main() {
    // What an earlier run found is not tried again.
    std::remove("tuning.json");
    setenv("TILETC_TUNING_TABLE", "tuning.json", 1);
    setenv("TILETC_TUNE", "on", 1);
    return on_default_device([](sycl::device const &dev) {
        auto const q = sycl::queue{dev, sycl::property::queue::in_order{}};
        configs_fail(q);
        native_binaries_fail(q);
    });
}
