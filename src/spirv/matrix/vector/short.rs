//! Columns with fewer rows than a subgroup has work-items, which follow each other in memory: 1D block messages move several of
//! them at once, as many as fill the work-items.

use super::block::{read_elements, write_elements};
use super::clamped::has_undefined_rows;
use super::partition::{component, component_mut, lane_constant, layout};
use crate::analysis::{Layout, Place};
use crate::ir::MatrixUse;
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::matrix::access::MatrixAccess;
use crate::spirv::module_builder::Emitted;
use crate::spirv::values::MatrixValue;
use rspirv::spirv::{BuiltIn, Op, Word};

/// Bytes of an element that a work-item hands to another one in a single step, however far away.
const STEP_BYTES: i64 = 4;

/// Reads a matrix of which only so many rows are there.
pub(super) fn load(f: &mut FunctionLowering<'_, '_>, from: &MatrixAccess<'_>) -> Emitted<MatrixValue> {
    let columns = ShortColumns::new(f, from)?;
    let offsets = columns.offsets();
    let words = read_elements(f, from.matrix.component, columns.place, &offsets)?;
    let (zero, ty) = (f.module.zero(from.matrix.component)?, f.module.scalar_type(from.matrix.component)?);
    // What follows a column in the work-items is another one, unless nobody sees it.
    let is_hidden = has_undefined_rows(f, from);
    let is_there = if is_hidden { None } else { Some(columns.is_below(f, columns.rows)?) };
    let mut components = vec![zero; columns.layout.length()];
    for (col, index) in columns.components() {
        let (offset, first_lane) = columns.find(col);
        let read = offsets.iter().position(|&other| other == offset).and_then(|place| words.get(place));
        let mut column = *read.ok_or_else(|| Error::internal(format!("column {col} was not read")))?;
        if first_lane > 0 {
            column = columns.shift(f, Direction::Down, ty, column, first_lane)?;
        }
        if let Some(is_there) = is_there {
            column = f.module.value(Op::Select, ty, &[is_there, column, zero])?;
        }
        *component_mut(&mut components, index)? = column;
    }
    Ok(MatrixValue::new(from.matrix, components))
}

/// Writes the rows of a matrix that are there.
pub(super) fn store(
    f: &mut FunctionLowering<'_, '_>,
    to: &MatrixAccess<'_>,
    value: &MatrixValue,
) -> Emitted<()> {
    let columns = ShortColumns::new(f, to)?;
    let ty = f.module.scalar_type(to.matrix.component)?;
    let mut words: Vec<Word> = Vec::new();
    for (col, index) in columns.components() {
        let column = component(value, index)?;
        let first_lane = col * columns.rows % columns.subgroup_size;
        match words.last_mut() {
            Some(others) if first_lane > 0 => {
                let moved = columns.shift(f, Direction::Up, ty, column, first_lane)?;
                let is_before = columns.is_below(f, first_lane)?;
                *others = f.module.value(Op::Select, ty, &[is_before, *others, moved])?;
            }
            _ => words.push(column),
        }
    }
    write_elements(f, to.matrix.component, columns.place, &words)
}

/// Columns that lie in memory without a gap.
struct ShortColumns {
    layout: Layout,
    /// Type and address of the first entry.
    place: (Word, Word),
    /// Rows that are there.
    rows: i64,
    subgroup_size: i64,
    /// Bytes of an entry.
    bytes: i64,
    /// True if work-items may read elements that are others'. What may be written is read by who writes it.
    overlaps: bool,
}

impl ShortColumns {
    fn new(f: &mut FunctionLowering<'_, '_>, access: &MatrixAccess<'_>) -> Emitted<ShortColumns> {
        let [row_axis, col_axis] = access.axes();
        let rows = f.module.known(row_axis.end).ok_or_else(|| access.cannot_obey())?;
        let overlaps = access.matrix.usage != MatrixUse::Acc;
        let (lanes, bytes) = (f.subgroup_size, access.matrix.component.bytes());
        let ty = f.module.element_pointer_type(access.at.ty.element, access.at.ty.space)?;
        let offset = f.module.mul(col_axis.start, col_axis.stride)?;
        let pointer = f.module.offset_pointer(ty, access.at.pointer, offset)?;
        let layout = layout(f, access.matrix)?;
        Ok(ShortColumns { layout, place: (ty, pointer), rows, subgroup_size: lanes, bytes, overlaps })
    }

    /// Elements of all columns.
    fn length(&self) -> i64 {
        self.layout.cols * self.rows
    }

    /// The element that the first work-item reads for a column, and the work-item that gets the column's first one: the first one
    /// itself if work-items may overlap, unless that would read beyond the last column.
    fn find(&self, col: i64) -> (i64, i64) {
        let first = col * self.rows;
        let offset = if self.overlaps {
            first.min(self.length() - self.subgroup_size)
        } else {
            first - first % self.subgroup_size
        };
        (offset, first - offset)
    }

    /// Elements that the first work-item reads, in an order in which messages take several.
    fn offsets(&self) -> Vec<i64> {
        let mut offsets: Vec<i64> = (0..self.layout.cols).map(|col| self.find(col).0).collect();
        offsets.sort_unstable_by_key(|offset| (offset % self.subgroup_size, *offset));
        offsets.dedup();
        offsets
    }

    /// Columns with the numbers of their components.
    fn components(&self) -> impl Iterator<Item = (i64, usize)> + use<> {
        let layout = self.layout;
        (0..layout.cols).map(move |col| (col, layout.component_at(Place { row_block: 0, col_block: col })))
    }

    /// True at run time if the work-item's number is less.
    fn is_below(&self, f: &mut FunctionLowering<'_, '_>, limit: i64) -> Emitted<Word> {
        let lane = f.module.builtin(BuiltIn::SubgroupLocalInvocationId)?;
        let limit = lane_constant(f, limit)?;
        let boolean = f.module.bool_type();
        f.module.value(Op::ULessThan, boolean, &[lane, limit])
    }

    /// Moves entries to work-items so many further up or down; those that get none have anything. For Intel's compiler an
    /// exchange of the halves costs less than a shift of the words of entries of eight bytes, also where it is not by plain moves.
    fn shift(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        direction: Direction,
        ty: Word,
        entries: Word,
        by: i64,
    ) -> Emitted<Word> {
        let distance = lane_constant(f, by)?;
        if self.bytes > STEP_BYTES && 2 * by == self.subgroup_size {
            return f.module.value(Op::SubgroupShuffleXorINTEL, ty, &[entries, distance]);
        }
        let nothing = f.module.value(Op::Undef, ty, &[])?;
        match direction {
            Direction::Up => f.module.value(Op::SubgroupShuffleUpINTEL, ty, &[nothing, entries, distance]),
            Direction::Down => {
                f.module.value(Op::SubgroupShuffleDownINTEL, ty, &[entries, nothing, distance])
            }
        }
    }
}

/// The work-items that entries move to.
#[derive(Clone, Copy)]
enum Direction {
    /// Those of greater numbers.
    Up,
    /// Those of smaller numbers.
    Down,
}
