// SPDX-License-Identifier: BSD-3-Clause

#include "sparse_product.hpp"

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

using namespace tiletc;

namespace {

/// Gives a value a name, for those who read the program.
auto named(char const *name, tiletc_value_t value) -> tiletc_value_t {
    set_name(value, name);
    return value;
}

/// Adds one column of Q(:,:,e): every entry of S becomes a multiplication and an addition.
void add_column(region_builder &bb, sparse_matrix const &S, tiletc_type_t number, tiletc_value_t p,
                tiletc_value_t q) {
    auto *const index = get<index_type>(get_compiler_context(number).get());
    auto sums = std::vector<tiletc_value_t>(static_cast<std::size_t>(S.order()));
    auto places = sums;
    for (std::int64_t k = 0; k < S.order(); ++k) {
        if (S.column(k).empty()) {
            continue;
        }
        auto *const row = bb.create<constant_inst>(k, index);
        auto *const p_k = bb.create<load_inst>(p, array_view{row}, number);
        for (auto const &entry : S.column(k)) {
            auto &sum = sums[static_cast<std::size_t>(entry.row)];
            if (!sum) {
                auto *&place = places[static_cast<std::size_t>(entry.row)];
                place = bb.create<constant_inst>(entry.row, index);
                sum = bb.create<load_inst>(q, array_view{place}, number);
            }
            auto *const s = bb.create<constant_inst>(entry.value, number);
            auto *const product = bb.create<mul_inst>(s, p_k, number);
            sum = bb.create<add_inst>(sum, product, number);
        }
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
        if (sums[i]) {
            bb.create<store_inst>(sums[i], q, array_view{places[i]});
        }
    }
}

} // namespace

auto build_sparse_product(sparse_matrix const &S, tiletc_type_t number)
    -> shared_handle<tiletc_prog_t> {
    auto const ctx = get_compiler_context(number);
    auto *const index = get<index_type>(ctx.get());
    auto const global = [&](std::vector<std::int64_t> const &shape) {
        return get<memref_type>(number, shape, array_view<std::int64_t>{}, address_space::global);
    };
    auto *const all = global({S.order(), N, dynamic});
    auto *const column = global({S.order()});

    auto fun = create_func("sparse_product", {all, all}, get<void_type>(ctx.get()));
    auto *const body = get_body(fun.get());
    auto parameters = std::array<tiletc_value_t, 2>{};
    get_parameters(body, parameters);
    auto *const P = named("P", parameters[0]);
    auto *const Q = named("Q", parameters[1]);

    auto bb = region_builder(body);
    auto *const zero = named("zero", bb.constant_zero(index));
    auto *const n = named("n", bb.create<constant_inst>(N, index));
    auto *const size = bb.create<constant_inst>(elements_per_group, index);
    auto *const group = named("group", bb.create<group_id_inst>(comp3::x, index));
    auto *const first = named("first", bb.create<mul_inst>(group, size, index));
    auto *const howmany = named("howmany", bb.create<size_inst>(2, P, index));

    // The last group may have fewer elements than the others.
    auto *const rest = bb.create<sub_inst>(howmany, first, index);
    auto *const many = named("many", bb.create<min_inst>(rest, size, index));
    bb.foreach_loop(array_view{zero, zero}, array_view{n, many},
                    [&](region_builder &loop, array_view<tiletc_value_t> vars) {
                        auto *const j = named("j", vars[0]);
                        auto *const e = named("e", loop.create<add_inst>(first, vars[1], index));
                        auto const offsets = std::array<std::int64_t, 3>{0, dynamic, dynamic};
                        auto const sizes = std::array<std::int64_t, 3>{S.order(), 0, 0};
                        auto const view = [&](tiletc_value_t tensor) {
                            return loop.create<subview_inst>(offsets, sizes, tensor,
                                                             array_view{j, e},
                                                             array_view<tiletc_value_t>{}, column);
                        };
                        auto *const p = named("p", view(P));
                        auto *const q = named("q", view(Q));
                        add_column(loop, S, number, p, q);
                    });

    auto prog = create_prog(ctx.get());
    add_function(prog.get(), std::move(fun));
    return prog;
}
