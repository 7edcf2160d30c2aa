//! Structured control flow (lowering reference 3.4).
//!
//! A counter must not pass the largest value of its type. Where it is known not to, a loop goes on while the
//! counter is below its bound. Otherwise whether another iteration follows is decided at the end of an iteration, and
//! only then is the step added: there are compilers that take a signed addition never to wrap, wherever it
//! stands. Another iteration follows if the counter is below bound − step, which is one comparison an iteration as well.

use super::error::Error;
use super::function::{FunctionLowering, OpenLoop};
use super::lower::{Site, lowerings};
use super::matrix::MatrixBackend;
use super::module_builder::{Emitted, ModuleBuilder};
use super::numbers::{cast, from_memory};
use super::values::{Form, Lowered, MatrixValue};
use crate::analysis::{Interval, LoopBounds};
use crate::ir::{
    BreakIf, CoopmatrixLoad, CoopmatrixPrefetch, Family, For, If, MatrixIo, Op as IrOp, Parallel, Region,
    Scalar, Type, Unroll, Value, VerifierError, Yield,
};
use crate::status::Status;
use rspirv::dr::Operand;
use rspirv::spirv::{LoopControl, Op, SelectionControl, Word};

/// Decides about the iterations of a loop in place of counter and bound.
struct Guard {
    /// The number that the counter is below if another iteration follows.
    last: Word,
    /// The block that a loop without an iteration is left from, unless there is always one.
    skipped: Option<Skipped>,
}

/// A branch around a loop.
struct Skipped {
    from: Word,
    to: Word,
}

lowerings! {
    For: |op, f, site| f.for_loop(op, site);
    If: |op, f, site| f.branch(op.condition, site);
    BreakIf: |op, f, site| f.break_if(op.condition);
    Parallel: |op, f, site| f.ir[site.inst].regions.iter().try_for_each(|&region| f.body(site.matrices, region));
    // The region that it ends takes its values.
    Yield: |op, f, site| Err::<(), _>(Error::internal("it ends no region"));
}

