//! Loads, stores and prefetches of tiles, matrix by matrix.

use super::super::super::emit::Emit as _;
use super::super::super::error::{Error, internal};
use super::super::super::partition::{Partition, scaled};
use super::super::super::prefetch;
use super::super::entry::{both, in_memory, panel_depth};
use super::entries::{fill_outside, load_entries};
use super::share::{Part, Piece, Share};
use super::{Lowered, Lowering, Place, SubgroupIds};
use crate::analysis::integer_of;
use crate::ir::{
    Atomic, BinaryOp, Boundary, Builder, Checked, CompareOp, CoopmatrixAtomicOp, CoopmatrixAtomicStore,
    CoopmatrixAtomicUpdate, CoopmatrixLoad, CoopmatrixLoadAttributes, CoopmatrixStore, Inst, Ir,
    LocalSubgroup, LocalSubgroupBuiltin, MatrixUse, MemorySemantics, Slice, StoreBoundary, StoreMode, Tile,
    TileLoad, TilePrefetch, TileStore, Transpose, Type, Value, VerifierError,
};
use crate::status::Status;

/// Position along K of a part of a factor.
#[derive(Clone, Copy)]
pub(super) struct Along {
    pub k: Value,
    pub reach: Reach,
}

/// Reach of a part of a factor along K.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// As far as the tile, whose boundary says what is outside.
    Tile,
    /// Not beyond the memref.
    Memref,
    /// Possibly beyond the memref, where there are zeros.
    Beyond,
}

