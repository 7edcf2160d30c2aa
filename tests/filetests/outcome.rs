//! Runs what a file asks for and compares the outcome with the expected one.

use crate::directives::{Case, Run, Step};
use crate::session::{Refusal, Session};

/// Compares the outcome of every `run` line with the file beside, or writes that file.
pub fn check(case: &Case) -> Result<(), String> {
    let mut found = String::new();
    for run in &case.runs {
        if case.runs.len() > 1 {
            found.push_str(&format!("; run: {}\n", run.line));
        }
        found.push_str(&outcome(case, run).map_err(|error| format!("{}: {error}", run.line))?);
    }
    let expected_path = case.path.with_extension("out");
    if std::env::var_os("TILETC_BLESS").is_some() {
        return std::fs::write(&expected_path, found).map_err(|error| error.to_string());
    }
    let expected = std::fs::read_to_string(&expected_path)
        .map_err(|error| format!("{}: {error}; TILETC_BLESS=1 writes it", expected_path.display()))?;
    if expected == found { Ok(()) } else { Err(difference(&expected, &found)) }
}

/// The text that a run yields. Only its last step may fail, and it must if it shall.
fn outcome(case: &Case, run: &Run) -> Result<String, String> {
    let result = Session::parse(&case.name(), &case.text);
    let result = match &run.step {
        Step::Print => result.map(|session| session.print()),
        Step::Opt(passes) => {
            let mut session = result.map_err(|refusal| refusal.to_string())?;
            opt(&mut session, run, passes)?
        }
        Step::Compile => {
            let mut session = result.map_err(|refusal| refusal.to_string())?;
            session.compile(&run.info, &run.options).map(|module| module.disassemble())
        }
    };
    match result {
        Ok(text) if run.refuse => Err(format!("accepted:\n{text}")),
        Err(refusal) if !run.refuse => Err(format!("refused:\n{refusal}")),
        Ok(text) | Err(Refusal { report: text, .. }) => Ok(text),
    }
}

/// Runs passes, all but the last of which must succeed: the dump that the last one is, or the program.
fn opt(session: &mut Session, run: &Run, passes: &[String]) -> Result<Result<String, Refusal>, String> {
    let (last, before) = passes.split_last().ok_or("no pass is named")?;
    for pass in before {
        session.run_pass(pass, &run.info, &run.options).map_err(|refusal| refusal.to_string())?;
    }
    let dump = session.run_pass(last, &run.info, &run.options);
    Ok(dump.map(|dump| if last.starts_with("dump-") { dump } else { session.print() }))
}

/// The printed form of a program is the same program.
pub fn reads_back(case: &Case) -> Result<(), String> {
    let name = case.name();
    let first = Session::parse(&name, &case.text).map_err(|refusal| refusal.to_string())?.print();
    let second = Session::parse(&name, first.as_bytes())
        .map_err(|refusal| format!("the printed form is refused:\n{refusal}"))?
        .print();
    if first == second { Ok(()) } else { Err(difference(&first, &second)) }
}

/// Shows where two texts differ: what they share at start and end is left out but for a few lines.
fn difference(expected: &str, found: &str) -> String {
    const CONTEXT: usize = 3;
    let expected: Vec<&str> = expected.split('\n').collect();
    let found: Vec<&str> = found.split('\n').collect();
    let shared = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| pairs.take_while(|(a, b)| a == b).count();
    let head = shared(&mut expected.iter().zip(&found));
    let most = expected.len().min(found.len()) - head;
    let tail = shared(&mut expected.iter().rev().zip(found.iter().rev()).take(most));
    let mut text = format!("differs from line {} on (- expected, + found):\n", head + 1);
    let mut show = |mark: char, lines: &[&str], from: usize, to: usize| {
        for line in lines.iter().take(to).skip(from) {
            text.push_str(&format!("{mark} {line}\n"));
        }
    };
    show(' ', &expected, head.saturating_sub(CONTEXT), head);
    show('-', &expected, head, expected.len() - tail);
    show('+', &found, head, found.len() - tail);
    show(' ', &expected, expected.len() - tail, expected.len() - tail + CONTEXT);
    text
}
