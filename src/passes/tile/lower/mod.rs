//! Turns tiles into cooperative matrices: each subgroup gets its share of each tile (tile reference 2.6).
//!
//! All from the first to the last instruction on tiles becomes one `parallel` region, loops and branches included, so that
//! the matrices stay in registers. What stands between them goes along: `parallel` regions are part of the larger one, local memory is
//! allocated before it. Barriers are in place already.

pub(in super::super) mod block;
pub(in super::super) mod blocks;
mod copy;
mod dot;
mod entries;
mod entrywise;
mod fragments;
mod memory;
mod share;

use super::super::context::Context;
use super::super::emit::Emit as _;
use super::super::error::{Error, internal};
use super::super::product_schedule;
use super::entry::{defers, panel_depth};
use crate::analysis::Surfaces;
use crate::device::CoreInfo;
use crate::diagnostics::Location;
use crate::ir::{
    Atomic, Builder, Component, ConstantInst, Coopmatrix, CoopmatrixStore, Family, For, ForAttributes, Func,
    If, Inst, Ir, MatrixBackendKind, Op, Region, SideEffect, Tile, TileDot, Type, Value, VerifierError,
    Yield,
};
use crate::schedule::{Fragments, Schedule};
use crate::status::Status;
use block::{Block, OwnRows, Rows, Run};
use share::Share;
use std::collections::{HashMap, HashSet, VecDeque};

pub(in super::super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let info = context.device("lower-tile")?;
    if !is_tile_code(ir, ir[func].body) {
        return Ok(());
    }
    product_schedule::choose(ir, func, info)?;
    entries::clamp_loads(ir, ir[func].body)?;
    let schedule = Schedule::of(ir, func)?;
    let insts: Vec<Inst> = ir.insts(ir[func].body).collect();
    let run = run_of_tiles(ir, &insts);
    let surfaces = &Surfaces::new(ir, func, info.default_alignment());
    let settings = Settings { schedule, info, surfaces };
    let blockwise = schedule.blockwise(ir, func);
    let (Some(blockwise), Some(&start)) = (blockwise, run.first()) else {
        if !schedule.shares_evenly(ir, func) {
            let detail =
                "the subgroups cannot share the tiles evenly, and blocks of them depend on each other";
            return Err(VerifierError::new(Status::IrTileUncovered, ir[func].location, detail).into());
        }
        let (steps, fragments) = (TileSteps::of(ir, func, info), Fragments::of(ir, func));
        return lower_run(ir, run, settings, steps, &fragments);
    };
    let extents = Some(blockwise.extents);
    let run = Run { insts: run, extents, atomic: Atomic::No, forwarded: &[], held: None, block: None };
    Builder::before(ir, start)?.parallel(|builder| blocks::lower_in_blocks(builder, &run, settings))
}

/// The instructions from the first to the last one on tiles, and to the last one that takes a number which one of them returns.
fn run_of_tiles<'i>(ir: &Ir, insts: &'i [Inst]) -> &'i [Inst] {
    let Some(first) = insts.iter().position(|&inst| holds_tiles(ir, inst)) else { return &[] };
    let mut end = first;
    let mut returned: HashSet<Value> = HashSet::new();
    for (place, &inst) in insts.iter().enumerate().skip(first) {
        let mut belongs = holds_tiles(ir, inst);
        if belongs {
            returned.extend(&ir[inst].results);
        }
        ir.walk_inst(inst, &mut |inner| {
            ir[inner].op.visit_operands(&mut |value| belongs |= returned.contains(&value));
        });
        if belongs {
            // What lies between goes along, and so do those that take what it returns.
            let between = insts.get(end..=place).unwrap_or_default();
            returned.extend(between.iter().flat_map(|&inst| &ir[inst].results));
            end = place + 1;
        }
    }
    insts.get(first..end).unwrap_or_default()
}

/// Steps of a product that are no loop.
const MAX_UNROLLED: i64 = 4;

/// Properties of the device and of the function that every run is lowered with.
#[derive(Clone, Copy)]
pub(in super::super) struct Settings<'a> {
    pub schedule: Schedule,
    pub info: &'a CoreInfo,
    /// Answers whether the function's memrefs are surfaces.
    pub surfaces: &'a Surfaces,
}

