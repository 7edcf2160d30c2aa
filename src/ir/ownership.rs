//! Ownership and uses of entities: questions of those who put programs together bit by bit.

use super::entities::{Inst, InstData, Ir, Region, RegionData, Value};
use std::collections::HashSet;

/// Entities that [`Ir::adopt`] took over: old and new numbers.
#[derive(Debug, Default)]
pub struct Moved {
    /// The instructions.
    pub insts: Vec<(Inst, Inst)>,
    /// The regions.
    pub regions: Vec<(Region, Region)>,
}

impl Ir {
    /// Takes over an instruction without operands and results, and the like in its regions, from another
    /// arena. `moved` is told the old and the new number of each instruction and region.
    pub fn adopt(&mut self, from: &Ir, inst: Inst, moved: &mut Moved) -> Inst {
        let data = &from[inst];
        let adopted = self.create_unchecked(data.op.clone(), &[], data.location);
        moved.insts.push((inst, adopted));
        for (&old, new) in data.regions.iter().zip(self[adopted].regions.clone()) {
            moved.regions.push((old, new));
            for &inner in &from[old].insts {
                let inner = self.adopt(from, inner, moved);
                self[new].insts.push(inner);
            }
        }
        adopted
    }

    /// The region that an instruction is in, found by looking at all.
    pub fn region_of(&self, inst: Inst) -> Option<Region> {
        let holds = |data: &RegionData| data.insts.contains(&inst);
        self.regions.iter().find(|(_, data)| holds(data)).map(|(index, _)| Region(index))
    }

    /// Returns whether an instruction other than this one and those in its regions uses what they define.
    pub fn is_used_outside(&self, inst: Inst) -> bool {
        let mut inside = HashSet::from([inst]);
        self[inst].regions.iter().for_each(|&region| {
            self.walk(region, &mut |inner| {
                inside.insert(inner);
            })
        });
        let mut defined: HashSet<Value> = HashSet::new();
        for &inner in &inside {
            defined.extend(&self[inner].results);
            defined.extend(self[inner].regions.iter().flat_map(|&region| &self[region].parameters));
        }
        let uses = |data: &InstData| {
            let mut found = false;
            data.op.visit_operands(&mut |value| found |= defined.contains(&value));
            found
        };
        self.insts.iter().any(|(index, data)| !inside.contains(&Inst(index)) && uses(data))
    }

    /// Nesting depth of the regions of an instruction; 0 if it has none.
    pub fn height(&self, inst: Inst) -> usize {
        let of_region = |&region: &Region| self[region].insts.iter().map(|&inner| self.height(inner)).max();
        self[inst].regions.iter().map(|region| 1 + of_region(region).unwrap_or(0)).max().unwrap_or(0)
    }
}
