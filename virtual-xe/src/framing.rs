//! A look at the words of a module before the reader sees them, which relies on it.

use crate::Error;
use rspirv::spirv::{MAGIC_NUMBER, Op};

const HEADER_WORDS: usize = 5;

/// Checks header and lengths of instructions.
///
/// rspirv panics on a text that runs past the end, and on some operands of `OpSpecConstantOp`; neither
/// gets past here.
pub(crate) fn check(bytes: &[u8]) -> Result<(), Error> {
    let (words, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(Error::Size(bytes.len()));
    }
    let words: Vec<u32> = words.iter().copied().map(u32::from_le_bytes).collect();
    match words.first() {
        Some(&MAGIC_NUMBER) => {}
        Some(word) if word.swap_bytes() == MAGIC_NUMBER => return Err(Error::BigEndian),
        Some(&word) => return Err(Error::Magic(word)),
        None => return Err(Error::Header(0)),
    }
    let mut at = HEADER_WORDS;
    let Some(mut rest) = words.get(HEADER_WORDS..) else { return Err(Error::Header(words.len())) };
    while let Some(&first) = rest.first() {
        // The high half is the length, the low half the opcode (SPIR-V 2.3).
        let (length, opcode) = ((first >> 16) as usize, first & 0xffff);
        match rest.get(length..) {
            Some(behind) if length > 0 => rest = behind,
            _ => return Err(Error::Framing(at)),
        }
        if opcode == Op::SpecConstantOp as u32 {
            return Err(Error::Unsupported("operations on specialisation constants"));
        }
        at += length;
    }
    Ok(())
}
