//! `tiletc selftest`: finds out whether a device and its driver do what compiled programs rely on.

mod case;
mod cases;
mod class;
mod element;
mod measure;
mod report;
mod runner;
mod worker;

use crate::common::{Failure, Output, VERSION, write_output};
use crate::launch::{DeviceName, failed, twin};
use crate::table;
use clap::{ArgAction, Args};
use class::Class;
use indicatif::{ProgressBar, ProgressStyle};
use report::Tested;
use runner::{Target, Verdict};
use serde_json::{Value, json};
use std::io::IsTerminal as _;
use std::process::Command;
use std::time::Instant;
use tiletc::device::{Avoidance, CoreInfo, SpirvFeature};
use tiletc::runtime::opencl::{self, DeviceKind};
use tiletc::runtime::{Error, ProfileOf, Session, level_zero};
use tiletc::status::Status;
use virtual_xe::{Checks, Defect};
use worker::Line;

/// Text behind the help.
pub const NOTES: &str = "\
Each class of features is tested by small launches whose results are compared bit for bit. Behind a class that fails
stands what to set so that the compiler does without it. `--list` shows the classes.";

/// Test whether a device and its driver do what compiled programs rely on.
#[derive(Args)]
pub struct SelfTest {
    /// Device to test: virtual:NAME, opencl[:N] or level_zero[:N] [default: the first of Level Zero, or of OpenCL]
    #[arg(short = 'd', long, value_name = "DEVICE")]
    device: Option<DeviceName>,
    /// Test this class of features only; may be given several times
    #[arg(long = "class", value_name = "NAME", action = ArgAction::Append, value_parser = class)]
    classes: Vec<Class>,
    /// List the classes and their cases, and run nothing
    #[arg(long)]
    list: bool,
    /// Show every failure
    #[arg(short = 'v', long)]
    verbose: bool,
    /// Make standard output one JSON document
    #[arg(long)]
    pub json: bool,
    /// Give the virtual device a defect
    #[arg(long, value_name = "NAME", hide = true, value_parser = defect)]
    defect: Option<Defect>,
    /// Write what comes of each case as a line, for the process that has started this one
    #[arg(long, hide = true, conflicts_with_all = ["list", "json"])]
    worker: bool,
}

fn class(name: &str) -> Result<Class, String> {
    Class::named(name).ok_or_else(|| {
        let names: Vec<&str> = Class::ALL.iter().map(|class| class.name()).collect();
        format!("the classes are {}", names.join(", "))
    })
}

fn defect(name: &str) -> Result<Defect, String> {
    Defect::named(name).ok_or_else(|| {
        let names: Vec<&str> = Defect::ALL.iter().map(|defect| defect.name()).collect();
        format!("the defects are {}", names.join(", "))
    })
}

/// Runs the tool.
pub fn run(arguments: &SelfTest, output: &mut Output) -> Result<(), Failure> {
    let device = arguments.device.clone().or_else(DeviceName::first).ok_or_else(|| {
        Failure::usage(
            "there is no device of Level Zero or OpenCL; name another one, as --device virtual:pvc",
        )
    })?;
    if arguments.defect.is_some() && !matches!(device, DeviceName::Virtual(_)) {
        return Err(Failure::usage(format!(
            "only virtual devices have defects; {device} has none of its own"
        )));
    }
    match &device {
        DeviceName::Virtual(name) => {
            let session = virtual_xe_runtime::Session::open(name);
            let mut session = session.map_err(|error| Failure::usage(error.to_string()))?;
            if let Some(defect) = arguments.defect {
                // Real devices have no checks; what defects do must be seen without.
                session.set_checks(Checks::NONE);
                session.set_defect(defect);
            }
            run_on(arguments, output, &device, &session, runner::reports, None)
        }
        DeviceName::OpenCl(number) => {
            let session = opened(*number, || opencl::Session::open(DeviceKind::Any))?;
            run_on(arguments, output, &device, &session, silent, Some(measure::time))
        }
        DeviceName::LevelZero(number) => {
            let session = opened(*number, level_zero::Session::open)?;
            run_on(arguments, output, &device, &session, silent, Some(measure::time))
        }
    }
}

/// Finds nothing: drivers say as errors what is wrong with a launch.
fn silent<T>(_: &T) -> Option<String> {
    None
}

/// The device of a number in the list of `tiletc info`, or the first one.
fn opened<S: Session>(number: Option<usize>, first: impl FnOnce() -> Result<S, Error>) -> Result<S, Failure> {
    number.map_or_else(first, S::open_listed).map_err(|error| match error.status() {
        status @ Status::InvalidArguments => Failure::Usage(status, error.to_string()),
        _ => failed(error),
    })
}

fn run_on<S: Session>(
    arguments: &SelfTest,
    output: &mut Output,
    name: &DeviceName,
    session: &S,
    judge: fn(&ProfileOf<S>) -> Option<String>,
    clock: Option<measure::Clock<S>>,
) -> Result<(), Failure> {
    let info = session.core_info().map_err(failed)?;
    let classes = if arguments.classes.is_empty() { Class::ALL } else { &arguments.classes };
    if arguments.list {
        return list(classes, &info, session.can_record().map_err(failed)?, output);
    }
    let mut reference = if matches!(name, DeviceName::Virtual(_)) { None } else { twin(&info) };
    if let Some(twin) = &mut reference {
        twin.set_checks(Checks::NONE);
    }
    let target = Target { session, info: &info, judge, reference };
    if arguments.worker {
        if arguments.classes.is_empty() {
            let Some(clock) = clock else { return Ok(()) };
            return measure::all(session, &info, clock, |value| say(&Line::Other(value)));
        }
        for class in classes {
            for case in class.cases(&info) {
                say(&Line::Begin(case.name.clone()))?;
                say(&Line::End(case.name.clone(), target.run(&case, class.recording())))?;
            }
        }
        return Ok(());
    }
    let start = Instant::now();
    let has_driver = clock.is_some();
    let tested = test(classes, name, &target, has_driver)?;
    let mut measured = Vec::new();
    // Who asks for a class does not want to know how fast the device is.
    if has_driver && arguments.classes.is_empty() {
        let command = child(name, None)?;
        let ended = worker::watch(command, worker::PATIENCE, |line| {
            if let Line::Other(value) = line {
                measured.push(value);
            }
        });
        if let Err(reason) = ended {
            measured.push(json!({ "name": "measurements", "error": reason }));
        }
    }
    let about = About {
        device: name.to_string(),
        name: session.device_name().map_err(failed)?,
        driver: session.identity().map_err(failed)?,
        seconds: start.elapsed().as_secs_f64(),
    };
    about.finish(arguments, output, &info, &tested, &measured)
}

