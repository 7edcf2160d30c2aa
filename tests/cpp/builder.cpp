// SPDX-License-Identifier: BSD-3-Clause

// The parts of programs, one by one: types, attributes, values, instructions, regions, functions,
// who owns them, and what their constructors refuse.

#include "builder.hpp"

#include <array>
#include <complex>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using namespace tiletc;

namespace {

void types_are_interned() {
    auto const holder = create_compiler_context();
    auto *const ctx = holder.get();
    auto *const f32 = get<f32_type>(ctx);
    CHECK(f32 == get<f32_type>(ctx));
    CHECK(get_compiler_context(f32) == holder);

    // Every scalar type is another one.
    auto const scalars =
        std::vector<tiletc_type_t>{get<boolean_type>(ctx), get<i8_type>(ctx),  get<i16_type>(ctx),
                                   get<i32_type>(ctx),     get<i64_type>(ctx), get<index_type>(ctx),
                                   get<bf16_type>(ctx),    get<f16_type>(ctx), f32,
                                   get<f64_type>(ctx),     get<c32_type>(ctx), get<c64_type>(ctx),
                                   get<void_type>(ctx)};
    for (std::size_t i = 0; i < scalars.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            CHECK(scalars[i] != scalars[j]);
        }
    }
    CHECK(to_type<bool>(ctx) == get<boolean_type>(ctx));
    CHECK(to_type<std::int8_t>(ctx) == get<i8_type>(ctx));
    CHECK(to_type<std::int16_t>(ctx) == get<i16_type>(ctx));
    CHECK(to_type<std::int32_t>(ctx) == get<i32_type>(ctx));
    CHECK(to_type<std::int64_t>(ctx) == get<i64_type>(ctx));
    CHECK(to_type<bfloat16>(ctx) == get<bf16_type>(ctx));
    CHECK(to_type<half>(ctx) == get<f16_type>(ctx));
    CHECK(to_type<float>(ctx) == f32);
    CHECK(to_type<double>(ctx) == get<f64_type>(ctx));
    CHECK(to_type<std::complex<float>>(ctx) == get<c32_type>(ctx));
    CHECK(to_type<std::complex<double>>(ctx) == get<c64_type>(ctx));

    auto *const packed = get<memref_type>(f32, std::array{std::int64_t{4}, dynamic},
                                          array_view<std::int64_t>{}, address_space::global);
    CHECK(packed == get<memref_type>(f32, std::vector<std::int64_t>{4, dynamic},
                                     std::array<std::int64_t, 2>{1, 4}, address_space::global));
    CHECK(packed != get<memref_type>(f32, std::array{std::int64_t{4}, dynamic},
                                     array_view<std::int64_t>{}, address_space::local));
    CHECK(get<group_type>(packed, dynamic, 0) == get<group_type>(packed, dynamic, 0));
    CHECK(get<group_type>(packed, dynamic, 0) != get<group_type>(packed, dynamic, 8));
    CHECK(get<coopmatrix_type>(f32, 16, 8, matrix_use::a) !=
          get<coopmatrix_type>(f32, 16, 8, matrix_use::b));

    CHECK(status_of([&] { get<group_type>(f32, 4, 0); }) == status::ir_expected_memref);
    CHECK(status_of([&] { get<coopmatrix_type>(f32, 3, 8, matrix_use::a); }) ==
          status::ir_unsupported_coopmatrix_shape);
    CHECK(status_of([&] {
              get<memref_type>(packed, array_view<std::int64_t>{}, array_view<std::int64_t>{},
                               address_space::global);
          }) == status::ir_expected_number);
}

