//! Translation of instructions, and the walk over regions.

use super::error::Error;
use super::function::FunctionLowering;
use super::matrix::MatrixBackend;
use super::module_builder::Emitted;
use super::values::Lowered;
use crate::ir::{Inst, Op, Region, Type, Value, VerifierError, for_each_instruction};
use crate::status::Status;

/// Translation of an instruction of one kind. Every kind implements it, in the file of its family; what a pass lowers
/// does not come here.
pub(super) trait Lower {
    /// Translates the instruction; returns its result if it has exactly one.
    fn lower(&self, f: &mut FunctionLowering<'_, '_>, site: &Site<'_>) -> Emitted<Option<Lowered>>;
}

/// An instruction, the type of its first result, and the code for cooperative matrices.
pub(super) struct Site<'i> {
    pub inst: Inst,
    ty: Option<&'i Type>,
    pub matrices: &'i dyn MatrixBackend,
}

impl<'i> Site<'i> {
    /// The type of the result.
    pub fn ty(&self) -> Emitted<&'i Type> {
        self.ty.ok_or_else(|| Error::internal("it has no result"))
    }
}

/// Results of the translation of an instruction.
pub(super) trait Outcome {
    /// The result, if there is exactly one.
    fn result(self) -> Option<Lowered>;
}

impl Outcome for Lowered {
    fn result(self) -> Option<Lowered> {
        Some(self)
    }
}

impl Outcome for () {
    fn result(self) -> Option<Lowered> {
        None
    }
}

/// Implements [`Lower`] for instructions: their type, names for instruction, lowering and site, and the call that
/// translates.
macro_rules! lowerings {
    ($($ty:ty: |$op:ident, $f:ident, $site:ident| $outcome:expr;)*) => {$(
        impl $crate::spirv::lower::Lower for $ty {
            #[allow(unused_variables, reason = "not every translation needs all of it")]
            fn lower(
                &self,
                $f: &mut $crate::spirv::function::FunctionLowering<'_, '_>,
                $site: &$crate::spirv::lower::Site<'_>,
            ) -> $crate::spirv::module_builder::Emitted<Option<$crate::spirv::values::Lowered>> {
                let $op = self;
                $outcome.map($crate::spirv::lower::Outcome::result)
            }
        }
    )*};
}
pub(super) use lowerings;

/// Calls [`Lower::lower`] of an instruction, whichever it is.
macro_rules! lower_each {
    (@op ($op:expr, $f:expr, $site:expr)) => { $op };
    (@call $inst:ident [Pass] $context:tt) => {{
        let _ = $inst;
        Err(Error::internal("it should have been lowered before translation"))
    }};
    (@call $inst:ident $stage:tt ($op:expr, $f:expr, $site:expr)) => { $inst.lower($f, $site) };
    ($context:tt $($name:ident $stage:tt)*) => {
        match lower_each!(@op $context) { $(Op::$name(op) => lower_each!(@call op $stage $context)),* }
    };
}

impl FunctionLowering<'_, '_> {
    /// Translates a region that has nobody to yield to.
    pub fn body(&mut self, matrices: &dyn MatrixBackend, region: Region) -> Emitted<()> {
        let is_yield = |inst: &Inst| matches!(self.ir[*inst].op, Op::Yield(_));
        if let Some(inst) = self.ir.insts(region).find(is_yield) {
            return Err(VerifierError::new(Status::IrUnexpectedYield, self.ir[inst].location, "").into());
        }
        self.region(matrices, region).map(|_| ())
    }

    /// Translates a region; returns what it yields. Code that follows comes from the instruction with the region.
    pub fn region(&mut self, matrices: &dyn MatrixBackend, region: Region) -> Emitted<Vec<Lowered>> {
        let (own, mut yielded) = (self.module.location, Vec::new());
        for inst in self.ir.insts(region) {
            let data = &self.ir[inst];
            self.values.location = data.location;
            self.module.location = data.location;
            self.module.note_line(self.ir);
            if let Op::Yield(end) = &data.op {
                yielded = end.values.iter().map(|&value| self.copy(value)).collect::<Result<_, _>>()?;
            } else if let Some(lowered) = self
                .instruction(matrices, inst)
                .map_err(|error| error.in_instruction(data.op.mnemonic(), data.location))?
                && let Some(&result) = data.results.first()
            {
                self.module.grow(lowered.ids().len())?;
                let lowered = match lowered {
                    Lowered::Matrix(matrix) if self.is_factor(result) => {
                        Lowered::Matrix(matrices.as_factor(self, matrix)?)
                    }
                    lowered => lowered,
                };
                self.define(result, lowered);
            }
        }
        (self.values.location, self.module.location) = (own, own);
        Ok(yielded)
    }

    /// Returns whether a product takes a matrix as a factor.
    fn is_factor(&self, value: Value) -> bool {
        let takes = |op: &Op| matches!(op, Op::CoopmatrixMulAdd(op) if [op.a, op.b].contains(&value));
        self.ir.uses(value).iter().any(|found| takes(&self.ir[found.user].op))
    }

    /// Translates an instruction; returns its result if it has exactly one. Loops and branches note
    /// their results themselves.
    fn instruction(&mut self, matrices: &dyn MatrixBackend, inst: Inst) -> Emitted<Option<Lowered>> {
        let data = &self.ir[inst];
        let site = Site { inst, ty: data.results.first().map(|&result| self.ir.ty(result)), matrices };
        for_each_instruction!(lower_each(&data.op, self, &site))
    }
}
