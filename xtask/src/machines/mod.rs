//! `cargo xtask machines`: what depends on the machine, tried on fresh ones.
//!
//! A machine is a root file system of Debian, made by mmdebstrap from the mirror that this machine's apt uses, and
//! entered with chroot. Rust's part is built here, once, and shared.

mod chroot;
mod kinds;
pub mod root;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use tiletc_isa::fetch::Mirror;

use crate::paths::Paths;
use crate::process::{self, quoted};
use crate::test::machine_tests;
use crate::toolchain;
use chroot::Machine;
use kinds::{KINDS, Kind};

/// Steps that are run on each machine.
const ABOUT: &str = "\
On each machine:
  demo         `cargo xtask demo` with few elements
  build        CMake as the manual has it, without SYCL, the installation, and a program built against that
  Rust tests   those that look for libraries: `cargo xtask test --machine --only rust`
  C++ tests    those that depend on what is installed: `cargo xtask test --machine --only cpp`

The root file systems stay in the folder `machines` of the target folder, and beside them what each step said. Only root can
make and enter them.";

/// Machines to try.
#[derive(clap::Args)]
#[command(after_help = ABOUT)]
pub struct Options {
    /// Only the machine of this name: bare, loaders, mpi, mpich, oldest or trixie; may be given several times
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Only this step; may be given several times
    #[arg(long, value_name = "STEP")]
    step: Vec<Step>,
}

/// Step on a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Step {
    Demo,
    Build,
    Rust,
    Cpp,
}

impl Step {
    const ALL: [Step; 4] = [Step::Demo, Step::Build, Step::Rust, Step::Cpp];

    /// The heading of its column.
    fn title(self) -> &'static str {
        match self {
            Step::Demo => "demo",
            Step::Build => "build",
            Step::Rust => "Rust tests",
            Step::Cpp => "C++ tests",
        }
    }

    /// Script of the step, in the checkout, with this program.
    fn script(self, xtask: &str) -> String {
        match self {
            Step::Demo => format!("{xtask} demo -e 2000 -n 2"),
            // On a machine without CMake, `cargo xtask env` brings one, and Ninja.
            Step::Build => format!(
                "command -v cmake || {{ eval \"$({xtask} env)\"; unset TILETC_INTEL_ROOT TILETC_LIBRARY_DIR; }}\n\
                 generator=\n\
                 command -v make || generator='-G Ninja'\n\
                 cmake -S . -B /tmp/build $generator\n\
                 cmake --build /tmp/build\n\
                 cmake --install /tmp/build --prefix /tmp/prefix\n\
                 /tmp/prefix/bin/tiletc -S -d pvc cpp-examples/matrix_chain/fused_kernel.ir > /tmp/kernel.spvasm\n\
                 c++ -std=c++17 -I/tmp/prefix/include tests/cpp/package/native/main.cpp -L/tmp/prefix/lib -ltiletc \
                     -Wl,-rpath,/tmp/prefix/lib -o /tmp/program\n\
                 /tmp/program\n"
            ),
            Step::Rust => format!("{xtask} test --machine --only rust"),
            Step::Cpp => format!("{xtask} test --machine --only cpp"),
        }
    }
}

/// Outcome of a step.
enum Outcome {
    Passed(String),
    Failed(String),
}

/// A line of the table.
struct Line {
    name: &'static str,
    outcomes: Vec<Outcome>,
    duration: Duration,
    /// Reason why there is no such machine.
    unavailable: Option<String>,
}

