//! The back end without a matrix engine: scalars, fused multiply-adds and subgroup broadcasts.

use super::super::arithmetic::{binary, cast};
use super::super::emitter::Emitted;
use super::super::error::Error;
use super::super::function::Translation;
use super::super::memory::alignment;
use super::super::values::Lowered;
use super::layout::{Layout, Place};
use crate::ir::{
    BinaryOp, Checked, Coopmatrix, CoopmatrixLoad, CoopmatrixMulAdd, CoopmatrixScale, CoopmatrixStore,
    Scalar, Transpose, Type, Value, Violation,
};
use crate::status::Status;
use crate::target::SpirvFeature;
use rspirv::spirv::{BuiltIn, Capability, Op, OpenclStd100Op, Scope, SelectionControl, Word};

/// A cooperative matrix in memory, as one work-item sees it.
struct Window {
    layout: Layout,
    scalar: Scalar,
    pointer_type: Word,
    /// Address of the work-item's entry in the first stripe.
    pointer: Word,
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
    fn new(
        t: &mut Translation<'_, '_>,
        memref: Value,
        [x, y]: [Value; 2],
        matrix: Coopmatrix,
        transpose: Transpose,
        checked: Checked,
    ) -> Emitted<Window> {
        let layout = Layout::new(matrix, t.subgroup_size);
        let Some(ty) = t.ir.ty(memref).memref() else {
            return Err(Error::UndefinedValue(t.values.location));
        };
        let pointer_type = t.element_pointer(ty)?;
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
        let emitter = &mut *t.emitter;
        let row = emitter.add(row_at, lane_row)?;
        let col = emitter.add(col_at, lane_col)?;
        let down = emitter.mul(row, row_stride)?;
        let right = emitter.mul(col, col_stride)?;
        let offset = emitter.add(down, right)?;
        let pointer = emitter.offset_pointer(pointer_type, view.pointer, offset)?;
        Ok(Window {
            layout,
            scalar: matrix.component,
            pointer_type,
            pointer,
            row_stride,
            col_stride,
            lane_col,
            row_check: checked.rows().then_some((row, row_end)),
            col_check: checked.cols().then_some((col, col_end)),
        })
    }

    /// Components in runs that share a condition, each with its condition.
    fn runs(&self, t: &mut Translation<'_, '_>) -> Emitted<Vec<(Option<Word>, Vec<(usize, Place)>)>> {
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
            conditional.push((condition, run));
        }
        Ok(conditional)
    }

    /// Whether the work-item's entry at a place is there; `None` if it always is.
    fn condition(&self, t: &mut Translation<'_, '_>, place: Place, padded: bool) -> Emitted<Option<Word>> {
        let mut conditions = Vec::new();
        if let Some((row, end)) = self.row_check {
            conditions.push(below(t, row, place.row_block * self.layout.stripe_rows, end)?);
        }
        let right = place.col_block * self.layout.stripe_cols;
        if let Some((col, end)) = self.col_check {
            conditions.push(below(t, col, right, end)?);
        }
        if padded {
            let cols = t.emitter.index_constant(self.layout.cols);
            conditions.push(below(t, self.lane_col, right, cols)?);
        }
        let boolean = t.emitter.bool_type();
        let mut all = None;
        for condition in conditions {
            all = Some(match all {
                None => condition,
                Some(all) => t.emitter.value(Op::LogicalAnd, boolean, &[all, condition])?,
            });
        }
        Ok(all)
    }

    /// The address of the work-item's entry at a place.
    fn address(&self, t: &mut Translation<'_, '_>, place: Place) -> Emitted<Word> {
        let emitter = &mut *t.emitter;
        let down = emitter.index_constant(place.row_block * self.layout.stripe_rows);
        let down = emitter.mul(down, self.row_stride)?;
        let right = emitter.index_constant(place.col_block * self.layout.stripe_cols);
        let right = emitter.mul(right, self.col_stride)?;
        let offset = emitter.add(down, right)?;
        emitter.offset_pointer(self.pointer_type, self.pointer, offset)
    }
}

