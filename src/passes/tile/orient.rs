//! Chooses for each group of connected tiles whether the product or its transpose is computed (tile reference 2.6).
//!
//! D = A·B + C is the same as Dᵀ = Bᵀ·Aᵀ + Cᵀ. Machines want the rows of A and of the sums to lie along memory, so that
//! a program for row-major matrices, whose loads and stores are all transposed, is computed transposed: its tiles change
//! their shape and use, and nothing in memory is transposed any more.

use super::super::context::Context;
use super::super::error::Error;
use crate::device::{CoreInfo, SpirvFeature};
use crate::ir::{
    AddressSpace, Func, FunctionAttributes, Inst, Ir, MatrixUse, Memref, Op, Orientation, Region,
    SubgroupSize, Tile, TileDot, Transpose, Type, Value, WorkGroupSize, Yield,
};
use crate::schedule::{Grid, Schedule, can_share};
use std::collections::HashMap;

/// Iterations of a loop that weigh as much as all that is outside of it.
const ITERATIONS: i64 = 16;

pub(in super::super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let info = context.device("tile-orient")?;
    let named = ir[func].attributes.orientation;
    // A large product without a loop along K gets one.
    let has_steps = Schedule::choose(ir, func, info)
        .is_ok_and(|schedule| schedule.overrides.prefetch_distance.is_some_and(|distance| distance > 0));
    let mut components = Components::default();
    components.connect_region(ir, ir[func].body);
    let mut transposed = components.sorted();
    transposed.retain(|component| {
        if component.has_fragments(ir) {
            return false;
        }
        let cost = |orientation| component.cost(ir, (func, has_steps), info, orientation);
        match named {
            Some(orientation) => orientation == Orientation::Transposed,
            None => cost(Orientation::Transposed) < cost(Orientation::AsWritten),
        }
    });
    if transposed.is_empty() {
        return Ok(());
    }
    transposed.iter().for_each(|component| component.transpose(ir));
    let reason = match named {
        Some(_) => "as the attribute orientation says",
        None => "as memory suits the engine better so",
    };
    if let Err(error) = Schedule::choose(ir, func, info) {
        // Back, for messages to show tiles as the program has them.
        transposed.iter().for_each(|component| component.transpose(ir));
        Schedule::choose(ir, func, info)?;
        return match named {
            Some(_) => Err(error.context(&format!("computed transposed, {reason}")).into()),
            None => Ok(()),
        };
    }
    for product in transposed.iter().filter_map(|component| component.product(ir)) {
        context.decide(ir, func, Some(product), || format!("computed transposed, {reason}"));
    }
    Ok(())
}

/// Tiles that are computed from each other, as a forest of equal sets.
#[derive(Default)]
struct Components {
    parents: Vec<usize>,
    numbers: HashMap<Value, usize>,
    values: Vec<Value>,
    /// Instructions on tiles with a tile of theirs, and the number of loops around them.
    insts: Vec<(Inst, Value, u32)>,
    depth: u32,
}

impl Components {
    fn number(&mut self, value: Value) -> usize {
        *self.numbers.entry(value).or_insert_with(|| {
            self.values.push(value);
            self.parents.push(self.parents.len());
            self.parents.len() - 1
        })
    }

    fn root(&self, mut number: usize) -> usize {
        while let Some(&parent) = self.parents.get(number).filter(|&&parent| parent != number) {
            number = parent;
        }
        number
    }

    /// Puts those of the values that are tiles into one set.
    fn connect(&mut self, ir: &Ir, values: &[Value]) {
        let mut first = None;
        for &value in values.iter().filter(|&&value| ir.ty(value).tile().is_some()) {
            let number = self.number(value);
            let root = self.root(number);
            let first = self.root(*first.get_or_insert(root));
            if let Some(parent) = self.parents.get_mut(root) {
                *parent = first;
            }
        }
    }

