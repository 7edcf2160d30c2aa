//! Records remarks: the messages of an access are read off the instructions that it has become.

use super::module_builder::ModuleBuilder;
use super::remark::{AccessForm, Remark};
use crate::ir::{Coopmatrix, Transpose};

/// End of the current function before an access: its blocks, and the instructions of the last one.
pub(super) struct Mark(usize, usize);

impl ModuleBuilder<'_> {
    /// Notes why there are no 2D blocks for the matrix that is being translated.
    pub fn refuse_blocks(&mut self, reason: &'static str) {
        if let Some(remarks) = &mut self.remarks {
            remarks.refusal = Some(reason);
        }
    }

    /// Notes that the lanes share the addresses of the matrix that is being translated.
    pub fn note_uniform(&mut self) {
        if let Some(remarks) = &mut self.remarks {
            remarks.is_uniform = true;
        }
    }

    /// The place before an access, if remarks are wanted.
    pub fn mark(&mut self) -> Option<Mark> {
        let remarks = self.remarks.as_mut()?;
        (remarks.refusal, remarks.is_uniform) = (None, false);
        let function = self.builder.module_ref().functions.last()?;
        Some(Mark(function.blocks.len(), function.blocks.last()?.instructions.len()))
    }

    /// Notes the access that has been translated since the mark.
    pub fn remark(&mut self, mark: Option<Mark>, is_store: bool, matrix: Coopmatrix, transpose: Transpose) {
        let (Some(Mark(blocks, start)), Some(remarks)) = (mark, &mut self.remarks) else { return };
        let Some(function) = self.builder.module_ref().functions.last() else { return };
        let first = function.blocks.iter().skip(blocks.saturating_sub(1)).take(1);
        let emitted = first.flat_map(|block| block.instructions.iter().skip(start));
        let emitted =
            emitted.chain(function.blocks.iter().skip(blocks).flat_map(|block| &block.instructions));
        // What a block message leaves in a variable is loaded from there, so that the least of the forms counts.
        let Some(form) = emitted.filter_map(|inst| AccessForm::of(inst.class.opcode)).min() else { return };
        let form = if form == AccessForm::Lanes && remarks.is_uniform { AccessForm::Uniform } else { form };
        let is_2d = form < AccessForm::Block1d;
        let remark = Remark {
            function: self.function.clone(),
            location: self.location,
            is_store,
            usage: matrix.usage,
            component: matrix.component,
            extents: [matrix.rows, matrix.cols],
            transpose,
            form,
            reason: remarks.refusal.filter(|_| !is_2d),
            count: 1,
        };
        let same = |other: &&mut Remark| Remark { count: 1, ..(*other).clone() } == remark;
        match remarks.all.iter_mut().find(same) {
            Some(other) => other.count += 1,
            None => remarks.all.push(remark),
        }
    }
}
