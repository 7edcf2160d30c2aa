//! Checks that the printed form of a program is that program.

use crate::session::Session;
use tiletc::device::CoreInfo;
use tiletc::driver::Options;
use tiletc::ir::Text;
use tiletc::passes::Pass;

/// The printed form of a program is the same program, as parsed and after every pass.
pub fn reads_back(name: &str, text: &[u8]) -> Result<(), String> {
    let parse = || Session::parse(name, text).map_err(|refusal| refusal.to_string());
    is_what_it_says(name, &parse()?)?;
    let info = CoreInfo::from_name("pvc").ok_or("no pvc")?;
    let mut lowered = parse()?;
    for pass in LOWERING {
        if lowered.run_pass(pass, &info, &Options::default()).is_err() {
            break;
        }
        is_what_it_says(name, &lowered).map_err(|error| format!("lowered up to {pass}: {error}"))?;
    }
    for pass in Pass::names() {
        let mut session = parse()?;
        if session.run_pass(pass, &info, &Options::default()).is_ok() {
            is_what_it_says(name, &session).map_err(|error| format!("after {pass}: {error}"))?;
        }
    }
    Ok(())
}

/// The passes in the order of lowering reference 1.2.
pub const LOWERING: &[&str] = &[
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

/// Leaves out `lifetime_stop` and the notes of passes, which only the compiler writes.
fn without_what_has_no_token(text: &Text) -> Text {
    let mut kept = Text::default();
    for line in text.as_bytes().split_inclusive(|&byte| byte == b'\n') {
        let shown = String::from_utf8_lossy(line);
        let note = [" ; stack_ptr: ", " ; io: ", " ; schedule: "]
            .into_iter()
            .find_map(|note| shown.split_once(note));
        match note {
            _ if shown.trim_start().starts_with("lifetime_stop %") => {}
            Some((before, _)) => kept.push_str(&format!("{before}\n")),
            None => kept.push_bytes(line),
        }
    }
    kept
}

/// Shows where two texts differ, whose first line has this number: what they share at start and end is left out but
/// for a few lines.
pub fn difference(expected: &Text, found: &Text, first_line: usize) -> String {
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
