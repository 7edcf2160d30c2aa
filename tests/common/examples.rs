//! The programs that the manual shows, for the suites that look for programs with every instruction.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a page that is wrong ends the test")]

use std::collections::BTreeSet;
use std::path::Path;
use tiletc::diagnostics::SourceId;
use tiletc::driver;
use tiletc::ir::{Ir, Program};

/// A program of the manual.
pub struct Example {
    /// Page and line.
    pub place: String,
    /// The text.
    pub text: String,
    /// True if the manual says what comes of running it.
    pub is_run: bool,
}

/// Every program of the pages below `docs/src`, in their order.
pub fn all() -> Vec<Example> {
    let mut examples = Vec::new();
    visit(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src"), &mut examples);
    examples
}

fn visit(folder: &Path, examples: &mut Vec<Example>) {
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            visit(&path, examples);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            let first = examples.len();
            let text = std::fs::read_to_string(&path).unwrap();
            let mut lines = text.lines().zip(1..);
            while let Some((line, number)) = lines.next() {
                let Some(info) = line.strip_prefix("```").filter(|info| !info.is_empty()) else { continue };
                let block: Vec<&str> =
                    lines.by_ref().map(|(line, _)| line).take_while(|line| *line != "```").collect();
                if info.split(',').next() == Some("run") && examples.len() > first {
                    examples.last_mut().unwrap().is_run = true;
                } else if info == "tensor" || info.starts_with("tensor,device=") {
                    let place = format!("{}:{number}", path.display());
                    examples.push(Example { place, text: block.join("\n") + "\n", is_run: false });
                }
            }
        }
    }
}

/// The instructions of the programs that are run.
#[allow(dead_code, reason = "some suites want the programs only")]
pub fn instructions_run() -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    for example in all().iter().filter(|example| example.is_run) {
        let (ir, program) = example.parse();
        for &func in &program.functions {
            ir.walk(ir[func].body, &mut |inst| {
                found.insert(ir[inst].op.mnemonic());
            });
        }
    }
    found
}

impl Example {
    /// The program; the manual's own tests see to it that it is one.
    pub fn parse(&self) -> (Ir, Program) {
        let mut ir = Ir::default();
        let program = driver::parse(&mut ir, SourceId::UNKNOWN, self.text.as_bytes());
        let program = program.unwrap_or_else(|error| panic!("{}: {error}", self.place));
        (ir, program)
    }
}
