//! Configs timed on a device with a clock.

use super::candidate::{self, Candidate, Given};
use super::reference::References;
use super::search::Search;
use super::table;
use super::trial::{self, Launched, TRIED, Until};
use super::twin::Twin;
use crate::bench::timing::{Clocked, Timer};
use crate::common::{Failure, Output};
use crate::progress;
use std::collections::HashMap;
use tiletc::device::CoreInfo;
use tiletc::statistics::PRECISION;
use tiletc::tuning::Config;

/// Times the best size of subgroups within which other sizes are timed beside its refinements.
const NEAR: f64 = 1.15;
/// Times the best config within which others are timed again, and what they say of products in another size.
const CLOSE: f64 = 1.04;
/// Configs that are timed together after the first stage.
const FINALISTS: usize = 24;
/// Part of the time that a stage may take, of those for several sets of definitions one more.
const STAGE: u32 = 3;
/// Shares within which the stages have to know times: well enough to tell what is near, and close.
const STAGES: [f64; 3] = [0.04, 0.02, PRECISION];

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
    /// The virtual device that configs are checked on as well, if that has the time.
    pub twin: Option<Twin>,
}

impl<S: Clocked> Stopwatch<'_, S> {
    /// Checks and times the best by the model, or where that knows nothing, configs in two stages.
    pub fn time(
        &mut self,
        info: &CoreInfo,
        candidates: &mut Vec<Candidate>,
        output: &mut Output,
    ) -> Result<(), Failure> {
        self.twin = Twin::of(info, &self.given, candidates, output)?;
        let is_unknown = |it: &Candidate| it.tried.is_out() || it.tried.time() == f64::MAX;
        match candidates.iter().all(is_unknown) {
            true => self.try_in_stages(info, candidates, output),
            false => self.try_all(candidates, TRIED, self.whole(), output),
        }
    }

    /// The bounds of a search that has a single stage.
    fn whole(&self) -> Until {
        Until { budget: self.search.tune.budget, precision: PRECISION }
    }

    /// Checks the first configs, so many of those that are not out, and times them.
    fn try_all(
        &mut self,
        candidates: &mut [Candidate],
        most: usize,
        until: Until,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let Stopwatch { search, session, timer, references, given, twin } = self;
        let launch = |prepared, arguments| {
            let subject = timer.subject(prepared, arguments)?;
            let results = trial::results(&subject.prepared, &subject.arguments, references);
            Ok(Launched { fault: None, results, kept: subject })
        };
        let first = trial::first(candidates, most);
        let mut launched = trial::check(search, *session, first, references, given, launch, output)?;
        if let Some(twin) = twin {
            twin.check(search, first, references, output)?;
            launched.retain(|(place, _)| first.get(*place).is_some_and(|it| !it.tried.is_out()));
        }
        // If there is no way to keep it, that is said beside the results.
        let _ = table::keep(search.tune.kept.table(), candidates);
        trial::time(search, *session, timer, candidates, launched, given, until)
    }

    /// Tries what is not about products first, sizes of subgroups above all, then steps, blocks and messages of products in the best of that, and then
    /// those that are close to the best there in the second best.
    fn try_in_stages(
        &mut self,
        info: &CoreInfo,
        candidates: &mut Vec<Candidate>,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let search = self.search;
        let has_choices = candidates.iter().filter(|it| is_choice(it)).count() > 1;
        let budget = search.tune.budget / if has_choices { STAGE + 1 } else { STAGE };
        let [sizes, steps, last] = STAGES.map(|precision| Until { budget, precision });
        let mut places = candidates.len();
        let far = if has_choices { self.choose_definitions(candidates, sizes, output)? } else { Vec::new() };
        let (mut about_products, others): (Vec<_>, Vec<_>) =
            candidates.drain(..).partition(|candidate| candidate.tried.config.is_about_products());
        *candidates = in_turns(others);
        self.try_all(candidates, TRIED, sizes, output)?;
        candidate::rank(candidates);
        let mut leaders = near(candidates, NEAR).iter().cloned();
        let (first, second) = (leaders.next(), leaders.next());
        match first {
            _ if search.interruption.has_come() => {}
            // Constraints leave no others.
            None => self.try_all(&mut about_products, TRIED, self.whole(), output)?,
            Some(first) => {
                let refined = if first.tried.config.is_empty() {
                    let is_same = |it: &Candidate| it.definitions == first.definitions;
                    let (same, rest) = about_products.into_iter().partition(is_same);
                    about_products = rest;
                    same
                } else {
                    self.refined(info, &first, places)?
                };
                places += refined.len();
                self.try_again(candidates, NEAR, refined, steps, output)?;
                let mut refined = second.map_or(Ok(Vec::new()), |it| self.refined(info, &it, places))?;
                let close: Vec<Config> =
                    near(candidates, CLOSE).iter().map(|it| it.tried.config.clone()).collect();
                refined.retain(|it| repeats(&it.tried.config, &close));
                self.try_again(candidates, CLOSE, refined, last, output)?;
            }
        }
        candidates.extend(about_products);
        candidates.extend(far);
        Ok(())
    }

    /// Times the compiler's choice for each set of definitions, and keeps the configs of those that are near the best; returns the others.
    fn choose_definitions(
        &mut self,
        candidates: &mut Vec<Candidate>,
        until: Until,
        output: &mut Output,
    ) -> Result<Vec<Candidate>, Failure> {
        let (mut choices, others): (Vec<_>, Vec<_>) = candidates.drain(..).partition(is_choice);
        self.try_all(&mut choices, usize::MAX, until, output)?;
        candidate::rank(&mut choices);
        let kept: Vec<_> = near(&choices, NEAR).iter().map(|it| it.definitions.clone()).collect();
        let is_kept = |it: &Candidate| kept.is_empty() || kept.contains(&it.definitions);
        let (near, far) = choices.into_iter().chain(others).partition(is_kept);
        *candidates = near;
        Ok(far)
    }

    /// Tries others beside the ranked configs that take at most so many times the best, all of which are timed together: a machine is not as fast in one minute
    /// as in another. What the rest took is given in the time that the best takes now. Ranks all.
    fn try_again(
        &mut self,
        candidates: &mut Vec<Candidate>,
        times: f64,
        others: Vec<Candidate>,
        until: Until,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let count = near(candidates, times).len();
        let mut finalists: Vec<Candidate> = candidates.drain(..count).chain(others).collect();
        candidate::take_out_equal(&mut finalists);
        let before = finalists.first().map(|best| (best.tried.place, best.tried.time()));
        if finalists.iter().filter(|it| !it.tried.is_out()).count() > 1 {
            self.try_all(&mut finalists, FINALISTS, until, output)?;
        }
        let now = |place: usize| finalists.iter().find(|it| it.tried.place == place && !it.tried.is_out());
        let pace = before.and_then(|(place, before)| Some(now(place)?.tried.time() / before));
        for candidate in &mut *candidates {
            candidate.tried.figure = candidate.tried.figure.clone().scaled(pace.unwrap_or(1.0));
        }
        candidates.splice(..0, finalists);
        candidate::rank(candidates);
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

/// Returns whether a config leaves all to the compiler.
fn is_choice(candidate: &Candidate) -> bool {
    candidate.tried.config.is_empty()
}

/// Configs in an order in which sizes of subgroups take turns.
fn in_turns(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut seen: HashMap<Option<i32>, usize> = HashMap::new();
    let turn = |candidate: Candidate| {
        let turn = seen.entry(candidate.tried.config.subgroup_size()).or_default();
        *turn += usize::from(!candidate.tried.is_out());
        (*turn, candidate)
    };
    let mut turns: Vec<_> = candidates.into_iter().map(turn).collect();
    turns.sort_by_key(|(turn, _)| *turn);
    turns.into_iter().map(|(_, candidate)| candidate).collect()
}

/// The first of the ranked configs, those that take at most so many times the best.
fn near(candidates: &[Candidate], times: f64) -> &[Candidate] {
    let most = candidates.first().map_or(0.0, |best| times * best.tried.time());
    let is_far = |it: &Candidate| it.tried.is_out() || it.tried.time() > most;
    let count = candidates.iter().position(is_far).unwrap_or(candidates.len());
    candidates.split_at(count).0
}

/// Returns whether a config says of products what one of these does.
fn repeats(config: &Config, close: &[Config]) -> bool {
    close.iter().any(|close| close.is_about_products() && config.has_products_of(close))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{Config, repeats};

    fn config(attributes: &[(&str, &str)]) -> Config {
        Config::parse(attributes.iter().copied()).unwrap()
    }

    #[test]
    fn what_is_close_in_one_size_is_repeated_in_another() {
        let narrow = [&[("subgroup_size", "16")][..], &[("subgroup_size", "16"), ("k_step", "32")]];
        let close = narrow.map(config);
        assert!(repeats(&config(&[("subgroup_size", "64"), ("k_step", "32")]), &close));
        assert!(!repeats(&config(&[("subgroup_size", "64"), ("k_step", "8")]), &close));
        // Nothing of products is close: the other size has been timed as it is.
        assert!(!repeats(&config(&[("subgroup_size", "64")]), &close));
    }
}
