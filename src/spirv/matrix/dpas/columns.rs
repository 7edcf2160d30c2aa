//! Reading factors from a surface whose rows hold several columns each (lowering reference 4.4): a message reads every second or
//! fourth column, and the words of the fragments are put together from what several messages read.

use super::fragments::{Fragments, count, extract, vector_type};
use crate::analysis::FoldedSurface;
use crate::ir::MatrixUse;
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::matrix::access::MatrixAccess;
use crate::spirv::matrix::surface::{Block, Load, Offset, Surface};
use crate::spirv::module_builder::Emitted;
use crate::spirv::values::MatrixValue;
use rspirv::dr::Operand;
use rspirv::spirv::{BuiltIn, Op, Word};

/// Words of a vector that a message writes.
const VECTOR_WORDS: i64 = 8;

/// Reads a factor that lies as it is in memory.
pub(super) fn load(
    f: &mut FunctionLowering<'_, '_>,
    from: &MatrixAccess<'_>,
    fragments: &Fragments,
) -> Emitted<MatrixValue> {
    let folded = from.at.memref.and_then(|memref| FoldedSurface::of(f.ir, memref));
    let columns = Columns::new(f, from, fragments, folded.ok_or_else(|| from.cannot_obey())?)?;
    let mut parts = vec![None; count(columns.row_blocks * from.matrix.cols)];
    let surfaces = Surface::of_columns(f, &from.at, from.io, columns.folded)?;
    for (column, surface) in (0..from.matrix.cols).zip(&surfaces) {
        columns.read(f, surface, column, &mut parts)?;
    }
    let missing = || Error::internal("a column was not read");
    let parts: Vec<Word> = parts.into_iter().collect::<Option<_>>().ok_or_else(missing)?;
    let words = columns.words(f, fragments, parts)?;
    let mut rest = words.as_slice();
    let mut ids = Vec::new();
    for width in fragments.all_widths() {
        let (own, others) = rest.split_at_checked(width).ok_or_else(missing)?;
        rest = others;
        ids.push(match *own {
            [word] => word,
            _ => {
                let ty = fragments.fragment_type(f, width)?;
                if columns.in_word == 1 { in_order(f, ty, own)? } else { f.module.composite(ty, own)? }
            }
        });
    }
    Ok(MatrixValue::new(from.matrix, ids))
}

/// Columns of a factor, which come one by one: parts of its words.
struct Columns {
    folded: FoldedSurface,
    cols: i64,
    /// Rows of a fragment, and fragments one below the other.
    rows: i64,
    row_blocks: i64,
    /// Rows of a column that a work-item holds in a part.
    in_part: i64,
    /// Parts of neighbouring columns in a word.
    in_word: usize,
    /// Type and bytes of a part.
    part: Word,
    bytes: i64,
    /// Rows of the matrix from which on there is nothing, if no message clips them.
    end: Option<i64>,
}

impl Columns {
    fn new(
        f: &mut FunctionLowering<'_, '_>,
        from: &MatrixAccess<'_>,
        fragments: &Fragments,
        folded: FoldedSurface,
    ) -> Emitted<Columns> {
        let matrix = from.matrix;
        let lanes = f.subgroup_size;
        let rows = match matrix.usage {
            MatrixUse::A => lanes,
            MatrixUse::B => fragments.depth(),
            MatrixUse::Acc => return Err(from.cannot_obey()),
        };
        let in_part = (rows / lanes).max(1);
        let bytes = in_part * folded.bytes;
        let bits =
            u32::try_from(8 * bytes).map_err(|_| Error::internal(format!("{bytes} bytes of a column")))?;
        let part = f.module.int_type(bits);
        let end = if from.checked.rows() && !folded.is_clipped() {
            let start = f.module.known(from.at.position[0]).ok_or_else(|| from.cannot_obey())?;
            Some(folded.shape[0] - start)
        } else {
            None
        };
        let in_word = if in_part > 1 { 1 } else { fragments.packed };
        let row_blocks = fragments.row_blocks;
        Ok(Columns { folded, cols: matrix.cols, rows, row_blocks, in_part, in_word, part, bytes, end })
    }

