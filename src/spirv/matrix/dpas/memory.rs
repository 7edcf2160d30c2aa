//! Reading and writing fragments by 2D block messages (lowering reference 4.4).

use super::fragments::{Fragments, count, extract, vector_type};

use crate::device::MatrixEngine;
use crate::ir::{MatrixUse, Transpose};
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::matrix::access::{MatrixAccess, Prefetch};
use crate::spirv::matrix::surface::{Block, Load, Offset, Surface};
use crate::spirv::module_builder::Emitted;
use crate::spirv::values::MatrixValue;
use rspirv::spirv::{Op, Word};

/// Reads a matrix by block messages.
pub(super) fn load(
    f: &mut FunctionLowering<'_, '_>,
    from: &MatrixAccess<'_>,
    fragments: &Fragments,
) -> Emitted<MatrixValue> {
    let matrix = from.matrix;
    let bytes = matrix.component.bytes();
    let transposed = from.transpose == Transpose::T;
    let surface = Surface::new(f, &from.at, from.io)?;
    let lanes = surface.lanes();
    let ids = match (matrix.usage, transposed) {
        (MatrixUse::A, true) => transposed_a(f, &surface, fragments),
        (MatrixUse::B, true) => transposed_b(f, &surface, fragments),
        (MatrixUse::A, false) => {
            // A word holds one row of the matrix and some of its columns, which are rows of the surface.
            let in_word = 4 / bytes;
            let load = if in_word == 1 { Load::Plain } else { Load::Transform };
            Rows { load, height: matrix.cols, width: lanes, in_word, exact: false }
                .load(f, &surface, fragments, bytes)
        }
        (MatrixUse::B, false) => {
            let width = fragments.depth();
            let in_word = (lanes / width).max(1);
            Rows { load: Load::Plain, height: matrix.cols, width, in_word, exact: false }
                .load(f, &surface, fragments, bytes)
        }
        (MatrixUse::Acc, _) => {
            Rows { load: Load::Plain, height: matrix.cols, width: lanes, in_word: 1, exact: true }
                .load(f, &surface, fragments, bytes)
        }
    };
    ids.map(|ids| MatrixValue::new(matrix, ids))
}

/// A matrix whose rows lie along the rows of the surface.
struct Rows {
    load: Load,
    /// Rows of the surface.
    height: i64,
    /// Elements of a row block on a row of the surface.
    width: i64,
    /// Rows of the surface in a word, or side by side in the work-items.
    in_word: i64,
    /// True if no row beyond the matrix may be read.
    exact: bool,
}

impl Rows {
    /// Rows of the message that reads what is left. Sums that lie beyond may be another subgroup's to write.
    fn height_of_message(&self, surface: &Surface, engine: &MatrixEngine, left: i64) -> i64 {
        if self.exact {
            return surface.io.max_height.min(largest_power_of_two(left));
        }
        height_of_message(surface, engine, left).max(self.in_word)
    }

    /// Reads all fragments, by messages that are as large as the hardware takes them.
    fn load(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        surface: &Surface,
        fragments: &Fragments,
        bytes: i64,
    ) -> Emitted<Vec<Word>> {
        let mut ids = vec![None; fragments.len()];
        let most = (surface.io.max_row_bytes / (self.width * bytes)).max(1);
        let mut block = 0;
        while block < fragments.row_blocks {
            let blocks = largest_power_of_two(most.min(fragments.row_blocks - block));
            let mut row = 0;
            while row < self.height {
                let height = self.height_of_message(surface, &fragments.engine, self.height - row);
                let shape = Block { element: bytes, width: self.width, height, count: blocks };
                let offset = Offset { scale: 1, x: block * self.width, y: row };
                let words = height / self.in_word;
                let loaded = Loaded::read(f, surface, fragments, (self.load, shape, offset), blocks * words)?;
                for own in 0..blocks {
                    let mut start = 0;
                    for (place, &width) in fragments.widths.iter().enumerate() {
                        let from = start - row / self.in_word;
                        if (0..words).contains(&from) {
                            let fragment = loaded.fragment(f, fragments, own * words + from, width)?;
                            let index = count(block + own) * fragments.widths.len() + place;
                            if let Some(id) = ids.get_mut(index) {
                                *id = Some(fragment);
                            }
                        }
                        start += words_of(width);
                    }
                }
                row += height;
            }
            block += blocks;
        }
        ids.into_iter().collect::<Option<_>>().ok_or_else(|| Error::internal("a fragment was not read"))
    }
}

