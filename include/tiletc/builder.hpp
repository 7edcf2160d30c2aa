// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Programs without text: types and attributes (`get`), instructions (`create`), and the regions,
/// functions and programs they go into. What takes a source location throws `builder_error`,
/// everything else `status`.

#include <tiletc/namespace.hpp>

#if defined(TILETC_IN_TINYTC) ? !defined(TILETC_IN_TINYTC_BUILDER_HPP) : !defined(TILETC_BUILDER_HPP)
#ifdef TILETC_IN_TINYTC
#define TILETC_IN_TINYTC_BUILDER_HPP
#else
#define TILETC_BUILDER_HPP
#endif

#include <tiletc/array_view.hpp>
#include <tiletc/creators.hpp>
#include <tiletc/error.hpp>
#include <tiletc/getters.hpp>
#include <tiletc/half.hpp>
#include <tiletc/handles.hpp>
#include <tiletc/tags.hpp>
#include <tiletc/tiletc.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace TILETC_NAMESPACE {

////////////////////////////
/// Types and attributes ///
////////////////////////////

/// Looks up the attribute or type with the tag `T`; see `getter<T>` for the arguments.
template <typename T, typename... Args> auto get(Args &&...args) {
    return getter<T>{}(std::forward<Args>(args)...);
}

namespace internal {

/// The tag of the type that holds a `T` in the language.
template <typename T> struct type_tag;
template <> struct type_tag<bool> { using type = boolean_type; };
template <> struct type_tag<std::int8_t> { using type = i8_type; };
template <> struct type_tag<std::int16_t> { using type = i16_type; };
template <> struct type_tag<std::int32_t> { using type = i32_type; };
template <> struct type_tag<std::int64_t> { using type = i64_type; };
template <> struct type_tag<bfloat16> { using type = bf16_type; };
template <> struct type_tag<half> { using type = f16_type; };
template <> struct type_tag<float> { using type = f32_type; };
template <> struct type_tag<double> { using type = f64_type; };
template <> struct type_tag<std::complex<float>> { using type = c32_type; };
template <> struct type_tag<std::complex<double>> { using type = c64_type; };

} // namespace internal

/// The type of the language for a type of the host: `bool`, integers of 8 to 64 bits, `half`,
/// `bfloat16`, `float`, `double` and complex numbers.
template <typename T> auto to_type(tiletc_compiler_context_t ctx) -> tiletc_type_t {
    return get<typename internal::type_tag<T>::type>(ctx);
}

/// The context of a type.
inline auto get_compiler_context(const_tiletc_type_t ty)
    -> shared_handle<tiletc_compiler_context_t> {
    tiletc_compiler_context_t ctx = nullptr;
    CHECK_STATUS(tiletc_type_get_compiler_context(ty, &ctx));
    return shared_handle{ctx, true};
}

/// The attribute of named attributes that are sorted by name, for instance by `sort_items`.
inline auto get_dictionary_attr_with_sorted(tiletc_compiler_context_t ctx,
                                            array_view<tiletc_named_attr_t> items)
    -> tiletc_attr_t {
    tiletc_attr_t attr = nullptr;
    CHECK_STATUS(tiletc_dictionary_attr_get_with_sorted(&attr, ctx, items.size(), items.data()));
    return attr;
}

/// Sorts named attributes by name, as `get_dictionary_attr_with_sorted` wants them.
inline void sort_items(mutable_array_view<tiletc_named_attr_t> items) {
    CHECK_STATUS(tiletc_dictionary_attr_sort(items.size(), items.data()));
}

////////////////////////////
////////// Values //////////
////////////////////////////

/// The name of a value, empty if it has none; valid while the context lives.
inline auto get_name(tiletc_value_t val) -> char const * {
    char const *name = nullptr;
    CHECK_STATUS(tiletc_value_get_name(val, &name));
    return name;
}

/// Names a value for those who read the program. Names need not be unique.
inline void set_name(tiletc_value_t val, std::string_view name) {
    CHECK_STATUS(tiletc_value_set_name_n(val, name.size(), name.data()));
}

/// The type of a value.
inline auto get_type(tiletc_value_t val) -> tiletc_type_t {
    tiletc_type_t ty = nullptr;
    CHECK_STATUS(tiletc_value_get_type(val, &ty));
    return ty;
}