    /// Reads the columns of one number in their rows.
    fn read(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        surface: &Surface,
        column: i64,
        parts: &mut [Option<Word>],
    ) -> Emitted<()> {
        let most = (surface.io.max_row_bytes / (self.rows * self.folded.bytes)).max(1);
        let step = self.folded.columns;
        let lines = (self.cols - column + step - 1) / step;
        let mut block = 0;
        while block < self.row_blocks {
            let blocks = 1 << most.min(self.row_blocks - block).ilog2();
            for line in (0..lines).step_by(count(surface.io.max_height)) {
                let left = count(lines - line).next_power_of_two();
                let height = surface.io.max_height.min(left.try_into().unwrap_or(i64::MAX));
                let shape = Block { element: self.folded.bytes, width: self.rows, height, count: blocks };
                let offset = Offset { scale: 1, x: block * self.rows, y: line };
                let read = (Load::Plain, shape, offset);
                let read = read_words(f, surface, read, (self.part, self.bytes))?;
                for (place, part) in (0..).zip(read) {
                    let (own, below) = (block + place / height, line + place % height);
                    let col = below * step + column;
                    if col < self.cols
                        && let Some(found) = parts.get_mut(count(own * self.cols + col))
                    {
                        *found = Some(self.masked(f, part, own)?);
                    }
                }
            }
            block += blocks;
        }
        Ok(())
    }

    /// A part of a row block, with nothing where there are no rows.
    fn masked(&self, f: &mut FunctionLowering<'_, '_>, part: Word, row_block: i64) -> Emitted<Word> {
        let Some(end) = self.end else { return Ok(part) };
        let there = end - row_block * self.rows;
        if there >= self.rows { Ok(part) } else { below(f, (self.part, part), there / self.in_part) }
    }

    /// The words of the fragments: neighbouring columns of A share one.
    fn words(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        fragments: &Fragments,
        parts: Vec<Word>,
    ) -> Emitted<Vec<Word>> {
        let word = fragments.word_type(f)?;
        if word == self.part {
            return Ok(parts);
        }
        let vector = vector_type(f, self.part, self.in_word)?;
        let word_of = |own: &[Word]| {
            let whole = match own {
                [part] => *part,
                _ => in_order(f, vector, own)?,
            };
            f.module.value(Op::Bitcast, word, &[whole])
        };
        parts.chunks(self.in_word.max(1)).map(word_of).collect()
    }
}

/// The words of some bytes that a message reads, row by row and block by block.
pub(super) fn read_words(
    f: &mut FunctionLowering<'_, '_>,
    surface: &Surface,
    (kind, block, offset): (Load, Block, Offset),
    (word, bytes): (Word, i64),
) -> Emitted<Vec<Word>> {
    let words = block.height * block.count;
    let width = words.min(VECTOR_WORDS);
    let vector = vector_type(f, word, count(width))?;
    let number = count(words / width);
    let content = if number == 1 {
        vector
    } else {
        let length = u32::try_from(number).map_err(|_| Error::internal(format!("{number} vectors")))?;
        let length = f.module.i32_constant(length);
        f.module.array_type(vector, length)
    };
    let variable = f.module.function_variable(content)?;
    surface.load(f, kind, block, offset, variable)?;
    let alignment = if width > 1 { 4 } else { u32::try_from(bytes).unwrap_or(1) };
    let whole = f.module.load(content, variable, alignment)?;
    let mut all = Vec::new();
    for index in 0..number {
        let vector = if number == 1 { whole } else { extract(f, vector, whole, index)? };
        for part in 0..count(width) {
            all.push(if width == 1 { vector } else { extract(f, word, vector, part)? });
        }
    }
    Ok(all)
}

/// A vector of components that come from several messages, each of which is moved to its place.
pub(super) fn in_order(f: &mut FunctionLowering<'_, '_>, ty: Word, components: &[Word]) -> Emitted<Word> {
    let mut vector = f.module.value(Op::Undef, ty, &[])?;
    for (index, &component) in (0u32..).zip(components) {
        let operands = vec![Operand::IdRef(component), Operand::IdRef(vector), Operand::LiteralBit32(index)];
        vector = f.module.value_of(Op::CompositeInsert, ty, operands)?;
    }
    Ok(vector)
}

/// A word in so many work-items, and zero in the others.
pub(super) fn below(
    f: &mut FunctionLowering<'_, '_>,
    (ty, word): (Word, Word),
    work_items: i64,
) -> Emitted<Word> {
    let zero = f.module.null(ty);
    if work_items <= 0 {
        return Ok(zero);
    }
    let lane = f.module.builtin(BuiltIn::SubgroupLocalInvocationId)?;
    let limit = f.module.i32_constant(u32::try_from(work_items).unwrap_or(u32::MAX));
    let boolean = f.module.bool_type();
    let is_there = f.module.value(Op::ULessThan, boolean, &[lane, limit])?;
    f.module.value(Op::Select, ty, &[is_there, word, zero])
}
