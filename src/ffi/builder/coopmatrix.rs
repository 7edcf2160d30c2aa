//! Cooperative matrices (API reference 4.6). A place in memory is a memref of order 2 and two indices, those of
//! the first entry.

use super::super::call::Outcome;
use super::super::enums;
use super::super::types::*;
use super::site::{Site, check, create, order, transpose, word};
use super::{Prototype, constructors};
use crate::ir::{
    CoopmatrixApply, CoopmatrixAtomicLoad, CoopmatrixAtomicOp, CoopmatrixAtomicStore, CoopmatrixAtomicUpdate,
    CoopmatrixConstruct, CoopmatrixExtract, CoopmatrixInsert, CoopmatrixLoad, CoopmatrixMulAdd,
    CoopmatrixPrefetch, CoopmatrixReduce, CoopmatrixReduceOp, CoopmatrixScale, CoopmatrixStore, ReduceMode,
};

constructors! {
    ACCESS;
    /// Reads a matrix from a matrix in memory. Entry (i, j) is at (pos0 + i, pos1 + j) of the operand, or with a
    /// transpose at (pos0 + j, pos1 + i); entries that fail a check are 0.
    tiletc_cooperative_matrix_load_inst_create(
        t: tiletc_transpose_t,
        checked: tiletc_checked_flag_t,
        operand: tiletc_value_t,
        pos0: tiletc_value_t,
        pos1: tiletc_value_t,
        result: tiletc_type_t,
    ) |s| {
        let (transpose, checked) = (transpose(t)?, check(checked)?);
        let (from, x, y) = (s.value(operand)?, s.value(pos0)?, s.value(pos1)?);
        s.result(result)?;
        CoopmatrixLoad { transpose, checked, from, x, y }
    };
    /// Writes a matrix to a matrix in memory, with every entry where a load takes it from; entries that fail a
    /// check are skipped.
    tiletc_cooperative_matrix_store_inst_create(
        t: tiletc_transpose_t,
        checked: tiletc_checked_flag_t,
        val: tiletc_value_t,
        operand: tiletc_value_t,
        pos0: tiletc_value_t,
        pos1: tiletc_value_t,
    ) |s| {
        let (transpose, checked) = (transpose(t)?, check(checked)?);
        let (value, to) = (s.value(val)?, s.value(operand)?);
        CoopmatrixStore { transpose, checked, value, to, x: s.value(pos0)?, y: s.value(pos1)? }
    };
    /// A hint to bring rows x cols entries of a matrix in memory into a cache; level 0 is nearest to the core.
    tiletc_cooperative_matrix_prefetch_inst_create(
        cache_level: i32,
        rows: i32,
        cols: i32,
        operand: tiletc_value_t,
        pos0: tiletc_value_t,
        pos1: tiletc_value_t,
    ) |s| {
        let (of, x, y) = (s.value(operand)?, s.value(pos0)?, s.value(pos1)?);
        CoopmatrixPrefetch { level: cache_level, of, x, y, rows, cols }
    };
}

constructors! {
    ATOMIC;
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
    ) |s| {
        let (transpose, checked) = (transpose(t)?, check(checked)?);
        let (scope, semantics) = order(scope, semantics)?;
        let (from, x, y) = (s.value(operand)?, s.value(pos0)?, s.value(pos1)?);
        s.result(result)?;
        CoopmatrixAtomicLoad { transpose, checked, scope, semantics, from, x, y }
    };
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
    ) |s| {
        let (transpose, checked) = (transpose(t)?, check(checked)?);
        let (scope, semantics) = order(scope, semantics)?;
        let (value, to, x, y) = (s.value(val)?, s.value(operand)?, s.value(pos0)?, s.value(pos1)?);
        CoopmatrixAtomicStore { transpose, checked, scope, semantics, value, to, x, y }
    };
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
    ) |s| {
        let place = [operand, pos0, pos1];
        update(s, CoopmatrixAtomicOp::Add, (t, checked), (scope, semantics), val, place, result)?
    };
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
    ) |s| {
        let place = [operand, pos0, pos1];
        update(s, CoopmatrixAtomicOp::Max, (t, checked), (scope, semantics), val, place, result)?
    };
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
    ) |s| {
        let place = [operand, pos0, pos1];
        update(s, CoopmatrixAtomicOp::Min, (t, checked), (scope, semantics), val, place, result)?
    };
}

