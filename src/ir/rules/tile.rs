//! Tiles (tile reference 2.4 and 2.5).

use super::super::entities::{Ir, Value};
use super::super::fields::{ReduceMode, ReducePart, TileReduceOp};
use super::super::instructions::{
    TileAny, TileApply, TileCopy, TileDot, TileFragment, TileLoad, TileOrder, TilePrefetch, TileReduce,
    TileScale, TileStore, TileTranspose, TileWithFragment,
};
use super::super::typed_attributes::Precision;
use super::super::types::{AddressSpace, Coopmatrix, MatrixUse, Tile, Type};
use super::coopmatrix::{coopmatrix, entry_parameters};
use super::{Check, Known, Rules, VerifierError};
use crate::status::Status;

impl Rules for TileOrder {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        check.attributes(&self.attributes)?;
        [Some(self.rows), Some(self.cols), self.linear]
            .into_iter()
            .flatten()
            .try_for_each(|value| check.index(value))?;
        check.require(check.results == [Type::INDEX, Type::INDEX], Status::IrExpectedIndex, &[], || {
            let types: Vec<String> = check.results.iter().map(ToString::to_string).collect();
            format!("the results are ({}) instead of (index, index)", types.join(", "))
        })
    }

    fn literal_type(&self, _known: &Known<'_>, _operand: Value) -> Option<Type> {
        Some(Type::INDEX)
    }

    fn result_types(&self, _ir: &Ir) -> Option<Vec<Type>> {
        Some(vec![Type::INDEX, Type::INDEX])
    }
}

impl Rules for TileLoad {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let tile = result(check)?;
        let memref = check.memref(self.from)?;
        check.require(memref.element == tile.component, Status::IrNumberMismatch, &[self.from], || {
            format!("{}, the result {}", check.describe(self.from), Type::Tile(tile))
        })?;
        // The pass `tile-copy` makes panels of matrices in local memory.
        if memref.order() != 3 || memref.space != AddressSpace::Local {
            check.order(self.from, memref, 2, Status::IrExpectedMemrefOrder2)?;
        }
        [self.x, self.y].into_iter().try_for_each(|value| check.index(value))?;
        let Some(other) = self.other else { return Ok(()) };
        check.require(
            check.ty(other).scalar() == Some(tile.component),
            Status::IrNumberMismatch,
            &[other],
            || format!("{}, the result {}", check.describe(other), Type::Tile(tile)),
        )
    }

    /// Texts have no loads from panels: how much of K is in one is decided later.
    fn check_lowering(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        check.order(self.from, check.memref(self.from)?, 2, Status::IrExpectedMemrefOrder2)
    }

    /// Row and column of the memref.
    fn region_parameters(&self, _ir: &Ir) -> Vec<Type> {
        vec![Type::INDEX, Type::INDEX]
    }

    fn literal_type(&self, known: &Known<'_>, operand: Value) -> Option<Type> {
        if self.other == Some(operand) { known.element(self.from) } else { Some(Type::INDEX) }
    }
}

impl Rules for TileStore {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let tile = tile(check, self.value)?;
        let memref = check.memref(self.to)?;
        check.require(
            memref.element == tile.component,
            Status::IrNumberMismatch,
            &[self.value, self.to],
            || format!("{}, {}; `cast` narrows", check.describe(self.value), check.describe(self.to)),
        )?;
        uses(check, self.value, tile, MatrixUse::Acc)?;
        position(check, self.to, [self.x, self.y])
    }

    /// Row and column of the memref.
    fn region_parameters(&self, _ir: &Ir) -> Vec<Type> {
        vec![Type::INDEX, Type::INDEX]
    }

    fn literal_type(&self, _known: &Known<'_>, operand: Value) -> Option<Type> {
        [self.x, self.y].contains(&operand).then_some(Type::INDEX)
    }
}

