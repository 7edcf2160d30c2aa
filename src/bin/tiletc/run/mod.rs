//! `tiletc run`: compiles a program, runs a kernel of it, and shows or keeps the results.

mod count;
mod layout;
mod level_zero;
mod machine;
mod npy;
mod opencl;
mod parameter;
mod progress;
mod report;
mod roofline;
mod room;
mod simulated;
mod summary;
mod tensor;
mod value;

use crate::common::{self, Common, Failure, Session};
use clap::{ArgAction, Args};
use machine::{Buffer, DeviceName, KernelArgument, Launch, Machine};
use parameter::{Argument, Array, Bound};
use report::Allocation;
use std::path::PathBuf;
use std::str::FromStr;
use tensor::Tensor;
use tiletc::driver;
use tiletc::ir::Func;
use tiletc::runtime::{Binary, BundleFormat};
use tiletc::status::Status;
use value::Given;
use virtual_xe::Checks;

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
    tiletc run fused_kernel.ir --groups 100 --arg K=random --arg 'P=random(1):56x9x100' \\
        --arg 'A=random(2):9x9x100' --arg Q=zeros:56x9x100 --save Q=q.npy
    tiletc run fused_kernel.ir --device opencl --groups 1 --arg K=k.npy --arg P=p.npy --arg A=a.npy --arg Q=q.npy";

/// Compile a program and run a kernel of it.
#[derive(Args)]
pub struct Run {
    #[command(flatten)]
    common: Common,
    /// Device to run on: virtual:NAME, opencl[:N] or level_zero[:N], as `tiletc info` lists them
    #[arg(long, value_name = "DEVICE", default_value = "virtual:pvc")]
    device: DeviceName,
    /// Kernel to run; may be left out if there is only one
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Work-groups in each direction; 1 where none is given
    #[arg(long, value_name = "X[,Y[,Z]]", default_value = "1")]
    groups: Groups,
    /// What a parameter gets; without NAME, the next one. Values are listed below
    #[arg(long = "arg", value_name = "[NAME=]VALUE", action = ArgAction::Append, allow_hyphen_values = true)]
    arguments: Vec<Given>,
    /// Keep what is in the memory of a parameter after the run as a file of NumPy's
    #[arg(long, value_name = "NAME=FILE.npy", action = ArgAction::Append)]
    save: Vec<Save>,
    /// What a virtual device looks for: races, bounds, init, or none [default: all three]
    #[arg(long, value_name = "LIST")]
    check: Option<Checks>,
    /// Instructions that a subgroup may execute on a virtual device before its loop counts as endless
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    budget: Option<u64>,
    /// Show what the kernel did on a virtual device, and how long that would take at least on a real one
    #[arg(long)]
    count: bool,
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

/// Arguments that make no sense for the kernel.
fn invalid(message: String) -> Failure {
    Failure::Failed(Status::InvalidKernelArguments, message)
}

/// Runs the tool.
pub fn run(run: &Run) -> Result<(), Failure> {
    let is_virtual = matches!(run.device, DeviceName::Virtual(_));
    if (run.check.is_some() || run.count) && !is_virtual {
        return Err(Failure::Usage(format!("only virtual devices check and count; {} does not", run.device)));
    }
    if run.budget.is_some() && !is_virtual {
        let message = format!("only virtual devices have a budget of instructions; {} has none", run.device);
        return Err(Failure::Usage(message));
    }
    let machine = Machine::open(&run.device)?;
    let mut session = Session::open(&run.common, run.common.adjust(machine.core_info()?))?;
    // Names make reports readable and change nothing else.
    session.options.keep_names = true;
    let function = kernel(&session, run.kernel.as_deref())?;
    let name = session.ir[function].name.clone();
    let bound = parameter::bind(parameter::parameters(&session.ir, function), &run.arguments)?;
    check_names(&bound, &run.save)?;
    let module = driver::compile(&mut session.ir, &session.program, &session.info, &session.options)
        .map_err(|error| session.failure(&error))?;
    let binary = Binary::new(BundleFormat::Spirv, module.assemble(), module.core_features());

    let placed = bound.iter().map(|bound| place(&machine, bound)).collect::<Result<Vec<_>, _>>()?;
    let arguments: Vec<KernelArgument<'_>> = placed.iter().flat_map(Placed::arguments).collect();
    let checks = run.check.unwrap_or_default();
    let budget = run.budget.unwrap_or(virtual_xe::Launch::BUDGET);
    let launch = Launch { kernel: &name, groups: run.groups.0, count: run.count, checks, budget };
    let what = format!("running {name} on {}", run.device);
    let outcome = progress::during(&what, || machine.run(&binary, &launch, &arguments))?;

    let allocations: Vec<Allocation> = placed.iter().flat_map(Placed::allocations).collect();
    let reports = outcome.reports.iter();
    let reports: String = reports.map(|found| report::diagnostic(found, &allocations, budget)).collect();
    if !reports.is_empty() {
        return Err(Failure::Failed(Status::RuntimeError, reports));
    }
    show(&machine, &placed, &run.save)?;
    if let (Some(counters), DeviceName::Virtual(device)) = (&outcome.counters, &run.device) {
        let groups = run.groups.0.iter().map(|&count| u64::from(count)).product();
        let text = count::describe(counters) + &roofline::estimate(device, counters, groups);
        common::write_output(text.as_bytes())?;
    }
    Ok(())
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
            Err(Failure::Usage(format!("say with --kernel which kernel to run; there are {}", names())))
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
        buffers: Vec<Buffer>,
        /// The addresses of the members of a group, then each of the sizes that members are told.
        tables: Vec<Buffer>,
    },
}

