//! The configs that the model likes best, beside the best of those that Intel's offline compiler compiles.

use std::fmt::Write as _;

use anyhow::{Context, Result, bail};
use tiletc::device::{CoreInfo, SpirvFeature};
use tiletc::driver::{self, Candidate};
use tiletc::ir::Ir;
use tiletc_isa::Ocloc;
use tiletc_isa::tuning;

use super::Options;
use super::held::{self, Program};
use crate::isa;
use crate::paths::Paths;
use crate::process;

/// Configs of a program that the offline compiler compiles.
const COMPILED: usize = 10;
/// Times the best within which the model's choice is near, and the share of programs for which it must be.
const NEAR: (f64, f64) = (1.05, 0.9);
/// Times the best that it must be within for all.
const WORST: f64 = 1.10;

/// The model's choice for a program on a device.
struct Found {
    program: String,
    /// Its cycles in those of the best.
    ratio: f64,
    /// Configs that were compared, and those that there are.
    count: [usize; 2],
    chosen: String,
    best: String,
}

/// Prints the model's choices and how near they are, and fails if they are not near enough.
pub fn run(paths: &Paths, options: &Options) -> Result<()> {
    let ocloc = isa::provisioned(paths)?;
    let most = options.most.unwrap_or(COMPILED);
    let progress = process::spinner("compiling…");
    let (mut is_good, mut summary) = (true, String::new());
    for device in options.devices() {
        let info = CoreInfo::from_name(device).with_context(|| format!("tiletc knows no `{device}`"))?;
        let has_f64 = info.have(SpirvFeature::Float64);
        let programs = held::all().into_iter().filter(|program| has_f64 || !program.is_wide);
        let mut all = Vec::new();
        for program in programs.filter(|program| program.name.contains(&options.kernel)) {
            progress.set_message(format!("{device}: {}", program.name));
            let found = compare(&ocloc, &program, (device, &info), most)
                .with_context(|| format!("{} on {device}", program.name))?;
            let Some(found) = found else {
                progress.suspend(|| println!("{device}: {}: its cycles are not known", program.name));
                is_good = false;
                continue;
            };
            let mut line = format!(
                "{device}: {}: ×{:.3} of {} of {} configs",
                found.program, found.ratio, found.count[0], found.count[1]
            );
            if found.ratio > 1.0 {
                let _ = write!(line, ", {} where {} is best", found.chosen, found.best);
            }
            progress.suspend(|| println!("{line}"));
            all.push(found);
        }
        let within = |bound: f64| all.iter().filter(|found| found.ratio <= bound).count();
        let (near, not_far, total) = (within(NEAR.0), within(WORST), all.len());
        let worst = all.iter().map(|found| found.ratio).fold(1.0, f64::max);
        let _ = writeln!(
            summary,
            "{device}: {near} of {total} within {:.0} %, {not_far} within {:.0} %, worst ×{worst:.3}",
            100.0 * (NEAR.0 - 1.0),
            100.0 * (WORST - 1.0)
        );
        is_good &= near as f64 >= NEAR.1 * total as f64 && not_far == total;
    }
    progress.finish_and_clear();
    print!("{summary}");
    if !is_good {
        bail!("the model's first choice is not near the best of the configs often enough");
    }
    Ok(())
}

/// The configs of a program that are usable, the best by the model first.
fn ranked(program: &Program, info: &CoreInfo) -> Result<Vec<Candidate>> {
    let make = |ir: &mut Ir| program.make(ir);
    let options = driver::Options::default();
    let kernel = driver::Kernel {
        make: &make,
        target: driver::Target { info, options: &options, groups: 1, cores: None, is_hot: true },
    };
    let mut candidates = kernel.candidates().map_err(anyhow::Error::msg)?;
    kernel.compile_all(&mut candidates);
    driver::rank(&mut candidates, |it| it);
    candidates.retain(|candidate| !candidate.is_out());
    Ok(candidates)
}

/// The model's first choice beside the best by instructions, all data in the cache, of those that the model likes best. `None` if
/// the cycles of the choice are not known.
fn compare(
    ocloc: &Ocloc,
    program: &Program,
    (device, info): (&str, &CoreInfo),
    most: usize,
) -> Result<Option<Found>> {
    let mut candidates = ranked(program, info)?;
    let total = candidates.len();
    candidates.truncate(most);
    let is_known = candidates.first().is_some_and(|first| first.time() < f64::MAX);
    tuning::count(ocloc, device, candidates.iter_mut(), |_, _| true);
    let counted: Vec<&Candidate> = candidates.iter().filter(|candidate| !candidate.is_out()).collect();
    let best = counted.iter().min_by(|a, b| a.time().total_cmp(&b.time()));
    let (Some(first), Some(best)) = (candidates.first().filter(|it| is_known && !it.is_out()), best) else {
        return Ok(None);
    };
    Ok(Some(Found {
        program: program.name.clone(),
        ratio: first.time() / best.time(),
        count: [counted.len(), total],
        chosen: shown(first),
        best: shown(best),
    }))
}

/// The attributes of a config for people.
pub fn shown(candidate: &Candidate) -> String {
    if candidate.config.is_empty() {
        "the compiler's choice".to_owned()
    } else {
        candidate.config.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::{held, ranked, shown};
    use tiletc::device::CoreInfo;

    fn first_choice(name: &str, device: &str) -> Option<String> {
        let program = held::all().into_iter().find(|program| program.name == name)?;
        ranked(&program, &CoreInfo::from_name(device)?).ok()?.first().map(shown)
    }

    #[test]
    fn the_model_knows_what_instructions_tell() {
        let choices = [
            // The large register file spares waiting.
            ("chain f32 15x9", "pvc", "grf_size=256, subgroup_size=16, work_group_size=[16,1]"),
            // Bytes that are loaded behind tests cost more than words.
            ("i8 n.n 33x17x50", "dg2", "register_block=[32,32], subgroup_size=8, work_group_size=[16,1]"),
            // Memory takes about as long as the instructions of most configs seem to, and subgroups of 32 cost nothing more.
            ("chain f64 30x9", "bmg", "grf_size=256, subgroup_size=32, work_group_size=[32,1]"),
        ];
        for (name, device, choice) in choices {
            assert_eq!(first_choice(name, device).as_deref(), Some(choice), "{name} on {device}");
        }
    }
}
