//! `cargo xtask isa`: compiles a kernel to a GPU's instructions with Intel's offline compiler, and says what these are.

mod assembly;
mod costs;
mod statistics;
mod zeinfo;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, anyhow, bail, ensure};
use tiletc::device::{CoreFeatures, CoreInfo};
use tiletc::diagnostics::Sources;
use tiletc::driver;
use tiletc::ir::{Func, Ir};
use tiletc::schedule::Roofline;
use tiletc::spirv::Module;

use crate::igc::{self, Igc};
use crate::paths::Paths;
use crate::process;
use statistics::Expected;

pub use statistics::Statistics;

/// Explanation of the columns.
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
                     dpas.8xR takes the matrix engine R cycles on pvc and 2R elsewhere; without dpas the mads are
                     the engine's. Waiting for memory is not counted, since other threads run meanwhile
  B/clk              bytes that loads bring into registers for each cycle of the engine
  chain              cycles of the engine between two dpas on the same accumulator; one dpas.8x8 has a latency of 28
  issue              cycles in which a vector engine issues the instructions of a work-group, all subgroups together: of
                     the path that does the work fastest, loops as often as they run, without versions for other
                     arguments and edges
  share=P%/Q%        the time that a work-group must take in the time that it takes, from 0 to 100: bytes that must come
                     from memory, or multiply-adds at full rate, against the issue; Q with all data in the cache, which
                     is four times faster. Nothing that neighbouring work-groups read, too, counts as bytes
  bound=B/C          what takes longest in these two cases: issue, memory or arithmetic

The cycles are estimates from published rates and IGC's own latencies, not measurements.";

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
    let all = measure(&provisioned(paths)?, paths, options)?;
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
pub fn provisioned(paths: &Paths) -> Result<Igc> {
    match Igc::provision(&paths.target)? {
        igc::Outcome::There(igc) => Ok(igc),
        igc::Outcome::Unavailable(reason) => bail!("Intel's offline compiler is not available: {reason}"),
    }
}

/// Compiles a program and reads what became of its kernels.
pub fn measure(igc: &Igc, paths: &Paths, options: &Options) -> Result<Vec<Statistics>> {
    let scratch = Scratch::new(&paths.target)?;
    let Compiled { file: module, features, rooflines } = compiled(options, &scratch.0)?;
    let info = CoreInfo::from_name(&options.device);
    let read = fs::read(&module).with_context(|| format!("cannot read {}", module.display()))?;
    // Extensions that the reader does not know are no reason not to compile.
    let spirv = Module::read(&read);
    let expected = |kernel: &str| Expected {
        path: spirv.as_ref().zip(info.as_ref()).and_then(|(spirv, info)| spirv.main_path(kernel, info)),
        roofline: rooflines.get(kernel).copied(),
    };
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
    if let Some(build_options) = features.build_options() {
        ocloc.args(["-options", build_options.to_str()?]);
    }
    ocloc.args(&options.arguments);
    ocloc.env("IGC_ShaderDumpEnable", "1").env("IGC_DumpToCustomDir", dumps.canonicalize()?);
    compile(&mut ocloc, &options.device)?;
    statistics::of_folder(&dumps, &options.device, &expected)
}

/// A module and what is known of it besides.
struct Compiled {
    file: PathBuf,
    /// Features that a driver builds it for.
    features: CoreFeatures,
    /// Work that kernels must do, by their names.
    rooflines: HashMap<String, Roofline>,
}

/// The SPIR-V module to compile: the file, or what tiletc makes of it.
fn compiled(options: &Options, scratch: &Path) -> Result<Compiled> {
    let (file, device) = (&options.file, &options.device);
    let asked = match options.large_register_file {
        true => CoreFeatures::LARGE_REGISTER_FILE,
        false => CoreFeatures::default(),
    };
    if file.extension().is_some_and(|extension| extension == "spv") {
        ensure!(file.exists(), "there is no {}", file.display());
        return Ok(Compiled { file: file.clone(), features: asked, rooflines: HashMap::new() });
    }
    let text = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut info =
        CoreInfo::from_name(device).with_context(|| format!("tiletc knows no device `{device}`"))?;
    info.set_core_features(asked);
    let (mut ir, mut sources) = (Ir::default(), Sources::new());
    let source = sources.add(file.to_string_lossy(), text.as_slice());
    let mut rooflines = HashMap::new();
    let module = driver::parse(&mut ir, source, &text).and_then(|program| {
        let of = |&func: &Func| Some((ir[func].name.clone(), Roofline::of(&ir, func, &info)?));
        rooflines.extend(program.functions.iter().filter_map(of));
        driver::compile(&mut ir, &program, &info, &driver::Options::default())
    });
    let module = module.map_err(|error| {
        let reports: String = error.diagnostics().iter().map(|message| sources.report(message)).collect();
        if reports.is_empty() { anyhow!("{error}") } else { anyhow!("{}", reports.trim_end()) }
    })?;
    let path = scratch.join("module.spv");
    fs::write(&path, module.assemble()).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(Compiled { file: path, features: module.core_features(), rooflines })
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
        // Several may be at work at once.
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let name = format!("{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let folder = target.join("isa").join(name);
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
