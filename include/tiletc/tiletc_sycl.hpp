// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// tiletc in SYCL programs, on SYCL's OpenCL and Level Zero backends. Header-only and interop only:
/// any C++17 compiler will do, SYCL device code is not needed. Programs link SYCL and libtiletc, which loads
/// OpenCL and Level Zero.
///
/// SYCL's ranges are reversed: component 2 counts along x.

#include <tiletc/namespace.hpp>

#if defined(TILETC_IN_TINYTC) ? !defined(TILETC_IN_TINYTC_SYCL_HPP) : !defined(TILETC_SYCL_HPP)
#ifdef TILETC_IN_TINYTC
#define TILETC_IN_TINYTC_SYCL_HPP
#else
#define TILETC_SYCL_HPP
#endif

#include <tiletc/arguments.hpp>
#include <tiletc/float_environment.hpp>
#include <tiletc/launch_plan.hpp>
#include <tiletc/recipe_launch.hpp>
#include <tiletc/tiletc.hpp>
#include <tiletc/tiletc_cl.hpp>
#include <tiletc/tiletc_ze.hpp>

#include <sycl/sycl.hpp>

#include <sycl/ext/oneapi/backend/level_zero.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace TILETC_NAMESPACE {

namespace internal {

constexpr auto cl_backend = sycl::backend::opencl;
constexpr auto ze_backend = sycl::backend::ext_oneapi_level_zero;
using executable_bundle = sycl::kernel_bundle<sycl::bundle_state::executable>;

/// Calls the function for the backend at hand.
template <typename OpenCL, typename LevelZero>
auto on_backend(sycl::backend backend, OpenCL &&opencl, LevelZero &&level_zero) {
    no_float_traps const no_traps;
    switch (backend) {
    case cl_backend:
        return std::forward<OpenCL>(opencl)();
    case ze_backend:
        return std::forward<LevelZero>(level_zero)();
    default:
        internal::fail(status::unsupported_backend,
                       "SYCL's backend of the device is neither OpenCL nor Level Zero");
    }
}

/// The OpenCL object behind a SYCL object. SYCL retains what it gives out; the result releases it.
template <typename T> auto get_cl(T const &obj) {
    return shared_handle{sycl::get_native<cl_backend>(obj)};
}

/// The OpenCL programs behind a bundle, with a reference to each.
inline auto get_cl(executable_bundle const &bundle) -> std::vector<shared_handle<cl_program>> {
    auto const native = sycl::get_native<cl_backend>(bundle);
    std::vector<shared_handle<cl_program>> programs;
    programs.reserve(native.size());
    for (cl_program program : native) {
        programs.emplace_back(program);
    }
    return programs;
}

/// A SYCL bundle with a reference of its own to the OpenCL program.
inline auto wrap_bundle(sycl::context const &ctx, shared_handle<cl_program> const &program)
    -> executable_bundle {
    return sycl::make_kernel_bundle<cl_backend, sycl::bundle_state::executable>(program.get(), ctx);
}

/// Makes SYCL the owner of a Level Zero object; `wrap` makes the SYCL object, given the kind of
/// ownership.
///
/// Guard: if making an object throws, nothing tells whether SYCL has taken the native one over before.
/// So it first makes one that owns nothing: what is wrong comes out then, while we are the owner.
template <typename T, typename Wrap> auto hand_over(unique_handle<T> obj, Wrap &&wrap) {
    using sycl::ext::oneapi::level_zero::ownership;
    wrap(obj.get(), ownership::keep);
    return wrap(obj.release(), ownership::transfer);
}

/// A SYCL bundle that owns the Level Zero module from now on.
inline auto wrap_bundle(sycl::context const &ctx, unique_handle<ze_module_handle_t> mod)
    -> executable_bundle {
    return hand_over(std::move(mod), [&](ze_module_handle_t native, auto owner) {
        return sycl::make_kernel_bundle<ze_backend, sycl::bundle_state::executable>({native, owner},
                                                                                    ctx);
    });
}

/// A SYCL kernel that owns the Level Zero kernel from now on.
inline auto wrap_kernel(executable_bundle const &bundle, unique_handle<ze_kernel_handle_t> kernel)
    -> sycl::kernel {
    return hand_over(std::move(kernel), [&](ze_kernel_handle_t native, auto owner) {
        return sycl::make_kernel<ze_backend>({bundle, native, owner}, bundle.get_context());
    });
}

} // namespace internal

