//! Runs what a file asks for and compares the outcome with the expected one.

use crate::directives::{Case, Run, Step};
use crate::printed::difference;
use crate::session::{Refusal, Session};
use tiletc::ir::Text;

/// Compares the outcome of every `run` line with the file beside, or writes that file.
pub fn check(case: &Case) -> Result<(), String> {
    let mut found = Text::default();
    for run in &case.runs {
        if case.runs.len() > 1 {
            found.push_str(&format!("; run: {}\n", run.line));
        }
        found.push_bytes(outcome(case, run).map_err(|error| format!("{}: {error}", run.line))?.as_bytes());
    }
    let expected_path = case.path.with_extension("out");
    if std::env::var_os("TILETC_BLESS").is_some() {
        return std::fs::write(&expected_path, found.as_bytes()).map_err(|error| error.to_string());
    }
    let expected = std::fs::read(&expected_path)
        .map(Text::from)
        .map_err(|error| format!("{}: {error}; TILETC_BLESS=1 writes it", expected_path.display()))?;
    if expected == found { Ok(()) } else { Err(difference(&expected, &found)) }
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
            session.compile(&run.info, &run.options).map(|module| module.disassemble().into())
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