fn place<'a>(machine: &Machine, bound: &'a Bound) -> Result<Placed<'a>, Failure> {
    let array = match &bound.argument {
        Argument::Number(bytes) => return Ok(Placed::Number(bytes)),
        Argument::Memory(array) => array,
    };
    let upload = |image: &Vec<u8>| machine.upload(image, array.alignment);
    let buffers = array.images().iter().map(upload).collect::<Result<Vec<_>, _>>()?;
    let mut tables = Vec::new();
    if let Some(members) = array.members {
        let table = |numbers: &mut dyn Iterator<Item = u64>| {
            machine.upload(&numbers.flat_map(u64::to_ne_bytes).collect::<Vec<u8>>(), array.alignment)
        };
        tables.push(table(&mut buffers.iter().map(Buffer::address))?);
        for &size in &array.sizes {
            tables.push(table(&mut (0..members).map(|_| size))?);
        }
    }
    Ok(Placed::Memory { name: &bound.parameter.name, array, buffers, tables })
}

impl Placed<'_> {
    /// The kernel's arguments for the parameter, by the calling convention (`spec/api.md` 8).
    fn arguments(&self) -> Vec<KernelArgument<'_>> {
        let number = |number: &u64| KernelArgument::Value(number.to_ne_bytes().to_vec());
        match self {
            Placed::Number(bytes) => vec![KernelArgument::Value(bytes.to_vec())],
            Placed::Memory { array, buffers, tables, .. } if array.members.is_none() => {
                let pointers = buffers.iter().chain(tables).map(KernelArgument::Address);
                pointers.chain(array.sizes.iter().map(number)).collect()
            }
            Placed::Memory { array, tables, .. } => {
                tables.iter().map(KernelArgument::Address).chain(array.group.iter().map(number)).collect()
            }
        }
    }

    /// What each allocation is for.
    fn allocations(&self) -> Vec<Allocation> {
        let Placed::Memory { name, array, buffers, tables } = self else { return Vec::new() };
        let member = |place| {
            if array.members.is_some() { format!("member {place} of %{name}") } else { format!("%{name}") }
        };
        let buffers = buffers.iter().enumerate().map(|(place, buffer)| (buffer, member(place)));
        let tables = tables.iter().enumerate().map(|(place, buffer)| {
            let what = if place == 0 { "pointers" } else { "sizes" };
            (buffer, format!("the {what} of %{name}"))
        });
        let all = buffers.chain(tables);
        all.map(|(buffer, purpose)| Allocation { address: buffer.address(), purpose }).collect()
    }
}

/// Shows what became of the arguments, and keeps what is to be kept.
fn show(machine: &Machine, placed: &[Placed<'_>], saves: &[Save]) -> Result<(), Failure> {
    for placed in placed {
        let Placed::Memory { name, array, buffers, .. } = placed else { continue };
        let images = buffers.iter().map(|buffer| machine.download(buffer)).collect::<Result<Vec<_>, _>>()?;
        let after: Tensor = array.collect(&images);
        for Save { path, .. } in saves.iter().filter(|save| save.name == *name) {
            npy::write(path, &after)?;
        }
        common::write_output(summary::summary(name, &array.content, &after).as_bytes())?;
        if after.element == tiletc::ir::Scalar::Bf16 && saves.iter().any(|save| save.name == *name) {
            common::write_output(b"    saved as integers (uint16), since NumPy has no bf16\n")?;
        }
    }
    Ok(())
}
