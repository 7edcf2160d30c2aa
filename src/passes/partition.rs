//! Partitions of the positions of a mode among subgroups (lowering reference 1.12).

use super::emit::{Emit, Range, Unroll};
use super::error::Error;
use crate::analysis::integer_of;
use crate::ir::{BinaryOp, Builder, Built, CompareOp, Value};

/// The subgroups that share something: how many, and which one this is.
#[derive(Clone, Copy)]
pub(super) struct Partition {
    pub subgroups: i64,
    pub id: Value,
}

/// A part of the positions that are taken in blocks: the blocks of full size, the rest at the end, or both in the same code.
#[derive(Clone, Copy)]
pub(super) enum Part {
    Whole,
    Rest,
    All,
}

/// Blocks of `size`, taken in turn; what is left at the end belongs to the last subgroup.
///
/// `body` gets the first position of a block and whether the block reaches beyond the end. It runs once
/// for the whole blocks and once for the rest.
pub(super) fn by_blocks(
    builder: &mut Builder<'_>,
    trip: Value,
    size: i64,
    partition: Partition,
    body: &mut dyn FnMut(&mut Builder<'_>, Value, bool) -> Result<(), Error>,
) -> Result<(), Error> {
    by_blocks_in(&[Part::Whole, Part::Rest], builder, (trip, size), partition, body)
}

/// The same with code for other parts, or in another order; that for all of them runs as if each block reached beyond the end.
pub(super) fn by_blocks_in(
    parts: &[Part],
    builder: &mut Builder<'_>,
    (trip, size): (Value, i64),
    partition: Partition,
    body: &mut dyn FnMut(&mut Builder<'_>, Value, bool) -> Result<(), Error>,
) -> Result<(), Error> {
    let block = builder.index(size)?;
    let full = builder.binary(BinaryOp::Div, trip, block)?;
    let rest = builder.binary(BinaryOp::Rem, trip, block)?;
    let end = builder.binary(BinaryOp::Mul, full, block)?;
    let from = builder.binary(BinaryOp::Mul, partition.id, block)?;
    let blocks = [full, rest].map(|number| integer_of(builder.ir, number));
    let [whole, all] = match blocks {
        [Some(full), Some(rest)] => [full, full + i64::from(rest > 0)],
        _ => [i64::MAX; 2],
    };
    if matches!(parts, [Part::Whole, Part::Rest]) && whole < all && (1..partition.subgroups).contains(&whole)
    {
        let has_block = builder.compare(CompareOp::LessThan, partition.id, full)?;
        let last = builder.index(partition.subgroups - 1)?;
        return builder.either(has_block, &mut |builder, is_whole| {
            if is_whole {
                return body(builder, from, false);
            }
            let is_last = builder.compare(CompareOp::Equal, partition.id, last)?;
            builder.when(is_last, |builder| body(builder, end, true))
        });
    }
    for part in parts {
        match part {
            Part::Whole if whole <= partition.subgroups => {
                let has_block = builder.compare(CompareOp::LessThan, partition.id, full)?;
                builder.when(has_block, |builder| body(builder, from, false))?;
            }
            Part::All if all == partition.subgroups => body(builder, from, true)?,
            Part::All if all < partition.subgroups => {
                let has_block = builder.compare(CompareOp::LessThan, from, trip)?;
                builder.when(has_block, |builder| body(builder, from, true))?;
            }
            Part::Whole | Part::All => {
                let may_exceed = matches!(part, Part::All);
                let step = builder.index(size.saturating_mul(partition.subgroups))?;
                let to = if may_exceed { trip } else { end };
                let range = Range { from, to, step, unroll: Unroll::Never };
                builder.loop_over(range, Vec::new(), |builder, position, _| {
                    body(builder, position, may_exceed).map(|()| Vec::new())
                })?;
            }
            Part::Rest => {
                let zero = builder.index(0)?;
                let last = builder.index(partition.subgroups - 1)?;
                let has_rest = builder.compare(CompareOp::GreaterThan, rest, zero)?;
                builder.when(has_rest, |builder| {
                    let is_last = builder.compare(CompareOp::Equal, partition.id, last)?;
                    builder.when(is_last, |builder| body(builder, end, true))
                })?;
            }
        }
    }
    Ok(())
}

/// Blocks of `size` and what is left as a smaller one, so that none reaches beyond the end.
///
/// `body` gets the first position and the size of a block.
pub(super) fn whole_blocks(
    builder: &mut Builder<'_>,
    trip: i64,
    size: i64,
    partition: Partition,
    body: &mut dyn FnMut(&mut Builder<'_>, Value, i64) -> Result<(), Error>,
) -> Result<(), Error> {
    let trip_value = builder.index(trip)?;
    let rest = trip.max(0) % size;
    by_blocks(builder, trip_value, size, partition, &mut |builder, from, is_rest| {
        body(builder, from, if is_rest { rest } else { size })
    })
}

/// Blocks of at most `size` that differ by one at most, so that none reaches beyond the end.
///
/// `body` gets the first position and the size of a block.
pub(super) fn uniform(
    builder: &mut Builder<'_>,
    trip: i64,
    size: i64,
    partition: Partition,
    body: &mut dyn FnMut(&mut Builder<'_>, Value, i64) -> Result<(), Error>,
) -> Result<(), Error> {
    if trip <= 0 {
        return Ok(());
    }
    let subgroups = partition.subgroups;
    // Saturates for sizes that no memory has; any number of blocks that is large enough will do.
    let blocks = (1 + ((trip - 1) / size) / subgroups).saturating_mul(subgroups);
    let (small, large_blocks) = (trip / blocks, trip % blocks);
    let large = small + 1;
    let mut blocks_of = |builder: &mut Builder<'_>, id, start: i64, end: i64, size: i64| {
        let size_value = builder.index(size)?;
        let offset = builder.binary(BinaryOp::Mul, id, size_value)?;
        let start = builder.index(start)?;
        let from = builder.binary(BinaryOp::Add, offset, start)?;
        let (to, step) = (builder.index(end)?, builder.index(size * subgroups)?);
        let range = Range { from, to, step, unroll: Unroll::Never };
        builder.loop_over(range, Vec::new(), |builder, position, _| {
            body(builder, position, size).map(|()| Vec::new())
        })?;
        Ok::<(), Error>(())
    };
    if large_blocks > 0 {
        blocks_of(builder, partition.id, 0, large * large_blocks, large)?;
    }
    if small > 0 {
        // The small blocks go on with the subgroup that follows the one with the last large block.
        let shift = builder.index(large_blocks % subgroups)?;
        let all = builder.index(subgroups)?;
        let shifted = builder.binary(BinaryOp::Add, partition.id, shift)?;
        let id = builder.binary(BinaryOp::Rem, shifted, all)?;
        blocks_of(builder, id, large * large_blocks, trip, small)?;
    }
    Ok(())
}

/// Blocks of rows of which the last one begins early enough to end with the matrix, so that nothing it reads is checked
/// and it computes some rows again.
pub(super) struct Overlap {
    /// Rows of a block, and the first row of the last one.
    rows: i64,
    last: i64,
    blocks: i64,
    partition: Partition,
}

impl Overlap {
    /// `None` where blocks divide the rows, where not even one fits, and where a subgroup would take several.
    pub fn new(m: i64, rows: i64, partition: Partition) -> Option<Overlap> {
        let blocks = 1 + (m - 1).max(0) / rows;
        let is_needed = m % rows != 0 && m > rows && blocks <= partition.subgroups;
        is_needed.then_some(Overlap { rows, last: m - rows, blocks, partition })
    }

    /// The block of the subgroup; `body` gets its first row and the first one that it is to write.
    pub fn block(
        &self,
        builder: &mut Builder<'_>,
        body: &mut dyn FnMut(&mut Builder<'_>, Value, Value) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut inside = |builder: &mut Builder<'_>| {
            let own_row = scaled(builder, self.partition.id, self.rows)?;
            let last = builder.index(self.last)?;
            let row = builder.binary(BinaryOp::Min, own_row, last)?;
            body(builder, row, own_row)
        };
        if self.blocks == self.partition.subgroups {
            return inside(builder);
        }
        let blocks = builder.index(self.blocks)?;
        let has_block = builder.compare(CompareOp::LessThan, self.partition.id, blocks)?;
        builder.when(has_block, inside)
    }
}

/// A number times a constant.
pub(super) fn scaled(builder: &mut Builder<'_>, number: Value, by: i64) -> Built<Value> {
    let by = builder.index(by)?;
    builder.binary(BinaryOp::Mul, number, by)
}
