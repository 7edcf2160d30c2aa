// SPDX-License-Identifier: BSD-3-Clause

#ifndef EXAMPLES_SCATTERED_MATRICES_HPP
#define EXAMPLES_SCATTERED_MATRICES_HPP

#include "usm_array.hpp"

#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

/// `count` matrices of `Size` numbers each, every one in a place of its own and neighbours far
/// apart in memory: what a kernel takes as a group.
template <typename T, std::int64_t Size> class scattered_matrices {
  public:
    scattered_matrices(std::int64_t count, sycl::queue const &q) : pointers_(count, q) {
        auto slots = std::vector<std::int64_t>(static_cast<std::size_t>(count));
        std::iota(slots.begin(), slots.end(), 0);
        auto generator = std::mt19937_64{9};
        for (std::size_t i = slots.size(); i > 1; --i) {
            std::swap(slots[i - 1], slots[generator() % i]);
        }
        for (std::int64_t first = 0; first < count; first += slots_per_slab) {
            auto const size = std::min(slots_per_slab, count - first) * slot_size;
            auto const &slab = slabs_.emplace_back(size, q);
            // What lies between the matrices must not matter to anybody.
            std::fill_n(slab.get(), size, std::numeric_limits<T>::quiet_NaN());
        }
        for (std::int64_t i = 0; i < count; ++i) {
            auto const slot = slots[static_cast<std::size_t>(i)];
            get()[i] = slabs_[static_cast<std::size_t>(slot / slots_per_slab)].get() +
                       (slot % slots_per_slab) * slot_size;
        }
    }

    /// The pointers to the matrices.
    auto get() const -> T ** { return pointers_.get(); }

    /// Bytes of memory per matrix.
    constexpr static auto bytes_per_matrix() -> std::size_t {
        return static_cast<std::size_t>(slot_size) * sizeof(T) + sizeof(T *);
    }

  private:
    /// Numbers from one matrix to the next one in memory: the matrix, rounded up to the alignment,
    /// and a gap, so that no two matrices touch.
    constexpr static std::int64_t align_numbers = usm_array<T>::alignment / sizeof(T);
    constexpr static std::int64_t slot_size =
        ((Size + align_numbers - 1) / align_numbers + 1) * align_numbers;
    /// Matrices per allocation.
    constexpr static std::int64_t slots_per_slab = 4096;

    usm_array<T *> pointers_;
    std::vector<usm_array<T>> slabs_;
};

#endif // EXAMPLES_SCATTERED_MATRICES_HPP