impl Rules for TileCopy {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let (from, to) = (check.memref(self.from)?, check.memref(self.to)?);
        if !from.element.widens_to(to.element) {
            check.promotable(from.element, to.element, &[self.from, self.to])?;
        }
        let spaces = [
            (self.from, from, AddressSpace::Global, Status::IrExpectedGlobalAddressSpace),
            (self.to, to, AddressSpace::Local, Status::IrExpectedLocalAddressSpace),
        ];
        for (value, memref, space, status) in spaces {
            check.require(memref.space == space, status, &[value], || check.describe(value))?;
        }
        position(check, self.from, [self.x, self.y])?;
        if to.order() != 3 {
            check.order(self.to, to, 2, Status::IrExpectedMemrefOrder2)?;
        }
        let is_known = to.shape.iter().all(|extent| extent.value().is_some());
        check.require(is_known, Status::IrInvalidShape, &[self.to], || {
            format!("{}, whose size says how much is copied, and which is open", check.describe(self.to))
        })
    }

    fn literal_type(&self, _known: &Known<'_>, operand: Value) -> Option<Type> {
        [self.x, self.y].contains(&operand).then_some(Type::INDEX)
    }
}

impl Rules for TilePrefetch {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        check.require(self.rows > 0 && self.cols > 0, Status::IrInvalidShape, &[], || {
            format!("{} rows and {} columns; {}", self.rows, self.cols, check.describe(self.of))
        })?;
        position(check, self.of, [self.x, self.y])
    }

    fn literal_type(&self, _known: &Known<'_>, operand: Value) -> Option<Type> {
        [self.x, self.y].contains(&operand).then_some(Type::INDEX)
    }
}

impl Rules for TileDot {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        check.attributes(&self.attributes)?;
        let d = result(check)?;
        let [a, b, c] = [tile(check, self.a)?, tile(check, self.b)?, tile(check, self.c)?];
        for (value, tile, usage) in
            [(self.a, a, MatrixUse::A), (self.b, b, MatrixUse::B), (self.c, c, MatrixUse::Acc)]
        {
            uses(check, value, tile, usage)?;
        }
        check.require(a.cols == b.rows, Status::IrTileShapeMismatch, &[self.a, self.b], || {
            let (a_is, b_is) = (check.describe(self.a), check.describe(self.b));
            format!("{a_is}, {b_is}: a has {} columns but b has {} rows", a.cols, b.rows)
        })?;
        let fits = (c.rows, c.cols) == (a.rows, b.cols);
        check.require(fits, Status::IrTileShapeMismatch, &[self.a, self.b, self.c], || {
            format!("{}, but a·b has {}x{} entries", check.describe(self.c), a.rows, b.cols)
        })?;
        check.require(c == d, Status::IrOperandTypeMustMatchReturnType, &[self.c], || {
            format!("{}, the result {}", check.describe(self.c), Type::Tile(d))
        })?;
        let product = check.promotion((self.a, a.component), (self.b, b.component))?;
        check.promotable(product, c.component, &[self.a, self.b, self.c])
    }

    fn literal_type(&self, known: &Known<'_>, operand: Value) -> Option<Type> {
        known.results.first().filter(|_| operand == self.c).cloned()
    }

    fn check_lowering(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let is_available = self.attributes.precision != Some(Precision::Bf16x3);
        check.require(is_available, Status::IrTileTypeUnsupported, &[], || {
            "`tile_dot` with precision \"bf16x3\" is not available; \"ieee\" and \"tf32\" are".to_owned()
        })
    }

    fn result_types(&self, ir: &Ir) -> Option<Vec<Type>> {
        Some(vec![ir.ty(self.c).clone()])
    }
}