    fn connect_region(&mut self, ir: &Ir, region: Region) {
        for inst in ir.insts(region) {
            self.connect_inst(ir, inst);
            let is_loop = matches!(ir[inst].op, Op::For(_));
            self.depth += u32::from(is_loop);
            ir[inst].regions.iter().for_each(|&inner| self.connect_region(ir, inner));
            self.depth -= u32::from(is_loop);
        }
    }

    fn connect_inst(&mut self, ir: &Ir, inst: Inst) {
        let data = &ir[inst];
        let mut operands = Vec::new();
        data.op.visit_operands(&mut |value| operands.push(value));
        let tile = operands.iter().chain(&data.results).copied().find(|&value| ir.ty(value).tile().is_some());
        if let Some(tile) = tile {
            self.insts.push((inst, tile, self.depth));
        }
        match &data.op {
            Op::For(_) | Op::If(_) | Op::Parallel(_) => {
                for (index, &result) in data.results.iter().enumerate() {
                    let mut same = vec![result];
                    if let Op::For(op) = &data.op {
                        let parameter =
                            data.regions.first().and_then(|&region| ir[region].parameters.get(index + 1));
                        same.extend(op.init.get(index).into_iter().chain(parameter));
                    }
                    for &region in &data.regions {
                        if let Some(Op::Yield(Yield { values })) = ir.last_inst(region).map(|end| &ir[end].op)
                        {
                            same.extend(values.get(index));
                        }
                    }
                    self.connect(ir, &same);
                }
            }
            Op::Yield(_) => {}
            _ => {
                operands.extend(&data.results);
                self.connect(ir, &operands);
            }
        }
    }

    /// The sets, in the order of their first values.
    fn sorted(&self) -> Vec<Component> {
        let mut components: Vec<(usize, Component)> = Vec::new();
        let mut of_root = |root: usize| -> usize {
            components.iter().position(|(other, _)| *other == root).unwrap_or_else(|| {
                components.push((root, Component::default()));
                components.len() - 1
            })
        };
        let places: Vec<usize> = (0..self.values.len()).map(|number| of_root(self.root(number))).collect();
        for (&value, &place) in self.values.iter().zip(&places) {
            if let Some((_, component)) = components.get_mut(place) {
                component.values.push(value);
            }
        }
        for &(inst, tile, depth) in &self.insts {
            let place = self.numbers.get(&tile).and_then(|&number| places.get(number));
            if let Some((_, component)) = place.and_then(|&place| components.get_mut(place)) {
                component.insts.push((inst, depth));
            }
        }
        components.into_iter().map(|(_, component)| component).collect()
    }
}

/// Connected tiles, and the instructions on them.
#[derive(Default)]
struct Component {
    values: Vec<Value>,
    insts: Vec<(Inst, u32)>,
}

impl Component {
    /// Cost of the accesses to memory; infinite if no subgroups can share the tiles.
    fn cost(
        &self,
        ir: &Ir,
        (func, has_steps): (Func, bool),
        info: &CoreInfo,
        orientation: Orientation,
    ) -> i64 {
        let oriented = |tile: Tile| match orientation {
            Orientation::AsWritten => tile,
            Orientation::Transposed => tile.transposed(),
        };
        let tiles: Vec<Tile> =
            self.values.iter().filter_map(|&value| ir.ty(value).tile()).map(oriented).collect();
        let (subgroup_size, grid) = sizes(ir, func, info);
        // Work-items have a row each: where no tile has several, there is nothing to share.
        let has_rows = tiles.iter().any(|tile| tile.rows > 1);
        if !has_rows || !can_share(&tiles, subgroup_size, grid) {
            return i64::MAX;
        }
        let cost = |&(inst, depth): &(Inst, u32)| {
            let (memref, tile, transpose) = match &ir[inst].op {
                Op::TileLoad(op) => (op.from, ir[inst].results.first().copied(), op.transpose),
                Op::TileStore(op) => (op.to, Some(op.value), op.transpose),
                _ => return 0,
            };
            let (Some(memref), Some(tile)) =
                (ir.ty(memref).memref(), tile.and_then(|tile| ir.ty(tile).tile()))
            else {
                return 0;
            };
            let transpose = if orientation == Orientation::AsWritten { transpose } else { transpose.other() };
            let iterations = depth + u32::from(has_steps && tile.usage != MatrixUse::Acc);
            access_cost(memref, oriented(tile), transpose, info)
                .saturating_mul(ITERATIONS.saturating_pow(iterations))
        };
        self.insts.iter().map(cost).fold(0, i64::saturating_add)
    }

