//! Turns `tile_order` into arithmetic on the number of the work-group (tile reference 2.4.1).
//!
//! The mappings are written once, for anything that computes: for the builder, which makes instructions, and for plain
//! numbers, with which the tests try every grid.

use super::super::context::Context;
use super::super::emit::Emit as _;
use super::super::error::{Error, internal};
use super::super::rewrite::{Rewriter, rewrite};
use crate::ir::{
    Binary, BinaryOp, Builder, Compare, CompareOp, Component, Func, FunctionAttributes, Grid, GridBuiltin,
    Inst, Ir, Op, OrderGroup, Select, TileOrder, TileOrderKind, Type, Value, VerifierError,
};
use crate::status::Status;

/// Group, or side of a block, where the program names none: the tiles of so many rows share their columns in the cache.
const DEFAULT_GROUP: i64 = 4;
/// Sides of the blocks that curves fill.
const CURVE_BLOCKS: [i64; 4] = [2, 4, 8, 16];

pub(in super::super) fn run(ir: &mut Ir, func: Func, _context: &Context<'_>) -> Result<(), Error> {
    let attributes = ir[func].attributes.clone();
    rewrite(ir, ir[func].body, &[&|rewriter, inst| lower(rewriter, inst, &attributes)])
}

fn lower(rewriter: &mut Rewriter<'_>, inst: Inst, attributes: &FunctionAttributes) -> Result<bool, Error> {
    let Op::TileOrder(op) = rewriter.ir[inst].op.clone() else { return Ok(false) };
    let location = rewriter.ir[inst].location;
    let order = Order::of(&op, attributes);
    if order.is_curve() && !CURVE_BLOCKS.contains(&order.group) {
        let detail = format!("`tile_order{}` needs group = 2, 4, 8 or 16, got {}", order.kind, order.group);
        return Err(VerifierError::new(Status::IrTileOrderGroup, location, detail).into());
    }
    let builder = &mut rewriter.builder(inst)?;
    let linear = linear_number(builder, &op)?;
    let [row, col] = order.place(builder, [op.rows, op.cols], linear)?;
    let &[first, second] = rewriter.ir[inst].results.as_slice() else {
        return Err(internal(location, "an order without two results"));
    };
    rewriter.replace_uses(first, row);
    rewriter.replace_uses(second, col);
    rewriter.erase(inst);
    Ok(true)
}

/// The number of the work-group, first mode fastest.
fn linear_number(builder: &mut Builder<'_>, op: &TileOrder) -> Result<Value, Error> {
    if let Some(linear) = op.linear {
        return Ok(linear);
    }
    let mut grid = |op, component| builder.value(Grid { op, component }, Type::INDEX);
    let x = grid(GridBuiltin::GroupId, Component::X)?;
    let y = grid(GridBuiltin::GroupId, Component::Y)?;
    let width = grid(GridBuiltin::NumGroups, Component::X)?;
    let rows_before = builder.binary(BinaryOp::Mul, width, y)?;
    Ok(builder.binary(BinaryOp::Add, x, rows_before)?)
}

/// Arithmetic on numbers that are not negative.
trait Arithmetic {
    type Number: Copy;
    type Truth: Copy;

    fn number(&mut self, value: i64) -> Result<Self::Number, Error>;
    fn compute(&mut self, op: BinaryOp, a: Self::Number, b: Self::Number) -> Result<Self::Number, Error>;
    fn compare(&mut self, op: CompareOp, a: Self::Number, b: Self::Number) -> Result<Self::Truth, Error>;
    fn both(&mut self, a: Self::Truth, b: Self::Truth) -> Result<Self::Truth, Error>;
    fn select(
        &mut self,
        condition: Self::Truth,
        a: Self::Number,
        b: Self::Number,
    ) -> Result<Self::Number, Error>;

    fn add(&mut self, a: Self::Number, b: Self::Number) -> Result<Self::Number, Error> {
        self.compute(BinaryOp::Add, a, b)
    }

