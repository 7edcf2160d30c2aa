//! Subgroup operations (language reference 5.15).

use super::super::entities::{Ir, Value};
use super::super::fields::SubgroupOp;
use super::super::instructions::{Subgroup, SubgroupBroadcast};
use super::super::types::Type;
use super::{Check, Known, Rules, VerifierError};
use crate::status::Status;

impl Rules for SubgroupBroadcast {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let ty = check.result()?;
        check.require(ty.scalar().is_some(), Status::IrExpectedNumber, &[], || {
            format!("the result is {ty}")
        })?;
        check.same_as_result(self.a)?;
        check.require(*check.ty(self.lane) == Type::I32, Status::IrExpectedI32, &[self.lane], || {
            check.describe(self.lane)
        })
    }

    fn literal_type(&self, known: &Known<'_>, operand: Value) -> Option<Type> {
        if operand == self.lane { Some(Type::I32) } else { known.results.first().cloned() }
    }

    fn result_types(&self, ir: &Ir) -> Option<Vec<Type>> {
        Some(vec![ir.ty(self.a).clone()])
    }
}

impl Rules for Subgroup {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let scalar = check.number(self.a)?;
        let adds = matches!(
            self.op,
            SubgroupOp::ExclusiveScanAdd | SubgroupOp::InclusiveScanAdd | SubgroupOp::ReduceAdd
        );
        check.require(adds || !scalar.is_complex(), Status::IrComplexUnsupported, &[self.a], || {
            format!("{}, which has no order for `{}`", check.describe(self.a), self.op)
        })?;
        check.same_as_result(self.a)
    }

    fn result_types(&self, ir: &Ir) -> Option<Vec<Type>> {
        Some(vec![ir.ty(self.a).clone()])
    }
}
