//! Constants, casts, arithmetic, comparison and builtins (`spec/language.md` 5.2–5.7).

use super::super::constant::Constant;
use super::super::entities::Value;
use super::super::fields::{BinaryOp, CompareOp, MathOp, UnaryOp};
use super::super::instructions::{
    Binary, Cast, Compare, ConstantInst, Grid, LocalSubgroup, Math, NumSubgroups, SubgroupId, Unary,
    UniformSubgroup,
};
use super::super::types::{MatrixUse, Scalar, Type};
use super::{Check, Rules, Violation};
use crate::status::Status;

impl Rules for ConstantInst {
    fn check(&self, check: &Check<'_>) -> Result<(), Violation> {
        let ty = check.result()?;
        let fits = match (ty, self.value) {
            (Type::Bool, value) => matches!(value, Constant::Bool(_)),
            (Type::Scalar(_) | Type::Coopmatrix(_), value) => {
                ty.component().is_some_and(|scalar| literal_fits(value, scalar))
            }
            (Type::Memref(_) | Type::Group(_), _) => {
                let detail = format!("the result is {ty}");
                return Err(check.fail(Status::IrExpectedCoopmatrixNumberOrBoolean, detail, &[]));
            }
        };
        check.require(fits, Status::IrConstantMismatch, &[], || format!("{} is no {ty}", self.value))
    }
}

fn literal_fits(literal: Constant, scalar: Scalar) -> bool {
    match literal {
        Constant::Bool(_) => false,
        Constant::Int(_) => scalar.is_integer(),
        Constant::Float(_) => scalar.is_float(),
        Constant::Complex(..) => scalar.is_complex(),
    }
}

impl Rules for Cast {
    fn check(&self, check: &Check<'_>) -> Result<(), Violation> {
        let (from, to) = (check.ty(self.a), check.result()?);
        let allowed = match to {
            Type::Coopmatrix(to) => {
                let from = from.coopmatrix().ok_or_else(|| {
                    check.fail(Status::IrExpectedCoopmatrix, check.describe(self.a), &[self.a])
                })?;
                (from.rows, from.cols) == (to.rows, to.cols)
                    && (from.usage == to.usage || from.usage == MatrixUse::Acc)
                    && cast_allowed(from.component, to.component)
            }
            Type::Scalar(to) => from.scalar().is_some_and(|from| cast_allowed(from, *to)),
            _ => return Err(check.fail(Status::IrExpectedNumber, format!("the result is {to}"), &[])),
        };
        check.require(allowed, Status::IrForbiddenCast, &[self.a], || format!("from {from} to {to}"))
    }
}

fn cast_allowed(from: Scalar, to: Scalar) -> bool {
    !from.is_complex() || to.is_complex()
}

impl Rules for Binary {
    fn check(&self, check: &Check<'_>) -> Result<(), Violation> {
        use BinaryOp::{Add, And, Div, Max, Min, Mul, Or, Rem, Shl, Shr, Sub, Xor};
        check.same_as_result(self.a)?;
        check.same_as_result(self.b)?;
        let ty = check.result()?;
        let refuse = |status| Err(check.fail(status, format!("{} of {ty}", self.op), &[]));
        let (bool_ok, float_ok, complex_ok) = match self.op {
            Add | Sub | Mul | Div => (false, true, true),
            Rem | Min | Max => (false, true, false),
            Shl | Shr => (false, false, false),
            And | Or | Xor => (true, false, false),
        };
        if *ty == Type::Bool {
            return if bool_ok { Ok(()) } else { refuse(Status::IrBooleanUnsupported) };
        }
        match ty.component() {
            Some(scalar) if scalar.is_float() && !float_ok => refuse(Status::IrFpUnsupported),
            Some(scalar) if scalar.is_complex() && !complex_ok => refuse(Status::IrComplexUnsupported),
            Some(_) => Ok(()),
            None => refuse(Status::IrExpectedCoopmatrixOrNumber),
        }
    }
}

