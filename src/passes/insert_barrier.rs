//! Inserts barriers between dependent collective instructions (lowering reference 1.7).
//!
//! A forward data-flow over the control-flow graph. The state is, for each address space, the memrefs
//! read and written since the last barrier that fences the space. Where an instruction conflicts with the
//! state, a barrier goes before it.
//!
//! An instruction with an SPMD region counts as one node with all accesses of the region. So a `parallel`
//! or `foreach` is protected from what comes before it too, which the language promises
//! (language reference 4) and the original's algorithm misses; nothing is inserted into the region.

use super::context::Context;
use super::error::{Error, internal};
use crate::analysis::{
    AliasSets, BitSet, ControlFlow, Effects, SpmdRegions, chain_before, effects, integer_of,
};
use crate::ir::{
    AddressSpace, Barrier, Boundary, Builder, FenceGlobal, FenceLocal, Func, Inst, Ir, MatrixUse, Op,
    RegionKind, SideEffect, Tile, Transpose, Value,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

pub(super) fn run(ir: &mut Ir, func: Func, _context: &Context<'_>) -> Result<(), Error> {
    let body = ir[func].body;
    let graph = ControlFlow::new(ir, body, SpmdRegions::AsOneNode);
    let mut alias_sets = AliasSets::new(ir, body);
    let mut nodes: Vec<Node> = graph
        .nodes()
        .iter()
        .map(|node| Node::new(ir, node.inst, &mut alias_sets))
        .collect::<Result<_, _>>()?;
    mark_own_reads(ir, &graph, &mut nodes);
    let chains = chains(ir, &graph);
    let fences = Problem { graph: &graph, nodes: &nodes, chains: &chains }.solve();
    for (node, [global, local]) in
        graph.nodes().iter().zip(fences).filter(|(_, fences)| fences.contains(&true))
    {
        let barrier = Barrier {
            global: if global { FenceGlobal::Yes } else { FenceGlobal::No },
            local: if local { FenceLocal::Yes } else { FenceLocal::No },
        };
        Builder::before(ir, node.inst)?.emit(barrier, &[])?;
    }
    Ok(())
}

/// A product that makes a factor of another one, and a later one of its chain, as nodes.
struct Chained {
    first: usize,
    later: usize,
}

/// The products between whose ends a fence for global memory would keep what lies between them from staying in registers.
fn chains(ir: &Ir, graph: &ControlFlow) -> Vec<Chained> {
    let places: HashMap<Inst, usize> =
        graph.nodes().iter().enumerate().map(|(place, node)| (node.inst, place)).collect();
    let mut chains = Vec::new();
    for node in graph.nodes() {
        let mut links = chain_before(ir, node.inst).into_iter().map(|link| link.inst);
        let first = links.next().and_then(|first| places.get(&first));
        let later = links.chain([node.inst]).filter_map(|inst| places.get(&inst));
        chains.extend(
            first.into_iter().flat_map(|&first| later.clone().map(move |&later| Chained { first, later })),
        );
    }
    chains
}

/// Alias sets of memory in one address space that were accessed since the last fence.
#[derive(Clone, Debug, Default)]
struct Pending {
    reads: BitSet,
    writes: BitSet,
}

/// Alias sets of memory in one address space that an instruction accesses.
#[derive(Debug)]
struct Accesses {
    reads: Vec<Range<usize>>,
    writes: Vec<Range<usize>>,
    /// True if what is read may be written without a fence.
    reads_own: bool,
}

/// Accesses to global and to local memory.
type State = [Pending; 2];

/// Steps that taking fences away may cost; beyond, a barrier too many is the lesser evil.
const MAX_WORK: usize = 2_000_000;

const SPACES: [AddressSpace; 2] = [AddressSpace::Global, AddressSpace::Local];

/// Transfer function of a node of the graph.
struct Node {
    effects: [Accesses; 2],
    /// Spaces that the node, a barrier by hand, fences.
    fenced_by_hand: [bool; 2],
    /// Alias sets that mean other memory in each iteration, if the node is a loop.
    of_iterations: Vec<Range<usize>>,
}

impl Node {
    fn new(ir: &Ir, inst: Inst, alias_sets: &mut AliasSets) -> Result<Node, Error> {
        let all = all_effects(ir, inst);
        let mut in_space = |values: &[Value], space| -> Vec<Range<usize>> {
            let lives = |value: &&Value| ir.ty(**value).memref().is_some_and(|memref| memref.space == space);
            values.iter().filter(lives).map(|&value| alias_sets.of(ir, value)).collect()
        };
        let effects = SPACES.map(|space| Accesses {
            reads: in_space(&all.reads, space),
            writes: in_space(&all.writes, space),
            reads_own: false,
        });
        let of_iterations = alias_sets.of_iterations(inst).to_vec();
        Ok(Node { effects, fenced_by_hand: fences_of(ir, inst)?, of_iterations })
    }

    /// The state at the begin of a loop's next iteration, without the accesses to what no later iteration accesses.
    fn next_iteration(&self, state: &State) -> State {
        let mut state = state.clone();
        for pending in &mut state {
            for sets in &self.of_iterations {
                pending.reads.remove(sets.clone());
                pending.writes.remove(sets.clone());
            }
        }
        state
    }
}

/// Marks reads of sums that nothing writes behind them but stores of tiles that lie where they do: each lane writes what it has
/// read itself.
fn mark_own_reads(ir: &Ir, graph: &ControlFlow, nodes: &mut [Node]) {
    let insts: Vec<Inst> = graph.nodes().iter().map(|node| node.inst).collect();
    for (place, &inst) in insts.iter().enumerate() {
        let Some(own) = Sums::loaded(ir, inst) else { continue };
        let Some((node, later)) = nodes.get_mut(place..).and_then(<[Node]>::split_first_mut) else {
            continue;
        };
        let behind = insts.iter().skip(place + 1);
        for (space, accesses) in node.effects.iter_mut().enumerate() {
            let meets = |sets: &Range<usize>| {
                accesses.reads.iter().any(|own| own.start < sets.end && sets.start < own.end)
            };
            let writes =
                |node: &Node| node.effects.get(space).is_some_and(|all| all.writes.iter().any(meets));
            accesses.reads_own = behind
                .clone()
                .zip(&*later)
                .all(|(&other, node)| !writes(node) || Sums::stored(ir, other) == Some(own));
        }
    }
}

/// Place of sums in memory.
#[derive(Clone, Copy, PartialEq)]
struct Sums {
    tile: Tile,
    memref: Value,
    at: [Result<i64, Value>; 2],
    transpose: Transpose,
}

impl Sums {
    fn loaded(ir: &Ir, inst: Inst) -> Option<Sums> {
        let Op::TileLoad(load) = &ir[inst].op else { return None };
        let &result = ir[inst].results.first()?;
        let is_there = !load.boundary.0.contains(&Boundary::Wrap);
        Sums::of(ir, inst, result, (load.from, load.transpose, [load.x, load.y])).filter(|_| is_there)
    }

    fn stored(ir: &Ir, inst: Inst) -> Option<Sums> {
        let Op::TileStore(store) = &ir[inst].op else { return None };
        Sums::of(ir, inst, store.value, (store.to, store.transpose, [store.x, store.y]))
    }

    /// The place that an instruction accesses once: in a loop the next iteration may be elsewhere.
    fn of(
        ir: &Ir,
        inst: Inst,
        tile: Value,
        (memref, transpose, at): (Value, Transpose, [Value; 2]),
    ) -> Option<Sums> {
        // Several subgroups may read a single row or column, which one of them writes.
        let is_divided = |tile: &Tile| tile.usage == MatrixUse::Acc && tile.rows > 1 && tile.cols > 1;
        let tile = ir.ty(tile).tile().filter(is_divided)?;
        let around = |inst: Inst| ir.parent(inst).and_then(|region| ir.owner(region));
        let mut owner = around(inst);
        while let Some(outer) = owner {
            if !matches!(ir[outer].op, Op::If(_)) {
                return None;
            }
            owner = around(outer);
        }
        let memref = match ir.defining_op(memref) {
            Some(Op::AsSurface(surface)) => surface.of,
            Some(_) | None => memref,
        };
        let at = at.map(|value| integer_of(ir, value).ok_or(value));
        Some(Sums { tile, memref, at, transpose })
    }
}

/// The spaces that an instruction itself fences.
fn fences_of(ir: &Ir, inst: Inst) -> Result<Fences, Error> {
    match &ir[inst].op {
        Op::Barrier(barrier) => Ok([barrier.global == FenceGlobal::Yes, barrier.local == FenceLocal::Yes]),
        Op::BarrierArrive(_) | Op::BarrierWait(_) => Ok([false, false]),
        op if op.info().side_effect == SideEffect::Synchronization => {
            let error = internal(ir[inst].location, "it synchronizes in an unknown way");
            Err(error.in_instruction(op.mnemonic(), ir[inst].location))
        }
        _ => Ok([false, false]),
    }
}

/// Collects the accesses of an instruction and its SPMD regions.
fn all_effects(ir: &Ir, inst: Inst) -> Effects {
    let mut all = effects(ir, &ir[inst].op);
    for &region in ir[inst].regions.iter().filter(|&&region| ir[region].kind == RegionKind::Spmd) {
        ir.walk(region, &mut |inner| {
            let inner = effects(ir, &ir[inner].op);
            all.reads.extend(inner.reads);
            all.writes.extend(inner.writes);
        });
    }
    all
}

/// The spaces to fence before a node.
type Fences = [bool; 2];

/// The data-flow problem of a function.
struct Problem<'a> {
    graph: &'a ControlFlow,
    nodes: &'a [Node],
    chains: &'a [Chained],
}

