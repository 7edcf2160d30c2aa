//! Memory: accesses, views, local memory (API reference 4.6).

use super::super::call::Outcome;
use super::super::types::*;
use super::site::{Site, create, fences, order};
use super::{Prototype, constructors};
use crate::ir::{
    Alloca, Associated, AtomicLoad, AtomicStore, AtomicUpdate, AtomicUpdateOp, Barrier, Expand, Fuse,
    LifetimeStop, Load, Size, Store, Subview,
};

constructors! {
    ACCESS;
    /// An element of a memref, for which there is an index for each mode, or a member of a group, for which
    /// there is one.
    tiletc_load_inst_create(
        operand: tiletc_value_t,
        index_list_size: usize,
        index_list: *const tiletc_value_t,
        result: tiletc_type_t,
    ) |s| {
        let load = Load { from: s.value(operand)?, indices: s.values(index_list_size, index_list)? };
        s.result(result)?;
        load
    };
    /// Writes an element of a memref; there is an index for each mode.
    tiletc_store_inst_create(
        val: tiletc_value_t,
        operand: tiletc_value_t,
        index_list_size: usize,
        index_list: *const tiletc_value_t,
    ) |s| Store {
        value: s.value(val)?,
        to: s.value(operand)?,
        indices: s.values(index_list_size, index_list)?,
    };
    /// The same as a load, atomically.
    tiletc_atomic_load_inst_create(
        scope: tiletc_memory_scope_t,
        semantics: tiletc_memory_semantics_t,
        operand: tiletc_value_t,
        index_list_size: usize,
        index_list: *const tiletc_value_t,
        result: tiletc_type_t,
    ) |s| {
        let (scope, semantics) = order(scope, semantics)?;
        let (from, indices) = (s.value(operand)?, s.values(index_list_size, index_list)?);
        s.result(result)?;
        AtomicLoad { scope, semantics, from, indices }
    };
    /// The same as a store, atomically.
    tiletc_atomic_store_inst_create(
        scope: tiletc_memory_scope_t,
        semantics: tiletc_memory_semantics_t,
        val: tiletc_value_t,
        operand: tiletc_value_t,
        index_list_size: usize,
        index_list: *const tiletc_value_t,
    ) |s| {
        let (scope, semantics) = order(scope, semantics)?;
        let (value, to) = (s.value(val)?, s.value(operand)?);
        AtomicStore { scope, semantics, value, to, indices: s.values(index_list_size, index_list)? }
    };
    /// Adds a value to an element atomically; the result is the element before.
    tiletc_atomic_add_inst_create(
        scope: tiletc_memory_scope_t,
        semantics: tiletc_memory_semantics_t,
        val: tiletc_value_t,
        operand: tiletc_value_t,
        index_list_size: usize,
        index_list: *const tiletc_value_t,
        result: tiletc_type_t,
    ) |s| {
        let indices = (index_list_size, index_list);
        update(s, AtomicUpdateOp::Add, (scope, semantics), val, operand, indices, result)?
    };
    /// Keeps the larger of an element and a value atomically; the result is the element before.
    tiletc_atomic_max_inst_create(
        scope: tiletc_memory_scope_t,
        semantics: tiletc_memory_semantics_t,
        val: tiletc_value_t,
        operand: tiletc_value_t,
        index_list_size: usize,
        index_list: *const tiletc_value_t,
        result: tiletc_type_t,
    ) |s| {
        let indices = (index_list_size, index_list);
        update(s, AtomicUpdateOp::Max, (scope, semantics), val, operand, indices, result)?
    };
    /// Keeps the smaller of an element and a value atomically; the result is the element before.
    tiletc_atomic_min_inst_create(
        scope: tiletc_memory_scope_t,
        semantics: tiletc_memory_semantics_t,
        val: tiletc_value_t,
        operand: tiletc_value_t,
        index_list_size: usize,
        index_list: *const tiletc_value_t,
        result: tiletc_type_t,
    ) |s| {
        let indices = (index_list_size, index_list);
        update(s, AtomicUpdateOp::Min, (scope, semantics), val, operand, indices, result)?
    };
}

fn update(
    s: &mut Site,
    op: AtomicUpdateOp,
    (scope, semantics): (tiletc_memory_scope_t, tiletc_memory_semantics_t),
    val: tiletc_value_t,
    operand: tiletc_value_t,
    (size, list): (usize, *const tiletc_value_t),
    result: tiletc_type_t,
) -> Outcome<AtomicUpdate> {
    let (scope, semantics) = order(scope, semantics)?;
    let (value, to, indices) = (s.value(val)?, s.value(operand)?, s.values(size, list)?);
    s.result(result)?;
    Ok(AtomicUpdate { op, scope, semantics, value, to, indices })
}

constructors! {
    VIEWS;
    /// Tests whether the base pointer of a memref or group is not null; the result is a boolean.
    tiletc_associated_inst_create(operand: tiletc_value_t, result: tiletc_type_t) |s| {
        let of = s.value(operand)?;
        s.result(result)?;
        Associated { of }
    };
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
    ) |s| {
        let static_shape = s.extents(static_expand_shape_size, static_expand_shape)?;
        let (of, sizes) = (s.value(operand)?, s.values(expand_shape_size, expand_shape)?);
        s.result(result)?;
        Expand { of, mode: expanded_mode, static_shape, sizes }
    };
    /// Joins the modes from ... to of a memref, counted from 0 and both included, into one, whose size is the
    /// product of theirs. They must be contiguous in memory.
    tiletc_fuse_inst_create(from: i64, to: i64, operand: tiletc_value_t, result: tiletc_type_t) |s| {
        let of = s.value(operand)?;
        s.result(result)?;
        Fuse { of, first: from, last: to }
    };
    /// The size of a mode of a memref, counted from 0, or for mode 0 the number of members of a group; an
    /// index.
    tiletc_size_inst_create(mode: i64, operand: tiletc_value_t, result: tiletc_type_t) |s| {
        let of = s.value(operand)?;
        s.result(result)?;
        Size { of, mode }
    };
    /// Part of a memref: an offset and a size for each mode, whose stride stays. Entries of the static
    /// offsets and sizes that are TILETC_DYNAMIC take the next of the offsets and sizes, an index; a static
    /// size of 0 drops the mode.
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
    ) |s| {
        let static_offsets = s.extents(static_offsets_size, static_offsets)?;
        let static_sizes = s.extents(static_sizes_size, static_sizes)?;
        let of = s.value(operand)?;
        let (offsets, sizes) = (s.values(offsets_size, offsets)?, s.values(sizes_size, sizes)?);
        s.result(result)?;
        Subview { of, static_offsets, static_sizes, offsets, sizes }
    };
}

constructors! {
    LOCAL;
    /// Shared local memory of the work-group; the result is a memref of static shape in the local address
    /// space.
    tiletc_alloca_inst_create(result: tiletc_type_t) |s| {
        s.result(result)?;
        Alloca { attributes: None, stack_ptr: None }
    };
    /// The point after which an allocation is dead.
    tiletc_lifetime_stop_inst_create(object: tiletc_value_t) |s| LifetimeStop { of: s.value(object)? };
    /// Waits until all work-items of the work-group are here, and orders accesses to the address spaces given,
    /// a set of tiletc_address_space_t bits.
    tiletc_barrier_inst_create(fence_flags: tiletc_address_spaces_t) |s| {
        let (global, local) = fences(fence_flags)?;
        Barrier { global, local }
    };
}
