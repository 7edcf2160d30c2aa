//! Gives specialization constants their values.

use crate::abi::In;
use std::collections::HashMap;

/// The bytes of constants by their numbers, which decorations give; as many as the type has.
pub(crate) type Constants<'a> = HashMap<u32, In<u8>>;

const HEADER_WORDS: usize = 5;
const TYPE_INT: u32 = 21;
const TYPE_FLOAT: u32 = 22;
const SPEC_CONSTANT_TRUE: u32 = 48;
const SPEC_CONSTANT_FALSE: u32 = 49;
const SPEC_CONSTANT: u32 = 50;
const DECORATE: u32 = 71;
const SPEC_ID: u32 = 1;

/// Changes the constants of a module in place. A module that cannot be read is left for who builds it to refuse.
pub(crate) fn specialize(spirv: &mut [u8], values: &Constants<'_>) {
    let mut words: Vec<u32> = spirv.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)).collect();
    let mut numbers = HashMap::new();
    let mut widths = HashMap::new();
    let mut rest = words.get_mut(HEADER_WORDS..).unwrap_or_default();
    while let Some(&first) = rest.first() {
        let length = (first >> 16) as usize;
        let Some((instruction, behind)) = rest.split_at_mut_checked(length.max(1)) else { break };
        rest = behind;
        match (first & 0xffff, instruction) {
            (DECORATE, [_, id, SPEC_ID, number]) => {
                numbers.insert(*id, *number);
            }
            (TYPE_INT, [_, id, width, _]) | (TYPE_FLOAT, [_, id, width, ..]) => {
                widths.insert(*id, *width as usize / 8);
            }
            (SPEC_CONSTANT_TRUE | SPEC_CONSTANT_FALSE, [first, _, id]) => {
                let value = numbers.get(id).and_then(|number| values.get(number));
                if let Some(Ok(&[value])) = value.map(|value| value.slice(1)) {
                    let opcode = if value == 0 { SPEC_CONSTANT_FALSE } else { SPEC_CONSTANT_TRUE };
                    *first = *first & !0xffff | opcode;
                }
            }
            (SPEC_CONSTANT, [_, ty, id, places @ ..]) => {
                let value = numbers.get(id).and_then(|number| values.get(number));
                let size = widths.get(ty).copied().unwrap_or(0).min(places.len() * 4);
                let Some(Ok(bytes)) = value.map(|value| value.slice(size)) else { continue };
                for (place, bytes) in places.iter_mut().zip(bytes.chunks(4)) {
                    let mut word = [0; 4];
                    for (to, from) in word.iter_mut().zip(bytes) {
                        *to = *from;
                    }
                    *place = u32::from_le_bytes(word);
                }
            }
            _ => {}
        }
    }
    for (place, word) in spirv.as_chunks_mut().0.iter_mut().zip(words) {
        *place = word.to_le_bytes();
    }
}
