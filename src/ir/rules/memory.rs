//! Memory access, local memory and barriers (`spec/language.md` 5.8, 5.13, 5.14).

use super::super::instructions::{Alloca, Barrier, LifetimeStop, Load, Size, Store};
use super::super::types::{AddressSpace, Type};
use super::{Check, Rules, Violation};
use crate::status::Status;

impl Rules for Load {
    fn check(&self, check: &Check<'_>) -> Result<(), Violation> {
        let result = check.result()?;
        let (content, indices) = match check.ty(self.from) {
            Type::Memref(memref) => (Type::Scalar(memref.element), memref.order()),
            Type::Group(group) => (Type::Memref(group.member.clone()), 1),
            _ => {
                let detail = check.describe(self.from);
                return Err(check.fail(Status::IrExpectedMemrefOrGroup, detail, &[self.from]));
            }
        };
        check.require(*result == content, Status::IrOperandTypeMustMatchReturnType, &[self.from], || {
            format!("{}, the result {result}", check.describe(self.from))
        })?;
        check.require(self.indices.len() == indices, Status::IrInvalidNumberOfIndices, &[], || {
            format!("{} instead of {indices}", self.indices.len())
        })
    }
}

impl Rules for Store {
    fn check(&self, check: &Check<'_>) -> Result<(), Violation> {
        for &index in &self.indices {
            check.index(index)?;
        }
        let memref = check.memref(self.to)?;
        let stored = check.ty(self.value);
        check.require(
            *stored == Type::Scalar(memref.element),
            Status::IrNumberMismatch,
            &[self.value, self.to],
            || format!("{}, {}", check.describe(self.value), check.describe(self.to)),
        )?;
        check.require(
            self.indices.len() == memref.order(),
            Status::IrInvalidNumberOfIndices,
            &[self.to],
            || format!("{} instead of {}", self.indices.len(), memref.order()),
        )
    }
}

impl Rules for Size {
    fn check(&self, check: &Check<'_>) -> Result<(), Violation> {
        check.result_is_index()?;
        let modes = match check.ty(self.of) {
            Type::Memref(memref) => memref.order(),
            Type::Group(_) => 1,
            _ => {
                let detail = check.describe(self.of);
                return Err(check.fail(Status::IrExpectedMemrefOrGroup, detail, &[]));
            }
        };
        let exists = usize::try_from(self.mode).is_ok_and(|mode| mode < modes);
        check.require(exists, Status::IrOutOfBounds, &[], || {
            format!("mode {} of {modes}, counted from 0", self.mode)
        })
    }
}

impl Rules for Barrier {
    fn check(&self, _check: &Check<'_>) -> Result<(), Violation> {
        Ok(())
    }
}

impl Rules for Alloca {
    fn check(&self, check: &Check<'_>) -> Result<(), Violation> {
        let ty = check.result()?;
        let refuse = |status| check.fail(status, format!("the result is {ty}"), &[]);
        let memref = ty.memref().ok_or_else(|| refuse(Status::IrExpectedMemref))?;
        if memref.space == AddressSpace::Local {
            Ok(())
        } else {
            Err(refuse(Status::IrExpectedLocalAddressSpace))
        }
    }
}

impl Rules for LifetimeStop {
    fn check(&self, _check: &Check<'_>) -> Result<(), Violation> {
        Ok(())
    }
}
