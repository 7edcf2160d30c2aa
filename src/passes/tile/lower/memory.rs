//! Loads, stores and prefetches of tiles, matrix by matrix.

use super::super::super::emit::Emit as _;
use super::super::super::error::{Error, internal};
use super::super::super::prefetch::{self, Partition};
use super::access::{in_memory, mask};
use super::entries::load_entries;
use super::share::{Part, Share};
use super::{Lowering, SubgroupIds};
use crate::ir::{
    BinaryOp, Boundaries, Boundary, Builder, Checked, CoopmatrixAtomicOp, CoopmatrixAtomicUpdate,
    CoopmatrixLoad, CoopmatrixStore, Inst, Ir, LocalSubgroup, LocalSubgroupBuiltin, MatrixUse, MemoryScope,
    MemorySemantics, StoreBoundary, StoreMode, Tile, TileLoad, TilePrefetch, TileStore, Transpose, Type,
    Value,
};

impl Lowering<'_> {
    /// Returns whether cooperative matrices are loaded as they are: what is outside is 0 or not there, and no mask says
    /// what else is not.
    pub(super) fn is_plain(&self, ir: &Ir, inst: Inst, load: &TileLoad) -> bool {
        let Boundaries(modes) = load.boundary;
        mask(ir, inst).is_none() && load.other.is_none() && !modes.contains(&Boundary::Wrap)
    }

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
        parts.into_iter().map(|part| self.load_part(builder, (inst, load), &share, part, [None; 2])).collect()
    }

    /// Loads a matrix of a share; `at` has its first row and column within the tile if they are values. Its place
    /// in the text is that of the load, wherever that is carried out.
    pub(super) fn load_part(
        &mut self,
        builder: &mut Builder<'_>,
        (inst, load): (Inst, &TileLoad),
        share: &Share,
        part: Part,
        at: [Option<Value>; 2],
    ) -> Result<Value, Error> {
        let location = builder.ir[inst].location;
        builder.at_location(location, |builder| {
            let position = self.position(builder, share, part, at)?;
            let [x, y] = in_memory(builder, load.transpose, [load.x, load.y], position)?;
            if !self.is_plain(builder.ir, inst, load) {
                return load_entries(builder, (inst, load), part.matrix, [x, y]);
            }
            let mut checks = load.boundary.0.map(|boundary| boundary != Boundary::Unchecked);
            if load.transpose == Transpose::T {
                checks.reverse();
            }
            let (transpose, checked, from) = (load.transpose, Checked::new(checks[0], checks[1]), load.from);
            Ok(builder.value(CoopmatrixLoad { transpose, checked, from, x, y, io: None }, part.matrix)?)
        })
    }

    /// First row and column of a matrix within the tile.
    pub(super) fn position(
        &self,
        builder: &mut Builder<'_>,
        share: &Share,
        part: Part,
        at: [Option<Value>; 2],
    ) -> Result<[Value; 2], Error> {
        let SubgroupIds { x, y } = self.ids;
        // Of A the columns, of B the rows are not divided among subgroups.
        let ids = match share.tile.usage {
            MatrixUse::A => [Some(x), None],
            MatrixUse::B => [None, Some(y)],
            MatrixUse::Acc => [Some(x), Some(y)],
        };
        let mut position = [x, y];
        for (mode, place) in position.iter_mut().enumerate() {
            let (size, id) = (share.extent.get(mode), ids.get(mode).copied().flatten());
            let piece = if mode == 0 { part.row } else { part.col };
            let own = match at.get(mode).copied().flatten() {
                Some(value) => value,
                None => builder.index(piece.start)?,
            };
            *place = match id.zip(size) {
                Some((id, &size)) => {
                    let first = prefetch::scaled(builder, id, size)?;
                    builder.binary(BinaryOp::Add, first, own)?
                }
                None => own,
            };
        }
        Ok(position)
    }

    /// Writes the share of a tile.
    pub(super) fn store(
        &mut self,
        builder: &mut Builder<'_>,
        inst: Inst,
        op: &TileStore,
    ) -> Result<(), Error> {
        let tile = builder.ir.ty(op.value).tile();
        let share = self.share(tile.ok_or_else(|| internal(builder.location, "what is stored is no tile"))?);
        let matrices = self.matrices(builder, op.value)?;
        if let Some(mask) = mask(builder.ir, inst) {
            return self.store_entries(builder, op, &share, &matrices, mask);
        }
        let check = op.boundary == StoreBoundary::Checked;
        let (transpose, checked, to) = (op.transpose, Checked::new(check, check), op.to);
        for (part, value) in share.parts().zip(matrices) {
            let position = self.position(builder, &share, part, [None; 2])?;
            let [x, y] = in_memory(builder, transpose, [op.x, op.y], position)?;
            match op.mode {
                StoreMode::Overwrite => {
                    builder.emit(CoopmatrixStore { transpose, checked, value, to, x, y, io: None }, &[])?;
                }
                StoreMode::AtomicAdd => {
                    let (scope, semantics) = (MemoryScope::Device, MemorySemantics::Relaxed);
                    let op = CoopmatrixAtomicOp::Add;
                    let add =
                        CoopmatrixAtomicUpdate { op, transpose, checked, scope, semantics, value, to, x, y };
                    builder.value(add, part.matrix)?;
                }
            }
        }
        Ok(())
    }

    /// Fetches a part of a memref, of which each subgroup takes a slice.
    pub(super) fn prefetch(&mut self, builder: &mut Builder<'_>, op: &TilePrefetch) -> Result<(), Error> {
        let tiles = self.settings.schedule.grid.subgroups();
        let builtin = LocalSubgroup { op: LocalSubgroupBuiltin::SubgroupLinearId };
        let id = if tiles == 1 {
            builder.index(0)?
        } else {
            let id = builder.value(builtin, Type::I32)?;
            builder.cast(id, Type::INDEX)?
        };
        let extent = [op.rows, op.cols].map(i64::from);
        Ok(prefetch::fetch(builder, (op.of, op.level), Partition { tiles, id }, [op.x, op.y], extent)?)
    }
}