/// Steps along K of the products of tiles that all subgroups have as much of.
#[derive(Clone, Copy)]
struct TileSteps {
    /// Columns of A and rows of B in a step.
    step: i64,
    /// Columns of A and rows of B in the matrices of a factor that is loaded as a whole.
    held: i64,
    /// The fewest that a step could take.
    least: i64,
    /// Steps of a product that are no loop.
    max_unrolled: i64,
}

impl TileSteps {
    /// The steps of a function, which its products have in common. The factors of a step are most of what registers the accumulators
    /// leave in vector code: a compiler that sees two steps loads the second one early, and spills.
    fn of(ir: &Ir, func: Func, info: &CoreInfo) -> TileSteps {
        let mut steps = TileSteps { step: 1, held: 1, least: 1, max_unrolled: MAX_UNROLLED };
        let mut panels = i64::MAX;
        ir.walk(ir[func].body, &mut |inst| {
            if let Op::TileLoad(load) = &ir[inst].op {
                panels = panels.min(panel_depth(ir, load).unwrap_or(i64::MAX));
            }
            if let Op::TileDot(TileDot { schedule: Some(schedule), .. }) = &ir[inst].op {
                let [step, least] = [schedule.k_steps.first(), schedule.k_steps.last()]
                    .map(|step| step.copied().map_or(1, i64::from));
                let is_short = schedule.backend == MatrixBackendKind::Vector && !info.is_cpu();
                let max_unrolled = if is_short { 1 } else { steps.max_unrolled };
                steps = TileSteps { step, held: step, least, max_unrolled };
            }
        });
        TileSteps { held: steps.held.min(panels), ..steps }
    }
}

/// Returns whether an instruction works on tiles, itself or in a loop or branch that carries them.
fn holds_tiles(ir: &Ir, inst: Inst) -> bool {
    let mut uses_tile = false;
    ir[inst].op.visit_operands(&mut |value| uses_tile |= ir.ty(value).tile().is_some());
    let data = &ir[inst];
    uses_tile
        || is_tile_inst(ir, inst)
        || data.results.iter().any(|&result| ir.ty(result).tile().is_some())
        || data.regions.iter().any(|&region| is_tile_code(ir, region))
}

fn is_tile_inst(ir: &Ir, inst: Inst) -> bool {
    ir[inst].op.info().family == Family::Tile
}

fn is_tile_code(ir: &Ir, region: Region) -> bool {
    ir.insts(region).any(|inst| holds_tiles(ir, inst))
}

/// Replaces a run of instructions.
fn lower_run(
    ir: &mut Ir,
    run: &[Inst],
    settings: Settings<'_>,
    steps: TileSteps,
    fragments: &Fragments,
) -> Result<(), Error> {
    let Some(&first) = run.first() else { return Ok(()) };
    let gone = hoist_allocations(ir, run, first)?;
    let run: Vec<Inst> = run.iter().copied().filter(|inst| !gone.contains(inst)).collect();
    Builder::before(ir, first)?.parallel(|builder| {
        let grid = settings.schedule.grid;
        let x = builder.subgroup_id(Component::X, grid.rows.into())?;
        let y = builder.subgroup_id(Component::Y, grid.cols.into())?;
        let ids = SubgroupIds { x, y };
        let mut lowering = Lowering::new(settings, Place::Grid { ids, steps, fragments });
        lowering.insts(builder, &run, None).map(drop)
    })
}

/// Moves allocations in front of the run, where the memory keeps its place; returns them and the ends of lifetimes, which
/// are not part of the run any more.
fn hoist_allocations(ir: &mut Ir, run: &[Inst], first: Inst) -> Result<Vec<Inst>, Error> {
    let place = Builder::before(ir, first)?.cursor;
    let mut found = Vec::new();
    let mut look = |inst: Inst| match &ir[inst].op {
        Op::Alloca(_) => found.push((inst, true)),
        Op::LifetimeStop(_) => found.push((inst, false)),
        _ => {}
    };
    run.iter().for_each(|&inst| ir.walk_inst(inst, &mut look));
    for &(inst, is_allocation) in &found {
        if is_allocation {
            ir.move_inst(inst, place);
        } else {
            ir.erase(inst);
        }
    }
    Ok(found.into_iter().map(|(inst, _)| inst).collect())
}

