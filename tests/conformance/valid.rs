//! Validation of modules.

use spirv_tools::TargetEnv;
use spirv_tools::val::{self, Validator as _};
use tiletc::spirv::Module;

/// Checks a module with spirv-val; an error holds what it says.
pub fn validate(module: &Module) -> Result<(), String> {
    validate_words(&module.words())
}

/// The same for the words of a module.
pub fn validate_words(words: &[u32]) -> Result<(), String> {
    // OpenCL's own environments end at SPIR-V 1.2.
    let outcome = val::create(Some(TargetEnv::Universal_1_4)).validate(known(words), None);
    outcome.map_err(|error| error.to_string())
}

/// The words without what SPV_INTEL_joint_matrix adds for products of bf16, the one thing that spirv-val does not know: a
/// capability, and an operand that says what the integers in the factors are (lowering reference 4.7).
fn known(words: &[u32]) -> Vec<u32> {
    const HEADER_WORDS: usize = 5;
    const CAPABILITY: u32 = 17;
    const MUL_ADD: u32 = 4459;
    const BFLOAT16_COMPONENTS: u32 = 6437;
    const FACTORS_ARE_BF16: u32 = 0x40;
    let (header, mut rest) = words.split_at(HEADER_WORDS.min(words.len()));
    let mut known = header.to_vec();
    while let Some(&first) = rest.first() {
        let length = ((first >> 16) as usize).clamp(1, rest.len());
        let (instruction, behind) = rest.split_at(length);
        match (first & 0xffff, instruction) {
            (CAPABILITY, [_, BFLOAT16_COMPONENTS]) => {}
            (MUL_ADD, [_, operands @ .., flags]) if operands.len() == 5 => {
                known.push(first);
                known.extend(operands);
                known.push(flags & !FACTORS_ARE_BF16);
            }
            _ => known.extend(instruction),
        }
        rest = behind;
    }
    known
}
