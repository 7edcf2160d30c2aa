//! Loops, branches, and operations on whole tensors.

use super::number::Number;
use super::tensors::{Update, every};
use super::{Datum, Reference, Run};
use tiletc::ir::{For, Inst, Op, Region, Transpose, Value};

impl Reference<'_> {
    /// Runs what is in an instruction.
    pub fn control(&mut self, inst: Inst, op: &Op) -> Run<()> {
        let ir = self.ir;
        let regions = &ir[inst].regions;
        let results = match op {
            Op::For(head) => self.for_loop(head, regions[0])?,
            Op::If(branch) => {
                let Number::Bool(condition) = self.number(branch.condition)? else {
                    return Err("a branch that depends on roundings");
                };
                match (condition, regions.get(1)) {
                    (true, _) => self.region(regions[0])?,
                    (false, Some(&region)) => self.region(region)?,
                    (false, None) => Vec::new(),
                }
            }
            Op::Foreach(head) => {
                let (from, to) = (self.ints(&head.from)?, self.ints(&head.to)?);
                for indices in every(&from, &to, &vec![1; from.len()]) {
                    self.bind(regions[0], indices.into_iter().map(|index| Number::Int(index).into()));
                    self.region(regions[0])?;
                }
                return Ok(());
            }
            Op::ForeachTile(head) => {
                let (from, to) = (self.ints(&head.from)?, self.ints(&head.to)?);
                for start in every(&from, &to, &head.tile_shape) {
                    let sizes = start.iter().zip(&to).zip(&head.tile_shape);
                    let sizes: Vec<i64> = sizes.map(|((start, to), size)| *size.min(&(to - start))).collect();
                    let numbers = start.into_iter().chain(sizes).map(Number::Int);
                    self.bind(regions[0], numbers.map(Datum::Number));
                    self.region(regions[0])?;
                }
                return Ok(());
            }
            Op::Parallel(_) if !ir[inst].results.is_empty() => self.shares(regions[0])?,
            // All subgroups do the same.
            _ => self.region(regions[0])?,
        };
        self.values.extend(ir[inst].results.iter().copied().zip(results));
        Ok(())
    }

    fn for_loop(&mut self, head: &For, body: Region) -> Run<Vec<Datum>> {
        let (mut at, to) = (self.int(head.from)?, self.int(head.to)?);
        let step = head.step.map_or(Ok(1), |step| self.int(step))?;
        let mut carried = self.data(&head.init)?;
        while step > 0 && at < to {
            self.step()?;
            self.bind(body, std::iter::once(Number::Int(at).into()).chain(carried.clone()));
            let yielded = self.region(body)?;
            if std::mem::take(&mut self.leaves_loop) {
                break;
            }
            carried = yielded;
            // Behind the last turn there may be no number.
            let Some(next) = at.checked_add(step) else { break };
            at = next;
        }
        Ok(carried)
    }

    fn update(&self, [alpha, beta, output]: [Value; 3]) -> Run<Update> {
        Ok(Update { alpha: self.number(alpha)?, beta: self.number(beta)?, output: self.view(output)? })
    }

    /// Linear algebra.
    pub fn linear_algebra(&mut self, op: &Op) -> Run<()> {
        match op {
            Op::Axpby(op) => {
                let (update, a) = (self.update([op.alpha, op.beta, op.b])?, self.view(op.a)?);
                self.axpby(&update, op.transpose, &a)
            }
            Op::Cumsum(op) => {
                let (update, a) = (self.update([op.alpha, op.beta, op.b])?, self.view(op.a)?);
                self.cumsum(&update, &a, op.mode)
            }
            Op::Sum(op) => {
                let (update, a) = (self.update([op.alpha, op.beta, op.b])?, self.view(op.a)?);
                self.row_sums(&update, op.transpose, &a)
            }
            Op::Gemv(op) => {
                let update = self.update([op.alpha, op.beta, op.c])?;
                let (a, b) = (self.view(op.a)?, self.view(op.b)?);
                self.product(&update, (op.transpose, &a), (Transpose::N, &b))
            }
            Op::Gemm(op) => {
                let update = self.update([op.alpha, op.beta, op.c])?;
                let (a, b) = (self.view(op.a)?, self.view(op.b)?);
                self.product(&update, (op.transpose_a, &a), (op.transpose_b, &b))
            }
            Op::Ger(op) => {
                let update = self.update([op.alpha, op.beta, op.c])?;
                let (a, b) = (self.view(op.a)?, self.view(op.b)?);
                self.products(&update, &a, &b, |indices| (indices[..1].to_vec(), indices[1..].to_vec()))
            }
            Op::Hadamard(op) => {
                let update = self.update([op.alpha, op.beta, op.c])?;
                let (a, b) = (self.view(op.a)?, self.view(op.b)?);
                self.products(&update, &a, &b, |indices| (indices.to_vec(), indices.to_vec()))
            }
            _ => Err("no linear algebra"),
        }
    }
}
