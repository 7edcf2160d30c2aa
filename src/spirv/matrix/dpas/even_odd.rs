//! Reading both factors of a product with the even positions along K before the odd ones (lowering reference 4.4). A has two columns
//! in a row of its surface, so that a message reads every second one, and puts two of these in a word; of a step along K the first
//! instruction multiplies all even positions, the second one all odd ones.

use super::columns::{below, in_order, read_words};
use super::fragments::{Fragments, count, extract, vector_type};
use super::memory::Loaded;
use crate::analysis::FoldedSurface;
use crate::ir::{MatrixUse, Transpose};
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::matrix::access::MatrixAccess;
use crate::spirv::matrix::surface::{Block, Load, Offset, Surface};
use crate::spirv::module_builder::Emitted;
use crate::spirv::values::MatrixValue;
use rspirv::spirv::{Op, Word};

/// Positions along K in a word, and instructions of a step.
const PARITIES: i64 = 2;

/// Reads a factor.
pub(super) fn load(
    f: &mut FunctionLowering<'_, '_>,
    from: &MatrixAccess<'_>,
    fragments: &Fragments,
) -> Emitted<MatrixValue> {
    let folded = from.at.memref.and_then(|memref| FoldedSurface::of(f.ir, memref));
    let folded = folded.ok_or_else(|| from.cannot_obey())?;
    let checks_rows = from.transpose == Transpose::N && from.checked.rows() && !folded.is_clipped();
    let end = if checks_rows {
        let start = f.module.known(from.at.position[0]).ok_or_else(|| from.cannot_obey())?;
        folded.shape[0] - start
    } else {
        i64::MAX
    };
    let reading = Reading { folded, end, depth: fragments.depth() };
    let ids = match (from.matrix.usage, from.transpose) {
        (MatrixUse::A, Transpose::N) => reading.a(f, from, fragments),
        (MatrixUse::B, Transpose::N) => reading.b(f, from, fragments),
        (MatrixUse::B, Transpose::T) => reading.transposed_b(f, from, fragments),
        (MatrixUse::A, Transpose::T) | (MatrixUse::Acc, _) => Err(from.cannot_obey()),
    };
    let ids = ids?.into_iter().collect::<Option<_>>();
    let ids = ids.ok_or_else(|| Error::internal("a fragment was not read"))?;
    Ok(MatrixValue::new(from.matrix, ids))
}

/// Fragments in order.
type Found = Vec<Option<Word>>;

struct Reading {
    folded: FoldedSurface,
    /// Rows of the matrix from which on there is nothing, if no message clips them.
    end: i64,
    /// Positions along K that an instruction takes.
    depth: i64,
}

impl Reading {
    /// Columns of one parity are rows of the surface for one instruction.
    fn a(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        from: &MatrixAccess<'_>,
        fragments: &Fragments,
    ) -> Emitted<Found> {
        let steps = fragments.widths.len();
        let mut ids = vec![None; fragments.len()];
        let surfaces = Surface::of_columns(f, &from.at, from.io, self.folded)?;
        for (parity, surface) in surfaces.iter().enumerate() {
            let (lanes, bytes) = (surface.lanes(), self.folded.bytes);
            let most = (surface.io.max_row_bytes / (lanes * bytes)).max(1);
            let words = self.depth / PARITIES;
            let mut block = 0;
            while block < fragments.row_blocks {
                let blocks = 1 << most.min(fragments.row_blocks - block).ilog2();
                for (place, step) in (0..).zip((parity..steps).step_by(count(PARITIES))) {
                    let shape = Block { element: bytes, width: lanes, height: self.depth, count: blocks };
                    let offset = Offset { scale: 1, x: block * lanes, y: place * self.depth };
                    let read = (Load::Transform, shape, offset);
                    let loaded = Loaded::read(f, surface, fragments, read, blocks * words)?;
                    for own in 0..blocks {
                        let fragment = loaded.fragment(f, fragments, own * words, count(words))?;
                        let there = self.end.saturating_sub((block + own) * lanes);
                        let fragment = self.masked(f, fragments, fragment, (there, lanes))?;
                        if let Some(id) = ids.get_mut(count(block + own) * steps + step) {
                            *id = Some(fragment);
                        }
                    }
                }
                block += blocks;
            }
        }
        Ok(ids)
    }

