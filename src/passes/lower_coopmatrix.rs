//! Turns `cooperative_matrix_apply` into arithmetic on components (lowering reference 1.15).

use super::context::Context;
use super::emit::Emit;
use super::error::{Error, internal};
use super::lowering_rules::result_of_apply;
use super::rewrite::{Rewriter, rewrite};
use crate::device::CoreInfo;
use crate::ir::{
    BinaryOp, Builder, CompareOp, Constant, CoopmatrixApply, CoopmatrixExtract, CoopmatrixInsert, For, Func,
    Inst, Ir, LocalSubgroup, LocalSubgroupBuiltin, Op, Type, Value, ValueMap, VerifierError,
};
use crate::schedule::{self, Schedule};
use crate::status::Status;

pub(super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    if context.device.is_some_and(|device| !device.matrix_backend().has_known_layout()) {
        // The back end lowers an apply itself.
        return Ok(());
    }
    let mut needed = false;
    ir.walk(ir[func].body, &mut |inst| needed |= matches!(ir[inst].op, Op::CoopmatrixApply(_)));
    if !needed {
        return Ok(());
    }
    let subgroup_size = Schedule::subgroup_size(ir, func)?;
    rewrite(ir, ir[func].body, &[&|rewriter, inst| lower(rewriter, inst, subgroup_size, context.device)])
}

fn lower(
    rewriter: &mut Rewriter<'_>,
    inst: Inst,
    subgroup_size: i64,
    device: Option<&CoreInfo>,
) -> Result<bool, Error> {
    let Op::CoopmatrixApply(apply) = rewriter.ir[inst].op.clone() else { return Ok(false) };
    let value = replace(&mut rewriter.builder(inst)?, inst, &apply, subgroup_size, device)?;
    for result in rewriter.ir[inst].results.clone() {
        rewriter.replace_uses(result, value);
    }
    rewriter.erase(inst);
    Ok(true)
}

/// Instructions and operands that an apply may become: its body is copied for each component.
const MAX_COPIES: usize = 1 << 19;

/// Builds the result of an apply, one component after the other.
fn replace(
    b: &mut Builder<'_>,
    inst: Inst,
    apply: &CoopmatrixApply,
    subgroup_size: i64,
    device: Option<&CoreInfo>,
) -> Result<Value, Error> {
    let location = b.location;
    let body = Body::new(b.ir, inst)?;
    let Some(matrix) = b.ir.ty(apply.matrix).coopmatrix() else {
        return Err(internal(location, "apply to what is no matrix"));
    };
    let layout = schedule::layout(matrix, subgroup_size, device).ok_or_else(|| {
        let detail = format!("{} takes too many registers", Type::Coopmatrix(matrix));
        VerifierError::new(Status::IrUnsupportedCoopmatrixShape, location, detail)
    })?;
    let copies = body.weight(b.ir).saturating_mul(layout.length());
    if copies > MAX_COPIES {
        let detail = format!("{copies} instructions and operands, of which there may be {MAX_COPIES}");
        return Err(VerifierError::new(Status::OutOfRange, location, detail).into());
    }
    let component = Type::Scalar(matrix.component);
    let i32_constant = |b: &mut Builder<'_>, value: i64| b.constant(Constant::Int(value), Type::I32);
    let lane = b.value(LocalSubgroup { op: LocalSubgroupBuiltin::SubgroupLocalId }, Type::I32)?;
    let rows = i32_constant(b, layout.stripe_rows)?;
    let mut lane_row = b.binary(BinaryOp::Rem, lane, rows)?;
    let lane_col = b.binary(BinaryOp::Div, lane, rows)?;
    if layout.lane_rows() > 1 {
        let spread = i32_constant(b, layout.lane_rows())?;
        lane_row = b.binary(BinaryOp::Mul, lane_row, spread)?;
    }
    let mut result = apply.matrix;
    for (index, place) in (0i64..).zip(layout.places()) {
        let down = i32_constant(b, layout.first_row(place))?;
        let right = i32_constant(b, place.col_block * layout.stripe_cols)?;
        let row = b.binary(BinaryOp::Add, lane_row, down)?;
        let col = b.binary(BinaryOp::Add, lane_col, right)?;
        let old = b.value(CoopmatrixExtract { matrix: apply.matrix, index }, component.clone())?;
        let value = if layout.has_padding(place) {
            let cols = i32_constant(b, layout.cols)?;
            let inside = b.compare(CompareOp::LessThan, col, cols)?;
            let then = |b: &mut Builder<'_>| body.copy(b, [row, col, old]).map(|value| vec![value]);
            // Padding keeps what it is.
            let types = std::slice::from_ref(&component);
            let values = b.branch::<Error>(inside, types, then, |_| Ok(vec![old]))?;
            values.first().copied().ok_or_else(|| internal(location, "a branch without a result"))?
        } else {
            body.copy(b, [row, col, old])?
        };
        result = b.value(CoopmatrixInsert { value, matrix: result, index }, matrix)?;
    }
    Ok(result)
}

/// The body of an apply.
struct Body {
    parameters: Vec<Value>,
    insts: Vec<Inst>,
    result: Value,
}

impl Body {
    /// Checks that the body ends in a yield of one value of the component type.
    fn new(ir: &Ir, inst: Inst) -> Result<Body, Error> {
        let data = &ir[inst];
        let Op::CoopmatrixApply(apply) = &data.op else {
            return Err(internal(data.location, "the body of another instruction"));
        };
        let result = result_of_apply(ir, inst, apply)?;
        let Some(&region) = data.regions.first() else {
            return Err(internal(data.location, "apply without a body"));
        };
        let mut insts: Vec<Inst> = ir.insts(region).collect();
        insts.pop();
        Ok(Body { parameters: ir[region].parameters.clone(), insts, result })
    }

    /// Cost of a copy of the body: instructions, operands and attributes.
    fn weight(&self, ir: &Ir) -> usize {
        let mut weight = 0usize;
        let mut add = |inst: Inst| {
            weight = weight.saturating_add(1 + ir[inst].results.len());
            ir[inst].op.visit_operands(&mut |_| weight = weight.saturating_add(1));
            if let Op::For(For { attributes: Some(attributes), .. }) = &ir[inst].op {
                weight = attributes.iter().map(|(_, value)| value.size()).fold(weight, usize::saturating_add);
            }
        };
        for &inst in &self.insts {
            add(inst);
            ir[inst].regions.iter().for_each(|&region| ir.walk(region, &mut add));
        }
        weight
    }

    /// Appends a copy of the body for an entry; returns its new value.
    fn copy(&self, b: &mut Builder<'_>, entry: [Value; 3]) -> Result<Value, Error> {
        let mut values: ValueMap = self.parameters.iter().copied().zip(entry).collect();
        b.ir.copy_insts(&self.insts, b.cursor, &mut values)?;
        Ok(values.get(&self.result).copied().unwrap_or(self.result))
    }
}