/// Tells how well the device is supported.
inline auto get_support_level(sycl::device const &dev) -> support_level {
    return internal::on_backend(
        dev.get_backend(), [&] { return get_support_level(internal::get_cl(dev).get()); },
        [&] { return get_support_level(sycl::get_native<internal::ze_backend>(dev)); });
}

/// Describes the device to the compiler.
inline auto create_core_info(sycl::device const &dev) -> shared_handle<tiletc_core_info_t> {
    return internal::on_backend(
        dev.get_backend(), [&] { return create_core_info(internal::get_cl(dev).get()); },
        [&] { return create_core_info(sycl::get_native<internal::ze_backend>(dev)); });
}

/// Compiles a program for a device and builds it with the device's driver. The bundle stays valid
/// when the program and its context are gone.
inline auto create_kernel_bundle(sycl::context const &ctx, sycl::device const &dev,
                                 tiletc_prog_t prg, tiletc_core_feature_flags_t core_features = 0)
    -> sycl::kernel_bundle<sycl::bundle_state::executable> {
    return internal::on_backend(
        dev.get_backend(),
        [&] {
            return internal::wrap_bundle(ctx, create_kernel_bundle(internal::get_cl(ctx).get(),
                                                                   internal::get_cl(dev).get(), prg,
                                                                   core_features));
        },
        [&] {
            return internal::wrap_bundle(
                ctx, create_kernel_bundle(sycl::get_native<internal::ze_backend>(ctx),
                                          sycl::get_native<internal::ze_backend>(dev), prg,
                                          core_features));
        });
}

/// The same for a wrapped program.
inline auto create_kernel_bundle(sycl::context const &ctx, sycl::device const &dev,
                                 shared_handle<tiletc_prog_t> const &prg,
                                 tiletc_core_feature_flags_t core_features = 0)
    -> sycl::kernel_bundle<sycl::bundle_state::executable> {
    return create_kernel_bundle(ctx, dev, prg.get(), core_features);
}

/// Builds a binary with the device's driver.
inline auto create_kernel_bundle(sycl::context const &ctx, sycl::device const &dev,
                                 const_tiletc_binary_t bin)
    -> sycl::kernel_bundle<sycl::bundle_state::executable> {
    return internal::on_backend(
        dev.get_backend(),
        [&] {
            return internal::wrap_bundle(ctx,
                                         create_kernel_bundle(internal::get_cl(ctx).get(),
                                                              internal::get_cl(dev).get(), bin));
        },
        [&] {
            return internal::wrap_bundle(
                ctx, create_kernel_bundle(sycl::get_native<internal::ze_backend>(ctx),
                                          sycl::get_native<internal::ze_backend>(dev), bin));
        });
}

/// The same for a wrapped binary.
inline auto create_kernel_bundle(sycl::context const &ctx, sycl::device const &dev,
                                 shared_handle<tiletc_binary_t> const &bin)
    -> sycl::kernel_bundle<sycl::bundle_state::executable> {
    return create_kernel_bundle(ctx, dev, bin.get());
}

/// The kernel of the given name. It stays valid when the bundle is gone, but on Level Zero Intel's
/// SYCL runtime then never destroys the module, so keep the bundle as long as its kernels.
inline auto create_kernel(sycl::kernel_bundle<sycl::bundle_state::executable> const &bundle,
                          char const *name) -> sycl::kernel {
    return internal::on_backend(
        bundle.get_backend(),
        [&] {
            auto const programs = internal::get_cl(bundle);
            if (programs.empty()) {
                internal::fail(status::invalid_arguments, "the bundle is empty");
            }
            auto const kernel = create_kernel(programs.front().get(), name);
            return sycl::make_kernel<internal::cl_backend>(kernel.get(), bundle.get_context());
        },
        [&] {
            auto const modules = sycl::get_native<internal::ze_backend>(bundle);
            if (modules.empty()) {
                internal::fail(status::invalid_arguments, "the bundle is empty");
            }
            return internal::wrap_kernel(bundle, create_kernel(modules.front(), name));
        });
}

