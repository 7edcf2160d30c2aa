//! Numbers that share bytes of memory, which are taken out of their byte one by one.

use super::alignment;
use crate::ir::Scalar;
use crate::spirv::module_builder::{Emitted, ModuleBuilder};
use rspirv::dr::Operand;
use rspirv::spirv::{Op, StorageClass, Word};

/// The distance of so many elements, in the units in which pointers to them move: bytes for numbers that share them,
/// where only whole bytes count.
pub(in crate::spirv) fn pointer_distance(
    module: &mut ModuleBuilder<'_>,
    scalar: Scalar,
    elements: Word,
) -> Emitted<Word> {
    if !scalar.is_packed() {
        return Ok(elements);
    }
    if let Some(elements) = module.known(elements) {
        return Ok(module.index_constant(elements.div_euclid(scalar.per_byte())));
    }
    let (index, shift) = (module.index_type(), module.index_constant(scalar.per_byte().ilog2().into()));
    module.value(Op::ShiftRightArithmetic, index, &[elements, shift])
}

/// The address of a number among others.
#[derive(Clone, Copy)]
pub(in crate::spirv) struct Address {
    pub pointer_type: Word,
    pub pointer: Word,
    /// Distance of the first of them from the pointer, in elements.
    pub first: Word,
    /// False if nobody knows that all addresses lie in the memref.
    pub in_bounds: bool,
}

/// Loads the number so many elements behind the first, with its sign; `whole_bytes` says that both stand at the same place of their bytes,
/// which is then worked out once.
pub(in crate::spirv) fn load(
    module: &mut ModuleBuilder<'_>,
    scalar: Scalar,
    from: Address,
    distance: Word,
    whole_bytes: bool,
) -> Emitted<Word> {
    let Address { pointer_type, pointer, first, in_bounds } = from;
    let parts = if whole_bytes { vec![first, distance] } else { vec![module.add(first, distance)?] };
    let mut pointer = pointer;
    for &part in &parts {
        let bytes = pointer_distance(module, scalar, part)?;
        pointer = module.shifted_pointer(pointer_type, pointer, bytes, in_bounds)?;
    }
    let element = parts.first().copied().unwrap_or(first);
    let byte_type = module.scalar_type(Scalar::I8)?;
    let byte = module.load(byte_type, pointer, 1)?;
    let word_type = module.scalar_type(WORD)?;
    let word = module.value(Op::UConvert, word_type, &[byte])?;
    let place = match module.known(element) {
        Some(element) => module.int_constant(WORD, bits(scalar) * element.rem_euclid(scalar.per_byte()))?,
        None => {
            let low = module.value(Op::UConvert, word_type, &[element])?;
            let (mask, bits) =
                (module.int_constant(WORD, scalar.per_byte() - 1)?, module.int_constant(WORD, bits(scalar))?);
            let place = module.value(Op::BitwiseAnd, word_type, &[low, mask])?;
            module.value(Op::IMul, word_type, &[place, bits])?
        }
    };
    let highest = module.int_constant(WORD, highest(scalar))?;
    let left = module.value(Op::ISub, word_type, &[highest, place])?;
    number(module, scalar, word, left)
}

/// The type of so many words.
pub(in crate::spirv) fn words_type(module: &mut ModuleBuilder<'_>, words: u32) -> Emitted<Word> {
    let loaded = module.scalar_type(LOADED)?;
    Ok(if words == 1 { loaded } else { module.vector_type(loaded, words) })
}

/// Loads so many words, of which the first begins so many elements behind the first number.
pub(in crate::spirv) fn load_words(
    module: &mut ModuleBuilder<'_>,
    scalar: Scalar,
    from: Address,
    distance: Word,
    words: u32,
) -> Emitted<Word> {
    let element = module.add(from.first, distance)?;
    let bytes = pointer_distance(module, scalar, element)?;
    let pointer = module.shifted_pointer(from.pointer_type, from.pointer, bytes, true)?;
    let content = words_type(module, words)?;
    let ty = module.pointer_type(StorageClass::CrossWorkgroup, content);
    let pointer = module.value(Op::Bitcast, ty, &[pointer])?;
    module.load(content, pointer, alignment(LOADED)?)
}

/// The numbers of so many words.
pub(in crate::spirv) fn numbers(
    module: &mut ModuleBuilder<'_>,
    scalar: Scalar,
    loaded: Word,
    words: u32,
) -> Emitted<Vec<Word>> {
    let (loaded_type, word_type) = (module.scalar_type(LOADED)?, module.scalar_type(WORD)?);
    let pair_type = module.vector_type(word_type, 2);
    let part = |module: &mut ModuleBuilder<'_>, ty, whole, place| {
        module.value_of(Op::CompositeExtract, ty, vec![Operand::IdRef(whole), Operand::LiteralBit32(place)])
    };
    let mut numbers = Vec::new();
    for index in 0..words {
        let word = if words == 1 { loaded } else { part(module, loaded_type, loaded, index)? };
        let pair = module.value(Op::Bitcast, pair_type, &[word])?;
        for half in [0, 1] {
            let word = part(module, word_type, pair, half)?;
            for place in 0..WORD.bytes() * scalar.per_byte() {
                let left = module.int_constant(WORD, highest(scalar) - bits(scalar) * place)?;
                numbers.push(number(module, scalar, word, left)?);
            }
        }
    }
    Ok(numbers)
}

/// The integer in which messages move numbers.
const LOADED: Scalar = Scalar::I32;

/// The integer in which numbers are taken apart and held ([`Scalar::carrier`]).
const WORD: Scalar = Scalar::I16;

/// Numbers of a word that messages move.
pub(in crate::spirv) const fn in_word(scalar: Scalar) -> i64 {
    LOADED.bytes() * scalar.per_byte()
}

/// Bits of a number.
const fn bits(scalar: Scalar) -> i64 {
    8 / scalar.per_byte()
}

/// The place of the highest number of a word, in bits.
const fn highest(scalar: Scalar) -> i64 {
    8 * WORD.bytes() - bits(scalar)
}

/// The number of a word that stands highest once the word is shifted `left`, with its sign.
fn number(module: &mut ModuleBuilder<'_>, scalar: Scalar, word: Word, left: Word) -> Emitted<Word> {
    let word_type = module.scalar_type(WORD)?;
    let left = module.value(Op::ShiftLeftLogical, word_type, &[word, left])?;
    let highest = module.int_constant(WORD, highest(scalar))?;
    module.value(Op::ShiftRightArithmetic, word_type, &[left, highest])
}
