//! `tiletc run`: compiles a program, runs a kernel of it, and shows or keeps the results.

// Running a kernel is unsafe by nature, see `run_on`.
#![allow(unsafe_code)]

mod budget;
mod count;
mod device;
mod layout;
mod npy;
mod parameter;
mod report;
mod roofline;
mod summary;
mod tensor;
mod value;

use crate::common::{Common, Failure, Output, Session};
use crate::instrument::{self, Instrument};
use crate::progress;
use crate::table;
use clap::{ArgAction, Args};
use device::DeviceName;
use parameter::{Argument, Array, Bound, invalid};
use report::{Allocation, Budgets, Elements};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Instant;
use summary::Summary;
use tensor::Tensor;
use tiletc::driver::{self, Compilation};
use tiletc::ir::Func;
use tiletc::runtime::arguments::{self, GivenArgument};
use tiletc::runtime::cache::Cache;
use tiletc::runtime::opencl::{self, DeviceKind};
use tiletc::runtime::{self, Binary, BuildError, Bundle as _, Error, Memory, ProfileOf, level_zero};
use tiletc::status::Status;
use value::Given;
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
    /// Kernel to run; may be left out if there is only one
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Work-groups in each direction, 1 where none is given; without this option as many as the program tells
    #[arg(long, value_name = "X[,Y[,Z]]")]
    groups: Option<Groups>,
    /// Value of a parameter; without NAME, of the next one. Values are listed below
    #[arg(long = "arg", value_name = "[NAME=]VALUE", action = ArgAction::Append, allow_hyphen_values = true)]
    arguments: Vec<Given>,
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

/// Work-groups in each direction.
#[derive(Clone, Copy, Debug)]
struct Groups([u32; 3]);

impl FromStr for Groups {
    type Err = String;

