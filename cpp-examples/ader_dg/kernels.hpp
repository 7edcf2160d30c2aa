// SPDX-License-Identifier: BSD-3-Clause

#ifndef ADER_DG_KERNELS_HPP
#define ADER_DG_KERNELS_HPP

#include "device.hpp"
#include "f32_2.hpp"
#include "f32_3.hpp"
#include "f32_4.hpp"
#include "f32_5.hpp"
#include "f32_6.hpp"
#include "f32_7.hpp"
#include "f64_2.hpp"
#include "f64_3.hpp"
#include "f64_4.hpp"
#include "f64_5.hpp"
#include "f64_6.hpp"
#include "f64_7.hpp"
#include "kernel.hpp"
#include "progress.hpp"
#include "tensors.hpp"

#include <tiletc/tiletc_sycl.hpp>

#include <sycl/sycl.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

/// The kernels of ader_dg.ir, those of a time step in their order, and those of halo.ir.
enum kernel : std::size_t { predictor, volume, local_flux, neighbour_flux, pack, unpack };

/// The kernels of a time step.
constexpr std::array<char const *, 4> kernel_names = {"predictor", "volume", "local_flux",
                                                      "neighbour_flux"};

/// Sizes of tensors of numbers of type T.
template <typename T>
auto size_of(int order, std::int64_t elements, std::int64_t halo = 0) -> dimensions {
    return {order, elements, std::int64_t{sizeof(T)}, halo};
}

/// The functions of the kernels of an order for numbers of type T, parts of this program.
template <typename T> auto embedded_kernels(int order) {
    auto const place = static_cast<std::size_t>(order - 2);
#define OF(name)                                                                                   \
    std::tuple(&name::predictor, &name::volume, &name::local_flux, &name::neighbour_flux,          \
               &name::pack, &name::unpack)
    if constexpr (std::is_same_v<T, float>) {
        return std::array{OF(f32_2), OF(f32_3), OF(f32_4), OF(f32_5), OF(f32_6), OF(f32_7)}.at(
            place);
    } else {
        return std::array{OF(f64_2), OF(f64_3), OF(f64_4), OF(f64_5), OF(f64_6), OF(f64_7)}.at(
            place);
    }
#undef OF
}

/// The kernels of an order for numbers of type T.
template <typename T> class time_step_kernels {
  public:
    /// Builds the kernels for the queue's device, those of a time step of a file if there is a name
    /// of one. Throws if that cannot be done.
    time_step_kernels(int order, std::string const &file, sycl::queue const &q,
                      progress &status_line)
        : order_{order}, embedded_{embedded_kernels<T>(order)} {
        // A launch builds all kernels that come from its file, also one for no element.
        std::get<pack>(embedded_)(q, nullptr, 0, nullptr, 0, nullptr, 0, {});
        if (file.empty()) {
            std::get<volume>(embedded_)(q, nullptr, 0, nullptr, nullptr, 0, nullptr, 0, nullptr, 0,
                                        {});
            return;
        }
        auto const definitions = std::string("$real = ") + type_name<T>() +
                                 " $bytes = " + std::to_string(sizeof(T)) +
                                 " $order = " + std::to_string(order);
        auto const compiled = compile_template(file, definitions, kernel_names[0], q, status_line);
        for (auto const *name : kernel_names) {
            of_file_.push_back({compiled.bundle, tiletc::create_kernel(compiled.bundle, name)});
        }
    }

    auto order() const -> int { return order_; }

    /// Launches a kernel for all elements of the list that is its first argument.
    template <kernel Kernel, typename... Arguments>
    auto launch(sycl::queue const &q, Arguments const &...arguments) const -> sycl::event {
        return Kernel < of_file_.size()
                   ? tiletc::submit(q, of_file_[Kernel].kernel, arguments...)
                   : std::get<Kernel>(embedded_)(q, arguments..., {});
    }

  private:
    int order_;
    decltype(embedded_kernels<T>(0)) embedded_;
    std::vector<compiled_kernel> of_file_;
};

#endif // ADER_DG_KERNELS_HPP