    fn sub(&mut self, a: Self::Number, b: Self::Number) -> Result<Self::Number, Error> {
        self.compute(BinaryOp::Sub, a, b)
    }

    fn mul(&mut self, a: Self::Number, b: Self::Number) -> Result<Self::Number, Error> {
        self.compute(BinaryOp::Mul, a, b)
    }

    /// Quotient and remainder.
    fn divide(&mut self, a: Self::Number, b: Self::Number) -> Result<[Self::Number; 2], Error> {
        Ok([self.compute(BinaryOp::Div, a, b)?, self.compute(BinaryOp::Rem, a, b)?])
    }

    /// max(1, min(a, b)): a divisor even where there is nothing.
    fn at_least_one(&mut self, a: Self::Number, b: Self::Number) -> Result<Self::Number, Error> {
        let one = self.number(1)?;
        let smaller = self.compute(BinaryOp::Min, a, b)?;
        self.compute(BinaryOp::Max, smaller, one)
    }

    /// A bit of a number, as 0 or 1.
    fn bit(&mut self, a: Self::Number, index: u32) -> Result<Self::Number, Error> {
        let (amount, one) = (self.number(index.into())?, self.number(1)?);
        let shifted = self.compute(BinaryOp::Shr, a, amount)?;
        self.compute(BinaryOp::And, shifted, one)
    }
}

impl Arithmetic for Builder<'_> {
    type Number = Value;
    type Truth = Value;

    fn number(&mut self, value: i64) -> Result<Value, Error> {
        Ok(self.index(value)?)
    }

    fn compute(&mut self, op: BinaryOp, a: Value, b: Value) -> Result<Value, Error> {
        Ok(self.folded(Binary { op, a, b }, Type::INDEX)?)
    }

    fn compare(&mut self, op: CompareOp, a: Value, b: Value) -> Result<Value, Error> {
        Ok(self.folded(Compare { op, a, b }, Type::Bool)?)
    }

    fn both(&mut self, a: Value, b: Value) -> Result<Value, Error> {
        Ok(self.folded(Binary { op: BinaryOp::And, a, b }, Type::Bool)?)
    }

    fn select(&mut self, condition: Value, a: Value, b: Value) -> Result<Value, Error> {
        Ok(self.folded(Select { condition, a, b }, Type::INDEX)?)
    }
}

/// An order of the tiles of a matrix.
#[derive(Clone, Copy, Debug)]
struct Order {
    kind: TileOrderKind,
    /// Tiles of a group, or of the side of a block.
    group: i64,
}

impl Order {
    /// The order of an instruction in a function with these attributes, which say what it leaves open.
    fn of(op: &TileOrder, attributes: &FunctionAttributes) -> Order {
        let open = attributes.order.filter(|&kind| kind != TileOrderKind::Any);
        let kind = match op.order {
            TileOrderKind::Any => open.unwrap_or(TileOrderKind::Grouped),
            given => given,
        };
        let group = op.attributes.group.or(attributes.group);
        Order { kind, group: group.map_or(DEFAULT_GROUP, |OrderGroup(group)| group.into()) }
    }

    /// Returns whether it follows a curve within blocks.
    fn is_curve(self) -> bool {
        matches!(self.kind, TileOrderKind::Morton | TileOrderKind::Hilbert)
    }

    /// Row and column of the tile with a number; the sizes of the grid for numbers beyond the last one.
    fn place<A: Arithmetic>(
        self,
        a: &mut A,
        [rows, cols]: [A::Number; 2],
        number: A::Number,
    ) -> Result<[A::Number; 2], Error> {
        let one = a.number(1)?;
        // A grid without tiles has no tile to name, but divides by its sizes all the same.
        let grid = [a.compute(BinaryOp::Max, rows, one)?, a.compute(BinaryOp::Max, cols, one)?];
        let inside = self.inside(a, grid, number)?;
        let tiles = a.mul(rows, cols)?;
        let exists = a.compare(CompareOp::LessThan, number, tiles)?;
        Ok([a.select(exists, inside[0], rows)?, a.select(exists, inside[1], cols)?])
    }