namespace internal {

/// The work-group size fixed in a kernel of a runtime, in the order z, y, x.
template <typename K> auto native_group_size(K krnl) -> sycl::range<3u> {
    auto const size = get_group_size(krnl);
    return sycl::range<3u>{size[2], size[1], size[0]};
}

} // namespace internal

/// The work-group size fixed in the kernel, in the order z, y, x.
inline auto get_group_size(sycl::kernel const &krnl) -> sycl::range<3u> {
    return internal::on_backend(
        krnl.get_backend(), [&] { return internal::native_group_size(internal::get_cl(krnl).get()); },
        [&] { return internal::native_group_size(sycl::get_native<internal::ze_backend>(krnl)); });
}

/// The work-items of a launch, in the order z, y, x.
inline auto get_global_size(sycl::range<3u> const &num_groups, sycl::range<3u> const &local_size)
    -> sycl::range<3u> {
    return num_groups * local_size;
}

/// Range to launch the kernel with `num_groups` work-groups, given in the order z, y, x.
inline auto get_execution_range(sycl::kernel const &krnl, sycl::range<3u> const &num_groups)
    -> sycl::nd_range<3u> {
    auto const local_size = get_group_size(krnl);
    return sycl::nd_range<3u>{get_global_size(num_groups, local_size), local_size};
}

