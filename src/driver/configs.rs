//! Configs of a kernel: enumerated, compiled, estimated by the model, and ranked.

use super::parallel::for_each;
use super::{Error, Options, compile};
use crate::device::{CoreFeatures, CoreInfo};
use crate::ir::{Func, Ir, Op, Program};
use crate::schedule::{self, LaneProducts, LaneWork, Roofline, Schedule};
use crate::tuning::{Config, Figure, NOISE};
use std::collections::HashSet;

/// Makes a kernel in an arena: the program that is compiled, and the function in it that configs are for. A reason if it cannot.
pub type Make<'a> = dyn Fn(&mut Ir) -> Result<(Program, Func), String> + Sync + 'a;

/// A kernel to tune.
pub struct Kernel<'a> {
    /// Makes it.
    pub make: &'a Make<'a>,
    /// Place where it is launched.
    pub target: Target<'a>,
}

/// Place where a kernel is launched.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    /// The device.
    pub info: &'a CoreInfo,
    /// Options of the compiler; tables of tuning are not consulted whatever they say.
    pub options: &'a Options,
    /// Work-groups of a launch.
    pub groups: u64,
    /// Cores of the device, if they are known: the last tiles may leave some of them idle.
    pub cores: Option<u64>,
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
    /// Times as long as their work takes on the device as if all its vector engines had the same share of it, at least 1.
    pub imbalance: f64,
    /// Cycles of a vector engine until a core has started the subgroups of a work-group, which it does one in a cycle at best.
    pub launch: f64,
}

/// The configs of a function that the compiler would take into consideration, none compiled yet. The first has no attributes and leaves the
/// choice to the compiler: some of its choices, such as a member of the batch for each lane, no attribute can ask for.
///
/// # Errors
/// The reason why the device cannot run it.
pub fn candidates(ir: &Ir, func: Func, info: &CoreInfo) -> Result<Vec<Candidate>, String> {
    let tried = Schedule::tried_attributes(ir, func, info).map_err(|error| error.to_string())?;
    let candidate = |(place, attributes): (usize, _)| Candidate {
        config: Config::of(&attributes),
        figure: Figure::Estimated { cycles: f64::INFINITY },
        built: None,
        place,
    };
    Ok(tried.into_iter().enumerate().map(candidate).collect())
}

impl Kernel<'_> {
    /// The [`candidates`] of the kernel.
    ///
    /// # Errors
    /// The reason why there is no kernel, or none that the device could run.
    pub fn candidates(&self) -> Result<Vec<Candidate>, String> {
        let mut ir = Ir::default();
        let (_, func) = (self.make)(&mut ir)?;
        candidates(&ir, func, self.target.info)
    }

    /// Compiles the configs on all processors, and has the model estimate what they take. One that does not compile is out, with the reason, and
    /// one that gives the module of another one.
    pub fn compile_all(&self, candidates: &mut [Candidate]) {
        for_each(candidates.iter_mut(), |_, _| true, |candidate| self.compile(candidate));
        let mut known = HashSet::new();
        for candidate in candidates {
            let key = candidate.built.as_ref().map(|built| (built.features, built.module.clone()));
            if key.is_some_and(|key| !known.insert(key)) {
                candidate.fail("the same module as a config before");
            }
        }
    }

    fn compile(&self, candidate: &mut Candidate) {
        let mut ir = Ir::default();
        match (self.make)(&mut ir) {
            Ok((program, func)) => candidate.compile(&mut ir, &program, func, &self.target),
            Err(reason) => candidate.fail(reason),
        }
    }
}

