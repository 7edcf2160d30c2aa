//! `tiletc bench`: times kernels on devices.

mod against;
mod figures;
pub mod machine;
mod picture;
mod report;
pub mod space;
pub mod timing;
mod upkeep;
mod work;

use crate::common::{Common, Compiling, Failure, Output, write_output};
use crate::files;
use crate::launch::{self, Arguments, Call, CallOptions, DeviceName, Opened, Prepared, failed};
use crate::peaks::Peak;
use crate::progress;
use against::{Other, Others};
use clap::{ArgAction, Args, ValueEnum};
use figures::{Against, Row};
use serde_json::json;
use space::{Config, Sweep};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tiletc::driver::Compilation;
use tiletc::runtime::Bundle as _;
use tiletc::status::Status;
use timing::{Clocked, Mode, Timer};
use work::Work;

/// Examples for the help.
pub const EXAMPLES: &str = "\
Values of arguments are those of `tiletc run`; see `tiletc run --help`.

Examples:
    tiletc bench gemm.ir --arg A=random:2048x2048 --arg B=random:2048x2048 --arg C=zeros:2048x2048 -D BM=32,64,128
    tiletc bench new.ir --against old.ir -d opencl --arg x=random:1000000 --arg y=zeros:1000000
    tiletc bench gemm.ir --against git:HEAD --arg A=random:2048x2048 --arg B=random:2048x2048 --arg C=zeros:2048x2048
    tiletc bench a.ir b.ir -d opencl:0 -d level_zero:0 --both --arg x=random --format csv -o times.csv --picture times.svg";

/// Time kernels on devices.
#[derive(Args)]
pub struct Bench {
    /// Programs to measure
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Define $NAME in place of the program's own definition; with several values all are measured, and of several
    /// names all combinations
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE[,VALUE…]", action = ArgAction::Append)]
    definitions: Vec<Sweep>,
    #[command(flatten)]
    compiling: Compiling,
    /// Device to measure on: opencl[:N] or level_zero[:N], as `tiletc info` lists them; repeatable
    #[arg(short = 'd', long = "device", value_name = "DEVICE", default_value = "opencl", action = ArgAction::Append)]
    devices: Vec<DeviceName>,
    #[command(flatten)]
    launch: CallOptions,
    /// Allocate the members of groups in random order, as in programs whose matrices come and go, and not one behind the other
    #[arg(long)]
    scatter: bool,
    /// Measure with caches that hold other data, which is the default
    #[arg(long, conflicts_with_all = ["hot", "both"])]
    cold: bool,
    /// Measure with caches that hold what the launch before has left
    #[arg(long, conflicts_with = "both")]
    hot: bool,
    /// Measure with cold and with hot caches
    #[arg(long)]
    both: bool,
    /// Seconds for each measurement, unless the 95 % interval of the median is within 1 % before
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    budget: Duration,
    /// Program that is measured in turn with each of the others, with the same arguments: a file, or with git:COMMIT each
    /// FILE itself as it was in a commit of the repository that it is in
    #[arg(long, value_name = "FILE|git:COMMIT")]
    against: Option<Other>,
    /// Mebibytes of the last-level cache, of which twice as much is overwritten between launches; without this option what
    /// the system tells of a CPU, and 256 for other devices
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=65536))]
    cache_size: Option<u64>,
    /// Form of the table
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text)]
    format: Format,
    /// File to write the table to; standard output if absent
    #[arg(short = 'o', value_name = "OUT")]
    output: Option<PathBuf>,
    /// Write a picture as well: operations a second below the roofline, and bars of time
    #[arg(long, value_name = "FILE.svg", value_parser = picture_path)]
    picture: Option<PathBuf>,
}

/// Form of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Columns for a terminal
    Text,
    /// A table of Markdown
    Markdown,
    /// Comma-separated values, in seconds, operations and bytes
    Csv,
    /// One document, in the same units
    Json,
}

/// A budget in seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0);
    let budget = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    budget.ok_or_else(|| "a budget is a number of seconds above 0".to_owned())
}

