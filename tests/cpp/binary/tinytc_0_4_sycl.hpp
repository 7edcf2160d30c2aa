// SPDX-License-Identifier: BSD-3-Clause

// What tinytc 0.4 has for SYCL, written down from the API specification: its 14 functions, and as
// much of the C++ interface as they mention. Nothing of include/ is behind it.

#ifndef TINYTC_0_4_SYCL_HPP
#define TINYTC_0_4_SYCL_HPP

#include "tinytc_0_4.h"

#include <sycl/sycl.hpp>

#include <utility>
#include <vector>

namespace tinytc {

enum class status : int { success = 0, invalid_arguments = 2 };
enum class support_level : int { none = 0, basic = 1, tuned = 2 };

namespace internal {
template <typename T> struct shared_handle_traits;
template <> struct shared_handle_traits<tinytc_core_info_t> {
    static auto release(tinytc_core_info_t obj) { return tinytc_core_info_release(obj); }
};
template <> struct shared_handle_traits<tinytc_recipe_handler_t> {
    static auto release(tinytc_recipe_handler_t obj) { return tinytc_recipe_handler_release(obj); }
};
} // namespace internal

template <typename T> class shared_handle {
  public:
    explicit shared_handle(T obj) : obj_{obj} {}
    ~shared_handle() {
        if (obj_) {
            internal::shared_handle_traits<T>::release(obj_);
        }
    }
    shared_handle(shared_handle const &) = delete;
    shared_handle(shared_handle &&other) noexcept : obj_{std::exchange(other.obj_, nullptr)} {}
    auto get() const -> T { return obj_; }

  protected:
    T obj_;
};

auto get_support_level(sycl::device const &dev) -> support_level;
auto create_core_info(sycl::device const &dev) -> shared_handle<tinytc_core_info_t>;
auto create_kernel_bundle(sycl::context const &ctx, sycl::device const &dev, tinytc_prog_t prg,
                          tinytc_core_feature_flags_t core_features = 0)
    -> sycl::kernel_bundle<sycl::bundle_state::executable>;
auto create_kernel_bundle(sycl::context const &ctx, sycl::device const &dev,
                          const_tinytc_binary_t bin)
    -> sycl::kernel_bundle<sycl::bundle_state::executable>;
auto create_kernel(sycl::kernel_bundle<sycl::bundle_state::executable> const &bundle,
                   char const *name) -> sycl::kernel;
auto get_group_size(sycl::kernel const &krnl) -> sycl::range<3u>;
auto get_global_size(sycl::range<3u> const &num_groups, sycl::range<3u> const &local_size)
    -> sycl::range<3u>;
auto get_execution_range(sycl::kernel const &krnl, sycl::range<3u> const &num_groups)
    -> sycl::nd_range<3u>;
void parallel_for(tinytc_recipe_handler_t handler, sycl::handler &cgh);
auto submit(tinytc_recipe_handler_t handler, sycl::queue q) -> sycl::event;
auto submit(tinytc_recipe_handler_t handler, sycl::queue q, sycl::event const &dep_event)
    -> sycl::event;
auto submit(tinytc_recipe_handler_t handler, sycl::queue q,
            std::vector<sycl::event> const &dep_events) -> sycl::event;
auto create_recipe_handler(sycl::context const &ctx, sycl::device const &dev, tinytc_recipe_t rec)
    -> shared_handle<tinytc_recipe_handler_t>;
auto create_recipe_handler(sycl::queue const &q, tinytc_recipe_t rec)
    -> shared_handle<tinytc_recipe_handler_t>;

} // namespace tinytc

#endif // TINYTC_0_4_SYCL_HPP
