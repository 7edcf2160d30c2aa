// SPDX-License-Identifier: BSD-3-Clause

// A library to link to in place of tinytc's: the right names, and nothing behind them.

#include "tinytc_0_4_sycl.hpp"

#include <cstdlib>

namespace tinytc {

auto get_support_level(sycl::device const &) -> support_level { std::abort(); }
auto create_core_info(sycl::device const &) -> shared_handle<tinytc_core_info_t> { std::abort(); }
auto create_kernel_bundle(sycl::context const &, sycl::device const &, tinytc_prog_t,
                          tinytc_core_feature_flags_t)
    -> sycl::kernel_bundle<sycl::bundle_state::executable> {
    std::abort();
}
auto create_kernel_bundle(sycl::context const &, sycl::device const &, const_tinytc_binary_t)
    -> sycl::kernel_bundle<sycl::bundle_state::executable> {
    std::abort();
}
auto create_kernel(sycl::kernel_bundle<sycl::bundle_state::executable> const &, char const *)
    -> sycl::kernel {
    std::abort();
}
auto get_group_size(sycl::kernel const &) -> sycl::range<3u> { std::abort(); }
auto get_global_size(sycl::range<3u> const &, sycl::range<3u> const &) -> sycl::range<3u> {
    std::abort();
}
auto get_execution_range(sycl::kernel const &, sycl::range<3u> const &) -> sycl::nd_range<3u> {
    std::abort();
}
void parallel_for(tinytc_recipe_handler_t, sycl::handler &) { std::abort(); }
auto submit(tinytc_recipe_handler_t, sycl::queue) -> sycl::event { std::abort(); }
auto submit(tinytc_recipe_handler_t, sycl::queue, sycl::event const &) -> sycl::event {
    std::abort();
}
auto submit(tinytc_recipe_handler_t, sycl::queue, std::vector<sycl::event> const &) -> sycl::event {
    std::abort();
}
auto create_recipe_handler(sycl::context const &, sycl::device const &, tinytc_recipe_t)
    -> shared_handle<tinytc_recipe_handler_t> {
    std::abort();
}
auto create_recipe_handler(sycl::queue const &, tinytc_recipe_t)
    -> shared_handle<tinytc_recipe_handler_t> {
    std::abort();
}

} // namespace tinytc
