//! The constructors of instructions (API reference 4.6), which follow from their declarations.
//!
//! Written by `cargo xtask headers`; change src/ir/instructions.rs instead.

use super::super::types::*;
use super::functions;

functions! {
    DECLARED;
    /// Conversion between number types, or of a cooperative matrix.
    tiletc_cast_inst_create(a: tiletc_value_t, result: tiletc_type_t) ["cast"];
    /// a + b.
    tiletc_add_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t) ["add"];
    /// a - b.
    tiletc_sub_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t) ["sub"];
    /// a · b.
    tiletc_mul_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t) ["mul"];
    /// a / b; integers truncate toward zero.
    tiletc_div_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t) ["div"];
    /// Remainder of a / b with the sign of a.
    tiletc_rem_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t) ["rem"];
    /// a / b of integers, rounded up.
    tiletc_cdiv_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t) ["cdiv"];
    /// a shifted left by b bits.
    tiletc_shl_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t) ["shl"];
    /// a shifted right by b bits, filled with its sign.
    tiletc_shr_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t) ["shr"];
    /// Bit-wise or logical and.
    tiletc_and_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t) ["and"];
    /// Bit-wise or logical or.
    tiletc_or_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t) ["or"];
    /// Bit-wise or logical exclusive or.
    tiletc_xor_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t) ["xor"];
    /// The smaller of a and b; the other one if exactly one is NaN.
    tiletc_min_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t) ["min"];
    /// The larger of a and b; the other one if exactly one is NaN.
    tiletc_max_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t) ["max"];
    /// Magnitude; real if a is complex.
    tiletc_abs_inst_create(a: tiletc_value_t, result: tiletc_type_t) ["abs"];
    /// -a.
    tiletc_neg_inst_create(a: tiletc_value_t, result: tiletc_type_t) ["neg"];
    /// Bit-wise or logical complement.
    tiletc_not_inst_create(a: tiletc_value_t, result: tiletc_type_t) ["not"];
    /// Complex conjugate.
    tiletc_conj_inst_create(a: tiletc_value_t, result: tiletc_type_t) ["conj"];
    /// Imaginary part.
    tiletc_im_inst_create(a: tiletc_value_t, result: tiletc_type_t) ["im"];
    /// Real part.
    tiletc_re_inst_create(a: tiletc_value_t, result: tiletc_type_t) ["re"];
    /// Tests whether a = b; the result is a boolean.
    tiletc_equal_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t) ["equal"];
    /// Tests whether a ≠ b; the result is a boolean.
    tiletc_not_equal_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t) ["not_equal"];
    /// Tests whether a > b; the result is a boolean.
    tiletc_greater_than_inst_create(
        a: tiletc_value_t,
        b: tiletc_value_t,
        result: tiletc_type_t,
    ) ["greater_than"];
    /// Tests whether a ≥ b; the result is a boolean.
    tiletc_greater_than_equal_inst_create(
        a: tiletc_value_t,
        b: tiletc_value_t,
        result: tiletc_type_t,
    ) ["greater_than_equal"];
    /// Tests whether a < b; the result is a boolean.
    tiletc_less_than_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t) ["less_than"];
    /// Tests whether a ≤ b; the result is a boolean.
    tiletc_less_than_equal_inst_create(
        a: tiletc_value_t,
        b: tiletc_value_t,
        result: tiletc_type_t,
    ) ["less_than_equal"];
    /// Cosine.
    tiletc_cos_inst_create(a: tiletc_value_t, result: tiletc_type_t) ["cos"];
    /// Sine.
    tiletc_sin_inst_create(a: tiletc_value_t, result: tiletc_type_t) ["sin"];
    /// e to the power of a.
    tiletc_exp_inst_create(a: tiletc_value_t, result: tiletc_type_t) ["exp"];
    /// 2 to the power of a.
    tiletc_exp2_inst_create(a: tiletc_value_t, result: tiletc_type_t) ["exp2"];
    /// Natural logarithm.
    tiletc_log_inst_create(a: tiletc_value_t, result: tiletc_type_t) ["log"];
    /// Logarithm to base 2.
    tiletc_log2_inst_create(a: tiletc_value_t, result: tiletc_type_t) ["log2"];
    /// Square root.
    tiletc_sqrt_inst_create(a: tiletc_value_t, result: tiletc_type_t) ["sqrt"];
    /// Reciprocal of the square root.
    tiletc_rsqrt_inst_create(a: tiletc_value_t, result: tiletc_type_t) ["rsqrt"];
    /// Hyperbolic tangent.
    tiletc_tanh_inst_create(a: tiletc_value_t, result: tiletc_type_t) ["tanh"];
    /// Error function.
    tiletc_erf_inst_create(a: tiletc_value_t, result: tiletc_type_t) ["erf"];
    /// Cosine, as accurate as the device makes it.
    tiletc_native_cos_inst_create(a: tiletc_value_t, result: tiletc_type_t) ["native_cos"];
    /// Sine, as accurate as the device makes it.
    tiletc_native_sin_inst_create(a: tiletc_value_t, result: tiletc_type_t) ["native_sin"];
    /// e to the power of a, as accurate as the device makes it.
    tiletc_native_exp_inst_create(a: tiletc_value_t, result: tiletc_type_t) ["native_exp"];
    /// 2 to the power of a, as accurate as the device makes it.
    tiletc_native_exp2_inst_create(a: tiletc_value_t, result: tiletc_type_t) ["native_exp2"];
    /// Natural logarithm, as accurate as the device makes it.
    tiletc_native_log_inst_create(a: tiletc_value_t, result: tiletc_type_t) ["native_log"];
    /// Logarithm to base 2, as accurate as the device makes it.
    tiletc_native_log2_inst_create(a: tiletc_value_t, result: tiletc_type_t) ["native_log2"];
    /// a if the condition, a boolean, holds, b otherwise; booleans or numbers of one type. For tiles the condition is a
    /// tile of i8, which holds where it is not 0.
    tiletc_select_inst_create(
        condition: tiletc_value_t,
        a: tiletc_value_t,
        b: tiletc_value_t,
        result: tiletc_type_t,
    ) ["select"];
    /// The place of the work-group in the grid; an index.
    tiletc_group_id_inst_create(mode: tiletc_comp3_t, result: tiletc_type_t) ["group_id"];
    /// The extent of the grid in work-groups; an index.
    tiletc_num_groups_inst_create(mode: tiletc_comp3_t, result: tiletc_type_t) ["num_groups"];
    /// The number of subgroups of the work-group in a direction; an i32.
    tiletc_num_subgroups_inst_create(mode: tiletc_comp3_t, result: tiletc_type_t) ["num_subgroups"];
    /// The place of the subgroup in the work-group; an i32.
    tiletc_subgroup_id_inst_create(mode: tiletc_comp3_t, result: tiletc_type_t) ["subgroup_id"];
    /// The number of work-items of a subgroup; an i32.
    tiletc_subgroup_size_inst_create(result: tiletc_type_t) ["subgroup_size"];
    /// The number of the subgroup in the work-group, x fastest; an i32.
    tiletc_subgroup_linear_id_inst_create(result: tiletc_type_t) ["subgroup_linear_id"];
    /// The place of the work-item in its subgroup; an i32.
    tiletc_subgroup_local_id_inst_create(result: tiletc_type_t) ["subgroup_local_id"];
    /// An element of a memref, for which there is an index for each mode, or a member of a group, for
    /// which there is one.
    tiletc_load_inst_create(
        operand: tiletc_value_t,
        index_list_size: usize,
        index_list: *const tiletc_value_t,
        result: tiletc_type_t,
    ) ["load"];
    /// Writes an element of a memref; there is an index for each mode.
    tiletc_store_inst_create(
        val: tiletc_value_t,
        operand: tiletc_value_t,
        index_list_size: usize,
        index_list: *const tiletc_value_t,
    ) ["store"];
    /// The same as a load, atomically.
    tiletc_atomic_load_inst_create(
        scope: tiletc_memory_scope_t,
        semantics: tiletc_memory_semantics_t,
        operand: tiletc_value_t,
        index_list_size: usize,
        index_list: *const tiletc_value_t,
        result: tiletc_type_t,
    ) ["atomic_load"];
    /// The same as a store, atomically.
    tiletc_atomic_store_inst_create(
        scope: tiletc_memory_scope_t,
        semantics: tiletc_memory_semantics_t,
        val: tiletc_value_t,
        operand: tiletc_value_t,
        index_list_size: usize,
        index_list: *const tiletc_value_t,
    ) ["atomic_store"];
    /// Adds a value to an element atomically; the result is the element before.
    tiletc_atomic_add_inst_create(
        scope: tiletc_memory_scope_t,
        semantics: tiletc_memory_semantics_t,
        val: tiletc_value_t,
        operand: tiletc_value_t,
        index_list_size: usize,
        index_list: *const tiletc_value_t,
        result: tiletc_type_t,
    ) ["atomic_add"];
    /// Keeps the larger of an element and a value atomically; the result is the element before.
    tiletc_atomic_max_inst_create(
        scope: tiletc_memory_scope_t,
        semantics: tiletc_memory_semantics_t,
        val: tiletc_value_t,
        operand: tiletc_value_t,
        index_list_size: usize,
        index_list: *const tiletc_value_t,
        result: tiletc_type_t,
    ) ["atomic_max"];
    /// Keeps the smaller of an element and a value atomically; the result is the element before.
    tiletc_atomic_min_inst_create(
        scope: tiletc_memory_scope_t,
        semantics: tiletc_memory_semantics_t,
        val: tiletc_value_t,
        operand: tiletc_value_t,
        index_list_size: usize,
        index_list: *const tiletc_value_t,
        result: tiletc_type_t,
    ) ["atomic_min"];
    /// Tests whether the base pointer of a memref or group is not null; the result is a boolean.
    tiletc_associated_inst_create(operand: tiletc_value_t, result: tiletc_type_t) ["associated"];
    /// Tests whether 2D block messages take a matrix in memory: address, sizes and strides; the result is a
    /// boolean.
    tiletc_is_surface_inst_create(operand: tiletc_value_t, result: tiletc_type_t) ["is_surface"];
    /// The same matrix, which is known to pass is_surface.
    tiletc_as_surface_inst_create(operand: tiletc_value_t, result: tiletc_type_t) ["as_surface"];
    /// The same memory as a memref of another type: sizes and strides that only one of the types fixes are known to
    /// have the values of the other one. With .t, the modes of a matrix change places.
    tiletc_memref_cast_inst_create(
        t: tiletc_transpose_t,
        operand: tiletc_value_t,
        result: tiletc_type_t,
    ) ["memref_cast"];
    /// The size of a mode of a memref, counted from 0, or for mode 0 the number of members of a group; an
    /// index.
    tiletc_size_inst_create(mode: i64, operand: tiletc_value_t, result: tiletc_type_t) ["size"];
    /// Part of a memref: an offset and a size for each mode, whose stride stays. Entries of the static
    /// offsets and sizes that are TILETC_DYNAMIC take the next of the offsets and sizes, an index; a
    /// static size of 0 drops the mode.
    tiletc_subview_inst_create(
        static_offsets_size: usize,
        static_offsets: *const i64,
        static_sizes_size: usize,
        static_sizes: *const i64,
        operand: tiletc_value_t,
        offsets_size: usize,
        offsets: *const tiletc_value_t,
        sizes_size: usize,
        sizes: *const tiletc_value_t,
        result: tiletc_type_t,
    ) ["subview"];
    /// Splits a mode of a memref, counted from 0, into two or more, whose sizes are the static shape, the
    /// first one fastest; the size of the mode is their product. Entries that are TILETC_DYNAMIC take the
    /// next of the shape, an index.
    tiletc_expand_inst_create(
        expanded_mode: i64,
        static_expand_shape_size: usize,
        static_expand_shape: *const i64,
        operand: tiletc_value_t,
        expand_shape_size: usize,
        expand_shape: *const tiletc_value_t,
        result: tiletc_type_t,
    ) ["expand"];
    /// Joins the modes from ... to of a memref, counted from 0 and both included, into one, whose size is
    /// the product of theirs. They must be contiguous in memory.
    tiletc_fuse_inst_create(from: i64, to: i64, operand: tiletc_value_t, result: tiletc_type_t) ["fuse"];
    /// Waits until all work-items of the work-group are here, and orders accesses to the address spaces
    /// given, a set of tiletc_address_space_t bits.
    tiletc_barrier_inst_create(fence_flags: tiletc_address_spaces_t) ["barrier"];
    /// Tells the others of the work-group that a work-item is here, and goes on: the first half of a barrier that
    /// orders accesses to local memory.
    tiletc_barrier_arrive_inst_create() ["barrier_arrive"];
    /// Waits until all work-items of the work-group have come to barrier_arrive: the second half.
    tiletc_barrier_wait_inst_create() ["barrier_wait"];
    /// Shared local memory of the work-group; the result is a memref of static shape in the local address
    /// space.
    tiletc_alloca_inst_create(result: tiletc_type_t) ["alloca"];
    /// The point after which an allocation is dead.
    tiletc_lifetime_stop_inst_create(object: tiletc_value_t) ["lifetime_stop"];
    /// A counted loop over [from, to), three integers of one type; step may be NULL, which stands for 1.
    /// Each result is a boolean, a number, a cooperative matrix or a tile, and has an initial value of its type.
    /// The parameters of the region are the loop variable, of the type of from, and one for each result;
    /// it ends with a yield of the next values.
    tiletc_for_inst_create(
        from: tiletc_value_t,
        to: tiletc_value_t,
        step: tiletc_value_t,
        iter_init_size: usize,
        iter_init: *const tiletc_value_t,
        results_size: usize,
        results: *const tiletc_type_t,
    ) ["for"];
    /// A branch on a boolean. Region 0 is taken if it holds, region 1 otherwise. Each result is a
    /// boolean, a number, a cooperative matrix or a tile; if there are any, both regions end with a
    /// yield of them.
    tiletc_if_inst_create(
        condition: tiletc_value_t,
        results_size: usize,
        results: *const tiletc_type_t,
    ) ["if"];
    /// Ends a region that returns values.
    tiletc_yield_inst_create(yielded_vals_size: usize, yielded_vals: *const tiletc_value_t) ["yield"];
    /// Leaves the loop whose body it stands in if a boolean holds, which in collective code must be the same for the
    /// work-group. The results of the loop are then what it carried when the iteration began.
    tiletc_break_if_inst_create(condition: tiletc_value_t) ["break_if"];
    /// Runs its region by every work-item of the work-group. Each result is a tile, of which every subgroup yields its own
    /// share at the end of the region.
    tiletc_parallel_inst_create() ["parallel"];
    /// Runs its region by every work-item of the work-group. Each result is a tile, of which every subgroup yields its own
    /// share at the end of the region.
    tiletc_parallel_with_results_inst_create(results_size: usize, results: *const tiletc_type_t) ["parallel"];
    /// Runs its region for each point of a range, spread over the work-items. In each mode from and to
    /// are integers of one type. The parameters of the region are the point.
    tiletc_foreach_inst_create(
        from_size: usize,
        from: *const tiletc_value_t,
        to_size: usize,
        to: *const tiletc_value_t,
    ) ["foreach"];
    /// Runs its region for each tile of a range, each by one subgroup. In each mode from and to are
    /// integers of one type, and there is a largest size. The parameters of the region are the first
    /// point of the tile and its sizes.
    tiletc_foreach_tile_inst_create(
        tile_shape_size: usize,
        tile_shape: *const i64,
        from_size: usize,
        from: *const tiletc_value_t,
        to_size: usize,
        to: *const tiletc_value_t,
    ) ["foreach_tile"];
    /// The value of the work-item idx, an i32, in all of its subgroup.
    tiletc_subgroup_broadcast_inst_create(
        a: tiletc_value_t,
        idx: tiletc_value_t,
        result: tiletc_type_t,
    ) ["subgroup_broadcast"];
    /// Sum of the work-items before.
    tiletc_subgroup_exclusive_scan_add_inst_create(
        a: tiletc_value_t,
        result: tiletc_type_t,
    ) ["subgroup_exclusive_scan_add"];
    /// Largest value of the work-items before.
    tiletc_subgroup_exclusive_scan_max_inst_create(
        a: tiletc_value_t,
        result: tiletc_type_t,
    ) ["subgroup_exclusive_scan_max"];
    /// Smallest value of the work-items before.
    tiletc_subgroup_exclusive_scan_min_inst_create(
        a: tiletc_value_t,
        result: tiletc_type_t,
    ) ["subgroup_exclusive_scan_min"];
    /// Sum up to and with the work-item.
    tiletc_subgroup_inclusive_scan_add_inst_create(
        a: tiletc_value_t,
        result: tiletc_type_t,
    ) ["subgroup_inclusive_scan_add"];
    /// Largest value up to and with the work-item.
    tiletc_subgroup_inclusive_scan_max_inst_create(
        a: tiletc_value_t,
        result: tiletc_type_t,
    ) ["subgroup_inclusive_scan_max"];
    /// Smallest value up to and with the work-item.
    tiletc_subgroup_inclusive_scan_min_inst_create(
        a: tiletc_value_t,
        result: tiletc_type_t,
    ) ["subgroup_inclusive_scan_min"];
    /// Sum of all work-items of the subgroup.
    tiletc_subgroup_reduce_add_inst_create(a: tiletc_value_t, result: tiletc_type_t) ["subgroup_reduce_add"];
    /// Largest value of all work-items of the subgroup.
    tiletc_subgroup_reduce_max_inst_create(a: tiletc_value_t, result: tiletc_type_t) ["subgroup_reduce_max"];
    /// Smallest value of all work-items of the subgroup.
    tiletc_subgroup_reduce_min_inst_create(a: tiletc_value_t, result: tiletc_type_t) ["subgroup_reduce_min"];
    /// B := alpha·op(A) + beta·B. op(A) and B are two scalars, two vectors of N elements or two M x N
    /// matrices; tA only matters for matrices.
    tiletc_axpby_inst_create(
        atomic: tiletc_bool_t,
        tA: tiletc_transpose_t,
        alpha: tiletc_value_t,
        A: tiletc_value_t,
        beta: tiletc_value_t,
        B: tiletc_value_t,
    ) ["axpby"];
    /// B := alpha·(running sums of A along a mode, counted from 0) + beta·B. A and B have the same shape,
    /// of order 1 or more.
    tiletc_cumsum_inst_create(
        atomic: tiletc_bool_t,
        mode: i64,
        alpha: tiletc_value_t,
        A: tiletc_value_t,
        beta: tiletc_value_t,
        B: tiletc_value_t,
    ) ["cumsum"];
    /// B := alpha·(sums of the rows of op(A), or the sum of a vector) + beta·B. op(A) is M x N and B has
    /// M elements, or A has N elements and B is a memref of order 0.
    tiletc_sum_inst_create(
        atomic: tiletc_bool_t,
        tA: tiletc_transpose_t,
        alpha: tiletc_value_t,
        A: tiletc_value_t,
        beta: tiletc_value_t,
        B: tiletc_value_t,
    ) ["sum"];
    /// C := alpha·op(A)·B + beta·C. op(A) is M x N, the vector B has N elements, the vector C has M.
    tiletc_gemv_inst_create(
        atomic: tiletc_bool_t,
        tA: tiletc_transpose_t,
        alpha: tiletc_value_t,
        A: tiletc_value_t,
        B: tiletc_value_t,
        beta: tiletc_value_t,
        C: tiletc_value_t,
    ) ["gemv"];
    /// C := alpha·A·B^T + beta·C. The vector A has M elements, the vector B has N, C is M x N.
    tiletc_ger_inst_create(
        atomic: tiletc_bool_t,
        alpha: tiletc_value_t,
        A: tiletc_value_t,
        B: tiletc_value_t,
        beta: tiletc_value_t,
        C: tiletc_value_t,
    ) ["ger"];
    /// C := alpha·A∘B + beta·C, entry by entry. A, B and C are vectors of N elements or M x N matrices.
    tiletc_hadamard_inst_create(
        atomic: tiletc_bool_t,
        alpha: tiletc_value_t,
        A: tiletc_value_t,
        B: tiletc_value_t,
        beta: tiletc_value_t,
        C: tiletc_value_t,
    ) ["hadamard"];
    /// C := alpha·op(A)·op(B) + beta·C. op(A) is M x K, op(B) is K x N, C is M x N.
    tiletc_gemm_inst_create(
        atomic: tiletc_bool_t,
        tA: tiletc_transpose_t,
        tB: tiletc_transpose_t,
        alpha: tiletc_value_t,
        A: tiletc_value_t,
        B: tiletc_value_t,
        beta: tiletc_value_t,
        C: tiletc_value_t,
    ) ["gemm"];
    /// Reads a matrix from a matrix in memory. Entry (i, j) is at (pos0 + i, pos1 + j) of the operand, or
    /// with a transpose at (pos0 + j, pos1 + i); entries that fail a check are 0.
    tiletc_cooperative_matrix_load_inst_create(
        t: tiletc_transpose_t,
        checked: tiletc_checked_flag_t,
        operand: tiletc_value_t,
        pos0: tiletc_value_t,
        pos1: tiletc_value_t,
        result: tiletc_type_t,
    ) ["cooperative_matrix_load"];
    /// Writes a matrix to a matrix in memory, with every entry where a load takes it from; entries that
    /// fail a check are skipped.
    tiletc_cooperative_matrix_store_inst_create(
        t: tiletc_transpose_t,
        checked: tiletc_checked_flag_t,
        val: tiletc_value_t,
        operand: tiletc_value_t,
        pos0: tiletc_value_t,
        pos1: tiletc_value_t,
    ) ["cooperative_matrix_store"];
    /// a·b + c. a is an M x K matrix_a, b a K x N matrix_b, c and the result are M x N of matrix_acc.
    tiletc_cooperative_matrix_mul_add_inst_create(
        a: tiletc_value_t,
        b: tiletc_value_t,
        c: tiletc_value_t,
        result: tiletc_type_t,
    ) ["cooperative_matrix_mul_add"];
    /// The number a, of the component type, times every entry of the matrix b; the result has the type of
    /// b.
    tiletc_cooperative_matrix_scale_inst_create(
        a: tiletc_value_t,
        b: tiletc_value_t,
        result: tiletc_type_t,
    ) ["cooperative_matrix_scale"];
    /// A matrix with a number, of its component type, in every entry.
    tiletc_cooperative_matrix_construct_inst_create(
        number: tiletc_value_t,
        result: tiletc_type_t,
    ) ["cooperative_matrix_construct"];
    /// A component of the work-item's share of a matrix, counted from 0.
    tiletc_cooperative_matrix_extract_inst_create(
        index: i64,
        mat: tiletc_value_t,
        result: tiletc_type_t,
    ) ["cooperative_matrix_extract"];
    /// The matrix with one component of the work-item's share, counted from 0, replaced.
    tiletc_cooperative_matrix_insert_inst_create(
        index: i64,
        val: tiletc_value_t,
        mat: tiletc_value_t,
        result: tiletc_type_t,
    ) ["cooperative_matrix_insert"];
    /// The part of a matrix that begins at a row and a column, counted from 0, with as many rows and columns as
    /// the type of the result has.
    tiletc_cooperative_matrix_slice_inst_create(
        row: i64,
        col: i64,
        mat: tiletc_value_t,
        result: tiletc_type_t,
    ) ["cooperative_matrix_slice"];
    /// Computes every entry: the parameters of the region are row and column, of type i32, and the entry,
    /// and it yields the new entry.
    tiletc_cooperative_matrix_apply_inst_create(
        a: tiletc_value_t,
        result: tiletc_type_t,
    ) ["cooperative_matrix_apply"];
    /// The same as a load, with an atomic access for each entry.
    tiletc_cooperative_matrix_atomic_load_inst_create(
        t: tiletc_transpose_t,
        checked: tiletc_checked_flag_t,
        scope: tiletc_memory_scope_t,
        semantics: tiletc_memory_semantics_t,
        operand: tiletc_value_t,
        pos0: tiletc_value_t,
        pos1: tiletc_value_t,
        result: tiletc_type_t,
    ) ["cooperative_matrix_atomic_load"];
    /// The same as a store, with an atomic access for each entry.
    tiletc_cooperative_matrix_atomic_store_inst_create(
        t: tiletc_transpose_t,
        checked: tiletc_checked_flag_t,
        scope: tiletc_memory_scope_t,
        semantics: tiletc_memory_semantics_t,
        val: tiletc_value_t,
        operand: tiletc_value_t,
        pos0: tiletc_value_t,
        pos1: tiletc_value_t,
    ) ["cooperative_matrix_atomic_store"];
    /// Adds the entries of a matrix to memory atomically; the result holds the entries
    /// before.
    tiletc_cooperative_matrix_atomic_add_inst_create(
        t: tiletc_transpose_t,
        checked: tiletc_checked_flag_t,
        scope: tiletc_memory_scope_t,
        semantics: tiletc_memory_semantics_t,
        val: tiletc_value_t,
        operand: tiletc_value_t,
        pos0: tiletc_value_t,
        pos1: tiletc_value_t,
        result: tiletc_type_t,
    ) ["cooperative_matrix_atomic_add"];
    /// Keeps the larger entries of a matrix and of memory atomically; the result holds the entries
    /// before.
    tiletc_cooperative_matrix_atomic_max_inst_create(
        t: tiletc_transpose_t,
        checked: tiletc_checked_flag_t,
        scope: tiletc_memory_scope_t,
        semantics: tiletc_memory_semantics_t,
        val: tiletc_value_t,
        operand: tiletc_value_t,
        pos0: tiletc_value_t,
        pos1: tiletc_value_t,
        result: tiletc_type_t,
    ) ["cooperative_matrix_atomic_max"];
    /// Keeps the smaller entries of a matrix and of memory atomically; the result holds the entries
    /// before.
    tiletc_cooperative_matrix_atomic_min_inst_create(
        t: tiletc_transpose_t,
        checked: tiletc_checked_flag_t,
        scope: tiletc_memory_scope_t,
        semantics: tiletc_memory_semantics_t,
        val: tiletc_value_t,
        operand: tiletc_value_t,
        pos0: tiletc_value_t,
        pos1: tiletc_value_t,
        result: tiletc_type_t,
    ) ["cooperative_matrix_atomic_min"];
    /// Sums along the rows (M x N to M x 1) or the columns (M x N to 1 x N) of a matrix.
    tiletc_cooperative_matrix_reduce_add_inst_create(
        mode: tiletc_reduce_mode_t,
        a: tiletc_value_t,
        result: tiletc_type_t,
    ) ["cooperative_matrix_reduce_add"];
    /// Largest entries along the rows (M x N to M x 1) or the columns (M x N to 1 x N) of a matrix.
    tiletc_cooperative_matrix_reduce_max_inst_create(
        mode: tiletc_reduce_mode_t,
        a: tiletc_value_t,
        result: tiletc_type_t,
    ) ["cooperative_matrix_reduce_max"];
    /// Smallest entries along the rows (M x N to M x 1) or the columns (M x N to 1 x N) of a matrix.
    tiletc_cooperative_matrix_reduce_min_inst_create(
        mode: tiletc_reduce_mode_t,
        a: tiletc_value_t,
        result: tiletc_type_t,
    ) ["cooperative_matrix_reduce_min"];
    /// A hint to bring rows x cols entries of a matrix in memory into a cache; level 0 is nearest to the
    /// core.
    tiletc_cooperative_matrix_prefetch_inst_create(
        cache_level: i32,
        rows: i32,
        cols: i32,
        operand: tiletc_value_t,
        pos0: tiletc_value_t,
        pos1: tiletc_value_t,
    ) ["cooperative_matrix_prefetch"];
    /// Computes every entry from the entries of matrices of one use, whose shape is that of the result, a row or a
    /// column of it, or a single entry: the parameters of the region
    /// are row and column, of type i32, and the entry of each matrix, and it yields the entry of the result.
    tiletc_cooperative_matrix_map_inst_create(
        matrices_size: usize,
        matrices: *const tiletc_value_t,
        result: tiletc_type_t,
    ) ["cooperative_matrix_map"];
    /// The tile of a matrix of rows x cols tiles, two indices, that a work-group takes: a bijection
    /// from [0, rows·cols), and (rows, cols) beyond. The results are the indices of its row and column. The
    /// number of the work-group is linear if there is one, or else group_id.x + num_groups.x·group_id.y.
    tiletc_tile_order_inst_create(
        order: tiletc_tile_order_t,
        num_rows: tiletc_value_t,
        num_cols: tiletc_value_t,
        linear: tiletc_value_t,
        results_size: usize,
        results: *const tiletc_type_t,
    ) ["tile_order"];
    /// Reads a tile from a matrix in memory. Entry (i, j) is at (pos0 + i, pos1 + j) of the operand, or with a
    /// transpose at (pos0 + j, pos1 + i). Entries outside are what the boundary says; of those, and of those
    /// for which the region, the mask, does not yield true, no memory is touched, and they are other, or 0
    /// without it. The parameters of the region are the row and the column of the operand.
    tiletc_tile_load_inst_create(
        t: tiletc_transpose_t,
        boundary: tiletc_boundary_t,
        operand: tiletc_value_t,
        pos0: tiletc_value_t,
        pos1: tiletc_value_t,
        other: tiletc_value_t,
        result: tiletc_type_t,
    ) ["tile_load"];
    /// Writes a tile to a matrix in memory, with every entry where a load takes it from. Entries outside, and
    /// those for which the region, the mask, does not yield true, are not written.
    tiletc_tile_store_inst_create(
        atomic_add: tiletc_bool_t,
        t: tiletc_transpose_t,
        unchecked: tiletc_bool_t,
        val: tiletc_value_t,
        operand: tiletc_value_t,
        pos0: tiletc_value_t,
        pos1: tiletc_value_t,
    ) ["tile_store"];
    /// Copies a part of a matrix in global memory, as large as a matrix in local memory, into the latter, for all of the work-group.
    /// Entry (i, j) of the copy is at (pos0 + i, pos1 + j) of the operand, or with a transpose at (pos0 + j, pos1 + i). What is
    /// outside of the operand is copied as the boundary says. Numbers are promoted to those of the copy. A copy of order 3 is of panels: (i, j) is at (i mod d, j, i/d) there,
    /// for d the size of its first mode.
    tiletc_tile_copy_inst_create(
        t: tiletc_transpose_t,
        boundary: tiletc_boundary_t,
        operand: tiletc_value_t,
        pos0: tiletc_value_t,
        pos1: tiletc_value_t,
        copy: tiletc_value_t,
    ) ["tile_copy"];
    /// A hint to bring rows x cols entries of a matrix in memory into a cache; level 0 is nearest to the
    /// core.
    tiletc_tile_prefetch_inst_create(
        cache_level: i32,
        rows: i32,
        cols: i32,
        operand: tiletc_value_t,
        pos0: tiletc_value_t,
        pos1: tiletc_value_t,
    ) ["tile_prefetch"];
    /// a·b + c. a is an M x K matrix_a, b a K x N matrix_b, c and the result are M x N of matrix_acc.
    tiletc_tile_dot_inst_create(
        a: tiletc_value_t,
        b: tiletc_value_t,
        c: tiletc_value_t,
        result: tiletc_type_t,
    ) ["tile_dot"];
    /// Computes every entry from the entries of tiles of one use, whose shape is that of the result, a row or a column
    /// of it, or a single entry: the parameters of the region are row and column, of type i32, and the entry of each
    /// tile, and it yields the entry of the result.
    tiletc_tile_apply_inst_create(
        tiles_size: usize,
        tiles: *const tiletc_value_t,
        result: tiletc_type_t,
    ) ["tile_apply"];
    /// The number a, of the component type, times every entry of the tile b; the result has the type of b.
    tiletc_tile_scale_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t) ["tile_scale"];
    /// Sums along the rows (M x N to M x 1) or the columns (M x N to 1 x N) of a tile.
    tiletc_tile_reduce_add_inst_create(
        mode: tiletc_reduce_mode_t,
        share: tiletc_bool_t,
        a: tiletc_value_t,
        result: tiletc_type_t,
    ) ["tile_reduce_add"];
    /// Largest entries along the rows (M x N to M x 1) or the columns (M x N to 1 x N) of a tile.
    tiletc_tile_reduce_max_inst_create(
        mode: tiletc_reduce_mode_t,
        share: tiletc_bool_t,
        a: tiletc_value_t,
        result: tiletc_type_t,
    ) ["tile_reduce_max"];
    /// Smallest entries along the rows (M x N to M x 1) or the columns (M x N to 1 x N) of a tile.
    tiletc_tile_reduce_min_inst_create(
        mode: tiletc_reduce_mode_t,
        share: tiletc_bool_t,
        a: tiletc_value_t,
        result: tiletc_type_t,
    ) ["tile_reduce_min"];
    /// The tile with rows and columns exchanged: R x C of matrix_acc becomes C x R.
    tiletc_tile_transpose_inst_create(a: tiletc_value_t, result: tiletc_type_t) ["tile_transpose"];
    /// A block of the subgroup's own share of a tile: the cooperative matrix, of r x c, in row row and column col of the r x c blocks
    /// of the share. All blocks of tiles of one size and use have one shape.
    tiletc_tile_fragment_inst_create(
        row: i64,
        col: i64,
        a: tiletc_value_t,
        result: tiletc_type_t,
    ) ["tile_fragment"];
    /// The tile a with a block of the subgroup's own share replaced by the cooperative matrix fragment; it has the type of a.
    tiletc_tile_with_fragment_inst_create(
        row: i64,
        col: i64,
        fragment: tiletc_value_t,
        a: tiletc_value_t,
        result: tiletc_type_t,
    ) ["tile_with_fragment"];
    /// Returns whether an entry of a tile of integers is greater than 0, as the 1 of comparisons is.
    tiletc_tile_any_inst_create(a: tiletc_value_t, result: tiletc_type_t) ["tile_any"];
}
