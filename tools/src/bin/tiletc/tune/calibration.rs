//! Estimates by the instructions that Intel's offline compiler makes of a config.

use super::candidate::Candidate;
use super::search::Interruption;
use crate::progress::Progress;
use tiletc::driver;
use tiletc::tuning::Figure;
use tiletc_isa::{Ocloc, tuning};

/// Configs that are compiled, the best by the model.
const COMPILED: usize = 32;

/// Counts the cycles of the best configs by their instructions; the others are out. Estimates by model and by instructions cannot be
/// compared: after an interruption all are those of the model. Returns whether they are by instructions.
pub fn calibrate(
    ocloc: &Ocloc,
    device: &str,
    candidates: &mut [Candidate],
    interruption: &Interruption,
    progress: &Progress,
) -> bool {
    let of_model: Vec<Figure> = candidates.iter().map(|candidate| candidate.tried.figure.clone()).collect();
    count(ocloc, device, candidates, interruption, progress);
    if interruption.has_come() {
        candidates.iter_mut().zip(of_model).for_each(|(candidate, figure)| candidate.tried.figure = figure);
        return false;
    }
    true
}

fn count(
    ocloc: &Ocloc,
    device: &str,
    candidates: &mut [Candidate],
    interruption: &Interruption,
    progress: &Progress,
) {
    let mut alive: Vec<&mut driver::Candidate> =
        candidates.iter_mut().map(|candidate| &mut candidate.tried).filter(|tried| !tried.is_out()).collect();
    for tried in alive.iter_mut().skip(COMPILED) {
        tried.fail(format!("the model likes {COMPILED} others better"));
    }
    alive.truncate(COMPILED);
    tuning::count(ocloc, device, alive, interruption.watch_with(progress));
}