fn picture_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension() {
        Some(extension) if extension == "svg" => Ok(path),
        _ => Err("a picture is a file whose name ends in .svg".to_owned()),
    }
}

impl Bench {
    /// Returns whether standard output is to be one JSON document.
    pub fn is_document(&self) -> bool {
        self.format == Format::Json && self.output.is_none()
    }

    fn modes(&self) -> &'static [Mode] {
        match (self.hot, self.both) {
            (_, true) => &[Mode::Cold, Mode::Hot],
            (true, false) => &[Mode::Hot],
            (false, false) => &[Mode::Cold],
        }
    }

    fn common(&self, config: &Config) -> Common {
        let definitions = config.definitions.iter().map(|(name, value)| format!("{name}={value}")).collect();
        Common { file: Some(config.file.clone()), definitions, compiling: self.compiling.clone() }
    }
}

/// Runs the tool.
pub fn bench(bench: &Bench, output: &mut Output) -> Result<(), Failure> {
    if let Some(device) = bench.devices.iter().find(|device| matches!(device, DeviceName::Virtual(_))) {
        let message = format!(
            "{device} has no clock, so that nothing can be timed there; choose opencl or level_zero, or count what a kernel does \
             with `tiletc run --count`"
        );
        return Err(Failure::usage(message));
    }
    let configs = space::configs(&bench.files, &bench.definitions)?;
    let others = Others::of(&configs, bench.against.as_ref())?;
    for path in bench.output.iter().chain(&bench.picture) {
        files::check(path, &bench.files)?;
    }
    let busy = machine::busy();
    let opened = bench.devices.iter().map(|device| Ok((device, device.open()?)));
    let opened = opened.collect::<Result<Vec<_>, Failure>>()?;
    // What is wrong with the last config is said before the first is measured.
    let are_many = configs.len() + others.configs.len() + opened.len() > 2;
    for (device, opened) in opened.iter().filter(|_| are_many) {
        match opened {
            Opened::OpenCl(session) => check(bench, &configs, &others, device, session, output)?,
            Opened::LevelZero(session) => check(bench, &configs, &others, device, session, output)?,
            Opened::Virtual(..) => {}
        }
    }
    let mut rows = Vec::new();
    for (device, opened) in &opened {
        match opened {
            Opened::OpenCl(session) => {
                rows.extend(measure(bench, &configs, &others, device, session, output)?)
            }
            Opened::LevelZero(session) => {
                rows.extend(measure(bench, &configs, &others, device, session, output)?)
            }
            Opened::Virtual(..) => {}
        }
    }
    for row in &mut rows {
        row.notes.extend(busy.clone());
    }
    let picture = bench.picture.as_ref().map(|path| Ok((path, picture::draw(&rows)?)));
    let picture = picture.transpose()?;
    show(bench, &rows, output)?;
    picture.map_or(Ok(()), |(path, picture)| files::write(path, &picture.svg))
}

/// A failure with the name of the config that it is about; of what does not fit the program, one of the command line.
pub fn about(config: &Config, failure: Failure) -> Failure {
    let with_name = |message: String| format!("{}: {message}", config.name());
    match failure {
        Failure::Usage(status, message) => Failure::Usage(status, with_name(message)),
        // These are about the command line.
        Failure::Failed(
            status @ (Status::InvalidKernelArguments
            | Status::InvalidArguments
            | Status::OutOfRange
            | Status::LaunchArgumentContract
            | Status::LaunchGridMismatch),
            message,
        ) => Failure::Usage(status, with_name(message)),
        Failure::Failed(status, message) => Failure::Failed(status, with_name(message)),
        Failure::Refused { .. } | Failure::OutputClosed => failure,
    }
}

/// A kernel with its arguments.
type Built<S> = (Prepared<S>, Arguments);

