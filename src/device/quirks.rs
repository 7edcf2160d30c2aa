//! Defects of drivers, and what kernels avoid for them.

use super::architecture::Family;
use super::avoidance::{Avoidance, Avoidances};

/// Devices of a driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Driven {
    /// Intel's OpenCL runtime for processors.
    Cpu,
    /// Intel's driver for GPUs.
    Gpu(Option<Family>),
}

/// A defect of a driver.
struct Quirk {
    /// Returns whether a device has it.
    applies: fn(Driven) -> bool,
    /// The first build with the defect, and the first without it; from the beginning, or up to now, where there is none. A build is
    /// the third number of a version of OpenCL, `24.35.30872.22`, and the last of one of Level Zero, `1.3.30872`.
    builds: [Option<u32>; 2],
    avoid: Avoidance,
    /// The defect, for the log.
    defect: &'static str,
    /// The place where it was reported, or the command that shows it.
    source: &'static str,
}

/// A defect of a device, and the class that kernels do without for it.
pub(super) struct Defect {
    pub avoid: Avoidance,
    /// The defect and its source.
    pub reason: String,
}

/// The known defects.
const QUIRKS: &[Quirk] = &[
    // Its compiler takes the instruction and then does not find the function behind it.
    Quirk {
        applies: |device| device == Driven::Cpu,
        builds: [None, None],
        avoid: Avoidance::AtomicFloat16Add,
        defect: "atomic additions of f16 are claimed and cannot be linked",
        source: "tiletc's conformance tests",
    },
    // Cooperative matrices reach the engine.
    Quirk {
        applies: |device| device == Driven::Gpu(Some(Family::XeLpgPlus)),
        builds: [None, None],
        avoid: Avoidance::SubgroupMma,
        defect: "the multiply-accumulate of subgroups does not compile though the device has the engine",
        source: "tiletc isa -d arl-h",
    },
];

/// The defects of a device, whose driver has a build if it tells one.
pub(super) fn known(device: Driven, build: Option<u32>) -> Vec<Defect> {
    let found = QUIRKS.iter().filter(|quirk| (quirk.applies)(device) && concerns(quirk.builds, build));
    let reason = |quirk: &Quirk| format!("{} ({})", quirk.defect, quirk.source);
    found.map(|quirk| Defect { avoid: quirk.avoid, reason: reason(quirk) }).collect()
}

/// Returns whether a build is within a range. One that nobody knows is in those without a bound only.
fn concerns([first, fixed]: [Option<u32>; 2], build: Option<u32>) -> bool {
    let is_after = first.is_none_or(|first| build.is_some_and(|build| build >= first));
    is_after && fixed.is_none_or(|fixed| build.is_some_and(|build| build < fixed))
}

impl FromIterator<Avoidance> for Avoidances {
    fn from_iter<I: IntoIterator<Item = Avoidance>>(classes: I) -> Avoidances {
        Avoidances::of(&classes.into_iter().collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defects_are_those_of_a_device() {
        let of = |device| known(device, None).into_iter().map(|it| it.avoid).collect::<Avoidances>();
        assert_eq!(of(Driven::Cpu).to_string(), "atomic_float16_add");
        assert_eq!(of(Driven::Gpu(None)), Avoidances::default());
        assert_eq!(of(Driven::Gpu(Some(Family::XeLpgPlus))).to_string(), "subgroup_mma");
    }

    #[test]
    fn defects_have_a_first_and_a_last_build() {
        let within = |builds, build| concerns(builds, Some(build));
        assert!(within([Some(10), Some(20)], 10) && within([Some(10), Some(20)], 19));
        assert!(!within([Some(10), Some(20)], 9) && !within([Some(10), Some(20)], 20));
        assert!(within([Some(10), None], 99) && within([None, Some(20)], 0));
        assert!(concerns([None, None], None) && !concerns([Some(10), None], None));
        assert!(!concerns([None, Some(20)], None));
    }
}
