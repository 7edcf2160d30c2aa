//! The report of a self-test, for people and as JSON.

use super::class::Class;
use super::runner::Verdict;
use crate::table::table;
use serde_json::{Value, json};

/// Reasons shown of each class unless all are asked for.
const SHOWN: usize = 2;

/// Results of a class.
#[derive(Clone, Debug)]
pub struct Tested {
    pub class: Class,
    pub claimed: bool,
    pub cases: usize,
    /// Cases and what came of them, as far as they were run.
    pub verdicts: Vec<(String, Verdict)>,
    /// Reason why the rest was not run.
    pub aborted: Option<String>,
}

/// State of a class on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    NotClaimed,
    Works,
    Fails,
    /// It was asked not to be used.
    NotUsed,
}

impl Found {
    pub fn spelling(self) -> &'static str {
        match self {
            Found::NotClaimed => "not claimed",
            Found::Works => "works",
            Found::Fails => "fails",
            Found::NotUsed => "not used",
        }
    }
}

impl Tested {
    pub fn found(&self) -> Found {
        let is_failed = |(_, verdict): &(String, Verdict)| matches!(verdict, Verdict::Failed(_));
        if !self.claimed {
            Found::NotClaimed
        } else if self.aborted.is_some() || self.verdicts.iter().any(is_failed) {
            Found::Fails
        } else if self.passed() == 0 {
            Found::NotUsed
        } else {
            Found::Works
        }
    }

    fn passed(&self) -> usize {
        self.verdicts.iter().filter(|(_, verdict)| *verdict == Verdict::Passed).count()
    }

    fn unused(&self) -> usize {
        self.verdicts.iter().filter(|(_, verdict)| *verdict == Verdict::Unused).count()
    }

    fn failures(&self) -> impl Iterator<Item = (&str, &str)> {
        let failed = self.verdicts.iter().filter_map(|(case, verdict)| match verdict {
            Verdict::Failed(reason) => Some((case.as_str(), reason.as_str())),
            Verdict::Passed | Verdict::Unused => None,
        });
        failed.chain(self.aborted.iter().map(|reason| ("", reason.as_str())))
    }

    /// What to do about a class that fails.
    fn advice(&self) -> Option<String> {
        (self.found() == Found::Fails).then(|| {
            if self.class.is_avoidable() {
                format!("set TILETC_AVOID={}", self.class.name())
            } else {
                "the compiler cannot do without it: renew the driver, or report this to its vendor".to_owned()
            }
        })
    }

    pub fn json(&self) -> Value {
        let failures = self.failures().map(|(case, reason)| json!({ "case": case, "reason": reason }));
        json!({
            "class": self.class.name(),
            "claimed": self.claimed,
            "found": self.found().spelling(),
            "cases": self.cases,
            "passed": self.passed(),
            "unused": self.unused(),
            "failures": failures.collect::<Vec<_>>(),
            "advice": self.advice(),
        })
    }
}

/// The table of all classes, then what is wrong with each.
pub fn text(tested: &[Tested], verbose: bool) -> String {
    let rows = tested.iter().map(|tested| {
        let count = |number: usize| if tested.claimed { number.to_string() } else { "-".to_owned() };
        vec![
            tested.class.name().to_owned(),
            tested.found().spelling().to_owned(),
            count(tested.cases),
            count(tested.passed()),
            tested.class.summary().to_owned(),
        ]
    });
    let mut text = table(&["class", "found", "cases", "passed", "what it is"], rows, &[2, 3]);
    for tested in tested {
        let Some(advice) = tested.advice() else { continue };
        text += &format!("\n{} fails: {advice}\n", tested.class.name());
        let all = tested.failures().count();
        let shown = if verbose { all } else { SHOWN };
        for (case, reason) in tested.failures().take(shown) {
            let colon = if case.is_empty() { "" } else { ": " };
            text += &format!("    {case}{colon}{reason}\n");
        }
        if all > shown {
            text += &format!("    and {} more; -v shows all\n", all - shown);
        }
    }
    text
}

/// One line about all classes that fail; none if none does.
pub fn failure(tested: &[Tested]) -> Option<String> {
    let failed = || tested.iter().filter(|tested| tested.found() == Found::Fails);
    let names: Vec<&str> = failed().map(|tested| tested.class.name()).collect();
    if names.is_empty() {
        return None;
    }
    let avoided: Vec<&str> =
        failed().filter(|tested| tested.class.is_avoidable()).map(|tested| tested.class.name()).collect();
    let advice = match avoided.as_slice() {
        [] => String::new(),
        names => format!("; set TILETC_AVOID={}", names.join(",")),
    };
    let verb = if names.len() == 1 { "fails" } else { "fail" };
    Some(format!("{} {verb}{advice}", names.join(", ")))
}