impl Rules for TileApply {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let to = result(check)?;
        check.require(!self.tiles.is_empty(), Status::InvalidArguments, &[], || {
            "no tile to compute entries from".to_owned()
        })?;
        for &value in &self.tiles {
            let from = tile(check, value)?;
            let detail = || format!("{}, the result {}", check.describe(value), Type::Tile(to));
            check.require(from.usage == to.usage, Status::IrTileUseMismatch, &[value], detail)?;
            let fits = Tile { component: to.component, ..from }.broadcast(to) == Some(to);
            check.require(fits, Status::IrTileShapeMismatch, &[value], detail)?;
        }
        Ok(())
    }

    /// Row, column and an entry of each tile.
    fn region_parameters(&self, ir: &Ir) -> Vec<Type> {
        entry_parameters(ir, &self.tiles)
    }
}

impl Rules for TileScale {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let tile = tile(check, self.tile)?;
        check.same_as_result(self.tile)?;
        check.require(
            check.ty(self.scalar).scalar() == Some(tile.component),
            Status::IrNumberMismatch,
            &[self.scalar, self.tile],
            || format!("{}, {}", check.describe(self.scalar), check.describe(self.tile)),
        )
    }

    fn literal_type(&self, known: &Known<'_>, operand: Value) -> Option<Type> {
        known.element(self.tile).filter(|_| operand == self.scalar)
    }

    fn result_types(&self, ir: &Ir) -> Option<Vec<Type>> {
        Some(vec![ir.ty(self.tile).clone()])
    }
}

impl Rules for TileReduce {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let (from, to) = (tile(check, self.tile)?, result(check)?);
        uses(check, self.tile, from, MatrixUse::Acc)?;
        let detail = || format!("{}, the result {}", check.describe(self.tile), Type::Tile(to));
        check.require(from.component == to.component, Status::IrNumberMismatch, &[self.tile], detail)?;
        check.require(from.usage == to.usage, Status::IrTileUseMismatch, &[self.tile], detail)?;
        let ([kept, to_kept], [combined, to_combined]) = match self.mode {
            ReduceMode::Row => ([from.rows, to.rows], [from.cols, to.cols]),
            ReduceMode::Column => ([from.cols, to.cols], [from.rows, to.rows]),
        };
        let is_part = self.part == ReducePart::Share || to_combined.count_ones() == 1;
        let fits = to_kept == kept && is_part && to_combined > 0 && combined % to_combined == 0;
        check.require(fits, Status::IrTileShapeMismatch, &[self.tile], || {
            let [rows, cols] = self.mode.shape([from.rows, from.cols]);
            format!(
                "{} instead of {rows}x{cols}, or a power of two in place of the 1 that divides {combined}",
                detail()
            )
        })
    }

    /// Orders are for real numbers.
    fn check_lowering(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let from = tile(check, self.tile)?;
        let is_ordered = self.op == TileReduceOp::Add || !from.component.is_complex();
        check.require(is_ordered, Status::IrComplexUnsupported, &[self.tile], || {
            format!("{}, which has no order for `{}`", check.describe(self.tile), self.op)
        })
    }

    fn result_types(&self, ir: &Ir) -> Option<Vec<Type>> {
        let from = ir.ty(self.tile).tile().filter(|_| self.part == ReducePart::Whole)?;
        let [rows, cols] = self.mode.shape([from.rows, from.cols]);
        Some(vec![Type::Tile(Tile { rows, cols, ..from })])
    }
}

impl Rules for TileTranspose {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let (from, to) = (tile(check, self.tile)?, result(check)?);
        uses(check, self.tile, from, MatrixUse::Acc)?;
        let expected = transposed(from);
        check.require(to == expected, Status::IrTileShapeMismatch, &[self.tile], || {
            format!(
                "{}, the result {} instead of {}",
                check.describe(self.tile),
                Type::Tile(to),
                Type::Tile(expected)
            )
        })
    }

    fn result_types(&self, ir: &Ir) -> Option<Vec<Type>> {
        Some(vec![Type::Tile(transposed(ir.ty(self.tile).tile()?))])
    }
}

