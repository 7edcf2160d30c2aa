//! Inserts barriers between dependent collective instructions (`spec/lowering.md` 1.7).
//!
//! A forward data-flow over the control-flow graph. The state is, for each address space, the memrefs
//! read and written since the last barrier that fences the space. Where an instruction conflicts with the
//! state, a barrier goes before it.
//!
//! An instruction with an SPMD region counts as one node with all accesses of the region. So a `parallel`
//! or `foreach` is protected from what comes before it too, which the language promises
//! (`spec/language.md` 4) and the original's algorithm misses; nothing is inserted into the region.

use super::error::Error;
use super::manager::Settings;
use crate::analysis::{BitSet, Effects, Pieces, effects};
use crate::ir::{
    AddressSpace, Barrier, FenceGlobal, FenceLocal, Func, Inst, Ir, Op, Region, RegionKind, Value,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

pub(super) fn run(ir: &mut Ir, func: Func, _settings: &Settings<'_>) -> Result<(), Error> {
    let body = ir[func].body;
    let graph = Graph::new(ir, body);
    let fences = solve(&graph);
    let fences: HashMap<Inst, [bool; 2]> =
        graph.nodes.iter().zip(fences).map(|(node, fences)| (node.inst, fences)).collect();
    insert(ir, body, &fences)
}

/// Pieces of memory in one address space that were accessed since the last fence.
#[derive(Clone, Debug, Default)]
struct Pending {
    reads: BitSet,
    writes: BitSet,
}

/// Pieces of memory in one address space that an instruction accesses.
#[derive(Debug)]
struct Accesses {
    reads: Vec<Range<usize>>,
    writes: Vec<Range<usize>>,
}

/// Accesses to global and to local memory.
type State = [Pending; 2];

const SPACES: [AddressSpace; 2] = [AddressSpace::Global, AddressSpace::Local];

struct Node {
    inst: Inst,
    effects: [Accesses; 2],
    /// Spaces that the node, a barrier by hand, fences.
    fenced_by_hand: [bool; 2],
    successors: Vec<usize>,
    /// Ways that lead here.
    predecessors: usize,
    /// Whether a way leads from here back to here.
    in_loop: bool,
}

/// The instructions of a function outside of SPMD regions, in text order, and the ways between them.
struct Graph {
    nodes: Vec<Node>,
    pieces: Pieces,
    /// Loops around the node that is added next.
    loops: usize,
}

impl Graph {
    fn new(ir: &Ir, body: Region) -> Graph {
        let mut graph = Graph { nodes: Vec::new(), pieces: Pieces::new(ir, body), loops: 0 };
        graph.region(ir, body, Vec::new());
        graph
    }

    /// Adds the nodes of a region that is entered from `entries`; returns the nodes it is left from.
    fn region(&mut self, ir: &Ir, region: Region, entries: Vec<usize>) -> Vec<usize> {
        let mut before = entries;
        for &inst in &ir[region].insts {
            let index = self.node(ir, inst);
            for previous in before {
                self.connect(previous, index);
            }
            before = self.regions_of(ir, inst, index);
        }
        before
    }

    /// Adds the regions of an instruction; returns the nodes that lead on to the next one.
    fn regions_of(&mut self, ir: &Ir, inst: Inst, index: usize) -> Vec<usize> {
        let data = &ir[inst];
        let is_loop = matches!(data.op, Op::For(_));
        self.loops += usize::from(is_loop);
        let mut leaving = Vec::new();
        for &region in data.regions.iter().filter(|&&region| ir[region].kind != RegionKind::Spmd) {
            // An empty region is left from the instruction itself, so that a branch not taken keeps what
            // was pending before it.
            let exits = self.region(ir, region, vec![index]);
            if is_loop {
                exits.into_iter().filter(|&exit| exit != index).for_each(|exit| self.connect(exit, index));
            } else {
                leaving.extend(exits);
            }
        }
        self.loops -= usize::from(is_loop);
        if is_loop || leaving.is_empty() {
            leaving.push(index);
        }
        leaving.sort_unstable();
        leaving.dedup();
        leaving
    }

    fn node(&mut self, ir: &Ir, inst: Inst) -> usize {
        let op = &ir[inst].op;
        let all = all_effects(ir, inst);
        let mut in_space = |values: &[Value], space| -> Vec<Range<usize>> {
            let lives = |value: &&Value| ir.ty(**value).memref().is_some_and(|memref| memref.space == space);
            values.iter().filter(lives).map(|&value| self.pieces.of(ir, value)).collect()
        };
        let effects = SPACES.map(|space| Accesses {
            reads: in_space(&all.reads, space),
            writes: in_space(&all.writes, space),
        });
        let fenced_by_hand = match op {
            Op::Barrier(barrier) => [barrier.global == FenceGlobal::Yes, barrier.local == FenceLocal::Yes],
            _ => [false, false],
        };
        let in_loop = self.loops > 0 || matches!(op, Op::For(_));
        self.nodes.push(Node {
            inst,
            effects,
            fenced_by_hand,
            successors: Vec::new(),
            predecessors: 0,
            in_loop,
        });
        self.nodes.len() - 1
    }

    fn connect(&mut self, from: usize, to: usize) {
        if let Some(node) = self.nodes.get_mut(from)
            && !node.successors.contains(&to)
        {
            node.successors.push(to);
            if let Some(node) = self.nodes.get_mut(to) {
                node.predecessors += 1;
            }
        }
    }

    /// The node that follows on a straight way, on which no state needs to be kept. Ways back end here, so
    /// that a loop is gone round by way of the queue.
    fn straight_on(&self, index: usize, node: &Node) -> Option<usize> {
        match node.successors.as_slice() {
            &[next] if next > index && self.nodes.get(next).is_some_and(|next| next.predecessors == 1) => {
                Some(next)
            }
            _ => None,
        }
    }
}

/// What an instruction and its SPMD regions access.
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

/// The spaces to fence before each node. A fence once found stays: states only grow otherwise.
fn solve(graph: &Graph) -> Vec<[bool; 2]> {
    let mut fences = vec![[false; 2]; graph.nodes.len()];
    // States at the start of straight ways only, so that time and memory stay in bounds.
    let mut starts: BTreeMap<usize, State> = BTreeMap::from([(0, State::default())]);
    let mut queue = BTreeSet::from([0]);
    while let Some(start) = queue.pop_first() {
        // Ways lead on in the text except in loops, so elsewhere nothing comes back to look at it.
        let in_loop = graph.nodes.get(start).is_some_and(|node| node.in_loop);
        let state = if in_loop { starts.get(&start).cloned() } else { starts.remove(&start) };
        let Some(mut state) = state else { continue };
        let mut index = start;
        while let (Some(node), Some(fences)) = (graph.nodes.get(index), fences.get_mut(index)) {
            step(node, &mut state, fences);
            if let Some(next) = graph.straight_on(index, node) {
                index = next;
                continue;
            }
            for &successor in &node.successors {
                let is_new = !starts.contains_key(&successor);
                if merge(starts.entry(successor).or_default(), &state) || is_new {
                    queue.insert(successor);
                }
            }
            break;
        }
    }
    fences
}

/// Carries the state over a node and notes the fences it needs.
fn step(node: &Node, state: &mut State, fences: &mut [bool; 2]) {
    let spaces = state.iter_mut().zip(&node.effects).zip(fences).zip(node.fenced_by_hand);
    for (((pending, effect), fence), by_hand) in spaces {
        *fence |= conflict(pending, effect);
        if *fence || by_hand {
            pending.reads.clear();
            pending.writes.clear();
        }
        effect.reads.iter().for_each(|pieces| pending.reads.insert(pieces.clone()));
        effect.writes.iter().for_each(|pieces| pending.writes.insert(pieces.clone()));
    }
}

/// Read after write, write after read, or write after write.
fn conflict(pending: &Pending, effect: &Accesses) -> bool {
    let meet =
        |pieces: &[Range<usize>], pending: &BitSet| pieces.iter().any(|range| pending.meets(range.clone()));
    meet(&effect.reads, &pending.writes)
        || meet(&effect.writes, &pending.reads)
        || meet(&effect.writes, &pending.writes)
}

/// Adds `from` to `into`; true if that changed it.
fn merge(into: &mut State, from: &State) -> bool {
    let mut changed = false;
    for (into, from) in into.iter_mut().zip(from) {
        changed |= into.reads.unite(&from.reads);
        changed |= into.writes.unite(&from.writes);
    }
    changed
}

fn insert(ir: &mut Ir, region: Region, fences: &HashMap<Inst, [bool; 2]>) -> Result<(), Error> {
    let mut insts = Vec::new();
    for inst in ir[region].insts.clone() {
        if let Some(&[global, local]) = fences.get(&inst)
            && (global || local)
        {
            let barrier = Barrier {
                global: if global { FenceGlobal::Yes } else { FenceGlobal::No },
                local: if local { FenceLocal::Yes } else { FenceLocal::No },
            };
            insts.push(ir.create(barrier, &[], ir[inst].location)?);
        }
        insts.push(inst);
        for inner in ir[inst].regions.clone() {
            insert(ir, inner, fences)?;
        }
    }
    ir[region].insts = insts;
    Ok(())
}
