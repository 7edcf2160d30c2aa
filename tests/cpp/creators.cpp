// SPDX-License-Identifier: BSD-3-Clause

// Every instruction once, made by its creator: what is printed is what tests/cpp/creators.ir says,
// and it compiles.

#include "builder.hpp"

#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

using namespace tiletc;
using values = std::vector<tiletc_value_t>;

namespace {

/// The creators that were called.
auto called() -> std::set<std::type_index> & {
    static auto set = std::set<std::type_index>{};
    return set;
}

/// A region builder that remembers what it made.
class builder : public region_builder {
  public:
    using region_builder::region_builder;
    builder(region_builder const &other) : region_builder{other} {}

    template <typename T, typename... Args> auto make(Args &&...args) {
        called().insert(typeid(creator<T>));
        return create<T>(std::forward<Args>(args)...);
    }

    /// Two operands, the type of the first is that of the result.
    template <typename... T> void binary(tiletc_value_t a, tiletc_value_t b) {
        (make<T>(a, b, get_type(a)), ...);
    }
    template <typename... T> void unary(tiletc_value_t a) { (make<T>(a, get_type(a)), ...); }
    template <typename... T> void compare(tiletc_value_t a, tiletc_type_t boolean) {
        (make<T>(a, a, boolean), ...);
    }
};

/// A builder for the only region of a new instruction.
template <typename T, typename... Args> auto region_of(builder &outer, Args &&...args) {
    called().insert(typeid(creator<T>));
    auto inst = create<T>(std::forward<Args>(args)...);
    tiletc_region_t region = nullptr;
    CHECK(get_regions(inst.get(), region) == 1);
    outer.add(std::move(inst));
    return builder(region);
}

void arithmetic(program const &prog) {
    auto *const boolean = prog.get<boolean_type>();
    auto *const f32 = prog.get<f32_type>();
    prog.function(
        "arithmetic", {{"n", prog.get<i32_type>()}, {"x", f32}, {"z", prog.get<c32_type>()}},
        [&](builder bb, values const &args) {
            auto *const n = args[0];
            auto *const x = args[1];
            auto *const z = args[2];
            bb.make<constant_inst>(0.5, f32);
            bb.make<cast_inst>(n, f32);
            bb.binary<add_inst, sub_inst, mul_inst, div_inst, rem_inst, max_inst, min_inst>(x, x);
            bb.binary<shl_inst, shr_inst, and_inst, or_inst, xor_inst>(n, n);
            bb.unary<neg_inst, abs_inst>(x);
            bb.unary<not_inst>(n);
            bb.unary<conj_inst>(z);
            bb.make<im_inst>(z, f32);
            bb.make<re_inst>(z, f32);
            bb.compare<equal_inst, not_equal_inst, greater_than_inst, greater_than_equal_inst,
                       less_than_inst, less_than_equal_inst>(x, boolean);
            bb.unary<cos_inst, sin_inst, exp_inst, exp2_inst, log_inst, log2_inst>(x);
            bb.unary<native_cos_inst, native_sin_inst, native_exp_inst, native_exp2_inst,
                     native_log_inst, native_log2_inst>(x);
        });
}

void memory(program const &prog) {
    auto *const f32 = prog.get<f32_type>();
    auto *const index = prog.get<index_type>();
    auto *const matrix = prog.memref<f32_type>({16, dynamic});
    auto const none = array_view<tiletc_value_t>{};
    prog.function(
        "memory", {{"A", matrix}, {"x", f32}, {"n", index}}, [&](builder bb, values const &args) {
            auto *const A = args[0];
            auto *const x = args[1];
            auto *const n = args[2];
            bb.make<associated_inst>(A, prog.get<boolean_type>());
            bb.make<size_inst>(1, A, index);
            bb.make<fuse_inst>(0, 1, A, prog.memref<f32_type>({dynamic}));
            bb.make<expand_inst>(0, array_view<std::int64_t>{4, 4}, A, none,
                                 prog.memref<f32_type>({4, 4, dynamic}));
            bb.make<expand_inst>(1, array_view<std::int64_t>{2, dynamic}, A, array_view{n},
                                 prog.memref<f32_type>({16, 2, dynamic}));
            bb.make<subview_inst>(array_view<std::int64_t>{0, dynamic},
                                  array_view<std::int64_t>{16, dynamic}, A, array_view{n},
                                  array_view{n}, matrix);
            auto const at = std::array{n, n};
            bb.make<load_inst>(A, at, f32);
            bb.make<store_inst>(x, A, at);
            bb.make<atomic_load_inst>(memory_scope::device, memory_semantics::acquire, A, at, f32);
            bb.make<atomic_store_inst>(memory_scope::work_group, memory_semantics::release, x, A,
                                       at);
            bb.make<atomic_add_inst>(memory_scope::cross_device, memory_semantics::relaxed, x, A,
                                     at, f32);
            bb.make<atomic_max_inst>(memory_scope::subgroup,
                                     memory_semantics::sequentially_consistent, x, A, at, f32);
            bb.make<atomic_min_inst>(memory_scope::work_group, memory_semantics::acquire_release, x,
                                     A, at, f32);
            bb.make<barrier_inst>(static_cast<tiletc_address_spaces_t>(address_space::global));
        });
}

void control(program const &prog) {
    auto *const f32 = prog.get<f32_type>();
    auto *const index = prog.get<index_type>();
    prog.function("control", {{"x", f32}, {"n", index}}, [&](builder bb, values const &args) {
        auto *const x = args[0];
        auto *const n = args[1];
        auto *const c = bb.make<equal_inst>(n, n, prog.get<boolean_type>());
        called().insert({typeid(creator<if_inst>), typeid(creator<for_inst>)});
        auto branch = create<if_inst>(c, array_view{f32});
        auto regions = std::array<tiletc_region_t, 2>{};
        CHECK(get_regions(branch.get(), regions) == 2);
        CHECK(bb.add_multivalued(std::move(branch)).size() == 1);
        for (auto *region : regions) {
            builder(region).make<yield_inst>(array_view{x});
        }
        auto loop = region_of<for_inst>(bb, n, n, n, array_view{x}, array_view{f32});
        loop.make<yield_inst>(array_view{x});
        region_of<foreach_inst>(bb, array_view{n}, array_view{n});
        region_of<foreach_tile_inst>(bb, array_view<std::int64_t>{32, 4}, array_view{n, n},
                                     array_view{n, n});
    });
}

void linear_algebra(program const &prog) {
    auto *const f32 = prog.get<f32_type>();
    auto *const matrix = prog.memref<f32_type>({8, 8});
    auto *const vector = prog.memref<f32_type>({8});
    prog.function("linear_algebra", {{"M", matrix}, {"v", vector}, {"x", f32}},
                  [&](builder bb, values const &args) {
                      auto *const M = args[0];
                      auto *const v = args[1];
                      auto *const x = args[2];
                      auto *const one = bb.constant_one(f32);
                      auto const N = transpose::N;
                      auto const T = transpose::T;
                      bb.make<axpby_inst>(false, T, x, M, x, M);
                      bb.make<cumsum_inst>(false, 1, x, M, x, M);
                      bb.make<sum_inst>(true, T, x, M, one, v);
                      bb.make<gemm_inst>(true, N, T, x, M, M, one, M);
                      bb.make<gemv_inst>(false, T, x, M, v, x, v);
                      bb.make<ger_inst>(false, x, v, v, x, M);
                      bb.make<hadamard_inst>(true, x, M, M, one, M);
                  });
}

void subgroups(program const &prog) {
    auto *const i32 = prog.get<i32_type>();
    auto *const index = prog.get<index_type>();
    prog.function("subgroups", {{"n", i32}}, [&](builder bb, values const &args) {
        auto *const n = args[0];
        bb.make<group_id_inst>(comp3::x, index);
        bb.make<num_groups_inst>(comp3::y, index);
        bb.make<num_subgroups_inst>(comp3::x, i32);
        bb.make<subgroup_size_inst>(i32);
        auto spmd = region_of<parallel_inst>(bb);
        spmd.make<subgroup_id_inst>(comp3::y, i32);
        spmd.make<subgroup_linear_id_inst>(i32);
        spmd.make<subgroup_local_id_inst>(i32);
        spmd.make<subgroup_broadcast_inst>(n, n, i32);
        spmd.unary<subgroup_exclusive_scan_add_inst, subgroup_exclusive_scan_max_inst,
                   subgroup_exclusive_scan_min_inst, subgroup_inclusive_scan_add_inst,
                   subgroup_inclusive_scan_max_inst, subgroup_inclusive_scan_min_inst,
                   subgroup_reduce_add_inst, subgroup_reduce_max_inst, subgroup_reduce_min_inst>(n);
    });
}

void cooperative_matrices(program const &prog) {
    auto *const f32 = prog.get<f32_type>();
    auto *const index = prog.get<index_type>();
    auto const coopmatrix = [&](std::int64_t rows, std::int64_t cols, matrix_use use) {
        return get<coopmatrix_type>(f32, rows, cols, use);
    };
    prog.function(
        "cooperative_matrices",
        {{"A", prog.memref<f32_type>({64, 64})}, {"x", f32}, {"p", index}, {"q", index}},
        [&](builder outer, values const &args) {
            auto *const A = args[0];
            auto *const x = args[1];
            auto *const p = args[2];
            auto *const q = args[3];
            auto *const acc = coopmatrix(16, 16, matrix_use::acc);
            auto bb = region_of<parallel_inst>(outer);
            auto *const a = bb.make<cooperative_matrix_load_inst>(
                transpose::N, checked_flag::none, A, p, q, coopmatrix(16, 8, matrix_use::a));
            auto *const b = bb.make<cooperative_matrix_load_inst>(
                transpose::T, checked_flag::rows, A, p, q, coopmatrix(8, 16, matrix_use::b));
            auto *const c = bb.make<cooperative_matrix_construct_inst>(x, acc);
            bb.make<cooperative_matrix_prefetch_inst>(1, 16, 8, A, p, q);
            auto *const d = bb.make<cooperative_matrix_mul_add_inst>(a, b, c, acc);
            auto *const e = bb.make<cooperative_matrix_extract_inst>(1, d, f32);
            bb.make<cooperative_matrix_insert_inst>(2, e, d, acc);
            bb.make<cooperative_matrix_scale_inst>(x, d, acc);
            bb.make<cooperative_matrix_reduce_add_inst>(reduce_mode::row, d,
                                                        coopmatrix(16, 1, matrix_use::acc));
            bb.make<cooperative_matrix_reduce_max_inst>(reduce_mode::column, d,
                                                        coopmatrix(1, 16, matrix_use::acc));
            bb.make<cooperative_matrix_reduce_min_inst>(reduce_mode::row, d,
                                                        coopmatrix(16, 1, matrix_use::acc));

            called().insert(typeid(creator<cooperative_matrix_apply_inst>));
            auto apply = create<cooperative_matrix_apply_inst>(d, acc);
            tiletc_region_t region = nullptr;
            CHECK(get_regions(apply.get(), region) == 1);
            auto vars = std::array<tiletc_value_t, 3>{};
            CHECK(get_parameters(region, vars) == 3);
            bb.add(std::move(apply));
            builder(region).make<yield_inst>(array_view{vars[2]});

            bb.make<cooperative_matrix_store_inst>(transpose::N, checked_flag::both, d, A, p, q);
            auto const N = transpose::N;
            auto const cols = checked_flag::cols;
            auto const scope = memory_scope::work_group;
            auto const semantics = memory_semantics::relaxed;
            auto *const f = bb.make<cooperative_matrix_atomic_load_inst>(N, cols, scope, semantics,
                                                                         A, p, q, acc);
            bb.make<cooperative_matrix_atomic_store_inst>(N, cols, scope, semantics, f, A, p, q);
            bb.make<cooperative_matrix_atomic_add_inst>(N, cols, scope, semantics, f, A, p, q, acc);
            bb.make<cooperative_matrix_atomic_max_inst>(N, cols, scope, semantics, f, A, p, q, acc);
            bb.make<cooperative_matrix_atomic_min_inst>(N, cols, scope, semantics, f, A, p, q, acc);
        },
        16);
}

/// Instructions that the compiler inserts itself; it is printed, but no text can say it.
void local_memory() {
    auto const prog = program{};
    prog.function("local", {}, [&](builder bb, values const &) {
        auto *const tmp = bb.make<alloca_inst>(prog.memref<f32_type>({4}, address_space::local));
        bb.make<lifetime_stop_inst>(tmp);
    });
    CHECK(same_text(prog.text(), R"(func @local() {
    %0 = alloca : memref<f32x4,local>
    lifetime_stop %0
}
)"));
    run_function_pass("check-ir", prog.handle.get());
    auto const pvc = create_core_info_intel_from_name("pvc");
    CHECK(get_raw(compile_to_spirv_and_assemble(prog.handle.get(), pvc.get()).get()).data_size >
          20);
}

} // namespace

int main(int argc, char **argv) {
    return run_tests([&] {
        auto const prog = program{};
        arithmetic(prog);
        memory(prog);
        control(prog);
        linear_algebra(prog);
        subgroups(prog);
        cooperative_matrices(prog);
        local_memory();
        CHECK(called().size() == 100);

        auto input = std::ifstream{argc > 1 ? argv[1] : "creators.ir", std::ios::binary};
        check_text(prog, std::string(std::istreambuf_iterator<char>{input}, {}));
        check_program(prog);
    });
}
