//! `tiletc run`: compiles a program, runs a kernel of it, and shows or keeps the results.

mod count;
mod report;
mod roofline;
mod summary;

use crate::common::{Common, Failure, Output};
use crate::instrument::{self, Instrument};
use crate::launch::{self, Allocation, Argument, Arguments, Call, DeviceName, Opened, failed, invalid};
use crate::{files, progress, table};
use clap::{ArgAction, Args};
use report::Budgets;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Instant;
use summary::Summary;
use tiletc::driver::Compilation;
use tiletc::runtime::{self, Binary, BuildError, ProfileOf};
use virtual_xe::{Checks, Outcome};

/// Examples for the help.
pub const EXAMPLES: &str = "\
Values:
    3, -1.5, 0x10, 1.5-2i     a number, for a parameter that is one
    zeros, iota               memory full of zeros, or of 0, 1, 2, … in column-major order
    random, random(SEED)      integers from -8 to 7, or multiples of 1/128 from -1 up to below 1
    zeros:56x9x100            the sizes of all modes, where the type leaves some open; for a group the sizes of
                              a member and, last, the number of members
    zeros:9x9x100,offset=2    for a group whose offset the type leaves open
    FILE.npy                  an array of NumPy's, of exactly the type and order of the parameter

Examples:
    tiletc run axpy.ir --arg alpha=2 --arg x=iota --arg y=zeros
    tiletc run fused_kernel.ir --arg K=random --arg 'P=random(1):56x9x100' \\
        --arg 'A=random(2):9x9x100' --arg Q=zeros:56x9x100 --save Q=q.npy
    tiletc run fused_kernel.ir --device opencl --arg K=k.npy --arg P=p.npy --arg A=a.npy --arg Q=q.npy";

/// Compile a program and run a kernel of it.
#[derive(Args)]
pub struct Run {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    pub instrument: instrument::Options,
    /// Device to run on: virtual:NAME, opencl[:N] or level_zero[:N], as `tiletc info` lists them
    #[arg(short = 'd', long, value_name = "DEVICE", default_value = "virtual:pvc")]
    device: DeviceName,
    #[command(flatten)]
    launch: launch::CallOptions,
    /// Keep what is in the memory of a parameter after the run as a file of NumPy's
    #[arg(long, value_name = "NAME=FILE.npy", action = ArgAction::Append)]
    save: Vec<Save>,
    /// Checks of a virtual device: races, bounds, init, or none [default: all three]
    #[arg(long, value_name = "LIST")]
    check: Option<Checks>,
    /// Instructions that a subgroup may execute on a virtual device before its loop counts as endless
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    budget: Option<u64>,
    /// Instructions that all subgroups together may execute on a virtual device before the launch is given up
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    launch_budget: Option<u64>,
    /// Show what the kernel did on a virtual device, and how long that would take at least on a real one
    #[arg(long)]
    count: bool,
}

impl Run {
    /// Instructions that may be executed on a virtual device.
    fn budgets(&self) -> Budgets {
        Budgets {
            subgroup: self.budget.unwrap_or(virtual_xe::Launch::BUDGET),
            launch: self.launch_budget.unwrap_or(virtual_xe::Launch::LAUNCH_BUDGET),
        }
    }
}

/// A parameter and the file that its memory goes to.
#[derive(Clone, Debug)]
struct Save {
    name: String,
    path: PathBuf,
}

impl FromStr for Save {
    type Err = String;

    fn from_str(text: &str) -> Result<Save, String> {
        let split = text.split_once('=').filter(|(name, path)| !name.is_empty() && path.ends_with(".npy"));
        let (name, path) = split.ok_or("results are kept as NAME=FILE.npy")?;
        Ok(Save { name: name.strip_prefix('%').unwrap_or(name).to_owned(), path: PathBuf::from(path) })
    }
}

/// Compiles a program with what is to be shown of it, and has the driver build it: no native binary that was kept
/// takes the place of either.
fn build_and_show<D: runtime::Device>(
    device: &D,
    program: &mut Compilation<'_>,
    instrument: &mut Instrument<'_>,
) -> Result<D::Bundle, BuildError> {
    let binary = Binary::from(&program.compile_instrumented(&mut instrument.instrumentation())?);
    let start = Instant::now();
    let bundle = runtime::build(device, None, &mut &binary)?;
    instrument.took("build by the driver", start.elapsed());
    Ok(bundle)
}

