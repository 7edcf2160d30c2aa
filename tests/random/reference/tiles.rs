//! Tiles, entry by entry.

use super::matrices::Matrix;
use super::number::Number;
use super::tensors::{View, every};
use super::{Datum, Reference, Run};
use tiletc::ir::{
    BinaryOp, Boundaries, Boundary, Coopmatrix, Inst, Region, StoreMode, TileApply, TileCopy, TileFragment,
    TileLoad, TileOrder, TileStore, TileWithFragment, Transpose,
};

/// The indices of an entry of a tile at a position.
fn place(transpose: Transpose, [x, y]: [i64; 2], row: i64, col: i64) -> [i64; 2] {
    let [row, col] = if transpose == Transpose::N { [row, col] } else { [col, row] };
    [x + row, y + col]
}

/// The indices of the element that is read in the place of one that may lie outside; `None` if none is.
fn inside(view: &View, indices: [i64; 2], Boundaries(modes): Boundaries) -> Run<Option<Vec<i64>>> {
    let mut inside = Vec::new();
    for ((index, &size), boundary) in indices.into_iter().zip(&view.shape).zip(modes) {
        let is_inside = (0..size).contains(&index);
        inside.push(match boundary {
            _ if is_inside => index,
            Boundary::Wrap if size > 0 => index.rem_euclid(size),
            Boundary::Unchecked | Boundary::Undefined => return Err("an access out of bounds"),
            _ => return Ok(None),
        });
    }
    Ok(Some(inside))
}

