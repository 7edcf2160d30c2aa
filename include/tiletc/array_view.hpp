// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Views of arrays somebody else owns: how lists are handed to and taken from the C functions.

#include <tiletc/namespace.hpp>

#if defined(TILETC_IN_TINYTC) ? !defined(TILETC_IN_TINYTC_ARRAY_VIEW_HPP) : !defined(TILETC_ARRAY_VIEW_HPP)
#ifdef TILETC_IN_TINYTC
#define TILETC_IN_TINYTC_ARRAY_VIEW_HPP
#else
#define TILETC_ARRAY_VIEW_HPP
#endif


#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace TILETC_NAMESPACE {

/// Common part of both kinds of view. A view is two words; copy it freely.
template <typename T> class array_view_base {
  public:
    /// Goes through the elements.
    using iterator = T *;

    /// The empty view.
    array_view_base() : data_{nullptr}, size_{0} {}
    /// A view of one element.
    array_view_base(T &single) : data_{&single}, size_{1} {}
    /// A view of `size` elements from `data` on.
    array_view_base(T *data, std::size_t size) : data_{data}, size_{size} {}
    /// A view of the elements from `begin` to before `end`.
    array_view_base(T *begin, T *end)
        : data_{begin}, size_{static_cast<std::size_t>(end - begin)} {}

    /// The first element.
    auto begin() const -> iterator { return data_; }
    /// Behind the last element.
    auto end() const -> iterator { return data_ + size_; }
    /// Returns whether there is no element.
    auto empty() const -> bool { return size_ == 0; }
    /// The number of elements.
    auto size() const -> std::size_t { return size_; }
    /// The first element of a view that has one.
    auto front() const -> T & { return data_[0]; }
    /// The last element of a view that has one.
    auto back() const -> T & { return data_[size_ - 1]; }
    /// The elements as an array.
    auto data() const -> T * { return data_; }
    /// Element `n`, which is not checked.
    auto operator[](std::size_t n) const -> T & { return data_[n]; }

    /// A copy of the elements.
    operator std::vector<std::remove_const_t<T>>() const {
        return std::vector<std::remove_const_t<T>>(begin(), end());
    }

    /// Returns whether both views have the same elements, in number and value.
    auto operator==(array_view_base const &other) const -> bool {
        return std::equal(begin(), end(), other.begin(), other.end());
    }
    /// Returns whether the views differ in an element or in size.
    auto operator!=(array_view_base const &other) const -> bool { return !(*this == other); }

  private:
    T *data_;
    std::size_t size_;
};

/// A view of elements that are only read.
template <typename T> class array_view : public array_view_base<T const> {
  public:
    using array_view_base<T const>::array_view_base;

    array_view() = default;
    /// A view of a vector, valid until that grows or goes.
    array_view(std::vector<T> const &vec) : array_view_base<T const>(vec.data(), vec.size()) {}
    /// A view of an array.
    template <std::size_t N>
    array_view(std::array<T, N> const &arr) : array_view_base<T const>(arr.data(), N) {}
    /// A view of a braced list; it is valid until the end of the full expression.
    array_view(std::initializer_list<T> const &list)
        : array_view_base<T const>(list.size() ? list.begin() : nullptr, list.size()) {}
};

/// A view of one element.
template <typename T> array_view(T const &) -> array_view<T>;
/// A view of elements from a pointer on.
template <typename T> array_view(T const *, std::size_t) -> array_view<T>;
/// A view of the elements between two pointers.
template <typename T> array_view(T const *, T const *) -> array_view<T>;

/// A view of elements that may be written.
template <typename T> class mutable_array_view : public array_view_base<T> {
  public:
    using array_view_base<T>::array_view_base;

    mutable_array_view() = default;
    /// A view of a vector, valid until that grows or goes.
    mutable_array_view(std::vector<T> &vec) : array_view_base<T>(vec.data(), vec.size()) {}
    /// A view of an array.
    template <std::size_t N>
    mutable_array_view(std::array<T, N> &arr) : array_view_base<T>(arr.data(), N) {}
};

/// A view of one element.
template <typename T> mutable_array_view(T &) -> mutable_array_view<T>;
/// A view of elements from a pointer on.
template <typename T> mutable_array_view(T *, std::size_t) -> mutable_array_view<T>;
/// A view of the elements between two pointers.
template <typename T> mutable_array_view(T *, T *) -> mutable_array_view<T>;

} // namespace TILETC_NAMESPACE

#endif // TILETC_ARRAY_VIEW_HPP
