//! The C++ in the manual is what the C++ tests run: a block of `cpp` is part of one program, a block of
//! `cpp,file=…` is a whole one.

use crate::page::{Block, Page};
use crate::{Outcome, trial};
use libtest_mimic::Trial;
use std::path::Path;

/// The program that has it all.
const PROGRAM: &str = "tests/cpp/manual.cpp";

/// Files that compile and run the programs that are shown as a whole.
const BUILD: [&str; 2] = ["tests/cpp/CMakeLists.txt", "tests/cpp/level_zero/CMakeLists.txt"];

/// One test for each block of C++.
pub fn trials(root: &Path, page: &Page) -> Vec<Trial> {
    let mut trials = Vec::new();
    for block in &page.blocks {
        let (text, root) = (block.text.clone(), root.to_owned());
        let name = format!("cpp {}:{}", page.path, block.line);
        if block.info == "cpp" {
            trials.push(trial(name, move || is_part(&text, &read(&root.join(PROGRAM))?)));
        } else if let Some(file) = whole(block) {
            let file = file.to_owned();
            trials.push(trial(name, move || {
                is_built(&root, &file)?;
                is_all(&text, &read(&root.join(file))?)
            }));
        }
    }
    trials
}

/// The file that a block shows all of.
pub fn whole(block: &Block) -> Option<&str> {
    block.info.strip_prefix("cpp,file=")
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Some `CMakeLists.txt` of the C++ tests names the file.
fn is_built(root: &Path, file: &str) -> Outcome {
    let name = file.strip_prefix("tests/cpp/").unwrap_or(file);
    let mut lists = BUILD.iter().map(|list| read(&root.join(list)));
    let named = lists.try_fold(false, |named, list| Ok::<_, String>(list?.contains(name) || named))?;
    if named { Ok(()) } else { Err(format!("the C++ tests do not build {file}")) }
}

/// Part of a file that a page shows: all of it, from the first include on.
pub fn shown(program: &str) -> &str {
    program.find("#include").and_then(|start| program.get(start..)).unwrap_or(program)
}

/// A block is what a page shows of a program.
pub fn is_all(block: &str, program: &str) -> Outcome {
    if block == shown(program) { Ok(()) } else { Err("the file and the block differ".to_owned()) }
}

/// Page that shows a whole file, with the text it has to show.
pub fn blessed(root: &Path, page: &Page) -> Result<Vec<(usize, usize, String)>, String> {
    let blocks = page.blocks.iter().filter_map(|block| Some((block, whole(block)?)));
    let bless = |(block, file): (&Block, &str)| {
        let program = read(&root.join(file))?;
        Ok((block.line, block.text.lines().count(), shown(&program).to_owned()))
    };
    blocks.map(bless).collect()
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