    fn inside<A: Arithmetic>(
        self,
        a: &mut A,
        [rows, cols]: [A::Number; 2],
        number: A::Number,
    ) -> Result<[A::Number; 2], Error> {
        match self.kind {
            TileOrderKind::LinearN => a.divide(number, cols),
            TileOrderKind::LinearM => {
                let [col, row] = a.divide(number, rows)?;
                Ok([row, col])
            }
            TileOrderKind::Grouped | TileOrderKind::Any => self.grouped(a, [rows, cols], number, false),
            TileOrderKind::PanelM => self.grouped(a, [rows, cols], number, true),
            TileOrderKind::PanelN => {
                let [col, row] = self.grouped(a, [cols, rows], number, true)?;
                Ok([row, col])
            }
            TileOrderKind::Morton | TileOrderKind::Hilbert => self.blocks(a, [rows, cols], number),
            TileOrderKind::Diagonal => {
                let [row, col] = a.divide(number, cols)?;
                let sum = a.add(row, col)?;
                let [_, col] = a.divide(sum, cols)?;
                Ok([row, col])
            }
        }
    }

    /// Column after column within groups of rows; `serpentine` takes the columns of every other group backwards.
    fn grouped<A: Arithmetic>(
        self,
        a: &mut A,
        [rows, cols]: [A::Number; 2],
        number: A::Number,
        serpentine: bool,
    ) -> Result<[A::Number; 2], Error> {
        let Group { index, first, height, rest } = self.group_of(a, [rows, cols], number)?;
        let [mut col, down] = a.divide(rest, height)?;
        if serpentine {
            let (one, zero) = (a.number(1)?, a.number(0)?);
            let last = a.sub(cols, one)?;
            let mirrored = a.sub(last, col)?;
            let odd = a.bit(index, 0)?;
            let forward = a.compare(CompareOp::Equal, odd, zero)?;
            col = a.select(forward, col, mirrored)?;
        }
        Ok([a.add(first, down)?, col])
    }

    /// Along a curve within square blocks, column after column within those at the edges.
    fn blocks<A: Arithmetic>(
        self,
        a: &mut A,
        [rows, cols]: [A::Number; 2],
        number: A::Number,
    ) -> Result<[A::Number; 2], Error> {
        let Group { first, height, rest, .. } = self.group_of(a, [rows, cols], number)?;
        let side = a.number(self.group)?;
        let block_tiles = a.mul(height, side)?;
        let [block, rest] = a.divide(rest, block_tiles)?;
        let first_col = a.mul(side, block)?;
        let cols_left = a.sub(cols, first_col)?;
        let width = a.at_least_one(side, cols_left)?;
        let [ragged_col, ragged_row] = a.divide(rest, height)?;
        let [row, col] = match self.kind {
            TileOrderKind::Hilbert => self.hilbert(a, rest)?,
            _ => self.morton(a, rest)?,
        };
        let is_high = a.compare(CompareOp::Equal, height, side)?;
        let is_wide = a.compare(CompareOp::Equal, width, side)?;
        let is_full = a.both(is_high, is_wide)?;
        let row = a.select(is_full, row, ragged_row)?;
        let col = a.select(is_full, col, ragged_col)?;
        Ok([a.add(first, row)?, a.add(first_col, col)?])
    }

    /// The group of rows that a tile is in.
    fn group_of<A: Arithmetic>(
        self,
        a: &mut A,
        [rows, cols]: [A::Number; 2],
        number: A::Number,
    ) -> Result<Group<A::Number>, Error> {
        let group = a.number(self.group)?;
        let tiles = a.mul(group, cols)?;
        let [index, rest] = a.divide(number, tiles)?;
        let first = a.mul(group, index)?;
        let rows_left = a.sub(rows, first)?;
        let height = a.at_least_one(group, rows_left)?;
        Ok(Group { index, first, height, rest })
    }