impl FunctionLowering<'_, '_> {
    /// header (phis, condition) → body → continue → header; header → merge. With a guard: header (phis) →
    /// body (condition) → continue → header; body → merge. A body that ends the loop early does so to merge.
    pub fn for_loop(&mut self, op: &For, site: &Site<'_>) -> Emitted<()> {
        let data = &self.ir[site.inst];
        let &[region] = data.regions.as_slice() else { return Err(Error::internal("there is no body")) };
        let [variable, carried @ ..] = self.ir[region].parameters.as_slice() else {
            return Err(Error::internal("the body does not take the loop variable"));
        };
        let (mut from, mut to) = (self.values.scalar(op.from)?, self.values.scalar(op.to)?);
        let variable_type = self.component(self.ir.ty(*variable))?;
        let mut step = match op.step {
            Some(step) => self.values.scalar(step)?,
            None => self.module.int_constant(variable_type, 1)?,
        };
        let (control, parameters) = unroll(op);
        let bounds = LoopBounds::of(self.ir, op);
        let mut index_type = variable_type;
        // A GPU compares and adds 64 bits in two steps. Where addresses follow from the counter, it is better as wide as they are.
        if variable_type.bytes() > 4 && bounds.counter_is_narrow() && self.reads_blocks_only(region) {
            index_type = Scalar::I32;
            for number in [&mut from, &mut to, &mut step] {
                *number = match self.module.known(*number) {
                    Some(known) => self.module.int_constant(index_type, known)?,
                    None => cast(self.module, variable_type, index_type, *number)?,
                };
            }
        }
        let integer = self.module.scalar_type(index_type)?;
        let boolean = self.module.bool_type();
        let initials = op.init.iter().map(|&initial| self.copy(initial)).collect::<Result<_, _>>()?;
        let initials = self.in_form(site.matrices, initials, Form::Own)?;
        let guard = if bounds.counter_stays_in_range() {
            None
        } else {
            Some(self.guard(&bounds, index_type, [from, to, step])?)
        };
        let [header, body, latch, merge, next] = std::array::from_fn(|_| self.module.builder.id());
        let before = self.module.block;
        self.module.builder.branch(header)?;
        self.module.continue_in_block(header)?;
        let current = self.module.phi(integer, [(from, before), (next, latch)])?;
        if index_type == variable_type {
            self.define(*variable, Lowered::Scalar(current));
        }
        let mut phis = Vec::new();
        for (&value, initial) in carried.iter().zip(&initials) {
            let types = self.value_types(site.matrices, value, initial)?;
            let mut words = Vec::new();
            for (&word, ty) in initial.ids().iter().zip(types) {
                // What comes from the latch is known once the body is translated.
                let phi = self.module.phi(ty, [(word, before), (word, latch)])?;
                phis.push(phi);
                words.push(phi);
            }
            self.define(value, initial.with_ids(words)?);
        }
        if index_type != variable_type {
            // Behind the phis.
            let counter = cast(self.module, index_type, variable_type, current)?;
            self.define(*variable, Lowered::Scalar(counter));
        }
        let header_block = self.module.builder.selected_block();
        let goes_on = match guard {
            None => Some(self.module.value(Op::SLessThan, boolean, &[current, to])?),
            Some(_) => None,
        };
        self.module.builder.loop_merge(merge, latch, control, parameters)?;
        match goes_on {
            Some(goes_on) => self.module.builder.branch_conditional(goes_on, body, merge, [])?,
            None => self.module.builder.branch(body)?,
        }

        self.module.start_block(body)?;
        self.loops.push(OpenLoop { merge, breaks: Vec::new() });
        let yielded = self.region(site.matrices, region)?;
        let yielded = self.in_form(site.matrices, yielded, Form::Own)?;
        let breaks = self.loops.pop().map(|ended| ended.breaks).unwrap_or_default();
        let end_of_body = self.module.block;
        match &guard {
            None => self.module.builder.branch(latch)?,
            Some(guard) => {
                let another = self.module.value(Op::SLessThan, boolean, &[current, guard.last])?;
                self.module.builder.branch_conditional(another, latch, merge, [])?;
            }
        }
        self.module.continue_in_block(latch)?;
        self.module.value_under(next, Op::IAdd, integer, &[current, step])?;
        self.module.builder.branch(header)?;
        let from_latch: Vec<Word> = yielded.iter().flat_map(|lowered| lowered.ids().to_vec()).collect();
        self.complete_phis(header_block, &phis, &from_latch)?;

        self.module.continue_in_block(merge)?;
        let at_the_beginning: Vec<Lowered> =
            carried.iter().map(|&value| self.copy(value)).collect::<Result<_, _>>()?;
        let mut results = match &guard {
            None => at_the_beginning,
            Some(_) if breaks.is_empty() => yielded,
            Some(_) => {
                let early = breaks.into_iter().map(|block| (at_the_beginning.as_slice(), block));
                let sources: Vec<_> =
                    std::iter::once((yielded.as_slice(), end_of_body)).chain(early).collect();
                self.join(site.matrices, &data.results, &sources)?
            }
        };
        if let Some(Guard { skipped: Some(Skipped { from, to }), .. }) = guard {
            self.module.builder.branch(to)?;
            self.module.continue_in_block(to)?;
            results = self.join(site.matrices, &data.results, &[(&initials, from), (&results, merge)])?;
        }
        self.insert_results(&data.results, results);
        Ok(())
    }

    /// Returns whether all memory that a region reads and writes is matrices that come by 2D block messages, whose coordinates
    /// have 32 bits.
    fn reads_blocks_only(&self, region: Region) -> bool {
        let (mut reads, mut others) = (false, false);
        let is_block_2d = |io: Option<MatrixIo>| io.is_some_and(|io| io.class.is_block_2d());
        self.ir.walk(region, &mut |inst| {
            let op = &self.ir[inst].op;
            if let IrOp::CoopmatrixLoad(CoopmatrixLoad { io, .. })
            | IrOp::CoopmatrixPrefetch(CoopmatrixPrefetch { io, .. }) = op
            {
                (reads, others) = (true, others | !is_block_2d(*io));
            } else if !matches!(op, IrOp::Barrier(_) | IrOp::BarrierArrive(_) | IrOp::BarrierWait(_)) {
                others |= op.info().family == Family::Memory || matches!(op, IrOp::CoopmatrixStore(_));
            }
        });
        reads && !others
    }

