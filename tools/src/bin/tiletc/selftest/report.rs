//! The report of a self-test, for people and as JSON.

use super::class::Class;
use super::runner::Verdict;
use crate::table::table;
use serde_json::{Value, json};
use tiletc::device::Avoidances;

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

    /// Classes that fail, too, and on which this one rests.
    fn causes(&self, all: &[Tested]) -> Vec<&'static str> {
        let failed = all.iter().filter(|other| other.found() == Found::Fails);
        failed.map(|other| other.class).filter(|&class| self.class.uses(class)).map(Class::name).collect()
    }

    /// Advice about a class that fails.
    fn advice(&self, all: &[Tested]) -> Option<String> {
        (self.found() == Found::Fails).then(|| {
            let causes = self.causes(all);
            if !causes.is_empty() {
                format!("first see to {}, which it uses", causes.join(", "))
            } else if let Some(avoidance) = self.class.avoidance() {
                format!("set TILETC_AVOID={}", avoidance.spelling())
            } else {
                "the compiler cannot do without it: renew the driver, or report this to its vendor".to_owned()
            }
        })
    }

    pub fn json(&self, all: &[Tested]) -> Value {
        let failures = self.failures().map(|(case, reason)| json!({ "case": case, "reason": reason }));
        json!({
            "class": self.class.name(),
            "claimed": self.claimed,
            "found": self.found().spelling(),
            "cases": self.cases,
            "passed": self.passed(),
            "unused": self.unused(),
            "failures": failures.collect::<Vec<_>>(),
            "causes": self.causes(all),
            "advice": self.advice(all),
        })
    }
}

/// The table of all classes, then what is wrong with each.
pub fn text(all: &[Tested], verbose: bool) -> String {
    let rows = all.iter().map(|tested| {
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
    for tested in all {
        let Some(advice) = tested.advice(all) else { continue };
        text += &format!("\n{} fails: {advice}\n", tested.class.name());
        let count = tested.failures().count();
        let shown = if verbose { count } else { SHOWN };
        for (case, reason) in tested.failures().take(shown) {
            let colon = if case.is_empty() { "" } else { ": " };
            text += &format!("    {case}{colon}{reason}\n");
        }
        if count > shown {
            text += &format!("    and {} more; -v shows all\n", count - shown);
        }
    }
    text
}

/// One line about the classes that fail and rest on none that does; none if all work.
pub fn failure(all: &[Tested]) -> Option<String> {
    let (first, others): (Vec<&Tested>, Vec<&Tested>) = all
        .iter()
        .filter(|tested| tested.found() == Found::Fails)
        .partition(|tested| tested.causes(all).is_empty());
    if first.is_empty() {
        return None;
    }
    let names =
        |tested: &[&Tested]| -> Vec<&str> { tested.iter().map(|tested| tested.class.name()).collect() };
    let verb = if first.len() == 1 { "fails" } else { "fail" };
    let mut message = format!("{} {verb}", names(&first).join(", "));
    if !others.is_empty() {
        message += &format!(", and with that {}", names(&others).join(", "));
    }
    let avoided: Avoidances = first.into_iter().filter_map(|tested| tested.class.avoidance()).collect();
    if avoided != Avoidances::default() {
        message += &format!("; set TILETC_AVOID={}", avoided.to_string().replace(' ', ""));
    }
    Some(message)
}