    /// Bits of a block's side.
    fn bits(self) -> u32 {
        self.group.max(1).ilog2()
    }

    /// Place on a z-curve: the bits of row and column take turns in the number.
    fn morton<A: Arithmetic>(self, a: &mut A, number: A::Number) -> Result<[A::Number; 2], Error> {
        let mut place = [a.number(0)?; 2];
        for bit in 0..self.bits() {
            let amount = a.number(bit.into())?;
            for (axis, coordinate) in place.iter_mut().rev().enumerate() {
                let own = a.bit(number, 2 * bit + u32::from(axis == 1))?;
                let moved = a.compute(BinaryOp::Shl, own, amount)?;
                *coordinate = a.add(*coordinate, moved)?;
            }
        }
        Ok(place)
    }

    /// Place on a Hilbert curve, from the smallest quadrants to the largest: the curve in a quadrant is that of the
    /// smaller block, mirrored and transposed.
    fn hilbert<A: Arithmetic>(self, a: &mut A, number: A::Number) -> Result<[A::Number; 2], Error> {
        let (zero, one) = (a.number(0)?, a.number(1)?);
        let [mut x, mut y] = [zero; 2];
        for bit in 0..self.bits() {
            let side = a.number(1 << bit)?;
            let last = a.sub(side, one)?;
            let right = a.bit(number, 2 * bit + 1)?;
            let low = a.bit(number, 2 * bit)?;
            let up = a.compute(BinaryOp::Xor, low, right)?;
            let is_right = a.compare(CompareOp::Equal, right, one)?;
            let is_down = a.compare(CompareOp::Equal, up, zero)?;
            let is_mirrored = a.both(is_right, is_down)?;
            for coordinate in [&mut x, &mut y] {
                let mirrored = a.sub(last, *coordinate)?;
                *coordinate = a.select(is_mirrored, mirrored, *coordinate)?;
            }
            (x, y) = (a.select(is_down, y, x)?, a.select(is_down, x, y)?);
            for (coordinate, quadrant) in [(&mut x, right), (&mut y, up)] {
                let distance = a.mul(side, quadrant)?;
                *coordinate = a.add(*coordinate, distance)?;
            }
        }
        Ok([y, x])
    }
}

/// A group of rows of tiles, and a tile in it.
struct Group<N> {
    index: N,
    /// The first row, and the number of rows.
    first: N,
    height: N,
    /// Number of the tile within the group.
    rest: N,
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::analysis::integer_of;
    use crate::diagnostics::Location;
    use std::collections::HashSet;

    /// Plain numbers.
    struct Plain;

    impl Arithmetic for Plain {
        type Number = i64;
        type Truth = bool;

        fn number(&mut self, value: i64) -> Result<i64, Error> {
            Ok(value)
        }

        fn compute(&mut self, op: BinaryOp, a: i64, b: i64) -> Result<i64, Error> {
            Ok(match op {
                BinaryOp::Add => a + b,
                BinaryOp::Sub => a - b,
                BinaryOp::Mul => a * b,
                BinaryOp::Div => a / b,
                BinaryOp::Rem => a % b,
                BinaryOp::Min => a.min(b),
                BinaryOp::Max => a.max(b),
                BinaryOp::Shl => a << b,
                BinaryOp::Shr => a >> b,
                BinaryOp::And => a & b,
                BinaryOp::Xor => a ^ b,
                BinaryOp::Or | BinaryOp::Cdiv => unreachable!("no order needs it"),
            })
        }

        fn compare(&mut self, op: CompareOp, a: i64, b: i64) -> Result<bool, Error> {
            Ok(if op == CompareOp::Equal { a == b } else { a < b })
        }

