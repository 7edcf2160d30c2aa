// SPDX-License-Identifier: BSD-3-Clause

#ifndef TILETC_TESTS_NATIVE_MODULES_HPP
#define TILETC_TESTS_NATIVE_MODULES_HPP

#include "check.hpp"

#include <tiletc/tiletc_sycl.hpp>

#include <dlfcn.h>

#include <cstdint>
#include <optional>

/// Modules and kernels of Level Zero under SYCL: alive as long as SYCL needs them, and then gone.
/// The virtual GPU's driver, unlike others, says of any handle whether it is one.
class native_modules {
  public:
    /// `q` is one of Level Zero.
    explicit native_modules(sycl::queue const &q) : q_{q} {
        auto *const library = dlopen("libze_loader.so.1", RTLD_NOW | RTLD_LOCAL);
        if (library != nullptr) {
            kernel_names_ =
                reinterpret_cast<get_kernel_names>(dlsym(library, "zeModuleGetKernelNames"));
            kernel_name_ = reinterpret_cast<get_name>(dlsym(library, "zeKernelGetName"));
        }
        CHECK(kernel_names_ != nullptr && kernel_name_ != nullptr);
    }

    /// Bundles and kernels, in the order in which programs make and forget them.
    void check(const_tiletc_binary_t good, const_tiletc_binary_t broken) {
        if (kernel_names_ == nullptr || kernel_name_ == nullptr) {
            return;
        }
        ze_module_handle_t module = nullptr;
        ze_kernel_handle_t native_kernel = nullptr;
        {
            auto kernel = std::optional<sycl::kernel>{};
            {
                auto const bundle = make(good);
                module = sycl::get_native<backend>(bundle).front();
                auto const copy = bundle;
                CHECK(status_of([&] { tiletc::create_kernel(copy, "nowhere"); }) !=
                      tiletc::status::success);
                kernel = tiletc::create_kernel(copy, "copy");
                native_kernel = sycl::get_native<backend>(*kernel);
                CHECK(is_alive(module) && is_alive(native_kernel));
            }
            // The kernel keeps its bundle.
            CHECK(is_alive(module) && is_alive(native_kernel));
        }
        CHECK(!is_alive(module) && !is_alive(native_kernel));
        CHECK(status_of([&] { make(broken); }) == tiletc::status::compute_runtime_error);
        // What is gone, or never was, takes nothing else with it.
        auto const another = make(good);
        CHECK(is_alive(sycl::get_native<backend>(another).front()) && !is_alive(module));
    }

  private:
    static constexpr auto backend = sycl::backend::ext_oneapi_level_zero;
    using get_kernel_names = std::int32_t (*)(ze_module_handle_t, std::uint32_t *, char const **);
    using get_name = std::int32_t (*)(ze_kernel_handle_t, std::size_t *, char *);

    auto make(const_tiletc_binary_t bin) const -> tiletc::internal::executable_bundle {
        return tiletc::create_kernel_bundle(q_.get_context(), q_.get_device(), bin);
    }
    auto is_alive(ze_module_handle_t module) const -> bool {
        std::uint32_t count = 0;
        return kernel_names_(module, &count, nullptr) == 0 && count == 1;
    }
    auto is_alive(ze_kernel_handle_t kernel) const -> bool {
        std::size_t size = 0;
        return kernel_name_(kernel, &size, nullptr) == 0 && size == sizeof("copy");
    }

    sycl::queue q_;
    get_kernel_names kernel_names_ = nullptr;
    get_name kernel_name_ = nullptr;
};

#endif // TILETC_TESTS_NATIVE_MODULES_HPP