namespace internal {

/// A launch of a kernel as far as it is the same each time, with arguments of which `has_value` tells
/// the same as for `launch_plan`.
template <typename HasValue>
auto make_known_launch(sycl::kernel const &krnl, HasValue const &has_value) -> known_launch {
    tiletc_launch_plan_t plan = {};
    CHECK_STATUS(on_backend(
        krnl.get_backend(), [&] { return tiletc_cl_get_launch_plan(&plan, get_cl(krnl).get()); },
        [&] { return tiletc_ze_get_launch_plan(&plan, sycl::get_native<ze_backend>(krnl)); }));
    return {launch_plan{plan, has_value}, get_group_size(krnl)};
}

/// The launch of a kernel that has been launched before with arguments of these types, or null.
template <typename... T> auto find_known_launch(sycl::kernel const &krnl) -> known_launch const * {
    if constexpr ((is_known_by_type<T> && ...)) {
        auto *const known = thread_kernel_map<known_launch, T...>();
        return known != nullptr ? known->find(krnl) : nullptr;
    } else {
        return nullptr;
    }
}

/// Keeps the launch of a kernel that takes arguments of these types.
template <typename... T> void keep_known_launch([[maybe_unused]] sycl::kernel const &krnl) {
    if constexpr ((is_known_by_type<T> && ...)) {
        auto const has_value = [](std::size_t place) {
            constexpr bool of_types[] = {has_plan_value<T>()..., false};
            return place < sizeof...(T) && of_types[place];
        };
        if (auto *const known = thread_kernel_map<known_launch, T...>(); known != nullptr) {
            known->add(krnl, make_known_launch(krnl, has_value));
        }
    }
}

/// Arguments of a kernel, of which addresses that are no unified shared memory of its context are known as
/// such, unless a device reads all memory of the host.
template <typename... T> auto make_args_for(sycl::kernel const &krnl, T const &...values) {
    auto args = make_args(values...);
    auto const ctx = krnl.get_context();
    auto const devices = ctx.get_devices();
    auto const reads_all = [](sycl::device const &dev) {
        return dev.has(sycl::aspect::usm_system_allocations);
    };
    if (std::any_of(devices.begin(), devices.end(), reads_all)) {
        return args;
    }
    auto const is_unknown = [&](void const *address) {
        return sycl::get_pointer_type(address, ctx) == sycl::usm::alloc::unknown;
    };
    for (auto &arg : args) {
        auto const is_usm = arg.kind == tiletc_arg_kind_usm_pointer ||
                            arg.kind == tiletc_arg_kind_typed_usm_pointer;
        // A tensor without elements may begin where its memory ends.
        if (is_usm && arg.value != nullptr && is_unknown(arg.value) &&
            is_unknown(static_cast<char const *>(arg.value) - 1)) {
            arg.kind = tiletc_arg_kind_foreign_pointer;
        }
    }
    return args;
}

/// Refuses arguments that the kernel does not take.
template <typename... T>
void check_args([[maybe_unused]] sycl::kernel const &krnl, [[maybe_unused]] T const &...values) {
#if TILETC_CHECK_ARGUMENTS
    auto const *known = find_known_launch<T...>(krnl);
    if (known != nullptr && known->accepts_arguments(values...)) {
        return;
    }
    auto const args = make_args_for(krnl, values...);
    CHECK_STATUS(on_backend(
        krnl.get_backend(),
        [&] { return tiletc_cl_check_args(get_cl(krnl).get(), sizeof...(T), args.data()); },
        [&] {
            return tiletc_ze_check_args(sycl::get_native<ze_backend>(krnl), sizeof...(T),
                                        args.data());
        }));
    if (known == nullptr) {
        keep_known_launch<T...>(krnl);
    }
#endif
}

/// True for what launches take as the number of work-items or work-groups.
template <typename T> constexpr bool is_range = false;
template <int dims> constexpr bool is_range<sycl::range<dims>> = true;
template <int dims> constexpr bool is_range<sycl::nd_range<dims>> = true;

/// Sets an argument of a command group; an array counts as the address of its first number.
template <typename T> void set_arg(sycl::handler &cgh, int index, T const &value) {
    static_assert(!is_range<T>, "work-groups are given as sycl::range<3u>{z, y, x}, before events");
    if constexpr (std::is_array_v<T>) {
        cgh.set_arg(index, &value[0]);
    } else {
        cgh.set_arg(index, value);
    }
}

/// Sets a memory argument of a command group, which SYCL knows as an address or a `cl_mem`.
inline void set_arg(sycl::handler &cgh, int index, mem const &value) {
    auto *const memory = const_cast<void *>(value.value);
    if (value.type == mem_type::buffer) {
        cgh.set_arg(index, static_cast<cl_mem>(memory));
    } else {
        cgh.set_arg(index, memory);
    }
}

/// Sets an address that is null.
inline void set_arg(sycl::handler &cgh, int index, std::nullptr_t) {
    cgh.set_arg(index, static_cast<void *>(nullptr));
}

} // namespace internal

/// Sets all arguments of a command group for a kernel, in the order of calling it, after comparing their
/// number, sizes and kinds with what the kernel takes. SYCL's own `set_args` may be used as well; it
/// compares nothing.
template <typename... T>
void set_args(sycl::handler &cgh, sycl::kernel const &krnl, T const &...values) {
    internal::check_args(krnl, values...);
    int index = 0;
    (internal::set_arg(cgh, index++, values), ...);
}

