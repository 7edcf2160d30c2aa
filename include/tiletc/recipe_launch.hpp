// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Recipe handler on SYCL; used by tiletc_sycl.hpp only.

#include <tiletc/namespace.hpp>

#if defined(TILETC_IN_TINYTC) ? !defined(TILETC_IN_TINYTC_RECIPE_LAUNCH_HPP) : !defined(TILETC_RECIPE_LAUNCH_HPP)
#ifdef TILETC_IN_TINYTC
#define TILETC_IN_TINYTC_RECIPE_LAUNCH_HPP
#else
#define TILETC_RECIPE_LAUNCH_HPP
#endif

#include <tiletc/tiletc.hpp>
#include <tiletc/tiletc_cl.hpp>

#include <sycl/sycl.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace TILETC_NAMESPACE {
namespace internal {

/// A kernel and the work-group size fixed in it, in the order z, y, x.
struct sized_kernel {
    sycl::kernel kernel;
    sycl::range<3u> local_size;
};

/// Returns whether a queue is recorded into a graph.
inline auto is_recorded(sycl::queue const &q) -> bool {
    return q.ext_oneapi_get_state() == sycl::ext::oneapi::experimental::queue_state::recording;
}

/// Returns whether a launch has no work-groups. Their number may be more than a `size_t` holds.
inline auto is_empty(sycl::range<3u> const &num_groups) -> bool {
    return num_groups[0] == 0 || num_groups[1] == 0 || num_groups[2] == 0;
}

/// Makes nothing the action of a command group, which ends when what it depends on has.
inline void do_nothing(sycl::handler &cgh, bool is_node) {
    // Outside of graphs a group without an action may be over before what it depends on is, and submitting a barrier
    // waits for work on the host. In graphs Intel's runtime does not bear tasks of the host as one of several leaves.
    if (!is_node) {
        cgh.host_task([] {});
    }
}

/// The kernels of a recipe and the arguments that were set last. The arguments are handed to SYCL
/// with each command group, so groups that SYCL holds back keep theirs.
class recipe_launch {
  public:
    using executable_bundle = sycl::kernel_bundle<sycl::bundle_state::executable>;

    /// A recipe handler with these kernels of a bundle.
    static auto create_handler(tiletc_recipe_t recipe, executable_bundle bundle, sized_kernel gemm,
                               sized_kernel gemm_beta0) -> shared_handle<tiletc_recipe_handler_t> {
        auto launch = std::unique_ptr<recipe_launch>(
            new recipe_launch(std::move(bundle), std::move(gemm), std::move(gemm_beta0)));
        tiletc_recipe_handler_callbacks_t callbacks = {};
        callbacks.runtime = runtime_name;
        callbacks.select_kernel = select_kernel;
        callbacks.set_value = set_value;
        callbacks.set_memory = set_memory;
        callbacks.set_groups = set_groups;
        callbacks.destroy = [](void *data) { delete static_cast<recipe_launch *>(data); };
        tiletc_recipe_handler_t handler = nullptr;
        CHECK_STATUS(tiletc_recipe_handler_create_with_callbacks(&handler, recipe, &callbacks,
                                                                 launch.get()));
        launch.release(); // the handler's from now on
        return shared_handle{handler};
    }

    /// Object that `create_handler` put behind the handler; throws `status::invalid_arguments` if it comes
    /// from elsewhere.
    static auto of(tiletc_recipe_handler_t handler) -> recipe_launch const & {
        void *data = nullptr;
        CHECK_STATUS(tiletc_recipe_handler_get_user_data(handler, runtime_name, &data));
        return *static_cast<recipe_launch *>(data);
    }

    /// Makes the launch the action of a command group, which becomes the node of a graph or not; throws
    /// `status::invalid_arguments` before arguments are set.
    void record(sycl::handler &cgh, bool is_node) const {
        if (groups_ < 0) {
            fail(status::invalid_arguments, "the arguments of the recipe are not set");
        }
        if (groups_ == 0) {
            return do_nothing(cgh, is_node);
        }
        for (std::size_t i = 0; i < arguments_.size(); ++i) {
            arguments_[i].set(cgh, static_cast<int>(i));
        }
        auto const &[kernel, local_size] = kernels_[selected_];
        auto const num_groups = sycl::range<3u>{1, 1, static_cast<std::size_t>(groups_)};
        cgh.parallel_for(sycl::nd_range<3u>{num_groups * local_size, local_size}, kernel);
    }

