//! Configs of a kernel: enumerated, compiled, estimated by the model or by the instructions that Intel's offline compiler makes of them,
//! and ranked.

mod parallel;

use crate::{Error, Ocloc, Options, Subject, measure};
use std::collections::{HashMap, HashSet};
use tiletc::analysis::matrix_pressure;
use tiletc::device::{CoreFeatures, CoreInfo};
use tiletc::driver;
use tiletc::ir::{Func, Ir, Program};
use tiletc::schedule::{LaneProducts, LaneWork, Roofline, Schedule};
use tiletc::tuning::{Config, Figure, NOISE};

pub use parallel::for_each;

/// Makes a kernel in an arena: the program that is compiled, and the function in it that configs are for. A reason if it cannot.
pub type Make<'a> = dyn Fn(&mut Ir) -> Result<(Program, Func), String> + Sync + 'a;

/// A kernel to tune.
pub struct Kernel<'a> {
    /// Makes it.
    pub make: &'a Make<'a>,
    /// The device.
    pub info: &'a CoreInfo,
    /// Options of the compiler.
    pub options: &'a driver::Options,
    /// Work-groups of a launch.
    pub groups: u64,
    /// True if the data are in the cache.
    pub is_hot: bool,
}

/// A config of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Attributes of the function.
    pub config: Config,
    /// Its time.
    pub figure: Figure,
    /// The module, if it compiles.
    pub built: Option<Built>,
    /// Place in the order of enumeration: simpler ones come first.
    pub place: usize,
}

/// Result of compiling a config.
#[derive(Clone, Debug, PartialEq)]
pub struct Built {
    /// Name of the kernel.
    pub kernel: String,
    /// Features that the module is built for.
    pub features: CoreFeatures,
    /// The bytes of the module.
    pub module: Vec<u8>,
    /// Work of a work-group, if it is known.
    pub roofline: Option<Roofline>,
    /// Work-groups that have something to do.
    pub groups: u64,
}

impl Kernel<'_> {
    /// The configs that the compiler would take into consideration, none compiled yet. The first has no attributes and leaves the choice to
    /// the compiler: some of its choices, such as a member of the batch for each lane, no attribute can ask for.
    ///
    /// # Errors
    /// The reason why there is no kernel, or none that the device could run.
    pub fn candidates(&self) -> Result<Vec<Candidate>, String> {
        let mut ir = Ir::default();
        let (_, func) = (self.make)(&mut ir)?;
        let tried = Schedule::tried_attributes(&ir, func, self.info).map_err(|error| error.to_string())?;
        let candidate = |(place, attributes): (usize, _)| Candidate {
            config: Config::of(&attributes),
            figure: Figure::Estimated { cycles: f64::INFINITY },
            built: None,
            place,
        };
        Ok(tried.into_iter().enumerate().map(candidate).collect())
    }

    /// Compiles the configs on all processors, and has the model estimate what they take. One that does not compile is out, with the reason, and
    /// one that gives the module of another one.
    pub fn compile_all(&self, candidates: &mut [Candidate]) {
        for_each(candidates.iter_mut(), |candidate| self.compile(candidate));
        let mut known = HashSet::new();
        for candidate in candidates {
            let key = candidate.built.as_ref().map(|built| (built.features, built.module.clone()));
            if key.is_some_and(|key| !known.insert(key)) {
                candidate.fail("the same module as a config before");
            }
        }
    }

    fn compile(&self, candidate: &mut Candidate) {
        match self.build(&candidate.config) {
            Ok((built, estimate)) => {
                candidate.figure = estimate;
                candidate.built = Some(built);
            }
            Err(reason) => candidate.fail(reason),
        }
    }

    /// Compiles a config; returns what it takes by the model, too.
    fn build(&self, config: &Config) -> Result<(Built, Figure), String> {
        let mut ir = Ir::default();
        let (program, func) = (self.make)(&mut ir)?;
        config.complete(&mut ir[func].attributes);
        let members = match LaneProducts::of(&ir, func, self.info) {
            Some(LaneProducts { lanes, work: LaneWork::Group(_) }) => u64::from(lanes.unsigned_abs()),
            Some(LaneProducts { work: LaneWork::Columns, .. }) | None => 1,
        };
        let in_memory = Roofline::of(&ir, func, self.info);
        let roofline = if self.is_hot { in_memory.map(Roofline::in_cache) } else { in_memory };
        let kernel = ir[func].name.clone();
        let module = driver::compile(&mut ir, &program, self.info, self.options);
        let module = module.map_err(|error| error.to_string())?;
        let issue = module.main_path(&kernel, self.info).map(|path| path.issue());
        let groups = self.groups.div_ceil(members.max(1));
        let added = added(&ir, func, self.info);
        let (features, module) = (module.core_features(), module.assemble());
        let built = Built { kernel, features, module, roofline, groups };
        let estimate = match built.estimate(issue) {
            // Memory hides some of it, but of configs that memory makes equal those are better that add less.
            Figure::Estimated { cycles } if cycles < f64::MAX => Figure::Estimated { cycles: cycles * added },
            other => other,
        };
        Ok((built, estimate))
    }
}

