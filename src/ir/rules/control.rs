//! Control flow and parallel regions (language reference 5.10, 5.11).

use super::super::entities::{Ir, Value};
use super::super::instructions::{BreakIf, For, Foreach, ForeachTile, If, Parallel, Yield};
use super::super::types::{Scalar, Type};
use super::arithmetic::same_number;
use super::{Check, Known, Rules, VerifierError};
use crate::status::Status;

impl Rules for For {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        check.attributes(&self.attributes)?;
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

    fn literal_type(&self, known: &Known<'_>, operand: Value) -> Option<Type> {
        if let Some(place) = self.init.iter().position(|&init| init == operand) {
            return known.results.get(place).cloned();
        }
        bound_type(known, [Some(self.from), Some(self.to), self.step])
    }

    fn result_types(&self, ir: &Ir) -> Option<Vec<Type>> {
        Some(self.init.iter().map(|&init| ir.ty(init).clone()).collect())
    }
}

/// The type of bounds and step that are literals: that of those that are none, or an index.
fn bound_type<const N: usize>(known: &Known<'_>, bounds: [Option<Value>; N]) -> Option<Type> {
    Some(bounds.into_iter().flatten().find_map(|bound| known.ty(bound)).unwrap_or(Type::INDEX))
}

fn bound_is_integer(check: &Check<'_>, from: Value) -> Result<(), VerifierError> {
    let integer = check.ty(from).scalar().is_some_and(Scalar::is_integer);
    check.require(integer, Status::IrExpectedInt, &[from], || check.describe(from))
}

/// Values that loops and branches may return.
fn can_be_carried(check: &Check<'_>, ty: &Type) -> Result<(), VerifierError> {
    let fits = matches!(ty, Type::Bool | Type::Scalar(_) | Type::Coopmatrix(_) | Type::Tile(_));
    check.require(fits, Status::IrExpectedCoopmatrixNumberOrBoolean, &[], || format!("a result is {ty}"))
}

fn is_boolean(check: &Check<'_>, condition: Value) -> Result<(), VerifierError> {
    check.require(*check.ty(condition) == Type::Bool, Status::IrExpectedBoolean, &[condition], || {
        check.describe(condition)
    })
}

impl Rules for BreakIf {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        is_boolean(check, self.condition)
    }

    fn literal_type(&self, _known: &Known<'_>, operand: Value) -> Option<Type> {
        (operand == self.condition).then_some(Type::Bool)
    }
}

impl Rules for If {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        is_boolean(check, self.condition)?;
        check.results.iter().try_for_each(|ty| can_be_carried(check, ty))
    }

    fn literal_type(&self, _known: &Known<'_>, operand: Value) -> Option<Type> {
        (operand == self.condition).then_some(Type::Bool)
    }
}

impl Rules for Yield {
    fn check(&self, _check: &Check<'_>) -> Result<(), VerifierError> {
        Ok(())
    }
}

impl Rules for Parallel {
    /// Refuses numbers, which differ from one work-item to the other: nothing but tiles is returned.
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        check.results.iter().try_for_each(|ty| {
            let detail = || format!("a result is {ty}");
            check.require(ty.tile().is_some(), Status::IrExpectedTile, &[], detail)
        })
    }
}

impl Rules for Foreach {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        same_number_of_bounds(check, &self.from, &self.to)?;
        bounds_are_integers(check, &self.from, &self.to)
    }

    fn region_parameters(&self, ir: &Ir) -> Vec<Type> {
        self.from.iter().map(|&value| ir.ty(value).clone()).collect()
    }

    fn literal_type(&self, known: &Known<'_>, operand: Value) -> Option<Type> {
        mode_type(known, operand, &self.from, &self.to)
    }
}

impl Rules for ForeachTile {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        same_number_of_bounds(check, &self.from, &self.to)?;
        check.require(
            self.tile_shape.len() == self.from.len(),
            Status::IrFromTileShapeMismatch,
            &[],
            || format!("{} tile sizes for {} bounds", self.tile_shape.len(), self.from.len()),
        )?;
        bounds_are_integers(check, &self.from, &self.to)
    }

    /// The offsets of a tile, then its sizes.
    fn region_parameters(&self, ir: &Ir) -> Vec<Type> {
        self.from.iter().chain(&self.from).map(|&value| ir.ty(value).clone()).collect()
    }

    fn literal_type(&self, known: &Known<'_>, operand: Value) -> Option<Type> {
        mode_type(known, operand, &self.from, &self.to)
    }
}

/// The type of a literal among the bounds of modes.
fn mode_type(known: &Known<'_>, operand: Value, from: &[Value], to: &[Value]) -> Option<Type> {
    let place = |bounds: &[Value]| bounds.iter().position(|&bound| bound == operand);
    let mode = place(from).or_else(|| place(to))?;
    bound_type(known, [from, to].map(|bounds| bounds.get(mode).copied()))
}

fn same_number_of_bounds(check: &Check<'_>, from: &[Value], to: &[Value]) -> Result<(), VerifierError> {
    check.require(!from.is_empty() && from.len() == to.len(), Status::IrFromToMismatch, &[], || {
        format!("{} lower and {} upper bounds", from.len(), to.len())
    })?;
    check.require(from.len() <= MAX_MODES, Status::OutOfRange, &[], || {
        format!("{} modes, where {MAX_MODES} are the most", from.len())
    })
}

/// Every mode becomes a loop, and loops nest.
const MAX_MODES: usize = 32;

fn bounds_are_integers(check: &Check<'_>, from: &[Value], to: &[Value]) -> Result<(), VerifierError> {
    for (&from, &to) in from.iter().zip(to) {
        bound_is_integer(check, from)?;
        same_number(check, from, to)?;
    }
    Ok(())
}
