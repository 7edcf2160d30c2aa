//! `tiletc isa`: what Intel's offline compiler makes of the kernels of a program, in numbers.

use super::common::{Common, Failure, Output, Session, Target, write_output};
use super::explain::roofline_json;
use super::native::failure;
use super::progress::during;
use super::table::{show, table};
use clap::Args;
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use tiletc::device::CoreFeatures;
use tiletc::driver::Instrumentation;
use tiletc::status::Status;
use tiletc_isa::{Error, Ocloc, Statistics, Subject, fetch, measure};

/// Program or module to compile, and the device.
#[derive(Debug, Args)]
pub struct Isa {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    target: Target,
    /// Show only this kernel
    #[arg(short = 'k', long, value_name = "NAME")]
    kernel: Option<String>,
    /// Compile for the larger register file, as -F large-register-file does
    #[arg(long)]
    large_register_file: bool,
    /// Keep all that the offline compiler dumps, the assembly included, in this folder
    #[arg(long, value_name = "FOLDER")]
    asm: Option<PathBuf>,
    /// Fetch Intel's offline compiler into the user's folder of caches, unless it is there, and do nothing else
    #[arg(long, conflicts_with_all = ["file", "kernel", "asm", "arguments"])]
    fetch: bool,
    /// Make standard output one JSON document
    #[arg(long)]
    pub json: bool,
    /// Further arguments of ocloc
    #[arg(last = true, value_name = "OCLOC ARGUMENTS")]
    arguments: Vec<String>,
}

/// Compiles and shows a row for each kernel, or fetches the compiler.
pub fn isa(arguments: &Isa, output: &mut Output) -> Result<(), Failure> {
    if arguments.fetch {
        return bring(output);
    }
    let device = &arguments.target.device;
    let subject = subject(arguments, output)?;
    let options = tiletc_isa::Options { dumps: arguments.asm.as_deref(), arguments: &arguments.arguments };
    let ocloc = Ocloc::find().map_err(failure)?;
    let what = format!("compiling for {device}…");
    let all = during(&what, || measure(&ocloc, &subject, device, &options)).map_err(failure)?;
    let kernels = chosen(&all, arguments.kernel.as_deref())?;
    output.add(json!({ "device": device }));
    show(
        output,
        &text(device, &kernels),
        json!({ "kernels": kernels.into_iter().map(json).collect::<Value>() }),
    )
}

/// The module of the file, or of the program in it.
fn subject(arguments: &Isa, output: &mut Output) -> Result<Subject, Failure> {
    let Isa { common, target: Target { device }, .. } = arguments;
    let larger = arguments.large_register_file.then_some(CoreFeatures::LARGE_REGISTER_FILE);
    if let Some(file) = common.file.as_deref().filter(|file| is_module(file)) {
        if !common.definitions.is_empty() {
            return Err(Failure::usage(format!("`{}` is a module, which -D cannot change", file.display())));
        }
        let features = larger.or(common.features()).unwrap_or_default();
        let (name, module) = common.read()?;
        if let Some(reason) = damage(&module) {
            let message = format!("cannot read `{name}`: {reason}");
            return Err(Failure::Failed(Status::FileIoError, message));
        }
        return Ok(Subject { module, features, ..Subject::default() });
    }
    let mut info = common.info(device)?;
    if let Some(features) = larger {
        info.set_core_features(features);
    }
    let mut session = Session::open(common, info)?;
    let Session { ir, program, info, options, .. } = &mut session;
    let mut instrumentation = Instrumentation::none();
    let subject = Subject::of_program(ir, program, info, options, &mut instrumentation);
    let Instrumentation { warnings, .. } = instrumentation;
    session.warn(output, &warnings);
    subject.map_err(|error| session.failure(&error))
}

fn is_module(file: &Path) -> bool {
    file.extension() == Some(OsStr::new("spv"))
}

