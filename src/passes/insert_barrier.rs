//! Inserts barriers between dependent collective instructions (`spec/lowering.md` 1.7).
//!
//! A forward data-flow over the control-flow graph. The state is, for each address space, the memrefs
//! read and written since the last barrier that fences the space. Where an instruction conflicts with the
//! state, a barrier goes before it; accesses in SPMD regions are only summed up.

use super::error::Error;
use super::manager::Settings;
use crate::analysis::{Aliases, effects, root};
use crate::ir::{
    AddressSpace, Barrier, FenceGlobal, FenceLocal, Func, Inst, Ir, Op, Region, RegionKind, Value,
};
use std::collections::{BTreeSet, HashMap};

pub(super) fn run(ir: &mut Ir, func: Func, _settings: &Settings<'_>) -> Result<(), Error> {
    let body = ir[func].body;
    let graph = Graph::new(ir, body);
    let fences = solve(&graph, &Aliases::new(ir, body));
    let fences: HashMap<Inst, [bool; 2]> =
        graph.nodes.iter().zip(fences).map(|(node, fences)| (node.inst, fences)).collect();
    insert(ir, body, &fences)
}

/// Accesses to one address space.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Pending {
    reads: BTreeSet<Value>,
    writes: BTreeSet<Value>,
}

/// Accesses to global and to local memory.
type State = [Pending; 2];

const SPACES: [AddressSpace; 2] = [AddressSpace::Global, AddressSpace::Local];

struct Node {
    inst: Inst,
    /// Inside an SPMD region, where no barrier may be inserted.
    spmd: bool,
    effects: State,
    /// Spaces that the node, a barrier by hand, fences.
    fenced_by_hand: [bool; 2],
    successors: Vec<usize>,
}

/// The instructions of a function in text order and the ways between them.
struct Graph {
    nodes: Vec<Node>,
}

impl Graph {
    fn new(ir: &Ir, body: Region) -> Graph {
        let mut graph = Graph { nodes: Vec::new() };
        graph.region(ir, body, false, Vec::new());
        graph
    }

    /// Adds the nodes of a region that is entered from `entries`; returns the nodes it is left from.
    fn region(&mut self, ir: &Ir, region: Region, spmd: bool, entries: Vec<usize>) -> Vec<usize> {
        let mut before = entries;
        for &inst in &ir[region].insts {
            let index = self.node(ir, inst, spmd);
            for previous in before {
                self.connect(previous, index);
            }
            before = self.regions_of(ir, inst, spmd, index);
        }
        before
    }

    /// Adds the regions of an instruction; returns the nodes that lead on to the next one.
    fn regions_of(&mut self, ir: &Ir, inst: Inst, spmd: bool, index: usize) -> Vec<usize> {
        let data = &ir[inst];
        let is_loop = matches!(data.op, Op::For(_) | Op::Foreach(_) | Op::ForeachTile(_));
        let mut leaving = Vec::new();
        for &region in &data.regions {
            let spmd = spmd || ir[region].kind == RegionKind::Spmd;
            // An empty region is left from the instruction itself, so that a branch not taken keeps what
            // was pending before it.
            let exits = self.region(ir, region, spmd, vec![index]);
            if is_loop {
                exits.into_iter().filter(|&exit| exit != index).for_each(|exit| self.connect(exit, index));
            } else {
                leaving.extend(exits);
            }
        }
        if is_loop || data.regions.is_empty() {
            leaving.push(index);
        }
        leaving.sort_unstable();
        leaving.dedup();
        leaving
    }

    fn node(&mut self, ir: &Ir, inst: Inst, spmd: bool) -> usize {
        let op = &ir[inst].op;
        let all = effects(ir, op);
        let in_space = |values: &[Value], space| -> BTreeSet<Value> {
            let lives = |value: &&Value| ir.ty(**value).memref().is_some_and(|memref| memref.space == space);
            values.iter().filter(lives).map(|&value| root(ir, value)).collect()
        };
        let effects = SPACES.map(|space| Pending {
            reads: in_space(&all.reads, space),
            writes: in_space(&all.writes, space),
        });
        let fenced_by_hand = match op {
            Op::Barrier(barrier) if !spmd => {
                [barrier.global == FenceGlobal::Yes, barrier.local == FenceLocal::Yes]
            }
            _ => [false, false],
        };
        self.nodes.push(Node { inst, spmd, effects, fenced_by_hand, successors: Vec::new() });
        self.nodes.len() - 1
    }

    fn connect(&mut self, from: usize, to: usize) {
        if let Some(node) = self.nodes.get_mut(from)
            && !node.successors.contains(&to)
        {
            node.successors.push(to);
        }
    }
}

/// The spaces to fence before each node. A fence once found stays: states only grow otherwise.
fn solve(graph: &Graph, aliases: &Aliases) -> Vec<[bool; 2]> {
    let mut states: Vec<State> = vec![State::default(); graph.nodes.len()];
    let mut fences = vec![[false; 2]; graph.nodes.len()];
    let mut queue: BTreeSet<usize> = (0..graph.nodes.len()).collect();
    while let Some(index) = queue.pop_first() {
        let (Some(node), Some(state), Some(fence)) =
            (graph.nodes.get(index), states.get(index).cloned(), fences.get_mut(index))
        else {
            continue;
        };
        let mut out = State::default();
        for space in 0..SPACES.len() {
            let (Some(pending), Some(effect), Some(fence), Some(&by_hand), Some(out)) = (
                state.get(space),
                node.effects.get(space),
                fence.get_mut(space),
                node.fenced_by_hand.get(space),
                out.get_mut(space),
            ) else {
                continue;
            };
            *fence |= !node.spmd && conflict(aliases, pending, effect);
            if !*fence && !by_hand {
                out.clone_from(pending);
            }
            out.reads.extend(&effect.reads);
            out.writes.extend(&effect.writes);
        }
        for &successor in &node.successors {
            if let Some(state) = states.get_mut(successor)
                && merge(state, &out)
            {
                queue.insert(successor);
            }
        }
    }
    fences
}

/// Read after write, write after read, or write after write.
fn conflict(aliases: &Aliases, pending: &Pending, effect: &Pending) -> bool {
    let meet = |a: &BTreeSet<Value>, b: &BTreeSet<Value>| {
        a.iter().any(|&a| b.iter().any(|&b| aliases.may_alias(a, b)))
    };
    meet(&effect.reads, &pending.writes)
        || meet(&effect.writes, &pending.reads)
        || meet(&effect.writes, &pending.writes)
}

/// Adds `from` to `into`; true if that changed it.
fn merge(into: &mut State, from: &State) -> bool {
    let before = into.clone();
    for (into, from) in into.iter_mut().zip(from) {
        into.reads.extend(&from.reads);
        into.writes.extend(&from.writes);
    }
    *into != before
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
