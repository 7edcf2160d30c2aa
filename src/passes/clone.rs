//! Copies of instructions.

use super::rewrite::Substitution;
use crate::ir::{Inst, Ir, Region, VerifierError};

/// Appends a copy of an instruction to a region; from then on its results are replaced by those of the
/// copy.
pub(super) fn clone_inst(
    ir: &mut Ir,
    inst: Inst,
    to: Region,
    substitution: &mut Substitution,
) -> Result<Inst, VerifierError> {
    let data = ir[inst].clone();
    let types: Vec<_> = data.results.iter().map(|&result| ir.ty(result).clone()).collect();
    let mut op = data.op;
    op.visit_operands_mut(&mut |value| substitution.resolve(value));
    let copy = ir.create(op, &types, data.location)?;
    for (old_region, new_region) in data.regions.into_iter().zip(ir[copy].regions.clone()) {
        for (old, new) in ir[old_region].parameters.clone().into_iter().zip(ir[new_region].parameters.clone())
        {
            let name = ir[old].name.clone();
            ir[new].name = name;
            substitution.replace(old, new);
        }
        for inner in ir[old_region].insts.clone() {
            clone_inst(ir, inner, new_region, substitution)?;
        }
    }
    for (old, new) in data.results.into_iter().zip(ir[copy].results.clone()) {
        substitution.replace(old, new);
    }
    ir[to].insts.push(copy);
    Ok(copy)
}