/// Reason why bytes are no SPIR-V module, which has a header of five words and instructions that begin with their length,
/// the end of a function last.
fn damage(bytes: &[u8]) -> Option<&'static str> {
    const MAGIC: u32 = 0x0723_0203;
    const FUNCTION_END: u32 = 56;
    const CUT_OFF: &str = "the SPIR-V module in it is cut off or damaged";
    let (words, rest) = bytes.as_chunks();
    let read = match words.first() {
        Some(first) if u32::from_le_bytes(*first) == MAGIC => u32::from_le_bytes,
        Some(first) if u32::from_be_bytes(*first) == MAGIC => u32::from_be_bytes,
        _ => return Some("it is no SPIR-V module, which begins with the number 0x07230203"),
    };
    let Some(mut words) = words.get(5..).filter(|_| rest.is_empty()) else { return Some(CUT_OFF) };
    let mut last = 0;
    while let Some(first) = words.first() {
        last = read(*first) & 0xffff;
        let length = usize::try_from(read(*first) >> 16).ok().filter(|length| *length > 0);
        let Some(behind) = length.and_then(|length| words.get(length..)) else { return Some(CUT_OFF) };
        words = behind;
    }
    (last != FUNCTION_END).then_some(CUT_OFF)
}

/// All kernels, or the one of a name.
fn chosen<'a>(all: &'a [Statistics], name: Option<&str>) -> Result<Vec<&'a Statistics>, Failure> {
    if all.is_empty() {
        let message = "ocloc told of no kernel: the program has none, or this ocloc does not dump assembly";
        return Err(Failure::Failed(Status::RuntimeError, message.to_owned()));
    }
    let is_wanted = |kernel: &&Statistics| name.is_none_or(|name| kernel.kernel == name);
    let kernels: Vec<&Statistics> = all.iter().filter(is_wanted).collect();
    match name {
        Some(name) if kernels.is_empty() => {
            let names: Vec<&str> = all.iter().map(|kernel| kernel.kernel.as_str()).collect();
            Err(Failure::usage(format!("there is no kernel {name}; there are {}", names.join(", "))))
        }
        _ => Ok(kernels),
    }
}

/// The table for people.
fn text(device: &str, kernels: &[&Statistics]) -> String {
    let columns: Vec<Vec<(&str, String)>> = kernels.iter().map(|kernel| kernel.columns()).collect();
    let names = columns.first().into_iter().flatten().map(|(name, _)| *name);
    let title = format!("kernel on {device}");
    let header: Vec<&str> = [title.as_str()].into_iter().chain(names).collect();
    let rows = kernels.iter().zip(columns).map(|(kernel, columns)| {
        [kernel.kernel.clone()].into_iter().chain(columns.into_iter().map(|(_, value)| value)).collect()
    });
    table(&header, rows, &(1..header.len()).collect::<Vec<_>>())
}

/// The same for programs.
fn json(kernel: &Statistics) -> Value {
    json!({
        "name": kernel.kernel,
        "grf_size": kernel.resources.registers,
        "subgroup_size": kernel.resources.lanes,
        "spill_bytes": kernel.resources.spill,
        "instructions": kernel.instructions,
        "dpas": kernel.dpas,
        "multiply_adds": kernel.multiply_adds,
        "moves": kernel.moves,
        "block_loads": kernel.block_loads,
        "block_stores": kernel.block_stores,
        "global_messages": kernel.global_messages,
        "local_messages": kernel.local_messages,
        "hottest_loop": kernel.hottest.map(|(work, instructions)| json!({ "work": work, "instructions": instructions })),
        "floor": kernel.floor(),
        "bytes_per_cycle": kernel.bytes_per_cycle(),
        "chain_cycles": kernel.chain,
        "issue_cycles": kernel.issue,
        "roofline": kernel.roofline.as_ref().map(roofline_json),
    })
}

/// Fetches the compiler, and says where it is and of which packages.
fn bring(output: &mut Output) -> Result<(), Failure> {
    let failed = |error: Error| {
        let message = format!("cannot fetch Intel's offline compiler: {error}");
        Failure::Failed(Status::RuntimeError, message)
    };
    let folder = fetch::cache_folder().ok_or_else(|| {
        Failure::usage("there is no folder of caches: neither XDG_CACHE_HOME nor HOME names one")
    })?;
    let ocloc = fetch::compiler(&folder).map_err(failed)?;
    let versions = fetch::versions(&ocloc);
    let folder = match &ocloc {
        Ocloc::Fetched(place) => place,
        Ocloc::Named(_) | Ocloc::Igc(_) | Ocloc::OnPath(_) => &folder,
    };
    let mut lines = vec![format!("Intel's offline compiler is in {}:", folder.display())];
    lines.extend(versions.iter().map(|version| format!("    {version}")));
    if output.is_json() {
        output.add(json!({ "folder": folder.to_string_lossy(), "packages": versions }));
        return Ok(());
    }
    write_output((lines.join("\n") + "\n").as_bytes())
}