    /// Prepares a loop whose counter might pass the largest value of its type, or whose step might not be
    /// positive, in which case there is no iteration. All of it is computed once, before the loop.
    fn guard(&mut self, bounds: &LoopBounds, ty: Scalar, [from, to, step]: [Word; 3]) -> Emitted<Guard> {
        let (integer, boolean) = (self.module.scalar_type(ty)?, self.module.bool_type());
        let skipped = if bounds.has_iteration() {
            None
        } else {
            let mut enters = self.module.value(Op::SLessThan, boolean, &[from, to])?;
            if bounds.step.is_none_or(|step| step <= 0) {
                let zero = self.module.int_constant(ty, 0)?;
                let counts_up = self.module.value(Op::SGreaterThan, boolean, &[step, zero])?;
                enters = self.module.value(Op::LogicalAnd, boolean, &[enters, counts_up])?;
            }
            let [entry, end] = std::array::from_fn(|_| self.module.builder.id());
            let skipped = Skipped { from: self.module.block, to: end };
            self.module.builder.selection_merge(end, SelectionControl::NONE)?;
            self.module.builder.branch_conditional(enters, entry, end, [])?;
            self.module.continue_in_block(entry)?;
            Some(skipped)
        };
        if let Some(last) = bounds.last_but_one() {
            return Ok(Guard { last: self.module.int_constant(ty, last)?, skipped });
        }
        let mut end = to;
        if !bounds.difference_stays_in_range() {
            // Below the smallest value there is room for one iteration only.
            let least = Interval::of_type(ty).min;
            let threshold = match bounds.step {
                Some(step) => self.module.int_constant(ty, least.wrapping_add(step))?,
                None => {
                    let smallest = self.module.int_constant(ty, least)?;
                    self.module.value(Op::IAdd, integer, &[smallest, step])?
                }
            };
            let below = self.module.value(Op::SLessThan, boolean, &[to, threshold])?;
            end = self.module.value(Op::Select, integer, &[below, threshold, to])?;
        }
        Ok(Guard { last: self.module.value(Op::ISub, integer, &[end, step])?, skipped })
    }

    /// Puts the values that come from the latch into the phis of a loop header.
    fn complete_phis(&mut self, block: Option<usize>, phis: &[Word], values: &[Word]) -> Emitted<()> {
        if phis.len() != values.len() {
            return Err(VerifierError::new(Status::IrYieldMismatch, self.values.location, "").into());
        }
        let builder = &mut self.module.builder;
        let function = builder.selected_function();
        let header = function
            .and_then(|function| builder.module_mut().functions.get_mut(function))
            .zip(block)
            .and_then(|(function, block)| function.blocks.get_mut(block))
            .ok_or_else(|| Error::internal("a loop header is missing"))?;
        let mut open = phis.iter().zip(values).peekable();
        for inst in &mut header.instructions {
            if let Some((_, &value)) = open.next_if(|(phi, _)| inst.result_id == Some(**phi))
                && let Some(operand) = inst.operands.get_mut(2)
            {
                *operand = Operand::IdRef(value);
            }
        }
        Ok(())
    }

    pub fn branch(&mut self, condition: Value, site: &Site<'_>) -> Emitted<()> {
        let data = &self.ir[site.inst];
        let [then, otherwise] = data.regions.as_slice() else {
            return Err(Error::internal("there are not two regions"));
        };
        let condition = self.condition(condition)?;
        let has_else = self.ir.last_inst(*otherwise).is_some();
        let [then_label, else_label, merge] = std::array::from_fn(|_| self.module.builder.id());
        let else_label = if has_else { else_label } else { merge };
        self.module.builder.selection_merge(merge, SelectionControl::NONE)?;
        self.module.builder.branch_conditional(condition, then_label, else_label, [])?;

        self.module.start_block(then_label)?;
        let then_values = self.region(site.matrices, *then)?;
        let then_values = self.in_form(site.matrices, then_values, Form::Components)?;
        let then_end = self.module.block;
        self.module.builder.branch(merge)?;
        let mut else_side = (Vec::new(), 0);
        if has_else {
            self.module.start_block(else_label)?;
            let values = self.region(site.matrices, *otherwise)?;
            let values = self.in_form(site.matrices, values, Form::Components)?;
            else_side = (values, self.module.block);
            self.module.builder.branch(merge)?;
        }
        self.module.continue_in_block(merge)?;
        let (else_values, else_end) = else_side;
        if then_values.len() != data.results.len() || else_values.len() != data.results.len() {
            return Err(VerifierError::new(Status::IrYieldMismatch, data.location, "").into());
        }
        let results =
            self.join(site.matrices, &data.results, &[(&then_values, then_end), (&else_values, else_end)])?;
        self.insert_results(&data.results, results);
        Ok(())
    }

