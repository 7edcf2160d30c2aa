//! Configs of a kernel: enumerated, compiled, estimated.

use super::constraint;
use super::options::Tune;
use super::reference::References;
use super::rounding::{Numbers, Rounding};
use super::search::Search;
use crate::bench::timing;
use crate::common::{Common, Failure, Session};
use crate::launch::{self, Arguments, Call, DeviceName, failed};
use crate::progress::Progress;
use std::collections::{BTreeMap, HashSet};
use tiletc::device::CoreInfo;
use tiletc::driver::{self, Layout, Target};
use tiletc::runtime::arguments::{self, GivenArgument};
use tiletc::runtime::{self, Argument};
use tiletc::status::Status;
use tiletc::tuning::{Entry, Key};

/// A config of a kernel for a launch.
#[derive(Clone)]
pub struct Candidate {
    /// The config with its time.
    pub tried: driver::Candidate,
    /// Key of the kernel in tables.
    pub key: Key,
    /// Name of the kernel.
    pub function: String,
    /// Definitions of names of the program.
    pub definitions: Vec<(String, String)>,
    /// The launch, as [`Entry::launch`] describes it.
    launch: String,
    /// Work-groups of the launch.
    groups: u64,
    /// Roundings on the way to its results.
    pub rounding: Rounding,
    /// Layouts of the arguments.
    layouts: Vec<Option<Layout>>,
    /// True if a constraint excludes it, so that it is neither compiled nor kept.
    pub is_excluded: bool,
    /// True if its results are what is expected.
    pub is_checked: bool,
}

impl Candidate {
    /// Takes the config out because of a constraint.
    pub fn exclude(&mut self, reason: String) {
        self.is_excluded = true;
        self.tried.fail(reason);
    }

    /// The entry of a table.
    pub fn entry(&self) -> Entry {
        let Candidate { key, function, definitions, launch, tried, .. } = self;
        Entry {
            key: key.clone(),
            function: function.clone(),
            definitions: definitions.iter().cloned().collect::<BTreeMap<_, _>>(),
            launch: launch.clone(),
            config: tried.config.clone(),
            figure: tried.figure.clone(),
        }
    }
}

/// A program with definitions, ready to be tried.
pub struct Found {
    /// The configs.
    pub candidates: Vec<Candidate>,
    /// The references.
    pub references: References,
    /// The arguments.
    pub given: Given,
}

/// The arguments of a program with definitions.
pub struct Given {
    /// The definitions.
    pub definitions: Vec<(String, String)>,
    /// The arguments. Configs share what they do not write.
    pub arguments: Arguments,
}

/// The configs that the compiler would take into consideration. The first has no attributes and leaves the choice to the compiler: some of
/// its choices, such as a member of the batch for each lane, no attribute can ask for. The references are those of the program with
/// these definitions.
pub fn enumerate<S: runtime::Session>(
    common: &Common,
    session: &S,
    info: &CoreInfo,
    tune: &Tune,
    definitions: &[(String, String)],
) -> Result<Found, Failure> {
    let mut call = Call::open(common, info.clone(), &tune.launch)?;
    let references = References::read(&tune.references, &call)?;
    let mut given: Vec<String> = call.bound.iter().map(launch::Bound::to_string).collect();
    given.push(if tune.hot { "in the cache" } else { "in memory" }.to_owned());
    let lengths = call.bound.iter().map(|bound| match &bound.argument {
        launch::Argument::Memory(array) => array.content.len(),
        launch::Argument::Number(_) => 1,
    });
    let sum = |Numbers { all, largest }: Numbers, length: u64| Numbers {
        all: all.saturating_add(length),
        largest: largest.max(length),
    };
    let numbers = lengths.fold(Numbers::default(), sum);
    let arguments = Arguments::place(session, std::mem::take(&mut call.bound))?;
    let (groups, layouts) = launch(&call, &arguments.given()?)?;
    let (function, name) = (call.function, call.name());
    let Session { ir, info, options, .. } = &mut call.session;
    let rounding = Rounding::of(ir, function, options, groups, numbers);
    driver::specialize(ir, function, &layouts);
    let key = driver::tuning_key(ir, function, info, options);
    let tried = driver::candidates(ir, function, info)
        .map_err(|reason| Failure::Failed(Status::InvalidArguments, reason))?;
    let all = tried.into_iter().map(|tried| Candidate {
        tried,
        key: key.clone(),
        function: name.clone(),
        definitions: definitions.to_vec(),
        launch: given.join(" "),
        groups,
        rounding,
        layouts: layouts.clone(),
        is_excluded: false,
        is_checked: false,
    });
    let given = Given { definitions: definitions.to_vec(), arguments };
    Ok(Found { candidates: all.collect(), references, given })
}

