//! References to numbered sections of the manual, such as "API reference 3.7", name sections that exist.

use crate::page::Page;
use crate::{Outcome, outcome};
use std::collections::HashSet;
use std::path::Path;

/// The documents with numbered sections: the start of the paths of their pages, and their names in references. The
/// first that fits counts.
static DOCUMENTS: [(&str, &str); 6] = [
    ("docs/src/language", NAMES[0]),
    ("docs/src/diagnostics.md", NAMES[0]),
    ("docs/src/api", NAMES[1]),
    ("docs/src/compiler/tiles", NAMES[3]),
    ("docs/design/tiles", NAMES[3]),
    ("docs/src/compiler", NAMES[2]),
];

/// The names in references.
const NAMES: [&str; 4] = ["language reference", "API reference", "lowering reference", "tile reference"];

/// Folders where references are looked for, besides the pages.
const FOLDERS: [&str; 12] = [
    "benches",
    "cmake",
    "cpp-examples",
    "docs",
    "include",
    "isa",
    "level-zero-sys",
    "src",
    "tests",
    "tools",
    "virtual-xe",
    "xtask",
];

/// The kinds of files that hold references.
const EXTENSIONS: [&str; 7] = ["rs", "c", "h", "cpp", "hpp", "cmake", "md"];

/// Separators between two numbers of one reference.
const SEPARATORS: [&str; 5] = [", ", " and ", ", and ", " to ", "–"];

/// The numbers of the sections of all documents; a chapter that is spread over pages is there with its sections.
pub struct Sections {
    known: HashSet<(&'static str, String)>,
}

impl Sections {
    /// Reads the headings of the pages.
    ///
    /// # Errors
    /// Numbers that stand twice in a document.
    pub fn read(pages: &[Page]) -> Result<Sections, String> {
        let mut known = HashSet::new();
        let mut complaints = Vec::new();
        for page in pages {
            let document = DOCUMENTS.iter().find(|(start, _)| page.path.starts_with(*start));
            let Some((_, name)) = document else { continue };
            for (number, _) in page.headings.iter().filter_map(|heading| leading_number(heading)) {
                if !known.insert((*name, number.to_owned())) {
                    complaints.push(format!("{}: section {number} of the {name} stands twice", page.path));
                }
            }
        }
        outcome(complaints)?;
        for (name, number) in known.clone() {
            let chapters = number.match_indices('.').filter_map(|(end, _)| number.get(..end));
            known.extend(chapters.map(|chapter| (name, chapter.to_owned())));
        }
        Ok(Sections { known })
    }

    /// The references of a text.
    pub fn check(&self, path: &str, text: &str) -> Vec<String> {
        let unknown = references(text).into_iter().filter(|(_, name, number)| {
            let reference = (*name, (*number).to_owned());
            !self.known.contains(&reference)
        });
        unknown.map(|(line, name, number)| format!("{path}:{line}: there is no {name} {number}")).collect()
    }
}

/// All references in the files of the project.
pub fn check(root: &Path, pages: &[Page]) -> Outcome {
    let sections = Sections::read(pages)?;
    let mut complaints = Vec::new();
    each_file(root, &mut |path, text| complaints.extend(sections.check(path, text)));
    outcome(complaints)
}

/// Visits paths and texts of the files of the project.
pub fn each_file(root: &Path, visit: &mut impl FnMut(&str, &str)) {
    for folder in FOLDERS {
        walk(root, &root.join(folder), visit);
    }
}

fn walk(root: &Path, folder: &Path, visit: &mut impl FnMut(&str, &str)) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if path.is_dir() {
            walk(root, &path, visit);
        } else if EXTENSIONS.contains(&extension)
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            let path = path.strip_prefix(root).unwrap_or(&path).to_string_lossy();
            visit(&path, &text);
        }
    }
}

/// The sections that a text refers to: line, document, number.
fn references(text: &str) -> Vec<(usize, &'static str, &str)> {
    let mut found = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        for name in NAMES {
            for (start, _) in content.match_indices(name) {
                let behind = content.get(start + name.len()..).unwrap_or_default();
                let mut rest = behind.strip_prefix(' ').unwrap_or_default();
                while let Some((number, behind)) = leading_number(rest) {
                    found.push((line, name, number));
                    let next = SEPARATORS.iter().find_map(|separator| {
                        let next = behind.strip_prefix(*separator)?;
                        leading_number(next).is_some().then_some(next)
                    });
                    rest = next.unwrap_or_default();
                }
            }
        }
    }
    found
}

/// The number of a section that a text begins with, and what follows.
fn leading_number(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
    let (number, _) = text.split_at_checked(end)?;
    let number = number.trim_end_matches('.');
    let is_number = number.starts_with(|letter: char| letter.is_ascii_digit());
    is_number.then(|| (number, text.get(number.len()..).unwrap_or_default()))
}
