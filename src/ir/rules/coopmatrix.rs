//! Cooperative matrices (language reference 5.16).

use super::super::entities::{Ir, Value};
use super::super::instructions::{
    CoopmatrixApply, CoopmatrixAtomicLoad, CoopmatrixAtomicStore, CoopmatrixAtomicUpdate,
    CoopmatrixConstruct, CoopmatrixExtract, CoopmatrixInsert, CoopmatrixLoad, CoopmatrixMap,
    CoopmatrixMulAdd, CoopmatrixPrefetch, CoopmatrixReduce, CoopmatrixScale, CoopmatrixSlice,
    CoopmatrixStore,
};
use super::super::types::{Coopmatrix, MatrixUse, Type};
use super::{Check, Known, Rules, VerifierError};
use crate::status::Status;

impl Rules for CoopmatrixLoad {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        loads(check, self.from, [self.x, self.y])
    }

    fn literal_type(&self, _known: &Known<'_>, operand: Value) -> Option<Type> {
        [self.x, self.y].contains(&operand).then_some(Type::INDEX)
    }
}

impl Rules for CoopmatrixAtomicLoad {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        loads(check, self.from, [self.x, self.y])
    }

    fn literal_type(&self, _known: &Known<'_>, operand: Value) -> Option<Type> {
        [self.x, self.y].contains(&operand).then_some(Type::INDEX)
    }
}

/// The result can be loaded from a matrix in memory.
fn loads(check: &Check<'_>, from: Value, at: [Value; 2]) -> Result<(), VerifierError> {
    let matrix = result(check)?;
    let memref = check.memref(from)?;
    check.require(memref.element == matrix.component, Status::IrNumberMismatch, &[from], || {
        format!("{}, the result {}", check.describe(from), Type::Coopmatrix(matrix))
    })?;
    position(check, from, at)
}

impl Rules for CoopmatrixStore {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        stores(check, self.value, self.to, [self.x, self.y])
    }

    fn literal_type(&self, _known: &Known<'_>, operand: Value) -> Option<Type> {
        [self.x, self.y].contains(&operand).then_some(Type::INDEX)
    }
}

impl Rules for CoopmatrixAtomicStore {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        stores(check, self.value, self.to, [self.x, self.y])
    }

    fn literal_type(&self, _known: &Known<'_>, operand: Value) -> Option<Type> {
        [self.x, self.y].contains(&operand).then_some(Type::INDEX)
    }
}

impl Rules for CoopmatrixAtomicUpdate {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        stores(check, self.value, self.to, [self.x, self.y])?;
        check.same_as_result(self.value)
    }

    fn literal_type(&self, _known: &Known<'_>, operand: Value) -> Option<Type> {
        [self.x, self.y].contains(&operand).then_some(Type::INDEX)
    }

    fn result_types(&self, ir: &Ir) -> Option<Vec<Type>> {
        Some(vec![ir.ty(self.value).clone()])
    }
}

/// A matrix can be stored to a matrix in memory.
fn stores(check: &Check<'_>, value: Value, to: Value, at: [Value; 2]) -> Result<(), VerifierError> {
    let matrix = coopmatrix(check, value)?;
    let memref = check.memref(to)?;
    check.require(memref.element == matrix.component, Status::IrNumberMismatch, &[value, to], || {
        format!("{}, {}", check.describe(value), check.describe(to))
    })?;
    position(check, to, at)
}

/// The result, which must be a cooperative matrix.
fn result(check: &Check<'_>) -> Result<Coopmatrix, VerifierError> {
    let ty = check.result()?;
    ty.coopmatrix()
        .ok_or_else(|| check.fail(Status::IrExpectedCoopmatrix, format!("the result is {ty}"), &[]))
}

pub(super) fn coopmatrix(check: &Check<'_>, value: Value) -> Result<Coopmatrix, VerifierError> {
    check
        .ty(value)
        .coopmatrix()
        .ok_or_else(|| check.fail(Status::IrExpectedCoopmatrix, check.describe(value), &[value]))
}

/// The memref is a matrix and the position a pair of indices.
fn position(check: &Check<'_>, memref: Value, at: [Value; 2]) -> Result<(), VerifierError> {
    check.order(memref, check.memref(memref)?, 2, Status::IrExpectedMemrefOrder2)?;
    at.into_iter().try_for_each(|value| check.index(value))
}

