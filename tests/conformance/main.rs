//! Device conformance: programs are compiled for the OpenCL device at hand, run there, and every number
//! they write is compared with a reference that the host computes in higher precision.
//!
//! Tolerances: where results are rounded, the tolerance is the a-priori bound of the rounding errors, with
//! γ(n) = n·u / (1 − n·u) and u the unit roundoff of the type the sums are formed in; nothing wider.
//! Every module passes the SPIR-V validator before a driver sees it. Without a driver each test is reported
//! as ignored, with the reason.
//!
//! With `TILETC_SHARE=N` only every N-th case runs, for a quick look. Without it one of four cases for matrix engines runs on a
//! processor without one, whose driver takes long over them; `cargo xtask soak conformance` runs all.
//!
//! Every instruction is covered by [`table`], type by type, and at the end stands how many cases ran for each;
//! one without a case is a failure. The other modules test what takes a program of its own: how instructions work
//! together, what is folded, what a kernel is passed.

#![allow(clippy::indexing_slicing, clippy::print_stdout)]

mod arithmetic;
mod batch;
mod casts;
mod chain;
mod complex_division;
mod control;
mod convention;
mod coopmatrix;
mod counters;
mod device;
#[path = "../common/examples.rs"]
mod examples;
mod folded;
mod gemm;
mod grid;
mod lane_products;
mod large;
mod long_chain;
mod memory;
mod narrow;
mod numbers;
mod problem;
mod process;
mod sequences;
mod table;
mod tile;
mod tiles;
mod valid;
mod worker;

use std::env;
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Completion, Trial};

use device::{Device, Stop, WITHOUT};
use tiletc::device::Avoidance;
use worker::Pool;

/// The driver's device.
const OPENCL: &str = "opencl";

/// The devices, and what stands before the names of their tests.
const DEVICES: [(&str, &str); 2] = [(OPENCL, ""), ("virtual:pvc", "virtual::pvc::")];

/// GPUs that run the products for matrix engines alone: pipelines of other widths, and none of the 2D block messages.
const ENGINES: [(&str, &str); 4] = [
    ("virtual:bmg", "virtual::bmg::"),
    ("virtual:lnl", "virtual::lnl::"),
    ("virtual:ptl", "virtual::ptl::"),
    ("virtual:dg2", "virtual::dg2::"),
];

/// Devices whose engine cooperative matrices of SPIR-V reach. Other types than its own come to the same code as elsewhere.
const OF_TILES: [(&str, &str); 3] = [
    ("virtual:arl-h", "virtual::arl-h::"),
    ("virtual:amx", "virtual::amx::"),
    ("virtual:portable", "virtual::portable::"),
];

/// GPUs whose kernels do without one class of messages and instructions after the other, and the share of the cases for engines
/// and that of the others that run on them, other cases for each class. Those that are not for engines need f64, which dg2 lacks.
const AVOIDING: [(&str, &[usize]); 2] = [("pvc", &[13, 23]), ("dg2", &[13])];

/// Share of the cases for engines that runs on a processor without one. Its driver takes several times as long for their vector code as for
/// that of an engine.
const WITHOUT_ENGINE_SHARE: usize = 4;

type Run = Box<dyn FnOnce(&Device) -> Result<(), Stop> + Send>;

/// A test that runs on a device.
pub struct Case {
    name: String,
    run: Run,
}

impl Case {
    /// The test of the name.
    pub fn new(
        name: impl Into<String>,
        run: impl FnOnce(&Device) -> Result<(), Stop> + Send + 'static,
    ) -> Case {
        Case { name: name.into(), run: Box::new(run) }
    }

    /// The same test as a member of a group.
    pub fn within(self, group: &str) -> Case {
        Case { name: format!("{group}::{}", self.name), ..self }
    }

    fn trial(&self, prefix: &str, pool: Result<Arc<Pool>, String>) -> Trial {
        let name = self.name.clone();
        Trial::ignorable_test(format!("{prefix}{name}"), move || match pool {
            Err(reason) => Ok(Completion::ignored_with(format!("SKIPPED: {reason}"))),
            Ok(pool) => pool.run(&name),
        })
    }
}