namespace internal {

/// A kernel that suits arguments, and the work-groups of its launch in the order z, y, x.
struct prepared_launch {
    sized_kernel selected;
    sycl::range<3u> num_groups;
};

/// A variant of a kernel on Level Zero, which goes before its bundle.
struct launched_variant {
    executable_bundle bundle;
    sized_kernel selected;
};

/// The variants of a kernel that this thread has launched on Level Zero, by their modules. They are kept because
/// Intel's runtime does not free all memory of a kernel that is wrapped. Null once the thread keeps nothing.
inline auto launched_variants_of(sycl::kernel const &krnl)
    -> std::map<ze_module_handle_t, launched_variant> * {
    auto *const kernels = thread_kernel_map<std::map<ze_module_handle_t, launched_variant>>();
    if (kernels == nullptr) {
        return nullptr;
    }
    auto *const known = kernels->find(krnl);
    return known != nullptr ? known : &kernels->add(krnl, {});
}

/// Chooses the kernel as `select_variant` does. The launch has the work-groups that are asked for, or without
/// any those that the program says; `with_grid` is false if they do not matter. The runtime is asked for the
/// handle of a kernel once.
template <typename... T>
auto prepare(sycl::kernel const &krnl, bool with_grid, sycl::range<3u> const *num_groups,
             T const &...values) -> prepared_launch {
    auto const args = make_args_for(krnl, values...);
    auto const prepare_for = [&](auto number, auto &&prepare_launch) {
        using size = decltype(number);
        size asked[3] = {}, grid[3] = {};
        for (int i = 0; num_groups != nullptr && i < 3; ++i) {
            auto const groups = (*num_groups)[2 - i];
            if (groups > std::numeric_limits<size>::max()) {
                fail(status::out_of_range, std::to_string(groups) +
                                               " work-groups are more than the runtime launches");
            }
            asked[i] = static_cast<size>(groups);
        }
        CHECK_STATUS(prepare_launch(with_grid ? grid : nullptr,
                                    num_groups != nullptr ? asked : nullptr));
        return sycl::range<3u>{grid[2], grid[1], grid[0]};
    };
    return on_backend(
        krnl.get_backend(),
        [&] {
            auto const native = get_cl(krnl);
            cl_kernel selected = nullptr;
            auto const groups = prepare_for(std::size_t{}, [&](std::size_t *grid, std::size_t const *asked) {
                return tiletc_cl_prepare_launch(&selected, grid, native.get(), asked, sizeof...(T),
                                                args.data());
            });
            if (selected == nullptr) {
                return prepared_launch{{krnl, native_group_size(native.get())}, groups};
            }
            auto const kernel = shared_handle{selected};
            return prepared_launch{
                {sycl::make_kernel<cl_backend>(kernel.get(), krnl.get_context()),
                 native_group_size(kernel.get())},
                groups};
        },
        [&] {
            auto const native = sycl::get_native<ze_backend>(krnl);
            ze_kernel_handle_t selected = nullptr;
            ze_module_handle_t module = nullptr;
            auto const groups =
                prepare_for(std::uint32_t{}, [&](std::uint32_t *grid, std::uint32_t const *asked) {
                    return tiletc_ze_prepare_launch(&selected, &module, grid, native, asked,
                                                    sizeof...(T), args.data());
                });
            auto kernel = unique_handle{selected};
            auto *const variants = selected != nullptr ? launched_variants_of(krnl) : nullptr;
            if (variants == nullptr) {
                return prepared_launch{{krnl, native_group_size(native)}, groups};
            }
            auto known = variants->find(module);
            if (known == variants->end()) {
                auto const local_size = native_group_size(kernel.get());
                auto const keep = sycl::ext::oneapi::level_zero::ownership::keep;
                auto const bundle =
                    sycl::make_kernel_bundle<ze_backend, sycl::bundle_state::executable>(
                        {module, keep}, krnl.get_context());
                auto const wrapped = sized_kernel{wrap_kernel(bundle, std::move(kernel)), local_size};
                known = variants->emplace(module, launched_variant{bundle, wrapped}).first;
            }
            return prepared_launch{known->second.selected, groups};
        });
}

/// Submits a launch of a kernel, whose arguments are compared with nothing.
template <typename Events, typename... T>
auto submit_sized(sycl::queue &q, sycl::kernel const &krnl, sycl::range<3u> const &local_size,
                  sycl::range<3u> const &num_groups, Events const &dep_events, T const &...values)
    -> sycl::event {
    auto const range = sycl::nd_range<3u>{get_global_size(num_groups, local_size), local_size};
    auto const is_nothing = is_empty(num_groups);
    auto const is_node = is_nothing && is_recorded(q);
    return q.submit([&](sycl::handler &cgh) {
        cgh.depends_on(dep_events);
        if (is_nothing) {
            return do_nothing(cgh, is_node);
        }
        int index = 0;
        (set_arg(cgh, index++, values), ...);
        cgh.parallel_for(range, krnl);
    });
}

/// Submits a launch that waits for an event or a vector of them, with null of as many work-groups as the program says.
/// tiletc is asked about the first one of a kernel with arguments of these types, and about those that the plan does
/// not accept.
template <typename Events, typename... T>
auto submit_groups(sycl::queue &q, sycl::kernel const &krnl, sycl::range<3u> const *num_groups,
                   Events const &dep_events, T const &...values) -> sycl::event {
    auto const *known = find_known_launch<T...>(krnl);
    auto groups = sycl::range<3u>{0, 0, 0};
    if (known != nullptr && known->accepts(num_groups, groups, values...)) {
        return submit_sized(q, krnl, known->local_size, groups, dep_events, values...);
    }
    auto const launch = prepare(krnl, true, num_groups, values...);
    if (known == nullptr) {
        keep_known_launch<T...>(krnl);
    }
    return submit_sized(q, launch.selected.kernel, launch.selected.local_size, launch.num_groups,
                        dep_events, values...);
}

} // namespace internal