/// Other steps, blocks and messages of products in what a config says besides, with places from `first` on.
pub fn refinements(
    search: &Search<'_>,
    info: &CoreInfo,
    of: &Candidate,
    first: usize,
) -> Result<Vec<Candidate>, Failure> {
    let common = search.tune.common(search.file, &of.definitions);
    let Call { mut session, function, .. } = Call::choose(&common, info.clone(), &search.tune.launch)?;
    let Session { ir, info, .. } = &mut session;
    driver::specialize(ir, function, &of.layouts);
    of.tried.config.complete(&mut ir[function].attributes);
    let found = driver::candidates(ir, function, info)
        .map_err(|reason| Failure::Failed(Status::InvalidArguments, reason))?;
    let candidate = |mut tried: driver::Candidate| {
        tried.config = tried.config.completed(&of.tried.config);
        tried.place += first;
        Candidate { tried, is_checked: false, ..of.clone() }
    };
    Ok(found.into_iter().filter(|tried| tried.config.is_about_products()).map(candidate).collect())
}

/// Work-groups of the launch, and the layouts of its arguments.
fn launch(call: &Call, given: &[Argument<'_>]) -> Result<(u64, Vec<Option<Layout>>), Failure> {
    let given: Vec<_> = given.iter().map(GivenArgument::from).collect();
    let signature = call.session.ir.signature(call.function);
    arguments::check(&signature, &given).map_err(failed)?;
    let groups = arguments::grid(Some(&signature), &given, call.groups).map_err(failed)?;
    let groups = groups.into_iter().fold(1, u64::saturating_mul);
    if groups == 0 {
        return Err(launch::invalid(timing::NO_GROUPS.to_owned()));
    }
    Ok((groups, arguments::layouts(&signature, &given, &call.session.info)))
}

/// Compiles the configs on the threads that there are, and estimates what they take. A config that does not compile says why; those that
/// an interruption has left are not there any more.
pub fn compile_all(
    search: &Search<'_>,
    info: &CoreInfo,
    cores: Option<u64>,
    candidates: &mut Vec<Candidate>,
    progress: &Progress,
) {
    let alive = candidates.iter_mut().filter(|candidate| !candidate.tried.is_out());
    let goes_on = search.interruption.watch_with(progress);
    driver::for_each(alive, goes_on, |candidate: &mut &mut Candidate| {
        compile(search, info, cores, candidate)
    });
    candidates.retain(|candidate| candidate.tried.is_out() || candidate.tried.built.is_some());
    take_out_equal(candidates);
}

/// Takes out configs that give the module of one before.
pub fn take_out_equal(candidates: &mut [Candidate]) {
    let mut known = HashSet::new();
    for candidate in candidates.iter_mut().filter(|candidate| !candidate.tried.is_out()) {
        let module = candidate.tried.built.as_ref().map(|built| (built.features, built.module.clone()));
        if module.is_some_and(|module| !known.insert((candidate.definitions.clone(), module))) {
            candidate.tried.fail("the same module as a config before");
        }
    }
}

fn compile(search: &Search<'_>, info: &CoreInfo, cores: Option<u64>, candidate: &mut Candidate) {
    let Search { tune, file, .. } = search;
    let common = tune.common(file, &candidate.definitions);
    match Call::choose(&common, info.clone(), &tune.launch) {
        Ok(Call { mut session, function, .. }) => {
            let Session { ir, program, info, options, .. } = &mut session;
            driver::specialize(ir, function, &candidate.layouts);
            let target = Target { info, options, groups: candidate.groups, cores, is_hot: tune.hot };
            candidate.tried.compile(ir, program, function, &target);
        }
        Err(failure) => candidate.tried.fail(reason(&failure)),
    }
}

/// Reason why a config is excluded: by a constraint, or since the device has no clock, which alone tells what orders of tiles are worth.
pub fn exclusion(search: &Search<'_>, candidate: &Candidate) -> Result<Option<String>, Failure> {
    let Candidate { definitions, tried, .. } = candidate;
    let tune = search.tune;
    if matches!(tune.device, DeviceName::Virtual(_)) && tried.config.is_about_order() {
        return Ok(Some("orders of tiles are worth what a device with a clock says".to_owned()));
    }
    constraint::exclusion(&tune.constraints, definitions, Some(&tried.config))
}

/// The message of a failure in one line.
pub fn reason(failure: &Failure) -> String {
    let text = match failure {
        Failure::Usage(_, text) | Failure::Failed(_, text) | Failure::Refused { report: text, .. } => text,
        Failure::OutputClosed => return String::new(),
    };
    text.lines().next().unwrap_or_default().to_owned()
}

/// Puts the best first.
pub fn rank(candidates: &mut [Candidate]) {
    driver::rank(candidates, |candidate| &candidate.tried);
}

/// The entries of a table, in the order in which configs were enumerated.
pub fn entries(candidates: &[Candidate]) -> Vec<Entry> {
    let mut in_order: Vec<&Candidate> =
        candidates.iter().filter(|candidate| !candidate.is_excluded).collect();
    in_order.sort_by_key(|candidate| candidate.tried.place);
    in_order.into_iter().map(Candidate::entry).collect()
}
