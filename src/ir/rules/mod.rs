//! The verifier: the rules of every instruction (language reference 5) and of the program's structure.
//!
//! An instruction's rule is checked when the instruction is made, by parser, builder or pass alike;
//! [`structure`] checks what only a whole function shows. The order of the checks within a rule is part
//! of the language: the first one that fails is the one reported.

mod arithmetic;
mod control;
mod coopmatrix;
mod linalg;
mod memory;
mod structure;
mod subgroup;
mod tile;
mod types;
mod views;

pub use structure::{check_function, check_program, verify};
pub use types::check_type;

use super::attributes::AttributeError;
use super::declare::{Access, Family, Results, SideEffect};
use super::entities::{Definition, Inst, Ir, Value};
use super::instructions::Op;
use super::typed_attributes::AttributeSet;
use super::types::{Memref, Scalar, Type};
use crate::diagnostics::{Diagnostic, Location};
use crate::status::Status;

/// A broken rule of the language.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.message())]
pub struct VerifierError {
    /// The rule, as the status it is known by.
    pub status: Status,
    /// Names and types of what is wrong.
    pub detail: String,
    /// Place.
    pub location: Location,
    /// Origins of the operands that are to blame: at most four.
    pub notes: Vec<Diagnostic>,
}

impl VerifierError {
    /// A broken rule at a place.
    pub fn new(status: Status, location: Location, detail: impl Into<String>) -> VerifierError {
        VerifierError { status, detail: detail.into(), location, notes: Vec::new() }
    }

    /// Attributes that were refused at a place.
    pub fn of_attribute(error: AttributeError, location: Location) -> VerifierError {
        let detail = match &error {
            AttributeError::Malformed { detail, .. } => detail.clone(),
            AttributeError::Unknown { .. } => error.to_string(),
        };
        VerifierError::new(error.status(), location, detail)
    }

    fn message(&self) -> String {
        match self.detail.as_str() {
            "" => self.status.phrase().to_owned(),
            detail => format!("{} ({detail})", self.status.phrase()),
        }
    }

    /// The error and its notes.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut all = vec![Diagnostic::new(self.message(), self.location)];
        all.extend(self.notes.iter().cloned());
        all
    }

    /// Adds a note for each operand: where it was defined.
    #[must_use]
    pub fn about(mut self, ir: &Ir, operands: &[Value]) -> VerifierError {
        const MAX_NOTES: usize = 4;
        for &value in operands.iter().take(MAX_NOTES) {
            let text = format!("{} is defined here", ir.display_name(value));
            self.notes.push(Diagnostic::new(text, ir[value].location));
        }
        self
    }
}

impl Ir {
    /// A value as a message names it: by the name or number that the text gave it.
    pub fn display_name(&self, value: Value) -> String {
        let data = &self[value];
        match (&data.name, data.number) {
            (Some(name), _) => format!("%{name}"),
            (None, Some(number)) => format!("%{number}"),
            (None, None) => match data.definition {
                Definition::Result(inst) => {
                    let op = &self[inst].op;
                    if let Op::ConstantInst(constant) = op {
                        return format!("the constant {}", constant.value);
                    }
                    format!("an unnamed result of `{}`", op.mnemonic())
                }
                Definition::Parameter(_) => "an unnamed parameter".to_owned(),
            },
        }
    }

    /// A value and its type, as in `%a is f32`.
    pub fn describe(&self, value: Value) -> String {
        format!("{} is {}", self.display_name(value), self.ty(value))
    }
}

/// Context of a rule besides the instruction itself.
pub(super) struct Check<'a> {
    pub ir: &'a Ir,
    /// Types of the results.
    pub results: &'a [Type],
    pub location: Location,
}

