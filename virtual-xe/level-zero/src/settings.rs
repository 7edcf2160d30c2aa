//! Settings from the environment, read once.
//!
//! - `VIRTUAL_XE_DEVICE`: the devices, by their names in virtual-xe, separated by commas; `pvc` if not set.
//! - `VIRTUAL_XE_TILES`: tiles that each of them has; 1 if not set.
//! - `ZE_FLAT_DEVICE_HIERARCHY` and `ZE_AFFINITY_MASK`: those of Level Zero, as [`crate::hierarchy`] reads
//!   them; tiles are devices, and all are visible, if not set.
//! - `VIRTUAL_XE_BUDGET`: instructions that a subgroup may execute before its loop counts as endless.
//! - `VIRTUAL_XE_LAUNCH_BUDGET`: instructions that all subgroups of a launch together may execute.
//! - `VIRTUAL_XE_SPILL`: bytes that every kernel says it spills unless its module is built with the larger register
//!   file; 0 if not set. Nothing is ever spilled.
//! - `VIRTUAL_XE_CHECK`: what kernels are checked for, as [`Checks`] reads it; everything if not set.

use crate::hierarchy::{self, Card, Hierarchy};
use virtual_xe::{Checks, Device};

const DEVICE: &str = "VIRTUAL_XE_DEVICE";
const TILES: &str = "VIRTUAL_XE_TILES";
const MAX_TILES: usize = 16;
const HIERARCHY: &str = "ZE_FLAT_DEVICE_HIERARCHY";
const MASK: &str = "ZE_AFFINITY_MASK";
pub(crate) const BUDGET: &str = "VIRTUAL_XE_BUDGET";
pub(crate) const LAUNCH_BUDGET: &str = "VIRTUAL_XE_LAUNCH_BUDGET";
const SPILL: &str = "VIRTUAL_XE_SPILL";
const CHECK: &str = "VIRTUAL_XE_CHECK";
const DEFAULT_DEVICE: &str = "pvc";

/// The environment's decisions.
#[derive(Debug, PartialEq)]
pub(crate) struct Settings {
    pub devices: Vec<&'static Device>,
    pub hierarchy: Hierarchy,
    /// Visible parts of the devices.
    pub cards: Vec<Card>,
    /// Budget of instructions of a subgroup; if absent, virtual-xe's own.
    pub budget: Option<u64>,
    /// The same of a launch.
    pub launch_budget: Option<u64>,
    pub checks: Checks,
    /// Spilled bytes that kernels report.
    pub spill: u32,
}

impl Settings {
    /// Reads the environment; the error says what is wrong with it.
    pub fn read() -> Result<Settings, String> {
        Settings::parse(|name| std::env::var(name).ok())
    }

    fn parse(variable: impl Fn(&str) -> Option<String>) -> Result<Settings, String> {
        let set = |name| variable(name).filter(|text| !text.trim().is_empty());
        let names = set(DEVICE);
        let names = names.as_deref().unwrap_or(DEFAULT_DEVICE);
        let device = |name: &str| {
            let name = name.trim();
            Device::named(name).ok_or_else(|| {
                let known: Vec<_> = Device::all().iter().map(Device::name).collect();
                format!("{DEVICE} names {name}, which is none of {}", known.join(", "))
            })
        };
        let devices: Vec<_> = names.split(',').map(device).collect::<Result<_, _>>()?;
        let tiles = |text: String| {
            let count = text.trim().parse().ok().filter(|count| (1..=MAX_TILES).contains(count));
            count.ok_or_else(|| format!("{TILES} is {text} and not a number from 1 to {MAX_TILES}"))
        };
        let tiles = set(TILES).map(tiles).transpose()?.unwrap_or(1);
        let named =
            |text: String| Hierarchy::named(&text).map_err(|known| format!("{HIERARCHY} is {text}, {known}"));
        let hierarchy = set(HIERARCHY).map(named).transpose()?.unwrap_or(Hierarchy::Flat);
        let mask = set(MASK);
        let cards = hierarchy::visible(devices.len(), tiles, hierarchy, mask.as_deref());
        if let Some(mask) = mask.filter(|_| cards.is_empty()) {
            return Err(format!("{MASK} is {mask}, which leaves no device"));
        }
        let bytes =
            |text: String| text.parse().map_err(|_| format!("{SPILL} is {text} and not a number of bytes"));
        let spill = set(SPILL).map(bytes).transpose()?.unwrap_or(0);
        let number = |name| {
            let wrong = |text| format!("{name} is {text} and not a number of instructions");
            variable(name).map(|text| text.parse().map_err(|_| wrong(text))).transpose()
        };
        let (budget, launch_budget) = (number(BUDGET)?, number(LAUNCH_BUDGET)?);
        let chosen =
            |text: String| text.parse().map_err(|known| format!("{CHECK} is {text}, but the {known}"));
        let checks = set(CHECK).map(chosen).transpose()?.unwrap_or_default();
        Ok(Settings { devices, hierarchy, cards, budget, launch_budget, checks, spill })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(name: &str, value: &str) -> Result<Settings, String> {
        Settings::parse(|asked| (asked == name).then(|| value.to_owned()))
    }

    fn names(settings: Result<Settings, String>) -> Vec<&'static str> {
        settings
            .map(|settings| settings.devices.iter().map(|device| device.name()).collect())
            .unwrap_or_default()
    }

