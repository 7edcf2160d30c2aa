//! Output of `tiletc` about its passes.

use super::common::{Failure, Output};
use super::table::table;
use clap::Args;
use serde_json::json;
use std::io::Write as _;
use std::time::Duration;
use tiletc::driver;
use tiletc::ir::{Ir, Program};
use tiletc::passes::{self, Instrumentation, Observer};

/// Options for output about the passes.
#[derive(Debug, Args)]
pub struct Options {
    /// Print the program after each run of a pass, to standard error; `all` stands for every pass
    #[arg(long, value_name = "PASS")]
    print_after: Vec<String>,
    /// Print how long each pass and the translation took, and beside them what came before and behind, such as the
    /// build by the driver, to standard error
    #[arg(long)]
    time_passes: bool,
    /// Verify the program after each pass
    #[arg(long)]
    verify_each: bool,
    /// Make standard output one JSON document: what is asked for, warnings and errors
    #[arg(long)]
    pub json: bool,
}

impl Options {
    /// Returns whether anything is to be shown or checked.
    pub fn is_given(&self) -> bool {
        self.time_passes || self.verify_each || !self.print_after.is_empty()
    }
}

/// Observes the passes and keeps their times.
pub struct Instrument<'a> {
    options: &'a Options,
    times: Vec<(&'static str, Duration)>,
}

impl<'a> Instrument<'a> {
    /// Refuses names that no pass of the pipeline has.
    pub fn new(options: &'a Options) -> Result<Instrument<'a>, Failure> {
        let is_known = |name: &str| name == "all" || passes::stages().any(|(stage, _)| stage == name);
        if let Some(unknown) = options.print_after.iter().find(|name| !is_known(name)) {
            let mut names: Vec<&str> = passes::stages().map(|(stage, _)| stage).collect();
            names.sort_unstable();
            names.dedup();
            let message = format!(
                "`{unknown}` is no pass of the pipeline; --print-after takes all or one of\n    {}\n",
                names.join("\n    ")
            );
            return Err(Failure::usage(message));
        }
        Ok(Instrument { options, times: Vec::new() })
    }

    /// Instrumentation that the driver calls around each pass.
    pub fn instrumentation(&mut self) -> Instrumentation<'_> {
        let verify_each = self.options.verify_each || Instrumentation::none().verify_each;
        Instrumentation { observer: Some(self), verify_each, ..Instrumentation::none() }
    }

    /// Notes how long something took that is no pass.
    pub fn took(&mut self, name: &'static str, duration: Duration) {
        self.times.push((name, duration));
    }

    /// Shows the times if they were asked for, on standard error or in the document.
    pub fn finish(&self, output: &mut Output) {
        if !self.options.time_passes {
            return;
        }
        if output.is_json() {
            let row = |&(name, duration): &(&str, Duration)| json!({ "name": name, "milliseconds": 1e3 * duration.as_secs_f64() });
            let rows: Vec<_> = self.times.iter().map(row).collect();
            output.add(json!({ "times": rows }));
            return;
        }
        let total: Duration = self.times.iter().map(|(_, duration)| *duration).sum();
        let share = |duration: Duration| 100.0 * duration.as_secs_f64() / total.as_secs_f64().max(1e-9);
        let row = |(name, duration): (&str, Duration)| {
            let time = format!("{:.3} ms", 1e3 * duration.as_secs_f64());
            vec![time, format!("{:.1} %", share(duration)), name.to_owned()]
        };
        let rows = self.times.iter().copied().chain([("total", total)]).map(row);
        let table = table(&["time", "share", "step"], rows, &[0, 1]);
        // If standard error is closed, nobody wants to know.
        let _ = std::io::stderr().lock().write_all(table.as_bytes());
    }
}

impl Observer for Instrument<'_> {
    fn pass_ended(&mut self, pass: &'static str, duration: Duration, ir: &Ir, program: &Program) {
        self.took(pass, duration);
        if self.options.print_after.iter().any(|name| name == "all" || name == pass) {
            let mut stderr = std::io::stderr().lock();
            let _ = writeln!(stderr, "; after {pass}");
            let _ = stderr.write_all(driver::print(ir, program).as_bytes());
        }
    }
}