void attributes_are_interned() {
    auto const holder = create_compiler_context();
    auto *const ctx = holder.get();
    auto *const one = get<integer_attr>(ctx, 1);
    auto *const two = get<integer_attr>(ctx, 2);
    CHECK(one == get<integer_attr>(ctx, std::int64_t{1}) && one != two);
    CHECK(get<boolean_attr>(ctx, true) != get<boolean_attr>(ctx, false));
    CHECK((get<array_attr>(ctx, array_view{one, two}) ==
           get<array_attr>(ctx, std::vector<tiletc_attr_t>{one, two})));
    CHECK(get<string_attr>(ctx, "b") == get<string_attr>(ctx, std::string{"b"}));
    CHECK(get<string_attr>(ctx, std::string_view("bc", 1)) == get<string_attr>(ctx, "b"));

    auto *const a = get<string_attr>(ctx, "a");
    auto *const b = get<string_attr>(ctx, "b");
    auto items = std::array<tiletc_named_attr_t, 2>{{{b, two}, {a, one}}};
    auto sorted = items;
    sort_items(sorted);
    CHECK(sorted[0].name == a && sorted[1].name == b && sorted[1].attr == two);
    auto *const dictionary = get_dictionary_attr_with_sorted(ctx, sorted);
    CHECK(get<dictionary_attr>(ctx, items) == dictionary);
    CHECK(items[0].name == a);

    auto single = tiletc_named_attr_t{a, one};
    CHECK(get<dictionary_attr>(ctx, single) != dictionary);
    items = {{{a, one}, {a, two}}};
    CHECK(status_of([&] { get<dictionary_attr>(ctx, items); }) ==
          status::ir_duplicate_key_in_dictionary);
    single.name = one;
    CHECK(status_of([&] { sort_items(single); }) == status::ir_expected_string_attribute);
}

void numbers_of_results_are_known() {
    static_assert(creator<store_inst>::max_returned_values == 0);
    static_assert(creator<load_inst>::max_returned_values == 1);
    static_assert(creator<constant_inst>::max_returned_values == 1);
    static_assert(creator<for_inst>::max_returned_values == 2147483647);
    static_assert(creator<if_inst>::max_returned_values == 2147483647);
    static_assert(std::is_same_v<decltype(create<parallel_inst>()), unique_handle<tiletc_inst_t>>);
    static_assert(
        std::is_same_v<decltype(std::declval<region_builder>().create<parallel_inst>()), void>);

    auto const holder = create_compiler_context();
    auto *const i32 = get<i32_type>(holder.get());
    auto const one = creator<constant_inst>{}.one(i32);
    tiletc_value_t v = nullptr;
    CHECK(get_values(one.get(), {}) == 1);
    CHECK(get_values(one.get(), v) == 1 && get_type(v) == i32);
    auto more = std::array<tiletc_value_t, 3>{};
    CHECK(get_values(one.get(), more) == 1 && more[0] == v && more[1] == nullptr);

    CHECK(get_name(v)[0] == '\0');
    set_name(v, "first");
    CHECK(std::strcmp(get_name(v), "first") == 0);
    set_name(v, std::string_view("second", 3));
    CHECK(std::strcmp(get_name(v), "sec") == 0);

    // A loop has a region of its own before it is anywhere itself.
    auto const carried = std::vector<tiletc_value_t>{v, v};
    auto const loop = create<for_inst>(v, v, nullptr, carried, std::array{i32, i32});
    CHECK(get_values(loop.get(), {}) == 2 && get_regions(loop.get(), {}) == 1);
    tiletc_region_t body = nullptr;
    CHECK(get_regions(loop.get(), body) == 1 && body != nullptr);
    CHECK(get_parameters(body, {}) == 3 && get_parameters(body, more) == 3);
    CHECK(get_type(more[0]) == i32 && get_parent_region(loop.get()) == nullptr);
}