    /// Returns whether the program opens a tile, whose rows and columns are then where it says.
    fn has_fragments(&self, ir: &Ir) -> bool {
        let is_opened =
            |&(inst, _): &(Inst, u32)| matches!(ir[inst].op, Op::TileFragment(_) | Op::TileWithFragment(_));
        self.insts.iter().any(is_opened)
    }

    /// The first product.
    fn product(&self, ir: &Ir) -> Option<Inst> {
        self.insts.iter().map(|&(inst, _)| inst).find(|&inst| matches!(ir[inst].op, Op::TileDot(_)))
    }

    /// Makes the component compute the transposes of its tiles.
    fn transpose(&self, ir: &mut Ir) {
        for &value in &self.values {
            if let Some(tile) = ir.ty(value).tile() {
                ir[value].ty = Type::Tile(tile.transposed());
            }
        }
        for &(inst, _) in &self.insts {
            ir.update(inst, |op| match op {
                Op::TileLoad(op) => op.transpose = op.transpose.other(),
                Op::TileStore(op) => op.transpose = op.transpose.other(),
                Op::TileDot(TileDot { a, b, .. }) => std::mem::swap(a, b),
                Op::TileReduce(op) => op.mode = op.mode.transposed(),
                _ => {}
            });
            if matches!(ir[inst].op, Op::TileApply(_)) {
                // Row and column.
                ir[inst].regions.clone().into_iter().for_each(|region| ir.swap_parameters(region, 0, 1));
            }
        }
    }
}

/// The subgroup size, the smallest one if no attribute names one, and the grid that attributes ask for.
fn sizes(ir: &Ir, func: Func, info: &CoreInfo) -> (i64, Option<Grid>) {
    let FunctionAttributes { subgroup_size: given, work_group_size: grid, .. } = ir[func].attributes;
    let engine = info.dpas_engine().map(|engine| engine.subgroup_size());
    let smallest = info.subgroup_sizes().iter().copied().min();
    let size = given.map(|SubgroupSize(size)| size).or(engine).or(smallest).unwrap_or(1).max(1);
    let grid = grid.map(|WorkGroupSize([x, y])| Grid { rows: (x / size).max(1), cols: y.max(1) });
    (i64::from(size), grid)
}

/// Cost of moving a tile of some size, relative to the cheapest way (tile reference 2.6.1).
fn access_cost(memref: &Memref, tile: Tile, transpose: Transpose, info: &CoreInfo) -> i64 {
    if memref.space == AddressSpace::Local {
        return 2;
    }
    let first_is_contiguous = memref.stride.first().and_then(|stride| stride.value()) == Some(1);
    let second_is_contiguous = memref.stride.get(1).and_then(|stride| stride.value()) == Some(1);
    let along_rows = if transpose == Transpose::N { first_is_contiguous } else { second_is_contiguous };
    if info.dpas_engine().is_some() && info.have(SpirvFeature::Block2dIo) {
        return match (tile.usage, transpose) {
            _ if !first_is_contiguous => 8,
            (_, Transpose::N) => 2,
            (MatrixUse::A, Transpose::T) => 3,
            // Two columns share a word, and of bytes four would.
            (MatrixUse::B, Transpose::T) => {
                if tile.component.bytes() > 1 {
                    5
                } else {
                    16
                }
            }
            (MatrixUse::Acc, Transpose::T) => 16,
        };
    }
    match tile.usage {
        // All work-items read the same entry.
        MatrixUse::B => 2,
        MatrixUse::A | MatrixUse::Acc => {
            if along_rows {
                2
            } else {
                8
            }
        }
    }
}