////////////////////////////
/////// Instructions ///////
////////////////////////////

/// Makes constants. The class of the number has to be that of the type: integer, floating-point,
/// complex or boolean.
template <> struct creator<constant_inst> {
    /// Number of results it can have.
    constexpr static std::int32_t max_returned_values = 1;

    /// A truth value.
    auto operator()(bool value, tiletc_type_t ty, location const &loc = {}) const
        -> unique_handle<tiletc_inst_t> {
        return make(&tiletc_constant_inst_create_boolean, loc, static_cast<tiletc_bool_t>(value),
                    ty);
    }
    /// A complex number.
    auto operator()(std::complex<double> value, tiletc_type_t ty, location const &loc = {}) const
        -> unique_handle<tiletc_inst_t> {
        return make(&tiletc_constant_inst_create_complex, loc, value.real(), value.imag(), ty);
    }
    /// A floating-point number.
    auto operator()(double value, tiletc_type_t ty, location const &loc = {}) const
        -> unique_handle<tiletc_inst_t> {
        return make(&tiletc_constant_inst_create_float, loc, value, ty);
    }
    /// An integer, also an index.
    auto operator()(std::int32_t value, tiletc_type_t ty, location const &loc = {}) const
        -> unique_handle<tiletc_inst_t> {
        return (*this)(std::int64_t{value}, ty, loc);
    }
    /// An integer, also an index.
    auto operator()(std::int64_t value, tiletc_type_t ty, location const &loc = {}) const
        -> unique_handle<tiletc_inst_t> {
        return make(&tiletc_constant_inst_create_int, loc, value, ty);
    }
    /// One, or true, of whatever class the type is.
    auto one(tiletc_type_t ty, location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        return make(&tiletc_constant_inst_create_one, loc, ty);
    }
    /// Zero, or false, of whatever class the type is.
    auto zero(tiletc_type_t ty, location const &loc = {}) const -> unique_handle<tiletc_inst_t> {
        return make(&tiletc_constant_inst_create_zero, loc, ty);
    }

  private:
    template <typename C, typename... Args>
    static auto make(C *constructor, location const &loc, Args... args)
        -> unique_handle<tiletc_inst_t> {
        tiletc_inst_t handle = nullptr;
        CHECK_STATUS_LOC(constructor(&handle, args..., &loc), loc);
        return unique_handle{handle};
    }
};

/// Makes the instruction with the tag `T`; see `creator<T>` for the arguments.
template <typename T, typename... Args>
auto create(Args &&...args) -> unique_handle<tiletc_inst_t> {
    return creator<T>{}(std::forward<Args>(args)...);
}

/// Writes the results of an instruction to `list`, as many as there are and fit, and returns how
/// many; for an empty list, how many there are.
inline auto get_values(tiletc_inst_t inst, mutable_array_view<tiletc_value_t> list) -> std::size_t {
    auto size = list.size();
    CHECK_STATUS(tiletc_inst_get_values(inst, &size, list.data()));
    return size;
}

/// Writes the regions of an instruction to `list`; sizes as for `get_values`.
inline auto get_regions(tiletc_inst_t inst, mutable_array_view<tiletc_region_t> list)
    -> std::size_t {
    auto size = list.size();
    CHECK_STATUS(tiletc_inst_get_regions(inst, &size, list.data()));
    return size;
}

/// The region that holds an instruction, null if there is none yet.
inline auto get_parent_region(tiletc_inst_t inst) -> tiletc_region_t {
    tiletc_region_t region = nullptr;
    CHECK_STATUS(tiletc_inst_get_parent_region(inst, &region));
    return region;
}

/// Sets the attributes of an instruction, a dictionary; null removes them.
inline void set_attr(tiletc_inst_t inst, tiletc_attr_t a) {
    CHECK_STATUS(tiletc_inst_set_attr(inst, a));
}

////////////////////////////
////////// Regions /////////
////////////////////////////

/// Puts an instruction at the end of a region, which owns it from then on. If that fails, `inst`
/// keeps it.
inline void append(tiletc_region_t reg, unique_handle<tiletc_inst_t> &&inst) {
    CHECK_STATUS(tiletc_region_append(reg, inst.get()));
    inst.release();
}