    fn from_str(text: &str) -> Result<Groups, String> {
        let numbers: Option<Vec<u32>> = text.split(',').map(|number| number.parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[x]) => Ok(Groups([x, 1, 1])),
            Some(&[x, y]) => Ok(Groups([x, y, 1])),
            Some(&[x, y, z]) => Ok(Groups([x, y, z])),
            _ => Err("work-groups are one to three numbers with commas between them".to_owned()),
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
    match &run.device {
        DeviceName::Virtual(name) => {
            let session = virtual_xe_runtime::Session::open(name);
            let mut session = session.map_err(|error| Failure::usage(error.to_string()))?;
            session.set_checks(run.check.unwrap_or_default());
            session.set_count(run.count);
            let budgets = run.budgets();
            session.set_budget(budgets.subgroup);
            session.set_launch_budget(budgets.launch);
            run_on(run, output, &session, |outcome, groups, allocations| {
                judge(run, name, outcome, groups, allocations)
            })
        }
        DeviceName::OpenCl(None) => {
            run_on(run, output, &opencl::Session::open(DeviceKind::Any).map_err(failed)?, nothing)
        }
        DeviceName::OpenCl(Some(number)) => {
            run_on(run, output, &listed::<opencl::Session>(*number)?, nothing)
        }
        DeviceName::LevelZero(None) => {
            run_on(run, output, &level_zero::Session::open().map_err(failed)?, nothing)
        }
        DeviceName::LevelZero(Some(number)) => {
            run_on(run, output, &listed::<level_zero::Session>(*number)?, nothing)
        }
    }
}

/// The device of a number in the list of `tiletc info`.
fn listed<S: runtime::Session>(number: usize) -> Result<S, Failure> {
    S::open_listed(number).map_err(|error| match error.status() {
        status @ Status::InvalidArguments => Failure::Usage(status, error.to_string()),
        _ => failed(error),
    })
}

fn failed(error: Error) -> Failure {
    Failure::Failed(error.status(), error.to_string())
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
    let mut session = Session::open(&run.common, run.common.adjust(info))?;
    // Names make reports readable and change nothing else.
    session.options.keep_names = true;
    let function = kernel(&session, run.kernel.as_deref())?;
    let name = session.ir[function].name.clone();
    let bound = parameter::bind(parameter::parameters(&session.ir, function), &run.arguments)?;
    check_names(&bound, &run.save)?;
    let placed = bound.iter().map(|bound| place(device, bound)).collect::<Result<Vec<_>, _>>()?;
    let arguments: Option<Vec<_>> = placed.iter().flat_map(Placed::arguments).collect();
    let arguments = arguments.ok_or_else(|| {
        let message = "an argument of a size that no type has".to_owned();
        Failure::Failed(Status::InternalCompilerError, message)
    })?;
    let given: Vec<_> = arguments.iter().map(GivenArgument::from).collect();
    let signature = session.ir.signature(function);
    arguments::check(&signature, &given).map_err(failed)?;
    let asked = run.groups.map(|Groups(groups)| groups.map(u64::from));
    let groups = arguments::grid(Some(&signature), &given, asked).map_err(failed)?;
    let [x, y, z] = groups.map(|number| u32::try_from(number).map_err(|_| too_many(groups)));
    let groups = [x?, y?, z?];
    let Session { ir, program, info, options, .. } = &mut session;
    // There is one launch, so that its variant is all that is compiled.
    driver::specialize(ir, function, &arguments::layouts(&signature, &given, info));
    let mut program = Compilation::new(ir, program, info, options);
    let what = format!("building {name} for {}", run.device);
    let built = if run.instrument.is_given() {
        let mut instrument = Instrument::new(&run.instrument)?;
        let built = progress::during(&what, || build_and_show(device, &mut program, &mut instrument));
        instrument.finish(output);
        built
    } else {
        let cache = Cache::from_environment();
        progress::during(&what, || runtime::build(device, cache.as_ref(), &mut program))
    };
    let warnings = program.warnings;
    session.warn(output, &warnings);
    let bundle = built.map_err(|error| match error {
        BuildError::Compile(error) => session.failure(&error),
        BuildError::Runtime(error) => failed(error),
    })?;
    let mut kernel = Arc::new(bundle).kernel(&name).map_err(failed)?;

    let what = format!("running {name} on {}", run.device);
    // SAFETY: the kernel was built for the device. The arguments are those that its parameters call for, in memory that
    // lives until the end of the run and that nobody looks at meanwhile. Whether the kernel stays within it, nobody can
    // know before; to run the user's kernel, as it is, is what this tool is called for.
    let ran = progress::during(&what, || unsafe { device.run(&mut kernel, groups, &arguments) });
    let allocations: Vec<Allocation> = placed.iter().flat_map(Placed::allocations).collect();
    let counted = judge(&ran.map_err(failed)?, groups, &allocations)?;
    output.add(json!({ "device": run.device.to_string(), "kernel": name }));
    show(&placed, &run.save, output)?;
    counted.map_or(Ok(()), |(text, members)| table::show(output, &text, members))
}

fn too_many(groups: [u64; 3]) -> Failure {
    let [x, y, z] = groups;
    Failure::Failed(Status::OutOfRange, format!("{x} × {y} × {z} work-groups are more than a launch has"))
}

/// The kernel of the name, or the only one.
fn kernel(session: &Session, name: Option<&str>) -> Result<Func, Failure> {
    let functions = &session.program.functions;
    let names = || {
        functions.iter().map(|&function| session.ir[function].name.as_str()).collect::<Vec<_>>().join(", ")
    };
    match (name, functions.as_slice()) {
        (_, []) => Err(invalid("the program has no kernels".to_owned())),
        (None, [only]) => Ok(*only),
        (None, _) => {
            Err(Failure::usage(format!("say with --kernel which kernel to run; there are {}", names())))
        }
        (Some(name), _) => {
            let found = functions.iter().find(|&&function| session.ir[function].name == name);
            found.copied().ok_or_else(|| invalid(format!("there is no kernel {name}; there are {}", names())))
        }
    }
}

/// Makes sure before the run that what is to be kept is there.
fn check_names(bound: &[Bound], saves: &[Save]) -> Result<(), Failure> {
    for Save { name, .. } in saves {
        match bound.iter().find(|bound| bound.parameter.name == *name).map(|bound| &bound.argument) {
            Some(Argument::Memory(_)) => {}
            Some(Argument::Number(_)) => {
                return Err(invalid(format!("%{name} is a number; there is nothing to save")));
            }
            None => return Err(invalid(format!("there is no parameter %{name} to save"))),
        }
    }
    Ok(())
}

/// A parameter whose memory is on the device.
enum Placed<'a> {
    Number(&'a [u8]),
    Memory {
        name: &'a str,
        array: &'a Array,
        /// One for a memref, one for each member of a group.
        buffers: Vec<Memory<u8>>,
        /// The addresses of the members of a group, then each of the sizes that members are told.
        tables: Vec<Memory<u8>>,
    },
}

fn place<'a>(device: &impl runtime::Session, bound: &'a Bound) -> Result<Placed<'a>, Failure> {
    let array = match &bound.argument {
        Argument::Number(bytes) => return Ok(Placed::Number(bytes)),
        Argument::Memory(array) => array,
    };
    let alignment = usize::try_from(array.alignment).unwrap_or(usize::MAX);
    let upload = |image: &Vec<u8>| device.aligned_memory(image, alignment).map_err(failed);
    let buffers = array.images().iter().map(upload).collect::<Result<Vec<_>, _>>()?;
    let mut tables = Vec::new();
    if let Some(members) = array.members {
        let table =
            |numbers: &mut dyn Iterator<Item = u64>| upload(&numbers.flat_map(u64::to_ne_bytes).collect());
        tables.push(table(&mut buffers.iter().map(Memory::address))?);
        for &size in &array.sizes {
            tables.push(table(&mut (0..members).map(|_| size))?);
        }
    }
    Ok(Placed::Memory { name: &bound.parameter.name, array, buffers, tables })
}

