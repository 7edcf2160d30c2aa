//! Constants, casts, arithmetic, comparison and builtins (language reference 5.2–5.7).

use super::super::constant::Constant;
use super::super::entities::{Ir, Value};
use super::super::fields::{BinaryOp, CompareOp, MathOp, UnaryOp};
use super::super::instructions::{
    Binary, Cast, Compare, ConstantInst, Grid, LocalSubgroup, Math, NumSubgroups, Select, SubgroupId, Unary,
    UniformSubgroup,
};
use super::super::types::{Coopmatrix, MatrixUse, Scalar, Tile, Type};
use super::{Check, Known, Rules, VerifierError};
use crate::status::Status;

impl Rules for ConstantInst {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let ty = check.result()?;
        let fits = match (ty, self.value) {
            (Type::Bool, value) => matches!(value, Constant::Bool(_)),
            (Type::Scalar(_) | Type::Coopmatrix(_) | Type::Tile(_), value) => {
                ty.component().is_some_and(|scalar| literal_fits(value, scalar))
            }
            (Type::Memref(_) | Type::Group(_), _) => {
                let detail = format!("the result is {ty}");
                return Err(check.fail(Status::IrExpectedCoopmatrixNumberOrBoolean, detail, &[]));
            }
        };
        check.require(fits, Status::IrConstantMismatch, &[], || {
            format!("{} is {}, but {ty} needs {}", self.value, kind(self.value), literal_of(ty))
        })
    }
}

fn kind(literal: Constant) -> &'static str {
    match literal {
        Constant::Bool(_) => "a boolean",
        Constant::Int(_) => "an integer",
        Constant::Float(_) => "a float",
        Constant::Complex(..) => "complex",
    }
}

/// Literals that may be written for a type.
fn literal_of(ty: &Type) -> &'static str {
    match ty.component() {
        None => "true or false",
        Some(scalar) if scalar.is_integer() => "an integer, as in 1",
        Some(scalar) if scalar.is_complex() => "two floats, as in [1.0,0.0]",
        Some(_) => "a point or an exponent, as in 1.0",
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
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let (from, to) = (check.ty(self.a), check.result()?);
        let allowed = match to {
            Type::Coopmatrix(to_matrix) => {
                let from = from.coopmatrix().ok_or_else(|| {
                    check.fail(Status::IrExpectedCoopmatrix, check.describe(self.a), &[self.a])
                })?;
                matrix_cast(from, *to_matrix)
            }
            Type::Tile(to_tile) => {
                let from = from
                    .tile()
                    .ok_or_else(|| check.fail(Status::IrExpectedTile, check.describe(self.a), &[self.a]))?;
                matrix_cast(of_subgroup(from), of_subgroup(*to_tile))
            }
            Type::Scalar(to) => match from.scalar() {
                Some(from) => number_cast(from, *to),
                None => Err("only numbers become numbers"),
            },
            _ => return Err(check.fail(Status::IrExpectedNumber, format!("the result is {to}"), &[])),
        };
        allowed.map_err(|reason| {
            let detail = format!("{}, the result {to}; {reason}", check.describe(self.a));
            check.fail(Status::IrForbiddenCast, detail, &[self.a])
        })
    }
}

/// The matrix of a subgroup that has the shape and use of a tile.
fn of_subgroup(Tile { component, rows, cols, usage }: Tile) -> Coopmatrix {
    Coopmatrix { component, rows, cols, usage }
}

fn matrix_cast(from: Coopmatrix, to: Coopmatrix) -> Result<(), &'static str> {
    if (from.rows, from.cols) != (to.rows, to.cols) {
        return Err("the shape cannot change");
    }
    if from.usage != to.usage && from.usage != MatrixUse::Acc {
        return Err("only matrix_acc can change its use");
    }
    number_cast(from.component, to.component)
}

fn number_cast(from: Scalar, to: Scalar) -> Result<(), &'static str> {
    if from.is_complex() && !to.is_complex() { Err("take a part with `re` or `im` first") } else { Ok(()) }
}

