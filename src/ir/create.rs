//! Making and checking instructions: no rule may be broken.

use super::declare::Results;
use super::entities::{Definition, Inst, Ir, Use, Value};
use super::instructions::Op;
use super::rules::{Check, Known, VerifierError, check_type};
use super::types::{Tile, Type};
use crate::diagnostics::Location;
use crate::status::Status;

/// A literal that cannot be an operand.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LiteralError {
    /// No type follows for it.
    #[error("no type follows for a literal")]
    Untyped(Value),
    /// It does not fit the type that follows.
    #[error(transparent)]
    Misfit(#[from] VerifierError),
}

impl Ir {
    /// Makes an instruction, which belongs to no region yet, with results of the given types.
    ///
    /// # Errors
    /// The first rule of the types or the instruction that is broken; `invalid_arguments` if there are more
    /// or fewer types than the instruction has results; [`Status::OutOfRange`] beyond the limit of
    /// [`Ir::limit_growth`]. Nothing is made then.
    pub fn create(
        &mut self,
        op: impl Into<Op>,
        results: &[Type],
        location: Location,
    ) -> Result<Inst, VerifierError> {
        let op = op.into();
        self.check_growth(1 + results.len(), location)?;
        let is_whole = |ty: &&Type| ty.tile().is_some_and(Tile::is_whole);
        results.iter().filter(|ty| !is_whole(ty)).try_for_each(|ty| check_type(ty, location))?;
        let check = Check { ir: self, results, location };
        check.instruction(&op)?;
        Ok(self.create_unchecked(op, results, location))
    }

    /// Gives the constants among the operands of an instruction, which a text has as literals, the types that follow from the
    /// rest (language reference 2.2). `results` are the types of the results, if the text gives them; a `yield` ends a region
    /// of `around`.
    ///
    /// # Errors
    /// The first literal for which no type follows, or the rule for constants that it breaks.
    pub fn type_literals(
        &mut self,
        op: &Op,
        results: &[Type],
        literals: &[Value],
        around: Option<Inst>,
    ) -> Result<(), LiteralError> {
        let mut types = Vec::new();
        {
            let known = Known { ir: self, results, literals };
            for &literal in literals {
                let ty = if let Op::Yield(end) = op {
                    let place = end.values.iter().position(|&value| value == literal);
                    around.zip(place).and_then(|(inst, place)| self.yielded_type(inst, place))
                } else {
                    op.literal_type(&known, literal)
                };
                types.push((literal, ty.ok_or(LiteralError::Untyped(literal))?));
            }
        }
        for (literal, ty) in types {
            self[literal].ty = ty;
            if let Definition::Result(inst) = self[literal].definition {
                self.check_instruction(inst)?;
            }
        }
        Ok(())
    }

    /// The type of a value that a region of an instruction yields.
    fn yielded_type(&self, inst: Inst, place: usize) -> Option<Type> {
        let data = &self[inst];
        match data.op.info().results {
            Results::Many => data.results.get(place).map(|&result| self.ty(result).clone()),
            // The mask of an access.
            _ if matches!(data.op, Op::TileLoad(_) | Op::TileStore(_)) => Some(Type::Bool),
            Results::One | Results::None => {
                let result = data.results.first().filter(|_| place == 0)?;
                self.ty(*result).component().map(Type::Scalar)
            }
        }
    }

    /// Checks that there may be so many entities more.
    pub(super) fn check_growth(&self, more: usize, location: Location) -> Result<(), VerifierError> {
        if self.max_entities.is_some_and(|most| self.entity_count().saturating_add(more) > most) {
            return Err(VerifierError::new(Status::OutOfRange, location, "the lowered program is too large"));
        }
        Ok(())
    }

    /// Checks an instruction as when it was made.
    pub(super) fn check_instruction(&self, inst: Inst) -> Result<(), VerifierError> {
        let data = &self[inst];
        let results: Vec<Type> = data.results.iter().map(|&result| self.ty(result).clone()).collect();
        let check = Check { ir: self, results: &results, location: data.location };
        check.instruction(&data.op)
    }

    /// Checks that each operand of an instruction is among the uses of its value.
    pub(super) fn check_uses(&self, inst: Inst) -> Result<(), VerifierError> {
        let data = &self[inst];
        let mut slots = (0..).zip(&data.slots);
        let mut complete = true;
        data.op.visit_operands(&mut |value| {
            let found = slots.next().and_then(|(operand, &slot)| {
                self.uses(value).get(slot as usize).filter(|found| **found == Use { user: inst, operand })
            });
            complete &= found.is_some();
        });
        if complete && slots.next().is_none() {
            return Ok(());
        }
        let detail = format!("`{}` is not among the uses of its operands", data.op.mnemonic());
        Err(VerifierError::new(Status::InternalCompilerError, data.location, detail))
    }
}
