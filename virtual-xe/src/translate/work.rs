//! What instructions count as.

use super::Translator;
use crate::counters::{Class, Work};
use crate::layout::Kind;
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Op, OpenclStd100Op as CLOp};

/// Bits that a channel of the matrix engine takes from each factor in a step, over all of its depth.
const ENGINE_BITS: u64 = 256;

impl<const S: usize> Translator<'_, S> {
    /// What an instruction counts as; [`Class::Other`] if it is not known.
    pub(super) fn work(&self, inst: &Instruction) -> Work {
        let class = class(inst);
        let scalar = inst.result_type.and_then(|ty| self.source.types.scalar(ty).ok());
        let (bits, operations) = match class {
            Class::Float => (scalar.map_or(32, |scalar| scalar.bits()), float_operations(inst)),
            Class::Matrix => self.products(inst).unwrap_or((0, 0)),
            _ => (0, 0),
        };
        Work { class, bits, operations }
    }

    /// The bits of the factors and the operations of a multiplication of matrices.
    fn products(&self, inst: &Instruction) -> Option<(u32, u64)> {
        match (inst.class.opcode, inst.operands.as_slice()) {
            (Op::SubgroupMatrixMultiplyAccumulateINTEL, [Operand::IdRef(depth), ..]) => {
                let rows = self.scalars(inst.result_type?).ok()?.len() as u64;
                let depth = self.number(*depth).ok()?;
                let bits = u32::try_from(ENGINE_BITS.checked_div(depth)?).ok()?;
                Some((bits, 2 * rows * S as u64 * depth))
            }
            (Op::CooperativeMatrixMulAddKHR, [Operand::IdRef(a), Operand::IdRef(b), ..]) => {
                let kind = |id| self.source.types.kind(self.type_of(id).ok()?).ok();
                let (Kind::Matrix { component, rows, columns: depth, .. }, Kind::Matrix { columns, .. }) =
                    (kind(*a)?, kind(*b)?)
                else {
                    return None;
                };
                let bits = self.source.types.scalar(*component).ok()?.bits();
                Some((bits, 2 * u64::from(*rows) * u64::from(*columns) * u64::from(*depth)))
            }
            _ => None,
        }
    }
}

fn is_multiply_add(inst: &Instruction) -> bool {
    matches!(function(inst), Some(CLOp::fma | CLOp::mad))
}

/// The function of OpenCL.std that an instruction calls.
fn function(inst: &Instruction) -> Option<CLOp> {
    match (inst.class.opcode, inst.operands.as_slice()) {
        (Op::ExtInst, [_, Operand::LiteralExtInstInteger(number), ..]) => CLOp::from_u32(*number),
        _ => None,
    }
}

fn float_operations(inst: &Instruction) -> u64 {
    match inst.class.opcode {
        Op::FNegate => 0,
        _ if is_multiply_add(inst) => 2,
        _ => 1,
    }
}

fn class(inst: &Instruction) -> Class {
    match inst.class.opcode {
        Op::FAdd
        | Op::FSub
        | Op::FMul
        | Op::FDiv
        | Op::FMod
        | Op::FRem
        | Op::FNegate
        | Op::Dot
        | Op::VectorTimesScalar => Class::Float,
        // Those on integers are told by their names, which start with the sign.
        Op::ExtInst => match function(inst).map(|function| format!("{function:?}")) {
            Some(name) if name.starts_with("s_") || name.starts_with("u_") => Class::Integer,
            Some(_) => Class::Float,
            None => Class::Other,
        },
        Op::IAdd
        | Op::ISub
        | Op::IMul
        | Op::SNegate
        | Op::SDiv
        | Op::UDiv
        | Op::SRem
        | Op::SMod
        | Op::UMod
        | Op::ShiftLeftLogical
        | Op::ShiftRightLogical
        | Op::ShiftRightArithmetic
        | Op::BitwiseAnd
        | Op::BitwiseOr
        | Op::BitwiseXor
        | Op::Not
        | Op::BitCount
        | Op::AccessChain
        | Op::InBoundsAccessChain
        | Op::PtrAccessChain
        | Op::InBoundsPtrAccessChain => Class::Integer,
        Op::FConvert
        | Op::SConvert
        | Op::UConvert
        | Op::ConvertFToS
        | Op::ConvertFToU
        | Op::ConvertSToF
        | Op::ConvertUToF
        | Op::ConvertFToBF16INTEL
        | Op::ConvertBF16ToFINTEL => Class::Convert,
        Op::Load => Class::Load,
        Op::Store => Class::Store,
        Op::SubgroupBlockReadINTEL
        | Op::Subgroup2DBlockLoadINTEL
        | Op::Subgroup2DBlockLoadTransformINTEL
        | Op::Subgroup2DBlockLoadTransposeINTEL
        | Op::CooperativeMatrixLoadKHR => Class::BlockLoad,
        Op::SubgroupBlockWriteINTEL | Op::Subgroup2DBlockStoreINTEL | Op::CooperativeMatrixStoreKHR => {
            Class::BlockStore
        }
        Op::SubgroupMatrixMultiplyAccumulateINTEL | Op::CooperativeMatrixMulAddKHR => Class::Matrix,
        Op::ControlBarrier | Op::ControlBarrierArriveINTEL | Op::ControlBarrierWaitINTEL => Class::Barrier,
        Op::Select => Class::Compare,
        opcode => by_name(&format!("{opcode:?}")),
    }
}

/// Families of opcodes that share a part of their names.
fn by_name(name: &str) -> Class {
    let family = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    if family(&["Atomic"]) {
        Class::Atomic
    } else if family(&["Group", "Subgroup"]) {
        Class::Subgroup
    } else if family(&[
        "FOrd",
        "FUnord",
        "Logical",
        "IsNan",
        "IsInf",
        "IsFinite",
        "IsNormal",
        "SignBitSet",
        "Any",
        "All",
    ]) || name.ends_with("Equal")
        || name.ends_with("Than")
    {
        Class::Compare
    } else {
        Class::Other
    }
}
