//! Runs what a file asks for and compares the outcome with the expected one.

use crate::directives::{Case, OUTPUT, Run, Step, split};
use crate::printed::difference;
use crate::session::{Refusal, Session};
use tiletc::ir::Text;

/// Compares what every `run` line yields with what the file says.
pub fn check(case: &Case) -> Result<(), String> {
    let found = outputs(case)?;
    let expected = Text::from(case.expected.as_deref().ok_or(format!("the file has no output; {BLESS}"))?);
    if expected == found {
        return Ok(());
    }
    let differences = difference(&expected, &found, case.expected_line);
    Err(format!("{differences}if that is right, {BLESS}"))
}

/// Writes what every `run` line yields into the file.
pub fn bless(case: &Case) -> Result<(), String> {
    let found = outputs(case)?;
    if case.expected.as_deref() == Some(found.as_bytes()) {
        return Ok(());
    }
    let text = std::fs::read(&case.path).map_err(|error| error.to_string())?;
    let text = [split(&text).0, b"\n", found.as_bytes()].concat();
    std::fs::write(&case.path, text).map_err(|error| error.to_string())
}

/// Command that writes expected outputs anew.
const BLESS: &str = "`cargo test --test filetests -- --bless` writes it, `-- --bless NAME` for some files";

/// Outputs of every `run` line, as the comments at the end of the file.
fn outputs(case: &Case) -> Result<Text, String> {
    let mut outputs = Text::default();
    for run in &case.runs {
        let output = outcome(case, run).map_err(|error| format!("{}: {error}", run.line))?;
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

/// The text that a run yields. Only its last step may fail, and it must if it shall.
fn outcome(case: &Case, run: &Run) -> Result<Text, String> {
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
        Ok(text) => Ok(text),
        Err(refusal) => Ok(refusal.report.into()),
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