/// The work-item's row and column in a stripe.
fn lanes(t: &mut Translation<'_, '_>, layout: &Layout) -> Emitted<(Word, Word)> {
    let lane = t.builtin(BuiltIn::SubgroupLocalInvocationId)?;
    let (index, narrow) = (t.emitter.index_type(), t.emitter.i32_type());
    let zero = t.emitter.index_constant(0);
    let wide = |t: &mut Translation<'_, '_>, word| t.emitter.value(Op::UConvert, index, &[word]);
    if layout.stripe_cols == 1 {
        return Ok((wide(t, lane)?, zero));
    }
    if layout.stripe_rows == 1 {
        return Ok((zero, wide(t, lane)?));
    }
    let rows = t.emitter.i32_constant(u32::try_from(layout.stripe_rows).unwrap_or(1));
    let row = t.emitter.value(Op::UMod, narrow, &[lane, rows])?;
    let col = t.emitter.value(Op::UDiv, narrow, &[lane, rows])?;
    Ok((wide(t, row)?, wide(t, col)?))
}

/// position + offset < end. Unsigned, so that negative positions fail too.
fn below(t: &mut Translation<'_, '_>, position: Word, offset: i64, end: Word) -> Emitted<Word> {
    let offset = t.emitter.index_constant(offset);
    let position = t.emitter.add(position, offset)?;
    let boolean = t.emitter.bool_type();
    t.emitter.value(Op::ULessThan, boolean, &[position, end])
}

/// Runs `then` where the condition holds; returns the label of the block before, and of the one in which
/// `then` ended.
fn guarded(
    t: &mut Translation<'_, '_>,
    condition: Word,
    then: impl FnOnce(&mut Translation<'_, '_>) -> Emitted<()>,
) -> Emitted<(Word, Word)> {
    let [body, merge] = std::array::from_fn(|_| t.emitter.builder.id());
    let before = t.emitter.block;
    t.emitter.builder.selection_merge(merge, SelectionControl::NONE)?;
    t.emitter.builder.branch_conditional(condition, body, merge, [])?;
    t.emitter.start_block(body)?;
    then(t)?;
    let end = t.emitter.block;
    t.emitter.builder.branch(merge)?;
    t.emitter.start_block(merge)?;
    Ok((before, end))
}

fn coopmatrix(t: &Translation<'_, '_>, ty: &Type) -> Emitted<Coopmatrix> {
    ty.coopmatrix().ok_or(Error::UndefinedValue(t.values.location))
}

/// Reads a matrix; entries that fail a check are 0.
pub(in crate::spirv) fn load(
    t: &mut Translation<'_, '_>,
    op: &CoopmatrixLoad,
    ty: &Type,
) -> Emitted<Lowered> {
    let matrix = coopmatrix(t, ty)?;
    let window = Window::new(t, op.from, [op.x, op.y], matrix, op.transpose, op.checked)?;
    let ty = t.emitter.scalar_type(window.scalar)?;
    let zero = t.emitter.zero(window.scalar)?;
    let mut components = vec![zero; window.layout.length()];
    for (condition, run) in window.runs(t)? {
        let mut loaded = Vec::new();
        let mut read = |t: &mut Translation<'_, '_>| -> Emitted<()> {
            for &(_, place) in &run {
                let pointer = window.address(t, place)?;
                loaded.push(t.emitter.load(ty, pointer, alignment(window.scalar))?);
            }
            Ok(())
        };
        match condition {
            None => read(t)?,
            Some(condition) => {
                let (before, end) = guarded(t, condition, &mut read)?;
                for word in &mut loaded {
                    *word = t.emitter.builder.phi(ty, None, [(*word, end), (zero, before)])?;
                }
            }
        }
        for (&(index, _), word) in run.iter().zip(loaded) {
            if let Some(component) = components.get_mut(index) {
                *component = word;
            }
        }
    }
    Ok(Lowered::Matrix(components))
}

/// Writes a matrix; entries that fail a check are skipped.
pub(in crate::spirv) fn store(t: &mut Translation<'_, '_>, op: &CoopmatrixStore) -> Emitted<()> {
    let matrix = coopmatrix(t, t.ir.ty(op.value))?;
    let window = Window::new(t, op.to, [op.x, op.y], matrix, op.transpose, op.checked)?;
    let components = t.values.matrix(op.value)?.to_vec();
    for (condition, run) in window.runs(t)? {
        let mut write = |t: &mut Translation<'_, '_>| -> Emitted<()> {
            for &(index, place) in &run {
                if let Some(&word) = components.get(index) {
                    let pointer = window.address(t, place)?;
                    t.emitter.store(pointer, word, alignment(window.scalar))?;
                }
            }
            Ok(())
        };
        match condition {
            None => write(t)?,
            Some(condition) => {
                guarded(t, condition, &mut write)?;
            }
        }
    }
    Ok(())
}