impl Rules for Unary {
    fn check(&self, check: &Check<'_>) -> Result<(), Violation> {
        let ty = check.result()?;
        if *ty == Type::Bool {
            // Whatever the operand is: a hole of the language (`spec/language.md` 5.4).
            return check.require(self.op == UnaryOp::Not, Status::IrBooleanUnsupported, &[], || {
                format!("{} of bool", self.op)
            });
        }
        let operand = check.ty(self.a);
        let same_kind = matches!(
            (operand, ty),
            (Type::Scalar(_), Type::Scalar(_)) | (Type::Coopmatrix(_), Type::Coopmatrix(_))
        );
        let (Some(from), Some(to), true) = (operand.component(), ty.component(), same_kind) else {
            let detail = format!("{}, the result {ty}", check.describe(self.a));
            return Err(check.fail(Status::IrExpectedCoopmatrixOrNumber, detail, &[self.a]));
        };
        let expected = match self.op {
            UnaryOp::Abs | UnaryOp::Im | UnaryOp::Re => from.component(),
            UnaryOp::Neg | UnaryOp::Not | UnaryOp::Conj => from,
        };
        check.require(to == expected, Status::IrOperandTypeMustMatchReturnType, &[self.a], || {
            format!("{}, the result {ty}", check.describe(self.a))
        })?;
        let (integer_ok, float_ok, complex_ok) = match self.op {
            UnaryOp::Abs | UnaryOp::Neg => (true, true, true),
            UnaryOp::Not => (true, false, false),
            UnaryOp::Conj | UnaryOp::Im | UnaryOp::Re => (false, false, true),
        };
        let refused = if from.is_integer() && !integer_ok {
            Status::IrIntUnsupported
        } else if from.is_float() && !float_ok {
            Status::IrFpUnsupported
        } else if from.is_complex() && !complex_ok {
            Status::IrComplexUnsupported
        } else {
            return Ok(());
        };
        Err(check.fail(refused, check.describe(self.a), &[self.a]))
    }
}

impl Rules for Math {
    fn check(&self, check: &Check<'_>) -> Result<(), Violation> {
        let scalar = check.number(self.a)?;
        let complex_ok =
            matches!(self.op, MathOp::Exp | MathOp::Exp2 | MathOp::NativeExp | MathOp::NativeExp2);
        check
            .require(!scalar.is_integer(), Status::IrIntUnsupported, &[self.a], || check.describe(self.a))?;
        check.require(complex_ok || !scalar.is_complex(), Status::IrComplexUnsupported, &[self.a], || {
            check.describe(self.a)
        })?;
        check.same_as_result(self.a)
    }
}

impl Rules for Compare {
    fn check(&self, check: &Check<'_>) -> Result<(), Violation> {
        let ty = check.result()?;
        check.require(*ty == Type::Bool, Status::IrExpectedBoolean, &[], || format!("the result is {ty}"))?;
        let scalar = check.number(self.a)?;
        let ordering = !matches!(self.op, CompareOp::Equal | CompareOp::NotEqual);
        check.require(!(ordering && scalar.is_complex()), Status::IrComplexUnsupported, &[self.a], || {
            check.describe(self.a)
        })?;
        same_number(check, self.a, self.b)
    }
}

/// Both operands have one type.
pub(super) fn same_number(check: &Check<'_>, a: Value, b: Value) -> Result<(), Violation> {
    check.require(check.ty(a) == check.ty(b), Status::IrNumberMismatch, &[a, b], || {
        format!("{}, {}", check.describe(a), check.describe(b))
    })
}

impl Rules for Grid {
    fn check(&self, check: &Check<'_>) -> Result<(), Violation> {
        check.result_is_index()
    }
}

/// Implements [`Rules`] for builtins of type i32.
macro_rules! i32_builtins {
    ($($name:ident)*) => {$(
        impl Rules for $name {
            fn check(&self, check: &Check<'_>) -> Result<(), Violation> {
                let ty = check.result()?;
                check.require(*ty == Type::I32, Status::IrExpectedI32, &[], || format!("the result is {ty}"))
            }
        }
    )*};
}

i32_builtins!(NumSubgroups SubgroupId UniformSubgroup LocalSubgroup);
