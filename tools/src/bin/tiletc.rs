//! `tiletc`: compiles a program to SPIR-V, or with Intel's offline compiler to a native binary, of which it
//! counts the instructions; runs kernels; lists devices.
#![deny(unsafe_code)]

#[path = "tiletc/bench/mod.rs"]
mod bench;
mod common;
#[path = "tiletc/embed.rs"]
mod embed;
#[path = "tiletc/explain.rs"]
mod explain;
#[path = "tiletc/files.rs"]
mod files;
#[path = "tiletc/generate.rs"]
mod generate;
#[path = "tiletc/info.rs"]
mod info;
#[path = "tiletc/instrument.rs"]
mod instrument;
#[path = "tiletc/isa.rs"]
mod isa;
#[path = "tiletc/launch/mod.rs"]
mod launch;
#[path = "tiletc/native.rs"]
mod native;
#[path = "tiletc/peaks.rs"]
mod peaks;
#[path = "tiletc/progress.rs"]
mod progress;
#[path = "tiletc/run/mod.rs"]
mod run;
#[path = "tiletc/selftest/mod.rs"]
mod selftest;
#[path = "tiletc/stats.rs"]
mod stats;
#[path = "tiletc/table.rs"]
mod table;
#[path = "tiletc/tune/mod.rs"]
mod tune;

use clap::{Args, CommandFactory as _, Parser, Subcommand};
use common::{Common, Failure, Output, Session, Target, VERSION, devices};
use instrument::Instrument;
use run::Run;
use serde_json::{Value, json};
use std::io::IsTerminal as _;
use std::mem::ManuallyDrop;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use tiletc::driver::{self, Instrumentation};
use tiletc::runtime::{Binary, level_zero, opencl};

/// Compile a tensor program to SPIR-V, run its kernels, list devices.
///
/// `tiletc FILE` does the same as `tiletc compile FILE`.
#[derive(Parser)]
#[command(name = "tiletc", version = VERSION, after_help = devices())]
#[command(args_conflicts_with_subcommands = true)]
struct Tiletc {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    compile: Compile,
}

#[derive(Subcommand)]
enum Command {
    /// Compile a program to SPIR-V
    #[command(after_help = devices())]
    Compile(Compile),
    /// Compile a program and run a kernel of it, on a virtual GPU unless told otherwise
    #[command(after_help = run::EXAMPLES)]
    Run(Run),
    /// Time kernels on a device, with the caches cold and hot
    #[command(after_help = bench::EXAMPLES)]
    Bench(bench::Bench),
    /// Write a C++ header that holds programs, with a function for each kernel
    #[command(after_help = devices())]
    Embed(embed::Embed),
    /// Compile a program, or a SPIR-V module (FILE.spv), to a GPU's instructions with Intel's offline compiler, and say
    /// what these are
    #[command(after_help = format!("{}\n\n{}", devices(), tiletc_isa::COLUMNS))]
    Isa(isa::Isa),
    /// List the devices that kernels can be run on, or the kernels of a program
    Info(info::Info),
    /// Test whether a device and its driver do what compiled programs rely on
    #[command(after_help = selftest::NOTES)]
    Selftest(selftest::SelfTest),
    /// Look for the attributes and definitions that a kernel runs best with, and keep them in a table that the compiler consults
    #[command(after_help = tune::EXAMPLES)]
    Tune(tune::Tune),
    /// Write completions of shells and manual pages into a folder, as below `share` of a prefix
    #[command(hide = true)]
    Generate {
        #[arg(value_name = "FOLDER")]
        folder: PathBuf,
    },
}

/// Compile a tensor program to SPIR-V.
#[derive(Parser)]
#[command(name = "tinytc", version = VERSION, after_help = devices())]
struct Tinytc {
    #[command(flatten)]
    compile: Compile,
}

/// List the devices of OpenCL.
#[derive(Parser)]
#[command(name = "tinytc-cl-info", version = VERSION)]
struct OpenClInfo;

/// List the devices of Level Zero.
#[derive(Parser)]
#[command(name = "tinytc-ze-info", version = VERSION)]
struct LevelZeroInfo;

#[derive(Args)]
struct Compile {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    target: Target,
    /// Write assembly text instead of the binary module
    #[arg(short = 'S')]
    assembly: bool,
    /// Keep the names of functions and values (OpName)
    #[arg(long)]
    keep_names: bool,
    /// Compile for DEVICE, and have ocloc make its native binary of the module
    #[arg(long, value_name = "DEVICE", conflicts_with_all = ["device", "assembly"])]
    native: Option<String>,
    /// Write the options that the driver is to build the module with, instead of the module
    #[arg(long, conflicts_with_all = ["assembly", "native"])]
    build_options: bool,
    /// Write how each function and product runs on the device and why, instead of the module
    #[arg(long, conflicts_with_all = ["assembly", "native", "build_options"])]
    explain: bool,
    /// Write numbers about kernels and module, instead of the module
    #[arg(long, conflicts_with_all = ["assembly", "native", "build_options", "explain"])]
    stats: bool,
    /// File to write; standard output if absent
    #[arg(short = 'o', value_name = "OUT")]
    output: Option<PathBuf>,
    #[command(flatten)]
    instrument: instrument::Options,
}

