//! Output of `tiletc` about its passes.

use super::common::Failure;
use super::table::table;
use clap::Args;
use serde_json::json;
use std::io::Write as _;
use std::time::Duration;
use tiletc::driver;
use tiletc::ir::{Ir, Program};
use tiletc::passes::{self, Instrumentation, Observer};
use tiletc::status::Status;

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
    /// Write tables as JSON
    #[arg(long)]
    pub json: bool,
}

impl Options {
    /// Refuses to write what is no table.
    pub fn check(&self, has_table: bool) -> Result<(), Failure> {
        if self.json && !has_table && !self.time_passes {
            let detail = "--json is for tables, of which none is asked for".to_owned();
            return Err(Failure::Usage(Status::InvalidArguments, detail));
        }
        Ok(())
    }

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

    /// Prints the times if they were asked for.
    pub fn finish(&self) {
        if !self.options.time_passes {
            return;
        }
        if self.options.json {
            let row = |&(name, duration): &(&str, Duration)| json!({ "name": name, "milliseconds": 1e3 * duration.as_secs_f64() });
            let rows: Vec<_> = self.times.iter().map(row).collect();
            let text = format!("{}\n", json!({ "times": rows }));
            // If standard error is closed, nobody wants to know.
            let _ = std::io::stderr().lock().write_all(text.as_bytes());
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