void constants_have_the_class_of_their_type() {
    auto const prog = program{};
    prog.function("constants", {}, [&](region_builder &bb, std::vector<tiletc_value_t> const &) {
        bb.create<constant_inst>(true, prog.get<boolean_type>());
        bb.create<constant_inst>(std::complex<double>{1.0, -2.0}, prog.get<c64_type>());
        bb.create<constant_inst>(std::complex<float>{0.5f, 0.0f}, prog.get<c32_type>());
        bb.create<constant_inst>(0.25, prog.get<f64_type>());
        bb.create<constant_inst>(0.25f, prog.get<bf16_type>());
        bb.create<constant_inst>(-3, prog.get<i8_type>());
        bb.create<constant_inst>(std::int64_t{1} << 40, prog.get<index_type>());
        for (auto *ty : {prog.get<f16_type>(), prog.get<i16_type>(), prog.get<c32_type>(),
                         prog.get<boolean_type>()}) {
            bb.constant_one(ty);
            bb.constant_zero(ty);
        }
    });
    check_text(prog, R"(func @constants() {
    %0 = constant true : bool
    %1 = constant [1.0,-2.0] : c64
    %2 = constant [0.5,0.0] : c32
    %3 = constant 0.25 : f64
    %4 = constant 0.25 : bf16
    %5 = constant -3 : i8
    %6 = constant 1099511627776 : index
    %7 = constant 1.0 : f16
    %8 = constant 0.0 : f16
    %9 = constant 1 : i16
    %10 = constant 0 : i16
    %11 = constant [1.0,0.0] : c32
    %12 = constant [0.0,0.0] : c32
    %13 = constant true : bool
    %14 = constant false : bool
}
)");
    check_program(prog);

    auto const loc = location{{1, 7, 1}, {1, 7, 4}};
    auto const wrong = [&](auto value, tiletc_type_t ty) {
        auto const error = refusal_of([&] { create<constant_inst>(value, ty, loc); });
        CHECK(error.line == 7);
        return error.code;
    };
    CHECK(wrong(1, prog.get<f32_type>()) == status::ir_constant_mismatch);
    CHECK(wrong(1.0, prog.get<i32_type>()) == status::ir_constant_mismatch);
    CHECK(wrong(true, prog.get<i8_type>()) == status::ir_constant_mismatch);
    CHECK(wrong(std::complex<double>{}, prog.get<f64_type>()) == status::ir_constant_mismatch);
    CHECK(refusal_of([&] { creator<constant_inst>{}.one(prog.memref<f32_type>({2}), loc); }).code ==
          status::ir_expected_number);
}

// The ways in which programs pass lists.
void lists_come_in_many_shapes() {
    auto const prog = program{};
    auto *const ty = prog.get<f32_type>();
    auto *const vector_ty = prog.memref<f32_type>({8});
    auto *const matrix_ty = prog.memref<f32_type>({8, dynamic});
    auto *const index = prog.get<index_type>();
    auto *const void_ty = prog.get<void_type>();

    auto fun = create_func("f", {vector_ty, matrix_ty, index}, void_ty);
    auto const region = get_body(fun.get());
    auto all = std::array<tiletc_value_t, 3>{};
    CHECK(get_parameters(region, all) == 3);
    std::array<tiletc_value_t, 2> two = {};
    CHECK(get_parameters(region, two) == 2 && two[1] == all[1]);
    auto const [m, n, v] = all;
    tiletc_value_t const w = v;

    append(region, create<load_inst>(m, array_view{v}, ty));
    append(region, create<load_inst>(m, v, ty));
    append(region, create<load_inst>(n, array_view{v, w}, ty));
    append(region, create<load_inst>(n, std::vector<tiletc_value_t>{v, w}, ty));
    auto const dims = std::vector<std::int64_t>{0, dynamic, 4, 1};
    append(region, create<subview_inst>(array_view(dims.data(), 2), array_view(dims.data() + 2, 2),
                                        n, array_view{v}, array_view<tiletc_value_t>{},
                                        get<memref_type>(ty, std::array<std::int64_t, 2>{4, 1},
                                                         std::array<std::int64_t, 2>{1, 8},
                                                         address_space::global)));
    append(region, create<subview_inst>(std::array{std::int64_t{2}}, array_view<std::int64_t>{3}, m,
                                        array_view<tiletc_value_t>{}, array_view<tiletc_value_t>{},
                                        prog.memref<f32_type>({3})));
    add_function(prog.handle.get(), std::move(fun));
    append(get_body(create_func("g", {}, void_ty).get()), create<yield_inst>(array_view(v)));
    append(get_body(create_func("h", ty, void_ty).get()),
           create<yield_inst>(array_view<tiletc_value_t>{}));
    check_text(prog, R"(func @f(%0: memref<f32x8>, %1: memref<f32x8x?>, %2: index) {
    %3 = load %0[%2] : f32
    %4 = load %0[%2] : f32
    %5 = load %1[%2,%2] : f32
    %6 = load %1[%2,%2] : f32
    %7 = subview %1[0:4,%2:1] : memref<f32x4x1,strided<1,8>>
    %8 = subview %0[2:3] : memref<f32x3>
}
)");
    check_program(prog);
}

