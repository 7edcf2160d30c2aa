//! Matrices in memory that are surfaces, by 2D block messages (lowering reference 4.4): each takes a few coordinates instead
//! of an address for every column, and clips what lies outside for nothing.
//!
//! The lanes of a message are the lanes of the layout: consecutive elements of a row of the surface, or rows of it for
//! messages that transpose.

use super::partition::{component, component_mut, layout};
use crate::ir::{Scalar, Transpose};
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::matrix::access::MatrixAccess;
use crate::spirv::matrix::surface::{Block, Load, Offset, Surface};
use crate::spirv::module_builder::Emitted;
use crate::spirv::values::MatrixValue;
use rspirv::dr::Operand;
use rspirv::spirv::{Op, Word};

/// Reads a matrix.
pub(super) fn load(f: &mut FunctionLowering<'_, '_>, from: &MatrixAccess<'_>) -> Emitted<MatrixValue> {
    let surface = Surface::new(f, &from.at, from.io)?;
    let layout = layout(f, from.matrix)?;
    let zero = f.module.zero(from.matrix.component)?;
    let mut components = vec![zero; layout.length()];
    let (kind, most) = match from.transpose {
        Transpose::N => (Load::Plain, surface.io.max_height),
        Transpose::T => (Load::Transpose, surface.io.max_transposed),
    };
    let (element, lanes) = (from.matrix.component.bytes(), surface.lanes());
    let mut row = 0;
    while row < from.matrix.rows {
        let mut col = 0;
        while col < from.matrix.cols {
            // No more than there are: what lies beyond may be another subgroup's to write.
            let cols = 1 << most.min(from.matrix.cols - col).ilog2();
            let (block, offset) = match from.transpose {
                Transpose::N => (
                    Block { element, width: lanes, height: cols, count: 1 },
                    Offset { scale: 1, x: row, y: col },
                ),
                Transpose::T => (
                    Block { element, width: cols, height: lanes, count: 1 },
                    Offset { scale: 1, x: col, y: row },
                ),
            };
            let content = Content::new(f, &surface, from.matrix.component, cols)?;
            let words = content.read(f, &surface, (kind, block, offset))?;
            for (place, word) in (col..from.matrix.cols).zip(words) {
                *component_mut(&mut components, layout.find(row, place).1)? = word;
            }
            col += cols;
        }
        row += lanes;
    }
    Ok(MatrixValue::new(from.matrix, components))
}

/// Writes a matrix.
pub(super) fn store(
    f: &mut FunctionLowering<'_, '_>,
    to: &MatrixAccess<'_>,
    value: &MatrixValue,
) -> Emitted<()> {
    let surface = Surface::new(f, &to.at, to.io)?;
    let layout = layout(f, to.matrix)?;
    let (element, lanes) = (to.matrix.component.bytes(), surface.lanes());
    let mut row = 0;
    while row < to.matrix.rows {
        let mut col = 0;
        while col < to.matrix.cols {
            // What a message writes is there: it has no padding.
            let cols = 1 << surface.io.max_store_height.min(to.matrix.cols - col).ilog2();
            let words: Emitted<Vec<Word>> =
                (col..col + cols).map(|place| component(value, layout.find(row, place).1)).collect();
            let block = Block { element, width: lanes, height: cols, count: 1 };
            let offset = Offset { scale: 1, x: row, y: col };
            let content = Content::new(f, &surface, to.matrix.component, cols)?;
            content.write(f, &surface, (block, offset), &words?)?;
            col += cols;
        }
        row += lanes;
    }
    Ok(())
}

/// Registers that a message reads or writes: one number for each column.
pub(super) struct Content {
    scalar: Word,
    /// Type of `count` numbers, and of all of them.
    vector: Word,
    count: usize,
    all: Word,
    vectors: usize,
    /// Alignment of a variable of the vectors, as far as their type promises, at most 4.
    alignment: u32,
}

impl Content {
    pub fn new(
        f: &mut FunctionLowering<'_, '_>,
        surface: &Surface,
        component: Scalar,
        cols: i64,
    ) -> Emitted<Content> {
        let scalar = f.module.scalar_type(component)?;
        let number =
            |number: i64| usize::try_from(number).map_err(|_| Error::internal(format!("{number} columns")));
        // What a message writes is a vector, and what one reads as many as it takes.
        let (cols, count) = (number(cols)?, number(cols.min(surface.io.max_store_height))?);
        let vectors = cols / count.max(1);
        let narrow = |number: usize| {
            u32::try_from(number).map_err(|_| Error::internal(format!("a vector of {number}")))
        };
        let vector = if count == 1 { scalar } else { f.module.vector_type(scalar, narrow(count)?) };
        let all = if vectors == 1 {
            vector
        } else {
            let length = f.module.i32_constant(narrow(vectors)?);
            f.module.array_type(vector, length)
        };
        let alignment = narrow(count.saturating_mul(number(component.bytes())?).min(4))?;
        Ok(Content { scalar, vector, count, all, vectors, alignment })
    }

    pub fn read(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        surface: &Surface,
        (kind, block, offset): (Load, Block, Offset),
    ) -> Emitted<Vec<Word>> {
        let variable = f.module.function_variable(self.all)?;
        surface.load(f, kind, block, offset, variable)?;
        let all = f.module.load(self.all, variable, self.alignment)?;
        let parts = parts(f, all, self.vectors, self.vector)?;
        let mut words = Vec::new();
        for part in parts {
            words.extend(self::parts(f, part, self.count, self.scalar)?);
        }
        Ok(words)
    }

    fn write(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        surface: &Surface,
        (block, offset): (Block, Offset),
        words: &[Word],
    ) -> Emitted<()> {
        let variable = f.module.function_variable(self.all)?;
        let all = match words {
            [word] => *word,
            words => f.module.value(Op::CompositeConstruct, self.all, words)?,
        };
        f.module.store(variable, all, self.alignment)?;
        surface.store(f, block, offset, variable)
    }
}

/// The parts of a composite of `count` parts, which it is itself if there is only one.
fn parts(f: &mut FunctionLowering<'_, '_>, composite: Word, count: usize, part: Word) -> Emitted<Vec<Word>> {
    if count == 1 {
        return Ok(vec![composite]);
    }
    (0u32..)
        .take(count)
        .map(|index| {
            let operands = vec![Operand::IdRef(composite), Operand::LiteralBit32(index)];
            f.module.value_of(Op::CompositeExtract, part, operands)
        })
        .collect()
}
