//! `cargo xtask isa`: compiles a kernel to a GPU's instructions with Intel's offline compiler, and says what these are.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail, ensure};
use tiletc::device::{CoreFeatures, CoreInfo};
use tiletc::diagnostics::Sources;
use tiletc::driver::{self, Instrumentation};
use tiletc::ir::Ir;
use tiletc_isa::{COLUMNS, Error, Ocloc, Statistics, Subject};

use crate::igc;
use crate::paths::Paths;

/// Program to compile, and the device.
#[derive(clap::Args, Default)]
#[command(after_help = COLUMNS)]
pub struct Options {
    /// Program to compile with tiletc (.ir), or a SPIR-V module (.spv)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Device: pvc, bmg, lnl, ptl, dg2, or another that both compilers know
    #[arg(short = 'd', long, value_name = "DEVICE")]
    device: String,
    /// Print only this kernel
    #[arg(short = 'k', long, value_name = "NAME")]
    kernel: Option<String>,
    /// Compile for the larger register file, with fewer hardware threads
    #[arg(long)]
    large_register_file: bool,
    /// Keep all that IGC dumps, the assembly included, in this folder
    #[arg(long, value_name = "FOLDER")]
    asm: Option<PathBuf>,
    /// Further arguments of ocloc
    #[arg(last = true, value_name = "OCLOC ARGUMENTS")]
    arguments: Vec<String>,
}

impl Options {
    /// All kernels of a program, for a device.
    pub fn new(file: PathBuf, device: &str) -> Options {
        Options { file, device: device.to_owned(), ..Options::default() }
    }
}

/// Compiles and prints a line for each kernel.
pub fn run(paths: &Paths, options: &Options) -> Result<()> {
    let all = measure(&provisioned(paths)?, options)?;
    let wanted = |kernel: &&Statistics| options.kernel.as_ref().is_none_or(|name| *name == kernel.kernel);
    let chosen: Vec<&Statistics> = all.iter().filter(wanted).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = all.iter().map(|kernel| kernel.kernel.as_str()).collect();
        bail!("no such kernel; there are: {}", names.join(", "));
    }
    for kernel in chosen {
        println!("{kernel}");
    }
    Ok(())
}

/// The offline compiler.
pub fn provisioned(paths: &Paths) -> Result<Ocloc> {
    match igc::provision(paths)? {
        igc::Outcome::There(ocloc) => Ok(ocloc),
        igc::Outcome::Unavailable(reason) => bail!("Intel's offline compiler is not available: {reason}"),
    }
}

/// Compiles a program and reads what became of its kernels.
pub fn measure(ocloc: &Ocloc, options: &Options) -> Result<Vec<Statistics>> {
    let Options { device, arguments, .. } = options;
    let how = tiletc_isa::Options { dumps: options.asm.as_deref(), arguments };
    tiletc_isa::measure(ocloc, &subject(options)?, device, &how).map_err(|error| match error {
        Error::Refused { device, status, told } => {
            eprintln!("{told}");
            anyhow!("ocloc does not compile this for `{device}` ({status})")
        }
        error => error.into(),
    })
}

/// The SPIR-V module to compile: the file, or what tiletc makes of it.
fn subject(options: &Options) -> Result<Subject> {
    let (file, device) = (&options.file, &options.device);
    let features = match options.large_register_file {
        true => CoreFeatures::LARGE_REGISTER_FILE,
        false => CoreFeatures::default(),
    };
    let is_module = file.extension().is_some_and(|extension| extension == "spv");
    ensure!(!is_module || file.exists(), "there is no {}", file.display());
    let text = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    if is_module {
        return Ok(Subject { module: text, features, ..Subject::default() });
    }
    let mut info =
        CoreInfo::from_name(device).with_context(|| format!("tiletc knows no device `{device}`"))?;
    info.set_core_features(features);
    let (mut ir, mut sources) = (Ir::default(), Sources::new());
    let source = sources.add(file.to_string_lossy(), text.as_slice());
    let subject = driver::parse(&mut ir, source, &text).and_then(|program| {
        let how = driver::Options::default();
        Subject::of_program(&mut ir, &program, &info, &how, &mut Instrumentation::none())
    });
    subject.map_err(|error| {
        let reports: String = error.diagnostics().iter().map(|message| sources.report(message)).collect();
        if reports.is_empty() { anyhow!("{error}") } else { anyhow!("{}", reports.trim_end()) }
    })
}
