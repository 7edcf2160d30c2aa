//! A program in the compiler, and its reports.

use tiletc::device::CoreInfo;
use tiletc::diagnostics::{Diagnostic, Sources};
use tiletc::driver::{self, Error, Options};
use tiletc::ir::{Func, Ir, Program, Text};

/// A parsed program.
pub struct Session {
    sources: Sources,
    ir: Ir,
    program: Program,
}

/// Report of the compiler about a program that it refuses, and the error itself.
pub struct Refusal {
    pub error: Box<Error>,
    pub report: String,
    /// Place and message of each diagnostic, in a line without the name of the file.
    pub heads: Vec<String>,
}

impl Session {
    /// Parses a text.
    pub fn parse(name: &str, text: &[u8]) -> Result<Session, Refusal> {
        let mut sources = Sources::new();
        let mut ir = Ir::default();
        let source = sources.add(name, text);
        ir.name_source(source, name);
        match driver::parse(&mut ir, source, text) {
            Ok(program) => Ok(Session { sources, ir, program }),
            Err(error) => Err(refusal(&sources, error)),
        }
    }

    /// The canonical text.
    pub fn print(&self) -> Text {
        driver::print(&self.ir, &self.program)
    }

    /// The program as data.
    pub fn ir(&self) -> &Ir {
        &self.ir
    }

    /// Its functions.
    pub fn functions(&self) -> impl Iterator<Item = Func> {
        self.program.functions.iter().copied()
    }

    /// Runs a pass and returns what it prints.
    pub fn run_pass(&mut self, pass: &str, info: &CoreInfo, options: &Options) -> Result<Text, Refusal> {
        driver::run_pass(pass, &mut self.ir, &self.program, Some(info), options)
            .map_err(|error| refusal(&self.sources, error))
    }

    /// Compiles; the program is then lowered.
    pub fn compile(&mut self, info: &CoreInfo, options: &Options) -> Result<tiletc::spirv::Module, Refusal> {
        driver::compile(&mut self.ir, &self.program, info, options)
            .map_err(|error| refusal(&self.sources, error))
    }
}

fn refusal(sources: &Sources, error: Error) -> Refusal {
    let status = error.status();
    let reports: Vec<String> = error.diagnostics().iter().map(|one| sources.report(one)).collect();
    let head = |(one, report): (&Diagnostic, &String)| {
        let head = report.lines().next().unwrap_or_default();
        let name = sources.name(one.location.source).unwrap_or_default();
        head.strip_prefix(&format!("{name}:")).unwrap_or(head).to_owned()
    };
    let heads = error.diagnostics().iter().zip(&reports).map(head).collect();
    let report = format!("{}Error ({}): {}\n", reports.concat(), status.code(), status.phrase());
    Refusal { error: Box::new(error), report, heads }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.report)
    }
}