impl Problem<'_> {
    /// Fences before each node such that no dependence is left, and none of them is redundant.
    fn solve(&self) -> Vec<Fences> {
        let mut fences = vec![[false; 2]; self.nodes.len()];
        self.flow(&mut fences, OnMissing::Add);
        if self.graph.has_loops() {
            self.remove_redundant(&mut fences);
        }
        self.clear_chains(&mut fences);
        fences
    }

    /// Puts fences for global memory between the products of a chain in front of it where they do as well there.
    fn clear_chains(&self, fences: &mut Vec<Fences>) {
        if self.chains.len().saturating_mul(self.nodes.len()) > MAX_WORK {
            return;
        }
        for &Chained { first, later } in self.chains {
            let mut moved = fences.clone();
            let Some([global @ true, _]) = moved.get_mut(later) else { continue };
            *global = false;
            if let Some([global, _]) = moved.get_mut(first) {
                *global = true;
            }
            if !self.flow(&mut moved, OnMissing::Stop) {
                *fences = moved;
            }
        }
    }

    /// Removes redundant fences. In a loop a fence may be found before the one in
    /// front of it is, for which the back edge must be known.
    fn remove_redundant(&self, fences: &mut Vec<Fences>) {
        let there: Vec<(usize, usize)> = (fences.iter().enumerate().rev())
            .flat_map(|(index, spaces)| {
                let spaces = spaces.iter().enumerate().filter(|(_, fence)| **fence);
                spaces.map(move |(space, _)| (index, space))
            })
            .collect();
        if there.len().saturating_mul(self.nodes.len()) > MAX_WORK {
            return;
        }
        for (index, space) in there {
            let mut fewer = fences.clone();
            if let Some(fence) = fewer.get_mut(index).and_then(|spaces| spaces.get_mut(space)) {
                *fence = false;
            }
            if !self.flow(&mut fewer, OnMissing::Stop) {
                *fences = fewer;
            }
        }
    }

    /// Carries states along all paths up to the fixpoint; true if a fence was missing.
    fn flow(&self, fences: &mut [Fences], on_missing: OnMissing) -> bool {
        let mut missing = false;
        // States at the start of straight-line code only, so that time and memory stay in bounds.
        let mut starts: BTreeMap<usize, State> = BTreeMap::from([(0, State::default())]);
        let mut queue = BTreeSet::from([0]);
        while let Some(start) = queue.pop_first() {
            // Edges lead forward except in loops, so elsewhere nothing comes back to look at it.
            let state =
                if self.graph.in_loop(start) { starts.get(&start).cloned() } else { starts.remove(&start) };
            let Some(mut state) = state else { continue };
            let mut index = start;
            while let (Some(node), Some(fences)) = (self.nodes.get(index), fences.get_mut(index)) {
                missing |= step(node, &mut state, fences);
                if missing && on_missing == OnMissing::Stop {
                    return true;
                }
                // In straight-line code no state needs to be kept.
                if let Some(next) = self.graph.fall_through(index) {
                    index = next;
                    continue;
                }
                for &successor in self.graph.nodes().get(index).map_or(&[][..], |node| &node.successors) {
                    let is_new = !starts.contains_key(&successor);
                    let iterations = self.nodes.get(successor).filter(|_| successor <= index);
                    let next_iteration = iterations.map(|iterations| iterations.next_iteration(&state));
                    let state = next_iteration.as_ref().unwrap_or(&state);
                    if merge(starts.entry(successor).or_default(), state) || is_new {
                        queue.insert(successor);
                    }
                }
                break;
            }
        }
        missing
    }
}