fn build<S: Clocked>(
    bench: &Bench,
    config: &Config,
    device: &S,
    output: &mut Output,
) -> Result<Built<S>, Failure> {
    let info = device.core_info().map_err(failed)?;
    let build = || {
        let mut call = Call::open(&bench.common(config), info, &bench.launch)?;
        let bound = std::mem::take(&mut call.bound);
        let arguments = match bench.scatter {
            true => Arguments::scatter(device, bound)?,
            false => Arguments::place(device, bound)?,
        };
        let build =
            |device: &S, program: &mut Compilation<'_>, _: &mut Output| launch::build_cached(device, program);
        let prepared = call.build(device, &arguments, build, output)?;
        Ok((prepared, arguments))
    };
    build().map_err(|failure| about(config, failure))
}

/// Makes sure that all configs can be measured.
fn check<S: Clocked>(
    bench: &Bench,
    configs: &[Config],
    others: &Others,
    name: &DeviceName,
    device: &S,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut all: Vec<&Config> = configs.iter().collect();
    for other in &others.configs {
        if !all.contains(&other) {
            all.push(other);
        }
    }
    for config in all {
        let what = format!("building {} for {name}", config.name());
        progress::during(&what, || build(bench, config, device, output))?;
    }
    Ok(())
}

fn measure<S: Clocked>(
    bench: &Bench,
    configs: &[Config],
    others: &Others,
    name: &DeviceName,
    device: &S,
    output: &mut Output,
) -> Result<Vec<Row>, Failure> {
    let is_cpu = device.core_info().map_err(failed)?.is_cpu();
    let cache = bench.cache_size.map_or_else(|| machine::cache_bytes(is_cpu), |size| size << 20);
    let peak = Peak::of_product(&device.device_name().map_err(failed)?);
    let mut timer = Timer::new(device, cache)?;
    let mut rows = Vec::new();
    for (place, config) in configs.iter().enumerate() {
        let other = others.configs.get(place);
        let mut subjects = Vec::new();
        for config in [config].into_iter().chain(other) {
            let (prepared, arguments) = build(bench, config, device, output)?;
            let subject = timer.subject(prepared, arguments);
            let mut subject = subject.map_err(|failure| about(config, failure))?;
            if let Some(first) = subjects.first_mut() {
                subject.take_turns_with(first);
            }
            subjects.push(subject);
        }
        for &mode in bench.modes() {
            let what = format!("{} of {}: {}, {mode}, {name}", place + 1, configs.len(), config.name());
            let measured = progress::during(&what, || timer.measure(&mut subjects, mode, bench.budget))?;
            let mut measured = measured.into_iter();
            let (Some(subject), Some(measurement)) = (subjects.first(), measured.next()) else { continue };
            let against = other.zip(measured.next());
            let against =
                against.map(|(other, measurement)| Against { program: file_name(&other.file), measurement });
            let (prepared, arguments) = (&subject.prepared, &subject.arguments);
            let is_whole = bench.launch.groups.is_none();
            let notes = match &prepared.work {
                None if !is_whole => vec!["GB/s of all arguments, whatever the work-groups touch".to_owned()],
                Some(work) if work.depends_on_branch => {
                    vec!["GFLOP/s as if all branches took the side with more operations".to_owned()]
                }
                _ => Vec::new(),
            };
            let reports = prepared.bundle.reports().unwrap_or_default();
            rows.push(Row {
                program: file_name(&config.file),
                kernel: prepared.name.clone(),
                definitions: config.definitions.clone(),
                device: name.to_string(),
                mode,
                measurement,
                work: Work::of(prepared, arguments, is_whole),
                peak,
                report: reports.into_iter().find(|report| report.name == prepared.name),
                against,
                notes,
            });
        }
    }
    Ok(rows)
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Writes the table.
fn show(bench: &Bench, rows: &[Row], output: &mut Output) -> Result<(), Failure> {
    let text = match bench.format {
        Format::Text => report::text(rows),
        Format::Markdown => report::markdown(rows),
        Format::Csv => report::csv(rows),
        Format::Json => {
            let measurements: Vec<_> = rows.iter().map(Row::json).collect();
            let members = json!({ "measurements": measurements });
            if output.is_json() {
                output.add(members);
                return Ok(());
            }
            format!("{members:#}\n")
        }
    };
    match &bench.output {
        Some(path) => files::write(path, &text),
        None => write_output(text.as_bytes()),
    }
}
