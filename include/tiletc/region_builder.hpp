// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Instructions one after the other, and control flow with a lambda for each region.

#include <tiletc/namespace.hpp>

#if defined(TILETC_IN_TINYTC) ? !defined(TILETC_IN_TINYTC_REGION_BUILDER_HPP) : !defined(TILETC_REGION_BUILDER_HPP)
#ifdef TILETC_IN_TINYTC
#define TILETC_IN_TINYTC_REGION_BUILDER_HPP
#else
#define TILETC_REGION_BUILDER_HPP
#endif

#include <tiletc/array_view.hpp>
#include <tiletc/builder.hpp>
#include <tiletc/error.hpp>
#include <tiletc/handles.hpp>
#include <tiletc/tags.hpp>
#include <tiletc/tiletc.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace TILETC_NAMESPACE {

/// Adds instructions to a region, each before the insertion point.
///
/// The methods for control flow insert the instruction first and then call a functor with a builder
/// for its region; what is in the region stays there if the functor throws. A constructor that
/// refuses its operands throws `builder_error`.
class region_builder {
  public:
    /// Adds at the end of the region.
    region_builder(tiletc_region_t reg) : region_builder(reg, end(reg)) {}
    /// Adds before `ip`.
    region_builder(tiletc_region_t reg, tiletc_inst_iterator_t ip) : reg_{reg}, ip_{ip} {}

    /// Instructions are put before this one.
    auto get_insertion_point() const -> tiletc_inst_iterator_t { return ip_; }
    /// The region that is added to.
    auto get_region() -> tiletc_region_t { return reg_; }

    /// Adds an instruction and returns its first result, null if it has none.
    auto add(unique_handle<tiletc_inst_t> &&i) -> tiletc_value_t {
        auto const inst = insert(reg_, ip_, std::move(i));
        tiletc_value_t result = nullptr;
        get_values(inst, result);
        return result;
    }

    /// Adds an instruction and returns its results.
    auto add_multivalued(unique_handle<tiletc_inst_t> &&i) -> std::vector<tiletc_value_t> {
        return results(insert(reg_, ip_, std::move(i)));
    }

    /// Makes and adds the instruction with the tag `T`; see `creator<T>` for the arguments. Returns
    /// its result, a vector where there may be several, nothing where there is none.
    template <typename T, typename... Args> auto create(Args &&...args) {
        auto inst = creator<T>{}(std::forward<Args>(args)...);
        if constexpr (creator<T>::max_returned_values > 1) {
            return add_multivalued(std::move(inst));
        } else if constexpr (creator<T>::max_returned_values == 1) {
            return add(std::move(inst));
        } else {
            add(std::move(inst));
        }
    }

    /// Adds the constant one.
    auto constant_one(tiletc_type_t ty, location const &loc = {}) -> tiletc_value_t {
        return add(creator<constant_inst>{}.one(ty, loc));
    }
    /// Adds the constant zero.
    auto constant_zero(tiletc_type_t ty, location const &loc = {}) -> tiletc_value_t {
        return add(creator<constant_inst>{}.zero(ty, loc));
    }

    /// A loop from `from` to `to`, exclusively, in steps of one; `f(region_builder &, loop_var)`.
    template <typename F>
    void for_loop(tiletc_value_t from, tiletc_value_t to, F &&f, tiletc_attr_t attributes = nullptr,
                  location const &loc = {}) {
        for_loop(from, to, nullptr, std::forward<F>(f), attributes, loc);
    }

    /// The same in steps of `step`, which may be null for one.
    template <typename F>
    void for_loop(tiletc_value_t from, tiletc_value_t to, tiletc_value_t step, F &&f,
                  tiletc_attr_t attributes = nullptr, location const &loc = {}) {
        for_loop(
            from, to, step, {}, {},
            [&f](region_builder &body, array_view<tiletc_value_t> vars) { f(body, vars.front()); },
            attributes, loc);
    }

    /// A loop with values that are carried from one iteration to the next;
    /// `f(region_builder &, array_view<tiletc_value_t>)`, the loop variable first, has to end with
    /// the `yield_inst` of the next values. Returns the last ones.
    template <typename F>
    auto for_loop(tiletc_value_t from, tiletc_value_t to, tiletc_value_t step,
                  array_view<tiletc_value_t> initial_value_list,
                  array_view<tiletc_type_t> return_type_list, F &&f,
                  tiletc_attr_t attributes = nullptr, location const &loc = {})
        -> std::vector<tiletc_value_t> {
        auto loop = creator<for_inst>{}(from, to, step, initial_value_list, return_type_list, loc);
        if (attributes) {
            set_attr(loop.get(), attributes);
        }
        auto const inst = insert(reg_, ip_, std::move(loop));
        auto const body = regions<1>(inst)[0];
        fill(body, std::forward<F>(f), parameters(body, 1 + return_type_list.size()));
        return results(inst);
    }

