//! The programs in the manual.

use crate::page::{Block, Page};
use crate::session::{Refusal, Session};
use crate::{Outcome, common, cpp, runs, trial};
use libtest_mimic::Trial;
use std::path::Path;
use tiletc::device::CoreInfo;
use tiletc::driver::{Error, Options};
use tiletc::status::Status;
use tiletc::{passes, syntax};

/// The name of a program in reports.
const NAME: &str = "kernel.ir";
/// The device of a program that names none.
const DEVICE: &str = "pvc";
/// The page with the function whose lines other examples are.
const SETTING: &str = "docs/src/language/conventions.md";

/// Expected outcome of a block.
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// Compiles for the device.
    Compiles(String),
    /// Passes parser and verifier.
    Checked,
    /// Does so as lines of a function.
    Lines,
    /// Does so as lines of a parallel region.
    SpmdLines,
    /// Is refused for the device.
    Refused(String, Status),
    /// Is what the passes make of the example above.
    Passes(Vec<String>),
    /// Is the report on the refused example above.
    Report,
    /// Is what memory holds before and after a run of the example above.
    Run,
}

impl Expected {
    /// Reads what stands behind the fence; `None` if the block is no concern of the compiler.
    pub fn parse(info: &str) -> Result<Option<Expected>, String> {
        match info {
            "report" => return Ok(Some(Expected::Report)),
            "run" => return Ok(Some(Expected::Run)),
            "tensor,checked" => return Ok(Some(Expected::Checked)),
            "tensor,lines" => return Ok(Some(Expected::Lines)),
            "tensor,spmd-lines" => return Ok(Some(Expected::SpmdLines)),
            _ => {}
        }
        let mut parts = info.split(',');
        match parts.next() {
            Some("tensor") => {}
            Some("report" | "run") => return Err(format!("`{info}` is not understood")),
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
    for (block, expected, above) in examined(page) {
        let place = format!("{}:{}", page.path, block.line);
        let (text, above) = (block.text.clone(), above.cloned());
        trials.push(match expected {
            Ok(Expected::Compiles(device)) => {
                trial(format!("example {place}"), move || compiles(&text, &device))
            }
            Ok(Expected::Checked) => trial(format!("example {place}"), move || checks(&text)),
            Ok(kind @ (Expected::Lines | Expected::SpmdLines)) => {
                let spmd = kind == Expected::SpmdLines;
                trial(format!("lines {place}"), move || checks(&in_setting(&text, spmd)?))
            }
            Ok(Expected::Refused(device, status)) => {
                let announced = block.announced.clone();
                trial(format!("error {place}"), move || {
                    is_announced(&announced, status)?;
                    is_refused(&text, &device, status)
                })
            }
            Ok(Expected::Run) => trial(format!("run {place}"), move || runs_as_told(above.as_ref(), &text)),
            Ok(expected) => trial(format!("outcome {place}"), move || {
                let found = outcome_of(above.as_ref(), &expected)?;
                if found == text { Ok(()) } else { Err(format!("it should be:\n{found}")) }
            }),
            Err(message) => trial(format!("block {place}"), || Err(message)),
        });
    }
    trials
}

/// A block, what is expected of it, and the last example above.
type Examined<'a> = (&'a Block, Result<Expected, String>, Option<&'a Block>);

/// The blocks that are programs or what becomes of one.
fn examined(page: &Page) -> Vec<Examined<'_>> {
    let mut examined = Vec::new();
    let mut example = None;
    for block in &page.blocks {
        match Expected::parse(&block.info) {
            Ok(None) if block.info != "console" && is_program(&block.text) => {
                let message = "a program is not tested; write `tensor` behind the fence";
                examined.push((block, Err(message.to_owned()), example));
            }
            Ok(None) => {}
            expected => {
                let expected = expected.and_then(|expected| expected.ok_or_else(String::new));
                examined.push((block, expected.clone(), example));
                if let Ok(Expected::Compiles(_) | Expected::Checked | Expected::Refused(..)) = expected {
                    example = Some(block);
                }
            }
        }
    }
    examined
}

/// Writes the blocks that tell what becomes of an example, and those that show a whole file, anew.
pub fn bless(root: &Path, pages: &[Page]) -> Outcome {
    for page in pages {
        let path = root.join(&page.path);
        let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
        let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
        // For each block its line, how many it has, and what they ought to be
        let mut outcomes = cpp::blessed(root, page)?;
        for (block, expected, above) in examined(page) {
            if let Ok(expected @ (Expected::Passes(_) | Expected::Report)) = expected {
                outcomes.push((block.line, block.text.lines().count(), outcome_of(above, &expected)?));
            }
        }
        // The last one first, so that the lines of the others stay where they are.
        outcomes.sort_unstable();
        for (line, count, outcome) in outcomes.iter().rev() {
            lines.splice(*line..line + count, [outcome.as_str()]);
        }
        std::fs::write(&path, lines.concat()).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Returns whether a text holds functions of the language.
fn is_program(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("func @"))
}

fn device(name: &str) -> Result<CoreInfo, String> {
    CoreInfo::from_name(name).ok_or_else(|| format!("there is no device `{name}`"))
}

fn show(refusal: Refusal) -> String {
    refusal.to_string()
}

/// Parses, verifies and reads back.
pub fn checks(text: &str) -> Outcome {
    let mut session = Session::parse(NAME, text.as_bytes()).map_err(show)?;
    session.run_pass("check-ir", &device(DEVICE)?, &Options::default()).map_err(show)?;
    let printed = session.print();
    let again = Session::parse("printed.ir", printed.as_bytes()).map_err(show)?.print();
    if again == printed {
        Ok(())
    } else {
        Err(format!("printed:\n{printed}\nread and printed again:\n{again}"))
    }
}

/// Lines as part of the function that the page of conventions shows, in a parallel region of it if they are SPMD.
pub fn in_setting(lines: &str, spmd: bool) -> Result<String, String> {
    let page = Page::parse(SETTING.to_owned(), include_str!("../../docs/src/language/conventions.md"));
    let find = |info: &str| {
        let block = page.blocks.iter().find(|block| block.info == info);
        block.map(|block| block.text.as_str()).ok_or_else(|| format!("{SETTING} has no block `{info}`"))
    };
    let function = find("tensor,checked")?;
    let opened =
        function.strip_suffix("}\n").ok_or_else(|| format!("{SETTING}: the function does not end"))?;
    Ok(if spmd {
        format!("{opened}parallel {{\n{}{lines}}}\n}}\n", find("spmd-setting")?)
    } else {
        format!("{opened}{lines}}}\n")
    })
}

/// Parses, verifies, reads back, compiles, and the modules are valid.
pub fn compiles(text: &str, device_name: &str) -> Outcome {
    checks(text)?;
    let info = device(device_name)?;
    for level in [0, 2] {
        let options = Options { level, ..Options::default() };
        let mut session = Session::parse(NAME, text.as_bytes()).map_err(show)?;
        common::validate(&session.compile(&info, &options).map_err(show)?);
    }
    Ok(())
}

/// The text before the program says what is wrong with it, since readers do not see the fence.
pub fn is_announced(announced: &[String], status: Status) -> Outcome {
    let name = status.spelling();
    if announced.iter().any(|code| code == name) {
        Ok(())
    } else {
        Err(format!("the text before does not name `{name}`"))
    }
}

/// The parser, the verifier or the compiler refuses the program for this very reason.
pub fn is_refused(text: &str, device_name: &str, status: Status) -> Outcome {
    let refusal = refusal(text, device_name)?;
    let found = match refusal.error.as_ref() {
        Error::Syntax(syntax::Error::Rule(error)) | Error::Pass(passes::Error::Rule(error)) => error.status,
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

/// Checks that memory holds after a run what the text says.
pub fn runs_as_told(example: Option<&Block>, contents: &str) -> Outcome {
    let example = example.ok_or("no example stands above")?;
    match Expected::parse(&example.info)? {
        Some(Expected::Compiles(device)) => runs::check(&example.text, contents, &device),
        _ => Err("the example above does not compile".to_owned()),
    }
}

/// Outcome of an example: the program or the dump after passes, or the report.
fn outcome_of(example: Option<&Block>, expected: &Expected) -> Result<String, String> {
    let example = example.ok_or("no example stands above")?;
    let Expected::Passes(names) = expected else {
        return Ok(refusal(&example.text, DEVICE)?.report);
    };
    let info = device(DEVICE)?;
    let mut session = Session::parse(NAME, example.text.as_bytes()).map_err(show)?;
    let mut output = String::new();
    for name in names {
        output.push_str(&session.run_pass(name, &info, &Options::default()).map_err(show)?.to_string());
    }
    Ok(if output.is_empty() { session.print().to_string() } else { output })
}
