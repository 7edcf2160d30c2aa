// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Building blocks of the generated checks. SYCL is not seen here: a stream is a `sycl::queue *`.

#ifndef CODEGEN_SUPPORT_HPP
#define CODEGEN_SUPPORT_HPP

#include "random.hpp"
#include "rounding.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace generated {

/// Each kernel runs so many times, one after the other.
constexpr int launches = 2;

/// The largest error as a fraction of what is allowed; not a number, or infinite, if a number is
/// wrong that has no error to be allowed.
struct outcome {
    double worst = 0.0;

    auto right() const -> bool { return worst <= 1.0; }
};

/// The check of a kernel.
struct test_case {
    char const *name;
    bool double_precision;
    outcome (*check)(void *stream);
};

/// The checks of all units of the program.
auto all_units() -> std::vector<std::vector<test_case>>;

/// Memory that host and device share, aligned as the compiler assumes it.
auto shared_memory(std::size_t bytes, void *stream) -> std::shared_ptr<void>;

/// Waits until all launches are done.
void wait_for(void *stream);

template <typename T> auto shared_array(std::int64_t size, void *stream) -> std::shared_ptr<T> {
    auto const memory = shared_memory(static_cast<std::size_t>(size) * sizeof(T), stream);
    return {memory, static_cast<T *>(memory.get())};
}

/// A number for each element, where the device sees it.
inline auto numbers(std::initializer_list<std::int64_t> list, void *stream)
    -> std::shared_ptr<std::int64_t> {
    auto array = shared_array<std::int64_t>(static_cast<std::int64_t>(list.size()), stream);
    std::copy(list.begin(), list.end(), array.get());
    return array;
}

/// First matrices of the elements in an allocation.
struct slots {
    std::vector<std::int64_t> begin;
    /// Numbers from where the pointer of a group leads to the matrix.
    std::int64_t offset = 0;
    /// Numbers in the allocation.
    std::int64_t size = 0;

    /// `count` matrices, `stride` numbers apart, the first after so many numbers.
    static auto contiguous(std::int64_t count, std::int64_t stride, std::int64_t first) -> slots {
        auto places = slots{};
        for (std::int64_t e = 0; e < count; ++e) {
            places.begin.push_back(first + e * stride);
        }
        places.size = first + count * stride + 1;
        return places;
    }

    /// `count` matrices of so many numbers in places of their own, backwards, with gaps; pointers
    /// lead `offset` numbers before them, to aligned addresses.
    template <typename T>
    static auto scattered(std::int64_t count, std::int64_t matrix, std::int64_t offset) -> slots {
        constexpr std::int64_t align = 128 / sizeof(T);
        auto const slot = ((offset + matrix + align - 1) / align + 1) * align;
        auto places = slots{};
        for (std::int64_t e = 0; e < count; ++e) {
            places.begin.push_back((count - 1 - e) * slot + offset);
        }
        places.offset = offset;
        places.size = count * slot;
        return places;
    }
};

/// The matrices of one parameter: rows x cols x slices numbers each, columns `leading` apart.
struct shape {
    std::int64_t rows, cols, slices, leading;

    auto place(std::int64_t i, std::int64_t j, std::int64_t s) const -> std::int64_t {
        return i + leading * (j + cols * s);
    }
};