impl Reference<'_> {
    /// Takes the tiles row after row. Every order is a bijection, and no result depends on who computes it.
    pub fn tile_order(&mut self, inst: Inst, order: &TileOrder) -> Run<()> {
        let (rows, cols) = (self.int(order.rows)?, self.int(order.cols)?);
        let linear = match order.linear {
            Some(value) => self.int(value)?,
            None => self.group[0] + self.groups[0] * self.group[1],
        };
        let tile = if linear < rows * cols { [linear / cols, linear % cols] } else { [rows, cols] };
        let results = self.ir[inst].results.iter().copied();
        self.values.extend(results.zip(tile.map(|place| Datum::Number(Number::Int(place)))));
        Ok(())
    }

    /// Returns whether the mask of a load or store, if it has one, admits an element.
    fn admits(&mut self, mask: Option<Region>, indices: [i64; 2]) -> Run<bool> {
        let Some(mask) = mask else { return Ok(true) };
        self.bind(mask, indices.map(|index| Datum::Number(Number::Int(index))));
        match self.number_of(mask)? {
            Number::Bool(admits) => Ok(admits),
            _ => Err("a mask that depends on roundings"),
        }
    }

    /// The region of an instruction, unless it is empty.
    fn mask_of(&self, inst: Inst) -> Option<Region> {
        self.ir[inst].regions.first().copied().filter(|&region| self.ir.insts(region).next().is_some())
    }

    pub fn load_tile(&mut self, inst: Inst, load: &TileLoad, ty: Coopmatrix) -> Run<Matrix> {
        let (view, at) = (self.view(load.from)?, [self.int(load.x)?, self.int(load.y)?]);
        let other = load.other.map_or(Ok(Number::zero(ty.component)), |other| self.number(other))?;
        let mask = self.mask_of(inst);
        Matrix::new(ty, |row, col| {
            self.step()?;
            let indices = place(load.transpose, at, row, col);
            if !self.admits(mask, indices)? {
                return Ok(other);
            }
            match inside(&view, indices, load.boundary)? {
                Some(inside) => self.get(&view, &inside),
                None => Ok(other),
            }
        })
    }

    /// Fills local memory with a matrix, or with panels of it.
    pub fn copy_tile(&mut self, copy: &TileCopy) -> Run<()> {
        let (from, to) = (self.view(copy.from)?, self.view(copy.to)?);
        let at = [self.int(copy.x)?, self.int(copy.y)?];
        for indices in to.indices() {
            self.step()?;
            let (row, col) = match *indices.as_slice() {
                [row, col] => (row, col),
                [row, col, panel] => (panel * to.shape[0] + row, col),
                _ => return Err("a copy to neither a matrix nor panels"),
            };
            let entry = match inside(&from, place(copy.transpose, at, row, col), copy.boundary)? {
                Some(inside) => self.get(&from, &inside)?,
                None => Number::zero(from.element),
            };
            self.set(&to, &indices, entry.cast(to.element))?;
        }
        Ok(())
    }

    pub fn store_tile(&mut self, inst: Inst, store: &TileStore) -> Run<()> {
        let (view, tile): (View, Matrix) = (self.view(store.to)?, self.matrix(store.value)?);
        let at = [self.int(store.x)?, self.int(store.y)?];
        let mask = self.mask_of(inst);
        for (row, col) in (0..tile.cols).flat_map(|col| (0..tile.rows).map(move |row| (row, col))) {
            self.step()?;
            let indices = place(store.transpose, at, row, col);
            let is_inside = indices.iter().zip(&view.shape).all(|(index, size)| (0..*size).contains(index));
            if !is_inside || !self.admits(mask, indices)? {
                continue;
            }
            let mut entry = tile.at(row, col);
            if store.mode == StoreMode::AtomicAdd {
                entry = self.get(&view, &indices)?.binary(BinaryOp::Add, entry, Some(view.element));
            }
            self.set(&view, &indices, entry)?;
        }
        Ok(())
    }

    /// Runs a region by one subgroup after the other, each of which yields its share of the results.
    pub fn shares(&mut self, region: Region) -> Run<Vec<Datum>> {
        let mut results: Vec<Matrix> = Vec::new();
        for subgroup in every(&[0; 2], &self.subgroups, &[1; 2]) {
            self.subgroup = subgroup.try_into().map_err(|_| "no subgroup")?;
            for (place, datum) in self.region(region)?.into_iter().enumerate() {
                let Datum::Matrix(own) = datum else { return Err("a share of no tile") };
                match results.get_mut(place) {
                    Some(result) => {
                        let share @ [first, _] = self.share(&own);
                        *result = self.merged(result, first, &own, share);
                    }
                    None => results.push(own),
                }
            }
        }
        Ok(results.into_iter().map(Datum::Matrix).collect())
    }

    /// First row and column of the subgroup's share of accumulators, and its rows and columns.
    fn share(&self, tile: &Matrix) -> [[i64; 2]; 2] {
        let size = [tile.rows / self.subgroups[0], tile.cols / self.subgroups[1]];
        [[self.subgroup[0] * size[0], self.subgroup[1] * size[1]], size]
    }

    /// Place of a block of the subgroup's share, and its rows and columns.
    fn block(&self, tile: &Matrix, at: [i64; 2], size: [i64; 2]) -> [[i64; 2]; 2] {
        let [first, _] = self.share(tile);
        [[first[0] + at[0] * size[0], first[1] + at[1] * size[1]], size]
    }

    /// A tile with entries of another matrix, which begin at `from` there, in one of its blocks.
    fn merged(&self, tile: &Matrix, from: [i64; 2], of: &Matrix, [first, size]: [[i64; 2]; 2]) -> Matrix {
        let mut merged = tile.clone();
        for (row, col) in (0..size[1]).flat_map(|col| (0..size[0]).map(move |row| (row, col))) {
            let place = usize::try_from(first[0] + row + (first[1] + col) * tile.rows).unwrap_or(usize::MAX);
            if let Some(entry) = merged.entries.get_mut(place) {
                *entry = of.at(from[0] + row, from[1] + col);
            }
        }
        merged
    }

    pub fn fragment(&self, fragment: &TileFragment, ty: Coopmatrix) -> Run<Matrix> {
        let tile = self.matrix(fragment.tile)?;
        let [[row, col], _] = self.block(&tile, [fragment.row, fragment.col], [ty.rows, ty.cols]);
        Matrix::new(ty, |i, j| Ok(tile.at(row + i, col + j)))
    }

    pub fn with_fragment(&self, op: &TileWithFragment) -> Run<Matrix> {
        let (tile, fragment) = (self.matrix(op.tile)?, self.matrix(op.fragment)?);
        let block = self.block(&tile, [op.row, op.col], [fragment.rows, fragment.cols]);
        Ok(self.merged(&tile, [0; 2], &fragment, block))
    }

    /// Runs the region of the instruction for each entry.
    pub fn apply_tiles(&mut self, inst: Inst, apply: &TileApply, ty: Coopmatrix) -> Run<Matrix> {
        let region = self.ir[inst].regions[0];
        let tiles: Vec<Matrix> = apply.tiles.iter().map(|&tile| self.matrix(tile)).collect::<Run<_>>()?;
        let around = std::mem::replace(&mut self.clamps, true);
        let result = Matrix::new(ty, |row, col| {
            self.step()?;
            let place = [row, col].map(Number::Int).into_iter();
            let entries = tiles.iter().map(|tile| tile.spread(row, col));
            self.bind(region, place.chain(entries).map(Datum::Number));
            self.number_of(region)
        });
        self.clamps = around;
        result
    }
}
