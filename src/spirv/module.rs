//! A finished module.

use super::remark::Remark;
use crate::device::CoreFeatures;
use crate::ir::{Constant, Signature};
use half::f16;
use rspirv::binary::{Assemble, Disassemble};
use rspirv::dr;
use rspirv::spirv::Op;
use std::collections::HashMap;
use std::sync::Arc;

/// A finished SPIR-V module.
#[derive(Clone, Debug)]
pub struct Module {
    pub(super) module: dr::Module,
    pub(super) core_features: CoreFeatures,
    pub(super) pins_register_file: bool,
    pub(super) remarks: Vec<Remark>,
    pub(super) signatures: Arc<[Signature]>,
}

impl Module {
    /// A module that is read from a file: it tells no more than its instructions do. `None` if that is no SPIR-V.
    pub fn read(bytes: &[u8]) -> Option<Module> {
        Some(Module {
            module: dr::load_bytes(bytes).ok()?,
            core_features: CoreFeatures::default(),
            pins_register_file: false,
            remarks: Vec::new(),
            signatures: Arc::new([]),
        })
    }

    /// The module as words.
    pub fn words(&self) -> Vec<u32> {
        self.module.assemble()
    }

    /// Number of instructions, debug information left out.
    pub fn instruction_count(&self) -> usize {
        let is_debug = |op: Op| {
            matches!(op, Op::Name | Op::MemberName | Op::Line | Op::NoLine | Op::String | Op::Source)
        };
        self.module.all_inst_iter().filter(|inst| !is_debug(inst.class.opcode)).count()
    }

    /// The module as bytes, words in the order of this machine.
    pub fn assemble(&self) -> Vec<u8> {
        self.words().into_iter().flat_map(u32::to_ne_bytes).collect()
    }

    /// The usual assembly text.
    pub fn disassemble(&self) -> String {
        let halves = self.half_constants();
        let mut text = String::new();
        for line in self.module.disassemble().lines() {
            let id = line.split_once(" = OpConstant ").and_then(|(id, _)| id.trim().strip_prefix('%'));
            let half = id.and_then(|id| id.parse().ok()).and_then(|id: u32| halves.get(&id));
            text.push_str(half.map_or(line, String::as_str));
            text.push('\n');
        }
        text
    }

    /// The lines of 16-bit float constants by id, which rspirv would print as if they had 32 bits.
    fn half_constants(&self) -> HashMap<u32, String> {
        let constants = &self.module.types_global_values;
        let halves: Vec<u32> = constants
            .iter()
            .filter(|inst| {
                inst.class.opcode == Op::TypeFloat
                    && matches!(inst.operands.first(), Some(dr::Operand::LiteralBit32(16)))
            })
            .filter_map(|inst| inst.result_id)
            .collect();
        let mut lines = HashMap::new();
        for inst in constants.iter().filter(|inst| inst.class.opcode == Op::Constant) {
            if let (Some(ty), Some(id), Some(dr::Operand::LiteralBit32(bits))) =
                (inst.result_type, inst.result_id, inst.operands.first())
                && let (true, Ok(bits)) = (halves.contains(&ty), u16::try_from(*bits))
            {
                let value = f16::from_bits(bits).to_f64();
                lines.insert(id, format!("%{id} = OpConstant  %{ty} {}", Constant::Float(value)));
            }
        }
        lines
    }

    /// The core features the module was compiled for.
    pub fn core_features(&self) -> CoreFeatures {
        self.core_features
    }

    /// Remarks about how matrices are loaded and stored; none unless the options ask for them.
    pub fn remarks(&self) -> &[Remark] {
        &self.remarks
    }

    /// The module with what its kernels take, which is that of the program before it was lowered.
    pub fn with_signatures(self, signatures: Vec<Signature>) -> Module {
        Module { signatures: signatures.into(), ..self }
    }

    /// Signatures of the kernels.
    pub fn signatures(&self) -> &Arc<[Signature]> {
        &self.signatures
    }

    /// Returns whether an attribute of a function fixes the register file.
    pub fn pins_register_file(&self) -> bool {
        self.pins_register_file
    }
}