/// Makes the machines and runs everything on them, whatever becomes of those before.
pub fn run(paths: &Paths, options: &Options) -> Result<ExitCode> {
    let unknown = options.only.iter().find(|name| KINDS.iter().all(|kind| kind.name != name.as_str()));
    if let Some(name) = unknown {
        let names = KINDS.map(|kind| kind.name).join(", ");
        bail!("there is no machine `{name}`; there are {names}");
    }
    // As long as this is certain: a build in the meantime puts another program in its place.
    let xtask = quoted(env::current_exe().context("cannot tell where xtask was built")?);
    let folder = paths.target.join("machines");
    let mirror = Mirror::find();
    let chosen = |kind: &&Kind| options.only.is_empty() || options.only.iter().any(|name| name == kind.name);
    let mut roots = Vec::new();
    for kind in KINDS.iter().filter(chosen) {
        roots.push((
            kind,
            match &mirror {
                Ok(mirror) => root::provision(&folder, kind, mirror),
                Err(error) => Err(anyhow!("{error:#}")),
            },
        ));
    }
    let steps: Vec<Step> =
        Step::ALL.into_iter().filter(|step| options.step.is_empty() || options.step.contains(step)).collect();
    build_shared(paths, &steps)?;

    let mut lines = Vec::new();
    for (kind, root) in roots {
        println!("── {} ({})", kind.name, kind.about);
        let start = Instant::now();
        let (outcomes, unavailable) =
            match root.and_then(|root| on_machine(paths, kind, root, &steps, &xtask)) {
                Ok(outcomes) => (outcomes, None),
                Err(error) => {
                    eprintln!("error: {error:#}");
                    (Vec::new(), Some(format!("{error:#}")))
                }
            };
        lines.push(Line { name: kind.name, outcomes, duration: start.elapsed(), unavailable });
    }
    print_table(&lines, &steps);
    let is_good = |line: &Line| {
        line.unavailable.is_none()
            && line.outcomes.iter().all(|outcome| matches!(outcome, Outcome::Passed(_)))
    };
    Ok(if lines.iter().all(is_good) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Builds what the machines share: nothing of Rust is compiled there.
fn build_shared(paths: &Paths, steps: &[Step]) -> Result<()> {
    paths.build_release()?;
    if steps.contains(&Step::Rust) {
        process::run(paths.cargo(&machine_tests()).arg("--no-run"))?;
    }
    Ok(())
}

/// Runs the steps on a machine with this root file system. An error says why there is no such machine.
fn on_machine(
    paths: &Paths,
    kind: &Kind,
    root: PathBuf,
    steps: &[Step],
    xtask: &str,
) -> Result<Vec<Outcome>> {
    let mut path = Vec::new();
    if kind.has_oldest_tools {
        path.extend(toolchain::oldest(&paths.target)?);
    }
    let work = root::emptied(paths.target.join("machines").join(format!("{}.work", kind.name)))?;
    let machine = Machine {
        paths,
        root,
        programs: root::emptied(work.join("cpp"))?,
        scratch: root::emptied(work.join("tmp"))?,
        path,
    };
    let log = |step: &str| work.join(step.replace(' ', "-").to_lowercase()).with_extension("log");
    // That chroot and the mounts work is not a matter of any step.
    if !machine.run("true", &log("enter"))? {
        bail!("cannot enter the machine: {}", last_lines(&log("enter"), 3));
    }
    let mut outcomes = Vec::new();
    for step in steps {
        let (script, step) = (step.script(xtask), step.title());
        let spinner = process::spinner(&format!("{}: {step}…", kind.name));
        let start = Instant::now();
        let passed = machine.run(&script, &log(step))?;
        spinner.finish_and_clear();
        let said = summary(&log(step));
        let seconds = start.elapsed().as_secs();
        if passed {
            println!("{step}: {} ({seconds} s)", said.as_deref().unwrap_or("ok"));
            outcomes.push(Outcome::Passed(said.unwrap_or_else(|| "ok".to_owned())));
        } else {
            let log = log(step);
            println!("{step}: FAILED ({seconds} s); see {}\n{}", log.display(), last_lines(&log, 40));
            outcomes.push(Outcome::Failed(said.unwrap_or_else(|| "FAILED".to_owned())));
        }
    }
    Ok(outcomes)
}

/// The totals that the test command ends with.
fn summary(log: &Path) -> Option<String> {
    let text = fs::read(log).ok()?;
    let text = String::from_utf8_lossy(&text);
    text.lines().rev().find_map(|line| line.strip_prefix("tiletc: ").map(str::to_owned))
}

fn last_lines(log: &Path, count: usize) -> String {
    let text = fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    lines.get(lines.len().saturating_sub(count)..).unwrap_or_default().join("\n")
}

fn print_table(lines: &[Line], steps: &[Step]) {
    let width = |index: usize| {
        let cells =
            lines.iter().filter_map(|line| line.outcomes.get(index)).map(|outcome| cell(outcome).len());
        cells.chain(steps.get(index).map(|step| step.title().len())).max().unwrap_or(0)
    };
    let header: Vec<String> =
        steps.iter().enumerate().map(|(index, step)| format!("{:1$}", step.title(), width(index))).collect();
    println!("\n{:8}  {}  {:>6}", "", header.join("  "), "time");
    for line in lines {
        let minutes = format!("{}:{:02}", line.duration.as_secs() / 60, line.duration.as_secs() % 60);
        match &line.unavailable {
            Some(reason) => println!("{:8}  not made: {reason}", line.name),
            None => {
                let cells: Vec<String> = line
                    .outcomes
                    .iter()
                    .enumerate()
                    .map(|(index, outcome)| format!("{:1$}", cell(outcome), width(index)))
                    .collect();
                println!("{:8}  {}  {minutes:>6}", line.name, cells.join("  "));
            }
        }
    }
}

fn cell(outcome: &Outcome) -> &str {
    match outcome {
        Outcome::Passed(text) | Outcome::Failed(text) => text,
    }
}
