//! Memory access, local memory and barriers (language reference 5.8, 5.13, 5.14).

use super::super::entities::{Ir, Value};
use super::super::instructions::{
    Alloca, AsSurface, Associated, AtomicLoad, AtomicStore, AtomicUpdate, Barrier, BarrierArrive,
    BarrierWait, IsSurface, LifetimeStop, Load, Size, Store,
};
use super::super::types::{AddressSpace, Memref, Type};
use super::{Check, Known, Rules, VerifierError};
use crate::status::Status;

impl Rules for Load {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let (content, indices) = content(check.ty(self.from)).ok_or_else(|| {
            check.fail(Status::IrExpectedMemrefOrGroup, check.describe(self.from), &[self.from])
        })?;
        loads(check, self.from, &content, &self.indices, indices)
    }

    fn check_lowering(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        indices_are_integers(check, &self.indices)
    }

    fn literal_type(&self, _known: &Known<'_>, operand: Value) -> Option<Type> {
        self.indices.contains(&operand).then_some(Type::INDEX)
    }

    fn result_types(&self, ir: &Ir) -> Option<Vec<Type>> {
        Some(vec![content(ir.ty(self.from))?.0])
    }
}

/// The type of what a memref or group holds, and how many indices name one.
fn content(ty: &Type) -> Option<(Type, usize)> {
    match ty {
        Type::Memref(memref) => Some((Type::Scalar(memref.element), memref.order())),
        Type::Group(group) => Some((Type::Memref(group.member.clone()), 1)),
        Type::Bool | Type::Scalar(_) | Type::Coopmatrix(_) | Type::Tile(_) => None,
    }
}

/// The parser takes loads with indices of any type.
fn indices_are_integers(check: &Check<'_>, indices: &[Value]) -> Result<(), VerifierError> {
    let wrong = |value: &&Value| check.ty(**value).scalar().is_none_or(|scalar| !scalar.is_integer());
    match indices.iter().find(wrong) {
        Some(&value) => Err(check.fail(Status::IrExpectedIndex, check.describe(value), &[value])),
        None => Ok(()),
    }
}

/// The result has the type of the content, and there are as many indices as needed.
fn loads(
    check: &Check<'_>,
    from: Value,
    content: &Type,
    indices: &[Value],
    needed: usize,
) -> Result<(), VerifierError> {
    let result = check.result()?;
    check.require(result == content, Status::IrOperandTypeMustMatchReturnType, &[from], || {
        format!("{}, the result {result}", check.describe(from))
    })?;
    check.number_of_indices(indices.len(), from, needed, &[])
}

impl Rules for Store {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        stores(check, self.value, self.to, &self.indices)
    }

    fn literal_type(&self, known: &Known<'_>, operand: Value) -> Option<Type> {
        if operand == self.value { known.element(self.to) } else { Some(Type::INDEX) }
    }
}

/// A value may be stored to an element of a memref.
fn stores(check: &Check<'_>, value: Value, to: Value, indices: &[Value]) -> Result<(), VerifierError> {
    for &index in indices {
        check.index(index)?;
    }
    let memref = check.memref(to)?;
    let fits = *check.ty(value) == Type::Scalar(memref.element);
    check.require(fits, Status::IrNumberMismatch, &[value, to], || {
        format!("{}, {}", check.describe(value), check.describe(to))
    })?;
    check.number_of_indices(indices.len(), to, memref.order(), &[to])
}

impl Rules for AtomicLoad {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let Some(memref) = check.ty(self.from).memref() else {
            return Err(check.fail(Status::IrExpectedMemref, check.describe(self.from), &[]));
        };
        loads(check, self.from, &Type::Scalar(memref.element), &self.indices, memref.order())
    }

    fn check_lowering(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        indices_are_integers(check, &self.indices)
    }

    fn literal_type(&self, _known: &Known<'_>, operand: Value) -> Option<Type> {
        self.indices.contains(&operand).then_some(Type::INDEX)
    }

    fn result_types(&self, ir: &Ir) -> Option<Vec<Type>> {
        let memref = ir.ty(self.from).memref()?;
        Some(vec![Type::Scalar(memref.element)])
    }
}

impl Rules for AtomicStore {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        stores(check, self.value, self.to, &self.indices)
    }

    fn literal_type(&self, known: &Known<'_>, operand: Value) -> Option<Type> {
        if operand == self.value { known.element(self.to) } else { Some(Type::INDEX) }
    }
}

impl Rules for AtomicUpdate {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        stores(check, self.value, self.to, &self.indices)?;
        check.same_as_result(self.value)
    }

    fn literal_type(&self, known: &Known<'_>, operand: Value) -> Option<Type> {
        if operand == self.value { known.element(self.to) } else { Some(Type::INDEX) }
    }

    fn result_types(&self, ir: &Ir) -> Option<Vec<Type>> {
        Some(vec![ir.ty(self.value).clone()])
    }
}