    /// A fragment of A with nothing in rows that are not there.
    fn masked(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        fragments: &Fragments,
        fragment: Word,
        (there, lanes): (i64, i64),
    ) -> Emitted<Word> {
        if there >= lanes {
            return Ok(fragment);
        }
        let (word, width) = (fragments.word_type(f)?, count(self.depth / PARITIES));
        let words = (0..width).map(|index| {
            let own = fragments.extract_word(f, fragment, (index, width))?;
            below(f, (word, own), there)
        });
        let words = words.collect::<Emitted<Vec<Word>>>()?;
        let ty = fragments.fragment_type(f, width)?;
        f.module.composite(ty, &words)
    }

    /// A work-item reads two rows of a column in a word, one for each of two instructions.
    fn b(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        from: &MatrixAccess<'_>,
        fragments: &Fragments,
    ) -> Emitted<Found> {
        let cols = from.matrix.cols;
        let (word, part) = (f.module.i32_type(), fragments.word_type(f)?);
        let pair = vector_type(f, part, count(PARITIES))?;
        let mut parts = vec![None; count(fragments.row_blocks * cols)];
        let surfaces = Surface::of_columns(f, &from.at, from.io, self.folded)?;
        for (column, surface) in (0..cols).zip(&surfaces) {
            let lines = (cols - column + self.folded.columns - 1) / self.folded.columns;
            for step in 0..fragments.row_blocks / PARITIES {
                for line in (0..lines).step_by(count(surface.io.max_height)) {
                    let left = i64::try_from(count(lines - line).next_power_of_two()).unwrap_or(i64::MAX);
                    let height = surface.io.max_height.min(left);
                    let (element, width) = (surface.io.word_bytes, surface.lanes());
                    let block = Block { element, width, height, count: 1 };
                    let offset = Offset { scale: PARITIES, x: step * PARITIES * self.depth, y: line };
                    let read = (Load::Plain, block, offset);
                    let words = read_words(f, surface, read, (word, element))?;
                    for (below_first, read) in (0..).zip(words) {
                        let col = (line + below_first) * self.folded.columns + column;
                        if col >= cols {
                            break;
                        }
                        let both = f.module.value(Op::Bitcast, pair, &[read])?;
                        for parity in 0..PARITIES {
                            let own = extract(f, part, both, count(parity))?;
                            let first = step * PARITIES * self.depth + parity;
                            let there =
                                self.end.saturating_sub(first).saturating_add(PARITIES - 1) / PARITIES;
                            let own =
                                if there >= surface.lanes() { own } else { below(f, (part, own), there)? };
                            if let Some(id) = parts.get_mut(count((step * PARITIES + parity) * cols + col)) {
                                *id = Some(own);
                            }
                        }
                    }
                }
            }
        }
        let mut ids = Vec::new();
        for row in parts.chunks(count(cols)) {
            let mut rest = row;
            for &width in &fragments.widths {
                let missing = || Error::internal("a column was not read");
                let (own, others) = rest.split_at_checked(width).ok_or_else(missing)?;
                rest = others;
                let own = own.iter().copied().collect::<Option<Vec<Word>>>().ok_or_else(missing)?;
                ids.push(Some(match *own {
                    [only] => only,
                    ref own => {
                        let ty = fragments.fragment_type(f, width)?;
                        in_order(f, ty, own)?
                    }
                }));
            }
        }
        Ok(ids)
    }

    /// Positions of one parity are rows of the surface, whose words hold two columns of B each.
    fn transposed_b(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        from: &MatrixAccess<'_>,
        fragments: &Fragments,
    ) -> Emitted<Found> {
        let surfaces = Surface::of_columns(f, &from.at, from.io, self.folded)?;
        let mut ids = Vec::new();
        for row in 0..fragments.row_blocks {
            let (step, parity) = (row / PARITIES, row % PARITIES);
            let missing = || Error::internal("a surface without rows of this parity");
            let surface = surfaces.get(count(parity)).ok_or_else(missing)?;
            let cols = fragments.engine.max_cols();
            let (element, words) = (surface.io.word_bytes, cols / PARITIES);
            let block = Block { element, width: words, height: self.depth, count: 1 };
            let (content, vector) = (f.module.i32_type(), fragments.fragment_type(f, count(cols))?);
            let content = vector_type(f, content, count(words))?;
            let mut col = 0;
            for &width in &fragments.widths {
                let offset = Offset { scale: PARITIES, x: col, y: step * self.depth };
                let variable = f.module.function_variable(content)?;
                surface.load(f, Load::Transpose, block, offset, variable)?;
                let loaded = f.module.load(content, variable, 4)?;
                let whole = f.module.value(Op::Bitcast, vector, &[loaded])?;
                ids.push(Some(Loaded::of(whole, cols).fragment(f, fragments, 0, width)?));
                col += i64::try_from(width).unwrap_or(i64::MAX);
            }
        }
        Ok(ids)
    }
}
