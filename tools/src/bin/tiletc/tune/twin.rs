//! Configs launched on the virtual device of the same design, whose checks find what a real one hides.

use super::candidate::{Candidate, Given};
use super::reference::References;
use super::report;
use super::search::Search;
use super::trial::{self, Launched};
use crate::common::{Failure, Output};
use crate::launch::{self, Arguments, Prepared};
use tiletc::device::CoreInfo;
use virtual_xe::Outcome;
use virtual_xe_runtime::Session;

/// Estimated cycles of a launch beyond which the virtual device takes more than some 5 s for it.
const MAX_CYCLES: f64 = 2e7;

/// The virtual device of the same design, with the arguments in its memory.
pub struct Twin {
    session: Session,
    given: Given,
}

impl Twin {
    /// The twin of a device, if there is one and it has the time for launches of the configs, the best first; if it has not, the output says so.
    ///
    /// # Errors
    /// If its memory has no room for the arguments.
    pub fn of(
        info: &CoreInfo,
        given: &Given,
        candidates: &mut [Candidate],
        output: &mut Output,
    ) -> Result<Option<Twin>, Failure> {
        let Some(session) = launch::twin(info) else { return Ok(None) };
        let alive = trial::first(candidates, trial::TRIED).iter().filter(|it| !it.tried.is_out());
        if alive.map(|it| it.tried.time()).fold(0.0, f64::max) > MAX_CYCLES {
            let note = "the launch is too large, or of unknown size, for the virtual device of this design, which looks for races and \
                        accesses out of bounds; a search with smaller arguments looks";
            report::warn(note, output);
            return Ok(None);
        }
        let arguments = given.arguments.renewed(&session, |_| true)?;
        let given = Given { definitions: given.definitions.clone(), arguments };
        Ok(Some(Twin { session, given }))
    }

    /// Launches the configs that are not out, and takes out those that race, access what is out of bounds or have wrong results.
    ///
    /// # Errors
    /// As for [`trial::check`].
    pub fn check(
        &mut self,
        search: &Search<'_>,
        candidates: &mut [Candidate],
        references: &References,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let Twin { session, given } = self;
        let run = |prepared: Prepared<_>, arguments| run(session, references, prepared, &arguments);
        trial::check(search, session, candidates, references, given, run, output).map(drop)
    }
}

/// Launches a config on a virtual device, whose first report is its fault.
///
/// # Errors
/// If the launch fails.
pub fn run(
    session: &Session,
    references: &References,
    mut prepared: Prepared<Session>,
    arguments: &Arguments,
) -> Result<Launched<()>, Failure> {
    let outcome: Outcome = prepared.run(session, arguments)?;
    let fault = outcome.reports.first().map(ToString::to_string);
    Ok(Launched { fault, results: trial::results(&prepared, arguments, references), kept: () })
}
