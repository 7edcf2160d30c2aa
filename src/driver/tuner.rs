//! Tuners: the cases of a kernel's arguments that have come up, what is to be tried for each, and what came of it.

use super::Options;
use super::layout::Layout;
use super::search::{Missing, Search, SearchError, Space, Trial};
use crate::device::CoreInfo;
use crate::ir::Scalar;
use crate::tuning::{self, Deviation, Figure};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// A kernel on a device, with the cases of its arguments that have come up.
#[derive(Debug)]
pub struct Tuner {
    /// The kernel, and the configs that cases have from now on.
    pub space: Space,
    info: CoreInfo,
    options: Options,
    cases: Vec<Case>,
}

/// A case of arguments.
#[derive(Debug)]
struct Case {
    layouts: Vec<Option<Layout>>,
    /// Names of the key with their numbers.
    numbers: BTreeMap<String, String>,
    search: Search,
    /// Type and bytes of the memory that the kernel writes with the last arguments, by argument; none if that is not known or
    /// nothing is to be tried.
    written: Option<Vec<Option<(Scalar, u64)>>>,
    /// Results of the config that others are compared with, by argument.
    results: HashMap<usize, Vec<u8>>,
}

/// A case that has been found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundCase {
    /// Its number, in the order in which cases come up.
    pub number: usize,
    /// Number of its configs.
    pub configs: usize,
    /// Configs that wait to be tried.
    pub waiting: usize,
}

impl Tuner {
    /// A tuner of a kernel for a device.
    pub fn new(space: Space, info: CoreInfo, options: Options) -> Tuner {
        Tuner { space, info, options, cases: Vec::new() }
    }

    /// The device.
    pub fn info(&self) -> &CoreInfo {
        &self.info
    }

    /// Finds the case of arguments with these layouts; `values` are the addresses and integers among them. Configs wait to be tried if
    /// the environment [says so](tuning::is_on) and it is known how much memory the kernel writes. What is compared from now on are
    /// results of these arguments.
    ///
    /// # Errors
    /// If the device cannot run the kernel.
    pub fn find(
        &mut self,
        layouts: &[Option<Layout>],
        values: &[Option<i64>],
    ) -> Result<FoundCase, SearchError> {
        let numbers = self.space.case(values);
        let is_it = |case: &Case| (case.layouts.as_slice(), &case.numbers) == (layouts, &numbers);
        let known = self.cases.iter().position(is_it);
        let number = known.unwrap_or(self.cases.len());
        if known.is_none() {
            let search = self.space.search(layouts, &numbers, &self.info, &self.options)?;
            let (layouts, results) = (layouts.to_owned(), HashMap::new());
            self.cases.push(Case { layouts, numbers, search, written: None, results });
        }
        let search = &self.case(number)?.search;
        let (configs, unknown) = (search.trials.len(), search.unknown());
        let may_try = tuning::is_on() && unknown > 0;
        // Sizes may differ within a case.
        let written = may_try.then(|| self.space.written_bytes(values)).transpose();
        let written = written.unwrap_or_else(|why| {
            if known.is_none() {
                log::warn!("configs are not tried, since {why}");
            }
            None
        });
        let case = self.case_mut(number)?;
        case.written = written;
        case.results.clear();
        let waiting = if case.written.is_some() { unknown } else { 0 };
        Ok(FoundCase { number, configs, waiting })
    }

    /// Bytes of the memory behind an argument that the kernel writes with the last arguments of a case; 0 if it does not.
    ///
    /// # Errors
    /// If there is no such case or argument, or nothing is to be tried.
    pub fn written_bytes(&self, case: usize, argument: usize) -> Result<u64, Missing> {
        let written = self.case(case)?.written.as_ref().and_then(|written| written.get(argument));
        Ok(written.ok_or(Missing::Argument(argument))?.map_or(0, |(_, bytes)| bytes))
    }

    /// A config of a case.
    ///
    /// # Errors
    /// If there is none.
    pub fn trial(&self, case: usize, config: usize) -> Result<&Trial, Missing> {
        let trials = &self.case(case)?.search.trials;
        trials.get(config).ok_or(Missing::Config(config, trials.len()))
    }

    /// Notes what has become of a config.
    ///
    /// # Errors
    /// If there is none.
    pub fn note(&mut self, case: usize, config: usize, figure: Figure) -> Result<(), Missing> {
        let trials = &mut self.case_mut(case)?.search.trials;
        let configs = trials.len();
        trials.get_mut(config).ok_or(Missing::Config(config, configs))?.note(figure);
        Ok(())
    }

    /// Compares what a config has left in the memory of an argument with what the first one did that was asked about; a config that
    /// differs is out. Returns whether they agree.
    ///
    /// # Errors
    /// If there is no such case, config or argument.
    pub fn compare(
        &mut self,
        case: usize,
        config: usize,
        argument: usize,
        found: &[u8],
        tolerance: f64,
    ) -> Result<bool, Missing> {
        self.trial(case, config)?;
        let Case { written, results, .. } = self.case_mut(case)?;
        let written = written.as_ref().and_then(|written| *written.get(argument)?);
        let of_size = written.filter(|(_, bytes)| usize::try_from(*bytes) == Ok(found.len()));
        let (element, _) = of_size.ok_or(Missing::Argument(argument))?;
        let Some(expected) = results.get(&argument) else {
            results.insert(argument, found.to_owned());
            return Ok(true);
        };
        let name = format!("argument {argument}");
        let Some(deviation) = Deviation::of(&name, element, expected, found, tolerance) else {
            return Ok(true);
        };
        let reason = format!("wrong result: {}", deviation.clause("with the first config"));
        self.note(case, config, Figure::Failed(reason))?;
        Ok(false)
    }

    /// The best config of a case. What has been noted goes to the current table, and to a file, which is the environment's if none is
    /// named; one that cannot be written is told to the log.
    ///
    /// # Errors
    /// If there is no such case.
    pub fn finish(&mut self, case: usize, table: Option<&Path>) -> Result<Option<Trial>, Missing> {
        let Case { search, results, .. } = self.case_mut(case)?;
        results.clear();
        let (news, best) = (search.news(), search.best().cloned());
        if !news.is_empty() {
            tuning::add(&news);
            if let Some(file) = table.map(Path::to_owned).or_else(tuning::file)
                && let Err(error) = news.save(&file)
            {
                log::warn!("what tuning has found is not kept: {error}");
            }
        }
        Ok(best)
    }

    /// A line for each config of a case, those first that are best.
    ///
    /// # Errors
    /// If there is no such case.
    pub fn report(&self, case: usize) -> Result<String, Missing> {
        Ok(self.case(case)?.search.report())
    }

    fn case(&self, number: usize) -> Result<&Case, Missing> {
        self.cases.get(number).ok_or(Missing::Case(number, self.cases.len()))
    }

    fn case_mut(&mut self, number: usize) -> Result<&mut Case, Missing> {
        let cases = self.cases.len();
        self.cases.get_mut(number).ok_or(Missing::Case(number, cases))
    }
}
