//! Control flow and parallel regions (`spec/language.md` 5.10, 5.11).

use super::super::entities::{Ir, Value};
use super::super::instructions::{For, Foreach, If, Parallel, Yield};
use super::super::types::{Scalar, Type};
use super::arithmetic::same_number;
use super::{Check, Rules, Violation};
use crate::status::Status;

impl Rules for For {
    fn check(&self, check: &Check<'_>) -> Result<(), Violation> {
        bound_is_integer(check, self.from)?;
        same_number(check, self.from, self.to)?;
        if let Some(step) = self.step {
            same_number(check, self.from, step)?;
        }
        let results = check.results;
        check.require(self.init.len() == results.len(), Status::IrInitReturnTypeMismatch, &[], || {
            format!("{} initial values for {} results", self.init.len(), results.len())
        })?;
        for (&init, ty) in self.init.iter().zip(results) {
            check.require(check.ty(init) == ty, Status::IrInitReturnTypeMismatch, &[init], || {
                format!("{}, the result {ty}", check.describe(init))
            })?;
            can_be_carried(check, ty)?;
        }
        Ok(())
    }

    fn region_parameters(&self, ir: &Ir) -> Vec<Type> {
        std::iter::once(self.from)
            .chain(self.init.iter().copied())
            .map(|value| ir.ty(value).clone())
            .collect()
    }
}

fn bound_is_integer(check: &Check<'_>, from: Value) -> Result<(), Violation> {
    let integer = check.ty(from).scalar().is_some_and(Scalar::is_integer);
    check.require(integer, Status::IrExpectedInt, &[from], || check.describe(from))
}

/// Values that loops and branches may return.
fn can_be_carried(check: &Check<'_>, ty: &Type) -> Result<(), Violation> {
    let fits = matches!(ty, Type::Bool | Type::Scalar(_) | Type::Coopmatrix(_));
    check.require(fits, Status::IrExpectedCoopmatrixNumberOrBoolean, &[], || format!("a result is {ty}"))
}

impl Rules for If {
    fn check(&self, check: &Check<'_>) -> Result<(), Violation> {
        check.require(
            *check.ty(self.condition) == Type::Bool,
            Status::IrExpectedBoolean,
            &[self.condition],
            || check.describe(self.condition),
        )?;
        check.results.iter().try_for_each(|ty| can_be_carried(check, ty))
    }
}

impl Rules for Yield {
    fn check(&self, _check: &Check<'_>) -> Result<(), Violation> {
        Ok(())
    }
}

impl Rules for Parallel {
    fn check(&self, _check: &Check<'_>) -> Result<(), Violation> {
        Ok(())
    }
}

impl Rules for Foreach {
    fn check(&self, check: &Check<'_>) -> Result<(), Violation> {
        check.require(
            !self.from.is_empty() && self.from.len() == self.to.len(),
            Status::IrFromToMismatch,
            &[],
            || format!("{} lower and {} upper bounds", self.from.len(), self.to.len()),
        )?;
        for (&from, &to) in self.from.iter().zip(&self.to) {
            bound_is_integer(check, from)?;
            same_number(check, from, to)?;
        }
        Ok(())
    }

    fn region_parameters(&self, ir: &Ir) -> Vec<Type> {
        self.from.iter().map(|&value| ir.ty(value).clone()).collect()
    }
}
