// SPDX-License-Identifier: BSD-3-Clause

#ifndef EXAMPLES_USM_ARRAY_HPP
#define EXAMPLES_USM_ARRAY_HPP

#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

/// Memory shared by host and device, or of another kind, aligned as the compiler assumes it.
template <typename T> class usm_array {
  public:
    /// Bytes the compiler assumes base pointers to be aligned to.
    constexpr static std::size_t alignment = 128;

    usm_array(std::int64_t size, sycl::queue const &q,
              sycl::usm::alloc kind = sycl::usm::alloc::shared)
        : data_{sycl::aligned_alloc<T>(alignment, static_cast<std::size_t>(size), q, kind),
                deleter{q.get_context()}} {
        if (!data_) {
            throw std::runtime_error("the device has no memory for " + std::to_string(size) +
                                     " numbers in one piece");
        }
    }

    auto get() const -> T * { return data_.get(); }

  private:
    struct deleter {
        sycl::context ctx;
        void operator()(T *ptr) const { sycl::free(ptr, ctx); }
    };
    std::unique_ptr<T, deleter> data_;
};

#endif // EXAMPLES_USM_ARRAY_HPP
