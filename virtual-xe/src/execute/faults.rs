//! Collects findings: the first of a kind at an instruction in full, the others as a number.

use crate::program::Origin;
use crate::report::{Fault, Location, Report};
use std::collections::BTreeMap;
use std::sync::Arc;

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

    /// The findings in the order of the source, and of the instructions where that is not known.
    pub fn into_reports(self, kernel: &str, origins: &[Origin]) -> Vec<Report> {
        let mut reports: BTreeMap<Key, (Finding, u32)> = BTreeMap::new();
        for ((number, fault), finding) in self.0 {
            let origin = origins.get(number as usize);
            let line =
                origin.and_then(|origin| origin.place.as_ref()).map(|place| (place.file.clone(), place.line));
            let tensor = origin.and_then(|origin| origin.tensor.clone());
            // One instruction of the source becomes many.
            let instruction = if line.is_some() { 0 } else { number };
            let key = Key { has_no_line: line.is_none(), line, instruction, fault, tensor };
            let (first, at) =
                reports.entry(key).or_insert_with(|| (Finding { count: 0, ..finding.clone() }, number));
            let count = first.count.saturating_add(finding.count);
            if finding.key() < first.key() {
                (*first, *at) = (finding, number);
            }
            first.count = count;
        }
        let reports = reports.into_iter().map(|(key, (finding, number))| {
            let origin = origins.get(number as usize);
            Report {
                fault: key.fault,
                kernel: kernel.to_owned(),
                function: origin.map_or_else(String::new, |origin| origin.function.clone()),
                instruction: origin.map_or_else(String::new, |origin| origin.instruction.clone()),
                index: origin.map_or(0, |origin| origin.index),
                group: finding.group,
                subgroup: finding.subgroup,
                lane: finding.lane,
                place: origin.and_then(|origin| origin.place.clone()),
                tensor: key.tensor,
                location: finding.location,
                other: finding.other,
                count: finding.count,
            }
        });
        reports.collect()
    }
}

/// Subject of a report. Its order is that of the reports.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    has_no_line: bool,
    line: Option<(Arc<str>, u32)>,
    instruction: u32,
    fault: Fault,
    tensor: Option<String>,
}
