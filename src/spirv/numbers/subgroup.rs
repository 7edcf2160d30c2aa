//! Numbers that the work-items of a subgroup exchange and combine (lowering reference 3.4).

use super::{cast, complex};
use crate::device::SpirvFeature;
use crate::ir::{Scalar, SubgroupOp};
use crate::spirv::module_builder::{Emitted, ModuleBuilder};
use rspirv::dr::{InsertPoint, Instruction, Operand};
use rspirv::spirv::{GroupOperation, Op, Scope, Word};

/// The value of one work-item in all; `lane` is an i32.
pub(in crate::spirv) fn broadcast(
    module: &mut ModuleBuilder<'_>,
    scalar: Scalar,
    a: Word,
    lane: Word,
) -> Emitted<Word> {
    module.require(SpirvFeature::Groups)?;
    part_by_part(module, scalar, a, &mut |module, scalar, a| {
        let ty = module.scalar_type(scalar)?;
        let scope = module.i32_constant(Scope::Subgroup as u32);
        Ok(module.builder.group_broadcast(ty, None, scope, a, lane)?)
    })
}

/// The value of the work-item `lane`, an i32 that may differ from work-item to work-item.
pub(in crate::spirv) fn shuffle(
    module: &mut ModuleBuilder<'_>,
    scalar: Scalar,
    a: Word,
    lane: Word,
) -> Emitted<Word> {
    part_by_part(module, scalar, a, &mut |module, scalar, a| {
        let ty = module.scalar_type(scalar)?;
        let scope = module.i32_constant(Scope::Subgroup as u32);
        let operands = vec![Operand::IdScope(scope), Operand::IdRef(a), Operand::IdRef(lane)];
        module.value_of(Op::GroupNonUniformShuffle, ty, operands)
    })
}

/// A scan or reduction over the subgroup.
pub(in crate::spirv) fn combine(
    module: &mut ModuleBuilder<'_>,
    op: SubgroupOp,
    scalar: Scalar,
    a: Word,
) -> Emitted<Word> {
    module.require(SpirvFeature::Groups)?;
    let computed_in = scalar.computed_in();
    let a = cast(module, scalar, computed_in, a)?;
    let operation = match op {
        SubgroupOp::ExclusiveScanAdd | SubgroupOp::ExclusiveScanMax | SubgroupOp::ExclusiveScanMin => {
            GroupOperation::ExclusiveScan
        }
        SubgroupOp::InclusiveScanAdd | SubgroupOp::InclusiveScanMax | SubgroupOp::InclusiveScanMin => {
            GroupOperation::InclusiveScan
        }
        SubgroupOp::ReduceAdd | SubgroupOp::ReduceMax | SubgroupOp::ReduceMin => GroupOperation::Reduce,
    };
    let combined = part_by_part(module, computed_in, a, &mut |module, scalar, a| {
        let integer = scalar.is_integer();
        let opcode = match op {
            SubgroupOp::ExclusiveScanAdd | SubgroupOp::InclusiveScanAdd | SubgroupOp::ReduceAdd => {
                if integer { Op::GroupIAdd } else { Op::GroupFAdd }
            }
            SubgroupOp::ExclusiveScanMax | SubgroupOp::InclusiveScanMax | SubgroupOp::ReduceMax => {
                if integer { Op::GroupSMax } else { Op::GroupFMax }
            }
            SubgroupOp::ExclusiveScanMin | SubgroupOp::InclusiveScanMin | SubgroupOp::ReduceMin => {
                if integer { Op::GroupSMin } else { Op::GroupFMin }
            }
        };
        let ty = module.scalar_type(scalar)?;
        let scope = module.i32_constant(Scope::Subgroup as u32);
        let id = module.builder.id();
        let operands = vec![Operand::IdScope(scope), Operand::GroupOperation(operation), Operand::IdRef(a)];
        let inst = Instruction::new(opcode, Some(ty), Some(id), operands);
        module.builder.insert_into_block(InsertPoint::End, inst)?;
        Ok(id)
    })?;
    cast(module, computed_in, scalar, combined)
}

/// No consumer links the vector forms, so complex numbers go part by part (lowering reference 3.4).
fn part_by_part(
    module: &mut ModuleBuilder<'_>,
    scalar: Scalar,
    a: Word,
    action: &mut dyn FnMut(&mut ModuleBuilder<'_>, Scalar, Word) -> Emitted<Word>,
) -> Emitted<Word> {
    if !scalar.is_complex() {
        return action(module, scalar, a);
    }
    let mut parts = complex::parts(module, scalar, a)?;
    for part in &mut parts {
        *part = action(module, scalar.component(), *part)?;
    }
    complex::from_parts(module, scalar, parts)
}