impl Rules for Binary {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        use BinaryOp::{Add, And, Cdiv, Div, Max, Min, Mul, Or, Rem, Shl, Shr, Sub, Xor};
        let ty = check.result()?;
        same_entries(check, &[self.a, self.b])?;
        let refuse = |status| {
            Err(check.fail(
                status,
                format!("{}, which `{}` does not take", check.describe(self.a), self.op),
                &[],
            ))
        };
        let (bool_ok, float_ok, complex_ok) = match self.op {
            Add | Sub | Mul | Div => (false, true, true),
            Rem | Min | Max => (false, true, false),
            Shl | Shr | Cdiv => (false, false, false),
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

    fn literal_type(&self, known: &Known<'_>, _operand: Value) -> Option<Type> {
        known.common(&[self.a, self.b])
    }

    fn result_types(&self, ir: &Ir) -> Option<Vec<Type>> {
        Some(vec![broadcast(ir, &[self.a, self.b]).unwrap_or_else(|| ir.ty(self.a).clone())])
    }
}

/// The type of what is computed entry by entry: that of the first operand, or of tiles what they have together.
fn broadcast(ir: &Ir, operands: &[Value]) -> Option<Type> {
    let (&first, rest) = operands.split_first()?;
    let Some(tile) = ir.ty(first).tile() else { return Some(ir.ty(first).clone()) };
    let tiles = rest.iter().map(|&value| ir.ty(value).tile());
    tiles.into_iter().try_fold(tile, |tile, other| tile.broadcast(other?)).map(Type::Tile)
}

/// The operands have the type of the result, or are tiles that have it together.
fn same_entries(check: &Check<'_>, operands: &[Value]) -> Result<(), VerifierError> {
    let result = check.result()?;
    if result.tile().is_some() && broadcast(check.ir, operands).as_ref() == Some(result) {
        return Ok(());
    }
    operands.iter().try_for_each(|&value| {
        let is_number = result.tile().is_some() && check.ty(value).scalar().is_some();
        check.require(!is_number, Status::IrOperandTypeMustMatchReturnType, &[value], || {
            let advice = "`tile_scale` multiplies the entries of a tile by a number, `tile_apply` computes anything with them";
            format!("{}, the result {result}; {advice}", check.describe(value))
        })?;
        check.same_as_result(value)
    })
}

impl Rules for Unary {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let ty = check.result()?;
        if *ty == Type::Bool {
            // Whatever the operand is: a hole of the language (language reference 5.4).
            return check.require(self.op == UnaryOp::Not, Status::IrBooleanUnsupported, &[], || {
                format!("the result is bool, which `{}` does not take", self.op)
            });
        }
        let operand = check.ty(self.a);
        let same_kind = matches!(
            (operand, ty),
            (Type::Scalar(_), Type::Scalar(_))
                | (Type::Coopmatrix(_), Type::Coopmatrix(_))
                | (Type::Tile(_), Type::Tile(_))
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
            format!("{}, the result {ty}, where `{}` gives {expected}", check.describe(self.a), self.op)
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
        let detail = format!("{}, which `{}` does not take", check.describe(self.a), self.op);
        Err(check.fail(refused, detail, &[self.a]))
    }

    /// The parser takes `not` of anything to bool, and matrices of any shape.
    fn check_lowering(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let (from, to) = (check.ty(self.a), check.result()?);
        let same = match (from, to) {
            (Type::Coopmatrix(from), Type::Coopmatrix(to)) => {
                (from.rows, from.cols, from.usage) == (to.rows, to.cols, to.usage)
            }
            (Type::Tile(from), Type::Tile(to)) => {
                (from.rows, from.cols, from.usage) == (to.rows, to.cols, to.usage)
            }
            (from, to) => (*from == Type::Bool) == (*to == Type::Bool),
        };
        check.require(same, Status::IrOperandTypeMustMatchReturnType, &[self.a], || {
            format!("{}, the result {to}", check.describe(self.a))
        })
    }

    fn literal_type(&self, known: &Known<'_>, _operand: Value) -> Option<Type> {
        let keeps_type = matches!(self.op, UnaryOp::Neg | UnaryOp::Not | UnaryOp::Conj);
        known.results.first().filter(|_| keeps_type).cloned()
    }

    fn result_types(&self, ir: &Ir) -> Option<Vec<Type>> {
        let ty = ir.ty(self.a);
        match (self.op, ty) {
            (UnaryOp::Abs | UnaryOp::Im | UnaryOp::Re, Type::Scalar(scalar)) => {
                Some(vec![Type::Scalar(scalar.component())])
            }
            (UnaryOp::Abs | UnaryOp::Im | UnaryOp::Re, Type::Tile(tile)) => {
                let component = tile.component.component();
                Some(vec![Type::Tile(Tile { component, ..*tile })])
            }
            (UnaryOp::Neg | UnaryOp::Not | UnaryOp::Conj, _) => Some(vec![ty.clone()]),
            (UnaryOp::Abs | UnaryOp::Im | UnaryOp::Re, _) => None,
        }
    }
}

impl Rules for Math {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let scalar = number_or_tile(check, self.a)?;
        let complex_ok =
            matches!(self.op, MathOp::Exp | MathOp::Exp2 | MathOp::NativeExp | MathOp::NativeExp2);
        let detail = || format!("{}, which `{}` does not take", check.describe(self.a), self.op);
        check.require(!scalar.is_integer(), Status::IrIntUnsupported, &[self.a], detail)?;
        check.require(complex_ok || !scalar.is_complex(), Status::IrComplexUnsupported, &[self.a], detail)?;
        check.same_as_result(self.a)
    }

    fn literal_type(&self, known: &Known<'_>, _operand: Value) -> Option<Type> {
        known.results.first().cloned()
    }

    fn result_types(&self, ir: &Ir) -> Option<Vec<Type>> {
        Some(vec![ir.ty(self.a).clone()])
    }
}

/// The number type of a number, or of the entries of a tile.
fn number_or_tile(check: &Check<'_>, value: Value) -> Result<Scalar, VerifierError> {
    match check.ty(value).tile() {
        Some(tile) => Ok(tile.component),
        None => check.number(value),
    }
}