/// Writes a line for the process that reads them.
fn say(line: &Line) -> Result<(), Failure> {
    write_output(line.write().as_bytes())
}

/// This program, for the cases of a class, or for the measurements.
fn child(name: &DeviceName, class: Option<Class>) -> Result<Command, Failure> {
    let program = std::env::current_exe().map_err(|error| {
        Failure::Failed(Status::FileIoError, format!("cannot find this program to run it again: {error}"))
    })?;
    let mut command = Command::new(program);
    command.args(["selftest", "--worker", "--device", &name.to_string()]);
    if let Some(class) = class {
        command.args(["--class", class.name()]);
    }
    Ok(command)
}

/// Tests classes, each in a process of its own where there is a driver that might crash.
fn test<S: Session>(
    classes: &[Class],
    name: &DeviceName,
    target: &Target<'_, S>,
    has_driver: bool,
) -> Result<Vec<Tested>, Failure> {
    let can_record = target.session.can_record().map_err(failed)?;
    let planned: Vec<(Class, bool, Vec<case::Case>)> = classes
        .iter()
        .map(|&class| {
            let claimed = class.is_claimed(target.info, can_record);
            (class, claimed, if claimed { class.cases(target.info) } else { Vec::new() })
        })
        .collect();
    let bar = progress(planned.iter().map(|(_, _, cases)| cases.len()).sum());
    let mut tested = Vec::new();
    for (class, claimed, cases) in planned {
        bar.set_message(class.name());
        let mut verdicts = Vec::new();
        let mut aborted = None;
        let mut note = |case: String, verdict: Verdict| {
            verdicts.push((case, verdict));
            bar.inc(1);
        };
        if !cases.is_empty() && has_driver {
            let ended = worker::watch(child(name, Some(class))?, worker::PATIENCE, |line| {
                if let Line::End(case, verdict) = line {
                    note(case, verdict);
                }
            });
            aborted = ended.err();
        } else {
            for case in &cases {
                note(case.name.clone(), target.run(case, class.recording()));
            }
        }
        tested.push(Tested { class, claimed, cases: cases.len(), verdicts, aborted });
    }
    bar.finish_and_clear();
    Ok(tested)
}

/// A bar on a terminal, nothing elsewhere.
fn progress(cases: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(u64::try_from(cases).unwrap_or(u64::MAX));
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} {elapsed}") {
        bar.set_style(style);
    }
    bar
}

fn list(classes: &[Class], info: &CoreInfo, can_record: bool, output: &mut Output) -> Result<(), Failure> {
    let is_claimed = |class: &Class| class.is_claimed(info, can_record);
    let cases = |class: &Class| if is_claimed(class) { class.cases(info) } else { Vec::new() };
    let rows = classes.iter().map(|class| {
        vec![class.name().to_owned(), cases(class).len().to_string(), class.summary().to_owned()]
    });
    let text = table::table(&["class", "cases", "what it is"], rows, &[1]);
    let objects: Vec<Value> = classes
        .iter()
        .map(|class| {
            let names: Vec<String> = cases(class).into_iter().map(|case| case.name).collect();
            json!({ "class": class.name(), "claimed": is_claimed(class), "summary": class.summary(), "cases": names })
        })
        .collect();
    table::show(output, &text, json!({ "classes": objects }))
}

/// The device and the run.
struct About {
    device: String,
    name: String,
    driver: String,
    seconds: f64,
}

impl About {
    /// Shows the report; an error if a class fails.
    fn finish(
        &self,
        arguments: &SelfTest,
        output: &mut Output,
        info: &CoreInfo,
        tested: &[Tested],
        measured: &[Value],
    ) -> Result<(), Failure> {
        let claims = info.as_claimed();
        let features = SpirvFeature::ALL.iter().filter(|&&feature| claims.have(feature));
        let text = format!(
            "{} ({}), tiletc {VERSION}\n\n{}{}\n{:.1} s\n",
            self.device,
            self.name,
            report::text(tested, arguments.verbose),
            measure::text(measured),
            self.seconds,
        );
        let members = json!({
            "device": self.device,
            "name": self.name,
            "driver": self.driver,
            "version": VERSION,
            "features": features.map(|feature| feature.spelling()).collect::<Vec<_>>(),
            "avoided": info.avoided().iter().map(Avoidance::spelling).collect::<Vec<_>>(),
            "classes": tested.iter().map(|one| one.json(tested)).collect::<Vec<_>>(),
            "measurements": measured,
            "seconds": self.seconds,
        });
        table::show(output, &text, members)?;
        match report::failure(tested) {
            Some(message) => Err(Failure::Failed(Status::ComputeRuntimeError, message)),
            None => Ok(()),
        }
    }
}