    /// Phis of what some blocks hand on as `values`.
    fn join(
        &mut self,
        matrices: &dyn MatrixBackend,
        values: &[Value],
        sources: &[(&[Lowered], Word)],
    ) -> Emitted<Vec<Lowered>> {
        let mut joined = Vec::new();
        for (index, &value) in values.iter().enumerate() {
            let from = sources.iter().map(|(from, end)| from.get(index).map(|from| (from, *end)));
            let from: Option<Vec<_>> = from.collect();
            let from = from.filter(|from| !from.is_empty());
            let from = from.ok_or_else(|| Error::internal("a block hands on too little"))?;
            let Some(&(first, _)) = from.first() else { continue };
            let mut words = Vec::new();
            for (place, ty) in self.value_types(matrices, value, first)?.into_iter().enumerate() {
                let word = |(from, end): &(&Lowered, Word)| from.ids().get(place).map(|&word| (word, *end));
                let words_of_blocks: Vec<_> = from.iter().filter_map(word).collect();
                words.push(self.module.phi(ty, words_of_blocks)?);
            }
            joined.push(first.with_ids(words)?);
        }
        Ok(joined)
    }

    /// Leaves the innermost loop where a condition holds.
    fn break_if(&mut self, condition: Value) -> Emitted<()> {
        let condition = self.condition(condition)?;
        let next = self.module.builder.id();
        let from = self.module.block;
        let open = self.loops.last_mut().ok_or_else(|| Error::internal("there is no loop to leave"))?;
        open.breaks.push(from);
        self.module.builder.branch_conditional(condition, open.merge, next, [])?;
        self.module.start_block(next)
    }

    /// A condition that a branch takes.
    fn condition(&mut self, condition: Value) -> Emitted<Word> {
        let word = self.values.scalar(condition)?;
        match self.module.info.is_cpu() && self.depends_on_lane(condition) {
            true => opaque(self.module, word),
            false => Ok(word),
        }
    }

    /// Values with their matrices in a form.
    fn in_form(
        &mut self,
        matrices: &dyn MatrixBackend,
        values: Vec<Lowered>,
        form: Form,
    ) -> Emitted<Vec<Lowered>> {
        let mut converted = Vec::with_capacity(values.len());
        for value in values {
            converted.push(match value {
                Lowered::Matrix(matrix) => Lowered::Matrix(matrices.to_form(self, &matrix, form)?),
                lowered => lowered,
            });
        }
        Ok(converted)
    }

    /// The types of the ids that a scalar or matrix is made of, which must be `count`.
    fn value_types(
        &mut self,
        matrices: &dyn MatrixBackend,
        value: Value,
        lowered: &Lowered,
    ) -> Emitted<Vec<Word>> {
        let types = match self.ir.ty(value) {
            Type::Bool => vec![self.module.bool_type()],
            Type::Scalar(scalar) => vec![self.module.scalar_type(*scalar)?],
            Type::Coopmatrix(matrix) => {
                let form = lowered.matrix().map_or(Form::Own, MatrixValue::form);
                matrices.value_types(self, *matrix, form)?
            }
            Type::Memref(_) | Type::Group(_) | Type::Tile(_) => {
                return Err(Error::UndefinedValue(self.values.location));
            }
        };
        let count = lowered.ids().len();
        if types.len() != count {
            return Err(Error::internal(format!("{count} ids of {} types", types.len())));
        }
        Ok(types)
    }
}

/// A condition that a driver's compiler cannot take for another one.
///
/// Intel's CPU compiler (runtime 2026.2) makes one of conditions on the place in the subgroup, `lane < 1` and `lane == 0`, and where a
/// kernel branches on it more than once, the last of the branches can lose it: all lanes write.
fn opaque(module: &mut ModuleBuilder<'_>, truth: Word) -> Emitted<Word> {
    let (number, ty) = (module.i32_type(), module.bool_type());
    let [one, zero] = [1, 0].map(|value| module.i32_constant(value));
    let word = module.value(Op::Select, number, &[truth, one, zero])?;
    let word = from_memory(module, Scalar::I32, word)?;
    module.value(Op::INotEqual, ty, &[word, zero])
}

/// The loop control that the attribute `unroll` asks for.
fn unroll(op: &For) -> (LoopControl, Vec<Operand>) {
    match op.attributes.unroll {
        None => (LoopControl::NONE, vec![]),
        Some(Unroll::Full) => (LoopControl::UNROLL, vec![]),
        Some(Unroll::Never) => (LoopControl::DONT_UNROLL, vec![]),
        Some(Unroll::By(count)) => (LoopControl::PARTIAL_COUNT, vec![Operand::LiteralBit32(count)]),
    }
}
