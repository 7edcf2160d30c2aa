//! Cooperative matrices as operands of the matrix engine.
//!
//! A fragment is what one instruction takes or returns: a vector of 16-bit or 32-bit words in each work-item
//! (lowering reference 4.3). Fragments follow each other as the components of the language do (4.1): row block by row
//! block, and from the left to the right in each; neighbouring components share a word.

use crate::device::MatrixEngine;
use crate::ir::{Coopmatrix, MatrixUse, Scalar};
use crate::schedule::takes_matrix;
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::module_builder::Emitted;
use crate::spirv::values::MatrixValue;
use rspirv::spirv::{Op, Word};

/// Bytes of the words of a factor A.
const WORD_BYTES: i64 = 4;

/// The words of a fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordKind {
    /// Components of the matrix, one in a word.
    Component(Scalar),
    /// Integers of 16 bits.
    Int16,
    /// Integers of 32 bits.
    Int32,
}

/// Division of a matrix into fragments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fragments {
    pub engine: MatrixEngine,
    pub component: Scalar,
    pub word: WordKind,
    /// Components in a word.
    pub packed: usize,
    /// Rows of fragments.
    pub row_blocks: i64,
    /// Words of each fragment in a row of them.
    pub widths: Vec<usize>,
}

impl Fragments {
    /// The fragments of a matrix; `None` if the engine does not take a matrix of this type, shape and use.
    pub fn new(matrix: Coopmatrix, engine: MatrixEngine) -> Option<Fragments> {
        if !takes_matrix(&engine, matrix) {
            return None;
        }
        let Coopmatrix { component, rows, cols, usage } = matrix;
        let (lanes, depth) = (i64::from(engine.subgroup_size()), engine.factor_bytes() / component.bytes());
        let widths =
            |cols| -> Option<Vec<usize>> { Some(engine.split_cols(cols)?.into_iter().map(count).collect()) };
        Some(match usage {
            MatrixUse::A => Fragments {
                engine,
                component,
                word: if component.bytes() == WORD_BYTES {
                    WordKind::Component(component)
                } else {
                    WordKind::Int32
                },
                packed: count(WORD_BYTES / component.bytes()),
                row_blocks: rows / lanes,
                widths: vec![count(engine.factor_bytes() / WORD_BYTES); count(cols / depth)],
            },
            MatrixUse::B => {
                // Fewer rows than there are work-items leave room for several columns side by side.
                let columns = (lanes / depth).max(1);
                let packed = (depth / lanes).max(1);
                let word = match packed * component.bytes() {
                    2 => WordKind::Int16,
                    _ if packed == 1 => WordKind::Component(component),
                    _ => WordKind::Int32,
                };
                let widths = widths(cols)?.into_iter().map(|width| width.div_ceil(count(columns))).collect();
                Fragments { engine, component, word, packed: count(packed), row_blocks: rows / depth, widths }
            }
            MatrixUse::Acc => Fragments {
                engine,
                component,
                word: WordKind::Component(component),
                packed: 1,
                row_blocks: rows / lanes,
                widths: widths(cols)?,
            },
        })
    }

    /// Columns of A and rows of B that an instruction takes.
    pub fn depth(&self) -> i64 {
        self.engine.factor_bytes() / self.component.bytes()
    }

    /// Number of fragments.
    pub fn len(&self) -> usize {
        count(self.row_blocks).saturating_mul(self.widths.len())
    }

    /// The SPIR-V type of a word.
    pub fn word_type(&self, f: &mut FunctionLowering<'_, '_>) -> Emitted<Word> {
        match self.word {
            WordKind::Component(scalar) => f.module.scalar_type(scalar),
            WordKind::Int16 => Ok(f.module.int_type(16)),
            WordKind::Int32 => Ok(f.module.i32_type()),
        }
    }

    /// The SPIR-V type of a fragment of so many words; a single one is no vector.
    pub fn fragment_type(&self, f: &mut FunctionLowering<'_, '_>, width: usize) -> Emitted<Word> {
        let word = self.word_type(f)?;
        vector_type(f, word, width)
    }

    /// Alignment of a variable that holds a fragment of so many words, as far as its type promises, at most 4.
    pub fn alignment(&self, width: usize) -> u32 {
        let bytes = match self.word {
            WordKind::Component(scalar) => scalar.bytes(),
            WordKind::Int16 => 2,
            WordKind::Int32 => 4,
        };
        if bytes >= 4 || width > 1 { 4 } else { 2 }
    }

    /// The words of each fragment, in order.
    pub fn all_widths(&self) -> impl Iterator<Item = usize> {
        (0..self.row_blocks).flat_map(|_| self.widths.iter().copied())
    }

    /// Places of the fragments that are a part of a matrix, which begins at a row and a column of it; `None` if the part is not made of whole ones.
    pub fn places_of_part(
        &self,
        (whole, [row, col]): (Coopmatrix, [i64; 2]),
        part: Coopmatrix,
    ) -> Option<Vec<usize>> {
        if (whole.component, whole.usage) != (part.component, part.usage) {
            return None;
        }
        let own = Fragments::new(part, self.engine)?;
        let height = (whole.rows / self.row_blocks.max(1)).max(1);
        let extents = match whole.usage {
            MatrixUse::A => vec![self.depth(); self.widths.len()],
            MatrixUse::B | MatrixUse::Acc => self.engine.split_cols(whole.cols)?,
        };
        let first = (0..extents.len()).find(|&place| extents.iter().take(place).sum::<i64>() == col)?;
        let columns = first..first + own.widths.len();
        if row % height != 0 || self.widths.get(columns.clone())? != own.widths {
            return None;
        }
        let blocks = row / height..row / height + own.row_blocks;
        let across = extents.len();
        let of_block = |block| columns.clone().map(move |column| count(block) * across + column);
        Some(blocks.flat_map(of_block).collect())
    }

