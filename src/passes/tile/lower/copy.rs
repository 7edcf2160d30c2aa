//! Copies to panels in local memory, of which each subgroup moves some columns (tile reference 2.8).

use super::super::super::emit::Emit as _;
use super::super::super::error::{Error, internal};
use super::super::entry::in_memory;
use super::{Arriving, Lowering, uncombined};
use crate::ir::{
    BinaryOp, Boundary, Builder, Checked, CompareOp, Constant, Coopmatrix, CoopmatrixLoad, CoopmatrixStore,
    LocalSubgroup, LocalSubgroupBuiltin, MatrixUse, Slice, TileCopy, Transpose, Type,
};

/// Columns that a subgroup moves at a time at most: as many as the rows of a block message, and as fill a line of memory.
const MAX_COLS: i64 = 32;

impl Lowering<'_> {
    /// Loads what a subgroup copies. It is stored in front of the next barrier, as late as it can be, so that whatever lies between
    /// does not wait for memory: before a barrier nobody looks at what is copied.
    pub(super) fn copy(&mut self, builder: &mut Builder<'_>, copy: &TileCopy) -> Result<(), Error> {
        let Some(panels) = self.settings.schedule.panel_shape(builder.ir, copy, self.settings.info) else {
            return Err(uncombined(builder, "tile-copy"));
        };
        let [depth, cols, count] = panels;
        let memref = builder.ir.ty(copy.to).memref();
        let component = memref.map(|memref| memref.element);
        let component = component.ok_or_else(|| internal(builder.location, "a copy to what is no memref"))?;
        let lanes = i64::from(self.settings.schedule.subgroup_size);
        let subgroups = self.settings.schedule.grid.subgroups();
        let mut own_cols = lanes;
        while cols % (2 * own_cols) == 0
            && 2 * own_cols <= MAX_COLS
            && cols / (2 * own_cols) * count >= subgroups
        {
            own_cols *= 2;
        }
        // Block messages have the lanes along the mode that is contiguous in global memory; without them a lane takes what lies
        // along K by itself.
        let has_blocks = self.settings.schedule.block_2d_io(self.settings.info).is_some();
        let matrix = match copy.transpose {
            Transpose::N if has_blocks => {
                Coopmatrix { component, rows: depth, cols: own_cols, usage: MatrixUse::B }
            }
            Transpose::N | Transpose::T => {
                Coopmatrix { component, rows: own_cols, cols: depth, usage: MatrixUse::A }
            }
        };
        let of_a = matrix.usage == MatrixUse::A;
        let transpose = if of_a { copy.transpose.other() } else { copy.transpose };
        let id = if subgroups == 1 {
            builder.index(0)?
        } else {
            let builtin = LocalSubgroup { op: LocalSubgroupBuiltin::SubgroupLinearId };
            let id = builder.value(builtin, Type::I32)?;
            builder.cast(id, Type::INDEX)?
        };
        let in_panel = cols / own_cols;
        let parts = in_panel * count;
        for first in (0..parts).step_by(usize::try_from(subgroups).unwrap_or(1).max(1)) {
            let distance = builder.index(first)?;
            let number = builder.binary(BinaryOp::Add, id, distance)?;
            let is_own = if first + subgroups > parts {
                let end = builder.index(parts)?;
                Some(builder.compare(CompareOp::LessThan, number, end)?)
            } else {
                None
            };
            let length = builder.index(in_panel)?;
            let (panel, place) = (
                builder.binary(BinaryOp::Div, number, length)?,
                builder.binary(BinaryOp::Rem, number, length)?,
            );
            let (own_cols, depth_value) = (builder.index(own_cols)?, builder.index(depth)?);
            let (col, k) = (
                builder.binary(BinaryOp::Mul, place, own_cols)?,
                builder.binary(BinaryOp::Mul, panel, depth_value)?,
            );
            let [x, y] = in_memory(builder, copy.transpose, [copy.x, copy.y], [k, col])?;
            let [rows_checked, cols_checked] = copy.boundary.0.map(|mode| mode != Boundary::Unchecked);
            let checked = match transpose {
                Transpose::N => Checked::new(rows_checked, cols_checked),
                Transpose::T => Checked::new(cols_checked, rows_checked),
            };
            let load = CoopmatrixLoad { transpose, checked, from: copy.from, x, y, io: None };
            let value = match is_own {
                None => builder.value(load, matrix)?,
                Some(is_own) => {
                    let values = builder.branch::<Error>(
                        is_own,
                        &[matrix.into()],
                        |builder| Ok(vec![builder.value(load, matrix)?]),
                        |builder| Ok(vec![builder.constant(Constant::zero(component), matrix)?]),
                    )?;
                    let value = values.first().copied();
                    value.ok_or_else(|| internal(builder.location, "a branch without a result"))?
                }
            };
            let slices = [Slice::range(0, depth), Slice::range(0, cols), Slice::at(panel)];
            let (to, x) = (builder.subview(copy.to, &slices)?, builder.index(0)?);
            let transpose = if of_a { Transpose::T } else { Transpose::N };
            let checked = Checked::None;
            let store = CoopmatrixStore { transpose, checked, value, to, x, y: col, io: None };
            self.arriving.push(Arriving { store, location: builder.location, is_own });
        }
        Ok(())
    }

    /// Stores what is on its way to local memory.
    pub(super) fn finish_copies(&mut self, builder: &mut Builder<'_>) -> Result<(), Error> {
        for Arriving { store, location, is_own } in std::mem::take(&mut self.arriving) {
            let store = |builder: &mut Builder<'_>| Ok(builder.emit(store, &[]).map(drop)?);
            builder.at_location(location, |builder| match is_own {
                Some(is_own) => builder.when(is_own, store),
                None => store(builder),
            })?;
        }
        Ok(())
    }
}
