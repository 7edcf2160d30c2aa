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
use crate::analysis::{Aliases, ControlFlow, Effects, SpmdRegions, effects, root};
use crate::ir::{
    AddressSpace, Barrier, FenceGlobal, FenceLocal, Func, Inst, Ir, Op, Region, RegionKind, Value,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

pub(super) fn run(ir: &mut Ir, func: Func, _settings: &Settings<'_>) -> Result<(), Error> {
    let body = ir[func].body;
    let graph = ControlFlow::new(ir, body, SpmdRegions::AsOneNode);
    let nodes: Vec<Node> = graph.nodes().iter().map(|node| Node::new(ir, node.inst)).collect();
    let fences = solve(&graph, &nodes, &Aliases::new(ir, body));
    let fences: HashMap<Inst, [bool; 2]> =
        graph.nodes().iter().zip(fences).map(|(node, fences)| (node.inst, fences)).collect();
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

/// What a node of the graph does.
struct Node {
    effects: State,
    /// Spaces that the node, a barrier by hand, fences.
    fenced_by_hand: [bool; 2],
}

impl Node {
    fn new(ir: &Ir, inst: Inst) -> Node {
        let all = all_effects(ir, inst);
        let in_space = |values: &[Value], space| -> BTreeSet<Value> {
            let lives = |value: &&Value| ir.ty(**value).memref().is_some_and(|memref| memref.space == space);
            values.iter().filter(lives).map(|&value| root(ir, value)).collect()
        };
        let effects = SPACES.map(|space| Pending {
            reads: in_space(&all.reads, space),
            writes: in_space(&all.writes, space),
        });
        let fenced_by_hand = match &ir[inst].op {
            Op::Barrier(barrier) => [barrier.global == FenceGlobal::Yes, barrier.local == FenceLocal::Yes],
            _ => [false, false],
        };
        Node { effects, fenced_by_hand }
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
fn solve(graph: &ControlFlow, nodes: &[Node], aliases: &Aliases) -> Vec<[bool; 2]> {
    let mut fences = vec![[false; 2]; nodes.len()];
    // States at the start of straight ways only, so that time and memory stay in bounds.
    let mut starts: BTreeMap<usize, State> = BTreeMap::from([(0, State::default())]);
    let mut queue = BTreeSet::from([0]);
    while let Some(start) = queue.pop_first() {
        let Some(mut state) = starts.get(&start).cloned() else { continue };
        let mut index = start;
        while let (Some(node), Some(fences)) = (nodes.get(index), fences.get_mut(index)) {
            step(node, aliases, &mut state, fences);
            // On a straight way no state needs to be kept.
            if let Some(next) = graph.straight_on(index) {
                index = next;
                continue;
            }
            for &successor in graph.nodes().get(index).map_or(&[][..], |node| &node.successors) {
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
fn step(node: &Node, aliases: &Aliases, state: &mut State, fences: &mut [bool; 2]) {
    let spaces = state.iter_mut().zip(&node.effects).zip(fences).zip(node.fenced_by_hand);
    for (((pending, effect), fence), by_hand) in spaces {
        *fence |= conflict(aliases, pending, effect);
        if *fence || by_hand {
            *pending = Pending::default();
        }
        pending.reads.extend(&effect.reads);
        pending.writes.extend(&effect.writes);
    }
}

/// Read after write, write after read, or write after write.
fn conflict(aliases: &Aliases, pending: &Pending, effect: &Pending) -> bool {
    let meet = |effect: &BTreeSet<Value>, pending: &BTreeSet<Value>| {
        effect.iter().any(|&value| {
            pending.contains(&value)
                || (aliases.is_placed(value) && pending.iter().any(|&other| aliases.may_alias(value, other)))
        })
    };
    meet(&effect.reads, &pending.writes)
        || meet(&effect.writes, &pending.reads)
        || meet(&effect.writes, &pending.writes)
}

/// Adds `from` to `into`; true if that changed it.
fn merge(into: &mut State, from: &State) -> bool {
    let size = |state: &State| -> usize {
        state.iter().map(|pending| pending.reads.len() + pending.writes.len()).sum()
    };
    let before = size(into);
    for (into, from) in into.iter_mut().zip(from) {
        into.reads.extend(&from.reads);
        into.writes.extend(&from.writes);
    }
    size(into) != before
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
