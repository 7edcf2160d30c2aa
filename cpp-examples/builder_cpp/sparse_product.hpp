// SPDX-License-Identifier: BSD-3-Clause

#ifndef BUILDER_CPP_SPARSE_PRODUCT_HPP
#define BUILDER_CPP_SPARSE_PRODUCT_HPP

#include "sparse_matrix.hpp"

#include <tiletc/tiletc.hpp>

#include <cstdint>

/// Elements that a work-group works on.
constexpr std::int64_t elements_per_group = 32;

/// Columns of P and Q.
constexpr std::int64_t N = 9;

/// Builds the program with the kernel
///
///     sparse_product(P: memref<T x B x 9 x ?>, Q: memref<T x B x 9 x ?>)
///
/// which updates Q(:,:,e) <- Q(:,:,e) + S P(:,:,e) for all elements e, `elements_per_group` of them
/// per work-group. S is of order B; the kernel contains its entries and nothing else of it.
/// `number` is T, a floating-point type.
auto build_sparse_product(sparse_matrix const &S, tiletc_type_t number)
    -> tiletc::shared_handle<tiletc_prog_t>;

#endif // BUILDER_CPP_SPARSE_PRODUCT_HPP