/// Result of a message that reads: vectors of equally many words.
pub(super) struct Loaded {
    vectors: Vec<Word>,
    width: i64,
}

impl Loaded {
    /// A single vector of so many words.
    pub fn of(vector: Word, width: i64) -> Loaded {
        Loaded { vectors: vec![vector], width }
    }

    pub fn read(
        f: &mut FunctionLowering<'_, '_>,
        surface: &Surface,
        fragments: &Fragments,
        (kind, block, offset): (Load, Block, Offset),
        words: i64,
    ) -> Emitted<Loaded> {
        let width = fragments.widths.first().map_or(words, |&first| words_of(first).min(words));
        let vector = fragments.fragment_type(f, count(width))?;
        let number = words / width;
        let content = if number == 1 { vector } else { array_type(f, vector, number)? };
        let variable = f.module.function_variable(content)?;
        surface.load(f, kind, block, offset, variable)?;
        let whole = f.module.load(content, variable, fragments.alignment(count(width)))?;
        let vectors = if number == 1 {
            vec![whole]
        } else {
            (0..count(number)).map(|index| extract(f, vector, whole, index)).collect::<Emitted<_>>()?
        };
        Ok(Loaded { vectors, width })
    }

    /// The fragment of `width` words from the word `from` on.
    pub fn fragment(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        fragments: &Fragments,
        from: i64,
        width: usize,
    ) -> Emitted<Word> {
        let vector_of = |word: i64| {
            let missing = || Error::internal(format!("word {word} of a block"));
            self.vectors.get(count(word / self.width)).copied().ok_or_else(missing)
        };
        if words_of(width) == self.width {
            return vector_of(from);
        }
        let words = (from..from + words_of(width)).map(|word| {
            let place = (count(word % self.width), count(self.width));
            fragments.extract_word(f, vector_of(word)?, place)
        });
        match *words.collect::<Emitted<Vec<Word>>>()? {
            [word] => Ok(word),
            ref words => {
                let ty = fragments.fragment_type(f, width)?;
                f.module.composite(ty, words)
            }
        }
    }
}

/// Rows of the matrix are columns of the surface, whose words hold what follows each other in a row.
fn transposed_a(
    f: &mut FunctionLowering<'_, '_>,
    surface: &Surface,
    fragments: &Fragments,
) -> Emitted<Vec<Word>> {
    let (element, lanes, scale) = (surface.io.word_bytes, surface.lanes(), words_of(fragments.packed));
    let width = fragments.widths.first().map_or(1, |&width| words_of(width));
    let block = Block { element, width, height: lanes, count: 1 };
    let mut ids = Vec::new();
    for row in 0..fragments.row_blocks {
        for place in (0..).take(fragments.widths.len()) {
            let offset = Offset { scale, x: place * width * scale, y: row * lanes };
            let read = (Load::Transpose, block, offset);
            let loaded = Loaded::read(f, surface, fragments, read, width)?;
            ids.push(loaded.fragment(f, fragments, 0, count(width))?);
        }
    }
    Ok(ids)
}