fn transposed(tile: Tile) -> Tile {
    Tile { rows: tile.cols, cols: tile.rows, ..tile }
}

impl Rules for TileAny {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let from = tile(check, self.tile)?;
        check.require(from.component.is_integer(), Status::IrExpectedInt, &[self.tile], || {
            format!("{}, whose entries are no integers", check.describe(self.tile))
        })?;
        uses(check, self.tile, from, MatrixUse::Acc)?;
        let ty = check.result()?;
        check.require(*ty == Type::Bool, Status::IrExpectedBoolean, &[], || format!("the result is {ty}"))
    }

    fn result_types(&self, _ir: &Ir) -> Option<Vec<Type>> {
        Some(vec![Type::Bool])
    }
}

impl Rules for TileFragment {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let ty = check.result()?;
        let fragment = ty
            .coopmatrix()
            .ok_or_else(|| check.fail(Status::IrExpectedCoopmatrix, format!("the result is {ty}"), &[]))?;
        fragments(check, fragment, self.tile, [self.row, self.col])
    }
}

impl Rules for TileWithFragment {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        check.same_as_result(self.tile)?;
        fragments(check, coopmatrix(check, self.fragment)?, self.tile, [self.row, self.col])
    }

    fn result_types(&self, ir: &Ir) -> Option<Vec<Type>> {
        Some(vec![ir.ty(self.tile).clone()])
    }
}

/// A tile can be made of matrices such as one of it, whatever the share of a subgroup is.
fn fragments(
    check: &Check<'_>,
    fragment: Coopmatrix,
    value: Value,
    at: [i64; 2],
) -> Result<(), VerifierError> {
    let of = tile(check, value)?;
    let detail = || format!("{}, the fragment {}", check.describe(value), Type::Coopmatrix(fragment));
    check.require(of.component == fragment.component, Status::IrNumberMismatch, &[value], detail)?;
    check.require(of.usage == fragment.usage, Status::IrTileUseMismatch, &[value], detail)?;
    let modes = [(of.rows, fragment.rows, at[0]), (of.cols, fragment.cols, at[1])];
    let fits =
        modes.iter().all(|&(size, part, at)| part > 0 && size % part == 0 && (0..size / part).contains(&at));
    check.require(fits, Status::IrTileFragmentShape, &[value], || {
        format!("fragment [{},{}]; {}", at[0], at[1], detail())
    })
}

/// The result, which must be a tile.
fn result(check: &Check<'_>) -> Result<Tile, VerifierError> {
    let ty = check.result()?;
    ty.tile().ok_or_else(|| check.fail(Status::IrExpectedTile, format!("the result is {ty}"), &[]))
}

fn tile(check: &Check<'_>, value: Value) -> Result<Tile, VerifierError> {
    let tile = check.ty(value).tile();
    tile.ok_or_else(|| check.fail(Status::IrExpectedTile, check.describe(value), &[value]))
}

fn uses(check: &Check<'_>, value: Value, tile: Tile, usage: MatrixUse) -> Result<(), VerifierError> {
    check.require(tile.usage == usage, Status::IrTileUseMismatch, &[value], || {
        let advice = match (tile.usage, usage) {
            (MatrixUse::Acc, _) => "; `cast` makes a factor of accumulators",
            (_, MatrixUse::Acc) => "",
            (MatrixUse::A | MatrixUse::B, MatrixUse::A | MatrixUse::B) => {
                "; a tile has one use, so load it for each"
            }
        };
        format!("{} instead of {usage}{advice}", check.describe(value))
    })
}

/// The memref is a matrix and the position a pair of indices.
fn position(check: &Check<'_>, memref: Value, at: [Value; 2]) -> Result<(), VerifierError> {
    check.order(memref, check.memref(memref)?, 2, Status::IrExpectedMemrefOrder2)?;
    at.into_iter().try_for_each(|value| check.index(value))
}
