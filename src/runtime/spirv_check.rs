//! A look at a SPIR-V module before a driver sees it.
//!
//! Intel's CPU runtime ends the process when a module is cut off, has an opcode that does not exist, or uses
//! an id that nothing defines. What has any of these is refused here. It is no validation: what the reader
//! merely does not know, such as the operands of a newer extension, is for the driver to judge.

use std::collections::HashSet;

use rspirv::binary::{DecodeError, ParseState};
use rspirv::dr::{self, Instruction, Module};
use rspirv::spirv::Op;

use super::error::Error;

/// Refuses a module that is broken beyond doubt.
pub(super) fn check(data: &[u8]) -> Result<(), Error> {
    let (words, rest) = data.as_chunks::<4>();
    if !rest.is_empty() {
        return refuse("its size is no multiple of 4 bytes");
    }
    let words: Vec<u32> = words.iter().copied().map(u32::from_ne_bytes).collect();
    if !is_readable(&words)? {
        return Ok(());
    }
    match dr::load_words(words) {
        Ok(module) => check_ids(&module),
        Err(ParseState::OperandError(error)) if is_unknown(&error) => Ok(()),
        Err(ParseState::TypeUnsupported(..) | ParseState::SpecConstantOpIntegerIncorrect(..)) => Ok(()),
        Err(state) => refuse(state),
    }
}

/// Checks that instructions end where the module ends, without which rspirv panics; false for a module with
/// specialisation constant operations, on some of which it panics too.
fn is_readable(words: &[u32]) -> Result<bool, Error> {
    const HEADER_WORDS: usize = 5;
    let Some(mut rest) = words.get(HEADER_WORDS..) else {
        return refuse("it ends in its header");
    };
    let mut readable = true;
    while let Some(&first) = rest.first() {
        // The high half is the length, the low half the opcode (SPIR-V, 2.3).
        let (length, opcode) = ((first >> 16) as usize, first & 0xffff);
        match rest.get(length..) {
            Some(behind) if length > 0 => rest = behind,
            _ => return refuse("its last instruction is cut off"),
        }
        readable &= opcode != Op::SpecConstantOp as u32;
    }
    Ok(readable)
}

/// Returns whether an operand is only unknown to the reader.
fn is_unknown(error: &DecodeError) -> bool {
    !matches!(
        error,
        DecodeError::StreamExpected(_) | DecodeError::LimitReached(_) | DecodeError::DecodeStringFailed(..)
    )
}

fn check_ids(module: &Module) -> Result<(), Error> {
    let defined: HashSet<u32> =
        module.all_inst_iter().filter_map(|instruction| instruction.result_id).collect();
    let uses = |instruction: &Instruction| -> Vec<u32> {
        let operands = instruction.operands.iter().filter_map(dr::Operand::id_ref_any);
        instruction.result_type.into_iter().chain(operands).collect()
    };
    match module.all_inst_iter().flat_map(uses).find(|id| !defined.contains(id)) {
        Some(id) => refuse(format!("nothing defines id {id}")),
        None => Ok(()),
    }
}

fn refuse<T>(reason: impl ToString) -> Result<T, Error> {
    Err(Error::MalformedModule { reason: reason.to_string() })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use rspirv::binary::Assemble;
    use rspirv::dr::Builder;
    use rspirv::spirv::{AddressingModel, Capability, MemoryModel};

    use super::*;
    use crate::status::Status;

    fn module() -> Vec<u32> {
        let mut b = Builder::new();
        b.set_version(1, 4);
        b.capability(Capability::Kernel);
        b.memory_model(AddressingModel::Physical64, MemoryModel::OpenCL);
        let i32_type = b.type_int(32, 0);
        b.constant_bit32(i32_type, 7);
        b.module().assemble()
    }

    fn check_words(words: &[u32]) -> Result<(), Error> {
        check(&words.iter().copied().flat_map(u32::to_ne_bytes).collect::<Vec<u8>>())
    }

    #[test]
    fn sound_modules_pass() {
        assert_eq!(check_words(&module()), Ok(()));
        // A capability that the reader does not know.
        let mut words = module();
        words[6] = 6437;
        assert_eq!(check_words(&words), Ok(()));
    }

    #[test]
    fn broken_modules_are_refused() {
        let good = module();
        let last = good.len() - 1;
        let mut unknown_opcode = good.clone();
        unknown_opcode[5] = 2 << 16 | 0xbe47;
        let mut undefined_id = good.clone();
        undefined_id[last - 2] = 99;
        let mut long_name = good.clone();
        long_name.extend([3 << 16 | Op::Name as u32, 1]);
        let mut no_length = good.clone();
        no_length[5] &= 0xffff;
        for words in [&good[..last], &good[..3], &[], &unknown_opcode, &undefined_id, &no_length, &long_name]
        {
            let error = check_words(words).unwrap_err();
            assert_eq!(error.status(), Status::ComputeRuntimeError);
            assert!(error.build_log().is_some());
        }
        assert_eq!(
            check_words(&undefined_id).unwrap_err().to_string(),
            "malformed SPIR-V module: nothing defines id 99"
        );
        assert!(check(&[0; 7]).is_err());
    }
}