/// Counterpart of a tile.
#[derive(Clone)]
enum Lowered {
    /// The matrices of the share.
    Matrices(Vec<Value>),
    /// A load that the only user, a product, carries out piece by piece.
    Deferred(Inst),
    /// Rows of a matrix that stand for memory.
    Rows(Rows),
}

/// Place of the subgroup in the grid.
#[derive(Clone, Copy)]
struct SubgroupIds {
    x: Value,
    y: Value,
}

/// The part of the tiles that a subgroup computes.
#[derive(Clone, Copy)]
enum Place<'a> {
    /// As many rows and columns of each tile as the others, with the steps of all products, and the fragments that some tiles
    /// are made of.
    Grid { ids: SubgroupIds, steps: TileSteps, fragments: &'a Fragments },
    /// A block of whole matrices.
    Block(Block<'a>),
}

/// A part of a copy that is in registers, on its way to local memory.
#[derive(Clone)]
struct Arriving {
    /// A store of all of it to each of several panels, of which each takes a part of this type.
    stores: Vec<CoopmatrixStore>,
    part: Coopmatrix,
    location: Location,
    /// True at run time in the subgroups that have such a part; `None` if all have.
    is_own: Option<Value>,
}

/// A run being lowered.
#[derive(Clone)]
struct Lowering<'a> {
    settings: Settings<'a>,
    values: HashMap<Value, Lowered>,
    place: Place<'a>,
    /// The rows that are this subgroup's to write, if the block has rows of others.
    own_rows: Option<OwnRows>,
    /// Matrices, modes and positions so far, with their views that leave out what others write.
    views: Vec<([Value; 2], usize, [Value; 2])>,
    /// Parts of copies that are not stored yet.
    arriving: VecDeque<Arriving>,
}