  private:
    /// The kind of handler, and the version of this class, which programs made of parts that were
    /// compiled with different versions must not mix up.
    constexpr static char const *runtime_name = "SYCL 1";

    /// Bytes of a number without a type.
    template <std::size_t Size> using bytes = std::array<unsigned char, Size>;
    constexpr static std::size_t max_size = 16;

    class argument {
      public:
        argument() = default;
        argument(std::size_t size, void const *value) : kind_{kind::number}, size_{size} {
            std::memcpy(bytes_.data(), value, size);
        }
        argument(void const *value, bool is_buffer)
            : kind_{is_buffer ? kind::buffer : kind::address}, size_{sizeof(value)} {
            std::memcpy(bytes_.data(), &value, sizeof(value));
        }

        void set(sycl::handler &cgh, int index) const {
            switch (kind_) {
            case kind::address:
                return cgh.set_arg(index, as<void *>());
            case kind::buffer:
                return cgh.set_arg(index, as<cl_mem>());
            case kind::number:
                break;
            }
            switch (size_) {
            case 1:
                return cgh.set_arg(index, as<bytes<1>>());
            case 2:
                return cgh.set_arg(index, as<bytes<2>>());
            case 4:
                return cgh.set_arg(index, as<bytes<4>>());
            case 8:
                return cgh.set_arg(index, as<bytes<8>>());
            default:
                return cgh.set_arg(index, as<bytes<max_size>>());
            }
        }

      private:
        enum class kind { number, address, buffer };

        template <typename T> auto as() const -> T {
            static_assert(sizeof(T) <= max_size);
            auto value = T{};
            std::memcpy(&value, bytes_.data(), sizeof(T));
            return value;
        }

        kind kind_ = kind::number;
        std::size_t size_ = max_size;
        bytes<max_size> bytes_ = {};
    };

    recipe_launch(executable_bundle bundle, sized_kernel gemm, sized_kernel gemm_beta0)
        : bundle_{std::move(bundle)}, kernels_{std::move(gemm), std::move(gemm_beta0)},
          has_buffers_{kernels_[0].kernel.get_backend() == sycl::backend::opencl} {}

    static auto self(void *data) -> recipe_launch & { return *static_cast<recipe_launch *>(data); }

    static auto select_kernel(void *data, std::size_t kernel) noexcept -> tiletc_status_t {
        auto &launch = self(data);
        if (kernel >= launch.kernels_.size()) {
            return tiletc_status_invalid_arguments;
        }
        launch.selected_ = kernel;
        launch.groups_ = -1;
        launch.arguments_.clear();
        return tiletc_status_success;
    }

    static auto set_value(void *data, std::uint32_t index, std::size_t size,
                          void const *value) noexcept -> tiletc_status_t {
        auto const fits = size == 1 || size == 2 || size == 4 || size == 8 || size == max_size;
        return fits ? self(data).put(index, argument(size, value))
                    : tiletc_status_invalid_kernel_arguments;
    }

    static auto set_memory(void *data, std::uint32_t index, tiletc_mem_type_t type,
                           void const *value) noexcept -> tiletc_status_t {
        // Level Zero has no buffer objects: whatever it is called, it is an address.
        auto const is_buffer = type == tiletc_mem_type_buffer && self(data).has_buffers_;
        return self(data).put(index, argument(value, is_buffer));
    }

    static auto set_groups(void *data, std::int64_t groups) noexcept -> tiletc_status_t {
        self(data).groups_ = groups;
        return tiletc_status_success;
    }

    auto put(std::size_t index, argument const &arg) noexcept -> tiletc_status_t {
        try {
            if (arguments_.size() <= index) {
                arguments_.resize(index + 1);
            }
        } catch (std::bad_alloc const &) {
            return tiletc_status_bad_alloc;
        }
        arguments_[index] = arg;
        return tiletc_status_success;
    }

    // Goes last: SYCL on Level Zero forgets the module of a bundle that goes before its kernels.
    executable_bundle bundle_;
    std::array<sized_kernel, 2u> kernels_;
    bool has_buffers_;
    std::size_t selected_ = 0;
    /// Work-groups along x; negative before arguments are set.
    std::int64_t groups_ = -1;
    std::vector<argument> arguments_;
};

} // namespace internal
} // namespace TILETC_NAMESPACE

#endif // TILETC_RECIPE_LAUNCH_HPP
