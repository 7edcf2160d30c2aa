//! Copies to local memory, of which each subgroup moves some columns (tile reference 2.8).

use super::super::super::emit::Emit as _;
use super::super::super::error::{Error, internal};
use super::super::entry::in_memory;
use super::{Arriving, Lowering, Settings, uncombined};
use crate::ir::{
    BinaryOp, Boundary, Builder, Checked, CompareOp, Constant, Coopmatrix, CoopmatrixLoad,
    CoopmatrixLoadAttributes, CoopmatrixSlice, CoopmatrixStore, LocalSubgroup, LocalSubgroupBuiltin,
    MatrixUse, Scalar, Slice, TileCopy, Transpose, Type, Value,
};
use crate::schedule::CopyForm;

/// Columns that a subgroup moves at a time at most: as many as the rows of a block message, and as fill a line of memory.
const MAX_COLS: i64 = 32;

/// Bytes of registers that a part fills at most.
const MAX_PART_BYTES: i64 = 2048;

/// A copy cut into parts, each of which a subgroup moves at once.
struct Parts {
    /// Rows and columns of the copy in a part.
    extent: [i64; 2],
    /// Parts along its rows and columns.
    counts: [i64; 2],
    /// The matrix that a part is in registers, and how it is loaded.
    loaded: Coopmatrix,
    load: Transpose,
    /// The part of it that is stored at once, and how.
    stored: Coopmatrix,
    store: Transpose,
}

impl Lowering<'_> {
    /// Loads what a subgroup copies. It is stored in front of the next barrier, as late as it can be, so that whatever lies between
    /// does not wait for memory: before a barrier nobody looks at what is copied.
    pub(super) fn copy(&mut self, builder: &mut Builder<'_>, copy: &TileCopy) -> Result<(), Error> {
        let form = self.settings.schedule.copy_form(builder.ir, copy, self.settings.info);
        let element = |memref| builder.ir.ty(memref).memref().map(|memref| memref.element);
        let (Some(form), Some(from), Some(to)) = (form, element(copy.from), element(copy.to)) else {
            return Err(uncombined(builder, "tile-copy"));
        };
        let parts = match form {
            CopyForm::Panels(panels) => self.parts_of_panels(panels, copy.transpose, from, to),
            CopyForm::Columns(shape) => self.parts_of_columns(shape, copy.transpose, from, to),
        };
        let Settings { schedule, info, .. } = self.settings;
        let most = match form {
            CopyForm::Panels(_) => schedule.most_panels_in_flight(info),
            CopyForm::Columns(_) => schedule.most_in_flight(info),
        };
        let subgroups = schedule.grid.subgroups();
        let id = if subgroups == 1 {
            builder.index(0)?
        } else {
            let builtin = LocalSubgroup { op: LocalSubgroupBuiltin::SubgroupLinearId };
            let id = builder.value(builtin, Type::I32)?;
            builder.cast(id, Type::INDEX)?
        };
        let [rows, cols] = parts.counts;
        let all = rows * cols;
        for first in (0..all).step_by(usize::try_from(subgroups).unwrap_or(1).max(1)) {
            let distance = builder.index(first)?;
            let number = builder.binary(BinaryOp::Add, id, distance)?;
            let is_own = if first + subgroups > all {
                let end = builder.index(all)?;
                Some(builder.compare(CompareOp::LessThan, number, end)?)
            } else {
                None
            };
            let length = builder.index(cols)?;
            let place = [
                builder.binary(BinaryOp::Div, number, length)?,
                builder.binary(BinaryOp::Rem, number, length)?,
            ];
            let [part_rows, part_cols] = parts.extent;
            let (width, height) = (builder.index(part_cols)?, builder.index(part_rows)?);
            let col = builder.binary(BinaryOp::Mul, place[1], width)?;
            let row = builder.binary(BinaryOp::Mul, place[0], height)?;
            let value = load(builder, copy, &parts, [row, col], is_own)?;
            let (transpose, checked) = (parts.store, Checked::None);
            let stores = match form {
                CopyForm::Columns(_) => {
                    vec![CoopmatrixStore { transpose, checked, value, to: copy.to, x: row, y: col, io: None }]
                }
                CopyForm::Panels([depth, cols, _]) => {
                    let together = part_rows / depth;
                    let (x, first) = (builder.index(0)?, builder.index(together)?);
                    let first = builder.binary(BinaryOp::Mul, place[0], first)?;
                    let mut stores = Vec::new();
                    for number in 0..together {
                        let number = builder.index(number)?;
                        let panel = builder.binary(BinaryOp::Add, first, number)?;
                        let slices = [Slice::range(0, depth), Slice::range(0, cols), Slice::at(panel)];
                        let to = builder.subview(copy.to, &slices)?;
                        stores.push(CoopmatrixStore { transpose, checked, value, to, x, y: col, io: None });
                    }
                    stores
                }
            };
            self.arriving.push_back(Arriving {
                stores,
                part: parts.stored,
                location: builder.location,
                is_own,
            });
            // What came first is stored first: it has waited longest, and the rest stays under way.
            while self.bytes_in_flight() > most
                && let Some(first) = self.arriving.pop_front()
            {
                first.finish(builder)?;
            }
        }
        Ok(())
    }

    /// Bytes of registers that hold what is not stored yet.
    fn bytes_in_flight(&self) -> i64 {
        let bytes = |arriving: &Arriving| {
            let Coopmatrix { component, rows, cols, .. } = arriving.part;
            let count = i64::try_from(arriving.stores.len()).unwrap_or(1);
            rows * cols * component.bytes() * count
        };
        self.arriving.iter().map(bytes).sum()
    }

    /// Parts of panels, which a matrix engine takes.
    fn parts_of_panels(
        &self,
        [depth, cols, count]: [i64; 3],
        transpose: Transpose,
        from: Scalar,
        to: Scalar,
    ) -> Parts {
        let Settings { schedule, info, .. } = self.settings;
        // Narrower numbers lie in registers as the engine takes them in words, which are those of several panels.
        let deep = schedule.engine(info).and_then(|engine| engine.depth(from)).unwrap_or(depth);
        let together = if deep % depth == 0 && count % (deep / depth) == 0 { deep / depth } else { 1 };
        let subgroups = schedule.grid.subgroups();
        let own_cols = widest(schedule.subgroup_size.into(), cols, |own_cols| {
            cols / own_cols * (count / together) >= subgroups
        });
        // Block messages have the lanes along the mode that is contiguous in global memory; without them a lane takes what lies
        // along K by itself, and so it does where numbers change their width.
        let of_b = transpose == Transpose::N && schedule.block_2d_io(info).is_some() && from == to;
        let matrix = |component, depth| match of_b {
            true => Coopmatrix { component, rows: depth, cols: own_cols, usage: MatrixUse::B },
            false => Coopmatrix { component, rows: own_cols, cols: depth, usage: MatrixUse::A },
        };
        Parts {
            extent: [together * depth, own_cols],
            counts: [count / together, cols / own_cols],
            loaded: matrix(from, together * depth),
            load: if of_b { transpose } else { transpose.other() },
            stored: matrix(to, depth),
            store: if of_b { Transpose::N } else { Transpose::T },
        }
    }

    /// Parts of a matrix whose rows go along the lanes, so that each message stores a contiguous part of a column.
    fn parts_of_columns(
        &self,
        [rows, cols]: [i64; 2],
        transpose: Transpose,
        from: Scalar,
        to: Scalar,
    ) -> Parts {
        let lanes = i64::from(self.settings.schedule.subgroup_size);
        let subgroups = self.settings.schedule.grid.subgroups();
        let along = rows / lanes;
        let own_cols = widest(1, cols, |own_cols| {
            own_cols * lanes * to.bytes() <= MAX_PART_BYTES && along * (cols / own_cols) >= subgroups
        });
        let matrix = |component| Coopmatrix { component, rows: lanes, cols: own_cols, usage: MatrixUse::Acc };
        Parts {
            extent: [lanes, own_cols],
            counts: [along, cols / own_cols],
            loaded: matrix(from),
            load: transpose,
            stored: matrix(to),
            store: Transpose::N,
        }
    }

    /// Stores what is on its way to local memory.
    pub(super) fn finish_copies(&mut self, builder: &mut Builder<'_>) -> Result<(), Error> {
        std::mem::take(&mut self.arriving).into_iter().try_for_each(|arriving| arriving.finish(builder))
    }
}