fn main() -> ExitCode {
    let cases: Vec<Case> = [
        arithmetic::cases(),
        batch::cases(),
        folded::cases(),
        casts::cases(),
        chain::cases(),
        complex_division::cases(),
        control::cases(),
        convention::cases(),
        coopmatrix::cases(),
        counters::cases(),
        gemm::cases(),
        grid::cases(),
        lane_products::cases(),
        large::cases(),
        long_chain::cases(),
        memory::cases(),
        sequences::cases(),
        table::cases(),
        tile::cases(),
        tiles::cases(),
    ]
    .into_iter()
    .flatten()
    .collect();
    if let Some(device) = worker::role() {
        return worker::serve(&device, cases);
    }
    let arguments = Arguments::from_args();
    let share = env::var("TILETC_SHARE").ok().and_then(|share| share.parse().ok()).unwrap_or(1).max(1);
    let mut trials = Vec::new();
    let mut pools = Vec::new();
    let mut lacks_engine = false;
    for (name, prefix) in DEVICES.into_iter().chain(ENGINES).chain(OF_TILES) {
        let device = (name, prefix);
        let runs = |case: &&Case| {
            let is_for_engines = case.name.starts_with(gemm::ENGINE);
            DEVICES.contains(&device)
                || is_for_engines && (ENGINES.contains(&device) || !gemm::is_of_wide_types(&case.name))
        };
        // Listing the tests must not wake a driver.
        let device = if arguments.list { Err("not run".to_owned()) } else { Device::open(name) };
        let is_slow = arguments.filter.is_none()
            && env::var_os("TILETC_SHARE").is_none()
            && device.as_ref().is_ok_and(|device| device.is_cpu_without_engine());
        lacks_engine |= is_slow;
        let pool = device.map(|_| Arc::new(Pool::new(name)));
        if let Err(reason) = pool.as_ref()
            && !arguments.list
        {
            println!("SKIPPED: {name}: {reason}");
        }
        let mut for_engines = 0;
        trials.extend(cases.iter().filter(runs).step_by(share).map(|case| {
            let is_for_engine = case.name.starts_with(gemm::ENGINE);
            for_engines += usize::from(is_for_engine);
            let is_left_out = is_slow && is_for_engine && for_engines % WITHOUT_ENGINE_SHARE != 0;
            let reason =
                "one of four cases for engines runs on a processor without one; all do with TILETC_SHARE=1";
            case.trial(prefix, if is_left_out { Err(reason.to_owned()) } else { pool.clone() })
        }));
        pools.extend(pool);
    }
    let mut avoiding = Vec::new();
    let (engine_cases, other_cases): (Vec<&Case>, Vec<&Case>) =
        cases.iter().partition(|case| case.name.starts_with(gemm::ENGINE));
    for ((device, shares), (number, class)) in AVOIDING
        .into_iter()
        .flat_map(|device| Avoidance::ALL.iter().enumerate().map(move |class| (device, class)))
    {
        let name: &'static str = format!("virtual:{device}{WITHOUT}{}", class.spelling()).leak();
        let pool = if arguments.list { Err("not run".to_owned()) } else { Ok(Arc::new(Pool::new(name))) };
        let prefix = format!("virtual::{device}::without::{}::", class.spelling());
        for (cases, one_of) in [&engine_cases, &other_cases].into_iter().zip(shares) {
            let some = cases.iter().skip(number % one_of).step_by(one_of * share);
            trials.extend(some.map(|case| case.trial(&prefix, pool.clone())));
        }
        avoiding.extend(pool);
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    let is_whole = share == 1 && arguments.filter.is_none() && arguments.skip.is_empty();
    let mut complete = true;
    let shown = examples::instructions_run();
    for pool in pools {
        let (table, mut without) = pool.counts.table();
        // The manual's own tests run those that it shows at work.
        without.retain(|instruction| !shown.contains(instruction));
        println!("{}:\n{table}\n{}", pool.device, pool.slowest());
        let runs_all =
            DEVICES.iter().any(|(name, _)| *name == pool.device && !(lacks_engine && *name == OPENCL));
        if is_whole && runs_all && !without.is_empty() {
            println!("without a case: {}", without.join(", "));
            complete = false;
        }
    }
    for pool in avoiding {
        println!("{}", pool.slowest());
    }
    if complete { conclusion.exit_code() } else { ExitCode::FAILURE }
}
