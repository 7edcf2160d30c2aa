//! Configs timed on a device with a clock.

use super::candidate::{self, Candidate, Given};
use super::reference::References;
use super::search::Search;
use super::table;
use super::trial::{self, Launched, TRIED};
use crate::bench::timing::{Clocked, Timer};
use crate::common::{Failure, Output};
use crate::progress;
use std::time::Duration;
use tiletc::device::CoreInfo;

/// The most sizes of subgroups that are tried with other steps and blocks of products, too.
const LEADERS: usize = 2;
/// Times the best within which another one is that good.
const NEAR: f64 = 1.15;

/// A device whose clock times configs.
pub struct Stopwatch<'a, S: Clocked> {
    /// The search.
    pub search: &'a Search<'a>,
    /// The device.
    pub session: &'a S,
    /// Its clock.
    pub timer: Timer<'a, S>,
    /// Contents that results are compared with.
    pub references: References,
    /// The arguments of the configs.
    pub given: Given,
}

impl<S: Clocked> Stopwatch<'_, S> {
    /// Checks and times the best by the model, or where that knows nothing, configs in two stages.
    pub fn time(
        &mut self,
        info: &CoreInfo,
        candidates: &mut Vec<Candidate>,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let is_unknown = |it: &Candidate| it.tried.is_out() || it.tried.time() == f64::MAX;
        match candidates.iter().all(is_unknown) {
            true => self.try_in_stages(info, candidates, output),
            false => self.try_all(candidates, TRIED, self.search.tune.budget, output),
        }
    }

    /// Checks the first configs, so many of those that are not out, and times them.
    fn try_all(
        &mut self,
        candidates: &mut [Candidate],
        most: usize,
        budget: Duration,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let Stopwatch { search, session, timer, references, given } = self;
        let launch = |prepared, arguments| {
            let subject = timer.subject(prepared, arguments)?;
            let results = trial::results(&subject.prepared, &subject.arguments, references);
            Ok(Launched { fault: None, results, kept: subject })
        };
        let first = trial::first(candidates, most);
        let launched = trial::check(search, *session, first, references, given, launch, output)?;
        table::keep(search.tune.kept.table(), candidates)?;
        trial::time(search, *session, timer, candidates, launched, given, budget)
    }

    /// Tries what is not about products first, sizes of subgroups above all, then steps, blocks and messages of products in the best of that, and in the
    /// second best if it is [near](NEAR). All of these are timed together: a machine is not as fast in one minute as in another.
    fn try_in_stages(
        &mut self,
        info: &CoreInfo,
        candidates: &mut Vec<Candidate>,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let search = self.search;
        let (mut about_products, others): (Vec<_>, Vec<_>) =
            candidates.drain(..).partition(|candidate| candidate.tried.config.is_about_products());
        let mut places = about_products.len() + others.len();
        *candidates = others;
        self.try_all(candidates, TRIED, search.tune.budget / 3, output)?;
        candidate::rank(candidates);
        let nearest = candidates.first().map_or(0.0, |best| NEAR * best.tried.time());
        let is_leader = |it: &&Candidate| !it.tried.is_out() && it.tried.time() <= nearest;
        let count = candidates.iter().take(LEADERS).take_while(is_leader).count();
        if search.interruption.has_come() {
            candidates.extend(about_products);
            return Ok(());
        }
        if count == 0 {
            // Constraints leave no others.
            self.try_all(&mut about_products, TRIED, search.tune.budget, output)?;
            candidates.extend(about_products);
            return Ok(());
        }
        let mut finalists: Vec<Candidate> = candidates.drain(..count).collect();
        for leader in finalists.clone() {
            if leader.tried.config.is_empty() {
                let is_same = |it: &Candidate| it.definitions == leader.definitions;
                let (same, rest) = about_products.into_iter().partition(is_same);
                finalists.extend::<Vec<_>>(same);
                about_products = rest;
            } else {
                let refined = self.refined(info, &leader, places)?;
                places += refined.len();
                finalists.extend(refined);
            }
        }
        candidate::take_out_equal(&mut finalists);
        if finalists.iter().filter(|candidate| !candidate.tried.is_out()).count() > 1 {
            self.try_all(&mut finalists, LEADERS * TRIED, search.tune.budget / 3 * 2, output)?;
        }
        candidates.splice(..0, finalists);
        candidates.extend(about_products);
        Ok(())
    }

    /// The refinements of a config that constraints admit, compiled.
    fn refined(&self, info: &CoreInfo, best: &Candidate, places: usize) -> Result<Vec<Candidate>, Failure> {
        let search = self.search;
        let mut refined = candidate::refinements(search, info, best, places)?;
        for candidate in &mut refined {
            if let Some(reason) = candidate::exclusion(search, candidate)? {
                candidate.exclude(reason);
            }
        }
        refined.retain(|candidate| search.tune.all || !candidate.is_excluded);
        let what = format!("compiling {} configs of {}", refined.len(), search.file.display());
        progress::measured(&what, |progress| {
            candidate::compile_all(search, info, None, &mut refined, progress);
        });
        Ok(refined)
    }
}
