//! Matrices from one layout to another.
//!
//! Sizes of layouts are powers of two, so that the work-item and the component which hold an entry in one layout consist
//! of bits of the work-item that holds it in another.

use super::memory::fill_padding;
use super::partition::{component, lane_constant};
use crate::analysis::Layout;
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::module_builder::Emitted;
use crate::spirv::numbers::subgroup;
use crate::spirv::values::MatrixValue;
use rspirv::spirv::{BuiltIn, Op, Word};

/// The components in the layout `to` of a matrix whose components lie in the layout `from`.
pub(super) fn redistributed(
    f: &mut FunctionLowering<'_, '_>,
    matrix: &MatrixValue,
    from: &Layout,
    to: &Layout,
) -> Emitted<Vec<Word>> {
    if from == to {
        return Ok(matrix.ids().to_vec());
    }
    let lanes: Vec<i64> = (0..f.subgroup_size).collect();
    let mut words = Vec::with_capacity(to.length());
    for place in to.places() {
        // Padding has no source, and takes what is in the first column of its place.
        let first = place.col_block * to.stripe_cols;
        let sources: Vec<(i64, usize)> = (lanes.iter())
            .map(|&lane| {
                let (row, col) = to.entry(place, lane);
                from.find(row, if col < to.cols { col } else { first })
            })
            .collect();
        let indices: Vec<usize> = sources.iter().map(|&(_, index)| index).collect();
        let is_own = sources.iter().zip(&lanes).all(|(&(source, _), &lane)| source == lane);
        let source_lane = if is_own {
            None
        } else {
            let table: Vec<i64> = sources.iter().map(|&(lane, _)| lane).collect();
            Some(by_lane(f, &table)?)
        };
        words.push(select(f, matrix, &indices, source_lane)?);
    }
    let scalar = matrix.ty().component;
    let zero = f.module.zero(scalar)?;
    fill_padding(f, (scalar, to), &mut words, zero)?;
    Ok(words)
}

/// In each work-item its component of those in `indices`, as the work-item `source` has it.
fn select(
    f: &mut FunctionLowering<'_, '_>,
    matrix: &MatrixValue,
    indices: &[usize],
    source: Option<Word>,
) -> Emitted<Word> {
    let scalar = matrix.ty().component;
    let mut distinct = indices.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let Some((&first, others)) = distinct.split_first() else {
        return Err(Error::internal("a matrix without components"));
    };
    let read = |f: &mut FunctionLowering<'_, '_>, index: usize| {
        let own = component(matrix, index)?;
        match source {
            Some(lane) => subgroup::shuffle(f.module, scalar, own, lane),
            None => Ok(own),
        }
    };
    let mut selected = read(f, first)?;
    if others.is_empty() {
        return Ok(selected);
    }
    // Their order follows the bits of the work-items, if not the numbers themselves.
    let ordinal =
        |index: &usize| (0i64..).zip(&distinct).find(|&(_, other)| other == index).map(|(place, _)| place);
    let wanted: Option<Vec<i64>> = indices.iter().map(ordinal).collect();
    let wanted = wanted.ok_or_else(|| Error::internal("a component is missing"))?;
    let wanted = by_lane(f, &wanted)?;
    let (boolean, ty) = (f.module.bool_type(), f.module.scalar_type(scalar)?);
    for (ordinal, &index) in (1i64..).zip(others) {
        let value = read(f, index)?;
        let ordinal = lane_constant(f, ordinal)?;
        let is_here = f.module.value(Op::IEqual, boolean, &[wanted, ordinal])?;
        selected = f.module.value(Op::Select, ty, &[is_here, value, selected])?;
    }
    Ok(selected)
}

/// The entry of a table that belongs to the work-item: an i32 of which every bit is a constant, or one of the work-item's
/// number.
fn by_lane(f: &mut FunctionLowering<'_, '_>, table: &[i64]) -> Emitted<Word> {
    let narrow = f.module.i32_type();
    let lane = f.module.builtin(BuiltIn::SubgroupLocalInvocationId)?;
    let highest = table.iter().copied().max().unwrap_or(0).max(1).ilog2();
    let mut number: Option<Word> = None;
    let mut constant = 0;
    for bit in 0..=highest {
        let is_set = |&entry: &i64| entry >> bit & 1 == 1;
        if table.iter().all(is_set) {
            constant |= 1 << bit;
            continue;
        }
        if !table.iter().any(is_set) {
            continue;
        }
        let of_lane = (0..i64::BITS).take_while(|&own| 1 << own < table.len());
        let is_bit = |own: u32, flipped: bool| {
            (0i64..).zip(table).all(|(lane, entry)| is_set(entry) == ((lane >> own & 1 == 1) != flipped))
        };
        let found =
            of_lane.flat_map(|own| [(own, false), (own, true)]).find(|&(own, flipped)| is_bit(own, flipped));
        let (own, flipped) = found.ok_or_else(|| Error::internal("layouts that differ by more than bits"))?;
        let (by, one, to) =
            (lane_constant(f, own.into())?, lane_constant(f, 1)?, lane_constant(f, bit.into())?);
        let mut word = f.module.value(Op::ShiftRightLogical, narrow, &[lane, by])?;
        word = f.module.value(Op::BitwiseAnd, narrow, &[word, one])?;
        if flipped {
            word = f.module.value(Op::BitwiseXor, narrow, &[word, one])?;
        }
        word = f.module.value(Op::ShiftLeftLogical, narrow, &[word, to])?;
        number = Some(match number {
            None => word,
            Some(others) => f.module.value(Op::BitwiseOr, narrow, &[others, word])?,
        });
    }
    let constant = lane_constant(f, constant)?;
    match number {
        None => Ok(constant),
        Some(number) => f.module.value(Op::BitwiseOr, narrow, &[number, constant]),
    }
}
