//! Where the entries of a cooperative matrix lie in memory, and which of them are there.

use super::super::error::Error;
use super::super::function::FunctionLowering;
use super::super::module_builder::Emitted;
use crate::analysis::{Layout, Place};
use crate::ir::{Checked, Coopmatrix, Scalar, Transpose, Value};
use rspirv::spirv::{BuiltIn, Op, SelectionControl, Word};

/// Components that are accessed under one condition, by number and place.
pub(super) struct Run {
    /// `None` if it always holds.
    pub condition: Option<Word>,
    pub components: Vec<(usize, Place)>,
}

/// A cooperative matrix in memory, as one work-item sees it.
pub(super) struct Window {
    pub layout: Layout,
    pub scalar: Scalar,
    pointer_type: Word,
    /// Address of the work-item's entry in the first stripe.
    pointer: Word,
    /// Whether all addresses lie in the memref, without any check.
    everywhere: bool,
    /// Distance of neighbouring rows and columns of the matrix, in elements.
    row_stride: Word,
    col_stride: Word,
    /// The work-item's column in a stripe.
    lane_col: Word,
    /// The work-item's row and column in memory, and what they must stay below, if that is checked.
    row_check: Option<(Word, Word)>,
    col_check: Option<(Word, Word)>,
}

impl Window {
    pub fn new(
        t: &mut FunctionLowering<'_, '_>,
        memref: Value,
        [x, y]: [Value; 2],
        matrix: Coopmatrix,
        transpose: Transpose,
        checked: Checked,
    ) -> Emitted<Window> {
        let layout = super::layout(t, matrix)?;
        let Some(ty) = t.ir.ty(memref).memref() else {
            return Err(Error::UndefinedValue(t.values.location));
        };
        let pointer_type = t.module.element_pointer_type(ty.element, ty.space)?;
        let view = t.values.memref(memref)?.clone();
        let (&[rows, cols], &[s0, s1]) = (view.shape.as_slice(), view.stride.as_slice()) else {
            return Err(Error::UndefinedValue(t.values.location));
        };
        let (x, y) = (t.values.scalar(x)?, t.values.scalar(y)?);
        // Rows and columns are those of the cooperative matrix.
        let ((row_at, row_stride, row_end), (col_at, col_stride, col_end)) = match transpose {
            Transpose::N => ((x, s0, rows), (y, s1, cols)),
            Transpose::T => ((y, s1, cols), (x, s0, rows)),
        };
        let (lane_row, lane_col) = lanes(t, &layout)?;
        let module = &mut *t.module;
        let row = module.add(row_at, lane_row)?;
        let col = module.add(col_at, lane_col)?;
        let down = module.mul(row, row_stride)?;
        let right = module.mul(col, col_stride)?;
        let offset = module.add(down, right)?;
        let everywhere = checked == Checked::None && !layout.places().any(|place| layout.has_padding(place));
        let pointer = module.shifted_pointer(pointer_type, view.pointer, offset, everywhere)?;
        Ok(Window {
            layout,
            scalar: matrix.component,
            pointer_type,
            pointer,
            everywhere,
            row_stride,
            col_stride,
            lane_col,
            row_check: checked.rows().then_some((row, row_end)),
            col_check: checked.cols().then_some((col, col_end)),
        })
    }

    /// Components in runs that share a condition.
    pub fn runs(&self, t: &mut FunctionLowering<'_, '_>) -> Emitted<Vec<Run>> {
        type Key = (Option<i64>, Option<i64>, bool);
        let mut runs: Vec<(Key, Vec<(usize, Place)>)> = Vec::new();
        for (index, place) in self.layout.places().enumerate() {
            let padded = self.layout.has_padding(place);
            let key = (
                self.row_check.map(|_| place.row_block),
                (self.col_check.is_some() || padded).then_some(place.col_block),
                padded,
            );
            match runs.last_mut() {
                Some((last, run)) if *last == key => run.push((index, place)),
                _ => runs.push((key, vec![(index, place)])),
            }
        }
        let mut conditional = Vec::new();
        for ((_, _, padded), run) in runs {
            let condition = match run.first() {
                Some(&(_, place)) => self.condition(t, place, padded)?,
                None => None,
            };
            conditional.push(Run { condition, components: run });
        }
        Ok(conditional)
    }

