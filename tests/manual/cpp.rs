//! The C++ in the manual is what a program among the C++ tests runs.

use crate::page::Page;
use crate::{Outcome, trial};
use libtest_mimic::Trial;
use std::path::Path;

/// The program that has it all.
const PROGRAM: &str = "tests/cpp/manual.cpp";

/// One test for each block of C++.
pub fn trials(root: &Path, page: &Page) -> Vec<Trial> {
    let blocks = page.blocks.iter().filter(|block| block.info == "cpp");
    let trials = blocks.map(|block| {
        let (text, program) = (block.text.clone(), root.join(PROGRAM));
        trial(format!("cpp {}:{}", page.path, block.line), move || {
            let program = std::fs::read_to_string(program).map_err(|error| error.to_string())?;
            is_part(&text, &program)
        })
    });
    trials.collect()
}

/// The lines of a block stand in the program one after the other; blanks aside, and includes before them.
pub fn is_part(block: &str, program: &str) -> Outcome {
    let (block, program) = (lines(block), lines(program));
    let (includes, code): (Vec<_>, Vec<_>) = block.iter().partition(|line| line.starts_with("#include"));
    if let Some(include) = includes.into_iter().find(|include| !program.contains(include)) {
        return Err(format!("not in {PROGRAM}: {include}"));
    }
    let found = program.windows(code.len().max(1)).any(|window| window.iter().eq(code.iter().copied()));
    if found { Ok(()) } else { Err(format!("not in {PROGRAM}, in one piece")) }
}

/// The lines that are not empty, each blank once.
fn lines(text: &str) -> Vec<String> {
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty()).collect()
}