impl Arriving {
    /// Stores what has arrived.
    fn finish(self, builder: &mut Builder<'_>) -> Result<(), Error> {
        let Arriving { stores, part, location, is_own } = self;
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
        })
    }
}

/// Columns of a part: the fewest, doubled as long as they divide all columns and are as few as a condition allows.
fn widest(fewest: i64, cols: i64, fits: impl Fn(i64) -> bool) -> i64 {
    let mut own_cols = fewest;
    while cols % (2 * own_cols) == 0 && 2 * own_cols <= MAX_COLS && fits(2 * own_cols) {
        own_cols *= 2;
    }
    own_cols
}

/// Loads the part of a copy that begins at a position of it; 0 where the subgroup has no such part.
fn load(
    builder: &mut Builder<'_>,
    copy: &TileCopy,
    parts: &Parts,
    place: [Value; 2],
    is_own: Option<Value>,
) -> Result<Value, Error> {
    let [x, y] = in_memory(builder, copy.transpose, [copy.x, copy.y], place)?;
    let [rows_checked, cols_checked] = copy.boundary.0.map(|mode| mode != Boundary::Unchecked);
    let transpose = parts.load;
    let checked = match transpose {
        Transpose::N => Checked::new(rows_checked, cols_checked),
        Transpose::T => Checked::new(cols_checked, rows_checked),
    };
    let (load, loaded) = (
        CoopmatrixLoad {
            transpose,
            checked,
            from: copy.from,
            x,
            y,
            attributes: CoopmatrixLoadAttributes::default(),
            io: None,
        },
        parts.loaded,
    );
    let Some(is_own) = is_own else { return Ok(builder.value(load, loaded)?) };
    let values = builder.branch::<Error>(
        is_own,
        &[loaded.into()],
        |builder| Ok(vec![builder.value(load, loaded)?]),
        |builder| Ok(vec![builder.constant(Constant::zero(loaded.component), loaded)?]),
    )?;
    let value = values.first().copied();
    value.ok_or_else(|| internal(builder.location, "a branch without a result"))
}
