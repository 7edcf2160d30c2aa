//! Rows of A and columns of B that lie outside of the memref where nothing depends on what a load has there: it reads others in their place,
//! which are there, so that nobody need ask which are.

use crate::analysis::{Layout, Place, hides_rows};
use crate::ir::MatrixUse;
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::matrix::access::{Axis, MatrixAccess};
use crate::spirv::module_builder::Emitted;
use rspirv::spirv::{Op, OpenclStd100Op, Word};

/// A work-item's rows or columns of a matrix, none of them beyond the last one that there is.
pub(super) struct Clamped {
    stripes: Vec<Stripe>,
}

/// A work-item's row or column in a stripe.
struct Stripe {
    /// Place of the stripe.
    place: i64,
    /// Number of the row or column, counted from the first one of the matrix.
    own: Word,
    /// Its distance from the first one, if all work-items have the same.
    distance: Option<Word>,
}

/// A work-item's row or column in the first stripe.
struct Lane {
    word: Word,
    /// The largest one of any work-item.
    most: i64,
}

/// The last row or column that there is, counted from the first one of a matrix; negative if all of the matrix lies beyond it.
#[derive(Clone, Copy)]
enum Last {
    Known(i64),
    /// Known at run time, in 32 bits, of which an instruction takes less: no matrix in registers is longer.
    Open(Word),
}

impl Clamped {
    /// The rows and columns of an access that are read so.
    pub fn of(
        f: &mut FunctionLowering<'_, '_>,
        access: &MatrixAccess<'_>,
        layout: &Layout,
        [lane_row, lane_col]: [Word; 2],
    ) -> Emitted<[Option<Clamped>; 2]> {
        let [rows, cols] = access.axes();
        let stripes = |place: fn(&Layout, Place) -> i64| {
            let mut stripes: Vec<i64> = layout.places().map(|at| place(layout, at)).collect();
            stripes.sort_unstable();
            stripes.dedup();
            stripes
        };
        if !is_possible(f, access) {
            return Ok([None, None]);
        }
        if access.matrix.usage == MatrixUse::A && has_undefined_rows(f, access) {
            let lane = Lane { word: lane_row, most: layout.lane_rows() * (layout.stripe_rows - 1) };
            return Ok([Some(Clamped::new(f, rows, &lane, stripes(Layout::first_row))?), None]);
        }
        if has_undefined_cols(access) {
            let lane = Lane { word: lane_col, most: layout.stripe_cols - 1 };
            return Ok([None, Some(Clamped::new(f, cols, &lane, stripes(Layout::first_col))?)]);
        }
        Ok([None, None])
    }

    /// The columns of an access whose work-items all read the same, if they are read so.
    pub fn uniform(f: &mut FunctionLowering<'_, '_>, access: &MatrixAccess<'_>) -> Emitted<Option<Clamped>> {
        if !is_possible(f, access) || !has_undefined_cols(access) {
            return Ok(None);
        }
        let [_, cols] = access.axes();
        let lane = Lane { word: f.module.index_constant(0), most: 0 };
        Clamped::new(f, cols, &lane, (0..access.matrix.cols).collect()).map(Some)
    }

    fn new(f: &mut FunctionLowering<'_, '_>, axis: Axis, lane: &Lane, stripes: Vec<i64>) -> Emitted<Clamped> {
        let one = f.module.index_constant(1);
        let last = f.module.sub(axis.end, axis.start)?;
        let last = f.module.sub(last, one)?;
        let last = match f.module.known(last) {
            Some(known) => Last::Known(known),
            None => {
                let (index, longest) = (f.module.index_type(), f.module.index_constant(i32::MAX.into()));
                let last = f.module.opencl(OpenclStd100Op::s_min, index, &[last, longest])?;
                Last::Open(f.module.narrowed(last)?)
            }
        };
        let mut found = Vec::new();
        for place in stripes {
            let own = lane.within(f, place, last)?;
            found.push(Stripe { place, own, distance: None });
        }
        if let (Last::Open(last), 0, None) = (last, lane.most, f.module.known(axis.stride)) {
            measure(f, &mut found, last, axis.stride)?;
        }
        Ok(Clamped { stripes: found })
    }

    /// The work-item's row or column, if all stripes are one.
    pub fn only(&self) -> Option<Word> {
        if let [stripe] = self.stripes.as_slice() { Some(stripe.own) } else { None }
    }
}

