//! A look at the words of a module before the reader sees them, which relies on it.
// Modules say the numbers here: no arithmetic on them is unchecked.
#![deny(clippy::arithmetic_side_effects)]

use crate::Error;
use rspirv::spirv::{MAGIC_NUMBER, Op};
use std::collections::HashMap;

const HEADER_WORDS: usize = 5;

/// Instructions that the reader would stumble over, taken out of the words before it sees them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extras {
    /// Capabilities of Intel's joint matrices, which the grammar of the reader lacks.
    pub capabilities: Vec<u32>,
    /// The operands that SPV_INTEL_joint_matrix adds to those of OpCooperativeMatrixMulAddKHR, by its result.
    pub matrix_operands: HashMap<u32, u32>,
    /// Operations on constants by their result: opcode and operands. An OpUndef stands in their place.
    pub operations: HashMap<u32, (u32, Vec<u32>)>,
}

/// The capabilities of SPV_INTEL_joint_matrix that are known here: packed layout, tf32 and bf16 components.
pub(crate) const JOINT_MATRIX: [u32; 3] = [6434, 6436, 6437];
/// The operands of OpCooperativeMatrixMulAddKHR that the core extension defines.
const CORE_MATRIX_OPERANDS: u32 = 0x1f;

/// Checks header and lengths of instructions; returns the words for the reader and what it is not to see.
///
/// rspirv panics on a text that runs past the end, and on some operands of `OpSpecConstantOp`; neither
/// gets past here.
pub(crate) fn read(bytes: &[u8]) -> Result<(Vec<u32>, Extras), Error> {
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
    let Some((header, mut rest)) = words.split_at_checked(HEADER_WORDS) else {
        return Err(Error::Header(words.len()));
    };
    let mut readable = header.to_vec();
    let mut extras = Extras::default();
    let mut at = HEADER_WORDS;
    while let Some(&first) = rest.first() {
        // The high half is the length, the low half the opcode (SPIR-V 2.3).
        let (length, opcode) = ((first >> 16) as usize, first & 0xffff);
        let split = if length > 0 { rest.split_at_checked(length) } else { None };
        let Some((instruction, behind)) = split else { return Err(Error::Framing(at)) };
        extras.take(opcode, instruction, &mut readable);
        rest = behind;
        at = at.saturating_add(length);
    }
    Ok((readable, extras))
}

impl Extras {
    /// Hands an instruction on, or takes it out.
    fn take(&mut self, opcode: u32, instruction: &[u32], readable: &mut Vec<u32>) {
        const CAPABILITY: u32 = Op::Capability as u32;
        const OPERATION: u32 = Op::SpecConstantOp as u32;
        const MULTIPLY: u32 = Op::CooperativeMatrixMulAddKHR as u32;
        match (opcode, instruction) {
            (CAPABILITY, &[_, capability]) if JOINT_MATRIX.contains(&capability) => {
                self.capabilities.push(capability);
            }
            (OPERATION, &[_, ty, id, operation, ref operands @ ..]) => {
                self.operations.insert(id, (operation, operands.to_vec()));
                readable.extend([3 << 16 | Op::Undef as u32, ty, id]);
            }
            (MULTIPLY, &[first, ty, id, a, b, c, operands]) => {
                self.matrix_operands.insert(id, operands & !CORE_MATRIX_OPERANDS);
                readable.extend([first, ty, id, a, b, c, operands & CORE_MATRIX_OPERANDS]);
            }
            _ => readable.extend_from_slice(instruction),
        }
    }
}
