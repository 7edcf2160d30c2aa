// SPDX-License-Identifier: BSD-3-Clause
//
// Written by `cargo xtask headers`; change src/ffi or xtask/src/headers.rs instead.

/// \file
/// Objects that call a function of C for each tag.

#include <tiletc/namespace.hpp>

#if defined(TILETC_IN_TINYTC) ? !defined(TILETC_IN_TINYTC_CREATORS_HPP) : !defined(TILETC_CREATORS_HPP)
#ifdef TILETC_IN_TINYTC
#define TILETC_IN_TINYTC_CREATORS_HPP
#else
#define TILETC_CREATORS_HPP
#endif

#include <tiletc/array_view.hpp>
#include <tiletc/enums.hpp>
#include <tiletc/error.hpp>
#include <tiletc/handles.hpp>
#include <tiletc/tags.hpp>
#include <tiletc/tiletc.h>

#include <cstdint>
#include <limits>

namespace TILETC_NAMESPACE {

/// Makes an instruction that is in no region yet; throws `builder_error` at `loc`.
template <typename T> struct creator;

/// Conversion between number types, or of a cooperative matrix.
template <> struct creator<cast_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_cast_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_cast_inst_create(&handle, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// a + b.
template <> struct creator<add_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_add_inst_create.
    auto operator()(tiletc_value_t a, tiletc_value_t b, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_add_inst_create(&handle, a, b, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// a - b.
template <> struct creator<sub_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_sub_inst_create.
    auto operator()(tiletc_value_t a, tiletc_value_t b, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_sub_inst_create(&handle, a, b, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// a · b.
template <> struct creator<mul_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_mul_inst_create.
    auto operator()(tiletc_value_t a, tiletc_value_t b, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_mul_inst_create(&handle, a, b, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// a / b; integers truncate toward zero.
template <> struct creator<div_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_div_inst_create.
    auto operator()(tiletc_value_t a, tiletc_value_t b, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_div_inst_create(&handle, a, b, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Remainder of a / b with the sign of a.
template <> struct creator<rem_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_rem_inst_create.
    auto operator()(tiletc_value_t a, tiletc_value_t b, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_rem_inst_create(&handle, a, b, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// a / b of integers, rounded up.
template <> struct creator<cdiv_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_cdiv_inst_create.
    auto operator()(tiletc_value_t a, tiletc_value_t b, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_cdiv_inst_create(&handle, a, b, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// a shifted left by b bits.
template <> struct creator<shl_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_shl_inst_create.
    auto operator()(tiletc_value_t a, tiletc_value_t b, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_shl_inst_create(&handle, a, b, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// a shifted right by b bits, filled with its sign.
template <> struct creator<shr_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_shr_inst_create.
    auto operator()(tiletc_value_t a, tiletc_value_t b, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_shr_inst_create(&handle, a, b, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Bit-wise or logical and.
template <> struct creator<and_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_and_inst_create.
    auto operator()(tiletc_value_t a, tiletc_value_t b, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_and_inst_create(&handle, a, b, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Bit-wise or logical or.
template <> struct creator<or_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_or_inst_create.
    auto operator()(tiletc_value_t a, tiletc_value_t b, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_or_inst_create(&handle, a, b, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Bit-wise or logical exclusive or.
template <> struct creator<xor_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_xor_inst_create.
    auto operator()(tiletc_value_t a, tiletc_value_t b, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_xor_inst_create(&handle, a, b, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// The smaller of a and b; the other one if exactly one is NaN.
template <> struct creator<min_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_min_inst_create.
    auto operator()(tiletc_value_t a, tiletc_value_t b, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_min_inst_create(&handle, a, b, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// The larger of a and b; the other one if exactly one is NaN.
template <> struct creator<max_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_max_inst_create.
    auto operator()(tiletc_value_t a, tiletc_value_t b, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_max_inst_create(&handle, a, b, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Magnitude; real if a is complex.
template <> struct creator<abs_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_abs_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_abs_inst_create(&handle, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// -a.
template <> struct creator<neg_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_neg_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_neg_inst_create(&handle, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Bit-wise or logical complement.
template <> struct creator<not_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_not_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_not_inst_create(&handle, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Complex conjugate.
template <> struct creator<conj_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_conj_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_conj_inst_create(&handle, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Imaginary part.
template <> struct creator<im_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_im_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_im_inst_create(&handle, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Real part.
template <> struct creator<re_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_re_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_re_inst_create(&handle, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Tests whether a = b; the result is a boolean.
template <> struct creator<equal_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_equal_inst_create.
    auto operator()(tiletc_value_t a, tiletc_value_t b, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_equal_inst_create(&handle, a, b, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Tests whether a ≠ b; the result is a boolean.
template <> struct creator<not_equal_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_not_equal_inst_create.
    auto operator()(tiletc_value_t a, tiletc_value_t b, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_not_equal_inst_create(&handle, a, b, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Tests whether a > b; the result is a boolean.
template <> struct creator<greater_than_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_greater_than_inst_create.
    auto operator()(tiletc_value_t a, tiletc_value_t b, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_greater_than_inst_create(&handle, a, b, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Tests whether a ≥ b; the result is a boolean.
template <> struct creator<greater_than_equal_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_greater_than_equal_inst_create.
    auto operator()(tiletc_value_t a, tiletc_value_t b, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_greater_than_equal_inst_create(&handle, a, b, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Tests whether a < b; the result is a boolean.
template <> struct creator<less_than_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_less_than_inst_create.
    auto operator()(tiletc_value_t a, tiletc_value_t b, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_less_than_inst_create(&handle, a, b, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Tests whether a ≤ b; the result is a boolean.
template <> struct creator<less_than_equal_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_less_than_equal_inst_create.
    auto operator()(tiletc_value_t a, tiletc_value_t b, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_less_than_equal_inst_create(&handle, a, b, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Cosine.
template <> struct creator<cos_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_cos_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_cos_inst_create(&handle, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Sine.
template <> struct creator<sin_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_sin_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_sin_inst_create(&handle, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// e to the power of a.
template <> struct creator<exp_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_exp_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_exp_inst_create(&handle, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// 2 to the power of a.
template <> struct creator<exp2_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_exp2_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_exp2_inst_create(&handle, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Natural logarithm.
template <> struct creator<log_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_log_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_log_inst_create(&handle, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Logarithm to base 2.
template <> struct creator<log2_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_log2_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_log2_inst_create(&handle, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Square root.
template <> struct creator<sqrt_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_sqrt_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_sqrt_inst_create(&handle, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Reciprocal of the square root.
template <> struct creator<rsqrt_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_rsqrt_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_rsqrt_inst_create(&handle, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Hyperbolic tangent.
template <> struct creator<tanh_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_tanh_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_tanh_inst_create(&handle, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Error function.
template <> struct creator<erf_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_erf_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_erf_inst_create(&handle, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Cosine, as accurate as the device makes it.
template <> struct creator<native_cos_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_native_cos_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_native_cos_inst_create(&handle, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Sine, as accurate as the device makes it.
template <> struct creator<native_sin_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_native_sin_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_native_sin_inst_create(&handle, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// e to the power of a, as accurate as the device makes it.
template <> struct creator<native_exp_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_native_exp_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_native_exp_inst_create(&handle, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// 2 to the power of a, as accurate as the device makes it.
template <> struct creator<native_exp2_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_native_exp2_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_native_exp2_inst_create(&handle, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Natural logarithm, as accurate as the device makes it.
template <> struct creator<native_log_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_native_log_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_native_log_inst_create(&handle, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Logarithm to base 2, as accurate as the device makes it.
template <> struct creator<native_log2_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_native_log2_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_native_log2_inst_create(&handle, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// a if the condition, a boolean, holds, b otherwise; booleans or numbers of one type. For tiles the condition is a
/// tile of i8, which holds where it is not 0.
template <> struct creator<select_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_select_inst_create.
    auto operator()(tiletc_value_t condition, tiletc_value_t a, tiletc_value_t b,
                    tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_select_inst_create(&handle, condition, a, b, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// The place of the work-group in the grid; an index.
template <> struct creator<group_id_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_group_id_inst_create.
    auto operator()(comp3 mode, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_group_id_inst_create(&handle, static_cast<tiletc_comp3_t>(mode),
                                                     result, &loc), loc);
        return unique_handle{handle};
    }
};

/// The extent of the grid in work-groups; an index.
template <> struct creator<num_groups_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_num_groups_inst_create.
    auto operator()(comp3 mode, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_num_groups_inst_create(&handle, static_cast<tiletc_comp3_t>(mode),
                                                       result, &loc), loc);
        return unique_handle{handle};
    }
};

/// The number of subgroups of the work-group in a direction; an i32.
template <> struct creator<num_subgroups_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_num_subgroups_inst_create.
    auto operator()(comp3 mode, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_num_subgroups_inst_create(&handle,
                                                          static_cast<tiletc_comp3_t>(mode), result,
                                                          &loc), loc);
        return unique_handle{handle};
    }
};

/// The place of the subgroup in the work-group; an i32.
template <> struct creator<subgroup_id_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_subgroup_id_inst_create.
    auto operator()(comp3 mode, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_subgroup_id_inst_create(&handle, static_cast<tiletc_comp3_t>(mode),
                                                        result, &loc), loc);
        return unique_handle{handle};
    }
};

/// The number of work-items of a subgroup; an i32.
template <> struct creator<subgroup_size_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_subgroup_size_inst_create.
    auto operator()(tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_subgroup_size_inst_create(&handle, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// The number of the subgroup in the work-group, x fastest; an i32.
template <> struct creator<subgroup_linear_id_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_subgroup_linear_id_inst_create.
    auto operator()(tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_subgroup_linear_id_inst_create(&handle, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// The place of the work-item in its subgroup; an i32.
template <> struct creator<subgroup_local_id_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_subgroup_local_id_inst_create.
    auto operator()(tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_subgroup_local_id_inst_create(&handle, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// An element of a memref, for which there is an index for each mode, or a member of a group, for
/// which there is one.
template <> struct creator<load_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_load_inst_create.
    auto operator()(tiletc_value_t operand, array_view<tiletc_value_t> index_list,
                    tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_load_inst_create(&handle, operand, index_list.size(),
                                                 index_list.data(), result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Writes an element of a memref; there is an index for each mode.
template <> struct creator<store_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 0;

    /// Calls tiletc_store_inst_create.
    auto operator()(tiletc_value_t val, tiletc_value_t operand,
                    array_view<tiletc_value_t> index_list,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_store_inst_create(&handle, val, operand, index_list.size(),
                                                  index_list.data(), &loc), loc);
        return unique_handle{handle};
    }
};

/// The same as a load, atomically.
template <> struct creator<atomic_load_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_atomic_load_inst_create.
    auto operator()(memory_scope scope, memory_semantics semantics, tiletc_value_t operand,
                    array_view<tiletc_value_t> index_list, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_atomic_load_inst_create(
            &handle, static_cast<tiletc_memory_scope_t>(scope),
            static_cast<tiletc_memory_semantics_t>(semantics), operand, index_list.size(),
            index_list.data(), result, &loc), loc);
        return unique_handle{handle};
    }
};

/// The same as a store, atomically.
template <> struct creator<atomic_store_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 0;

    /// Calls tiletc_atomic_store_inst_create.
    auto operator()(memory_scope scope, memory_semantics semantics, tiletc_value_t val,
                    tiletc_value_t operand, array_view<tiletc_value_t> index_list,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_atomic_store_inst_create(
            &handle, static_cast<tiletc_memory_scope_t>(scope),
            static_cast<tiletc_memory_semantics_t>(semantics), val, operand, index_list.size(),
            index_list.data(), &loc), loc);
        return unique_handle{handle};
    }
};

/// Adds a value to an element atomically; the result is the element before.
template <> struct creator<atomic_add_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_atomic_add_inst_create.
    auto operator()(memory_scope scope, memory_semantics semantics, tiletc_value_t val,
                    tiletc_value_t operand, array_view<tiletc_value_t> index_list,
                    tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_atomic_add_inst_create(
            &handle, static_cast<tiletc_memory_scope_t>(scope),
            static_cast<tiletc_memory_semantics_t>(semantics), val, operand, index_list.size(),
            index_list.data(), result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Keeps the larger of an element and a value atomically; the result is the element before.
template <> struct creator<atomic_max_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_atomic_max_inst_create.
    auto operator()(memory_scope scope, memory_semantics semantics, tiletc_value_t val,
                    tiletc_value_t operand, array_view<tiletc_value_t> index_list,
                    tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_atomic_max_inst_create(
            &handle, static_cast<tiletc_memory_scope_t>(scope),
            static_cast<tiletc_memory_semantics_t>(semantics), val, operand, index_list.size(),
            index_list.data(), result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Keeps the smaller of an element and a value atomically; the result is the element before.
template <> struct creator<atomic_min_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_atomic_min_inst_create.
    auto operator()(memory_scope scope, memory_semantics semantics, tiletc_value_t val,
                    tiletc_value_t operand, array_view<tiletc_value_t> index_list,
                    tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_atomic_min_inst_create(
            &handle, static_cast<tiletc_memory_scope_t>(scope),
            static_cast<tiletc_memory_semantics_t>(semantics), val, operand, index_list.size(),
            index_list.data(), result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Tests whether the base pointer of a memref or group is not null; the result is a boolean.
template <> struct creator<associated_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_associated_inst_create.
    auto operator()(tiletc_value_t operand, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_associated_inst_create(&handle, operand, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Tests whether 2D block messages take a matrix in memory: address, sizes and strides; the result is a
/// boolean.
template <> struct creator<is_surface_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_is_surface_inst_create.
    auto operator()(tiletc_value_t operand, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_is_surface_inst_create(&handle, operand, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// The same matrix, which is known to pass is_surface.
template <> struct creator<as_surface_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_as_surface_inst_create.
    auto operator()(tiletc_value_t operand, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_as_surface_inst_create(&handle, operand, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// The same memory as a memref of another type: sizes and strides that only one of the types fixes are known to
/// have the values of the other one. With .t, the modes of a matrix change places.
template <> struct creator<memref_cast_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_memref_cast_inst_create.
    auto operator()(transpose t, tiletc_value_t operand, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_memref_cast_inst_create(&handle, static_cast<tiletc_transpose_t>(t),
                                                        operand, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// The size of a mode of a memref, counted from 0, or for mode 0 the number of members of a group; an
/// index.
template <> struct creator<size_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_size_inst_create.
    auto operator()(std::int64_t mode, tiletc_value_t operand, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_size_inst_create(&handle, mode, operand, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Part of a memref: an offset and a size for each mode, whose stride stays. Entries of the static
/// offsets and sizes that are TILETC_DYNAMIC take the next of the offsets and sizes, an index; a
/// static size of 0 drops the mode.
template <> struct creator<subview_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_subview_inst_create.
    auto operator()(array_view<std::int64_t> static_offsets, array_view<std::int64_t> static_sizes,
                    tiletc_value_t operand, array_view<tiletc_value_t> offsets,
                    array_view<tiletc_value_t> sizes, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_subview_inst_create(&handle, static_offsets.size(),
                                                    static_offsets.data(), static_sizes.size(),
                                                    static_sizes.data(), operand, offsets.size(),
                                                    offsets.data(), sizes.size(), sizes.data(),
                                                    result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Splits a mode of a memref, counted from 0, into two or more, whose sizes are the static shape, the
/// first one fastest; the size of the mode is their product. Entries that are TILETC_DYNAMIC take the
/// next of the shape, an index.
template <> struct creator<expand_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_expand_inst_create.
    auto operator()(
        std::int64_t expanded_mode, array_view<std::int64_t> static_expand_shape,
        tiletc_value_t operand, array_view<tiletc_value_t> expand_shape, tiletc_type_t result,
        location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_expand_inst_create(&handle, expanded_mode,
                                                   static_expand_shape.size(),
                                                   static_expand_shape.data(), operand,
                                                   expand_shape.size(), expand_shape.data(), result,
                                                   &loc), loc);
        return unique_handle{handle};
    }
};

/// Joins the modes from ... to of a memref, counted from 0 and both included, into one, whose size is
/// the product of theirs. They must be contiguous in memory.
template <> struct creator<fuse_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_fuse_inst_create.
    auto operator()(std::int64_t from, std::int64_t to, tiletc_value_t operand,
                    tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_fuse_inst_create(&handle, from, to, operand, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Waits until all work-items of the work-group are here, and orders accesses to the address spaces
/// given, a set of tiletc_address_space_t bits.
template <> struct creator<barrier_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 0;

    /// Calls tiletc_barrier_inst_create.
    auto operator()(tiletc_address_spaces_t fence_flags,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_barrier_inst_create(&handle, fence_flags, &loc), loc);
        return unique_handle{handle};
    }
};

/// Tells the others of the work-group that a work-item is here, and goes on: the first half of a barrier that
/// orders accesses to local memory.
template <> struct creator<barrier_arrive_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 0;

    /// Calls tiletc_barrier_arrive_inst_create.
    auto operator()(location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_barrier_arrive_inst_create(&handle, &loc), loc);
        return unique_handle{handle};
    }
};

/// Waits until all work-items of the work-group have come to barrier_arrive: the second half.
template <> struct creator<barrier_wait_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 0;

    /// Calls tiletc_barrier_wait_inst_create.
    auto operator()(location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_barrier_wait_inst_create(&handle, &loc), loc);
        return unique_handle{handle};
    }
};

/// Shared local memory of the work-group; the result is a memref of static shape in the local address
/// space.
template <> struct creator<alloca_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_alloca_inst_create.
    auto operator()(tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_alloca_inst_create(&handle, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// The point after which an allocation is dead.
template <> struct creator<lifetime_stop_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 0;

    /// Calls tiletc_lifetime_stop_inst_create.
    auto operator()(tiletc_value_t object,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_lifetime_stop_inst_create(&handle, object, &loc), loc);
        return unique_handle{handle};
    }
};

/// A counted loop over [from, to), three integers of one type; step may be NULL, which stands for 1.
/// Each result is a boolean, a number, a cooperative matrix or a tile, and has an initial value of its type.
/// The parameters of the region are the loop variable, of the type of from, and one for each result;
/// it ends with a yield of the next values.
template <> struct creator<for_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = std::numeric_limits<std::int32_t>::max();

    /// Calls tiletc_for_inst_create.
    auto operator()(tiletc_value_t from, tiletc_value_t to, tiletc_value_t step,
                    array_view<tiletc_value_t> iter_init, array_view<tiletc_type_t> results,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_for_inst_create(&handle, from, to, step, iter_init.size(),
                                                iter_init.data(), results.size(), results.data(),
                                                &loc), loc);
        return unique_handle{handle};
    }
};

/// A branch on a boolean. Region 0 is taken if it holds, region 1 otherwise. Each result is a
/// boolean, a number, a cooperative matrix or a tile; if there are any, both regions end with a
/// yield of them.
template <> struct creator<if_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = std::numeric_limits<std::int32_t>::max();

    /// Calls tiletc_if_inst_create.
    auto operator()(tiletc_value_t condition, array_view<tiletc_type_t> results,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_if_inst_create(&handle, condition, results.size(), results.data(),
                                               &loc), loc);
        return unique_handle{handle};
    }
};

/// Ends a region that returns values.
template <> struct creator<yield_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 0;

    /// Calls tiletc_yield_inst_create.
    auto operator()(array_view<tiletc_value_t> yielded_vals,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_yield_inst_create(&handle, yielded_vals.size(), yielded_vals.data(),
                                                  &loc), loc);
        return unique_handle{handle};
    }
};

/// Leaves the loop whose body it stands in if a boolean holds, which in collective code must be the same for the
/// work-group. The results of the loop are then what it carried when the iteration began.
template <> struct creator<break_if_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 0;

    /// Calls tiletc_break_if_inst_create.
    auto operator()(tiletc_value_t condition,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_break_if_inst_create(&handle, condition, &loc), loc);
        return unique_handle{handle};
    }
};

/// Runs its region by every work-item of the work-group. Each result is a tile, of which every subgroup yields its own
/// share at the end of the region.
template <> struct creator<parallel_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 0;

    /// Calls tiletc_parallel_inst_create.
    auto operator()(location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_parallel_inst_create(&handle, &loc), loc);
        return unique_handle{handle};
    }
};

/// Runs its region by every work-item of the work-group. Each result is a tile, of which every subgroup yields its own
/// share at the end of the region.
template <> struct creator<parallel_with_results_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = std::numeric_limits<std::int32_t>::max();

    /// Calls tiletc_parallel_with_results_inst_create.
    auto operator()(array_view<tiletc_type_t> results,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_parallel_with_results_inst_create(&handle, results.size(),
                                                                  results.data(), &loc), loc);
        return unique_handle{handle};
    }
};

/// Runs its region for each point of a range, spread over the work-items. In each mode from and to
/// are integers of one type. The parameters of the region are the point.
template <> struct creator<foreach_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 0;

    /// Calls tiletc_foreach_inst_create.
    auto operator()(array_view<tiletc_value_t> from, array_view<tiletc_value_t> to,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_foreach_inst_create(&handle, from.size(), from.data(), to.size(),
                                                    to.data(), &loc), loc);
        return unique_handle{handle};
    }
};

/// Runs its region for each tile of a range, each by one subgroup. In each mode from and to are
/// integers of one type, and there is a largest size. The parameters of the region are the first
/// point of the tile and its sizes.
template <> struct creator<foreach_tile_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 0;

    /// Calls tiletc_foreach_tile_inst_create.
    auto operator()(array_view<std::int64_t> tile_shape, array_view<tiletc_value_t> from,
                    array_view<tiletc_value_t> to,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_foreach_tile_inst_create(&handle, tile_shape.size(),
                                                         tile_shape.data(), from.size(),
                                                         from.data(), to.size(), to.data(),
                                                         &loc), loc);
        return unique_handle{handle};
    }
};

/// The value of the work-item idx, an i32, in all of its subgroup.
template <> struct creator<subgroup_broadcast_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_subgroup_broadcast_inst_create.
    auto operator()(tiletc_value_t a, tiletc_value_t idx, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_subgroup_broadcast_inst_create(&handle, a, idx, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Sum of the work-items before.
template <> struct creator<subgroup_exclusive_scan_add_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_subgroup_exclusive_scan_add_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_subgroup_exclusive_scan_add_inst_create(&handle, a, result,
                                                                        &loc), loc);
        return unique_handle{handle};
    }
};

/// Largest value of the work-items before.
template <> struct creator<subgroup_exclusive_scan_max_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_subgroup_exclusive_scan_max_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_subgroup_exclusive_scan_max_inst_create(&handle, a, result,
                                                                        &loc), loc);
        return unique_handle{handle};
    }
};

/// Smallest value of the work-items before.
template <> struct creator<subgroup_exclusive_scan_min_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_subgroup_exclusive_scan_min_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_subgroup_exclusive_scan_min_inst_create(&handle, a, result,
                                                                        &loc), loc);
        return unique_handle{handle};
    }
};

/// Sum up to and with the work-item.
template <> struct creator<subgroup_inclusive_scan_add_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_subgroup_inclusive_scan_add_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_subgroup_inclusive_scan_add_inst_create(&handle, a, result,
                                                                        &loc), loc);
        return unique_handle{handle};
    }
};

/// Largest value up to and with the work-item.
template <> struct creator<subgroup_inclusive_scan_max_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_subgroup_inclusive_scan_max_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_subgroup_inclusive_scan_max_inst_create(&handle, a, result,
                                                                        &loc), loc);
        return unique_handle{handle};
    }
};

/// Smallest value up to and with the work-item.
template <> struct creator<subgroup_inclusive_scan_min_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_subgroup_inclusive_scan_min_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_subgroup_inclusive_scan_min_inst_create(&handle, a, result,
                                                                        &loc), loc);
        return unique_handle{handle};
    }
};

/// Sum of all work-items of the subgroup.
template <> struct creator<subgroup_reduce_add_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_subgroup_reduce_add_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_subgroup_reduce_add_inst_create(&handle, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Largest value of all work-items of the subgroup.
template <> struct creator<subgroup_reduce_max_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_subgroup_reduce_max_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_subgroup_reduce_max_inst_create(&handle, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Smallest value of all work-items of the subgroup.
template <> struct creator<subgroup_reduce_min_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_subgroup_reduce_min_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_subgroup_reduce_min_inst_create(&handle, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// B := alpha·op(A) + beta·B. op(A) and B are two scalars, two vectors of N elements or two M x N
/// matrices; tA only matters for matrices.
template <> struct creator<axpby_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 0;

    /// Calls tiletc_axpby_inst_create.
    auto operator()(bool atomic, transpose tA, tiletc_value_t alpha, tiletc_value_t A,
                    tiletc_value_t beta, tiletc_value_t B,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_axpby_inst_create(&handle, atomic ? 1 : 0,
                                                  static_cast<tiletc_transpose_t>(tA), alpha, A,
                                                  beta, B, &loc), loc);
        return unique_handle{handle};
    }
};

/// B := alpha·(running sums of A along a mode, counted from 0) + beta·B. A and B have the same shape,
/// of order 1 or more.
template <> struct creator<cumsum_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 0;

    /// Calls tiletc_cumsum_inst_create.
    auto operator()(bool atomic, std::int64_t mode, tiletc_value_t alpha, tiletc_value_t A,
                    tiletc_value_t beta, tiletc_value_t B,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_cumsum_inst_create(&handle, atomic ? 1 : 0, mode, alpha, A, beta, B,
                                                   &loc), loc);
        return unique_handle{handle};
    }
};

/// B := alpha·(sums of the rows of op(A), or the sum of a vector) + beta·B. op(A) is M x N and B has
/// M elements, or A has N elements and B is a memref of order 0.
template <> struct creator<sum_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 0;

    /// Calls tiletc_sum_inst_create.
    auto operator()(bool atomic, transpose tA, tiletc_value_t alpha, tiletc_value_t A,
                    tiletc_value_t beta, tiletc_value_t B,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_sum_inst_create(&handle, atomic ? 1 : 0,
                                                static_cast<tiletc_transpose_t>(tA), alpha, A, beta,
                                                B, &loc), loc);
        return unique_handle{handle};
    }
};

/// C := alpha·op(A)·B + beta·C. op(A) is M x N, the vector B has N elements, the vector C has M.
template <> struct creator<gemv_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 0;

    /// Calls tiletc_gemv_inst_create.
    auto operator()(bool atomic, transpose tA, tiletc_value_t alpha, tiletc_value_t A,
                    tiletc_value_t B, tiletc_value_t beta, tiletc_value_t C,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_gemv_inst_create(&handle, atomic ? 1 : 0,
                                                 static_cast<tiletc_transpose_t>(tA), alpha, A, B,
                                                 beta, C, &loc), loc);
        return unique_handle{handle};
    }
};

/// C := alpha·A·B^T + beta·C. The vector A has M elements, the vector B has N, C is M x N.
template <> struct creator<ger_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 0;

    /// Calls tiletc_ger_inst_create.
    auto operator()(bool atomic, tiletc_value_t alpha, tiletc_value_t A, tiletc_value_t B,
                    tiletc_value_t beta, tiletc_value_t C,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_ger_inst_create(&handle, atomic ? 1 : 0, alpha, A, B, beta, C,
                                                &loc), loc);
        return unique_handle{handle};
    }
};

/// C := alpha·A∘B + beta·C, entry by entry. A, B and C are vectors of N elements or M x N matrices.
template <> struct creator<hadamard_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 0;

    /// Calls tiletc_hadamard_inst_create.
    auto operator()(bool atomic, tiletc_value_t alpha, tiletc_value_t A, tiletc_value_t B,
                    tiletc_value_t beta, tiletc_value_t C,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_hadamard_inst_create(&handle, atomic ? 1 : 0, alpha, A, B, beta, C,
                                                     &loc), loc);
        return unique_handle{handle};
    }
};

/// C := alpha·op(A)·op(B) + beta·C. op(A) is M x K, op(B) is K x N, C is M x N.
template <> struct creator<gemm_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 0;

    /// Calls tiletc_gemm_inst_create.
    auto operator()(bool atomic, transpose tA, transpose tB, tiletc_value_t alpha, tiletc_value_t A,
                    tiletc_value_t B, tiletc_value_t beta, tiletc_value_t C,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_gemm_inst_create(&handle, atomic ? 1 : 0,
                                                 static_cast<tiletc_transpose_t>(tA),
                                                 static_cast<tiletc_transpose_t>(tB), alpha, A, B,
                                                 beta, C, &loc), loc);
        return unique_handle{handle};
    }
};

/// Reads a matrix from a matrix in memory. Entry (i, j) is at (pos0 + i, pos1 + j) of the operand, or
/// with a transpose at (pos0 + j, pos1 + i); entries that fail a check are 0.
template <> struct creator<cooperative_matrix_load_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_cooperative_matrix_load_inst_create.
    auto operator()(transpose t, checked_flag checked, tiletc_value_t operand, tiletc_value_t pos0,
                    tiletc_value_t pos1, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_cooperative_matrix_load_inst_create(
            &handle, static_cast<tiletc_transpose_t>(t),
            static_cast<tiletc_checked_flag_t>(checked), operand, pos0, pos1, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Writes a matrix to a matrix in memory, with every entry where a load takes it from; entries that
/// fail a check are skipped.
template <> struct creator<cooperative_matrix_store_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 0;

    /// Calls tiletc_cooperative_matrix_store_inst_create.
    auto operator()(transpose t, checked_flag checked, tiletc_value_t val, tiletc_value_t operand,
                    tiletc_value_t pos0, tiletc_value_t pos1,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_cooperative_matrix_store_inst_create(
            &handle, static_cast<tiletc_transpose_t>(t),
            static_cast<tiletc_checked_flag_t>(checked), val, operand, pos0, pos1, &loc), loc);
        return unique_handle{handle};
    }
};

/// a·b + c. a is an M x K matrix_a, b a K x N matrix_b, c and the result are M x N of matrix_acc.
template <> struct creator<cooperative_matrix_mul_add_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_cooperative_matrix_mul_add_inst_create.
    auto operator()(tiletc_value_t a, tiletc_value_t b, tiletc_value_t c, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_cooperative_matrix_mul_add_inst_create(&handle, a, b, c, result,
                                                                       &loc), loc);
        return unique_handle{handle};
    }
};

/// The number a, of the component type, times every entry of the matrix b; the result has the type of
/// b.
template <> struct creator<cooperative_matrix_scale_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_cooperative_matrix_scale_inst_create.
    auto operator()(tiletc_value_t a, tiletc_value_t b, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_cooperative_matrix_scale_inst_create(&handle, a, b, result,
                                                                     &loc), loc);
        return unique_handle{handle};
    }
};

/// A matrix with a number, of its component type, in every entry.
template <> struct creator<cooperative_matrix_construct_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_cooperative_matrix_construct_inst_create.
    auto operator()(tiletc_value_t number, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_cooperative_matrix_construct_inst_create(&handle, number, result,
                                                                         &loc), loc);
        return unique_handle{handle};
    }
};

/// A component of the work-item's share of a matrix, counted from 0.
template <> struct creator<cooperative_matrix_extract_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_cooperative_matrix_extract_inst_create.
    auto operator()(std::int64_t index, tiletc_value_t mat, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_cooperative_matrix_extract_inst_create(&handle, index, mat, result,
                                                                       &loc), loc);
        return unique_handle{handle};
    }
};

/// The matrix with one component of the work-item's share, counted from 0, replaced.
template <> struct creator<cooperative_matrix_insert_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_cooperative_matrix_insert_inst_create.
    auto operator()(std::int64_t index, tiletc_value_t val, tiletc_value_t mat,
                    tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_cooperative_matrix_insert_inst_create(&handle, index, val, mat,
                                                                      result, &loc), loc);
        return unique_handle{handle};
    }
};

/// The part of a matrix that begins at a row and a column, counted from 0, with as many rows and columns as
/// the type of the result has.
template <> struct creator<cooperative_matrix_slice_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_cooperative_matrix_slice_inst_create.
    auto operator()(std::int64_t row, std::int64_t col, tiletc_value_t mat, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_cooperative_matrix_slice_inst_create(&handle, row, col, mat, result,
                                                                     &loc), loc);
        return unique_handle{handle};
    }
};

/// Computes every entry: the parameters of the region are row and column, of type i32, and the entry,
/// and it yields the new entry.
template <> struct creator<cooperative_matrix_apply_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_cooperative_matrix_apply_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_cooperative_matrix_apply_inst_create(&handle, a, result,
                                                                     &loc), loc);
        return unique_handle{handle};
    }
};

/// The same as a load, with an atomic access for each entry.
template <> struct creator<cooperative_matrix_atomic_load_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_cooperative_matrix_atomic_load_inst_create.
    auto operator()(transpose t, checked_flag checked, memory_scope scope,
                    memory_semantics semantics, tiletc_value_t operand, tiletc_value_t pos0,
                    tiletc_value_t pos1, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_cooperative_matrix_atomic_load_inst_create(
            &handle, static_cast<tiletc_transpose_t>(t),
            static_cast<tiletc_checked_flag_t>(checked), static_cast<tiletc_memory_scope_t>(scope),
            static_cast<tiletc_memory_semantics_t>(semantics), operand, pos0, pos1, result,
            &loc), loc);
        return unique_handle{handle};
    }
};

/// The same as a store, with an atomic access for each entry.
template <> struct creator<cooperative_matrix_atomic_store_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 0;

    /// Calls tiletc_cooperative_matrix_atomic_store_inst_create.
    auto operator()(transpose t, checked_flag checked, memory_scope scope,
                    memory_semantics semantics, tiletc_value_t val, tiletc_value_t operand,
                    tiletc_value_t pos0, tiletc_value_t pos1,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_cooperative_matrix_atomic_store_inst_create(
            &handle, static_cast<tiletc_transpose_t>(t),
            static_cast<tiletc_checked_flag_t>(checked), static_cast<tiletc_memory_scope_t>(scope),
            static_cast<tiletc_memory_semantics_t>(semantics), val, operand, pos0, pos1,
            &loc), loc);
        return unique_handle{handle};
    }
};

/// Adds the entries of a matrix to memory atomically; the result holds the entries
/// before.
template <> struct creator<cooperative_matrix_atomic_add_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_cooperative_matrix_atomic_add_inst_create.
    auto operator()(transpose t, checked_flag checked, memory_scope scope,
                    memory_semantics semantics, tiletc_value_t val, tiletc_value_t operand,
                    tiletc_value_t pos0, tiletc_value_t pos1, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_cooperative_matrix_atomic_add_inst_create(
            &handle, static_cast<tiletc_transpose_t>(t),
            static_cast<tiletc_checked_flag_t>(checked), static_cast<tiletc_memory_scope_t>(scope),
            static_cast<tiletc_memory_semantics_t>(semantics), val, operand, pos0, pos1, result,
            &loc), loc);
        return unique_handle{handle};
    }
};

/// Keeps the larger entries of a matrix and of memory atomically; the result holds the entries
/// before.
template <> struct creator<cooperative_matrix_atomic_max_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_cooperative_matrix_atomic_max_inst_create.
    auto operator()(transpose t, checked_flag checked, memory_scope scope,
                    memory_semantics semantics, tiletc_value_t val, tiletc_value_t operand,
                    tiletc_value_t pos0, tiletc_value_t pos1, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_cooperative_matrix_atomic_max_inst_create(
            &handle, static_cast<tiletc_transpose_t>(t),
            static_cast<tiletc_checked_flag_t>(checked), static_cast<tiletc_memory_scope_t>(scope),
            static_cast<tiletc_memory_semantics_t>(semantics), val, operand, pos0, pos1, result,
            &loc), loc);
        return unique_handle{handle};
    }
};

/// Keeps the smaller entries of a matrix and of memory atomically; the result holds the entries
/// before.
template <> struct creator<cooperative_matrix_atomic_min_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_cooperative_matrix_atomic_min_inst_create.
    auto operator()(transpose t, checked_flag checked, memory_scope scope,
                    memory_semantics semantics, tiletc_value_t val, tiletc_value_t operand,
                    tiletc_value_t pos0, tiletc_value_t pos1, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_cooperative_matrix_atomic_min_inst_create(
            &handle, static_cast<tiletc_transpose_t>(t),
            static_cast<tiletc_checked_flag_t>(checked), static_cast<tiletc_memory_scope_t>(scope),
            static_cast<tiletc_memory_semantics_t>(semantics), val, operand, pos0, pos1, result,
            &loc), loc);
        return unique_handle{handle};
    }
};

/// Sums along the rows (M x N to M x 1) or the columns (M x N to 1 x N) of a matrix.
template <> struct creator<cooperative_matrix_reduce_add_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_cooperative_matrix_reduce_add_inst_create.
    auto operator()(reduce_mode mode, tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_cooperative_matrix_reduce_add_inst_create(
            &handle, static_cast<tiletc_reduce_mode_t>(mode), a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Largest entries along the rows (M x N to M x 1) or the columns (M x N to 1 x N) of a matrix.
template <> struct creator<cooperative_matrix_reduce_max_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_cooperative_matrix_reduce_max_inst_create.
    auto operator()(reduce_mode mode, tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_cooperative_matrix_reduce_max_inst_create(
            &handle, static_cast<tiletc_reduce_mode_t>(mode), a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Smallest entries along the rows (M x N to M x 1) or the columns (M x N to 1 x N) of a matrix.
template <> struct creator<cooperative_matrix_reduce_min_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_cooperative_matrix_reduce_min_inst_create.
    auto operator()(reduce_mode mode, tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_cooperative_matrix_reduce_min_inst_create(
            &handle, static_cast<tiletc_reduce_mode_t>(mode), a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// A hint to bring rows x cols entries of a matrix in memory into a cache; level 0 is nearest to the
/// core.
template <> struct creator<cooperative_matrix_prefetch_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 0;

    /// Calls tiletc_cooperative_matrix_prefetch_inst_create.
    auto operator()(std::int32_t cache_level, std::int32_t rows, std::int32_t cols,
                    tiletc_value_t operand, tiletc_value_t pos0, tiletc_value_t pos1,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_cooperative_matrix_prefetch_inst_create(&handle, cache_level, rows,
                                                                        cols, operand, pos0, pos1,
                                                                        &loc), loc);
        return unique_handle{handle};
    }
};

/// Computes every entry from the entries of matrices of one use, whose shape is that of the result, a row or a
/// column of it, or a single entry: the parameters of the region
/// are row and column, of type i32, and the entry of each matrix, and it yields the entry of the result.
template <> struct creator<cooperative_matrix_map_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_cooperative_matrix_map_inst_create.
    auto operator()(array_view<tiletc_value_t> matrices, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_cooperative_matrix_map_inst_create(&handle, matrices.size(),
                                                                   matrices.data(), result,
                                                                   &loc), loc);
        return unique_handle{handle};
    }
};

/// The tile of a matrix of rows x cols tiles, two indices, that a work-group takes: a bijection
/// from [0, rows·cols), and (rows, cols) beyond. The results are the indices of its row and column. The
/// number of the work-group is linear if there is one, or else group_id.x + num_groups.x·group_id.y.
template <> struct creator<tile_order_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = std::numeric_limits<std::int32_t>::max();

    /// Calls tiletc_tile_order_inst_create.
    auto operator()(tile_order order, tiletc_value_t num_rows, tiletc_value_t num_cols,
                    tiletc_value_t linear, array_view<tiletc_type_t> results,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_tile_order_inst_create(
            &handle, static_cast<tiletc_tile_order_t>(order), num_rows, num_cols, linear,
            results.size(), results.data(), &loc), loc);
        return unique_handle{handle};
    }
};

/// Reads a tile from a matrix in memory. Entry (i, j) is at (pos0 + i, pos1 + j) of the operand, or with a
/// transpose at (pos0 + j, pos1 + i). Entries outside are what the boundary says; of those, and of those
/// for which the region, the mask, does not yield true, no memory is touched, and they are other, or 0
/// without it. The parameters of the region are the row and the column of the operand.
template <> struct creator<tile_load_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_tile_load_inst_create.
    auto operator()(transpose t, boundary boundary, tiletc_value_t operand, tiletc_value_t pos0,
                    tiletc_value_t pos1, tiletc_value_t other, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_tile_load_inst_create(
            &handle, static_cast<tiletc_transpose_t>(t), static_cast<tiletc_boundary_t>(boundary),
            operand, pos0, pos1, other, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Writes a tile to a matrix in memory, with every entry where a load takes it from. Entries outside, and
/// those for which the region, the mask, does not yield true, are not written.
template <> struct creator<tile_store_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 0;

    /// Calls tiletc_tile_store_inst_create.
    auto operator()(bool atomic_add, transpose t, bool unchecked, tiletc_value_t val,
                    tiletc_value_t operand, tiletc_value_t pos0, tiletc_value_t pos1,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_tile_store_inst_create(&handle, atomic_add ? 1 : 0,
                                                       static_cast<tiletc_transpose_t>(t),
                                                       unchecked ? 1 : 0, val, operand, pos0, pos1,
                                                       &loc), loc);
        return unique_handle{handle};
    }
};

/// Copies a part of a matrix in global memory, as large as a matrix in local memory, into the latter, for all of the work-group.
/// Entry (i, j) of the copy is at (pos0 + i, pos1 + j) of the operand, or with a transpose at (pos0 + j, pos1 + i). What is
/// outside of the operand is copied as the boundary says. Numbers are promoted to those of the copy. A copy of order 3 is of panels: (i, j) is at (i mod d, j, i/d) there,
/// for d the size of its first mode.
template <> struct creator<tile_copy_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 0;

    /// Calls tiletc_tile_copy_inst_create.
    auto operator()(transpose t, boundary boundary, tiletc_value_t operand, tiletc_value_t pos0,
                    tiletc_value_t pos1, tiletc_value_t copy,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_tile_copy_inst_create(
            &handle, static_cast<tiletc_transpose_t>(t), static_cast<tiletc_boundary_t>(boundary),
            operand, pos0, pos1, copy, &loc), loc);
        return unique_handle{handle};
    }
};