    #[test]
    fn devices_are_a_list_of_names() {
        assert_eq!(names(Settings::parse(|_| None)), ["pvc"]);
        assert_eq!(names(parse(DEVICE, "")), ["pvc"]);
        assert_eq!(names(parse(DEVICE, "bmg, tgl")), ["bmg", "tgl"]);
    }

    #[test]
    fn a_mask_leaves_some_of_the_tiles() {
        let cards = |hierarchy: &str, mask: &str| {
            let variables = [(DEVICE, "pvc,pvc"), (TILES, "2"), (HIERARCHY, hierarchy), (MASK, mask)];
            let find = |name: &str| variables.iter().find(|(known, _)| *known == name);
            Settings::parse(|name| find(name).map(|(_, value)| (*value).to_owned())).map(|found| found.cards)
        };
        assert_eq!(cards("FLAT", "3"), Ok(vec![Card { index: 1, tiles: vec![1] }]));
        assert_eq!(cards("", "3"), cards("FLAT", "3"));
        assert_eq!(cards("COMPOSITE", "0"), Ok(vec![Card { index: 0, tiles: vec![0, 1] }]));
        assert_eq!(cards("FLAT", "").map(|cards| cards.len()), Ok(2));
        let none = "ZE_AFFINITY_MASK is 3, which leaves no device";
        assert_eq!(cards("COMPOSITE", "3"), Err(none.to_owned()));
    }

    #[test]
    fn checks_are_those_of_the_command_line() {
        let checks = |value| parse(CHECK, value).map(|settings| settings.checks);
        assert_eq!(Settings::parse(|_| None).map(|settings| settings.checks), Ok(Checks::ALL));
        assert_eq!(checks(""), Ok(Checks::ALL));
        assert_eq!(checks("all"), Ok(Checks::ALL));
        assert_eq!(checks("none"), Ok(Checks::NONE));
        assert_eq!(checks("bounds,init"), Ok(Checks { races: false, ..Checks::ALL }));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        assert!(
            parse(DEVICE, "pvc,i486")
                .is_err_and(|message| message.contains("i486") && message.contains("bmg"))
        );
        for count in ["0", "17", "two"] {
            let known = format!("VIRTUAL_XE_TILES is {count} and not a number from 1 to 16");
            assert_eq!(parse(TILES, count).map(|settings| settings.cards), Err(known));
        }
        assert!(
            parse(HIERARCHY, "TREE")
                .is_err_and(|message| message.contains("TREE, none of COMPOSITE, FLAT and COMBINED"))
        );
        assert!(parse(SPILL, "-1").is_err_and(|message| message.contains("VIRTUAL_XE_SPILL is -1")));
        assert_eq!(parse(SPILL, "448").map(|settings| settings.spill), Ok(448));
        assert!(parse(BUDGET, "many").is_err_and(|message| message.contains("many")));
        assert!(
            parse(LAUNCH_BUDGET, "-1")
                .is_err_and(|message| message.contains("VIRTUAL_XE_LAUNCH_BUDGET is -1"))
        );
        assert_eq!(parse(LAUNCH_BUDGET, "9").map(|settings| settings.launch_budget), Ok(Some(9)));
        assert!(parse(CHECK, "races,bound").is_err_and(
            |message| message.contains("races,bound") && message.contains("races, bounds and init")
        ));
        assert_eq!(parse(BUDGET, "1000").map(|settings| settings.budget), Ok(Some(1000)));
    }
}
