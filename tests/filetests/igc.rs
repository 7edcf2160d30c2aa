//! Intel's offline GPU compiler takes the kernels and keeps all values in registers.

#[path = "../builds/igc.rs"]
mod builds;

use crate::directives::{Case, Devices, IsaBound};
use crate::session::Session;
use libtest_mimic::Trial;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use tiletc::device::CoreInfo;
use tiletc::driver::Options;
use tiletc::spirv::Module;

pub use builds::{script, statistics};

/// One of each kind of GPU that IGC of today compiles for.
const DEVICES: &[&str] = &["pvc", "bmg", "lnl", "ptl", "dg2"];

/// Number of tests, and of estimates so far that are more than five points from the binary: one in twenty may be.
static TRIALS: AtomicUsize = AtomicUsize::new(0);
static FAR: AtomicUsize = AtomicUsize::new(0);

/// A test for each device that has what the kernel needs.
pub fn trials(name: &str, case: &Arc<Case>) -> Vec<Trial> {
    let lacks = |info: &CoreInfo| matches!(case.devices, Devices::With(feature) if !info.have(feature));
    let mut trials = Vec::new();
    // And what a test asks for besides.
    let others =
        case.isa.iter().map(|bound| bound.device.as_str()).filter(|device| !DEVICES.contains(device));
    for device in DEVICES.iter().copied().chain(others.collect::<BTreeSet<_>>()) {
        let Some(info) = CoreInfo::from_name(device).filter(|info| !lacks(info)) else { continue };
        let (case, script, device) = (Arc::clone(case), script(), device.to_owned());
        let ignored = script.is_none();
        let trial = Trial::test(format!("{name}: IGC for {device}"), move || {
            let script = script.ok_or("SKIPPED: TILETC_IGC does not name the script")?;
            check(&case, &script, &device, &info).map_err(Into::into)
        });
        trials.push(trial.with_ignored_flag(ignored));
    }
    TRIALS.fetch_add(trials.len(), Relaxed);
    trials
}

fn check(case: &Case, script: &Path, device: &str, info: &CoreInfo) -> Result<(), String> {
    let mut session = Session::parse(&case.name(), &case.text).map_err(|refusal| refusal.to_string())?;
    let module = match session.compile(info, &Options::default()) {
        // A device that may refuse the kernel, of which nothing is left to try.
        Err(refusal) if case.devices == Devices::Or(refusal.error.status()) => return Ok(()),
        compiled => compiled.map_err(|refusal| refusal.to_string())?,
    };
    let stem = case.path.file_stem().unwrap_or_default().to_string_lossy();
    let statistics = builds::statistics(script, &module, device, &stem)?;
    judge(&statistics, case.spills.iter().any(|spills| spills == device))?;
    let bounds: Vec<&IsaBound> = case.isa.iter().filter(|bound| bound.device == device).collect();
    let has_floor = bounds.iter().any(|bound| bound.key == "floor");
    if !case.unestimated.iter().any(|unestimated| unestimated == device) {
        estimated(&statistics, &module, (device, info), if has_floor { 4.0 } else { 10.0 })?;
    }
    bounds.into_iter().try_for_each(|bound| keeps(&statistics, bound))
}

/// The compiler's estimate of the share of multiply-adds comes as near what the binary says as so many points. Only the devices
/// of all tests need one.
fn estimated(
    statistics: &str,
    module: &Module,
    (device, info): (&str, &CoreInfo),
    points: f64,
) -> Result<(), String> {
    for (kernel, line) in last_tries(statistics) {
        let Some(found) = field(line, "floor").and_then(|it| it.parse::<f64>().ok()) else { continue };
        let share = module.expectation(&kernel, info).and_then(|expectation| expectation.multiply_add_share);
        if share.is_none() && !DEVICES.contains(&device) {
            continue;
        }
        // Elementary functions have some multiply-adds of their own, in kernels that may have no others.
        let Some(estimate) = share.map(|share| 100.0 * share).or((found <= 5.0).then_some(0.0)) else {
            return Err(format!("no estimate of\n{line}"));
        };
        let off = (estimate - found).abs();
        let is_one_too_many = off > 5.0 && 20 * (FAR.fetch_add(1, Relaxed) + 1) > TRIALS.load(Relaxed);
        if off > points || is_one_too_many {
            return Err(format!("an estimate of {estimate:.0} % is far from\n{line}"));
        }
    }
    Ok(())
}

/// The last try of every kernel.
pub fn last_tries(statistics: &str) -> BTreeMap<String, &str> {
    statistics.lines().filter_map(|line| Some((field(line, "kernel")?, line))).collect()
}

/// The value of a key in a line.
pub fn field(line: &str, key: &str) -> Option<String> {
    let value = line.split(' ').find_map(|word| word.strip_prefix(key)?.strip_prefix('='))?;
    Some(value.trim_end_matches('%').to_owned())
}

/// The bound holds for the last try of every kernel.
fn keeps(statistics: &str, bound: &IsaBound) -> Result<(), String> {
    let last = last_tries(statistics);
    for line in last.values() {
        let number: Option<f64> = field(line, &bound.key).and_then(|value| value.parse().ok());
        let holds = number.is_some_and(|number| match bound.at_least {
            true => number >= bound.value,
            false => number <= bound.value,
        });
        if !holds {
            let sign = if bound.at_least { ">=" } else { "<=" };
            return Err(format!("{}{sign}{} does not hold:\n{line}", bound.key, bound.value));
        }
    }
    if last.is_empty() { Err(format!("no kernel at all:\n{statistics}")) } else { Ok(()) }
}

/// Each kernel has a try without spills, unless one is known to spill; where the first one spills, IGC makes
/// another.
fn judge(statistics: &str, known_to_spill: bool) -> Result<(), String> {
    let mut kernels: std::collections::BTreeMap<&str, bool> = std::collections::BTreeMap::new();
    for line in statistics.lines() {
        let field = |key: &str| line.split(' ').find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
        let (Some(kernel), Some(spill)) = (field("kernel"), field("spill")) else { continue };
        *kernels.entry(kernel).or_default() |= spill == "0";
    }
    let fits = kernels.values().all(|&fits| fits);
    if kernels.is_empty() {
        Err(format!("no kernel at all:\n{statistics}"))
    } else if fits && known_to_spill {
        Err(format!("spills no more; take the device out of the list:\n{statistics}"))
    } else if !fits && !known_to_spill {
        Err(format!("spills:\n{statistics}"))
    } else {
        Ok(())
    }
}
