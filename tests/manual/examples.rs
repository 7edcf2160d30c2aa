//! The programs in the manual.

use crate::page::{Block, Page};
use crate::session::{Refusal, Session};
use crate::{Outcome, common, trial};
use libtest_mimic::Trial;
use tiletc::driver::{Error, Options};
use tiletc::status::Status;
use tiletc::target::CoreInfo;
use tiletc::{passes, syntax};

/// The name of a program in reports.
const NAME: &str = "kernel.ir";
/// The device of a program that names none.
const DEVICE: &str = "pvc";

/// What is expected of a block.
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// Compiles for the device.
    Compiles(String),
    /// Is refused for the device.
    Refused(String, Status),
    /// Is what the passes make of the example above.
    Passes(Vec<String>),
    /// Is the report on the refused example above.
    Report,
}

impl Expected {
    /// Reads what stands behind the fence; `None` if the block is no concern of the compiler.
    pub fn parse(info: &str) -> Result<Option<Expected>, String> {
        let mut parts = info.split(',');
        match parts.next() {
            Some("tensor") => {}
            Some("report") if info == "report" => return Ok(Some(Expected::Report)),
            Some("report") => return Err(format!("`{info}` is not understood")),
            _ => return Ok(None),
        }
        let (mut device, mut status, mut passes) = (DEVICE.to_owned(), None, None);
        for part in parts {
            match part.split_once('=') {
                Some(("device", name)) => device = name.to_owned(),
                Some(("error", name)) => {
                    let known = Status::ALL.iter().find(|status| status.spelling() == name);
                    status = Some(*known.ok_or_else(|| format!("`{name}` is no status"))?);
                }
                Some(("passes", names)) => passes = Some(names.split('+').map(str::to_owned).collect()),
                _ => return Err(format!("`{part}` is not understood")),
            }
        }
        Ok(Some(match (passes, status) {
            (Some(passes), None) => Expected::Passes(passes),
            (None, Some(status)) => Expected::Refused(device, status),
            (None, None) => Expected::Compiles(device),
            (Some(_), Some(_)) => return Err(format!("`{info}` asks for an outcome and a refusal")),
        }))
    }
}

/// One test for each block of a page that is a program or what becomes of one.
pub fn trials(page: &Page) -> Vec<Trial> {
    let mut trials = Vec::new();
    let mut last: Option<Block> = None;
    for block in &page.blocks {
        let place = format!("{}:{}", page.path, block.line);
        let (above, text) = (last.clone(), block.text.clone());
        match Expected::parse(&block.info) {
            Ok(Some(Expected::Compiles(device))) => {
                last = Some(block.clone());
                trials.push(trial(format!("example {place}"), move || compiles(&text, &device)));
            }
            Ok(Some(Expected::Refused(device, status))) => {
                last = Some(block.clone());
                trials.push(trial(format!("error {place}"), move || is_refused(&text, &device, status)));
            }
            Ok(Some(Expected::Passes(names))) => {
                trials.push(trial(format!("passes {place}"), move || becomes(above, &names, &text)));
            }
            Ok(Some(Expected::Report)) => {
                trials.push(trial(format!("report {place}"), move || is_reported(above, &text)));
            }
            Ok(None) if is_program(&block.text) => {
                let message = "a program is not tested; write `tensor` behind the fence";
                trials.push(trial(format!("block {place}"), || Err(message.to_owned())));
            }
            Ok(None) => {}
            Err(message) => trials.push(trial(format!("block {place}"), || Err(message))),
        }
    }
    trials
}

/// Whether a text holds functions of the language.
fn is_program(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("func @"))
}

fn device(name: &str) -> Result<CoreInfo, String> {
    CoreInfo::from_name(name).ok_or_else(|| format!("there is no device `{name}`"))
}

fn show(refusal: Refusal) -> String {
    refusal.to_string()
}

/// Parses, verifies, reads back, compiles, and the modules are valid.
pub fn compiles(text: &str, device_name: &str) -> Outcome {
    let info = device(device_name)?;
    let mut session = Session::parse(NAME, text.as_bytes()).map_err(show)?;
    session.run_pass("check-ir", &info, &Options::default()).map_err(show)?;
    let printed = session.print();
    let again = Session::parse("printed.ir", printed.as_bytes()).map_err(show)?.print();
    if again != printed {
        return Err(format!("printed:\n{printed}\nread and printed again:\n{again}"));
    }
    for level in [0, 2] {
        let options = Options { level, unsafe_fp_math: None };
        let mut session = Session::parse(NAME, text.as_bytes()).map_err(show)?;
        common::validate(&session.compile(&info, &options).map_err(show)?);
    }
    Ok(())
}

/// The parser, the verifier or the compiler refuses the program for this very reason.
pub fn is_refused(text: &str, device_name: &str, status: Status) -> Outcome {
    let refusal = refusal(text, device_name)?;
    let found = match &refusal.error {
        Error::Syntax(syntax::Error::Rule(violation)) | Error::Pass(passes::Error::Rule(violation)) => {
            violation.status
        }
        error => error.status(),
    };
    if found == status { Ok(()) } else { Err(format!("refused with {}:\n{refusal}", found.spelling())) }
}

fn refusal(text: &str, device_name: &str) -> Result<Refusal, String> {
    let info = device(device_name)?;
    let compile = |mut session: Session| session.compile(&info, &Options::default());
    match Session::parse(NAME, text.as_bytes()).and_then(compile) {
        Ok(_) => Err("it compiles".to_owned()),
        Err(refusal) => Ok(refusal),
    }
}

/// The passes turn the example into the text.
fn becomes(example: Option<Block>, names: &[String], text: &str) -> Outcome {
    let example = example.ok_or("no example stands above")?;
    let info = device(DEVICE)?;
    let mut session = Session::parse(NAME, example.text.as_bytes()).map_err(show)?;
    for name in names {
        session.run_pass(name, &info, &Options::default()).map_err(show)?;
    }
    let printed = session.print();
    if printed == text { Ok(()) } else { Err(format!("the passes make of it:\n{printed}")) }
}

/// The report on the example is the text.
fn is_reported(example: Option<Block>, text: &str) -> Outcome {
    let example = example.ok_or("no example stands above")?;
    let report = refusal(&example.text, DEVICE)?.report;
    if report == text { Ok(()) } else { Err(format!("the report is:\n{report}")) }
}