/// The kernel that suits arguments best: where the program leaves the strides of matrices open, a variant
/// for matrices that are contiguous along a mode, which the first call with such arguments compiles, else
/// the kernel itself. It takes the same arguments, in work-groups of maybe another size. Arguments that
/// the kernel does not take are refused.
template <typename... T>
auto select_variant(sycl::kernel const &krnl, T const &...values) -> sycl::kernel {
    return internal::prepare(krnl, false, nullptr, values...).selected.kernel;
}

/// Range to launch the kernel with as many work-groups as its grid has for the arguments.
template <typename... T>
auto get_execution_range(sycl::kernel const &krnl, T const &...values) -> sycl::nd_range<3u> {
    return get_execution_range(krnl, internal::prepare(krnl, true, nullptr, values...).num_groups);
}

/// Submits a launch of `num_groups` work-groups, given in the order z, y, x, with arguments that are
/// compared and set like by `set_args`, to run when all events have come. `select_variant` chooses the
/// kernel. Fewer work-groups than its grid has for the arguments are refused.
template <typename... T>
auto submit(sycl::queue q, sycl::kernel const &krnl, sycl::range<3u> const &num_groups,
            std::vector<sycl::event> const &dep_events, T const &...values) -> sycl::event {
    return internal::submit_groups(q, krnl, &num_groups, dep_events, values...);
}

/// Submits it to run when the event has come.
template <typename... T>
auto submit(sycl::queue q, sycl::kernel const &krnl, sycl::range<3u> const &num_groups,
            sycl::event const &dep_event, T const &...values) -> sycl::event {
    return internal::submit_groups(q, krnl, &num_groups, dep_event, values...);
}

/// Submits it.
template <typename... T>
auto submit(sycl::queue q, sycl::kernel const &krnl, sycl::range<3u> const &num_groups,
            T const &...values) -> sycl::event {
    return internal::submit_groups(q, krnl, &num_groups, std::vector<sycl::event>{}, values...);
}

/// Submits a launch of as many work-groups as the kernel's grid has for the arguments, to run when all
/// events have come.
template <typename... T>
auto submit(sycl::queue q, sycl::kernel const &krnl, std::vector<sycl::event> const &dep_events,
            T const &...values) -> sycl::event {
    return internal::submit_groups(q, krnl, nullptr, dep_events, values...);
}

/// Submits it to run when the event has come.
template <typename... T>
auto submit(sycl::queue q, sycl::kernel const &krnl, sycl::event const &dep_event,
            T const &...values) -> sycl::event {
    return internal::submit_groups(q, krnl, nullptr, dep_event, values...);
}

/// Submits it.
template <typename... T>
auto submit(sycl::queue q, sycl::kernel const &krnl, T const &...values) -> sycl::event {
    return internal::submit_groups(q, krnl, nullptr, std::vector<sycl::event>{}, values...);
}

