//! Runs what a file asks for and compares the outcome with the expected one.

use crate::directives::{Case, ERROR, OUTPUT, Run, Step, split};
use crate::printed::difference;
use crate::session::{Refusal, Session};
use tiletc::ir::Text;

/// Compares what every `run` line yields with what the file says.
pub fn check(case: &Case) -> Result<(), String> {
    let found = outcomes(case)?;
    let expected = Text::from(case.expected.as_deref().ok_or(format!("the file has no outcome; {BLESS}"))?);
    if expected == found {
        return Ok(());
    }
    let differences = difference(&expected, &found, case.expected_line);
    Err(format!("{differences}if that is right, {BLESS}"))
}

/// Writes what every `run` line yields into the file.
pub fn bless(case: &Case) -> Result<(), String> {
    let found = outcomes(case)?;
    if case.expected.as_deref() == Some(found.as_bytes()) {
        return Ok(());
    }
    let text = std::fs::read(&case.path).map_err(|error| error.to_string())?;
    let gap: &[u8] = if found.as_bytes().starts_with(OUTPUT.as_bytes()) { b"\n" } else { b"" };
    let text = [split(&text).0, gap, found.as_bytes()].concat();
    std::fs::write(&case.path, text).map_err(|error| error.to_string())
}

/// Command that writes expected outcomes anew.
const BLESS: &str = "`cargo test --test filetests -- --bless` writes it, `-- --bless NAME` for some files";

/// Outcomes of all `run` lines, as the comments at the end of the file: where all are errors and the file shows no
/// reports, a line each, or a single one if they are the same.
fn outcomes(case: &Case) -> Result<Text, String> {
    let of = |run| outcome(case, run).map_err(|error| format!("{}: {error}", run.line));
    let outcomes = case.runs.iter().map(of).collect::<Result<Vec<_>, String>>()?;
    let shows_reports =
        case.expected.as_ref().is_some_and(|expected| expected.starts_with(OUTPUT.as_bytes()));
    let errors: Option<Vec<String>> =
        outcomes.iter().map(|outcome| Some(error_line(outcome.as_ref().err()?))).collect();
    if let Some(mut errors) = errors
        && !shows_reports
    {
        if errors.iter().all(|error| errors.first() == Some(error)) {
            errors.truncate(1);
        }
        return Ok(errors.concat().into());
    }
    let mut outputs = Text::default();
    for (run, outcome) in case.runs.iter().zip(outcomes) {
        let output = outcome.unwrap_or_else(|refusal| refusal.report.into());
        outputs.push_str(OUTPUT);
        if case.runs.len() > 1 {
            outputs.push_str(&format!(" {}", run.line));
        }
        outputs.push_str("\n");
        for line in output.as_bytes().split_inclusive(|&byte| byte == b'\n') {
            outputs.push_str(if line == b"\n" { ";" } else { "; " });
            outputs.push_bytes(line);
        }
    }
    Ok(outputs)
}

/// Status, places and messages of an error, without the source lines that a report shows.
fn error_line(refusal: &Refusal) -> String {
    format!("{ERROR}{} {}\n", refusal.error.status().spelling(), refusal.heads.join(" | "))
}

/// The text or the error that a run yields. Only its last step may fail, and it must if it shall.
fn outcome(case: &Case, run: &Run) -> Result<Result<Text, Refusal>, String> {
    let result = Session::parse(&case.name(), &case.text);
    let result = match &run.step {
        Step::Print => result.map(|session| session.print()),
        Step::Opt(passes) => {
            let mut session = result.map_err(|refusal| refusal.to_string())?;
            opt(&mut session, run, passes)?
        }
        Step::Compile => {
            let mut session = result.map_err(|refusal| refusal.to_string())?;
            let module = session.compile(&run.info, &run.options);
            // With other options it is validated for every device.
            if let (Ok(module), true) = (&module, run.options.keep_lines) {
                crate::devices::validate(&module.words())?;
            }
            module.map(|module| module.disassemble().into())
        }
    };
    match result {
        Ok(text) if run.refuse => Err(format!("accepted:\n{text}")),
        Err(refusal) if !run.refuse => Err(format!("refused:\n{refusal}")),
        result => Ok(result),
    }
}

/// Runs passes, all but the last of which must succeed: the dump that the last one is, or the program.
fn opt(session: &mut Session, run: &Run, passes: &[String]) -> Result<Result<Text, Refusal>, String> {
    let (last, before) = passes.split_last().ok_or("no pass is named")?;
    for pass in before {
        session.run_pass(pass, &run.info, &run.options).map_err(|refusal| refusal.to_string())?;
    }
    let dump = session.run_pass(last, &run.info, &run.options);
    Ok(dump.map(|dump| if last.starts_with("dump-") { dump } else { session.print() }))
}
