//! Runs what a file asks for and compares the outcome with the expected one.

use crate::directives::{Case, OUTPUT, Run, Step, split};
use crate::session::{Refusal, Session};
use tiletc::driver::Options;
use tiletc::ir::Text;
use tiletc::passes::Pass;
use tiletc::target::CoreInfo;

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

/// How expected outputs are written.
const BLESS: &str = "`cargo test --test filetests -- --bless` writes it, `-- --bless NAME` for some files";

/// What every `run` line yields, as the comments at the end of the file.
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

/// The printed form of a program is the same program, as parsed and after every pass.
pub fn reads_back(case: &Case) -> Result<(), String> {
    let name = case.name();
    let parse = || Session::parse(&name, &case.text).map_err(|refusal| refusal.to_string());
    is_what_it_says(&name, &parse()?)?;
    let info = CoreInfo::from_name("pvc").ok_or("no pvc")?;
    let mut lowered = parse()?;
    for pass in LOWERING {
        if lowered.run_pass(pass, &info, &Options::default()).is_err() {
            break;
        }
        is_what_it_says(&name, &lowered).map_err(|error| format!("lowered up to {pass}: {error}"))?;
    }
    for pass in Pass::names() {
        let mut session = parse()?;
        if session.run_pass(pass, &info, &Options::default()).is_ok() {
            is_what_it_says(&name, &session).map_err(|error| format!("after {pass}: {error}"))?;
        }
    }
    Ok(())
}

/// The passes in the order of `spec/lowering.md` 1.2.
const LOWERING: &[&str] = &[
    "constant-propagation",
    "dead-code-elimination",
    "insert-lifetime-stop",
    "set-stack-ptr",
    "insert-barrier",
    "work-group-size",
    "lower-linalg",
    "lower-foreach",
    "lower-coopmatrix",
    "constant-propagation",
    "dead-code-elimination",
];

/// Parsing what a program prints gives a program that prints the same.
pub fn is_what_it_says(name: &str, session: &Session) -> Result<(), String> {
    let first = without_what_has_no_token(&session.print());
    let second = Session::parse(name, first.as_bytes())
        .map_err(|refusal| format!("the printed form is refused:\n{refusal}"))?
        .print();
    if first == second { Ok(()) } else { Err(difference(&first, &second, 1)) }
}

/// Leaves out `lifetime_stop` and the comments with stack offsets, which only the compiler writes.
fn without_what_has_no_token(text: &Text) -> Text {
    let mut kept = Text::default();
    for line in text.as_bytes().split_inclusive(|&byte| byte == b'\n') {
        let shown = String::from_utf8_lossy(line);
        match shown.split_once(" ; stack_ptr: ") {
            _ if shown.trim_start().starts_with("lifetime_stop %") => {}
            Some((before, _)) => kept.push_str(&format!("{before}\n")),
            None => kept.push_bytes(line),
        }
    }
    kept
}

/// Shows where two texts differ, whose first line has this number: what they share at start and end is left out but
/// for a few lines.
fn difference(expected: &Text, found: &Text, first_line: usize) -> String {
    const CONTEXT: usize = 3;
    let (expected, found) = (expected.to_string(), found.to_string());
    if expected == found {
        return "differs in bytes that are no UTF-8\n".to_owned();
    }
    let expected: Vec<&str> = expected.split('\n').collect();
    let found: Vec<&str> = found.split('\n').collect();
    let shared = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| pairs.take_while(|(a, b)| a == b).count();
    let head = shared(&mut expected.iter().zip(&found));
    let most = expected.len().min(found.len()) - head;
    let tail = shared(&mut expected.iter().rev().zip(found.iter().rev()).take(most));
    let mut text = format!("differs from line {} on (- expected, + found):\n", head + first_line);
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