/// Rows of the surface are rows of the matrix, and narrow columns share a word of it, so that a word of the message holds
/// the components of a word of the fragment. A message of two fragments would have to be taken apart first, which costs
/// more than a second one.
fn transposed_b(
    f: &mut FunctionLowering<'_, '_>,
    surface: &Surface,
    fragments: &Fragments,
) -> Emitted<Vec<Word>> {
    let (element, lanes, height) = (surface.io.word_bytes, surface.lanes(), fragments.depth());
    let in_word = element / fragments.component.bytes();
    let cols = fragments.engine.max_cols().min(surface.io.max_transposed * in_word);
    let block = Block { element, width: cols / in_word, height, count: 1 };
    let words = count(block.width * height / lanes);
    let width = cols * height / lanes;
    let vector = fragments.fragment_type(f, count(width))?;
    let content = if in_word == 1 {
        vector
    } else {
        let word = f.module.i32_type();
        vector_type(f, word, words)?
    };
    let mut ids = Vec::new();
    for row in 0..fragments.row_blocks {
        let mut col = 0;
        for &own in &fragments.widths {
            let mut vectors = Vec::new();
            let end = col + words_of(own) * lanes / height;
            // The last message may read columns beyond the matrix, which nobody looks at.
            for x in (col..end).step_by(count(cols)) {
                let offset = Offset { scale: in_word, x, y: row * height };
                let variable = f.module.function_variable(content)?;
                surface.load(f, Load::Transpose, block, offset, variable)?;
                let loaded = f.module.load(content, variable, 4)?;
                vectors.push(if content == vector {
                    loaded
                } else {
                    f.module.value(Op::Bitcast, vector, &[loaded])?
                });
            }
            ids.push(Loaded { vectors, width }.fragment(f, fragments, 0, own)?);
            col = end;
        }
    }
    Ok(ids)
}

/// Writes a matrix of sums by block messages.
pub(super) fn store(
    f: &mut FunctionLowering<'_, '_>,
    to: &MatrixAccess<'_>,
    fragments: &Fragments,
    value: &MatrixValue,
) -> Emitted<()> {
    let matrix = to.matrix;
    let surface = Surface::new(f, &to.at, to.io)?;
    let (element, lanes) = (matrix.component.bytes(), surface.lanes());
    let mut ids = value.ids().iter();
    for row in 0..fragments.row_blocks {
        let mut column = 0;
        for &width in &fragments.widths {
            let &fragment = ids.next().ok_or_else(|| Error::internal("a fragment is missing"))?;
            let all = Loaded { vectors: vec![fragment], width: words_of(width) };
            let height = all.width.min(surface.io.max_store_height);
            let block = Block { element, width: lanes, height, count: 1 };
            for from in (0..all.width).step_by(count(height)) {
                let content = fragments.fragment_type(f, count(height))?;
                let variable = f.module.function_variable(content)?;
                let words = all.fragment(f, fragments, from, count(height))?;
                f.module.store(variable, words, fragments.alignment(count(height)))?;
                surface.store(f, block, Offset { scale: 1, x: row * lanes, y: column + from }, variable)?;
            }
            column += all.width;
        }
    }
    Ok(())
}

/// Fetches the lines that a matrix takes.
pub(super) fn prefetch(
    f: &mut FunctionLowering<'_, '_>,
    what: &Prefetch<'_>,
    engine: &MatrixEngine,
) -> Emitted<()> {
    let surface = Surface::new(f, &what.at, what.io)?;
    let element = what.at.ty.element.bytes();
    let [rows, cols] = what.extent.map(i64::from);
    let width = largest_power_of_two((surface.io.max_row_bytes / element).min(rows.max(1)));
    let mut y = 0;
    while y < cols {
        let height = height_of_message(&surface, engine, cols - y);
        let mut x = 0;
        while x < rows {
            let block = Block { element, width, height, count: 1 };
            surface.prefetch(f, block, Offset { scale: 1, x, y })?;
            x += width;
        }
        y += height;
    }
    Ok(())
}

/// Rows of the message that reads what is left: all of it if that takes little more, which must not be a neighbour's.
fn height_of_message(surface: &Surface, engine: &MatrixEngine, left: i64) -> i64 {
    let most = surface.io.max_height;
    if left >= most {
        most
    } else if left % engine.max_cols() == 0 || !surface.ends_with_memref() {
        largest_power_of_two(left)
    } else {
        count(left).next_power_of_two().try_into().unwrap_or(most)
    }
}

fn largest_power_of_two(limit: i64) -> i64 {
    1 << limit.max(1).ilog2()
}

fn words_of(width: usize) -> i64 {
    i64::try_from(width).unwrap_or(i64::MAX)
}

fn array_type(f: &mut FunctionLowering<'_, '_>, element: Word, length: i64) -> Emitted<Word> {
    let length = u32::try_from(length).map_err(|_| Error::internal(format!("{length} vectors")))?;
    let length = f.module.i32_constant(length);
    Ok(f.module.array_type(element, length))
}
