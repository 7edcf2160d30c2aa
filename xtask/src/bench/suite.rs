//! Everything that is measured, in one run with one report.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail, ensure};
use indicatif::ProgressBar;

use super::measurement::{Line, Measurement, Run};
use super::{MKL, picture, report};
use crate::cpp::Build;
use crate::paths::Paths;
use crate::process;
use crate::toolchain::Toolchain;

/// Runs of each program; few, but enough for a median.
const RUNS: u32 = 11;
const QUICK_RUNS: u32 = 3;
/// Elements of the chain.
const ELEMENTS: u32 = 50_000;

/// Options of the whole run.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Suite {
    /// Little of everything, in seconds; good for nothing but a look
    #[arg(long)]
    quick: bool,
    /// Runs of each program, of which the median counts [default: 11, or 3 with --quick]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: Option<u32>,
    /// Also build this commit in a checkout of its own, and time its fused chain
    #[arg(long, value_name = "COMMIT")]
    against: Option<String>,
    /// Folder for measurements.md, .json and .svg [default: bench in the target folder]
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

/// Measures everything and writes the three files.
pub fn run(paths: &Paths, toolchain: &Toolchain, options: &Suite) -> Result<ExitCode> {
    let mkl = MKL.provision(&paths.target);
    if let Err(error) = &mkl {
        eprintln!("without Intel MKL to compare with: {error:#}");
    }
    let build = Build::configure(paths, toolchain)?;
    let mut command = Command::new(build.bench("bench_suite")?);
    let runs = options.runs.unwrap_or(if options.quick { QUICK_RUNS } else { RUNS });
    command.args(["--runs", &runs.to_string(), "--elements", &ELEMENTS.to_string(), "--kernels"]);
    command.arg(paths.repository.join("cpp-examples").join("matrix_chain"));
    if options.quick {
        command.arg("--quick");
    }
    if let Ok(folder) = &mkl {
        command.arg("--mkl").arg(folder.join("lib/libmkl_rt.so.3"));
    }
    let (mut run, right) = measure(command.envs(toolchain.environment()))?;
    if let Some(commit) = &options.against {
        for precision in ["f32", "f64"] {
            let elements = if options.quick { ELEMENTS / 100 } else { ELEMENTS };
            let older = older_chain(paths, commit, precision, elements, runs)?;
            let ours = run.of("chain").find(|found| found.precision == precision);
            let data = ours.map_or_else(|| older.data.clone(), |ours| ours.data.clone());
            run.measurements.push(Measurement { data, ..older });
        }
    }
    let folder = options.output.clone().unwrap_or_else(|| paths.target.join("bench"));
    for file in write(&run, &folder)? {
        println!("{}", file.display());
    }
    print!("{}", report::markdown(&run));
    if !right {
        eprintln!("some results are wrong");
    }
    Ok(if right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs the program and collects what it measures, while the terminal shows what is next.
fn measure(command: &mut Command) -> Result<(Run, bool)> {
    let progress = process::spinner("measuring…");
    let mut run = Run::default();
    let (mut right, mut wrong_line) = (None, None);
    let status = process::run_by_line(command, |text| match Line::parse(text) {
        Ok(line) => take(line, &mut run, &mut right, &progress),
        Err(error) => wrong_line = Some(error),
    })?;
    progress.finish_and_clear();
    if let Some(error) = wrong_line {
        return Err(error);
    }
    let Some(right) = right else {
        bail!("the benchmark ended early ({status}), after {} measurements", run.measurements.len())
    };
    Ok((run, right))
}

fn take(line: Line, run: &mut Run, right: &mut Option<bool>, progress: &ProgressBar) {
    match line {
        Line::Next(what) => progress.set_message(format!("measuring {what}…")),
        Line::Measured(measurement) => run.measurements.push(measurement),
        Line::Skipped(what) => {
            progress.suspend(|| eprintln!("SKIPPED: {what}"));
            run.skipped.push(what);
        }
        Line::Device(device) => *run = device,
        Line::End(all_right) => *right = Some(all_right),
        Line::Other => {}
    }
}

/// Writes the reports and returns their files.
fn write(run: &Run, folder: &Path) -> Result<[PathBuf; 3]> {
    ensure!(!run.measurements.is_empty(), "nothing was measured");
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let texts = [
        ("measurements.md", report::markdown(run)),
        ("measurements.json", format!("{:#}\n", report::json(run))),
        ("measurements.svg", picture::svg(run)?),
    ];
    let write = |(name, text): (&str, String)| -> Result<PathBuf> {
        let file = folder.join(name);
        fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
        Ok(file)
    };
    let [md, json, svg] = texts.map(write);
    Ok([md?, json?, svg?])
}

/// The chain of another commit, built by its own tasks in a checkout below the target folder.
fn older_chain(
    paths: &Paths,
    commit: &str,
    precision: &str,
    elements: u32,
    runs: u32,
) -> Result<Measurement> {
    let place = paths.target.join("bench").join("against");
    let checkout = place.join(commit);
    if !checkout.exists() {
        let mut git = Command::new("git");
        git.current_dir(&paths.repository).args(["worktree", "add", "--detach"]).arg(&checkout).arg(commit);
        process::run_quietly(&format!("checking out {commit}…"), &mut git)?;
    }
    let target = place.join("target");
    fs::create_dir_all(&target).with_context(|| format!("cannot make {}", target.display()))?;
    // Cargo marks only folders that it has made, and the older xtask finds its own by the mark.
    let (mark, tag) = (target.join("CACHEDIR.TAG"), "Signature: 8a477f597d28d172789f06886806bc55\n");
    fs::write(&mark, tag).with_context(|| format!("cannot write {}", mark.display()))?;
    // What xtask has brought once need not come again.
    for tool in ["intel", "cmake", "ninja"] {
        let (from, to) = (paths.target.join(tool), target.join(tool));
        if from.exists() && !to.exists() {
            std::os::unix::fs::symlink(&from, &to)
                .with_context(|| format!("cannot make {}", to.display()))?;
        }
    }
    let (elements, runs) = (elements.to_string(), runs.to_string());
    let mut cargo =
        paths.cargo(&["run", "--quiet", "--package", "xtask", "--", "example", "matrix_chain", "--"]);
    cargo.args(["-e", &elements, "-n", &runs, "-f", precision]);
    let progress = process::spinner(&format!("building and measuring {commit}, {precision}…"));
    let output = cargo.current_dir(&checkout).env("CARGO_TARGET_DIR", &target).output()?;
    progress.finish_and_clear();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let median = times(&text).with_context(|| {
        format!(
            "{commit} does not say how long a step takes:\n{text}{}",
            String::from_utf8_lossy(&output.stderr)
        )
    })?;
    let numbers: f64 = elements.parse()?;
    Ok(Measurement {
        suite: "chain".to_owned(),
        name: format!("E = {elements}"),
        precision: precision.to_owned(),
        data: "beyond".to_owned(),
        program: commit.to_owned(),
        median,
        // It prints no more than the median and the least.
        least: median,
        most: median,
        flops: numbers * (2.0 * 56.0 * 56.0 * 9.0 + 2.0 * 56.0 * 9.0 * 9.0),
        bytes: numbers * ((3.0 * 56.0 * 9.0 + 81.0) * if precision == "f32" { 4.0 } else { 8.0 } + 8.0),
        error: if output.status.success() { 0.0 } else { f64::MAX },
    })
}

/// The median that the example prints.
fn times(text: &str) -> Option<f64> {
    let line = text.lines().find(|line| line.starts_with("time per step") && line.ends_with("median"))?;
    line.split_whitespace().nth(3)?.parse().ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{Line, Run, measure, times, write};
    use std::fs;
    use std::process::Command;

    /// Output of the program for a small case.
    const LINES: &str = r#"device          a CPU (opencl)
{"device": "a \"CPU\"", "is_cpu": true, "processors": 2, "cache_bytes": 8388608, "runs": 7}
{"next": "stream triad"}
{"suite": "roofline", "name": "stream triad", "type": "f64", "data": "beyond", "program": "host", "median_ms": 10, "least_ms": 9, "most_ms": 12, "flops": 2e7, "bytes": 2.4e8, "error": 0}
{"suite": "roofline", "name": "multiply-adds", "type": "f32", "data": "registers", "program": "host", "median_ms": 10, "least_ms": 10, "most_ms": 10, "flops": 1e9, "bytes": 0, "error": 0}
{"suite": "roofline", "name": "multiply-adds", "type": "f64", "data": "registers", "program": "host", "median_ms": 10, "least_ms": 10, "most_ms": 10, "flops": 5e8, "bytes": 0, "error": 0}
{"suite": "gemm", "name": "8x8x8", "type": "f32", "data": "beyond", "program": "tiletc", "median_ms": 1, "least_ms": 0.9, "most_ms": 1.1, "flops": 1.6e7, "bytes": 1.2e7, "error": 0.5}
{"suite": "gemm", "name": "8x8x8", "type": "f32", "data": "beyond", "program": "MKL batch", "median_ms": 2, "least_ms": 1.8, "most_ms": 2.4, "flops": 1.6e7, "bytes": 1.2e7, "error": 2}
{"suite": "compile", "name": "fused_kernel.ir", "type": "", "data": "", "program": "tiletc", "median_ms": 1.25, "least_ms": 1, "most_ms": 2, "flops": 0, "bytes": 0, "error": 0}
{"right": false}
"#;

    #[test]
    fn a_run_becomes_three_files() {
        let (run, right) = measure(Command::new("printf").args(["%s", LINES])).unwrap();
        assert!(!right);
        assert_eq!((run.runs, run.measurements.len()), (7, 6));
        let folder = std::env::temp_dir().join(format!("tiletc-bench-{}", std::process::id()));
        let files = write(&run, &folder).unwrap();
        let [markdown, json, svg] = files.map(|file| fs::read_to_string(file).unwrap());
        fs::remove_dir_all(&folder).unwrap();
        // 24 GB/s and 16/12 operations a byte: 32 GFLOP/s at most, of which 16 are half.
        let row = "| 8x8x8 | f32 | beyond | 16.0 ± 10 % | 8.0 ± 15 %, 2.00×, **wrong** | 50 % |";
        for part in [row, "| stream triad | f64 | 24.0 GB/s | 30 % |", "| fused_kernel.ir | 1.25 ms | 80 % |"]
        {
            assert!(markdown.contains(part), "{part} is not in\n{markdown}");
        }
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json.pointer("/measurements/3/median_ms"), Some(&1.0.into()));
        assert_eq!(json.pointer("/device"), Some(&"a \"CPU\"".into()));
        for part in ["<svg", "</svg>", "roofline, f64", "MKL batch", "GFLOP/s"] {
            assert!(svg.contains(part), "{part} is not in the picture");
        }
    }

    #[test]
    fn a_program_that_ends_early_is_an_error() {
        let cut = LINES.replace("{\"right\": false}\n", "");
        let error = measure(Command::new("printf").args(["%s", &cut])).unwrap_err().to_string();
        assert!(error.contains("ended early") && error.contains("6 measurements"), "{error}");
        assert!(write(&Run::default(), &std::env::temp_dir()).is_err());
        assert!(matches!(Line::parse("{\"right\": true}"), Ok(Line::End(true))));
    }

    #[test]
    fn the_time_of_an_example_is_read() {
        let text = "compile time         2.10 ms\ntime per step       73.300 ms       median\n";
        assert_eq!(times(text), Some(73.3));
        assert_eq!(times("result          FAIL\n"), None);
    }
}