    /// Whether the work-item's entry at a place is there; `None` if it always is.
    fn condition(
        &self,
        t: &mut FunctionLowering<'_, '_>,
        place: Place,
        padded: bool,
    ) -> Emitted<Option<Word>> {
        let mut conditions = Vec::new();
        if let Some((row, end)) = self.row_check {
            conditions.push(below(t, row, place.row_block * self.layout.stripe_rows, end)?);
        }
        let right = place.col_block * self.layout.stripe_cols;
        if let Some((col, end)) = self.col_check {
            conditions.push(below(t, col, right, end)?);
        }
        if padded {
            let cols = t.module.index_constant(self.layout.cols);
            conditions.push(below(t, self.lane_col, right, cols)?);
        }
        let boolean = t.module.bool_type();
        let mut all = None;
        for condition in conditions {
            all = Some(match all {
                None => condition,
                Some(all) => t.module.value(Op::LogicalAnd, boolean, &[all, condition])?,
            });
        }
        Ok(all)
    }

    /// The address of the work-item's entry at a place.
    pub fn address(&self, t: &mut FunctionLowering<'_, '_>, place: Place) -> Emitted<Word> {
        let module = &mut *t.module;
        let down = module.index_constant(place.row_block * self.layout.stripe_rows);
        let down = module.mul(down, self.row_stride)?;
        let right = module.index_constant(place.col_block * self.layout.stripe_cols);
        let right = module.mul(right, self.col_stride)?;
        let offset = module.add(down, right)?;
        module.shifted_pointer(self.pointer_type, self.pointer, offset, self.everywhere)
    }
}

/// Puts `filler` where work-items hold padding.
pub(in crate::spirv) fn fill_padding(
    t: &mut FunctionLowering<'_, '_>,
    matrix: Coopmatrix,
    words: &mut [Word],
    filler: Word,
) -> Emitted<()> {
    let layout = super::layout(t, matrix)?;
    if !layout.places().any(|place| layout.has_padding(place)) {
        return Ok(());
    }
    let ty = t.module.scalar_type(matrix.component)?;
    let (_, lane_col) = lanes(t, &layout)?;
    for (word, place) in words.iter_mut().zip(layout.places()) {
        if layout.has_padding(place) {
            let cols = t.module.index_constant(layout.cols);
            let inside = below(t, lane_col, place.col_block * layout.stripe_cols, cols)?;
            *word = t.module.value(Op::Select, ty, &[inside, *word, filler])?;
        }
    }
    Ok(())
}

/// The work-item's row and column in a stripe.
fn lanes(t: &mut FunctionLowering<'_, '_>, layout: &Layout) -> Emitted<(Word, Word)> {
    let lane = t.builtin(BuiltIn::SubgroupLocalInvocationId)?;
    let (index, narrow) = (t.module.index_type(), t.module.i32_type());
    let zero = t.module.index_constant(0);
    let wide = |t: &mut FunctionLowering<'_, '_>, word| t.module.value(Op::UConvert, index, &[word]);
    if layout.stripe_cols == 1 {
        return Ok((wide(t, lane)?, zero));
    }
    if layout.stripe_rows == 1 {
        return Ok((zero, wide(t, lane)?));
    }
    let rows = t.module.i32_constant(u32::try_from(layout.stripe_rows).unwrap_or(1));
    let row = t.module.value(Op::UMod, narrow, &[lane, rows])?;
    let col = t.module.value(Op::UDiv, narrow, &[lane, rows])?;
    Ok((wide(t, row)?, wide(t, col)?))
}

/// position + offset < end. Unsigned, so that negative positions fail too.
fn below(t: &mut FunctionLowering<'_, '_>, position: Word, offset: i64, end: Word) -> Emitted<Word> {
    let offset = t.module.index_constant(offset);
    let position = t.module.add(position, offset)?;
    let boolean = t.module.bool_type();
    t.module.value(Op::ULessThan, boolean, &[position, end])
}

/// Runs `then` where the condition holds; returns the label of the block before, and of the one in which
/// `then` ended.
pub(super) fn guarded(
    t: &mut FunctionLowering<'_, '_>,
    condition: Word,
    then: impl FnOnce(&mut FunctionLowering<'_, '_>) -> Emitted<()>,
) -> Emitted<(Word, Word)> {
    let [body, merge] = std::array::from_fn(|_| t.module.builder.id());
    let before = t.module.block;
    t.module.builder.selection_merge(merge, SelectionControl::NONE)?;
    t.module.builder.branch_conditional(condition, body, merge, [])?;
    t.module.start_block(body)?;
    then(t)?;
    let end = t.module.block;
    t.module.builder.branch(merge)?;
    t.module.start_block(merge)?;
    Ok((before, end))
}