impl<'a> Lowering<'a> {
    fn new(settings: Settings<'a>, place: Place<'a>) -> Lowering<'a> {
        let held = match &place {
            Place::Block(Block { run: Run { held: Some((memref, rows)), .. }, .. }) => {
                Some((*memref, Lowered::Rows(rows.clone())))
            }
            Place::Block(_) | Place::Grid { .. } => None,
        };
        let values = held.into_iter().collect();
        Lowering { settings, values, place, own_rows: None, views: Vec::new(), arriving: VecDeque::new() }
    }

    /// Moves or lowers instructions in order; returns those that others have replaced.
    fn lower(&mut self, builder: &mut Builder<'_>, insts: &[Inst]) -> Result<Vec<Inst>, Error> {
        let mut replaced = Vec::new();
        for &inst in insts {
            builder.location = builder.ir[inst].location;
            if ends_copies(builder.ir, inst) {
                self.finish_copies(builder)?;
            }
            if self.inst(builder, inst)? {
                replaced.push(inst);
            } else {
                builder.ir.move_inst(inst, builder.cursor);
            }
        }
        Ok(replaced)
    }

    /// Moves or lowers instructions in order; returns what the `yield` at the end yields.
    fn insts(
        &mut self,
        builder: &mut Builder<'_>,
        insts: &[Inst],
        end: Option<Inst>,
    ) -> Result<Vec<Value>, Error> {
        let replaced = self.lower(builder, insts)?;
        self.finish_copies(builder)?;
        let yielded = match end.map(|end| &builder.ir[end].op) {
            Some(Op::Yield(Yield { values })) => values.clone(),
            _ => Vec::new(),
        };
        let yielded = self.all_expanded(builder, &yielded)?;
        // Users before what they use.
        end.into_iter().chain(replaced.into_iter().rev()).for_each(|inst| builder.ir.erase(inst));
        Ok(yielded)
    }

    /// Lowers an instruction; `false` if it stays as it is.
    fn inst(&mut self, builder: &mut Builder<'_>, inst: Inst) -> Result<bool, Error> {
        let op = builder.ir[inst].op.clone();
        let result = builder.ir[inst].results.first().copied();
        let tile = result.and_then(|result| builder.ir.ty(result).tile());
        let lowered = match (&op, tile) {
            (Op::Parallel(_), _) => {
                self.parallel(builder, inst)?;
                return Ok(true);
            }
            (Op::For(op), _) if is_collective(builder.ir, inst) => return self.for_loop(builder, inst, op),
            (Op::If(op), _) if is_collective(builder.ir, inst) => return self.branch(builder, inst, op),
            (Op::TileStore(op), _) => {
                self.store(builder, inst, op)?;
                return Ok(true);
            }
            (Op::TilePrefetch(op), _) => {
                self.prefetch(builder, op)?;
                return Ok(true);
            }
            (Op::TileCopy(op), _) => {
                self.copy(builder, op)?;
                return Ok(true);
            }
            (Op::TileTranspose(_), _) => return Err(uncombined(builder, "tile-combine")),
            (Op::TileAny(op), _) => {
                let holds = self.any(builder, op.tile)?;
                result.into_iter().for_each(|result| builder.ir.replace_all_uses(result, holds));
                return Ok(true);
            }
            (Op::TileLoad(op), Some(tile)) => match defers(builder.ir, inst) {
                true => Lowered::Deferred(inst),
                false => Lowered::Matrices(self.load(builder, inst, op, tile)?),
            },
            (Op::TileDot(op), Some(tile)) => Lowered::Matrices(self.dot(builder, op, tile)?),
            (Op::TileApply(op), Some(tile)) => Lowered::Matrices(self.apply(builder, inst, op, tile)?),
            (Op::ConstantInst(ConstantInst { value }), Some(tile)) => {
                let share = self.share(tile);
                let matrices = share.parts().map(|part| builder.constant(*value, part.matrix));
                Lowered::Matrices(matrices.collect::<Result<_, _>>()?)
            }
            (Op::TileReduce(op), Some(tile)) => self.reduce(builder, op, tile)?,
            (op, Some(tile)) => self.entrywise(builder, op, tile)?,
            (_, None) => return Ok(false),
        };
        if let Some(result) = result {
            self.values.insert(result, lowered);
        }
        Ok(true)
    }

    /// The matrices of a tile.
    fn matrices(&mut self, builder: &mut Builder<'_>, value: Value) -> Result<Vec<Value>, Error> {
        match self.values.get(&value).cloned() {
            Some(Lowered::Matrices(matrices)) => Ok(matrices),
            Some(Lowered::Deferred(inst)) => {
                let (Op::TileLoad(op), Some(tile)) =
                    (builder.ir[inst].op.clone(), builder.ir.ty(value).tile())
                else {
                    return Err(internal(builder.location, "what was put off is no load"));
                };
                self.load(builder, inst, &op, tile)
            }
            Some(Lowered::Rows(_)) | None => {
                Err(internal(builder.location, "a tile from outside of the run"))
            }
        }
    }

    fn share(&self, tile: Tile) -> Share {
        match &self.place {
            Place::Grid { steps, fragments, .. } => {
                let extent = self.settings.schedule.share_of(tile);
                Share::new(tile, extent, steps.held, fragments.shape_of(tile))
            }
            Place::Block(block) => block.share(tile, i64::MAX),
        }
    }

    /// The values that stand for a value where loops and branches carry it.
    fn expanded(&mut self, builder: &mut Builder<'_>, value: Value) -> Result<Vec<Value>, Error> {
        match builder.ir.ty(value).tile() {
            Some(_) => self.matrices(builder, value),
            None => Ok(vec![value]),
        }
    }

    fn all_expanded(&mut self, builder: &mut Builder<'_>, values: &[Value]) -> Result<Vec<Value>, Error> {
        let lists = values.iter().map(|&value| self.expanded(builder, value));
        Ok(lists.collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// Makes what stands for values, in their order, be what they are from now on.
    fn bind(&mut self, builder: &mut Builder<'_>, values: &[Value], new: &[Value]) -> Result<(), Error> {
        let mut new = new.iter().copied();
        for &value in values {
            let count = builder.ir.ty(value).tile().map(|tile| self.share(tile).parts().count());
            let own: Vec<Value> = new.by_ref().take(count.unwrap_or(1)).collect();
            match (count, own.as_slice()) {
                (Some(_), _) => {
                    self.values.insert(value, Lowered::Matrices(own));
                }
                (None, &[own]) => builder.ir.replace_all_uses(value, own),
                (None, _) => return Err(internal(builder.location, "a carried value is missing")),
            }
        }
        Ok(())
    }

    fn for_loop(&mut self, builder: &mut Builder<'_>, inst: Inst, op: &For) -> Result<bool, Error> {
        let init = self.all_expanded(builder, &op.init)?;
        let attributes = ForAttributes { unroll: op.attributes.unroll, ..ForAttributes::default() };
        let head = For { init, attributes, ..op.clone() };
        let Some(&region) = builder.ir[inst].regions.first() else {
            return Err(internal(builder.location, "a loop without a body"));
        };
        let parameters = builder.ir[region].parameters.clone();
        let results = builder.for_loop::<Error>(head, |builder, variable, carried| {
            let new: Vec<Value> = std::iter::once(variable).chain(carried.iter().copied()).collect();
            self.bind(builder, &parameters, &new)?;
            self.body(builder, region)
        })?;
        self.bind(builder, &builder.ir[inst].results.clone(), &results)?;
        Ok(true)
    }

    fn branch(&mut self, builder: &mut Builder<'_>, inst: Inst, op: &If) -> Result<bool, Error> {
        let data = &builder.ir[inst];
        let &[then, otherwise] = data.regions.as_slice() else {
            return Err(internal(builder.location, "a branch without two sides"));
        };
        let results = data.results.clone();
        let types: Vec<Type> = (results.iter())
            .flat_map(|&result| match builder.ir.ty(result).tile() {
                Some(tile) => self.share(tile).parts().map(|part| Type::from(part.matrix)).collect(),
                None => vec![builder.ir.ty(result).clone()],
            })
            .collect();
        // Both sides see what was bound before, and neither what the other binds.
        let this = std::cell::RefCell::new(self);
        let new = builder.branch::<Error>(
            op.condition,
            &types,
            |builder| this.borrow_mut().body(builder, then),
            |builder| this.borrow_mut().body(builder, otherwise),
        )?;
        this.into_inner().bind(builder, &results, &new)?;
        Ok(true)
    }

    /// Lowers the instructions of a region; returns what it yields.
    fn body(&mut self, builder: &mut Builder<'_>, region: Region) -> Result<Vec<Value>, Error> {
        let mut insts: Vec<Inst> = builder.ir.insts(region).collect();
        let end = insts.last().copied().filter(|&last| matches!(builder.ir[last].op, Op::Yield(_)));
        if end.is_some() {
            insts.pop();
        }
        // What is built in here does not dominate what comes behind.
        let views = self.views.clone();
        let yielded = self.insts(builder, &insts, end)?;
        self.views = views;
        Ok(yielded)
    }
}

/// Returns whether copies end in front of an instruction: it is a barrier, or what may have one, or it may leave a loop.
fn ends_copies(ir: &Ir, inst: Inst) -> bool {
    let data = &ir[inst];
    matches!(data.op.info().side_effect, SideEffect::Synchronization | SideEffect::Exit)
        || matches!(data.op, Op::For(_) | Op::If(_) | Op::Parallel(_))
}

/// The error about what another pass has to replace first.
fn uncombined(builder: &Builder<'_>, pass: &str) -> Error {
    let detail = format!("`{pass}` comes before this pass");
    VerifierError::new(Status::NotImplemented, builder.location, detail).into()
}

/// Returns whether a loop or branch has something in it that does not stay as it is.
fn is_collective(ir: &Ir, inst: Inst) -> bool {
    let mut found = holds_tiles(ir, inst);
    for &region in &ir[inst].regions {
        ir.walk(region, &mut |inner| found |= matches!(ir[inner].op, Op::Parallel(_)));
    }
    found
}