impl Rules for CoopmatrixMulAdd {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let ty = check.result()?;
        // This status, although a cooperative matrix is wanted (language reference 5.16).
        let d = ty
            .coopmatrix()
            .ok_or_else(|| check.fail(Status::IrExpectedMemref, format!("the result is {ty}"), &[]))?;
        check.require(d.usage == MatrixUse::Acc, Status::IrInvalidMatrixUse, &[], || {
            format!("the result is {ty}")
        })?;
        let [a, b, c] = [coopmatrix(check, self.a)?, coopmatrix(check, self.b)?, coopmatrix(check, self.c)?];
        for (value, matrix, usage) in
            [(self.a, a, MatrixUse::A), (self.b, b, MatrixUse::B), (self.c, c, MatrixUse::Acc)]
        {
            check.require(matrix.usage == usage, Status::IrInvalidMatrixUse, &[value], || {
                format!("{} instead of {usage}", check.describe(value))
            })?;
        }
        let operands = [self.a, self.b, self.c];
        let fit =
            a.cols == b.rows && (c.rows, c.cols) == (a.rows, b.cols) && (d.rows, d.cols) == (c.rows, c.cols);
        check.require(fit, Status::IrIncompatibleShapes, &operands, || {
            let shape = |m: Coopmatrix| format!("{}x{}", m.rows, m.cols);
            format!("A={}, B={}, C={}, D={}", shape(a), shape(b), shape(c), shape(d))
        })?;
        let product = check.promotion((self.a, a.component), (self.b, b.component))?;
        check.promotable(product, c.component, &operands)?;
        let castable = !c.component.is_complex() || d.component.is_complex();
        check.require(castable, Status::IrForbiddenCast, &[self.c], || {
            format!("{}, the result {ty}", check.describe(self.c))
        })
    }

    fn result_types(&self, ir: &Ir) -> Option<Vec<Type>> {
        Some(vec![ir.ty(self.c).clone()])
    }
}

impl Rules for CoopmatrixScale {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        check.same_as_result(self.matrix)?;
        let matrix = coopmatrix(check, self.matrix)?;
        check.require(
            check.ty(self.scalar).scalar() == Some(matrix.component),
            Status::IrNumberMismatch,
            &[self.scalar, self.matrix],
            || format!("{}, {}", check.describe(self.scalar), check.describe(self.matrix)),
        )
    }

    fn literal_type(&self, known: &Known<'_>, operand: Value) -> Option<Type> {
        known.element(self.matrix).filter(|_| operand == self.scalar)
    }

    fn result_types(&self, ir: &Ir) -> Option<Vec<Type>> {
        Some(vec![ir.ty(self.matrix).clone()])
    }
}

impl Rules for CoopmatrixConstruct {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let matrix = result(check)?;
        check.require(
            check.ty(self.value).scalar() == Some(matrix.component),
            Status::IrNumberMismatch,
            &[self.value],
            || format!("{}, the result {}", check.describe(self.value), Type::Coopmatrix(matrix)),
        )
    }

    fn literal_type(&self, known: &Known<'_>, _operand: Value) -> Option<Type> {
        Some(Type::Scalar(known.results.first()?.component()?))
    }
}

impl Rules for CoopmatrixExtract {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let matrix = coopmatrix(check, self.matrix)?;
        let ty = check.result()?;
        check.require(*ty == Type::Scalar(matrix.component), Status::IrNumberMismatch, &[self.matrix], || {
            format!("{}, the result {ty}", check.describe(self.matrix))
        })
    }

    fn result_types(&self, ir: &Ir) -> Option<Vec<Type>> {
        Some(vec![Type::Scalar(ir.ty(self.matrix).component()?)])
    }
}

impl Rules for CoopmatrixInsert {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        check.same_as_result(self.matrix)?;
        let scalar = check.number(self.value)?;
        let matrix = coopmatrix(check, self.matrix)?;
        check.require(
            scalar == matrix.component,
            Status::IrNumberMismatch,
            &[self.value, self.matrix],
            || format!("{}, {}", check.describe(self.value), check.describe(self.matrix)),
        )
    }

    fn literal_type(&self, known: &Known<'_>, operand: Value) -> Option<Type> {
        known.element(self.matrix).filter(|_| operand == self.value)
    }

    fn result_types(&self, ir: &Ir) -> Option<Vec<Type>> {
        Some(vec![ir.ty(self.matrix).clone()])
    }
}