/// A hint to bring rows x cols entries of a matrix in memory into a cache; level 0 is nearest to the
/// core.
template <> struct creator<tile_prefetch_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 0;

    /// Calls tiletc_tile_prefetch_inst_create.
    auto operator()(std::int32_t cache_level, std::int32_t rows, std::int32_t cols,
                    tiletc_value_t operand, tiletc_value_t pos0, tiletc_value_t pos1,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_tile_prefetch_inst_create(&handle, cache_level, rows, cols, operand,
                                                          pos0, pos1, &loc), loc);
        return unique_handle{handle};
    }
};

/// a·b + c. a is an M x K matrix_a, b a K x N matrix_b, c and the result are M x N of matrix_acc.
template <> struct creator<tile_dot_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_tile_dot_inst_create.
    auto operator()(tiletc_value_t a, tiletc_value_t b, tiletc_value_t c, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_tile_dot_inst_create(&handle, a, b, c, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Computes every entry from the entries of tiles of one use, whose shape is that of the result, a row or a column
/// of it, or a single entry: the parameters of the region are row and column, of type i32, and the entry of each
/// tile, and it yields the entry of the result.
template <> struct creator<tile_apply_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_tile_apply_inst_create.
    auto operator()(array_view<tiletc_value_t> tiles, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_tile_apply_inst_create(&handle, tiles.size(), tiles.data(), result,
                                                       &loc), loc);
        return unique_handle{handle};
    }
};

