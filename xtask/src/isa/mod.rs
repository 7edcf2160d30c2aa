//! `cargo xtask isa`: compiles a kernel to a GPU's instructions with Intel's offline compiler, and says what these are.

mod assembly;
mod costs;
mod statistics;
mod zeinfo;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail, ensure};
use tiletc::device::{CoreFeatures, CoreInfo};
use tiletc::diagnostics::Sources;
use tiletc::driver;
use tiletc::ir::Ir;

use crate::igc::{self, Igc};
use crate::paths::Paths;
use crate::process;
use statistics::Statistics;

/// What the columns mean.
const COLUMNS: &str = "\
Columns:
  grf, simd, spill   registers, lanes of a subgroup, and bytes of spilled registers a thread, as the binary says
  inst dpas mad mov load2d store2d ugm slm
                     instructions of the kernel: all, multiply-adds of the matrix and of the vector engines, moves,
                     2D block loads and stores, messages to global memory and to local memory
  hot=D/I            of the I instructions of the innermost loop with most of them, D are dpas, or mad in a kernel
                     without dpas
  floor=P%           share of the engine in the cycles that one hardware thread issues in a trip of that loop
                     (in=loop), or in all of the kernel if no loop has work (in=kernel), if nothing overlaps. A
                     dpas.8xR takes the matrix engine R cycles on pvc and 2R on Xe2 and Xe3; without dpas the mads are
                     the engine's. Waiting for memory is not counted, since other threads run meanwhile
  B/clk              bytes that loads bring into registers for each cycle of the engine
  chain              cycles of the engine between two dpas on the same accumulator; one dpas.8x8 has a latency of 28

The cycles are estimates from published rates and IGC's own latencies, not measurements.";

/// What to compile, and for which device.
#[derive(clap::Args)]
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

/// Compiles and prints a line for each kernel.
pub fn run(paths: &Paths, options: &Options) -> Result<()> {
    let igc = match Igc::provision(&paths.target)? {
        igc::Outcome::There(igc) => igc,
        igc::Outcome::Unavailable(reason) => bail!("Intel's offline compiler is not available: {reason}"),
    };
    let scratch = Scratch::new(&paths.target)?;
    let module = module(options, &scratch.0)?;
    let dumps = match &options.asm {
        Some(folder) => folder.clone(),
        None => scratch.0.join("dump"),
    };
    fs::create_dir_all(&dumps).with_context(|| format!("cannot make {}", dumps.display()))?;
    // Dumps of an earlier run must not be taken for this one's.
    let left = fs::read_dir(&dumps)?.next().is_some();
    ensure!(!left, "{} is not empty; --asm names a folder of its own", dumps.display());

    let mut ocloc = igc.ocloc();
    ocloc.args(["compile", "-spirv_input", "-device", &options.device, "-file"]).arg(&module);
    ocloc.args(["-output", "kernel", "-out_dir"]).arg(&scratch.0);
    if options.large_register_file {
        ocloc.args(["-options", "-cl-intel-256-GRF-per-thread"]);
    }
    ocloc.args(&options.arguments);
    ocloc.env("IGC_ShaderDumpEnable", "1").env("IGC_DumpToCustomDir", dumps.canonicalize()?);
    compile(&mut ocloc, &options.device)?;

    let all = statistics::of_folder(&dumps, &options.device)?;
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

/// The SPIR-V module to compile: the file, or what tiletc makes of it.
fn module(options: &Options, scratch: &Path) -> Result<PathBuf> {
    let (file, device) = (&options.file, &options.device);
    if file.extension().is_some_and(|extension| extension == "spv") {
        ensure!(file.exists(), "there is no {}", file.display());
        return Ok(file.clone());
    }
    let text = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut info =
        CoreInfo::from_name(device).with_context(|| format!("tiletc knows no device `{device}`"))?;
    if options.large_register_file {
        info.set_core_features(CoreFeatures::LARGE_REGISTER_FILE);
    }
    let (mut ir, mut sources) = (Ir::default(), Sources::new());
    let source = sources.add(file.to_string_lossy(), text.as_slice());
    let module = driver::parse(&mut ir, source, &text)
        .and_then(|program| driver::compile(&mut ir, &program, &info, &driver::Options::default()));
    let module = module.map_err(|error| {
        let reports: String = error.diagnostics().iter().map(|message| sources.report(message)).collect();
        if reports.is_empty() { anyhow!("{error}") } else { anyhow!("{}", reports.trim_end()) }
    })?;
    let path = scratch.join("module.spv");
    fs::write(&path, module.assemble()).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

/// Runs ocloc, whose words matter only if it fails.
fn compile(ocloc: &mut Command, device: &str) -> Result<()> {
    let output = ocloc.output().context("cannot run Intel's offline compiler")?;
    if !output.status.success() {
        let told = [output.stdout, output.stderr].concat();
        eprintln!("{}", String::from_utf8_lossy(&told).trim_end());
    }
    process::check(ocloc, output.status)
        .with_context(|| format!("ocloc does not compile this for `{device}`"))
}

/// A folder that goes when this goes.
struct Scratch(PathBuf);

impl Scratch {
    fn new(target: &Path) -> Result<Self> {
        let folder = target.join("isa").join(std::process::id().to_string());
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(Scratch(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What stays behind is in nobody's way, and the next process of this number writes over it.
        let _ = fs::remove_dir_all(&self.0);
    }
}
