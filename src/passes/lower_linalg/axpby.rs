//! axpby: element by element.

use super::super::emit::Emit;
use super::super::error::Error;
use super::{internal, refuse_atomic, tensor, update};
use crate::ir::{
    Axpby, Binary, BinaryOp, Builder, CompareOp, Constant, Foreach, Load, LocalSubgroup,
    LocalSubgroupBuiltin, Transpose, Type, Value,
};

pub(super) fn lower(builder: &mut Builder<'_>, op: &Axpby) -> Result<(), Error> {
    refuse_atomic(builder.ir, op.atomic, op.beta, builder.location)?;
    let order = tensor(builder, op.b)?.1;
    if order == 0 {
        return builder.parallel(|builder| {
            let first = is_first_work_item(builder)?;
            builder.when(first, |builder| element(builder, op, &[]))
        });
    }
    let zero = builder.index(0)?;
    let to = (0i64..).take(order).map(|mode| builder.size(op.b, mode)).collect::<Result<Vec<_>, _>>()?;
    let inst = builder.emit(Foreach { from: vec![zero; order], to }, &[])?;
    let Some(&region) = builder.ir[inst].regions.first() else {
        return Err(internal(builder.location, "foreach has no body"));
    };
    let indices = builder.ir[region].parameters.clone();
    element(&mut builder.inside(region), op, &indices)
}

fn element(builder: &mut Builder<'_>, op: &Axpby, indices: &[Value]) -> Result<(), Error> {
    let (ty, order) = tensor(builder, op.a)?;
    let mut from_indices = indices.to_vec();
    if op.transpose == Transpose::T && order == 2 {
        from_indices.reverse();
    }
    let input = builder.value(Load { from: op.a, indices: from_indices }, ty)?;
    update(builder, op.alpha, input, op.beta, op.b, indices)
}

fn is_first_work_item(builder: &mut Builder<'_>) -> Result<Value, Error> {
    let zero = builder.constant(Constant::Int(0), Type::I32)?;
    let mut all = Vec::new();
    for op in [LocalSubgroupBuiltin::SubgroupLinearId, LocalSubgroupBuiltin::SubgroupLocalId] {
        let id = builder.value(LocalSubgroup { op }, Type::I32)?;
        all.push(builder.compare(CompareOp::Equal, id, zero)?);
    }
    match all.as_slice() {
        &[a, b] => Ok(builder.folded(Binary { op: BinaryOp::And, a, b }, Type::Bool)?),
        _ => Err(internal(builder.location, "two conditions make a work-item the first")),
    }
}
