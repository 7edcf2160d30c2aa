//! The control-flow graph of a function (lowering reference 1.7).

use crate::ir::{Info, Inst, Ir, Region, RegionKind, SideEffect};

/// An instruction and what may come next.
#[derive(Clone, Debug)]
pub struct Node {
    /// The instruction.
    pub inst: Inst,
    /// Numbers of the nodes that may follow.
    pub successors: Vec<usize>,
    /// Number of nodes it may follow.
    pub predecessors: usize,
    /// True if a path leads from here back to here.
    pub in_loop: bool,
}

/// Treatment of SPMD regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpmdRegions {
    /// Their instructions are nodes like any other.
    Inside,
    /// An instruction with an SPMD region is a single node.
    AsOneNode,
}

/// The control-flow graph of a function: a node for each instruction, in text order.
#[derive(Clone, Debug)]
pub struct ControlFlow {
    nodes: Vec<Node>,
    spmd: SpmdRegions,
    /// Loops around the node that is added next.
    loops: usize,
}

impl ControlFlow {
    /// The graph of a function with the given body.
    pub fn new(ir: &Ir, body: Region, spmd: SpmdRegions) -> ControlFlow {
        let mut graph = ControlFlow { nodes: Vec::new(), spmd, loops: 0 };
        graph.region(ir, body, Vec::new());
        graph
    }

    /// The nodes, the first of which is where the function begins.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns whether there is a cycle.
    pub fn has_loops(&self) -> bool {
        self.nodes.iter().any(|node| node.in_loop)
    }

    /// Returns whether a path leads from a node back to it.
    pub fn in_loop(&self, index: usize) -> bool {
        self.nodes.get(index).is_some_and(|node| node.in_loop)
    }

    /// The only successor of a node, if that has no other predecessor. Back edges do not count, so that a loop is
    /// gone round explicitly.
    pub fn fall_through(&self, index: usize) -> Option<usize> {
        match self.nodes.get(index)?.successors.as_slice() {
            &[next] if next > index && self.nodes.get(next).is_some_and(|next| next.predecessors == 1) => {
                Some(next)
            }
            _ => None,
        }
    }

    /// Adds the nodes of a region that is entered from `entries`; returns the nodes it is left from.
    fn region(&mut self, ir: &Ir, region: Region, entries: Vec<usize>) -> Vec<usize> {
        let mut before = entries;
        for inst in ir.insts(region) {
            let index = self.nodes.len();
            let in_loop = self.loops > 0 || self.is_loop(ir[inst].op.info());
            self.nodes.push(Node { inst, successors: Vec::new(), predecessors: 0, in_loop });
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
        let is_loop = self.is_loop(data.op.info());
        self.loops += usize::from(is_loop);
        let mut leaving = Vec::new();
        for &region in &data.regions {
            if self.spmd == SpmdRegions::AsOneNode && ir[region].kind == RegionKind::Spmd {
                continue;
            }
            // An empty region is left from the instruction itself, so that a branch not taken keeps what
            // was pending before it.
            let first = self.nodes.len();
            let exits = self.region(ir, region, vec![index]);
            if is_loop {
                // What leaves a loop early does so by way of the loop itself, which is where the next one comes from.
                let ends = |&node: &usize| self.leaves(ir, node, region);
                let breaks: Vec<usize> = (first..self.nodes.len()).filter(ends).collect();
                breaks.into_iter().for_each(|node| self.connect(node, index));
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

    /// Returns whether a node leaves the loop with a region.
    fn leaves(&self, ir: &Ir, node: usize, region: Region) -> bool {
        self.nodes.get(node).is_some_and(|node| {
            ir[node.inst].op.info().side_effect == SideEffect::Exit && ir.parent(node.inst) == Some(region)
        })
    }

    /// Returns whether control comes back to an instruction from its regions, as far as these are looked at.
    fn is_loop(&self, info: &Info) -> bool {
        let is_inside = |&kind: &RegionKind| kind != RegionKind::Spmd || self.spmd == SpmdRegions::Inside;
        info.side_effect == SideEffect::Loop && info.regions.iter().any(is_inside)
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
}