/// Computes the distances of columns that all work-items have: that of the last one for those behind it. A selection takes less than the
/// multiplication of a number that is not known. The numbers are compared, not the distances: a memref of one column may have any stride.
fn measure(
    f: &mut FunctionLowering<'_, '_>,
    stripes: &mut [Stripe],
    last: Word,
    stride: Word,
) -> Emitted<()> {
    let (index, boolean) = (f.module.index_type(), f.module.bool_type());
    let number = f.module.value(Op::SConvert, index, &[last])?;
    let farthest = f.module.mul(number, stride)?;
    for stripe in stripes {
        let place = f.module.index_constant(stripe.place);
        let own = f.module.mul(place, stride)?;
        let place = f.module.narrowed(place)?;
        let is_there = f.module.value(Op::SLessThanEqual, boolean, &[place, last])?;
        stripe.distance = Some(f.module.value(Op::Select, index, &[is_there, own, farthest])?);
    }
    Ok(())
}

/// The distance of the stripe at a place from the first row or column of the matrix, in elements; that of the work-item's own row or column there
/// where it is clamped.
pub(super) fn distance(
    f: &mut FunctionLowering<'_, '_>,
    clamped: Option<&Clamped>,
    (place, stride): (i64, Word),
) -> Emitted<Word> {
    let own = match clamped {
        None => f.module.index_constant(place),
        Some(clamped) => {
            let stripe = clamped.stripes.iter().find(|stripe| stripe.place == place);
            let stripe = stripe.ok_or_else(|| Error::internal(format!("no stripe at {place}")))?;
            if let Some(distance) = stripe.distance {
                return Ok(distance);
            }
            stripe.own
        }
    };
    f.module.mul(own, stride)
}

impl Lane {
    /// The work-item's row or column in a stripe, counted from the first one of the matrix, or the last one if it lies beyond that.
    fn within(&self, f: &mut FunctionLowering<'_, '_>, stripe: i64, last: Last) -> Emitted<Word> {
        let (narrow, index) = (f.module.i32_type(), f.module.index_type());
        let first = f.module.index_constant(stripe);
        match last {
            Last::Known(last) if stripe.saturating_add(self.most) <= last => f.module.add(self.word, first),
            Last::Known(last) => {
                let min = if last < 0 { OpenclStd100Op::s_min } else { OpenclStd100Op::u_min };
                let (own, last) = (f.module.add(self.word, first)?, f.module.index_constant(last));
                f.module.opencl(min, index, &[own, last])
            }
            Last::Open(last) => {
                let (own, first) = (f.module.narrowed(self.word)?, f.module.narrowed(first)?);
                let own = f.module.value(Op::IAdd, narrow, &[own, first])?;
                let found = f.module.opencl(OpenclStd100Op::s_min, narrow, &[own, last])?;
                f.module.value(Op::SConvert, index, &[found])
            }
        }
    }
}

/// Returns whether others may be read in the place of what is undefined. On a CPU a mask costs less than rows that do not follow each
/// other, and numbers that share bytes are not found so.
fn is_possible(f: &FunctionLowering<'_, '_>, access: &MatrixAccess<'_>) -> bool {
    !f.module.info.is_cpu() && !access.matrix.component.is_packed()
}

/// Returns whether nobody sees what a load has in rows beyond the end.
pub(super) fn has_undefined_rows(f: &FunctionLowering<'_, '_>, access: &MatrixAccess<'_>) -> bool {
    let [rows, _] = access.axes();
    let hides = |there: i64| access.result.is_some_and(|result| hides_rows(f.ir, result, there));
    let is_hidden = || match (f.module.known(rows.start), f.module.known(rows.end)) {
        (Some(0), Some(there)) => {
            let is_short = (1..f.subgroup_size).contains(&there);
            access.matrix.rows == f.subgroup_size && is_short && hides(there)
        }
        _ => false,
    };
    let is_undefined = access.is_undefined && access.matrix.usage == MatrixUse::A;
    rows.checked && (is_undefined || is_hidden())
}

/// Returns whether nobody sees what a load of a factor B has in columns beyond the end.
fn has_undefined_cols(access: &MatrixAccess<'_>) -> bool {
    let [_, cols] = access.axes();
    access.matrix.usage == MatrixUse::B && cols.checked && access.is_undefined
}