/// The result of comparing tiles, which has the entries 0 and 1.
fn truth(tile: Tile) -> Type {
    Type::Tile(Tile { component: Scalar::I8, ..tile })
}

impl Select {
    /// The result is a tile, which the operands have together; where the condition is not 0, it is a.
    fn check_tiles(&self, check: &Check<'_>, result: Tile) -> Result<(), VerifierError> {
        let condition = check.ty(self.condition).tile();
        let condition = condition.filter(|tile| tile.component == Scalar::I8).ok_or_else(|| {
            let detail = format!("{} instead of a tile of i8", check.describe(self.condition));
            check.fail(Status::IrExpectedTile, detail, &[self.condition])
        })?;
        let of_both = broadcast(check.ir, &[self.a, self.b]).and_then(|ty| ty.tile());
        let of_all = of_both.and_then(|tile| tile.broadcast(Tile { component: tile.component, ..condition }));
        if of_all == Some(result) {
            return Ok(());
        }
        let operands = [self.condition, self.a, self.b].map(|value| check.describe(value)).join(", ");
        let detail = format!("{operands}, the result {}", Type::Tile(result));
        Err(check.fail(Status::IrOperandTypeMustMatchReturnType, detail, &[self.condition, self.a, self.b]))
    }
}

impl Rules for Select {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        if let Some(result) = check.result()?.tile() {
            return self.check_tiles(check, result);
        }
        check.require(
            *check.ty(self.condition) == Type::Bool,
            Status::IrExpectedBoolean,
            &[self.condition],
            || check.describe(self.condition),
        )?;
        let ty = check.result()?;
        let fits = matches!(ty, Type::Bool | Type::Scalar(_));
        check.require(fits, Status::IrExpectedNumber, &[], || format!("the result is {ty}"))?;
        check.same_as_result(self.a)?;
        check.same_as_result(self.b)
    }

    fn literal_type(&self, known: &Known<'_>, operand: Value) -> Option<Type> {
        if operand == self.condition { Some(Type::Bool) } else { known.common(&[self.a, self.b]) }
    }

    fn result_types(&self, ir: &Ir) -> Option<Vec<Type>> {
        let ty = broadcast(ir, &[self.a, self.b])?;
        let (Some(tile), Some(condition)) = (ty.tile(), ir.ty(self.condition).tile()) else {
            return Some(vec![ty]);
        };
        let tile = tile.broadcast(Tile { component: tile.component, ..condition })?;
        Some(vec![Type::Tile(tile)])
    }
}

impl Rules for Compare {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let ty = check.result()?;
        let of_tiles = broadcast(check.ir, &[self.a, self.b]).and_then(|ty| ty.tile());
        match of_tiles.map(truth) {
            None if check.ty(self.a).tile().is_some() => same_number(check, self.a, self.b)?,
            None => {
                let detail = || format!("the result is {ty}");
                check.require(*ty == Type::Bool, Status::IrExpectedBoolean, &[], detail)?;
            }
            Some(truth) => {
                let detail = || format!("the result is {ty} instead of {truth}");
                check.require(*ty == truth, Status::IrExpectedTile, &[], detail)?;
            }
        }
        let scalar = number_or_tile(check, self.a)?;
        let ordering = !matches!(self.op, CompareOp::Equal | CompareOp::NotEqual);
        check.require(!(ordering && scalar.is_complex()), Status::IrComplexUnsupported, &[self.a], || {
            format!("{}, which has no order for `{}`", check.describe(self.a), self.op)
        })?;
        if of_tiles.is_some() { Ok(()) } else { same_number(check, self.a, self.b) }
    }

    fn literal_type(&self, known: &Known<'_>, _operand: Value) -> Option<Type> {
        [self.a, self.b].into_iter().find_map(|value| known.ty(value))
    }

    fn result_types(&self, ir: &Ir) -> Option<Vec<Type>> {
        let tile = broadcast(ir, &[self.a, self.b])?.tile();
        Some(vec![tile.map_or(Type::Bool, truth)])
    }
}

/// Both operands have one type.
pub(super) fn same_number(check: &Check<'_>, a: Value, b: Value) -> Result<(), VerifierError> {
    check.require(check.ty(a) == check.ty(b), Status::IrNumberMismatch, &[a, b], || {
        format!("{}, {}", check.describe(a), check.describe(b))
    })
}

impl Rules for Grid {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        check.result_is_index()
    }

    fn result_types(&self, _ir: &Ir) -> Option<Vec<Type>> {
        Some(vec![Type::INDEX])
    }
}

/// Implements [`Rules`] for builtins of type i32.
macro_rules! i32_builtins {
    ($($name:ident)*) => {$(
        impl Rules for $name {
            fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
                let ty = check.result()?;
                check.require(*ty == Type::I32, Status::IrExpectedI32, &[], || format!("the result is {ty}"))
            }

            fn result_types(&self, _ir: &Ir) -> Option<Vec<Type>> {
                Some(vec![Type::I32])
            }
        }
    )*};
}

i32_builtins!(NumSubgroups SubgroupId UniformSubgroup LocalSubgroup);