/// The number a, of the component type, times every entry of the tile b; the result has the type of b.
template <> struct creator<tile_scale_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_tile_scale_inst_create.
    auto operator()(tiletc_value_t a, tiletc_value_t b, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_tile_scale_inst_create(&handle, a, b, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Sums along the rows (M x N to M x 1) or the columns (M x N to 1 x N) of a tile.
template <> struct creator<tile_reduce_add_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_tile_reduce_add_inst_create.
    auto operator()(reduce_mode mode, bool share, tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_tile_reduce_add_inst_create(
            &handle, static_cast<tiletc_reduce_mode_t>(mode), share ? 1 : 0, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Largest entries along the rows (M x N to M x 1) or the columns (M x N to 1 x N) of a tile.
template <> struct creator<tile_reduce_max_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_tile_reduce_max_inst_create.
    auto operator()(reduce_mode mode, bool share, tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_tile_reduce_max_inst_create(
            &handle, static_cast<tiletc_reduce_mode_t>(mode), share ? 1 : 0, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Smallest entries along the rows (M x N to M x 1) or the columns (M x N to 1 x N) of a tile.
template <> struct creator<tile_reduce_min_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_tile_reduce_min_inst_create.
    auto operator()(reduce_mode mode, bool share, tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_tile_reduce_min_inst_create(
            &handle, static_cast<tiletc_reduce_mode_t>(mode), share ? 1 : 0, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// The tile with rows and columns exchanged: R x C of matrix_acc becomes C x R.
template <> struct creator<tile_transpose_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_tile_transpose_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_tile_transpose_inst_create(&handle, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// A block of the subgroup's own share of a tile: the cooperative matrix, of r x c, in row row and column col of the r x c blocks
/// of the share. All blocks of tiles of one size and use have one shape.
template <> struct creator<tile_fragment_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_tile_fragment_inst_create.
    auto operator()(std::int64_t row, std::int64_t col, tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_tile_fragment_inst_create(&handle, row, col, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

/// The tile a with a block of the subgroup's own share replaced by the cooperative matrix fragment; it has the type of a.
template <> struct creator<tile_with_fragment_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_tile_with_fragment_inst_create.
    auto operator()(std::int64_t row, std::int64_t col, tiletc_value_t fragment, tiletc_value_t a,
                    tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_tile_with_fragment_inst_create(&handle, row, col, fragment, a,
                                                               result, &loc), loc);
        return unique_handle{handle};
    }
};

/// Returns whether an entry of a tile of integers is greater than 0, as the 1 of comparisons is.
template <> struct creator<tile_any_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// Calls tiletc_tile_any_inst_create.
    auto operator()(tiletc_value_t a, tiletc_type_t result,
                    location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(tiletc_tile_any_inst_create(&handle, a, result, &loc), loc);
        return unique_handle{handle};
    }
};

} // namespace TILETC_NAMESPACE

#endif // TILETC_CREATORS_HPP