impl Target<'_> {
    /// Compiles a function of a program with a config; returns what it takes by the model, too.
    fn build(
        &self,
        ir: &mut Ir,
        program: &Program,
        func: Func,
        config: &Config,
    ) -> Result<(Built, Figure), Error> {
        let Target { info, options, groups, cores, is_hot } = *self;
        config.complete(&mut ir[func].attributes);
        let members = match LaneProducts::of(ir, func, info) {
            Some(LaneProducts { lanes, work: LaneWork::Group(_) }) => u64::from(lanes.unsigned_abs()),
            Some(LaneProducts { work: LaneWork::Columns, .. }) | None => 1,
        };
        // Members of a batch stand for many of them; tiles are those that there are.
        let cores = cores.filter(|_| stores_tiles(ir, func));
        let in_memory = Roofline::of(ir, func, info);
        let roofline = if is_hot { in_memory.map(Roofline::in_cache) } else { in_memory };
        let kernel = ir[func].name.clone();
        let module = compile(ir, program, info, &Options { is_tuned: false, ..*options })?;
        let path = module.main_path(&kernel, info);
        let groups = groups.div_ceil(members.max(1));
        let engines = cores.zip(info.engines_of_core());
        let imbalance =
            path.as_ref().zip(engines).map(|(path, engines)| imbalance(groups, path.subgroups, engines));
        let imbalance = imbalance.unwrap_or(1.0);
        let started = path.as_ref().zip(info.engines_of_core());
        let launch = started.map_or(0.0, |(path, engines)| launch(path.subgroups, engines));
        let issue = path.map(|path| path.issue());
        let (features, module) = (module.core_features(), module.assemble());
        let built = Built { kernel, features, module, roofline, groups, imbalance, launch };
        let estimate =
            built.expected(issue.map(|issue| issue * schedule::added_instructions(ir, func, info)));
        Ok((built, estimate))
    }
}

impl Candidate {
    /// Compiles the config for a function of a program, and has the model estimate what it takes. If it does not compile it is out, with
    /// the reason.
    pub fn compile(&mut self, ir: &mut Ir, program: &Program, func: Func, target: &Target<'_>) {
        match target.build(ir, program, func, &self.config) {
            Ok((built, estimate)) => {
                self.figure = estimate;
                self.built = Some(built);
            }
            Err(error) => self.fail(error.to_string()),
        }
    }

    /// Returns whether the config is out of the question.
    pub fn is_out(&self) -> bool {
        matches!(self.figure, Figure::Failed(_))
    }

    /// Seconds or cycles.
    pub fn time(&self) -> f64 {
        self.figure.rank().1
    }

    /// Takes the config out, with the reason.
    pub fn fail(&mut self, reason: impl Into<String>) {
        self.figure = Figure::Failed(reason.into());
    }
}

impl Built {
    /// Cycles of all work-groups, given those that a vector engine issues the instructions of one in: of what takes longest, and a little
    /// of the instructions, which decides between configs that memory makes equal.
    pub fn estimate(&self, issue: Option<f64>) -> Figure {
        self.cycles(issue, f64::max)
    }

    /// The same where the instructions are only estimated: those that seem to take nearly the longest may take longer than that. A norm of
    /// both numbers is a little more than the larger one if they are alike.
    fn expected(&self, issue: Option<f64>) -> Figure {
        const NORM: i32 = 8;
        let norm = |a: f64, b: f64| (a.powi(NORM) + b.powi(NORM)).powf(f64::from(NORM).recip());
        self.cycles(issue, norm)
    }

    // An estimate needs no exact number.
    #[allow(clippy::cast_precision_loss)]
    fn cycles(&self, issue: Option<f64>, longest: impl Fn(f64, f64) -> f64) -> Figure {
        const REST: f64 = 1.0 / 64.0;
        let Some(issue) = issue.map(|issue| issue * self.imbalance) else { return unknown() };
        let least = |roofline: Roofline| roofline.memory.max(roofline.arithmetic * self.imbalance);
        let least = self.roofline.map_or(0.0, least).max(self.launch);
        Figure::Estimated { cycles: (longest(least, issue) + REST * issue) * self.groups.max(1) as f64 }
    }
}

/// Returns whether work-groups compute tiles of matrices.
fn stores_tiles(ir: &Ir, func: Func) -> bool {
    let mut found = false;
    ir.walk(ir[func].body, &mut |inst| found |= matches!(ir[inst].op, Op::TileStore(_)));
    found
}