    /// Runs `f(region_builder &, array_view<tiletc_value_t> loop_vars)` for each point between
    /// `from` and `to`, spread over the work-items.
    template <typename F>
    void foreach_loop(array_view<tiletc_value_t> from, array_view<tiletc_value_t> to, F &&f,
                      location const &loc = {}) {
        auto const inst = insert(reg_, ip_, creator<foreach_inst>{}(from, to, loc));
        auto const body = regions<1>(inst)[0];
        fill(body, std::forward<F>(f), parameters(body, from.size()));
    }

    /// Runs `f(region_builder &, array_view<tiletc_value_t> offset, array_view<tiletc_value_t>
    /// size)` for each tile of the range between `from` and `to`, each by one subgroup.
    template <typename F>
    void foreach_tile_loop(array_view<std::int64_t> tile_shape, array_view<tiletc_value_t> from,
                           array_view<tiletc_value_t> to, F &&f, location const &loc = {}) {
        auto const inst =
            insert(reg_, ip_, creator<foreach_tile_inst>{}(tile_shape, from, to, loc));
        auto const body = regions<1>(inst)[0];
        auto const dimensions = from.size();
        auto const vars = parameters(body, 2 * dimensions);
        fill(body, std::forward<F>(f), array_view(vars.data(), dimensions),
             array_view(vars.data() + dimensions, dimensions));
    }

    /// Runs `then(region_builder &)` if the condition holds.
    template <typename F>
    void if_condition(tiletc_value_t condition, F &&then, location const &loc = {}) {
        auto const inst =
            insert(reg_, ip_, creator<if_inst>{}(condition, array_view<tiletc_type_t>{}, loc));
        fill(regions<2>(inst)[0], std::forward<F>(then));
    }

    /// Runs `then(region_builder &)` if the condition holds, else `otherwise(region_builder &)`.
    /// If there are results, both have to end with their `yield_inst`.
    template <typename F, typename G>
    auto ifelse(tiletc_value_t condition, F &&then, G &&otherwise,
                array_view<tiletc_type_t> return_type_list = {}, location const &loc = {})
        -> std::vector<tiletc_value_t> {
        auto const inst = insert(reg_, ip_, creator<if_inst>{}(condition, return_type_list, loc));
        auto const branches = regions<2>(inst);
        fill(branches[0], std::forward<F>(then));
        fill(branches[1], std::forward<G>(otherwise));
        return results(inst);
    }

  private:
    static auto results(tiletc_inst_t inst) -> std::vector<tiletc_value_t> {
        auto list = std::vector<tiletc_value_t>(get_values(inst, {}));
        // An empty list would ask for the number again.
        if (!list.empty()) {
            get_values(inst, list);
        }
        return list;
    }

    template <std::size_t N>
    static auto regions(tiletc_inst_t inst) -> std::array<tiletc_region_t, N> {
        auto list = std::array<tiletc_region_t, N>{};
        expect(get_regions(inst, {}) == N && get_regions(inst, list) == N);
        return list;
    }

    static auto parameters(tiletc_region_t reg, std::size_t number) -> std::vector<tiletc_value_t> {
        auto list = std::vector<tiletc_value_t>(number);
        expect(get_parameters(reg, {}) == number && get_parameters(reg, list) == number);
        return list;
    }

    /// Properties of every instruction that the constructors make.
    static void expect(bool holds) {
        if (!holds) {
            internal::fail(status::internal_compiler_error);
        }
    }

    /// Has `f` fill a region.
    template <typename F, typename... Vars>
    static void fill(tiletc_region_t reg, F &&f, Vars const &...vars) {
        auto builder = region_builder{reg};
        std::forward<F>(f)(builder, array_view<tiletc_value_t>(vars)...);
    }

    tiletc_region_t reg_;
    tiletc_inst_iterator_t ip_;
};

} // namespace TILETC_NAMESPACE

#endif // TILETC_REGION_BUILDER_HPP
