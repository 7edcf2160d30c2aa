// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// The 16-bit floating-point types on the host: stored in 16 bits, computed in `float`. Conversions
/// round to nearest, ties to even, exactly as the compiler does for constants.

#include <tiletc/namespace.hpp>

#if defined(TILETC_IN_TINYTC) ? !defined(TILETC_IN_TINYTC_HALF_HPP) : !defined(TILETC_HALF_HPP)
#ifdef TILETC_IN_TINYTC
#define TILETC_IN_TINYTC_HALF_HPP
#else
#define TILETC_HALF_HPP
#endif


#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#if __cplusplus >= 202002L
#include <bit>
/// `constexpr` where the language can look at the bits of a float in a constant expression.
#define TILETC_CONSTEXPR_SINCE_20 constexpr
#else
#include <cstring>
#define TILETC_CONSTEXPR_SINCE_20 inline
#endif

namespace TILETC_NAMESPACE {

/// The layout of an IEEE 754 like binary format.
template <std::uint32_t ExponentBits, std::uint32_t MantissaBits> struct ieee754_format {
    /// Bits of the exponent.
    constexpr static std::uint32_t exponent_bits = ExponentBits;
    /// Bits of the mantissa that are stored.
    constexpr static std::uint32_t mantissa_bits = MantissaBits;
    /// All bits, with the sign's.
    constexpr static std::uint32_t num_bits = 1 + exponent_bits + mantissa_bits;
    /// Bias of the stored exponent.
    constexpr static std::uint32_t bias = (1u << (exponent_bits - 1)) - 1;
    /// All exponent bits set: infinity and NaN.
    constexpr static std::uint32_t max_biased_exponent = (1u << exponent_bits) - 1;
    /// The bit of the sign.
    constexpr static std::uint32_t sign_mask = 1u << (num_bits - 1);
    /// The bits of the exponent.
    constexpr static std::uint32_t exponent_mask = max_biased_exponent << mantissa_bits;
    /// The bits of the mantissa.
    constexpr static std::uint32_t mantissa_mask = (1u << mantissa_bits) - 1;
    /// Bytes that hold all bits.
    constexpr static std::uint32_t num_bytes = 1 + (num_bits - 1) / 8;
    /// The unsigned integer of that size, void if there is none.
    using bits_type = std::conditional_t<
        num_bytes == 1, std::uint8_t,
        std::conditional_t<
            num_bytes == 2, std::uint16_t,
            std::conditional_t<num_bytes == 4, std::uint32_t,
                               std::conditional_t<num_bytes == 8, std::uint64_t, void>>>>;
};

/// The layout of bfloat16.
using bf16_format = ieee754_format<8, 7>;
/// The layout of half precision.
using f16_format = ieee754_format<5, 10>;
/// The layout of single precision.
using f32_format = ieee754_format<8, 23>;

/// Rounds to the narrower format. NaN stays NaN and keeps the high bits of its payload.
template <typename F16f, typename F32f>
constexpr auto ieee754_truncate(typename F32f::bits_type x) -> typename F16f::bits_type {
    using bits_type = typename F16f::bits_type;
    constexpr std::uint32_t shift = F32f::mantissa_bits - F16f::mantissa_bits;

    std::uint32_t const sign = (x & F32f::sign_mask) >> (F32f::num_bits - F16f::num_bits);
    std::uint32_t const exponent = (x & F32f::exponent_mask) >> F32f::mantissa_bits;
    std::uint32_t const mantissa = x & F32f::mantissa_mask;

    if (exponent == F32f::max_biased_exponent) {
        std::uint32_t payload = mantissa >> shift;
        if (mantissa != 0 && payload == 0) {
            payload = 1; // a zero payload would turn NaN into infinity
        }
        return static_cast<bits_type>(sign | F16f::exponent_mask | payload);
    }

    // value = significand * 2^(e - bias - mantissa_bits); subnormal numbers share the exponent 1.
    std::uint32_t const significand =
        exponent != 0 ? (mantissa | (1u << F32f::mantissa_bits)) : mantissa;
    std::int32_t const e = static_cast<std::int32_t>(exponent != 0 ? exponent : 1) -
                           static_cast<std::int32_t>(F32f::bias) +
                           static_cast<std::int32_t>(F16f::bias);
    if (e >= static_cast<std::int32_t>(F16f::max_biased_exponent)) {
        return static_cast<bits_type>(sign | F16f::exponent_mask);
    }

    // Below the smallest normal exponent the significand moves further right instead.
    std::uint32_t const drop = shift + (e < 1 ? static_cast<std::uint32_t>(1 - e) : 0u);
    if (drop > F32f::mantissa_bits + 1) {
        return static_cast<bits_type>(sign); // less than half of the smallest subnormal number
    }
    std::uint32_t rounded = significand;
    if (drop > 0) {
        rounded = significand >> drop;
        std::uint32_t const rest = significand & ((1u << drop) - 1);
        std::uint32_t const half_ulp = 1u << (drop - 1);
        if (rest > half_ulp || (rest == half_ulp && (rounded & 1u) != 0)) {
            ++rounded;
        }
    }
    // The leading one of a normal number, or a carry out of rounding, counts the exponent up.
    std::uint32_t const below = e > 1 ? static_cast<std::uint32_t>(e - 1) : 0u;
    return static_cast<bits_type>(sign | ((below << F16f::mantissa_bits) + rounded));
}

/// Converts to the wider format, exactly; signalling NaN included.
template <typename F32f, typename F16f>
constexpr auto ieee754_extend(typename F16f::bits_type x) -> typename F32f::bits_type {
    using bits_type = typename F32f::bits_type;
    constexpr std::uint32_t shift = F32f::mantissa_bits - F16f::mantissa_bits;
    constexpr std::uint32_t rebias = F32f::bias - F16f::bias;

    std::uint32_t const sign = (x & F16f::sign_mask) << (F32f::num_bits - F16f::num_bits);
    std::uint32_t exponent = (x & F16f::exponent_mask) >> F16f::mantissa_bits;
    std::uint32_t mantissa = (x & F16f::mantissa_mask) << shift;

    if (exponent == F16f::max_biased_exponent) {
        exponent = F32f::max_biased_exponent;
    } else if (exponent != 0) {
        exponent += rebias;
    } else if (mantissa != 0 && rebias != 0) {
        // Subnormal here, normal there: shift until the leading one is where it is implied.
        exponent = rebias + 1;
        while ((mantissa & (1u << F32f::mantissa_bits)) == 0) {
            mantissa <<= 1;
            --exponent;
        }
        mantissa &= F32f::mantissa_mask;
    }
    return static_cast<bits_type>(sign | (exponent << F32f::mantissa_bits) | mantissa);
}

/// A floating-point number stored in `T` with the layout `F16f` and computed with in `float`.
template <typename T, typename F16f> class lp_float {
  public:
    /// The layout.
    using lp_format = F16f;

    /// Not initialised, as for the built-in types.
    constexpr lp_float() = default;
    /// The number nearest to `val`, the even one of two.
    TILETC_CONSTEXPR_SINCE_20 lp_float(float const &val)
        : data_{ieee754_truncate<F16f, f32_format>(to_bits(val))} {}
    /// Becomes the number nearest to `rhs`.
    TILETC_CONSTEXPR_SINCE_20 auto operator=(float const &rhs) -> lp_float & {
        return *this = lp_float{rhs};
    }
    /// The same number in single precision.
    TILETC_CONSTEXPR_SINCE_20 operator float() const {
        return to_float(ieee754_extend<f32_format, F16f>(data_));
    }

    /// The bit pattern.
    constexpr auto bits() const -> T { return data_; }
    /// The number with the given bit pattern.
    constexpr static auto from_bits(T const &val) -> lp_float { return lp_float{val, bits_tag{}}; }

    /// \name Arithmetic
    /// @{

    /// Computed in `float` and rounded once.
    TILETC_CONSTEXPR_SINCE_20 auto operator+(lp_float const &rhs) const -> lp_float {
        return lp_float{float{*this} + float{rhs}};
    }
    TILETC_CONSTEXPR_SINCE_20 auto operator-(lp_float const &rhs) const -> lp_float {
        return lp_float{float{*this} - float{rhs}};
    }
    TILETC_CONSTEXPR_SINCE_20 auto operator*(lp_float const &rhs) const -> lp_float {
        return lp_float{float{*this} * float{rhs}};
    }
    TILETC_CONSTEXPR_SINCE_20 auto operator/(lp_float const &rhs) const -> lp_float {
        return lp_float{float{*this} / float{rhs}};
    }
    TILETC_CONSTEXPR_SINCE_20 auto operator+=(lp_float const &rhs) -> lp_float & {
        return *this = *this + rhs;
    }
    TILETC_CONSTEXPR_SINCE_20 auto operator-=(lp_float const &rhs) -> lp_float & {
        return *this = *this - rhs;
    }
    TILETC_CONSTEXPR_SINCE_20 auto operator*=(lp_float const &rhs) -> lp_float & {
        return *this = *this * rhs;
    }
    TILETC_CONSTEXPR_SINCE_20 auto operator/=(lp_float const &rhs) -> lp_float & {
        return *this = *this / rhs;
    }
    TILETC_CONSTEXPR_SINCE_20 auto operator-() const -> lp_float { return lp_float{-float{*this}}; }
    TILETC_CONSTEXPR_SINCE_20 auto operator++() -> lp_float & {
        return *this = float{*this} + 1.0f;
    }
    TILETC_CONSTEXPR_SINCE_20 auto operator++(int) -> lp_float {
        lp_float const before = *this;
        ++*this;
        return before;
    }
    TILETC_CONSTEXPR_SINCE_20 auto operator--() -> lp_float & {
        return *this = float{*this} - 1.0f;
    }
    TILETC_CONSTEXPR_SINCE_20 auto operator--(int) -> lp_float {
        lp_float const before = *this;
        --*this;
        return before;
    }
    /// @}

    /// \name Comparison
    /// @{

    /// Compares the numbers, as `float` does.
    TILETC_CONSTEXPR_SINCE_20 auto operator==(lp_float const &rhs) const -> bool {
        return float{*this} == float{rhs};
    }
    TILETC_CONSTEXPR_SINCE_20 auto operator!=(lp_float const &rhs) const -> bool {
        return float{*this} != float{rhs};
    }
    TILETC_CONSTEXPR_SINCE_20 auto operator<(lp_float const &rhs) const -> bool {
        return float{*this} < float{rhs};
    }
    TILETC_CONSTEXPR_SINCE_20 auto operator<=(lp_float const &rhs) const -> bool {
        return float{*this} <= float{rhs};
    }
    TILETC_CONSTEXPR_SINCE_20 auto operator>(lp_float const &rhs) const -> bool {
        return float{*this} > float{rhs};
    }
    TILETC_CONSTEXPR_SINCE_20 auto operator>=(lp_float const &rhs) const -> bool {
        return float{*this} >= float{rhs};
    }
    /// @}

  private:
    struct bits_tag {};
    constexpr lp_float(T bits, bits_tag) : data_{bits} {}

#if __cplusplus >= 202002L
    constexpr static auto to_bits(float val) { return std::bit_cast<std::uint32_t>(val); }
    constexpr static auto to_float(std::uint32_t bits) { return std::bit_cast<float>(bits); }
#else
    static auto to_bits(float val) -> std::uint32_t {
        std::uint32_t bits;
        std::memcpy(&bits, &val, sizeof(bits));
        return bits;
    }
    static auto to_float(std::uint32_t bits) -> float {
        float val;
        std::memcpy(&val, &bits, sizeof(val));
        return val;
    }
#endif

    T data_;
};

/// A bfloat16 number.
using bfloat16 = lp_float<std::uint16_t, bf16_format>;
/// A number in half precision.
using half = lp_float<std::uint16_t, f16_format>;

} // namespace TILETC_NAMESPACE

/// Numbers with the same bits have the same hash.
template <typename T, typename F16f> struct std::hash<TILETC_NAMESPACE::lp_float<T, F16f>> {
    /// The hash of the bits.
    auto operator()(TILETC_NAMESPACE::lp_float<T, F16f> const &val) const noexcept -> std::size_t {
        return std::hash<T>{}(val.bits());
    }
};

#undef TILETC_CONSTEXPR_SINCE_20

#endif // TILETC_HALF_HPP
