//! Classes of instructions.
//!
//! The tables of `operations` say what family an instruction is of; what is listed here is what other parts of the
//! translator build from them. Accesses to memory and what work-items do together count as their steps say
//! (`execute/traffic.rs`).

use super::Translator;
use crate::counters::{Class, Work};
use crate::layout::{Kind, Scalar};
use crate::operations;
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Op, OpenclStd100Op as CLOp};

/// Bits that a channel of the matrix engine takes from each factor in a step, over all of its depth.
const ENGINE_BITS: u64 = 256;

impl<const S: usize> Translator<'_, S> {
    /// Contribution of an instruction to the counters; [`Class::Other`] if it is not known.
    pub(super) fn work(&self, inst: &Instruction) -> Work {
        let class = self.class(inst);
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
                Some((bits, operations([rows, S as u64, depth])))
            }
            (Op::CooperativeMatrixMulAddKHR, [Operand::IdRef(a), Operand::IdRef(b), ..]) => {
                let kind = |id| self.source.types.kind(self.type_of(id).ok()?).ok();
                let (Kind::Matrix { component, rows, columns: depth, .. }, Kind::Matrix { columns, .. }) =
                    (kind(*a)?, kind(*b)?)
                else {
                    return None;
                };
                let bits = self.source.types.scalar(*component).ok()?.bits();
                Some((bits, operations([*rows, *columns, *depth].map(u64::from))))
            }
            _ => None,
        }
    }

    fn class(&self, inst: &Instruction) -> Class {
        match inst.class.opcode {
            Op::Dot | Op::VectorTimesScalar => Class::Float,
            Op::MatrixTimesScalar => {
                let scalar = inst.result_type.and_then(|ty| self.source.types.scalar(ty).ok());
                arithmetic(scalar.is_some_and(Scalar::is_float))
            }
            Op::IAddCarry
            | Op::ISubBorrow
            | Op::UMulExtended
            | Op::SMulExtended
            | Op::PtrDiff
            | Op::AccessChain
            | Op::InBoundsAccessChain
            | Op::PtrAccessChain
            | Op::InBoundsPtrAccessChain => Class::Integer,
            Op::Select => Class::Compare,
            Op::Load => Class::Load,
            Op::SubgroupMatrixMultiplyAccumulateINTEL | Op::CooperativeMatrixMulAddKHR => Class::Matrix,
            Op::ExtInst => self.function_class(inst),
            opcode => of_table::<S>(opcode),
        }
    }

    /// Of a function of OpenCL.std, which is the same for integers as for other numbers.
    fn function_class(&self, inst: &Instruction) -> Class {
        let Some(function) = function(inst) else { return Class::Other };
        // What is computed for an access belongs to it: addresses, and conversions from and to half precision.
        let name = format!("{function:?}");
        if name.starts_with("vload") {
            return Class::Load;
        }
        if name.starts_with("vstore") {
            return Class::Store;
        }
        if function == CLOp::printf {
            return Class::Other;
        }
        let first = Self::ids(inst).get(1).and_then(|&id| self.scalar_of(id).ok());
        arithmetic(first.is_some_and(Scalar::is_float))
    }
}

/// Multiplications and additions of a product of matrices of these sizes.
fn operations(sizes: [u64; 3]) -> u64 {
    sizes.into_iter().fold(2, u64::saturating_mul)
}

fn arithmetic(is_float: bool) -> Class {
    if is_float { Class::Float } else { Class::Integer }
}

/// Class of an opcode by the table that it is in.
fn of_table<const S: usize>(op: Op) -> Class {
    use Scalar::{F32, F64, I16, I32, I64};
    const PAIRS: [(Scalar, Scalar); 5] = [(I32, I64), (I32, I16), (F32, I32), (I32, F32), (F32, F64)];
    if operations::float::<S>(op, F32).or(operations::float_unary(op, F32)).is_some() {
        Class::Float
    } else if operations::integer::<S>(op, I32).or(operations::integer_unary(op, I32)).is_some() {
        Class::Integer
    } else if [I32, F32].into_iter().any(|scalar| operations::compare::<S>(op, scalar).is_some())
        || operations::classify::<S>(op, F32).or(operations::logical(op)).is_some()
        || operations::all_or_any(op).is_some()
    {
        Class::Compare
    } else if PAIRS.into_iter().any(|(from, to)| operations::convert::<S>(op, from, to).is_some()) {
        Class::Convert
    } else if operations::atomic(op, I32).or(operations::atomic(op, F32)).is_some() {
        Class::Atomic
    } else if ["Group", "Subgroup"].iter().any(|family| format!("{op:?}").starts_with(family)) {
        Class::Subgroup
    } else {
        Class::Other
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