/// A parameter on the device, and what the reference makes of it. What is not filled is NaN and has
/// to remain.
template <typename T> class tensor {
  public:
    tensor(shape of, slots places, void *stream)
        : shape_{of}, slots_{std::move(places)}, data_{shared_array<T>(slots_.size, stream)},
          table_{shared_array<T *>(static_cast<std::int64_t>(slots_.begin.size()), stream)},
          before_(static_cast<std::size_t>(slots_.size), std::numeric_limits<T>::quiet_NaN()),
          now_(before_.size()), written_(before_.size()) {
        for (std::size_t e = 0; e < slots_.begin.size(); ++e) {
            table_.get()[e] = data_.get() + slots_.begin[e] - slots_.offset;
        }
        upload();
    }

    /// Gives every entry of the matrices a value; tensors of different seeds get different ones.
    void fill(int seed) {
        for (auto const begin : slots_.begin) {
            for (std::int64_t s = 0; s < shape_.slices; ++s) {
                for (std::int64_t j = 0; j < shape_.cols; ++j) {
                    for (std::int64_t i = 0; i < shape_.rows; ++i) {
                        auto const at = begin + shape_.place(i, j, s);
                        before_[static_cast<std::size_t>(at)] =
                            static_cast<T>(random_number(static_cast<std::uint8_t>(seed), at, 1.0));
                    }
                }
            }
        }
        upload();
    }

    /// Arguments of kernels: the first matrix, or pointers to each.
    auto data() const -> T * { return data_.get() + slots_.begin.front(); }
    auto table() const -> T *const * { return table_.get(); }

    /// An entry of the reference.
    auto read(std::int64_t e, std::int64_t i, std::int64_t j, std::int64_t s) const
        -> bounded<T> const & {
        return now_[index(e, i, j, s)];
    }
    auto write(std::int64_t e, std::int64_t i, std::int64_t j, std::int64_t s) -> bounded<T> & {
        auto const at = index(e, i, j, s);
        written_[at] = true;
        return now_[at];
    }

    /// Compares everything that was written with the reference, and the rest with what it was.
    auto compare() const -> double {
        double worst = 0.0;
        for (std::size_t at = 0; at < now_.size(); ++at) {
            auto const &found = data_.get()[at];
            auto const same = std::memcmp(&found, &before_[at], sizeof(T)) == 0;
            auto fraction = same ? 0.0 : std::numeric_limits<double>::infinity();
            if (written_[at]) {
                auto const difference = std::fabs(static_cast<wide<T>>(found) - now_[at].value);
                fraction = static_cast<double>(difference / now_[at].error);
                // Nothing may be wrong where no error is allowed, and 0 / 0 is no error.
                fraction = difference == 0 ? 0.0 : fraction;
            }
            worst = std::isnan(fraction) || fraction > worst ? fraction : worst;
            if (std::isnan(worst)) {
                return worst;
            }
        }
        return worst;
    }

  private:
    void upload() {
        std::copy(before_.begin(), before_.end(), data_.get());
        for (std::size_t at = 0; at < now_.size(); ++at) {
            now_[at] = {static_cast<wide<T>>(before_[at]), 0};
        }
    }

    auto index(std::int64_t e, std::int64_t i, std::int64_t j, std::int64_t s) const
        -> std::size_t {
        return static_cast<std::size_t>(slots_.begin[static_cast<std::size_t>(e)] +
                                        shape_.place(i, j, s));
    }

    shape shape_;
    slots slots_;
    std::shared_ptr<T> data_;
    std::shared_ptr<T *> table_;
    std::vector<T> before_;
    std::vector<bounded<T>> now_;
    std::vector<bool> written_;
};

/// A matrix in local memory, as the reference has it.
template <typename T> class local_matrix {
  public:
    local_matrix(std::int64_t rows, std::int64_t cols)
        : rows_{rows}, numbers_(static_cast<std::size_t>(rows * cols)) {}

    auto at(std::int64_t i, std::int64_t j) -> bounded<T> & {
        return numbers_[static_cast<std::size_t>(i + j * rows_)];
    }

  private:
    std::int64_t rows_;
    std::vector<bounded<T>> numbers_;
};

/// The comparison of several tensors.
template <typename... T> auto compare(tensor<T> const &...tensors) -> outcome {
    auto all = outcome{};
    for (auto const worst : {tensors.compare()...}) {
        all.worst = std::isnan(worst) || worst > all.worst ? worst : all.worst;
        if (std::isnan(all.worst)) {
            break;
        }
    }
    return all;
}

} // namespace generated

#endif // CODEGEN_SUPPORT_HPP
