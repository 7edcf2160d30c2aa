// SPDX-License-Identifier: BSD-3-Clause

// Values and types of one context that go together, since instructions are seldom made of random ones.

#ifndef TILETC_TESTS_RANDOM_CALLS_SCENE_HPP
#define TILETC_TESTS_RANDOM_CALLS_SCENE_HPP

#include <tiletc/tiletc.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

/// Values and types, few enough that some instructions take most choices of them.
struct theme {
    std::vector<tiletc_value_t> values;
    std::vector<tiletc_type_t> types;
};

/// A context, and a function in it whose values are those of the themes.
class scene {
  public:
    scene() {
        tiletc_compiler_context_create(&context_);
        tiletc_type_t boolean, i32, index, f32, c32, nothing;
        tiletc_void_type_get(&nothing, context_);
        tiletc_boolean_type_get(&boolean, context_);
        tiletc_i32_type_get(&i32, context_);
        tiletc_index_type_get(&index, context_);
        tiletc_f32_type_get(&f32, context_);
        tiletc_c32_type_get(&c32, context_);
        auto const matrix = memref(f32, {4, 4}), vector = memref(f32, {4}), part = memref(f32, {2});
        auto const folded = memref(f32, {2, 2}), flat = memref(f32, {16});
        auto const local = memref(f32, {4}, tiletc_address_space_local);
        tiletc_type_t group;
        tiletc_group_type_get(&group, matrix, TILETC_DYNAMIC, 0);
        auto const a = tile(f32, 16, 16, tiletc_matrix_use_a), b = tile(f32, 16, 16, tiletc_matrix_use_b),
                   acc = tile(f32, 16, 16, tiletc_matrix_use_acc),
                   row = tile(f32, 1, 16, tiletc_matrix_use_acc),
                   column = tile(f32, 16, 1, tiletc_matrix_use_acc);

        tiletc_type_t const parameters[] = {boolean, i32, index, f32, c32, matrix, vector, group};
        constexpr auto count = sizeof(parameters) / sizeof(*parameters);
        tiletc_func_create(&function_, 1, "f", count, parameters, nothing, nullptr);
        tiletc_func_get_body(function_, &body_);
        auto size = count;
        tiletc_value_t v[count] = {};
        tiletc_region_get_parameters(body_, &size, v);
        auto const [truth, integer, position, real, complex, m, x, g] = v;
        auto const of_a = zero(a), of_b = zero(b), of_acc = zero(acc);
        themes_ = {{{truth}, {boolean}},
                   {{integer}, {i32, boolean}},
                   {{real}, {f32, boolean}},
                   {{complex}, {c32, f32}},
                   {{position, integer}, {index, i32}},
                   {{real, m}, {f32, matrix}},
                   {{real, m, x}, {f32}},
                   {{real, x, position}, {f32}},
                   {{g, m, position}, {matrix, index, boolean}},
                   {{m, x}, {part, folded, flat}},
                   {{position}, {local}},
                   {{of_a, of_b, of_acc}, {a, b, acc}},
                   {{of_acc, real, integer}, {acc, f32}},
                   {{of_acc}, {acc, row, column}},
                   {{of_acc, m, position}, {acc}}};
    }
    scene(scene const &) = delete;
    auto operator=(scene const &) -> scene & = delete;
    ~scene() {
        tiletc_func_destroy(function_);
        tiletc_compiler_context_release(context_);
    }

    auto context() const -> tiletc_compiler_context_t { return context_; }
    auto body() const -> tiletc_region_t { return body_; }
    auto themes() const -> std::vector<theme> const & { return themes_; }

  private:
    static auto memref(tiletc_type_t element, std::initializer_list<std::int64_t> shape,
                       tiletc_address_space_t space = tiletc_address_space_global) -> tiletc_type_t {
        tiletc_type_t type = nullptr;
        tiletc_memref_type_get(&type, element, shape.size(), shape.begin(), 0, nullptr, space);
        return type;
    }

    static auto tile(tiletc_type_t component, std::int64_t rows, std::int64_t columns, tiletc_matrix_use_t use)
        -> tiletc_type_t {
        tiletc_type_t type = nullptr;
        tiletc_coopmatrix_type_get(&type, component, rows, columns, use);
        return type;
    }

    /// A constant, which becomes part of the function.
    auto zero(tiletc_type_t type) -> tiletc_value_t {
        tiletc_inst_t inst = nullptr;
        tiletc_constant_inst_create_zero(&inst, type, nullptr);
        std::size_t size = 1;
        tiletc_value_t value = nullptr;
        tiletc_inst_get_values(inst, &size, &value);
        tiletc_region_append(body_, inst);
        return value;
    }

    tiletc_compiler_context_t context_ = nullptr;
    tiletc_func_t function_ = nullptr;
    tiletc_region_t body_ = nullptr;
    std::vector<theme> themes_;
};

#endif // TILETC_TESTS_RANDOM_CALLS_SCENE_HPP