/// The first instruction of a region; of an empty one, its end.
inline auto begin(tiletc_region_t reg) -> tiletc_inst_iterator_t {
    tiletc_inst_iterator_t iterator = nullptr;
    CHECK_STATUS(tiletc_region_begin(reg, &iterator));
    return iterator;
}

/// The position behind the last instruction of a region.
inline auto end(tiletc_region_t reg) -> tiletc_inst_iterator_t {
    tiletc_inst_iterator_t iterator = nullptr;
    CHECK_STATUS(tiletc_region_end(reg, &iterator));
    return iterator;
}

/// Destroys an instruction, whose results must not be in use, and returns the position behind it.
inline auto erase(tiletc_region_t reg, tiletc_inst_iterator_t iterator) -> tiletc_inst_iterator_t {
    CHECK_STATUS(tiletc_region_erase(reg, &iterator));
    return iterator;
}

/// Puts an instruction before `iterator` in a region, which owns it from then on, and returns its
/// position. If that fails, `inst` keeps it.
inline auto insert(tiletc_region_t reg, tiletc_inst_iterator_t iterator,
                   unique_handle<tiletc_inst_t> &&inst) -> tiletc_inst_iterator_t {
    CHECK_STATUS(tiletc_region_insert(reg, &iterator, inst.get()));
    inst.release();
    return iterator;
}

/// Writes the parameters of a region to `list`; sizes as for `get_values`.
inline auto get_parameters(tiletc_region_t reg, mutable_array_view<tiletc_value_t> list)
    -> std::size_t {
    auto size = list.size();
    CHECK_STATUS(tiletc_region_get_parameters(reg, &size, list.data()));
    return size;
}

/// Moves on to the next instruction.
inline void next(tiletc_inst_iterator_t &iterator) { CHECK_STATUS(tiletc_next_inst(&iterator)); }

/// Moves back to the instruction before.
inline void prev(tiletc_inst_iterator_t &iterator) { CHECK_STATUS(tiletc_prev_inst(&iterator)); }

////////////////////////////
// Functions and programs //
////////////////////////////

/// Makes a function with an empty body; `ty` is the type of its result, void for a kernel.
inline auto create_func(std::string_view name, array_view<tiletc_type_t> param_type_list,
                        tiletc_type_t ty, location const &loc = {})
    -> unique_handle<tiletc_func_t> {
    tiletc_func_t fun = nullptr;
    CHECK_STATUS_LOC(tiletc_func_create(&fun, name.size(), name.data(), param_type_list.size(),
                                        param_type_list.data(), ty, &loc),
                     loc);
    return unique_handle{fun};
}

/// The body of a function; its parameters are those of the function.
inline auto get_body(tiletc_func_t fun) -> tiletc_region_t {
    tiletc_region_t body = nullptr;
    CHECK_STATUS(tiletc_func_get_body(fun, &body));
    return body;
}

/// Sets the attributes of a function, a dictionary; null removes them.
inline void set_attr(tiletc_func_t fun, tiletc_attr_t a) {
    CHECK_STATUS(tiletc_func_set_attr(fun, a));
}

/// Sets the attributes of a parameter, counted from 0; a dictionary, or null to remove them.
inline void set_parameter_attr(tiletc_func_t fun, std::size_t param_no, tiletc_attr_t a) {
    CHECK_STATUS(tiletc_func_set_parameter_attr(fun, param_no, a));
}

/// Makes an empty program.
inline auto create_prog(tiletc_compiler_context_t ctx, location const &loc = {})
    -> shared_handle<tiletc_prog_t> {
    tiletc_prog_t prg = nullptr;
    CHECK_STATUS_LOC(tiletc_prog_create(&prg, ctx, &loc), loc);
    return shared_handle{prg};
}

/// Adds a function to a program, which owns it from then on. If that fails, `fun` keeps it.
inline void add_function(tiletc_prog_t prg, unique_handle<tiletc_func_t> &&fun) {
    CHECK_STATUS(tiletc_prog_add_function(prg, fun.get()));
    fun.release();
}

} // namespace TILETC_NAMESPACE

#endif // TILETC_BUILDER_HPP
