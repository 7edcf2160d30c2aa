//! Slices of what several subgroups fetch into the caches, so that each line is fetched once.

use super::emit::Emit as _;
use super::partition::{Partition, scaled};
use crate::device::CoreInfo;
use crate::ir::{BinaryOp, Builder, Built, CoopmatrixPrefetch, Value};

/// Fetches a subgroup's slice of `rows` x `cols` elements of a memref at a position. The columns are divided, of which
/// each subgroup takes as few lines of the cache as it can.
pub(super) fn fetch(
    builder: &mut Builder<'_>,
    (of, level): (Value, i32),
    Partition { subgroups, id }: Partition,
    at: [Value; 2],
    [rows, cols]: [i64; 2],
) -> Built<()> {
    let line =
        builder.ir.ty(of).memref().map_or(rows, |memref| CoreInfo::CACHE_LINE_BYTES / memref.element.bytes());
    let lines = rows / line.max(1);
    let (lines, rows) =
        if lines > 1 && rows % line == 0 && subgroups % lines == 0 { (lines, line) } else { (1, rows) };
    let cols = 1 + (cols - 1).max(0) / (subgroups / lines);
    let [mut x, mut y] = at;
    if lines > 1 {
        let number = builder.index(lines)?;
        let own = builder.binary(BinaryOp::Rem, id, number)?;
        let offset = scaled(builder, own, rows)?;
        x = builder.binary(BinaryOp::Add, x, offset)?;
    }
    if subgroups > lines {
        let number = builder.index(lines)?;
        let own = builder.binary(BinaryOp::Div, id, number)?;
        let offset = scaled(builder, own, cols)?;
        y = builder.binary(BinaryOp::Add, y, offset)?;
    }
    let [rows, cols] = [rows, cols].map(|extent| i32::try_from(extent).unwrap_or(i32::MAX));
    builder.emit(CoopmatrixPrefetch { level, of, x, y, rows, cols, io: None }, &[]).map(|_| ())
}
