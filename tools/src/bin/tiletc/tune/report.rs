//! Results of tuning for people and as JSON.

use super::candidate::Candidate;
use crate::common::{self, Failure, Output};
use crate::table::{show as show_text, table};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use tiletc::tuning::{Config, Figure};

/// Configs that are shown without `--all`.
const SHOWN: usize = 5;

/// Says something beside the results: on standard error, and as a warning in the document.
pub fn warn(note: &str, output: &mut Output) {
    // If standard error is closed the exit code has to do.
    let _ = writeln!(std::io::stderr(), "{note}");
    output.diagnose(common::output::warning(note));
}

/// The attributes of a config for people.
pub fn attributes(config: &Config) -> String {
    if config.is_empty() { "the compiler's choice".to_owned() } else { config.to_string() }
}

fn definitions(candidate: &Candidate) -> String {
    candidate.definitions.iter().map(|(name, value)| format!("{name}={value} ")).collect()
}

fn seconds(time: f64) -> String {
    let (scale, unit) = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")]
        .into_iter()
        .find(|(scale, _)| time >= *scale)
        .unwrap_or((1e-9, "ns"));
    format!("{:.3} {unit}", time / scale)
}

/// The time of a config for people.
pub fn shown(figure: &Figure) -> String {
    match figure {
        Figure::Measured { seconds: time, .. } if !figure.has_interval() => seconds(*time),
        Figure::Measured { seconds: time, interval: [lower, upper], .. } => {
            let half = 50.0 * (upper - lower) / time;
            format!("{} ±{half:.1} %", seconds(*time))
        }
        Figure::Estimated { cycles } if *cycles < f64::MAX => format!("{cycles:.0} cycles"),
        Figure::Estimated { .. } => "unknown".to_owned(),
        Figure::Failed(reason) => reason.lines().next().unwrap_or_default().to_owned(),
    }
}

/// Reasons why configs are out of the question, each once.
pub fn reasons(candidates: &[Candidate]) -> String {
    let mut text = String::new();
    for candidate in candidates {
        if let Figure::Failed(reason) = &candidate.tried.figure {
            let _ =
                writeln!(text, "{}{}: {reason}", definitions(candidate), attributes(&candidate.tried.config));
        }
    }
    text
}

/// Shows the configs, the best first.
pub fn show(
    candidates: &[Candidate],
    is_all: bool,
    on: &str,
    kept: Result<Option<&Path>, &Failure>,
    output: &mut Output,
) -> Result<(), Failure> {
    let Some(best) = candidates.first() else { return Ok(()) };
    let is_measured = matches!(best.tried.figure, Figure::Measured { .. });
    let usable = candidates.iter().filter(|candidate| !candidate.tried.is_out()).count();
    let admitted = candidates.iter().filter(|candidate| !candidate.is_excluded).count();
    let kind = if is_measured { "measured" } else { "estimated" };
    let of = if is_measured { best.tried.figure.to_string() } else { format!("{kind} on {on}") };
    let mut text = format!("@{}, {of}: {usable} of {admitted} configs are usable\n\n", best.function);
    let visible = candidates.iter().filter(|candidate| is_all || !candidate.tried.is_out());
    let rows = visible.take(if is_all { usize::MAX } else { SHOWN }).map(|candidate| {
        let ratio = candidate.tried.time() / best.tried.time();
        let is_same_kind = candidate.tried.figure.rank().0 == best.tried.figure.rank().0 && ratio.is_finite();
        let ratio = if is_same_kind { format!("{ratio:.3}") } else { String::new() };
        vec![
            shown(&candidate.tried.figure),
            ratio,
            format!("{}{}", definitions(candidate), attributes(&candidate.tried.config)),
        ]
    });
    text += &table(&["time", "ratio", "config"], rows, &[1]);
    text.push('\n');
    if !best.tried.config.is_empty() && !best.tried.is_out() {
        let _ = writeln!(text, "attributes{{{}}}", best.tried.config);
    }
    if !best.definitions.is_empty() && !best.tried.is_out() {
        let options: Vec<String> =
            best.definitions.iter().map(|(name, value)| format!("-D {name}={value}")).collect();
        let _ = writeln!(text, "{}", options.join(" "));
    }
    match kept {
        Ok(Some(path)) => {
            let _ = writeln!(text, "kept in {}", path.display());
        }
        Ok(None) => text += "kept nowhere; name a table with --table\n",
        Err(_) => text += "kept nowhere\n",
    }
    let entries: Vec<Value> = candidates.iter().map(entry).collect();
    let members = json!({ "function": best.function, "kind": kind, "on": on, "configs": entries });
    show_text(output, &text, members)
}

fn entry(candidate: &Candidate) -> Value {
    serde_json::to_value(candidate.entry()).unwrap_or_default()
}

/// A sentence about what was done until Ctrl-C.
pub fn interrupted(candidates: &[Candidate]) -> String {
    let usable = candidates.iter().filter(|candidate| !candidate.tried.is_out());
    let compiled = usable.clone().count();
    let compared = usable.clone().filter(|candidate| candidate.is_checked).count();
    let timed = usable.filter(|candidate| matches!(candidate.tried.figure, Figure::Measured { .. })).count();
    format!(
        "interrupted: {compiled} usable configs were compiled, the results of {compared} compared, {timed} timed"
    )
}