////////////////////////////
////////// Recipes /////////
////////////////////////////

/// Makes a handler of a recipe, with kernels of its own.
inline auto create_recipe_handler(sycl::context const &ctx, sycl::device const &dev,
                                  tiletc_recipe_t rec) -> shared_handle<tiletc_recipe_handler_t> {
    auto const bundle = create_kernel_bundle(ctx, dev, get_binary(rec));
    auto const kernel = [&](char const *name) {
        auto krnl = create_kernel(bundle, name);
        auto const local_size = get_group_size(krnl);
        return internal::sized_kernel{std::move(krnl), local_size};
    };
    return internal::recipe_launch::create_handler(rec, bundle, kernel("gemm"),
                                                   kernel("gemm_beta0"));
}

/// The same for a wrapped recipe.
inline auto create_recipe_handler(sycl::context const &ctx, sycl::device const &dev,
                                  shared_handle<tiletc_recipe_t> const &rec)
    -> shared_handle<tiletc_recipe_handler_t> {
    return create_recipe_handler(ctx, dev, rec.get());
}

/// Makes a handler of a recipe for context and device of a queue.
inline auto create_recipe_handler(sycl::queue const &q, tiletc_recipe_t rec)
    -> shared_handle<tiletc_recipe_handler_t> {
    return create_recipe_handler(q.get_context(), q.get_device(), rec);
}

/// The same for a wrapped recipe.
inline auto create_recipe_handler(sycl::queue const &q, shared_handle<tiletc_recipe_t> const &rec)
    -> shared_handle<tiletc_recipe_handler_t> {
    return create_recipe_handler(q, rec.get());
}

/// Makes the launch whose arguments were set last the action of a command group. The group keeps a
/// copy of the arguments, so they may be set anew at once. With nothing to launch, the action is to
/// do nothing, as a task of the host: for a queue that is recorded into a graph, `submit` makes an empty node.
inline void parallel_for(tiletc_recipe_handler_t handler, sycl::handler &cgh) {
    internal::recipe_launch::of(handler).record(cgh, false);
}

/// The same for a wrapped handler.
inline void parallel_for(shared_handle<tiletc_recipe_handler_t> const &handler,
                         sycl::handler &cgh) {
    parallel_for(handler.get(), cgh);
}

/// Submits the launch whose arguments were set last, to run when all events have come.
inline auto submit(tiletc_recipe_handler_t handler, sycl::queue q,
                   std::vector<sycl::event> const &dep_events) -> sycl::event {
    auto const is_node = internal::is_recorded(q);
    return q.submit([&](sycl::handler &cgh) {
        cgh.depends_on(dep_events);
        internal::recipe_launch::of(handler).record(cgh, is_node);
    });
}

/// Submits it to run when the event has come.
inline auto submit(tiletc_recipe_handler_t handler, sycl::queue q, sycl::event const &dep_event)
    -> sycl::event {
    return submit(handler, q, std::vector<sycl::event>{dep_event});
}

/// Submits it.
inline auto submit(tiletc_recipe_handler_t handler, sycl::queue q) -> sycl::event {
    return submit(handler, q, std::vector<sycl::event>{});
}

/// The same for a wrapped handler.
inline auto submit(shared_handle<tiletc_recipe_handler_t> const &handler, sycl::queue q)
    -> sycl::event {
    return submit(handler.get(), q);
}

/// The same for a wrapped handler and an event.
inline auto submit(shared_handle<tiletc_recipe_handler_t> const &handler, sycl::queue q,
                   sycl::event const &dep_event) -> sycl::event {
    return submit(handler.get(), q, dep_event);
}

/// The same for a wrapped handler and many events.
inline auto submit(shared_handle<tiletc_recipe_handler_t> const &handler, sycl::queue q,
                   std::vector<sycl::event> const &dep_events) -> sycl::event {
    return submit(handler.get(), q, dep_events);
}

} // namespace TILETC_NAMESPACE

#endif // TILETC_SYCL_HPP