fn main() -> ExitCode {
    let ran = match common::called_name().as_str() {
        "tinytc" => common::parse_arguments().map(|Tinytc { compile: arguments }| finish_compile(&arguments)),
        "tinytc-cl-info" => common::parse_arguments()
            .map(|OpenClInfo| common::finish(false, |_| info::of("opencl", opencl::devices()))),
        "tinytc-ze-info" => common::parse_arguments()
            .map(|LevelZeroInfo| common::finish(false, |_| info::of("level_zero", level_zero::devices()))),
        _ => common::parse_arguments::<Tiletc>().map(|tiletc| match tiletc.command {
            Some(Command::Run(arguments)) => {
                common::finish(arguments.instrument.json, |output| run::run(&arguments, output))
            }
            Some(Command::Bench(arguments)) => {
                common::finish(arguments.is_document(), |output| bench::bench(&arguments, output))
            }
            Some(Command::Embed(arguments)) => {
                common::finish(false, |output| embed::embed(&arguments, output))
            }
            Some(Command::Info(arguments)) => {
                common::finish(arguments.json, |output| info::info(&arguments, output))
            }
            Some(Command::Isa(arguments)) => {
                common::finish(arguments.json, |output| isa::isa(&arguments, output))
            }
            Some(Command::Selftest(arguments)) => {
                common::finish(arguments.json, |output| selftest::run(&arguments, output))
            }
            Some(Command::Tune(arguments)) => tune::run(&arguments),
            Some(Command::Generate { folder }) => {
                common::finish(false, |_| generate::into(&folder, Tiletc::command()))
            }
            Some(Command::Compile(arguments)) => finish_compile(&arguments),
            None => finish_compile(&tiletc.compile),
        }),
    };
    ran.unwrap_or_else(|code| code)
}

fn finish_compile(arguments: &Compile) -> ExitCode {
    common::finish(arguments.instrument.json, |output| compile(arguments, output))
}

/// Result of compiling.
enum Artifact {
    Binary(Vec<u8>),
    /// Text, and its name in the document of `--json`.
    Text(&'static str, String),
    Table(Value),
}

impl Artifact {
    fn into_bytes(self) -> Vec<u8> {
        match self {
            Artifact::Binary(bytes) => bytes,
            Artifact::Text(_, text) => text.into_bytes(),
            Artifact::Table(table) => format!("{table:#}\n").into_bytes(),
        }
    }
}

fn compile(arguments: &Compile, output: &mut Output) -> Result<(), Failure> {
    let is_text = arguments.assembly || arguments.build_options || arguments.explain || arguments.stats;
    if arguments.output.is_none() && !is_text {
        if output.is_json() {
            let message = "a binary is no JSON, which --json makes standard output; use -o OUT for a file";
            return Err(Failure::usage(message));
        }
        if std::io::stdout().is_terminal() {
            let message = "a binary would garble the terminal; \
                           use -S for assembly text, -o OUT for a file, or redirect the output";
            return Err(Failure::usage(message));
        }
    }
    if let Some(path) = &arguments.output {
        files::check(path, &arguments.common.file)?;
    }
    let device = arguments.native.as_deref().unwrap_or(&arguments.target.device);
    let mut instrument = Instrument::new(&arguments.instrument)?;
    let start = Instant::now();
    // Nobody frees program and module value by value, a sixth of the time for a large one: the process ends with them.
    let mut session = ManuallyDrop::new(Session::open(&arguments.common, arguments.common.info(device)?)?);
    instrument.took("read and parse", start.elapsed());
    session.options.keep_names = arguments.keep_names;
    session.options.remarks = arguments.explain;
    let Session { ir, program, info, options, .. } = &mut *session;
    let mut instrumentation = instrument.instrumentation();
    let module = driver::compile_instrumented(ir, program, info, options, &mut instrumentation);
    let Instrumentation { warnings, decisions, explanations, .. } = instrumentation;
    session.warn(output, &warnings);
    let module = ManuallyDrop::new(module.map_err(|error| session.failure(&error))?);
    let artifact = if arguments.explain {
        let about = (device, &session.info);
        match output.is_json() {
            true => Artifact::Table(explain::json(about, &explanations, &decisions, &module)),
            false => Artifact::Text("explanation", explain::text(about, &explanations, &decisions, &module)),
        }
    } else if arguments.stats {
        let kernels = driver::statistics(&session.ir, &session.program);
        match output.is_json() {
            true => Artifact::Table(stats::json(device, &kernels, &module)),
            false => Artifact::Text("statistics", stats::text(device, &kernels, &module)),
        }
    } else if arguments.build_options {
        let options = module.core_features().build_options().unwrap_or_default();
        Artifact::Text("build_options", format!("{}\n", options.to_string_lossy()))
    } else if arguments.assembly {
        Artifact::Text("assembly", module.disassemble())
    } else if arguments.native.is_some() {
        let start = Instant::now();
        let native = native::compile(&Binary::from(&*module), device)?;
        instrument.took("ocloc", start.elapsed());
        Artifact::Binary(native)
    } else {
        Artifact::Binary(module.assemble())
    };
    output.add(json!({ "device": device }));
    instrument.finish(output);
    match (&arguments.output, artifact) {
        (Some(path), artifact) => files::write(path, artifact.into_bytes()),
        (None, Artifact::Table(table)) => {
            output.add(table);
            Ok(())
        }
        (None, Artifact::Text(name, text)) => table::show(output, &text, json!({ name: text.trim_end() })),
        (None, Artifact::Binary(bytes)) => common::write_output(&bytes),
    }
}