impl Rules for IsSurface {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let ty = check.result()?;
        check.require(*ty == Type::Bool, Status::IrExpectedBoolean, &[], || format!("the result is {ty}"))?;
        global_matrix(check, self.of)
    }

    fn result_types(&self, _ir: &Ir) -> Option<Vec<Type>> {
        Some(vec![Type::Bool])
    }
}

impl Rules for AsSurface {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        global_matrix(check, self.of)?;
        check.same_as_result(self.of)
    }

    fn result_types(&self, ir: &Ir) -> Option<Vec<Type>> {
        Some(vec![ir.ty(self.of).clone()])
    }
}

/// The operand is a matrix in global memory.
fn global_matrix(check: &Check<'_>, value: Value) -> Result<(), VerifierError> {
    let memref = check.memref(value)?;
    check.order(value, memref, 2, Status::IrExpectedMemrefOrder2)?;
    let is_global = memref.space == AddressSpace::Global;
    check.require(is_global, Status::IrExpectedGlobalAddressSpace, &[value], || check.describe(value))
}

impl Rules for Associated {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let ty = check.result()?;
        check.require(*ty == Type::Bool, Status::IrExpectedBoolean, &[], || format!("the result is {ty}"))?;
        let fits = matches!(check.ty(self.of), Type::Memref(_) | Type::Group(_));
        check.require(fits, Status::IrExpectedMemrefOrGroup, &[self.of], || check.describe(self.of))
    }

    fn result_types(&self, _ir: &Ir) -> Option<Vec<Type>> {
        Some(vec![Type::Bool])
    }
}

impl Rules for Size {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
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
            format!("mode {} of {modes}, counted from 0; {}", self.mode, check.describe(self.of))
        })
    }

    fn result_types(&self, _ir: &Ir) -> Option<Vec<Type>> {
        Some(vec![Type::INDEX])
    }
}

impl Rules for Barrier {
    fn check(&self, _check: &Check<'_>) -> Result<(), VerifierError> {
        Ok(())
    }
}

impl Rules for BarrierArrive {
    fn check(&self, _check: &Check<'_>) -> Result<(), VerifierError> {
        Ok(())
    }
}

impl Rules for BarrierWait {
    fn check(&self, _check: &Check<'_>) -> Result<(), VerifierError> {
        Ok(())
    }
}

impl Rules for Alloca {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        check.attributes(&self.attributes)?;
        let ty = check.result()?;
        let memref = ty
            .memref()
            .ok_or_else(|| check.fail(Status::IrExpectedMemref, format!("the result is {ty}"), &[]))?;
        check.require(memref.space == AddressSpace::Local, Status::IrExpectedLocalAddressSpace, &[], || {
            let local = Memref { space: AddressSpace::Local, ..memref.clone() };
            format!("the result is {ty}; write {local}")
        })
    }

    fn check_lowering(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let refuse = |(status, detail): (Status, String)| check.fail(status, detail, &[]);
        self.size_and_alignment(check.result()?).map(drop).map_err(refuse)
    }
}

impl Alloca {
    /// Bytes of an allocation of a type, and what its address is a multiple of.
    ///
    /// # Errors
    /// Status and message if either is not known or not possible.
    pub fn size_and_alignment(&self, ty: &Type) -> Result<(i64, i64), (Status, String)> {
        let Some(memref) = ty.memref() else {
            return Err((Status::InternalCompilerError, format!("alloca of {ty}")));
        };
        if memref.shape.iter().any(|size| size.is_dynamic()) {
            let detail = format!("local memory needs a static shape, not {ty}");
            return Err((Status::IrInvalidShape, detail));
        }
        let size = memref
            .size_in_bytes()
            .ok_or_else(|| (Status::OutOfRange, format!("the size of {ty} is no 64-bit number")))?;
        let natural = memref.element.bytes();
        let alignment = self.attributes.alignment.unwrap_or(natural);
        // Powers of two, as the size of an element is.
        let mut possible = std::iter::successors(Some(natural), |alignment| alignment.checked_mul(2))
            .take_while(|&alignment| alignment <= MAX_ALIGNMENT);
        if possible.any(|known| known == alignment) {
            return Ok((size, alignment));
        }
        let detail =
            format!("alignment is {alignment}; {ty} needs a power of two from {natural} to {MAX_ALIGNMENT}");
        Err((Status::IrInsufficientAlignment, detail))
    }
}

/// A page, beyond which no memory is aligned in any way.
const MAX_ALIGNMENT: i64 = 4096;

impl Rules for LifetimeStop {
    fn check(&self, _check: &Check<'_>) -> Result<(), VerifierError> {
        Ok(())
    }
}