fn update(
    s: &mut Site,
    op: CoopmatrixAtomicOp,
    (t, checked): (tiletc_transpose_t, tiletc_checked_flag_t),
    (scope, semantics): (tiletc_memory_scope_t, tiletc_memory_semantics_t),
    val: tiletc_value_t,
    [operand, pos0, pos1]: [tiletc_value_t; 3],
    result: tiletc_type_t,
) -> Outcome<CoopmatrixAtomicUpdate> {
    let (transpose, checked) = (transpose(t)?, check(checked)?);
    let (scope, semantics) = order(scope, semantics)?;
    let (value, to, x, y) = (s.value(val)?, s.value(operand)?, s.value(pos0)?, s.value(pos1)?);
    s.result(result)?;
    Ok(CoopmatrixAtomicUpdate { op, transpose, checked, scope, semantics, value, to, x, y })
}

constructors! {
    COMPUTE;
    /// a·b + c. a is an M x K matrix_a, b a K x N matrix_b, c and the result are M x N of matrix_acc.
    tiletc_cooperative_matrix_mul_add_inst_create(
        a: tiletc_value_t,
        b: tiletc_value_t,
        c: tiletc_value_t,
        result: tiletc_type_t,
    ) |s| {
        let (a, b, c) = (s.value(a)?, s.value(b)?, s.value(c)?);
        s.result(result)?;
        CoopmatrixMulAdd { a, b, c }
    };
    /// A matrix with a number, of its component type, in every entry.
    tiletc_cooperative_matrix_construct_inst_create(number: tiletc_value_t, result: tiletc_type_t) |s| {
        let value = s.value(number)?;
        s.result(result)?;
        CoopmatrixConstruct { value }
    };
    /// A component of the work-item's share of a matrix, counted from 0.
    tiletc_cooperative_matrix_extract_inst_create(index: i64, mat: tiletc_value_t, result: tiletc_type_t)
        |s| {
        let matrix = s.value(mat)?;
        s.result(result)?;
        CoopmatrixExtract { matrix, index }
    };
    /// The matrix with one component of the work-item's share, counted from 0, replaced.
    tiletc_cooperative_matrix_insert_inst_create(
        index: i64,
        val: tiletc_value_t,
        mat: tiletc_value_t,
        result: tiletc_type_t,
    ) |s| {
        let (value, matrix) = (s.value(val)?, s.value(mat)?);
        s.result(result)?;
        CoopmatrixInsert { value, matrix, index }
    };
    /// Computes every entry: the parameters of the region are row and column, of type i32, and the entry, and
    /// it yields the new entry.
    tiletc_cooperative_matrix_apply_inst_create(a: tiletc_value_t, result: tiletc_type_t) |s| {
        let matrix = s.value(a)?;
        s.result(result)?;
        CoopmatrixApply { matrix }
    };
    /// The number a, of the component type, times every entry of the matrix b; the result has the type of b.
    tiletc_cooperative_matrix_scale_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t)
        |s| {
        let (scalar, matrix) = (s.value(a)?, s.value(b)?);
        s.result(result)?;
        CoopmatrixScale { scalar, matrix }
    };
    /// Sums along the rows (M x N to M x 1) or the columns (M x N to 1 x N) of a matrix.
    tiletc_cooperative_matrix_reduce_add_inst_create(
        mode: tiletc_reduce_mode_t,
        a: tiletc_value_t,
        result: tiletc_type_t,
    ) |s| reduce(s, CoopmatrixReduceOp::Add, mode, a, result)?;
    /// Largest entries along the rows (M x N to M x 1) or the columns (M x N to 1 x N) of a matrix.
    tiletc_cooperative_matrix_reduce_max_inst_create(
        mode: tiletc_reduce_mode_t,
        a: tiletc_value_t,
        result: tiletc_type_t,
    ) |s| reduce(s, CoopmatrixReduceOp::Max, mode, a, result)?;
    /// Smallest entries along the rows (M x N to M x 1) or the columns (M x N to 1 x N) of a matrix.
    tiletc_cooperative_matrix_reduce_min_inst_create(
        mode: tiletc_reduce_mode_t,
        a: tiletc_value_t,
        result: tiletc_type_t,
    ) |s| reduce(s, CoopmatrixReduceOp::Min, mode, a, result)?;
}

fn reduce(
    s: &mut Site,
    op: CoopmatrixReduceOp,
    mode: tiletc_reduce_mode_t,
    a: tiletc_value_t,
    result: tiletc_type_t,
) -> Outcome<CoopmatrixReduce> {
    let mode = word(&enums::REDUCE_MODE, ReduceMode::ALL, mode)?;
    let reduce = CoopmatrixReduce { op, mode, matrix: s.value(a)? };
    s.result(result)?;
    Ok(reduce)
}
