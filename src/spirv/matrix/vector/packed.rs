//! Rows of numbers that share bytes, which each work-item loads as vectors of words.

use super::memory::LaneAccess;
use super::partition::component_mut;
use crate::analysis::Place;
use crate::spirv::function::FunctionLowering;
use crate::spirv::matrix::access::MatrixAccess;
use crate::spirv::matrix::predicate::predicated;
use crate::spirv::module_builder::Emitted;
use crate::spirv::numbers::packed;
use crate::spirv::values::MatrixValue;
use rspirv::spirv::Word;

/// Words that a work-item loads at once: 16 bytes.
const MAX_WORDS: i64 = 4;

/// Words that follow each other in a row, from a place on.
type Vector = (Place, u32);

/// Reads a matrix whose rows are contiguous and begin at whole words; what fails a check is 0.
pub(super) fn load(f: &mut FunctionLowering<'_, '_>, from: &MatrixAccess<'_>) -> Emitted<MatrixValue> {
    let access = LaneAccess::new(f, from)?;
    let zero = f.module.zero(access.scalar)?;
    let mut components = vec![zero; access.layout.length()];
    for first in access.layout.places().filter(|place| place.col_block == 0) {
        for vectors in vectors(&access, first) {
            let loaded = load_vectors(f, &access, &vectors)?;
            for ((start, words), vector) in vectors.into_iter().zip(loaded) {
                let numbers = packed::numbers(f.module, access.scalar, vector, words)?;
                for (col_block, number) in (start.col_block..).zip(numbers) {
                    let component = access.layout.component_at(Place { col_block, ..start });
                    *component_mut(&mut components, component)? = number;
                }
            }
        }
    }
    Ok(MatrixValue::new(from.matrix, components))
}

/// The vectors of a work-item's row, as long as they can be, in lists of those that are there or not together. The last column is
/// behind a whole word.
fn vectors(access: &LaneAccess, first: Place) -> Vec<Vec<Vector>> {
    let checks_cols = access.checks_cols();
    let (in_word, most) = (packed::in_word(access.scalar), if checks_cols { 1 } else { MAX_WORDS });
    let (mut row, mut col_block) = (Vec::new(), 0);
    while col_block < access.layout.cols {
        let words = 1u32 << ((access.layout.cols - col_block) / in_word).clamp(1, most).ilog2();
        row.push((Place { col_block, ..first }, words));
        col_block += i64::from(words) * in_word;
    }
    if checks_cols { row.into_iter().map(|vector| vec![vector]).collect() } else { vec![row] }
}

/// Loads vectors under the condition of the first; all are 0 if it does not hold, and so are the numbers in them.
fn load_vectors(
    f: &mut FunctionLowering<'_, '_>,
    access: &LaneAccess,
    vectors: &[Vector],
) -> Emitted<Vec<Word>> {
    let mut loaded = Vec::new();
    let mut load = |f: &mut FunctionLowering<'_, '_>| -> Emitted<()> {
        for &(start, words) in vectors {
            loaded.push(access.read_words(f, start, words)?);
        }
        Ok(())
    };
    let condition = match vectors {
        [(first, _), ..] => access.condition(f, *first, false)?,
        [] => None,
    };
    let Some(condition) = condition else {
        load(f)?;
        return Ok(loaded);
    };
    let (before, end) = predicated(f, condition, load)?;
    for (vector, &(_, words)) in loaded.iter_mut().zip(vectors) {
        let ty = packed::words_type(f.module, words)?;
        let zeros = f.module.null(ty);
        *vector = f.module.phi(ty, [(*vector, end), (zeros, before)])?;
    }
    Ok(loaded)
}
