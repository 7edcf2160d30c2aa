//! Copies to panels in local memory, of which each subgroup moves some columns (tile reference 2.8).

use super::super::super::emit::Emit as _;
use super::super::super::error::{Error, internal};
use super::super::entry::in_memory;
use super::{Arriving, Lowering, uncombined};
use crate::ir::{
    BinaryOp, Boundary, Builder, Checked, CompareOp, Constant, Coopmatrix, CoopmatrixLoad, CoopmatrixSlice,
    CoopmatrixStore, LocalSubgroup, LocalSubgroupBuiltin, MatrixUse, Slice, TileCopy, Transpose, Type,
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
        let element = |builder: &Builder<'_>, memref| {
            let element = builder.ir.ty(memref).memref().map(|memref| memref.element);
            element.ok_or_else(|| internal(builder.location, "a copy of what is no memref"))
        };
        let [component, of_panels] = [element(builder, copy.from)?, element(builder, copy.to)?];
        // Narrower numbers lie in registers as the engine takes them in words, which are those of several panels.
        let engine = self.settings.schedule.engine(self.settings.info);
        let deep = engine.and_then(|engine| engine.depth(component)).unwrap_or(depth);
        let together = if deep % depth == 0 && count % (deep / depth) == 0 { deep / depth } else { 1 };
        let lanes = i64::from(self.settings.schedule.subgroup_size);
        let subgroups = self.settings.schedule.grid.subgroups();
        let mut own_cols = lanes;
        while cols % (2 * own_cols) == 0
            && 2 * own_cols <= MAX_COLS
            && cols / (2 * own_cols) * (count / together) >= subgroups
        {
            own_cols *= 2;
        }
        // Block messages have the lanes along the mode that is contiguous in global memory; without them a lane takes what lies
        // along K by itself, and so it does where numbers change their width.
        let has_blocks = self.settings.schedule.block_2d_io(self.settings.info).is_some();
        let of_b = copy.transpose == Transpose::N && has_blocks && component == of_panels;
        let matrix = |component, depth| match of_b {
            true => Coopmatrix { component, rows: depth, cols: own_cols, usage: MatrixUse::B },
            false => Coopmatrix { component, rows: own_cols, cols: depth, usage: MatrixUse::A },
        };
        let (loaded, part) = (matrix(component, together * depth), matrix(of_panels, depth));
        let transpose = if of_b { copy.transpose } else { copy.transpose.other() };
        let id = if subgroups == 1 {
            builder.index(0)?
        } else {
            let builtin = LocalSubgroup { op: LocalSubgroupBuiltin::SubgroupLinearId };
            let id = builder.value(builtin, Type::I32)?;
            builder.cast(id, Type::INDEX)?
        };
        let in_panel = cols / own_cols;
        let parts = in_panel * (count / together);
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
            let (panels, place) = (
                builder.binary(BinaryOp::Div, number, length)?,
                builder.binary(BinaryOp::Rem, number, length)?,
            );
            let (own_cols, all_depth) = (builder.index(own_cols)?, builder.index(together * depth)?);
            let (col, k) = (
                builder.binary(BinaryOp::Mul, place, own_cols)?,
                builder.binary(BinaryOp::Mul, panels, all_depth)?,
            );
            let [x, y] = in_memory(builder, copy.transpose, [copy.x, copy.y], [k, col])?;
            let [rows_checked, cols_checked] = copy.boundary.0.map(|mode| mode != Boundary::Unchecked);
            let checked = match transpose {
                Transpose::N => Checked::new(rows_checked, cols_checked),
                Transpose::T => Checked::new(cols_checked, rows_checked),
            };
            let load = CoopmatrixLoad { transpose, checked, from: copy.from, x, y, io: None };
            let value = match is_own {
                None => builder.value(load, loaded)?,
                Some(is_own) => {
                    let values = builder.branch::<Error>(
                        is_own,
                        &[loaded.into()],
                        |builder| Ok(vec![builder.value(load, loaded)?]),
                        |builder| Ok(vec![builder.constant(Constant::zero(component), loaded)?]),
                    )?;
                    let value = values.first().copied();
                    value.ok_or_else(|| internal(builder.location, "a branch without a result"))?
                }
            };
            let (x, first) = (builder.index(0)?, builder.index(together)?);
            let first = builder.binary(BinaryOp::Mul, panels, first)?;
            let mut stores = Vec::new();
            for number in 0..together {
                let number = builder.index(number)?;
                let panel = builder.binary(BinaryOp::Add, first, number)?;
                let slices = [Slice::range(0, depth), Slice::range(0, cols), Slice::at(panel)];
                let to = builder.subview(copy.to, &slices)?;
                let transpose = if of_b { Transpose::N } else { Transpose::T };
                let checked = Checked::None;
                stores.push(CoopmatrixStore { transpose, checked, value, to, x, y: col, io: None });
            }
            self.arriving.push(Arriving { stores, part, location: builder.location, is_own });
        }
        Ok(())
    }

    /// Stores what is on its way to local memory.
    pub(super) fn finish_copies(&mut self, builder: &mut Builder<'_>) -> Result<(), Error> {
        for Arriving { stores, part, location, is_own } in std::mem::take(&mut self.arriving) {
            let store = |builder: &mut Builder<'_>| {
                let Some(&CoopmatrixStore { value: loaded, .. }) = stores.first() else { return Ok(()) };
                let matrix = builder.ir.ty(loaded).coopmatrix();
                let matrix = matrix.ok_or_else(|| internal(builder.location, "no matrix is on its way"))?;
                let all = Coopmatrix { component: part.component, ..matrix };
                let all = if all == matrix { loaded } else { builder.cast(loaded, all)? };
                for (number, store) in (0..).zip(stores) {
                    let value = match matrix.cols == part.cols {
                        true => all,
                        false => builder
                            .value(CoopmatrixSlice { matrix: all, row: 0, col: number * part.cols }, part)?,
                    };
                    builder.emit(CoopmatrixStore { value, ..store }, &[])?;
                }
                Ok(())
            };
            builder.at_location(location, |builder| match is_own {
                Some(is_own) => builder.when(is_own, store),
                None => store(builder),
            })?;
        }
        Ok(())
    }
}
