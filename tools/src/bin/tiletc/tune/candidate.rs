//! Configs of a kernel: enumerated, compiled, estimated.

use super::parallel::for_each;
use super::reference::{GivenReference, References};
use super::rounding::{Numbers, Rounding};
use super::search::Search;
use crate::bench::timing;
use crate::common::{Common, Failure};
use crate::launch::{self, Arguments, Call, CallOptions, failed};
use crate::progress::Progress;
use std::collections::{BTreeMap, HashSet};
use tiletc::device::{CoreFeatures, CoreInfo};
use tiletc::driver::{self, Layout};
use tiletc::runtime::arguments::{self, GivenArgument};
use tiletc::runtime::{self, Argument};
use tiletc::schedule::{LaneProducts, LaneWork, Roofline, Schedule};
use tiletc::status::Status;
use tiletc::tuning::{Config, Entry, Figure, Key, NOISE};

/// A config of a kernel.
pub struct Candidate {
    /// Key of the kernel in tables.
    pub key: Key,
    /// Name of the kernel.
    pub function: String,
    /// Definitions of names of the program.
    pub definitions: Vec<(String, String)>,
    /// Attributes of the kernel.
    pub config: Config,
    /// Work-groups that have something to do.
    pub groups: u64,
    /// Roundings on the way to its results.
    pub rounding: Rounding,
    /// Layouts of the arguments.
    layouts: Vec<Option<Layout>>,
    /// Features that the module is built for, and the module, if it has been compiled.
    pub module: Option<(CoreFeatures, Vec<u8>)>,
    /// Work of a work-group, if it is known.
    pub roofline: Option<Roofline>,
    /// Place in the order of enumeration: simpler ones come first.
    place: usize,
    /// True if a constraint excludes it, so that it is neither compiled nor kept.
    pub is_excluded: bool,
    /// True if its results are what is expected.
    pub is_checked: bool,
    /// Its time.
    pub figure: Figure,
}

impl Candidate {
    /// Returns whether the config is out of the question.
    pub fn is_out(&self) -> bool {
        matches!(self.figure, Figure::Failed(_))
    }

    /// Place of the kind of its figure: what is measured comes first, what has failed last.
    pub fn kind(&self) -> u8 {
        match self.figure {
            Figure::Measured { .. } => 0,
            Figure::Estimated { .. } => 1,
            Figure::Failed(_) => 2,
        }
    }

    /// Seconds or cycles.
    pub fn time(&self) -> f64 {
        match self.figure {
            Figure::Measured { seconds, .. } => seconds,
            Figure::Estimated { cycles } => cycles,
            Figure::Failed(_) => f64::INFINITY,
        }
    }

    /// Cycles of all work-groups, given those that a vector engine issues the instructions of one in: of what takes longest, and a little
    /// of the instructions, which decides between configs that memory makes equal.
    // An estimate needs no exact number.
    #[allow(clippy::cast_precision_loss)]
    pub fn cycles(&self, issue: Option<f64>) -> f64 {
        const REST: f64 = 1.0 / 64.0;
        let Some(issue) = issue else { return f64::MAX };
        let least = self.roofline.map_or(0.0, |roofline| roofline.memory.max(roofline.arithmetic));
        (least.max(issue) + REST * issue) * self.groups.max(1) as f64
    }

    /// Takes the config out, with the reason.
    pub fn fail(&mut self, reason: impl Into<String>) {
        self.figure = Figure::Failed(reason.into());
    }

    /// Takes the config out because of a constraint.
    pub fn exclude(&mut self, reason: String) {
        self.is_excluded = true;
        self.fail(reason);
    }

    /// The entry of a table.
    pub fn entry(&self) -> Entry {
        let Candidate { key, function, definitions, config, figure, .. } = self;
        Entry {
            key: key.clone(),
            function: function.clone(),
            definitions: definitions.iter().cloned().collect::<BTreeMap<_, _>>(),
            config: config.clone(),
            figure: figure.clone(),
        }
    }
}

