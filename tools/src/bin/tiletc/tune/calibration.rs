//! Estimates by the instructions that Intel's offline compiler makes of a config.

use super::candidate::Candidate;
use super::parallel::for_each;
use super::search::Interruption;
use crate::progress::Progress;
use std::collections::HashMap;
use tiletc::tuning::Figure;
use tiletc_isa::{Error, Ocloc, Options, Subject, measure};

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
    let of_model: Vec<Figure> = candidates.iter().map(|candidate| candidate.figure.clone()).collect();
    count(ocloc, device, candidates, interruption, progress);
    if interruption.has_come() {
        candidates.iter_mut().zip(of_model).for_each(|(candidate, figure)| candidate.figure = figure);
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
    let mut alive: Vec<&mut Candidate> =
        candidates.iter_mut().filter(|candidate| !candidate.is_out()).collect();
    for candidate in alive.iter_mut().skip(COMPILED) {
        candidate.fail(format!("the model likes {COMPILED} others better"));
    }
    alive.truncate(COMPILED);
    for_each(alive, interruption, progress, |candidate| match issue(ocloc, device, candidate) {
        Ok(Some(issue)) => candidate.figure = Figure::Estimated { cycles: candidate.cycles(Some(issue)) },
        // How often its loops run is not known.
        Ok(None) => {}
        Err(error) => candidate.fail(error.to_string()),
    });
}

/// Cycles in which a vector engine issues a work-group.
fn issue(ocloc: &Ocloc, device: &str, candidate: &Candidate) -> Result<Option<f64>, Error> {
    let Some((features, module)) = candidate.module.clone() else { return Ok(None) };
    let rooflines = candidate.roofline.map(|roofline| (candidate.function.clone(), roofline));
    let subject = Subject { module, features, rooflines: rooflines.into_iter().collect::<HashMap<_, _>>() };
    let found = measure(ocloc, &subject, device, &Options::default())?;
    Ok(found.into_iter().find(|kernel| kernel.kernel == candidate.function).and_then(|kernel| kernel.issue))
}
