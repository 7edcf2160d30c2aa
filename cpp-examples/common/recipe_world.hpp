// SPDX-License-Identifier: BSD-3-Clause

#ifndef EXAMPLES_RECIPE_WORLD_HPP
#define EXAMPLES_RECIPE_WORLD_HPP

#include "kernel.hpp"
#include "progress.hpp"

#include <tiletc/tiletc_sycl.hpp>

#include <type_traits>

/// What recipes for a device are made of: a context that reports, the device's description, and a
/// number type.
struct recipe_world {
    tiletc::shared_handle<tiletc_compiler_context_t> ctx;
    tiletc::shared_handle<tiletc_core_info_t> info;

    recipe_world(sycl::device const &dev, progress &status_line)
        : ctx{tiletc::create_compiler_context()}, info{tiletc::create_core_info(dev)} {
        set_error_reporter(ctx, report_to_stderr, &status_line);
    }

    /// The language's type for a T, float or double.
    template <typename T> auto type() const -> tiletc_type_t {
        tiletc_type_t type = nullptr;
        tiletc::CHECK_STATUS(std::is_same_v<T, float> ? tiletc_f32_type_get(&type, ctx.get())
                                                      : tiletc_f64_type_get(&type, ctx.get()));
        return type;
    }
};

#endif // EXAMPLES_RECIPE_WORLD_HPP
