// SPDX-License-Identifier: BSD-3-Clause

// Array views, half-precision numbers and memory objects: the parts of the C++ interface that need
// no library.

#include "check.hpp"

#include <tiletc/tiletc.hpp>

#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

using tiletc::array_view;
using tiletc::bfloat16;
using tiletc::half;
using tiletc::mem;
using tiletc::mutable_array_view;

static_assert(std::is_trivially_copyable_v<half> && sizeof(half) == 2);
static_assert(std::is_same_v<tiletc::f32_format::bits_type, std::uint32_t>);
static_assert(tiletc::f16_format::bias == 15 && tiletc::bf16_format::exponent_mask == 0x7f80);
static_assert(half::from_bits(0x3c00).bits() == 0x3c00);
#if __cplusplus >= 202002L
static_assert(half{1.5f} + half{0.25f} == half{1.75f});
#endif

namespace {

auto sum(array_view<int> values) -> int {
    int total = 0;
    for (int value : values) {
        total += value;
    }
    return total;
}

void fill(mutable_array_view<int> values) {
    for (auto &value : values) {
        value = 7;
    }
}

void views_come_from_everything() {
    CHECK(sum({}) == 0);
    CHECK(sum({1, 2, 3}) == 6);
    CHECK(sum(std::vector<int>{4, 5}) == 9);
    CHECK(sum(std::array{1, 1, 1}) == 3);
    int const one = 5;
    CHECK(sum(one) == 5);

    int a = 1, b = 2;
    CHECK(array_view{a}.size() == 1);
    CHECK((array_view{a, b}.size() == 2));
    std::int64_t const big_a = 3, big_b = 4;
    static_assert(std::is_same_v<decltype(array_view{big_a, big_b}), array_view<std::int64_t>>);
    CHECK((array_view{big_a, big_b}.size() == 2));

    auto values = std::vector<int>{1, 2, 3, 4};
    auto const view = array_view(values.data(), 2);
    CHECK(view.size() == 2 && view.front() == 1 && view.back() == 2 && view[1] == 2);
    CHECK(array_view(values.data() + 1, values.data() + 4).size() == 3);
    CHECK(array_view<int>{}.empty() && array_view<int>{}.data() == nullptr);

    std::vector<int> const copy = view;
    CHECK(copy == std::vector<int>({1, 2}));
    CHECK(view == array_view<int>(copy));
    CHECK(view != array_view<int>(values));
    CHECK(array_view<int>{} != view);

    fill(values);
    CHECK(values == std::vector<int>(4, 7));
    auto two = std::array<int, 2>{};
    fill(two);
    CHECK(two[1] == 7);
    fill(a);
    CHECK(a == 7);
    fill({});
}

auto float_of(std::uint32_t bits) -> float {
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
}

auto bits_of(float value) -> std::uint32_t {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits;
}

void halves_round_as_the_library_does() {
    constexpr std::uint32_t inputs[] = {0x3dcccccd, 0x40490fdb, 0x477fefff, 0x477ff000, 0x7f800001,
                                        0xff800000, 0x387fffff, 0x34200001, 0x33000001, 0x33400000,
                                        0x33000000, 0x32ffffff, 0x00000001, 0x80000000, 0x007fffff,
                                        0x7f7fffff, 0x7fc00000, 0x38800000, 0x387fe000, 0xb87fc000};
    for (auto input : inputs) {
        auto const value = float_of(input);
        CHECK(half{value}.bits() == tiletc_f32_to_f16_as_ui16(value));
        CHECK(bfloat16{value}.bits() == tiletc_f32_to_bf16_as_ui16(value));
    }
    CHECK(half{float_of(0x34200001)}.bits() == 0x0003);
    CHECK(half{float_of(0x33000001)}.bits() == 0x0001);
    CHECK(half{float_of(0x33000000)}.bits() == 0x0000);
    CHECK(half{float_of(0x387fffff)}.bits() == 0x0400);
    CHECK(half{float_of(0x7f800001)}.bits() == 0x7c01);
    CHECK(bfloat16{float_of(0x477fefff)}.bits() == 0x4780);

    for (std::uint32_t i = 0; i <= 0xffff; ++i) {
        auto const bits = static_cast<std::uint16_t>(i);
        auto const h = half::from_bits(bits);
        auto const b = bfloat16::from_bits(bits);
        CHECK(bits_of(h) == bits_of(tiletc_f16_as_ui16_to_f32(bits)));
        CHECK(bits_of(b) == bits_of(tiletc_bf16_as_ui16_to_f32(bits)));
        CHECK(half{float{h}}.bits() == bits);
        CHECK(bfloat16{float{b}}.bits() == bits);
    }
}

void halves_compute() {
    half x = 1.5f;
    x += half{0.5f};
    CHECK(x == half{2.0f});
    CHECK(x++ == half{2.0f} && x == half{3.0f});
    CHECK(--x == half{2.0f} && -x < x && x >= half{2.0f});
    CHECK(float{x * x / half{4.0f} - half{1.0f}} == 0.0f);
    CHECK(half{std::numeric_limits<float>::quiet_NaN()} != half{0.0f});
    CHECK(std::hash<half>{}(x) == std::hash<std::uint16_t>{}(x.bits()));
}

void memory_knows_its_kind() {
    float number = 0.0f;
    float *pointer = &number;
    CHECK(mem(pointer).type == tiletc::mem_type::usm_pointer && mem(pointer).value == pointer);
    CHECK(mem(&pointer).type == tiletc::mem_type::usm_pointer);
    CHECK(mem(static_cast<void *>(pointer)).type == tiletc::mem_type::usm_pointer);
    CHECK(mem(pointer, tiletc::mem_type::svm_pointer).type == tiletc::mem_type::svm_pointer);
    CHECK(mem(pointer, tiletc_mem_type_svm_pointer).type == tiletc::mem_type::svm_pointer);
    static_assert(tiletc::is_supported_scalar_type<std::complex<double>>);
    static_assert(tiletc::is_usm_pointer_type<std::int16_t **>);
    static_assert(!tiletc::is_usm_pointer_type<float>);
    static_assert(!tiletc::is_usm_pointer_type<char *>);
    static_assert(!tiletc::is_usm_pointer_type<float ***>);
    static_assert(!tiletc::is_usm_pointer_type<void **>);
}

} // namespace

int main() {
    views_come_from_everything();
    halves_round_as_the_library_does();
    halves_compute();
    memory_knows_its_kind();
    return check_result();
}