impl Ir {
    /// Checks what an instruction may be in a text, but not where the text is compiled.
    ///
    /// # Errors
    /// The rule that is broken.
    pub fn check_lowering(&self, inst: Inst) -> Result<(), VerifierError> {
        let data = &self[inst];
        let results: Vec<Type> = data.results.iter().map(|&result| self.ty(result).clone()).collect();
        data.op.check_lowering(&Check { ir: self, results: &results, location: data.location })
    }
}

/// The types that are known around a literal (language reference 2.2).
pub(super) struct Known<'a> {
    pub ir: &'a Ir,
    /// Types of the results, if the text gives them.
    pub results: &'a [Type],
    /// Operands that are literals, whose types are not known yet.
    pub literals: &'a [Value],
}

impl Known<'_> {
    fn ty(&self, value: Value) -> Option<Type> {
        (!self.literals.contains(&value)).then(|| self.ir.ty(value).clone())
    }

    /// The first type that is known, of the results or the values.
    fn common(&self, values: &[Value]) -> Option<Type> {
        self.results.first().cloned().or_else(|| values.iter().find_map(|&value| self.ty(value)))
    }

    /// The type of the elements of a memref, and of the entries of a matrix or tile.
    fn element(&self, of: Value) -> Option<Type> {
        Some(Type::Scalar(self.element_number(of)?))
    }

    fn element_number(&self, of: Value) -> Option<Scalar> {
        let ty = self.ir.ty(of);
        ty.memref().map(|memref| memref.element).or_else(|| ty.component())
    }
}

/// The rules of an instruction.
pub(super) trait Rules {
    /// Checks operands, immediates and result types.
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError>;

    /// Checks what texts may say, but no lowering takes (language reference 5, marked `[L]`).
    fn check_lowering(&self, _check: &Check<'_>) -> Result<(), VerifierError> {
        Ok(())
    }

    /// The types of the parameters of the first region.
    fn region_parameters(&self, _ir: &Ir) -> Vec<Type> {
        Vec::new()
    }

    /// The type that follows for an operand that a text has as a literal.
    fn literal_type(&self, _known: &Known<'_>, _operand: Value) -> Option<Type> {
        None
    }

    /// The types of the results, if they follow from the operands.
    fn result_types(&self, _ir: &Ir) -> Option<Vec<Type>> {
        None
    }
}

