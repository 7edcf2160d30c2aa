//! Chooses subgroup and work-group size (lowering reference 1.11).

use super::context::Context;
use super::error::Error;
use super::tiling::{SUBGROUP_SIZE, Tiling, WORK_GROUP_SIZE};
use crate::device::{self, ShapeRecord};
use crate::ir::{Attribute, Extent, Func, Ir, Op, Value};

pub(super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let info = context.device("work-group-size")?;
    let location = ir[func].location;
    let device_error = |error| Error::Target { error, location };
    info.validate().map_err(device_error)?;
    let (fixed_size, fixed_group) = Tiling::attributes(ir, func)?;
    let records = shape_records(ir, func);
    let size = fixed_size.unwrap_or_else(|| device::choose_subgroup_size(&records, info));
    let group = fixed_group.unwrap_or_else(|| {
        let tiling = device::choose_tiling(&records, info, size);
        [tiling.m_tiles.saturating_mul(size), tiling.n_tiles]
    });
    device::check_work_group_size(info, size, group).map_err(device_error)?;
    let attributes = ir[func].attributes.get_or_insert_default();
    let integer = |value: i32| Attribute::Integer(i64::from(value));
    attributes.insert(SUBGROUP_SIZE, integer(size));
    attributes.insert(WORK_GROUP_SIZE, Attribute::Array(group.map(integer).to_vec()));
    Ok(())
}

/// Requirements of each linear algebra instruction on the tiling, each distinct record once.
fn shape_records(ir: &Ir, func: Func) -> Vec<ShapeRecord> {
    let mut records: Vec<ShapeRecord> = Vec::new();
    ir.walk(ir[func].body, &mut |inst| {
        let record = match &ir[inst].op {
            Op::Axpby(op) => record(ir, op.a, op.a, op.b, false),
            Op::Cumsum(op) => record(ir, op.a, op.a, op.b, false),
            Op::Sum(op) => record(ir, op.a, op.a, op.b, false),
            Op::Gemm(op) => record(ir, op.a, op.b, op.c, true),
            Op::Gemv(op) => record(ir, op.a, op.b, op.c, false),
            Op::Ger(op) => record(ir, op.a, op.b, op.c, false),
            Op::Hadamard(op) => record(ir, op.a, op.b, op.c, false),
            _ => None,
        };
        if let Some(record) = record.filter(|record| !records.contains(record)) {
            records.push(record);
        }
    });
    records
}

fn record(ir: &Ir, op1: Value, op2: Value, destination: Value, is_gemm: bool) -> Option<ShapeRecord> {
    let element = |value: Value| ir.ty(value).memref().map(|memref| memref.element);
    let shape = &ir.ty(destination).memref()?.shape;
    Some(ShapeRecord {
        op1: element(op1)?,
        op2: element(op2)?,
        destination: element(destination)?,
        rows: shape.first()?.value(),
        cols: shape.get(1).copied().unwrap_or(Extent::Static(0)).value(),
        is_gemm,
    })
}