impl Candidate {
    /// Returns whether the config is out of the question.
    pub fn is_out(&self) -> bool {
        matches!(self.figure, Figure::Failed(_))
    }

    /// Seconds or cycles.
    pub fn time(&self) -> f64 {
        match self.figure {
            Figure::Measured { seconds, .. } => seconds,
            Figure::Estimated { cycles } => cycles,
            Figure::Failed(_) => f64::INFINITY,
        }
    }

    /// Place of the kind of its figure: what is measured comes first, what has failed last.
    pub fn kind(&self) -> u8 {
        match self.figure {
            Figure::Measured { .. } => 0,
            Figure::Estimated { .. } => 1,
            Figure::Failed(_) => 2,
        }
    }

    /// Takes the config out, with the reason.
    pub fn fail(&mut self, reason: impl Into<String>) {
        self.figure = Figure::Failed(reason.into());
    }
}

impl Built {
    /// Cycles of all work-groups, given those that a vector engine issues the instructions of one in: of what takes longest, and a little
    /// of the instructions, which decides between configs that memory makes equal.
    // An estimate needs no exact number.
    #[allow(clippy::cast_precision_loss)]
    fn estimate(&self, issue: Option<f64>) -> Figure {
        const REST: f64 = 1.0 / 64.0;
        let Some(issue) = issue else { return unknown() };
        let least = self.roofline.map_or(0.0, |roofline| roofline.memory.max(roofline.arithmetic));
        Figure::Estimated { cycles: (least.max(issue) + REST * issue) * self.groups.max(1) as f64 }
    }
}

/// Times the instructions of a lowered function that the driver's compiler makes of them: it moves what it has no registers for where it can
/// be, and splits what subgroups of 32 do, by measure of the grid's products on pvc.
// An estimate needs no exact number.
#[allow(clippy::cast_precision_loss)]
fn added(ir: &Ir, func: Func, info: &CoreInfo) -> f64 {
    /// Share of the registers from which on matrices leave others too few, and what each further share adds.
    const SCARCE: (f64, f64) = (0.3, 0.1);
    /// Factor of the widest subgroups.
    const WIDE: (i32, f64) = (32, 1.1);
    let Ok(schedule) = Schedule::of(ir, func) else { return 1.0 };
    let bytes = matrix_pressure(ir, func, schedule.subgroup_size.into()) as f64;
    let share = bytes / f64::from(schedule.register_space(info).max(1));
    let split = if schedule.subgroup_size >= WIDE.0 && !info.is_cpu() { WIDE.1 } else { 1.0 };
    split * (1.0 + SCARCE.1 * (share - SCARCE.0).max(0.0))
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

/// Estimates configs anew, by the instructions that the offline compiler makes of them for a device by the name that it knows. What it does
/// not compile is out, with the reason. Where it is not known how often loops run, the model's estimates stay if they are all that there
/// is, since the two kinds do not compare.
pub fn count<'a>(ocloc: &Ocloc, device: &str, candidates: impl IntoIterator<Item = &'a mut Candidate>) {
    let alive = candidates.into_iter().filter(|candidate| !candidate.is_out());
    let mut alive: Vec<(&mut Candidate, Counted)> = alive.map(|candidate| (candidate, Ok(None))).collect();
    for_each(alive.iter_mut(), |(candidate, counted)| {
        *counted = candidate.built.as_ref().map_or(Ok(None), |built| issue(ocloc, device, built));
    });
    let is_known = alive.iter().any(|(_, counted)| matches!(counted, Ok(Some(_))));
    for (candidate, counted) in alive {
        match counted {
            Ok(Some(issue)) => {
                candidate.figure =
                    candidate.built.as_ref().map_or_else(unknown, |it| it.estimate(Some(issue)));
            }
            Ok(None) if is_known => candidate.fail("it is not known how often the loops of its binary run"),
            Ok(None) => {}
            Err(error) => candidate.fail(error.to_string()),
        }
    }
}

/// Cycles by instructions, if they are known.
type Counted = Result<Option<f64>, Error>;

fn unknown() -> Figure {
    Figure::Estimated { cycles: f64::MAX }
}

/// Cycles in which a vector engine issues a work-group.
fn issue(ocloc: &Ocloc, device: &str, built: &Built) -> Result<Option<f64>, Error> {
    let Built { kernel, features, module, roofline, .. } = built.clone();
    let rooflines = roofline.map(|roofline| (kernel.clone(), roofline));
    let subject = Subject { module, features, rooflines: rooflines.into_iter().collect::<HashMap<_, _>>() };
    let found = measure(ocloc, &subject, device, &Options::default())?;
    Ok(found.into_iter().find(|it| it.kernel == kernel).and_then(|it| it.issue))
}
