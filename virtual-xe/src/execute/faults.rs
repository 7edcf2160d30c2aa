//! Collects findings: the first of a kind at an instruction in full, the others as a number.

use crate::program::Origin;
use crate::report::{Fault, Location, Report};
use std::collections::BTreeMap;

/// Findings by instruction and kind.
#[derive(Debug, Default)]
pub(crate) struct Faults(BTreeMap<(u32, Fault), Finding>);

/// Place where something was found first: groups in their order, then subgroups, then lanes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub group: [u32; 3],
    pub subgroup: u32,
    pub lane: u32,
    pub location: Option<Location>,
    pub other: Option<(u32, u32)>,
    pub count: u64,
}

impl Finding {
    fn key(&self) -> ([u32; 3], u32, u32) {
        let [x, y, z] = self.group;
        ([z, y, x], self.subgroup, self.lane)
    }
}

impl Faults {
    /// Adds a finding at an instruction.
    pub fn add(&mut self, origin: u32, fault: Fault, finding: Finding) {
        let known = self.0.entry((origin, fault)).or_insert_with(|| Finding { count: 0, ..finding.clone() });
        let count = known.count + finding.count;
        if finding.key() < known.key() {
            *known = finding;
        }
        known.count = count;
    }

    pub fn merge(&mut self, other: Faults) {
        for ((origin, fault), finding) in other.0 {
            self.add(origin, fault, finding);
        }
    }

    pub fn into_reports(self, kernel: &str, origins: &[Origin]) -> Vec<Report> {
        let reports = self.0.into_iter().map(|((origin, fault), finding)| {
            let origin = origins.get(origin as usize);
            Report {
                fault,
                kernel: kernel.to_owned(),
                function: origin.map_or_else(String::new, |origin| origin.function.clone()),
                instruction: origin.map_or_else(String::new, |origin| origin.instruction.clone()),
                index: origin.map_or(0, |origin| origin.index),
                group: finding.group,
                subgroup: finding.subgroup,
                lane: finding.lane,
                location: finding.location,
                other: finding.other,
                count: finding.count,
            }
        });
        reports.collect()
    }
}