impl Placed<'_> {
    /// The kernel's arguments for the parameter, by the calling convention (API reference 8); `None` for a number of
    /// a size that no type has.
    fn arguments(&self) -> Vec<Option<runtime::Argument<'_>>> {
        let number = |&number: &u64| Some(number.into());
        let address = |memory| Some(runtime::Argument::from(memory));
        match self {
            Placed::Number(bytes) => vec![runtime::Argument::from_bytes(bytes)],
            Placed::Memory { array, buffers, tables, .. } if array.members.is_none() => {
                let pointers = buffers.iter().chain(tables).map(address);
                pointers.chain(array.sizes.iter().map(number)).collect()
            }
            Placed::Memory { array, tables, .. } => {
                tables.iter().map(address).chain(array.group.iter().map(number)).collect()
            }
        }
    }

    /// Purpose of each allocation.
    fn allocations(&self) -> Vec<Allocation> {
        let Placed::Memory { name, array, buffers, tables } = self else { return Vec::new() };
        let member = |place| {
            if array.members.is_some() { format!("member {place} of %{name}") } else { format!("%{name}") }
        };
        let numbers = Elements { layout: array.layout.clone(), scalar: array.content.element };
        let buffers = buffers.iter().enumerate().map(|(place, buffer)| Allocation {
            address: buffer.address(),
            purpose: member(place),
            elements: Some(numbers.clone()),
        });
        let tables = tables.iter().enumerate().map(|(place, buffer)| {
            let what = if place == 0 { "pointers" } else { "sizes" };
            Allocation {
                address: buffer.address(),
                purpose: format!("the {what} of %{name}"),
                elements: None,
            }
        });
        buffers.chain(tables).collect()
    }
}

/// Shows what became of the arguments, and keeps what is to be kept.
fn show(placed: &[Placed<'_>], saves: &[Save], output: &mut Output) -> Result<(), Failure> {
    let (mut text, mut objects) = (String::new(), Vec::new());
    for placed in placed {
        let Placed::Memory { name, array, buffers, .. } = placed else { continue };
        let images: Vec<Vec<u8>> = buffers.iter().map(|buffer| buffer.to_vec()).collect();
        let after: Tensor = array.collect(&images);
        for Save { path, .. } in saves.iter().filter(|save| save.name == *name) {
            npy::write(path, &after)?;
        }
        let summary = Summary::new(name, &array.content, &after);
        text += &summary.text();
        if let Some(integer) = npy::bits_of(after.element)
            && saves.iter().any(|save| save.name == *name)
        {
            text += &format!("    saved as integers ({integer}), since NumPy has no {}\n", after.element);
        }
        objects.push(summary.json());
    }
    table::show(output, &text, json!({ "arguments": objects }))
}
