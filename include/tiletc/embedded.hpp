// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Kernels that are part of a program: what the headers that `tiletc embed` writes are made of.

#include <tiletc/namespace.hpp>

#if defined(TILETC_IN_TINYTC) ? !defined(TILETC_IN_TINYTC_EMBEDDED_HPP) : !defined(TILETC_EMBEDDED_HPP)
#ifdef TILETC_IN_TINYTC
#define TILETC_IN_TINYTC_EMBEDDED_HPP
#else
#define TILETC_EMBEDDED_HPP
#endif

#include <tiletc/tiletc_sycl.hpp>

#include <sycl/sycl.hpp>

#include <algorithm>
#include <atomic>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <list>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace TILETC_NAMESPACE {

/// A program compiled for a device when the user's program was built.
struct embedded_binary {
    char const *device; ///< name of the device, as `create_core_info_intel_from_name` takes it
    bundle_format format; ///< SPIR-V or native
    tiletc_core_feature_flags_t core_features; ///< features that it was compiled with
    std::size_t size; ///< bytes
    std::uint8_t const *data; ///< the module
};

/// A program whose text and binaries are constants of the user's program.
///
/// Its kernels are built once for each context and device that they are launched on, of the binary for the
/// device's family if there is one and the driver takes it, else of the text, and kept as long as the program
/// runs. Any thread may use it.
class embedded_program {
  public:
    /// A program of this text, which has these kernels; nothing is built yet.
    embedded_program(std::string text, std::vector<char const *> kernels,
                     std::vector<embedded_binary> binaries)
        : text_{std::move(text)}, kernels_{std::move(kernels)}, binaries_{std::move(binaries)} {}

    /// The kernel of a number, built for context and device of a queue.
    auto kernel(sycl::queue const &q, std::size_t number) -> sycl::kernel {
        return known(q, number).kernel;
    }

    /// Submits a launch of the kernel of a number. The types of its arguments are right, so that only their values are
    /// compared with what the kernel was compiled for, if it is built of the text: of binaries nothing is known. Where
    /// that does not suffice, it does what `submit` does.
    template <typename... T>
    auto launch(sycl::queue q, std::size_t number, sycl::range<3u> const &num_groups,
                std::vector<sycl::event> const &dep_events, T const &...values) -> sycl::event {
        auto const &[kernel, launch] = known(q, number);
        auto groups = num_groups;
        if (launch.accepts(&num_groups, groups, values...)) {
            return internal::submit_sized(q, kernel, launch.local_size, groups, dep_events, values...);
        }
        return internal::submit_groups(q, kernel, &num_groups, dep_events, values...);
    }

  private:
    using executable_bundle = sycl::kernel_bundle<sycl::bundle_state::executable>;

    struct known_kernel {
        sycl::kernel kernel;
        internal::known_launch launch;
    };

    struct built {
        sycl::context ctx;
        sycl::device dev;
        executable_bundle bundle;
        std::vector<known_kernel> kernels;
    };

    auto known(sycl::queue const &q, std::size_t number) -> known_kernel const & {
        auto const ctx = q.get_context();
        auto const dev = q.get_device();
        auto const is_for = [&](built const &known) { return known.ctx == ctx && known.dev == dev; };
        // Most programs have one device, and find it without a lock.
        if (auto const *last = last_.load(std::memory_order_acquire); last != nullptr && is_for(*last)) {
            return last->kernels[number];
        }
        auto const lock = std::lock_guard{mutex_};
        auto found = std::find_if(built_.begin(), built_.end(), is_for);
        if (found == built_.end()) {
            auto made = built{ctx, dev, bundle(ctx, dev), {}};
            for (auto const *name : kernels_) {
                auto kernel = create_kernel(made.bundle, name);
                auto launch = internal::make_known_launch(kernel, [](std::size_t) { return true; });
                made.kernels.push_back({std::move(kernel), std::move(launch)});
            }
            found = built_.insert(built_.end(), std::move(made));
        }
        last_.store(&*found, std::memory_order_release);
        return found->kernels[number];
    }

    auto bundle(sycl::context const &ctx, sycl::device const &dev) const -> executable_bundle {
        auto const info = create_core_info(dev);
        for (auto const &binary : binaries_) {
            auto const of = create_core_info_intel_from_name(binary.device);
            tiletc_bool_t is_same = 0;
            CHECK_STATUS(tiletc_core_info_is_same_family(info.get(), of.get(), &is_same));
            if (is_same == 0) {
                continue;
            }
            // A native binary is for one device of the family, and drivers refuse it on the others.
            auto const may_be_refused = binary.format == bundle_format::native;
            try {
                auto const compiler = create_compiler_context();
                return create_kernel_bundle(ctx, dev,
                                            create_binary(compiler.get(), binary.format, binary.size,
                                                          binary.data, binary.core_features));
            } catch (std::exception const &) {
                if (!may_be_refused) {
                    throw;
                }
            } catch (status const &) {
                // What fails throws the bare enumeration in the namespace of tinytc.
                if (!may_be_refused) {
                    throw;
                }
            }
        }
        return create_kernel_bundle(ctx, dev, parse_string(text_));
    }

    std::string text_;
    std::vector<char const *> kernels_;
    std::vector<embedded_binary> binaries_;
    std::mutex mutex_;
    std::list<built> built_;
    /// The one that was used last.
    std::atomic<built const *> last_{nullptr};
};

namespace internal {

/// A number of work-groups; negative ones are none.
inline auto grid_size(std::int64_t size) -> std::size_t {
    return static_cast<std::size_t>(std::max<std::int64_t>(size, 0));
}

/// a / b rounded toward zero; 0 if b is 0.
inline auto grid_div(std::int64_t a, std::int64_t b) -> std::int64_t { return b == 0 ? 0 : a / b; }

/// a / b rounded up; 0 if b is 0.
inline auto grid_cdiv(std::int64_t a, std::int64_t b) -> std::int64_t {
    return b == 0 ? 0 : a / b + (a % b != 0 && (a < 0) == (b < 0) ? 1 : 0);
}

} // namespace internal
} // namespace TILETC_NAMESPACE

#endif // TILETC_EMBEDDED_HPP