/// Action where a fence is missing.
#[derive(Clone, Copy, PartialEq)]
enum OnMissing {
    /// Put one there. It stays, for states only grow otherwise.
    Add,
    /// Look no further.
    Stop,
}

/// Carries the state over a node and adds the fences it needs; true if there were any.
fn step(node: &Node, state: &mut State, fences: &mut Fences) -> bool {
    let mut missing = false;
    let spaces = state.iter_mut().zip(&node.effects).zip(fences).zip(node.fenced_by_hand);
    for (((pending, effect), fence), by_hand) in spaces {
        if !*fence && conflict(pending, effect) {
            *fence = true;
            missing = true;
        }
        if *fence || by_hand {
            pending.reads.clear();
            pending.writes.clear();
        }
        let waits = !effect.reads_own;
        effect.reads.iter().filter(|_| waits).for_each(|sets| pending.reads.insert(sets.clone()));
        effect.writes.iter().for_each(|sets| pending.writes.insert(sets.clone()));
    }
    missing
}

/// Read after write, write after read, or write after write.
fn conflict(pending: &Pending, effect: &Accesses) -> bool {
    let intersects =
        |sets: &[Range<usize>], pending: &BitSet| sets.iter().any(|range| pending.intersects(range.clone()));
    intersects(&effect.reads, &pending.writes)
        || intersects(&effect.writes, &pending.reads)
        || intersects(&effect.writes, &pending.writes)
}

/// Adds `from` to `into`; true if that changed it.
fn merge(into: &mut State, from: &State) -> bool {
    let mut changed = false;
    for (into, from) in into.iter_mut().zip(from) {
        changed |= into.reads.union(&from.reads);
        changed |= into.writes.union(&from.writes);
    }
    changed
}