impl Rules for CoopmatrixSlice {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let (from, to) = (coopmatrix(check, self.matrix)?, result(check)?);
        let detail = || format!("{}, the result {}", check.describe(self.matrix), Type::Coopmatrix(to));
        check.require(from.component == to.component, Status::IrNumberMismatch, &[self.matrix], detail)?;
        let usage = from.usage == to.usage || from.usage == MatrixUse::Acc;
        check.require(usage, Status::IrInvalidMatrixUse, &[self.matrix], detail)?;
        let is_within = |first: i64, size: i64, of: i64| {
            first >= 0 && first.checked_add(size).is_some_and(|end| end <= of)
        };
        let fits = is_within(self.row, to.rows, from.rows) && is_within(self.col, to.cols, from.cols);
        check.require(fits, Status::IrOutOfBounds, &[self.matrix], || {
            format!("[{},{}]; {}", self.row, self.col, detail())
        })
    }
}

impl Rules for CoopmatrixApply {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        check.same_as_result(self.matrix)?;
        coopmatrix(check, self.matrix).map(|_| ())
    }

    /// Row, column and value of an entry.
    fn region_parameters(&self, ir: &Ir) -> Vec<Type> {
        entry_parameters(ir, &[self.matrix])
    }
}

impl Rules for CoopmatrixMap {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let to = result(check)?;
        check.require(!self.matrices.is_empty(), Status::InvalidArguments, &[], || {
            "no matrix to compute entries from".to_owned()
        })?;
        for &value in &self.matrices {
            let from = coopmatrix(check, value)?;
            let detail = || format!("{}, the result {}", check.describe(value), Type::Coopmatrix(to));
            check.require(from.usage == to.usage, Status::IrInvalidMatrixUse, &[value], detail)?;
            let spreads = |own: i64, size: i64| own == size || own == 1 && to.usage == MatrixUse::Acc;
            let fits = spreads(from.rows, to.rows) && spreads(from.cols, to.cols);
            check.require(fits, Status::IrIncompatibleShapes, &[value], detail)?;
        }
        Ok(())
    }

    /// Row, column and an entry of each matrix.
    fn region_parameters(&self, ir: &Ir) -> Vec<Type> {
        entry_parameters(ir, &self.matrices)
    }
}

/// Types of row, column and an entry of each matrix or tile.
pub(super) fn entry_parameters(ir: &Ir, of: &[Value]) -> Vec<Type> {
    let component = |&value: &Value| ir.ty(value).component().map_or(Type::Bool, Type::Scalar);
    [Type::I32, Type::I32].into_iter().chain(of.iter().map(component)).collect()
}

impl Rules for CoopmatrixReduce {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let from = coopmatrix(check, self.matrix)?;
        let to = result(check)?;
        let detail = || format!("{}, the result {}", check.describe(self.matrix), Type::Coopmatrix(to));
        let [rows, cols] = self.mode.shape([from.rows, from.cols]);
        check.require(from.component == to.component, Status::IrNumberMismatch, &[self.matrix], detail)?;
        check.require(from.usage == to.usage, Status::IrInvalidMatrixUse, &[self.matrix], detail)?;
        check.require([to.rows, to.cols] == [rows, cols], Status::IrInvalidShape, &[self.matrix], || {
            format!("{} instead of {rows}x{cols}", detail())
        })
    }

    fn result_types(&self, ir: &Ir) -> Option<Vec<Type>> {
        let from = ir.ty(self.matrix).coopmatrix()?;
        let [rows, cols] = self.mode.shape([from.rows, from.cols]);
        Some(vec![Coopmatrix { rows, cols, ..from }.into()])
    }
}

impl Rules for CoopmatrixPrefetch {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let memref = check.memref(self.of)?;
        check.order(self.of, memref, 2, Status::IrExpectedMemrefOrder2)?;
        check.require(self.rows > 0 && self.cols > 0, Status::IrInvalidShape, &[], || {
            format!("{} rows and {} columns; {}", self.rows, self.cols, check.describe(self.of))
        })?;
        [self.x, self.y].into_iter().try_for_each(|value| check.index(value))
    }

    fn literal_type(&self, _known: &Known<'_>, operand: Value) -> Option<Type> {
        [self.x, self.y].contains(&operand).then_some(Type::INDEX)
    }
}