/// The configs that the compiler would take into consideration. The first has no attributes and leaves the choice to the compiler: some of
/// its choices, such as a member of the batch for each lane, no attribute can ask for. The references are those of the program with
/// these definitions.
pub fn enumerate<S: runtime::Session>(
    common: &Common,
    session: &S,
    info: &CoreInfo,
    options: &CallOptions,
    definitions: &[(String, String)],
    references: &[GivenReference],
) -> Result<(Vec<Candidate>, References), Failure> {
    let mut call = Call::open(common, info.clone(), options)?;
    let references = References::read(references, &call)?;
    let lengths = call.bound.iter().map(|bound| match &bound.argument {
        launch::Argument::Memory(array) => array.content.len(),
        launch::Argument::Number(_) => 1,
    });
    let sum = |Numbers { all, largest }: Numbers, length: u64| Numbers {
        all: all.saturating_add(length),
        largest: largest.max(length),
    };
    let numbers = lengths.fold(Numbers::default(), sum);
    let placed = Arguments::place(session, std::mem::take(&mut call.bound))?;
    let (groups, layouts) = launch(&call, &placed.given()?)?;
    let (function, name) = (call.function, call.name());
    let crate::common::Session { ir, info, options, .. } = &mut call.session;
    let rounding = Rounding::of(ir, function, options, groups, numbers);
    driver::specialize(ir, function, &layouts);
    let key = driver::tuning_key(ir, function, info, options);
    let schedules = Schedule::candidates(ir, function, info)
        .map_err(|error| Failure::Failed(Status::InvalidArguments, error.to_string()))?;
    let pinned = schedules.iter().map(|schedule| Config::of(&schedule.attributes()));
    let candidate = |(place, config): (usize, Config)| Candidate {
        key: key.clone(),
        function: name.clone(),
        definitions: definitions.to_vec(),
        config,
        groups,
        rounding,
        layouts: layouts.clone(),
        module: None,
        roofline: None,
        place,
        is_excluded: false,
        is_checked: false,
        figure: Figure::Estimated { cycles: f64::INFINITY },
    };
    let all = [Config::default()].into_iter().chain(pinned).enumerate().map(candidate);
    Ok((all.collect(), references))
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
    candidates: &mut Vec<Candidate>,
    progress: &Progress,
) {
    let alive = candidates.iter_mut().filter(|candidate| !candidate.is_out()).collect();
    for_each(alive, &search.interruption, progress, |candidate| compile(search, info, candidate));
    candidates.retain(|candidate| candidate.is_out() || candidate.module.is_some());
    let mut known = HashSet::new();
    for candidate in candidates {
        let key = candidate.module.as_ref().map(|module| (candidate.definitions.clone(), module.clone()));
        if key.is_some_and(|key| !known.insert(key)) {
            candidate.fail("the same module as a config before");
        }
    }
}

fn compile(search: &Search<'_>, info: &CoreInfo, candidate: &mut Candidate) {
    let Search { tune, file, .. } = search;
    let common = tune.common(file, &candidate.definitions);
    let compiled = Call::open(&common, info.clone(), &tune.launch).and_then(|mut call| {
        let function = call.function;
        let crate::common::Session { ir, program, info, options, .. } = &mut call.session;
        driver::specialize(ir, function, &candidate.layouts);
        candidate.config.complete(&mut ir[function].attributes);
        options.is_tuned = false;
        let members = match LaneProducts::of(ir, function, info) {
            Some(LaneProducts { lanes, work: LaneWork::Group(_) }) => u64::from(lanes.unsigned_abs()),
            Some(LaneProducts { work: LaneWork::Columns, .. }) | None => 1,
        };
        let in_memory = Roofline::of(ir, function, info);
        let roofline = if tune.hot { in_memory.map(Roofline::in_cache) } else { in_memory };
        let module = driver::compile(ir, program, info, options);
        let module = module.map_err(|error| Failure::Failed(error.status(), error.to_string()))?;
        let issue = module.main_path(&candidate.function, info).map(|path| path.issue());
        Ok((members, roofline, issue, (module.core_features(), module.assemble())))
    });
    match compiled {
        Ok((members, roofline, issue, module)) => {
            candidate.groups = candidate.groups.div_ceil(members.max(1));
            candidate.roofline = roofline;
            candidate.module = Some(module);
            candidate.figure = Figure::Estimated { cycles: candidate.cycles(issue) };
        }
        Err(failure) => candidate.fail(reason(&failure)),
    }
}

/// The message of a failure in one line.
pub fn reason(failure: &Failure) -> String {
    let text = match failure {
        Failure::Usage(_, text) | Failure::Failed(_, text) | Failure::Refused { report: text, .. } => text,
        Failure::OutputClosed => return String::new(),
    };
    text.lines().next().unwrap_or_default().to_owned()
}

/// Puts the best first: what is measured before what is estimated, and of each kind those that are as good as the best in the order of
/// their enumeration, then the others by their figures.
pub fn rank(candidates: &mut [Candidate]) {
    let best_of = |kind: u8| {
        let times = candidates.iter().filter(|candidate| candidate.kind() == kind).map(Candidate::time);
        times.fold(f64::INFINITY, f64::min) * (1.0 + NOISE)
    };
    let bounds = [0, 1, 2].map(best_of);
    let key = |candidate: &Candidate| {
        let kind = candidate.kind();
        let is_as_good = bounds.get(usize::from(kind)).is_some_and(|bound| candidate.time() <= *bound);
        (kind, if is_as_good { 0.0 } else { candidate.time() }, candidate.place)
    };
    candidates.sort_by(|a, b| {
        let ((kind, time, place), (other_kind, other_time, other_place)) = (key(a), key(b));
        kind.cmp(&other_kind).then(time.total_cmp(&other_time)).then(place.cmp(&other_place))
    });
}

/// The entries of a table, in the order in which configs were enumerated.
pub fn entries(candidates: &[Candidate]) -> Vec<Entry> {
    let mut in_order: Vec<&Candidate> =
        candidates.iter().filter(|candidate| !candidate.is_excluded).collect();
    in_order.sort_by_key(|candidate| candidate.place);
    in_order.into_iter().map(Candidate::entry).collect()
}