impl Lowering<'_> {
    /// Loads the share of a tile.
    pub(super) fn load(
        &mut self,
        builder: &mut Builder<'_>,
        inst: Inst,
        load: &TileLoad,
        tile: Tile,
    ) -> Result<Vec<Value>, Error> {
        let share = self.share(tile);
        let parts: Vec<Part> = share.parts().collect();
        parts.into_iter().map(|part| self.load_part(builder, (inst, load), &share, part, None)).collect()
    }

    /// Loads a matrix of a share, of a factor at a position along K if there is one. Its place in the text is that of the
    /// load, wherever that is carried out.
    pub(super) fn load_part(
        &mut self,
        builder: &mut Builder<'_>,
        (inst, load): (Inst, &TileLoad),
        share: &Share,
        part: Part,
        along: Option<Along>,
    ) -> Result<Value, Error> {
        let location = builder.ir[inst].location;
        builder.at_location(location, |builder| {
            let matrix = (load.from, load.transpose, [load.x, load.y]);
            let (from, [x, y]) = self.locate(builder, matrix, share, part, along)?;
            let (from, x) = match panel_depth(builder.ir, load) {
                Some(depth) => panel(builder, from, x, depth)?,
                None => (from, x),
            };
            check_selection(builder, inst, load)?;
            if !builder.ir.loads_as_it_is(inst) {
                return load_entries(builder, (inst, load), part.matrix, [x, y]);
            }
            let mut checks = load.boundary.0.map(|boundary| boundary != Boundary::Unchecked);
            if along.is_some_and(|along| along.reach == Reach::Memref)
                && let Some(mode) = load.transpose.mode_along_k(share.tile.usage)
                && let Some(check) = checks.get_mut(mode)
            {
                *check = false;
            }
            if load.transpose == Transpose::T {
                checks.reverse();
            }
            let is_undefined = leaves_undefined(load, share.tile.usage)
                || self.is_undefined(builder.ir, load, share.tile, checks);
            let undefined_outside = is_undefined.then_some(true);
            let attributes = CoopmatrixLoadAttributes { undefined_outside, ..Default::default() };
            let [rows, cols] = self.checks(share.tile, along);
            let checked = Checked::new(checks[0] || rows, checks[1] || cols);
            let plain =
                CoopmatrixLoad { transpose: load.transpose, checked, from, x, y, attributes, io: None };
            let loaded = builder.value(plain, part.matrix)?;
            fill_outside(builder, load, loaded, part.matrix, [x, y])
        })
    }

    /// Returns whether a factor may have anything outside of the memref, where the program does not say what it has: whatever is computed of
    /// that is not stored. Of sizes that are known the rest is code of its own, in which masks take no more.
    fn is_undefined(&self, ir: &Ir, load: &TileLoad, tile: Tile, says: [bool; 2]) -> bool {
        let Place::Block(block) = &self.place else { return false };
        let ([rows, cols], [says_rows, says_cols]) = (block.checks(tile), says);
        let (exceeds, across) = match tile.usage {
            MatrixUse::A => (rows && !says_rows, 0),
            MatrixUse::B => (cols && !says_cols, 1),
            MatrixUse::Acc => return false,
        };
        let mode = if load.transpose == Transpose::T { 1 - across } else { across };
        let extent = ir.ty(load.from).memref().and_then(|memref| memref.shape.get(mode));
        exceeds && extent.is_some_and(|extent| extent.value().is_none())
    }

    /// Returns whether rows and columns of a part may reach beyond the memref although the program does not say so.
    fn checks(&self, tile: Tile, along: Option<Along>) -> [bool; 2] {
        let Place::Block(block) = &self.place else { return [false; 2] };
        let [mut rows, mut cols] = block.checks(tile);
        let is_beyond = along.is_some_and(|along| along.reach == Reach::Beyond);
        match tile.usage {
            MatrixUse::A => cols |= is_beyond,
            MatrixUse::B => rows |= is_beyond,
            MatrixUse::Acc => rows |= self.own_rows.is_some(),
        }
        [rows, cols]
    }

    /// Position of a part in memory, and the memref that it is in: what is not this subgroup's to write lies outside of a view.
    fn locate(
        &mut self,
        builder: &mut Builder<'_>,
        (memref, transpose, at): (Value, Transpose, [Value; 2]),
        share: &Share,
        part: Part,
        along: Option<Along>,
    ) -> Result<(Value, [Value; 2]), Error> {
        let position = self.position(builder, share, part, along)?;
        let [x, y] = in_memory(builder, transpose, at, position)?;
        let (Place::Block(block), Some(own)) = (&self.place, self.own_rows) else {
            return Ok((memref, [x, y]));
        };
        if share.tile.usage != MatrixUse::Acc {
            return Ok((memref, [x, y]));
        }
        let (row, [first, second]) = (block.row, at);
        let (mode, at) = if transpose == Transpose::N { (0, first) } else { (1, second) };
        let key = ([memref, at], mode);
        let is_same = |&(a, b): &(Value, Value)| {
            a == b || integer_of(builder.ir, a).is_some_and(|a| integer_of(builder.ir, b) == Some(a))
        };
        let known = self
            .views
            .iter()
            .find(|&&([of, place], other, _)| of == memref && other == mode && is_same(&(place, at)));
        let [view, row] = match known {
            Some(&(_, _, view)) => view,
            None => {
                let view = own.view(builder, (memref, mode), at, row)?;
                self.views.push((key.0, mode, view));
                view
            }
        };
        Ok((view, if mode == 0 { [row, y] } else { [x, row] }))
    }

    /// First row and column of a matrix within the tile.
    pub(super) fn position(
        &self,
        builder: &mut Builder<'_>,
        share: &Share,
        part: Part,
        along: Option<Along>,
    ) -> Result<[Value; 2], Error> {
        let origin = self.origin(builder, share)?;
        let along = |usage| along.filter(|_| share.tile.usage == usage).map(|along| along.k);
        let place = |builder: &mut Builder<'_>, origin: Option<Value>, piece: Piece, along: Option<Value>| {
            let own = match along {
                Some(along) => along,
                None => builder.index(piece.start)?,
            };
            match origin {
                Some(first) => builder.binary(BinaryOp::Add, first, own),
                None => Ok(own),
            }
        };
        let row = place(builder, origin[0], part.row, along(MatrixUse::B))?;
        Ok([row, place(builder, origin[1], part.col, along(MatrixUse::A))?])
    }

    /// First row and column of a share, where it does not begin with the tile itself.
    fn origin(&self, builder: &mut Builder<'_>, share: &Share) -> Result<[Option<Value>; 2], Error> {
        let SubgroupIds { x, y } = match &self.place {
            Place::Block(block) => return Ok(block.origin(share.tile)),
            Place::Grid { ids, .. } => *ids,
        };
        let [rows, cols] = share.extent;
        // Of A the columns, of B the rows are not divided among subgroups, and of an accumulator no single row or column.
        let row = match share.tile.usage {
            MatrixUse::B => None,
            MatrixUse::Acc if share.tile.rows == 1 => None,
            MatrixUse::A | MatrixUse::Acc => Some(scaled(builder, x, rows)?),
        };
        let col = match share.tile.usage {
            MatrixUse::A => None,
            MatrixUse::Acc if share.tile.cols == 1 => None,
            MatrixUse::B | MatrixUse::Acc => Some(scaled(builder, y, cols)?),
        };
        Ok([row, col])
    }

    /// Writes the share of a tile, unless another subgroup has the same entries and writes them.
    pub(super) fn store(
        &mut self,
        builder: &mut Builder<'_>,
        inst: Inst,
        op: &TileStore,
    ) -> Result<(), Error> {
        let Place::Grid { ids, .. } = self.place else { return self.store_share(builder, inst, op) };
        let (grid, tile) = (self.settings.schedule.grid, builder.ir.ty(op.value).tile());
        let mut writes = None;
        for (id, subgroups, is_single) in [
            (ids.x, grid.rows, tile.is_some_and(|tile| tile.rows == 1)),
            (ids.y, grid.cols, tile.is_some_and(|tile| tile.cols == 1)),
        ] {
            if is_single && subgroups > 1 {
                let zero = builder.index(0)?;
                let is_first = builder.compare(CompareOp::Equal, id, zero)?;
                writes = Some(match writes {
                    Some(writes) => both(builder, writes, is_first)?,
                    None => is_first,
                });
            }
        }
        match writes {
            Some(writes) => builder.when(writes, |builder| self.store_share(builder, inst, op)),
            None => self.store_share(builder, inst, op),
        }
    }

    /// Writes the share of a tile.
    fn store_share(&mut self, builder: &mut Builder<'_>, inst: Inst, op: &TileStore) -> Result<(), Error> {
        let tile = builder.ir.ty(op.value).tile();
        let share = self.share(tile.ok_or_else(|| internal(builder.location, "what is stored is no tile"))?);
        let matrices = self.matrices(builder, op.value)?;
        if self.is_forwarded(op.to) {
            let rows = share.parts().map(|part| part.row).zip(matrices).collect();
            self.values.insert(op.to, Lowered::Rows(rows));
            return Ok(());
        }
        if let Some(mask) = builder.ir.mask(inst) {
            return self.store_entries(builder, op, &share, &matrices, mask);
        }
        let check = op.boundary == StoreBoundary::Checked;
        let [rows, cols] = self.checks(share.tile, None);
        let (transpose, checked) = (op.transpose, Checked::new(check || rows, check || cols));
        for (part, value) in share.parts().zip(matrices) {
            let (to, [x, y]) = self.locate(builder, (op.to, transpose, [op.x, op.y]), &share, part, None)?;
            match op.mode {
                StoreMode::Overwrite if !self.is_atomic() => {
                    builder.emit(CoopmatrixStore { transpose, checked, value, to, x, y, io: None }, &[])?;
                }
                StoreMode::Overwrite => {
                    let (scope, semantics) = (builder.atomic_scope(to), MemorySemantics::Relaxed);
                    let store =
                        CoopmatrixAtomicStore { transpose, checked, scope, semantics, value, to, x, y };
                    builder.emit(store, &[])?;
                }
                StoreMode::AtomicAdd => {
                    let (scope, semantics) = (builder.atomic_scope(to), MemorySemantics::Relaxed);
                    let op = CoopmatrixAtomicOp::Add;
                    let add =
                        CoopmatrixAtomicUpdate { op, transpose, checked, scope, semantics, value, to, x, y };
                    builder.value(add, part.matrix)?;
                }
            }
        }
        Ok(())
    }

    fn is_atomic(&self) -> bool {
        matches!(&self.place, Place::Block(block) if block.run.atomic == Atomic::Yes)
    }

    /// Fetches a part of a memref, of which each subgroup takes a slice.
    pub(super) fn prefetch(&mut self, builder: &mut Builder<'_>, op: &TilePrefetch) -> Result<(), Error> {
        let subgroups = self.settings.schedule.grid.subgroups();
        let builtin = LocalSubgroup { op: LocalSubgroupBuiltin::SubgroupLinearId };
        let id = if subgroups == 1 {
            builder.index(0)?
        } else {
            let id = builder.value(builtin, Type::I32)?;
            builder.cast(id, Type::INDEX)?
        };
        let extent = [op.rows, op.cols].map(i64::from);
        Ok(prefetch::fetch(builder, (op.of, op.level), Partition { subgroups, id }, [op.x, op.y], extent)?)
    }
}