    /// The components of a matrix of fragments.
    pub fn unpack(&self, f: &mut FunctionLowering<'_, '_>, matrix: &MatrixValue) -> Emitted<MatrixValue> {
        let mut components = Vec::new();
        for (&fragment, width) in matrix.ids().iter().zip(self.all_widths()) {
            for index in 0..width {
                let word = self.extract_word(f, fragment, (index, width))?;
                if self.packed == 1 {
                    components.push(self.as_component(f, word)?);
                    continue;
                }
                let vector = self.packed_type(f)?;
                let vector = f.module.value(Op::Bitcast, vector, &[word])?;
                let scalar = f.module.scalar_type(self.component)?;
                for part in 0..self.packed {
                    components.push(extract(f, scalar, vector, part)?);
                }
            }
        }
        Ok(MatrixValue::new(matrix.ty(), components))
    }

    /// The fragments of a matrix of components.
    pub fn pack(&self, f: &mut FunctionLowering<'_, '_>, matrix: &MatrixValue) -> Emitted<MatrixValue> {
        let mut words = Vec::new();
        let ty = self.word_type(f)?;
        for components in matrix.ids().chunks(self.packed.max(1)) {
            words.push(match *components {
                [component] => self.as_word(f, component)?,
                _ => {
                    let vector = self.packed_type(f)?;
                    let vector = f.module.composite(vector, components)?;
                    f.module.value(Op::Bitcast, ty, &[vector])?
                }
            });
        }
        let mut rest = words.as_slice();
        let mut fragments = Vec::new();
        for width in self.all_widths() {
            let (own, others) = rest
                .split_at_checked(width)
                .ok_or_else(|| Error::internal(format!("{} words of a {}", words.len(), self.component)))?;
            rest = others;
            fragments.push(match *own {
                [word] => word,
                _ => {
                    let ty = vector_type(f, ty, width)?;
                    f.module.composite(ty, own)?
                }
            });
        }
        Ok(MatrixValue::new(matrix.ty(), fragments))
    }

    /// A word of a fragment of `width` words.
    pub fn extract_word(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        fragment: Word,
        (index, width): (usize, usize),
    ) -> Emitted<Word> {
        if width == 1 {
            return Ok(fragment);
        }
        let ty = self.word_type(f)?;
        extract(f, ty, fragment, index)
    }

    /// A word that holds one component, as a number of its type.
    fn as_component(&self, f: &mut FunctionLowering<'_, '_>, word: Word) -> Emitted<Word> {
        self.reinterpret(f, word, true)
    }

    fn as_word(&self, f: &mut FunctionLowering<'_, '_>, component: Word) -> Emitted<Word> {
        self.reinterpret(f, component, false)
    }

    fn reinterpret(&self, f: &mut FunctionLowering<'_, '_>, id: Word, to_component: bool) -> Emitted<Word> {
        let (component, word) = (f.module.scalar_type(self.component)?, self.word_type(f)?);
        if component == word {
            return Ok(id);
        }
        f.module.value(Op::Bitcast, if to_component { component } else { word }, &[id])
    }

    fn packed_type(&self, f: &mut FunctionLowering<'_, '_>) -> Emitted<Word> {
        let scalar = f.module.scalar_type(self.component)?;
        vector_type(f, scalar, self.packed)
    }
}

pub(super) fn vector_type(f: &mut FunctionLowering<'_, '_>, word: Word, width: usize) -> Emitted<Word> {
    match u32::try_from(width) {
        Ok(1) => Ok(word),
        Ok(width) => Ok(f.module.vector_type(word, width)),
        Err(_) => Err(Error::internal(format!("a vector of {width} words"))),
    }
}

/// The part `index` of a composite.
pub(super) fn extract(
    f: &mut FunctionLowering<'_, '_>,
    ty: Word,
    composite: Word,
    index: usize,
) -> Emitted<Word> {
    let index = u32::try_from(index).map_err(|_| Error::internal(format!("part {index}")))?;
    f.module.part(ty, composite, index)
}

pub(super) fn count(number: i64) -> usize {
    usize::try_from(number).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_whole_fragments_are_these() {
        let engine = MatrixEngine::SIXTEEN_LANES;
        let places = |component, usage, [rows, cols]: [i64; 2], at, part: [i64; 2]| {
            let whole = Coopmatrix { component, rows, cols, usage };
            let part = Coopmatrix { rows: part[0], cols: part[1], ..whole };
            Fragments::new(whole, engine)?.places_of_part((whole, at), part)
        };
        let f16 = |usage, whole, at, part| places(Scalar::F16, usage, whole, at, part);
        assert_eq!(f16(MatrixUse::A, [32, 64], [16, 16], [16, 32]), Some(vec![5, 6]));
        assert_eq!(f16(MatrixUse::A, [32, 64], [0, 48], [32, 16]), Some(vec![3, 7]));
        assert_eq!(f16(MatrixUse::A, [32, 64], [0, 8], [32, 16]), None);
        assert_eq!(f16(MatrixUse::B, [32, 23], [16, 8], [16, 12]), Some(vec![6, 7]));
        assert_eq!(f16(MatrixUse::B, [32, 23], [16, 8], [16, 4]), None);
        assert_eq!(f16(MatrixUse::B, [32, 23], [8, 8], [16, 8]), None);
        let f32 = |at, part| places(Scalar::F32, MatrixUse::Acc, [32, 16], at, part);
        assert_eq!(f32([16, 8], [16, 8]), Some(vec![3]));
        assert_eq!(f32([16, 8], [16, 16]), None);
    }
}