// Moves through a region, inserts and erases.
void regions_are_lists() {
    auto const prog = program{};
    auto *const i32 = prog.get<i32_type>();
    prog.function("f", {}, [&](region_builder &bb, std::vector<tiletc_value_t> const &) {
        auto *const region = bb.get_region();
        CHECK(begin(region) == end(region) && bb.get_insertion_point() == end(region));

        append(region, create<constant_inst>(1, i32));
        auto it = begin(region);
        CHECK(it != end(region) && get_parent_region(it) == region);
        auto const first = it;
        next(it);
        CHECK(it == end(region));
        it = insert(region, it, create<constant_inst>(3, i32));
        it = insert(region, it, create<constant_inst>(2, i32));
        prev(it);
        CHECK(it == first);
        CHECK(status_of([&] { prev(it); }) == status::invalid_arguments);
        CHECK(it == first);
        it = end(region);
        CHECK(status_of([&] { next(it); }) == status::invalid_arguments);
        CHECK(status_of([&] { erase(region, end(region)); }) == status::invalid_arguments);

        tiletc_value_t one = nullptr;
        get_values(first, one);
        auto before_last = end(region);
        prev(before_last);
        auto builder = region_builder(region, before_last);
        CHECK(builder.get_insertion_point() == before_last);
        builder.create<neg_inst>(one, i32);
        CHECK(builder.get_insertion_point() == before_last);
        CHECK(status_of([&] { erase(region, first); }) == status::ir_value_still_has_uses);

        it = first;
        next(it);
        it = erase(region, it);
        prev(it);
        CHECK(it == first);
    });
    check_text(prog, R"(func @f() {
    %0 = constant 1 : i32
    %1 = neg %0 : i32
    %2 = constant 3 : i32
}
)");
    check_program(prog);
}

void functions_carry_attributes() {
    auto const prog = program{};
    auto *const ctx = prog.context.get();
    auto const named = [&](char const *name, tiletc_attr_t attr) {
        auto item = tiletc_named_attr_t{get<string_attr>(ctx, name), attr};
        return get<dictionary_attr>(ctx, item);
    };
    auto *const parameter_ty = prog.memref<f32_type>({dynamic});
    auto fun = create_func("named", {parameter_ty, parameter_ty}, prog.get<void_type>());
    set_attr(fun.get(), named("subgroup_size", get<integer_attr>(ctx, 32)));
    set_parameter_attr(fun.get(), 1, named("alignment", get<integer_attr>(ctx, 16)));
    CHECK(status_of([&] { set_parameter_attr(fun.get(), 2, nullptr); }) ==
          status::invalid_arguments);
    auto local = create<alloca_inst>(prog.memref<f32_type>({4}, address_space::local));
    set_attr(local.get(), named("alignment", get<integer_attr>(ctx, 64)));
    append(get_body(fun.get()), std::move(local));
    add_function(prog.handle.get(), std::move(fun));
    check_text(prog, R"(func @named(%0: memref<f32x?>, %1: memref<f32x?> {alignment=16})
    attributes{subgroup_size=32} {
    %2 = alloca {alignment=64} : memref<f32x4,local>
}
)");
    check_program(prog);
}