/// Refuses loads that select entry by entry of numbers that are only stored (tile reference 2.4.2).
fn check_selection(builder: &Builder<'_>, inst: Inst, load: &TileLoad) -> Result<(), Error> {
    let element = builder.ir.ty(load.from).memref().map(|memref| memref.element);
    let Some(element) = element.filter(|element| element.is_only_stored()) else { return Ok(()) };
    let what = if builder.ir.mask(inst).is_some() {
        "a mask that does more than compare row and column with numbers from outside"
    } else if load.boundary.0.contains(&Boundary::Wrap) {
        "the boundary `wrap`"
    } else if load.other.is_some() && load.boundary.0.contains(&Boundary::Zero) {
        "`other`"
    } else {
        return Ok(());
    };
    let wide = element.computed_in();
    let detail = format!(
        "{what}, by which no entries of {element} are selected: load zeros from outside, cast to {wide}, and select in `tile_apply`"
    );
    Err(VerifierError::new(Status::IrTileUnsupported, builder.location, detail).into())
}

/// Returns whether rows of a factor A, or columns of a factor B, are undefined outside of the memref.
pub(super) fn leaves_undefined(load: &TileLoad, usage: MatrixUse) -> bool {
    let along_k = load.transpose.mode_along_k(usage);
    along_k.is_some_and(|mode| load.boundary.0.get(1 - mode) == Some(&Boundary::Undefined))
}

/// The panel that has a row along K, and the row's place in it.
fn panel(builder: &mut Builder<'_>, panels: Value, row: Value, depth: i64) -> Result<(Value, Value), Error> {
    let (cols, depth) = (builder.size(panels, 1)?, builder.index(depth)?);
    let number = builder.binary(BinaryOp::Div, row, depth)?;
    let (whole, all) = (Slice::range(0, depth), Slice::range(0, cols));
    let from = builder.subview(panels, &[whole, all, Slice::at(number)])?;
    Ok((from, builder.binary(BinaryOp::Rem, row, depth)?))
}
