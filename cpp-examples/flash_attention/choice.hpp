// SPDX-License-Identifier: BSD-3-Clause

#ifndef FLASH_ATTENTION_CHOICE_HPP
#define FLASH_ATTENTION_CHOICE_HPP

#include "device.hpp"
#include "problem.hpp"

#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

/// File of a kernel, queries of a work-group, and keys that it takes at a time.
struct kernel_choice {
    char const *file;
    std::int64_t queries, keys;
};

/// The kernel for a device. The matrix engines of GPUs want many keys; for a CPU, which finds few of them in its first cache,
/// the driver takes longer to build a kernel for more. Where there is no engine for a type, queries of long heads would
/// not fit the registers. GPUs without subgroups of 8 have messages that load blocks.
template <typename T>
auto kernel_for(sycl::device const &dev, std::int64_t head_dim) -> kernel_choice {
    constexpr auto online = "flash_attention.ir";
    auto const is_long = head_dim > 64;
    if (!dev.is_gpu()) {
        return {online, 64, is_long ? 32 : 16};
    }
    auto const subgroups = dev.get_info<sycl::info::device::sub_group_sizes>();
    auto const has_messages = *std::min_element(subgroups.begin(), subgroups.end()) >= 16;
    if (std::is_same_v<T, float>) {
        return has_messages && !is_long ? kernel_choice{"lazy_attention.ir", 16, 16}
                                        : kernel_choice{online, is_long ? 32 : 64, 16};
    }
    return has_messages ? kernel_choice{"lazy_attention.ir", 16, is_long ? 16 : 64}
                        : kernel_choice{online, 64, 64};
}

/// The definitions in front of a kernel.
template <typename T>
auto definitions(attention_shape shape, kernel_choice blocks) -> std::string {
    return std::string("$elem = ") + type_name<T>() + " $dim = " + std::to_string(shape.head_dim) +
           " $causal = " + (shape.causal ? "true" : "false") +
           " $group = " + std::to_string(shape.group) +
           " $queries = " + std::to_string(blocks.queries) +
           " $keys = " + std::to_string(blocks.keys);
}

/// Work-groups of a launch.
inline auto groups_of(attention_shape shape, kernel_choice blocks) -> sycl::range<3u> {
    return {1, static_cast<std::size_t>(shape.heads),
            static_cast<std::size_t>((shape.length + blocks.queries - 1) / blocks.queries)};
}

#endif // FLASH_ATTENTION_CHOICE_HPP