/// Times as long as work-groups of so many subgroups take as if all engines of the cores had the same share of their work: a work-group does
/// not leave its core, nor a subgroup its engine, and the fullest engine is what all wait for.
// An estimate needs no exact number.
#[allow(clippy::cast_precision_loss)]
fn imbalance(groups: u64, subgroups: u64, (cores, engines): (u64, u64)) -> f64 {
    let of_core = groups.div_ceil(cores.max(1)).saturating_mul(subgroups);
    let of_engine = of_core.div_ceil(engines.max(1)) as f64;
    let even = groups as f64 * subgroups as f64 / (cores.max(1) as f64 * engines.max(1) as f64);
    if even > 0.0 { (of_engine / even).max(1.0) } else { 1.0 }
}

/// Cycles of a vector engine in which a core starts so many subgroups: while one engine of a core begins with a subgroup, the others wait.
// An estimate needs no exact number.
#[allow(clippy::cast_precision_loss)]
fn launch(subgroups: u64, engines: u64) -> f64 {
    subgroups as f64 * engines as f64
}

/// Puts the best first: what is measured before what is estimated, and of each kind those that are as good as the best in the order of
/// their enumeration, then the others by their figures. `of` is the config in an item.
pub fn rank<T>(items: &mut [T], of: impl Fn(&T) -> &Candidate) {
    let ranks = || items.iter().map(|item| of(item).figure.rank());
    let best_of = |kind: u8| {
        let times = ranks().filter(|rank| rank.0 == kind).map(|rank| rank.1);
        times.fold(f64::INFINITY, f64::min) * (1.0 + NOISE)
    };
    let bounds = [0, 1, 2].map(best_of);
    let key = |item: &T| {
        let (kind, time) = of(item).figure.rank();
        let is_as_good = bounds.get(usize::from(kind)).is_some_and(|bound| time <= *bound);
        (kind, if is_as_good { 0.0 } else { time }, of(item).place)
    };
    items.sort_by(|a, b| {
        let ((kind, time, place), (other_kind, other_time, other_place)) = (key(a), key(b));
        kind.cmp(&other_kind).then(time.total_cmp(&other_time)).then(place.cmp(&other_place))
    });
}

/// An estimate of which nothing is known.
fn unknown() -> Figure {
    Figure::Estimated { cycles: f64::MAX }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wave_that_is_not_full_takes_as_long_as_a_full_one() {
        let pvc = (64, 8);
        assert_eq!(imbalance(64, 8, pvc), 1.0);
        assert_eq!(imbalance(65, 8, pvc), 128.0 / 65.0);
        assert_eq!(imbalance(64, 16, pvc), 1.0);
        // Engines without a subgroup, and cores without a work-group.
        assert_eq!(imbalance(64, 4, pvc), 2.0);
        assert_eq!(imbalance(16, 8, pvc), 4.0);
        assert!((1.0..1.01).contains(&imbalance(100_000, 3, pvc)));
        assert_eq!(imbalance(0, 8, pvc), 1.0);
    }

    #[test]
    fn idle_engines_cost_time_but_no_memory() {
        let roofline = Some(Roofline { issue: 0.0, memory: 100.0, arithmetic: 40.0 });
        let of = |imbalance, launch| Built {
            kernel: String::new(),
            features: CoreFeatures::default(),
            module: Vec::new(),
            roofline,
            groups: 1,
            imbalance,
            launch,
        };
        let cycles_of = |built: Built, issue| match built.estimate(Some(issue)) {
            Figure::Estimated { cycles } => cycles,
            Figure::Measured { .. } | Figure::Failed(_) => 0.0,
        };
        let cycles = |imbalance, issue| cycles_of(of(imbalance, 0.0), issue);
        assert_eq!(cycles(1.0, 64.0), 101.0);
        assert_eq!(cycles(1.5, 64.0), 101.5);
        assert_eq!(cycles(2.0, 64.0), 130.0);
        assert_eq!(cycles(4.0, 32.0), 162.0);
        // Subgroups that have little to do wait for the next ones to be started: 32 of them on 8 engines.
        assert_eq!(cycles_of(of(1.0, launch(32, 8)), 64.0), 257.0);
        assert_eq!(cycles_of(of(1.0, launch(4, 8)), 64.0), 101.0);
    }
}
