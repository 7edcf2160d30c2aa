//! Constants (API reference 4.5).

use super::super::call::Outcome;
use super::super::types::*;
use super::functions;
use super::site::Site;
use crate::ir::{Constant, ConstantInst, Type};
use crate::status::Status;

functions! {
    CONSTRUCTORS;
    /// A truth value.
    tiletc_constant_inst_create_boolean(value: tiletc_bool_t, ty: tiletc_type_t) [|s| constant(s, Constant::Bool(value != 0), ty)?];
    /// A complex number, or a cooperative matrix of it.
    tiletc_constant_inst_create_complex(value_re: f64, value_im: f64, ty: tiletc_type_t) [|s| constant(s, Constant::Complex(value_re, value_im), ty)?];
    /// A floating-point number, or a cooperative matrix of it.
    tiletc_constant_inst_create_float(value: f64, ty: tiletc_type_t) [|s| constant(s, Constant::Float(value), ty)?];
    /// An integer, or a cooperative matrix of it.
    tiletc_constant_inst_create_int(value: i64, ty: tiletc_type_t) [|s| constant(s, Constant::Int(value), ty)?];
    /// The one of a type: true, a number, or a cooperative matrix of ones.
    tiletc_constant_inst_create_one(ty: tiletc_type_t) [|s| {
        s.result(ty)?;
        ConstantInst { value: unit(s.last_result()?, true)? }
    }];
    /// The zero of a type: false, a number, or a cooperative matrix of zeros.
    tiletc_constant_inst_create_zero(ty: tiletc_type_t) [|s| {
        s.result(ty)?;
        ConstantInst { value: unit(s.last_result()?, false)? }
    }];
}

fn constant(s: &mut Site, value: Constant, ty: tiletc_type_t) -> Outcome<ConstantInst> {
    s.result(ty)?;
    Ok(ConstantInst { value })
}

/// One or zero in the class that the type needs.
fn unit(ty: &Type, one: bool) -> Outcome<Constant> {
    let scalar = match ty {
        Type::Bool => return Ok(Constant::Bool(one)),
        Type::Scalar(scalar) => *scalar,
        Type::Coopmatrix(matrix) => matrix.component,
        Type::Tile(tile) => tile.component,
        Type::Memref(_) | Type::Group(_) => return Err(Status::IrExpectedNumber),
    };
    Ok(match Constant::zero(scalar) {
        Constant::Int(_) => Constant::Int(one.into()),
        Constant::Float(_) => Constant::Float(one.into()),
        Constant::Complex(..) => Constant::Complex(one.into(), 0.0),
        Constant::Bool(_) => Constant::Bool(one),
    })
}