        fn both(&mut self, a: bool, b: bool) -> Result<bool, Error> {
            Ok(a && b)
        }

        fn select(&mut self, condition: bool, a: i64, b: i64) -> Result<i64, Error> {
            Ok(if condition { a } else { b })
        }
    }

    fn groups(kind: TileOrderKind) -> &'static [i64] {
        match kind {
            TileOrderKind::Morton | TileOrderKind::Hilbert => &[2, 4, 8, 16],
            TileOrderKind::Grouped | TileOrderKind::Any | TileOrderKind::PanelM | TileOrderKind::PanelN => {
                &[1, 2, 4, 8, 10, 40]
            }
            TileOrderKind::LinearN | TileOrderKind::LinearM | TileOrderKind::Diagonal => &[4],
        }
    }

    fn check_grid(order: Order, rows: i64, cols: i64) {
        let mut seen = HashSet::new();
        for number in 0..rows * cols {
            let place = order.place(&mut Plain, [rows, cols], number).unwrap();
            let [row, col] = place;
            let is_inside = (0..rows).contains(&row) && (0..cols).contains(&col);
            assert!(is_inside && seen.insert(place), "{order:?} {rows}x{cols}: {number} -> {place:?}");
        }
        for number in [rows * cols, rows * cols + 1, 7 * rows * cols + 5] {
            assert_eq!(order.place(&mut Plain, [rows, cols], number).unwrap(), [rows, cols], "{order:?}");
        }
    }

    #[test]
    fn every_order_is_a_bijection_on_every_grid() {
        for &kind in TileOrderKind::ALL {
            for &group in groups(kind) {
                let order = Order { kind, group };
                (1..=33).for_each(|rows| (1..=33).for_each(|cols| check_grid(order, rows, cols)));
                for (rows, cols) in [(1, 1000), (1000, 1), (127, 64), (0, 5), (5, 0), (0, 0)] {
                    check_grid(order, rows, cols);
                }
            }
        }
    }

    #[test]
    fn curves_go_from_neighbour_to_neighbour() {
        let order = Order { kind: TileOrderKind::Hilbert, group: 8 };
        let places: Vec<_> = (0..64).map(|number| order.place(&mut Plain, [8, 8], number).unwrap()).collect();
        let mut distances =
            places.iter().zip(places.iter().skip(1)).map(|([a, b], [c, d])| (a - c).abs() + (b - d).abs());
        assert!(distances.all(|distance| distance == 1), "{places:?}");
        let order = Order { kind: TileOrderKind::Morton, group: 4 };
        let first: Vec<_> = (0..8).map(|number| order.place(&mut Plain, [4, 4], number).unwrap()).collect();
        assert_eq!(first, [[0, 0], [0, 1], [1, 0], [1, 1], [0, 2], [0, 3], [1, 2], [1, 3]]);
    }

    #[test]
    fn instructions_compute_what_numbers_do() {
        let sizes = [(1, 1), (3, 7), (9, 4), (17, 18)];
        for (&kind, (rows, cols)) in TileOrderKind::ALL.iter().flat_map(|kind| sizes.map(|size| (kind, size)))
        {
            for &group in groups(kind) {
                let order = Order { kind, group };
                let mut ir = Ir::default();
                Builder::function(&mut ir, "f", [], Location::default(), |builder, []| {
                    for number in [0, 1, rows * cols / 2, rows * cols - 1, rows * cols] {
                        let expected = order.place(&mut Plain, [rows, cols], number)?;
                        let grid = [builder.index(rows)?, builder.index(cols)?];
                        let value = builder.index(number)?;
                        let place = order.place(builder, grid, value)?;
                        let found = place.map(|value| integer_of(builder.ir, value));
                        assert_eq!(found, expected.map(Some), "{order:?} {rows}x{cols}: {number}");
                    }
                    Ok::<(), Error>(())
                })
                .unwrap();
            }
        }
    }
}