impl<'a> Check<'a> {
    fn ty(&self, value: Value) -> &'a Type {
        self.ir.ty(value)
    }

    /// Checks what holds for every instruction, and the rule of this one.
    pub(super) fn instruction(&self, op: &Op) -> Result<(), VerifierError> {
        self.number_of_results(op)?;
        op.check(self)?;
        self.swizzled_memory(op)?;
        self.stored_numbers(op)
    }

    /// Memory with a swizzle is read and written at positions, which no other view and no linear algebra knows
    /// (language reference 3.2).
    fn swizzled_memory(&self, op: &Op) -> Result<(), VerifierError> {
        let family = op.info().family;
        let knows_positions = match family {
            Family::Memory => !matches!(op, Op::Expand(_) | Op::Fuse(_) | Op::MemrefCast(_)),
            Family::CooperativeMatrix => matches!(op, Op::CoopmatrixLoad(_) | Op::CoopmatrixStore(_)),
            Family::Tile => matches!(op, Op::TileLoad(_) | Op::TileStore(_) | Op::TileCopy(_)),
            Family::ControlFlow => true,
            Family::Arithmetic | Family::Builtin | Family::Subgroup | Family::LinearAlgebra => false,
        };
        if knows_positions {
            return Ok(());
        }
        let mut swizzled = None;
        op.visit_operands(&mut |value| {
            let is_swizzled = self.ty(value).memref().is_some_and(|memref| memref.swizzle.is_some());
            swizzled = swizzled.or(is_swizzled.then_some(value));
        });
        swizzled.map_or(Ok(()), |value| {
            let detail = format!("{}, which `{}` does not take", self.describe(value), op.mnemonic());
            Err(self.fail(Status::IrTileSwizzleShape, detail, &[value]))
        })
    }

    /// Numbers that are only stored are held, moved and converted, one by one or in matrices and tiles; nothing else is done with
    /// them (language reference 3.1).
    fn stored_numbers(&self, op: &Op) -> Result<(), VerifierError> {
        self.packed_numbers(op)?;
        let info = op.info();
        let takes_numbers = match info.family {
            Family::Arithmetic => matches!(op, Op::ConstantInst(_) | Op::Cast(_)),
            Family::Memory => info.side_effect != SideEffect::AtomicMemory,
            Family::Builtin | Family::ControlFlow => true,
            Family::CooperativeMatrix | Family::Tile => matches!(
                op,
                Op::CoopmatrixLoad(_)
                    | Op::CoopmatrixStore(_)
                    | Op::CoopmatrixPrefetch(_)
                    | Op::CoopmatrixSlice(_)
                    | Op::TileLoad(_)
                    | Op::TileStore(_)
                    | Op::TileCopy(_)
                    | Op::TilePrefetch(_)
            ),
            Family::Subgroup | Family::LinearAlgebra => false,
        };
        let refused = |ty: &Type| {
            let number = match ty {
                Type::Bool => return None,
                Type::Scalar(scalar) => *scalar,
                Type::Memref(memref) => memref.element,
                Type::Group(group) => group.member.element,
                Type::Coopmatrix(matrix) => matrix.component,
                Type::Tile(tile) => tile.component,
            };
            (number.is_only_stored() && !takes_numbers).then_some(number)
        };
        let mut operand = None;
        op.visit_operands(&mut |value| {
            operand = operand.or_else(|| refused(self.ty(value)).map(|number| (number, value)));
        });
        let result = || self.results.iter().find_map(|ty| Some((refused(ty)?, ty)));
        let (number, what, operands) = match (operand, result()) {
            (Some((number, value)), _) => (number, self.describe(value), vec![value]),
            (None, Some((number, ty))) => (number, format!("the result is {ty}"), Vec::new()),
            (None, None) => return Ok(()),
        };
        let wide = number.computed_in();
        let kept = if number.is_packed() { "loaded and cast" } else { "loaded, stored and cast" };
        let detail = format!(
            "{what}, which `{}` does not take; {number} is only {kept}: compute in {wide}",
            op.mnemonic()
        );
        let status = if number.is_packed() { Status::IrPackedReadOnly } else { Status::IrFpUnsupported };
        Err(self.fail(status, detail, &operands))
    }

    /// Numbers that share bytes are not written: others would be lost.
    fn packed_numbers(&self, op: &Op) -> Result<(), VerifierError> {
        let refuse = |number: Scalar| {
            let wide = number.computed_in();
            let detail = format!(
                "`{}` makes or writes {number}, which is only loaded and cast: use {wide}",
                op.mnemonic()
            );
            Err(self.fail(Status::IrPackedReadOnly, detail, &[]))
        };
        let mut written = None;
        op.visit_accesses(&mut |value, access| {
            if let (Access::Write | Access::ReadWrite, Some(memref)) = (access, self.ty(value).memref()) {
                written = Some(memref.element);
            }
        });
        let made = self.results.first().filter(|_| matches!(op, Op::Alloca(_) | Op::Cast(_)));
        let made = made.and_then(|ty| ty.component().or_else(|| ty.memref().map(|memref| memref.element)));
        written.or(made).filter(|number| number.is_packed()).map_or(Ok(()), refuse)
    }

    /// As many result types as the instruction has results.
    fn number_of_results(&self, op: &Op) -> Result<(), VerifierError> {
        let (fits, needed) = match op.info().results {
            Results::None => (self.results.is_empty(), "none"),
            Results::One => (self.results.len() == 1, "one"),
            Results::Many => (true, "any number"),
        };
        self.require(fits, Status::InvalidArguments, &[], || {
            format!("{} result types, where `{}` has {needed}", self.results.len(), op.mnemonic())
        })
    }

    /// The type of the only result.
    fn result(&self) -> Result<&'a Type, VerifierError> {
        self.results.first().ok_or_else(|| {
            self.fail(Status::InternalCompilerError, "the instruction needs a result type", &[])
        })
    }

    fn fail(&self, status: Status, detail: impl Into<String>, operands: &[Value]) -> VerifierError {
        VerifierError::new(status, self.location, detail).about(self.ir, operands)
    }

    /// `%a is f32`
    fn describe(&self, value: Value) -> String {
        self.ir.describe(value)
    }

    fn require(
        &self,
        holds: bool,
        status: Status,
        operands: &[Value],
        detail: impl FnOnce() -> String,
    ) -> Result<(), VerifierError> {
        if holds { Ok(()) } else { Err(self.fail(status, detail(), operands)) }
    }

    /// The operand has the type of the result.
    fn same_as_result(&self, value: Value) -> Result<(), VerifierError> {
        let result = self.result()?;
        self.require(self.ty(value) == result, Status::IrOperandTypeMustMatchReturnType, &[value], || {
            format!("{}, the result {result}", self.describe(value))
        })
    }

    /// The attributes are such as a text could say.
    fn attributes(&self, attributes: &impl AttributeSet) -> Result<(), VerifierError> {
        attributes.check().map_err(|error| VerifierError::of_attribute(error, self.location))
    }

    fn result_is_index(&self) -> Result<(), VerifierError> {
        let result = self.result()?;
        self.require(*result == Type::INDEX, Status::IrExpectedIndex, &[], || {
            format!("the result is {result}")
        })
    }

    fn index(&self, value: Value) -> Result<(), VerifierError> {
        self.require(*self.ty(value) == Type::INDEX, Status::IrExpectedIndex, &[value], || {
            self.describe(value)
        })
    }

    fn memref(&self, value: Value) -> Result<&'a Memref, VerifierError> {
        self.ty(value)
            .memref()
            .ok_or_else(|| self.fail(Status::IrExpectedMemref, self.describe(value), &[value]))
    }

    fn number(&self, value: Value) -> Result<Scalar, VerifierError> {
        self.ty(value)
            .scalar()
            .ok_or_else(|| self.fail(Status::IrExpectedNumber, self.describe(value), &[value]))
    }

    /// A type that both operands, of the given number types, can be promoted to.
    fn promotion(
        &self,
        (a, from_a): (Value, Scalar),
        (b, from_b): (Value, Scalar),
    ) -> Result<Scalar, VerifierError> {
        from_a.promote(from_b).ok_or_else(|| {
            let reason = format!("neither {from_a} nor {from_b} can be promoted to the other");
            self.forbidden_promotion(&reason, &[a, b])
        })
    }

    fn promotable(&self, from: Scalar, to: Scalar, operands: &[Value]) -> Result<(), VerifierError> {
        if from.promotable_to(to) {
            return Ok(());
        }
        Err(self.forbidden_promotion(&format!("{from} cannot be promoted to {to}"), operands))
    }

    fn forbidden_promotion(&self, reason: &str, operands: &[Value]) -> VerifierError {
        let operands_are: Vec<String> = operands.iter().map(|&value| self.describe(value)).collect();
        let detail = format!("{}; {reason}", operands_are.join(", "));
        self.fail(Status::IrForbiddenPromotion, detail, operands)
    }

    /// As many indices as a tensor or group needs.
    fn number_of_indices(
        &self,
        found: usize,
        of: Value,
        needed: usize,
        notes: &[Value],
    ) -> Result<(), VerifierError> {
        self.require(found == needed, Status::IrInvalidNumberOfIndices, notes, || {
            format!("{found} instead of {needed}; {}", self.describe(of))
        })
    }

    fn order(
        &self,
        value: Value,
        memref: &Memref,
        order: usize,
        status: Status,
    ) -> Result<(), VerifierError> {
        self.require(memref.order() == order, status, &[value], || self.describe(value))
    }
}
