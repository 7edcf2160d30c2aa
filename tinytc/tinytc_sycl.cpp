// SPDX-License-Identifier: BSD-3-Clause

// The functions that tinytc has in its SYCL library. They are those of tiletc_sycl.hpp, which is
// header-only, in the namespace tinytc: what stands here has the compiler emit them, and
// tinytc_sycl.map exports them.

#include <tinytc/tinytc_sycl.hpp>

#include <vector>

namespace {

using bundle = sycl::kernel_bundle<sycl::bundle_state::executable>;
using handler = tinytc::shared_handle<tinytc_recipe_handler_t>;

template <typename Result, typename... Arguments> using function = Result (*)(Arguments...);

// The types are written out as tinytc has them, so that a change of the header does not go
// unnoticed.
[[gnu::used]] function<tinytc::support_level, sycl::device const &> const get_support_level =
    tinytc::get_support_level;
[[gnu::used]] function<tinytc::shared_handle<tinytc_core_info_t>, sycl::device const &> const
    create_core_info = tinytc::create_core_info;
[[gnu::used]] function<bundle, sycl::context const &, sycl::device const &, tinytc_prog_t,
                       tinytc_core_feature_flags_t> const create_kernel_bundle_with_program =
    tinytc::create_kernel_bundle;
[[gnu::used]] function<bundle, sycl::context const &, sycl::device const &,
                       const_tinytc_binary_t> const create_kernel_bundle_with_binary =
    tinytc::create_kernel_bundle;
[[gnu::used]] function<sycl::kernel, bundle const &, char const *> const create_kernel =
    tinytc::create_kernel;
[[gnu::used]] function<sycl::range<3u>, sycl::kernel const &> const get_group_size =
    tinytc::get_group_size;
[[gnu::used]] function<sycl::range<3u>, sycl::range<3u> const &, sycl::range<3u> const &> const
    get_global_size = tinytc::get_global_size;
[[gnu::used]] function<sycl::nd_range<3u>, sycl::kernel const &, sycl::range<3u> const &> const
    get_execution_range = tinytc::get_execution_range;
[[gnu::used]] function<void, tinytc_recipe_handler_t, sycl::handler &> const parallel_for =
    tinytc::parallel_for;
[[gnu::used]] function<sycl::event, tinytc_recipe_handler_t, sycl::queue> const submit =
    tinytc::submit;
[[gnu::used]] function<sycl::event, tinytc_recipe_handler_t, sycl::queue, sycl::event const &> const
    submit_after = tinytc::submit;
[[gnu::used]] function<sycl::event, tinytc_recipe_handler_t, sycl::queue,
                       std::vector<sycl::event> const &> const submit_after_all = tinytc::submit;
[[gnu::used]] function<handler, sycl::context const &, sycl::device const &, tinytc_recipe_t> const
    create_recipe_handler = tinytc::create_recipe_handler;
[[gnu::used]] function<handler, sycl::queue const &, tinytc_recipe_t> const
    create_recipe_handler_for_queue = tinytc::create_recipe_handler;

} // namespace