// What a call could not take over stays with its owner.
void nothing_is_lost_by_failing() {
    auto const prog = program{};
    auto fun = create_func("f", {}, prog.get<void_type>());
    auto *const body = get_body(fun.get());
    auto inst = create<barrier_inst>(0);
    CHECK(status_of([&] { append(nullptr, std::move(inst)); }) == status::invalid_arguments);
    CHECK(inst);
    CHECK(status_of([&] { insert(nullptr, end(body), std::move(inst)); }) ==
          status::invalid_arguments);
    CHECK(status_of([&] { insert(body, nullptr, std::move(inst)); }) == status::invalid_arguments);
    CHECK(inst);
    append(body, std::move(inst));
    CHECK(!inst);
    CHECK(status_of([&] { append(body, std::move(inst)); }) == status::invalid_arguments);

    CHECK(status_of([&] { add_function(nullptr, std::move(fun)); }) == status::invalid_arguments);
    CHECK(fun);
    add_function(prog.handle.get(), std::move(fun));
    CHECK(!fun);
    CHECK(status_of([&] { add_function(prog.handle.get(), std::move(fun)); }) ==
          status::invalid_arguments);

    // The old instruction goes when another one takes its place, and with it what it uses.
    auto one = create<constant_inst>(1, prog.get<i32_type>());
    one = create<constant_inst>(2, prog.get<i32_type>());
    auto moved = std::move(one);
    auto &same = moved;
    moved = std::move(same);
    CHECK(moved && get_values(moved.get(), {}) == 1);
}

void errors_say_what_and_where() {
    auto const prog = program{};
    auto *const f32 = prog.get<f32_type>();
    auto *const i32 = prog.get<i32_type>();
    auto const loc = location{{1, 3, 5}, {1, 3, 9}};
    prog.function("f", {{"x", f32}, {"n", i32}},
                  [&](region_builder &bb, std::vector<tiletc_value_t> const &args) {
                      auto *const x = args[0];
                      auto *const n = args[1];
                      auto error = refusal_of([&] { bb.create<add_inst>(x, n, f32, loc); });
                      CHECK(error.code == status::ir_operand_type_must_match_return_type);
                      CHECK(error.line == 3);
                      error = refusal_of([&] { create<and_inst>(x, x, f32); });
                      CHECK(error.code == status::ir_fp_unsupported && error.line == 0);
                      error = refusal_of([&] { create<store_inst>(x, n, array_view{n}, loc); });
                      CHECK(error.code == status::ir_expected_index ||
                            error.code == status::ir_expected_memref);
                      error = refusal_of([&] { create<add_inst>(x, nullptr, f32, loc); });
                      CHECK(error.code == status::invalid_arguments && error.line == 3);
                      error = refusal_of([&] {
                          bb.if_condition(
                              x, [](region_builder &) {}, loc);
                      });
                      CHECK(error.code == status::ir_expected_boolean && error.line == 3);
                      error = refusal_of([&] {
                          bb.for_loop(
                              x, x, [](region_builder &, tiletc_value_t) {}, nullptr, loc);
                      });
                      CHECK(error.code == status::ir_expected_int && error.line == 3);
                      CHECK(begin(bb.get_region()) == end(bb.get_region()));
                  });
    CHECK(refusal_of([&] { create_func("f", {nullptr}, prog.get<void_type>(), loc); }).line == 3);
    CHECK(refusal_of([&] { create_prog(nullptr, loc); }).code == status::invalid_arguments);
    CHECK(status_of([] { get_body(nullptr); }) == status::invalid_arguments);
    CHECK(status_of([] { get_name(nullptr); }) == status::invalid_arguments);
    CHECK(status_of([] { get<f32_type>(nullptr); }) == status::invalid_arguments);
}

} // namespace

int main() {
    return run_tests([&] {
        types_are_interned();
        attributes_are_interned();
        numbers_of_results_are_known();
        constants_have_the_class_of_their_type();
        lists_come_in_many_shapes();
        regions_are_lists();
        functions_carry_attributes();
        nothing_is_lost_by_failing();
        errors_say_what_and_where();
    });
}