/// Runs the tool.
pub fn run(run: &Run, output: &mut Output) -> Result<(), Failure> {
    let is_virtual = matches!(run.device, DeviceName::Virtual(_));
    if (run.check.is_some() || run.count) && !is_virtual {
        return Err(Failure::usage(format!("only virtual devices check and count; {} does not", run.device)));
    }
    if (run.budget.is_some() || run.launch_budget.is_some()) && !is_virtual {
        let message = format!("only virtual devices have a budget of instructions; {} has none", run.device);
        return Err(Failure::usage(message));
    }
    let nothing = |_: &_, _, _: &[Allocation]| Ok(None);
    match run.device.open()? {
        Opened::Virtual(name, mut session) => {
            session.set_checks(run.check.unwrap_or_default());
            session.set_count(run.count);
            let budgets = run.budgets();
            session.set_budget(budgets.subgroup);
            session.set_launch_budget(budgets.launch);
            run_on(run, output, &session, |outcome, groups, allocations| {
                judge(run, &name, outcome, groups, allocations)
            })
        }
        Opened::OpenCl(session) => run_on(run, output, &session, nothing),
        Opened::LevelZero(session) => run_on(run, output, &session, nothing),
    }
}

/// Counters of a device, to show behind the results: as text and as JSON.
type Counted = Option<(String, Value)>;

/// Reports of a virtual device on the run: an error if its checks have found something, and what it has counted.
fn judge(
    run: &Run,
    device: &str,
    outcome: &Outcome,
    groups: [u32; 3],
    allocations: &[Allocation],
) -> Result<Counted, Failure> {
    if !outcome.reports.is_empty() {
        return Err(report::failure(&outcome.reports, allocations, run.budgets()));
    }
    let groups = groups.iter().map(|&count| u64::from(count)).product();
    let describe = |counters| {
        let text = count::describe(counters) + &roofline::estimate(device, counters, groups);
        (text, count::json(counters))
    };
    Ok(outcome.counters.as_ref().map(describe))
}

/// Runs the kernel on a device. `judge` looks at what the device tells of the launch.
fn run_on<S: runtime::Session>(
    run: &Run,
    output: &mut Output,
    device: &S,
    judge: impl FnOnce(&ProfileOf<S>, [u32; 3], &[Allocation]) -> Result<Counted, Failure>,
) -> Result<(), Failure> {
    let info = device.core_info().map_err(failed)?;
    let mut call = Call::open(&run.common, info, &run.launch)?;
    check_names(&call, &run.save)?;
    for Save { path, .. } in &run.save {
        files::check(path, &run.common.file)?;
    }
    let arguments = Arguments::place(device, std::mem::take(&mut call.bound))?;
    let name = call.name();
    let what = format!("building {name} for {}", run.device);
    let mut instrument = match run.instrument.is_given() {
        true => Some(Instrument::new(&run.instrument)?),
        false => None,
    };
    let build = |device: &S, program: &mut Compilation<'_>, output: &mut Output| match &mut instrument {
        Some(instrument) => {
            let built = progress::during(&what, || build_and_show(device, program, instrument));
            instrument.finish(output);
            built
        }
        None => progress::during(&what, || launch::build_cached(device, program)),
    };
    let mut kernel = call.build(device, &arguments, build, output)?;
    let what = format!("running {name} on {}", run.device);
    let profile = progress::during(&what, || kernel.run(device, &arguments))?;
    let counted = judge(&profile, kernel.groups, &arguments.allocations())?;
    output.add(json!({ "device": run.device.to_string(), "kernel": name }));
    show(&arguments, &run.save, output)?;
    counted.map_or(Ok(()), |(text, members)| table::show(output, &text, members))
}

/// Makes sure before the run that what is to be kept is there.
fn check_names(call: &Call, saves: &[Save]) -> Result<(), Failure> {
    for Save { name, .. } in saves {
        match call.argument(name) {
            Some(Argument::Memory(_)) => {}
            Some(Argument::Number(_)) => {
                return Err(invalid(format!("%{name} is a number; there is nothing to save")));
            }
            None => return Err(invalid(format!("there is no parameter %{name} to save"))),
        }
    }
    Ok(())
}

/// Shows what became of the arguments, and keeps what is to be kept.
fn show(arguments: &Arguments, saves: &[Save], output: &mut Output) -> Result<(), Failure> {
    let (mut text, mut objects) = (String::new(), Vec::new());
    for content in arguments.contents() {
        let (name, after) = (content.name, content.after());
        for Save { path, .. } in saves.iter().filter(|save| save.name == name) {
            launch::write_npy(path, &after)?;
        }
        let summary = Summary::new(name, content.before(), &after);
        text += &summary.text();
        if let Some(integer) = launch::bits_of(after.element)
            && saves.iter().any(|save| save.name == name)
        {
            text += &format!("    saved as integers ({integer}), since NumPy has no {}\n", after.element);
        }
        objects.push(summary.json());
    }
    table::show(output, &text, json!({ "arguments": objects }))
}
