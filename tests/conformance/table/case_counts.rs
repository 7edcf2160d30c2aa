//! Counts of the cases that ran, instruction by instruction.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write as _};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tiletc::ir::TABLE;

/// Instructions that no kernel can run, and why.
const NOT_RUN: &[(&str, &str)] =
    &[("lifetime_stop", "the compiler inserts it; it has no token and generates no code")];

/// Counts of the cases of an instruction.
#[derive(Default)]
struct Row {
    run: usize,
    failed: usize,
    /// The largest error in terms of its bound.
    worst: f64,
    /// Cases the device cannot run, by what it lacks, and how many of each kind.
    lacking: BTreeMap<String, BTreeMap<String, usize>>,
}

/// The count of all cases of this run.
pub static CASE_COUNTS: LazyLock<CaseCounts> = LazyLock::new(CaseCounts::new);

/// A count of cases, kept by all threads.
pub struct CaseCounts {
    rows: Mutex<BTreeMap<&'static str, Row>>,
    shown: Mutex<Instant>,
    terminal: bool,
}

impl CaseCounts {
    /// Nothing counted yet.
    pub fn new() -> CaseCounts {
        CaseCounts {
            rows: Mutex::default(),
            shown: Mutex::new(Instant::now()),
            terminal: io::stderr().is_terminal(),
        }
    }

    /// A case whose data agreed; `ratio` is its largest error in terms of its bound.
    pub fn ran(&self, mnemonic: &'static str, ratio: f64) {
        self.change(mnemonic, |row| {
            row.run += 1;
            row.worst = row.worst.max(ratio);
        });
    }

    pub fn failed<'a>(&self, mnemonics: impl Iterator<Item = &'a &'static str>) {
        for mnemonic in mnemonics {
            self.change(mnemonic, |row| row.failed += 1);
        }
    }

    /// A case that the device cannot run for want of a feature; what distinguishes it, up to a semicolon, is its
    /// kind.
    pub fn not_runnable(&self, mnemonic: &'static str, name: &str, feature: &'static str) {
        let kind = name.split(';').next().unwrap_or(name);
        self.change(mnemonic, |row| {
            *row.lacking.entry(feature.to_owned()).or_default().entry(kind.to_owned()).or_default() += 1;
        });
    }

    /// Counts since the last call, to be added to the count of another process.
    pub fn take(&self) -> Value {
        let rows = std::mem::take(&mut *self.rows.lock().unwrap_or_else(PoisonError::into_inner));
        let row = |row: Row| json!([row.run, row.failed, row.worst, row.lacking]);
        rows.into_iter().map(|(mnemonic, counted)| (mnemonic.to_owned(), row(counted))).collect()
    }

    /// Adds what another process has counted.
    pub fn add(&self, counted: &Value) {
        for mnemonic in TABLE.iter().flat_map(|info| info.mnemonics()) {
            let Some(counted) = counted.get(mnemonic) else { continue };
            let number = |value: &Value| value.as_u64().map_or(0, |number| number as usize);
            self.change(mnemonic, |row| {
                row.run += number(&counted[0]);
                row.failed += number(&counted[1]);
                row.worst = row.worst.max(counted[2].as_f64().unwrap_or(f64::INFINITY));
                for (feature, kinds) in counted[3].as_object().into_iter().flatten() {
                    let row = row.lacking.entry(feature.clone()).or_default();
                    for (kind, count) in kinds.as_object().into_iter().flatten() {
                        *row.entry(kind.clone()).or_default() += number(count);
                    }
                }
            });
        }
        self.show();
    }

    fn change(&self, mnemonic: &'static str, change: impl FnOnce(&mut Row)) {
        change(self.rows.lock().unwrap_or_else(PoisonError::into_inner).entry(mnemonic).or_default());
    }

    /// Progress, for those who watch.
    fn show(&self) {
        if !self.terminal {
            return;
        }
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if shown.elapsed() > Duration::from_millis(200) {
            *shown = Instant::now();
            let rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
            let run: usize = rows.values().map(|row| row.run).sum();
            // Progress that cannot be shown is no reason to stop.
            let _ = write!(io::stderr(), "{run} cases\r");
        }
    }

    /// The table, and the instructions of the language that have no case.
    pub fn table(&self) -> (String, Vec<&'static str>) {
        let rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::from(
            "\ninstruction                          cases  not runnable  largest error / bound\n",
        );
        let (mut run, mut lacking, mut without) = (0, 0, Vec::new());
        let mut notes = String::new();
        for mnemonic in TABLE.iter().flat_map(|info| info.mnemonics()) {
            if let Some((_, reason)) = NOT_RUN.iter().find(|(name, _)| name == mnemonic) {
                notes += &format!("{mnemonic} is not run: {reason}\n");
                continue;
            }
            let Some(row) = rows.get(mnemonic) else {
                without.push(*mnemonic);
                continue;
            };
            let missing: usize = row.lacking.values().flat_map(BTreeMap::values).sum();
            if row.run == 0 && missing == 0 && row.failed == 0 {
                without.push(*mnemonic);
            }
            text += &format!("{mnemonic:<34} {:>7} {missing:>13}  {:>21.3}\n", row.run, row.worst);
            for (feature, kinds) in &row.lacking {
                let kinds: Vec<String> =
                    kinds.iter().map(|(kind, count)| format!("{kind} ({count})")).collect();
                notes += &format!("{mnemonic}, without {feature}: {}\n", kinds.join("; "));
            }
            run += row.run;
            lacking += missing;
        }
        text += &format!("{:<34} {run:>7} {lacking:>13}\n\n{notes}", "all");
        (text, without)
    }
}