/// a·b + c, one row of b and one column at a time: the entry of b is broadcast, and every work-item
/// multiplies it with its rows of a (`spec/lowering.md` 4.1).
pub(in crate::spirv) fn mul_add(
    t: &mut Translation<'_, '_>,
    op: &CoopmatrixMulAdd,
    ty: &Type,
) -> Emitted<Lowered> {
    t.emitter.require(SpirvFeature::Groups, Capability::Groups)?;
    let [a, b, c] = [op.a, op.b, op.c].map(|value| t.ir.ty(value));
    let (a, b, c, d) = (coopmatrix(t, a)?, coopmatrix(t, b)?, coopmatrix(t, c)?, coopmatrix(t, ty)?);
    if c.rows % t.subgroup_size != 0 {
        let detail = format!("{} rows with subgroup size {}", c.rows, t.subgroup_size);
        return Err(Violation::new(Status::IrUnsupportedCoopmatrixShape, t.values.location, detail).into());
    }
    let [a_words, b_words, c_words] =
        [op.a, op.b, op.c].map(|value| t.values.matrix(value).map(<[Word]>::to_vec));
    let (a_words, b_words, mut sums) = (a_words?, b_words?, c_words?);
    let size = t.subgroup_size;
    let [a_layout, b_layout, c_layout] = [a, b, c].map(|matrix| Layout::new(matrix, size));

    // A component of a that several products use is converted once.
    let mut factors = Vec::with_capacity(a_words.len());
    for word in a_words {
        factors.push(cast(t.emitter, a.component, c.component, word)?);
    }
    for k in 0..a.cols {
        for col in 0..c.cols {
            let (lane, component) = b_layout.find(k, col);
            let Some(&word) = b_words.get(component) else { continue };
            let factor = broadcast(t, b.component, word, lane)?;
            let factor = cast(t.emitter, b.component, c.component, factor)?;
            for row in (0..c.rows).step_by(usize::try_from(size).unwrap_or(1)) {
                let (_, a_index) = a_layout.find(row, k);
                let (_, c_index) = c_layout.find(row, col);
                if let (Some(&a_word), Some(sum)) = (factors.get(a_index), sums.get_mut(c_index)) {
                    *sum = fused_multiply_add(t, c.component, a_word, factor, *sum)?;
                }
            }
        }
    }
    for sum in &mut sums {
        *sum = cast(t.emitter, c.component, d.component, *sum)?;
    }
    Ok(Lowered::Matrix(sums))
}

fn broadcast(t: &mut Translation<'_, '_>, scalar: Scalar, word: Word, lane: i64) -> Emitted<Word> {
    let ty = t.emitter.scalar_type(scalar)?;
    let scope = t.emitter.i32_constant(Scope::Subgroup as u32);
    let lane = t.emitter.i32_constant(u32::try_from(lane).unwrap_or(0));
    Ok(t.emitter.builder.group_broadcast(ty, None, scope, word, lane)?)
}

fn fused_multiply_add(
    t: &mut Translation<'_, '_>,
    scalar: Scalar,
    a: Word,
    b: Word,
    c: Word,
) -> Emitted<Word> {
    if scalar.is_float() {
        let ty = t.emitter.scalar_type(scalar)?;
        return t.emitter.opencl(OpenclStd100Op::fma, ty, &[a, b, c]);
    }
    let product = binary(t.emitter, BinaryOp::Mul, scalar, a, b)?;
    binary(t.emitter, BinaryOp::Add, scalar, product, c)
}

/// Every entry times a scalar.
pub(in crate::spirv) fn scale(
    t: &mut Translation<'_, '_>,
    op: &CoopmatrixScale,
    ty: &Type,
) -> Emitted<Lowered> {
    let matrix = coopmatrix(t, ty)?;
    let scalar = t.values.scalar(op.scalar)?;
    let mut words = t.values.matrix(op.matrix)?.to_vec();
    for word in &mut words {
        *word = binary(t.emitter, BinaryOp::Mul, matrix.component, scalar, *word)?;
    }
    Ok(Lowered::Matrix(words))
}
