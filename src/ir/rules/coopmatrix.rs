//! Cooperative matrices (`spec/language.md` 5.16).

use super::super::entities::Value;
use super::super::instructions::{CoopmatrixLoad, CoopmatrixMulAdd, CoopmatrixScale, CoopmatrixStore};
use super::super::types::{Coopmatrix, MatrixUse};
use super::{Check, Rules, Violation};
use crate::status::Status;

impl Rules for CoopmatrixLoad {
    fn check(&self, check: &Check<'_>) -> Result<(), Violation> {
        let ty = check.result()?;
        let matrix = ty
            .coopmatrix()
            .ok_or_else(|| check.fail(Status::IrExpectedCoopmatrix, format!("the result is {ty}"), &[]))?;
        let memref = check.memref(self.from)?;
        check.require(memref.element == matrix.component, Status::IrNumberMismatch, &[self.from], || {
            format!("{}, the result {ty}", check.describe(self.from))
        })?;
        position(check, self.from, [self.x, self.y])
    }
}

impl Rules for CoopmatrixStore {
    fn check(&self, check: &Check<'_>) -> Result<(), Violation> {
        let matrix = coopmatrix(check, self.value)?;
        let memref = check.memref(self.to)?;
        check.require(
            memref.element == matrix.component,
            Status::IrNumberMismatch,
            &[self.value, self.to],
            || format!("{}, {}", check.describe(self.value), check.describe(self.to)),
        )?;
        position(check, self.to, [self.x, self.y])
    }
}

fn coopmatrix(check: &Check<'_>, value: Value) -> Result<Coopmatrix, Violation> {
    check
        .ty(value)
        .coopmatrix()
        .ok_or_else(|| check.fail(Status::IrExpectedCoopmatrix, check.describe(value), &[value]))
}

/// The memref is a matrix and the position a pair of indices.
fn position(check: &Check<'_>, memref: Value, at: [Value; 2]) -> Result<(), Violation> {
    check.order(memref, check.memref(memref)?, 2, Status::IrExpectedMemrefOrder2)?;
    at.into_iter().try_for_each(|value| check.index(value))
}

impl Rules for CoopmatrixMulAdd {
    fn check(&self, check: &Check<'_>) -> Result<(), Violation> {
        let ty = check.result()?;
        // This status, although a cooperative matrix is wanted (`spec/language.md` 5.16).
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
        let forbidden = |operands: &[Value]| {
            let detail = format!("{} · {} + {}", a.component, b.component, c.component);
            check.fail(Status::IrForbiddenPromotion, detail, operands)
        };
        let product = a.component.promote(b.component).ok_or_else(|| forbidden(&[self.a, self.b]))?;
        if !product.promotable_to(c.component) {
            return Err(forbidden(&operands));
        }
        let castable = !c.component.is_complex() || d.component.is_complex();
        check.require(castable, Status::IrForbiddenCast, &[self.c], || {
            format!("from {} to {}", c.component, d.component)
        })
    }
}

impl Rules for CoopmatrixScale {
    fn check(&self, check: &Check<'_>) -> Result<(), Violation> {
        check.same_as_result(self.matrix)?;
        let matrix = coopmatrix(check, self.matrix)?;
        check.require(
            check.ty(self.scalar).scalar() == Some(matrix.component),
            Status::IrNumberMismatch,
            &[self.scalar, self.matrix],
            || format!("{}, {}", check.describe(self.scalar), check.describe(self.matrix)),
        )
    }
}
