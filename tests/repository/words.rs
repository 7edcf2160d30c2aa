//! The words of names and comments, as `CONTRIBUTING.md` says.

use crate::sources::SourceFile;

/// Folders whose sources are looked at.
pub const FOLDERS: &[&str] = &[
    "benches",
    "cpp-examples",
    "examples",
    "fuzz",
    "include",
    "isa",
    "src",
    "tests",
    "tinytc",
    "tools",
    "virtual-xe",
    "xtask",
];
/// The kinds of files that are looked at.
pub const EXTENSIONS: &[&str] = &["rs", "c", "h", "cpp", "hpp"];

/// The heading above the table of words.
const HEADING: &str = "## Words";
/// This file, which has to say the words.
const THIS_FILE: &str = "tests/repository/words.rs";

/// Words that a doc comment does not begin with: it says what something is or does, not which question it answers.
const QUESTIONS: [&str; 10] =
    ["How", "What", "Whatever", "Where", "Wherever", "Whether", "Which", "Who", "Whose", "Why"];

/// The words that nobody uses, and what to write instead.
pub fn banned(rules: &str) -> Result<Vec<(String, String)>, String> {
    let section =
        rules.split_once(HEADING).ok_or_else(|| format!("CONTRIBUTING.md has no heading `{HEADING}`"))?.1;
    let lines =
        section.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    let rows = lines.skip(2).flat_map(|line| {
        let (words, instead) = line.trim_matches('|').split_once('|').unwrap_or_default();
        words.split('`').skip(1).step_by(2).map(|word| (word.to_owned(), instead.trim().to_owned()))
    });
    let rows: Vec<(String, String)> = rows.collect();
    if rows.is_empty() { Err(format!("there is no table below `{HEADING}`")) } else { Ok(rows) }
}

/// Every banned word of a file, in names and in comments, and every doc comment that begins with a question.
pub fn complaints(file: &SourceFile, banned: &[(String, String)]) -> Vec<String> {
    let mut found = Vec::new();
    if file.path == THIS_FILE {
        return found;
    }
    let mut before = None;
    for (number, line) in (1..).zip(file.text.lines()) {
        let words = format!(" {} ", split(line));
        for (word, instead) in banned {
            let is_literal = word.contains(|letter: char| letter.is_uppercase() || letter == '_');
            let is_there = match is_literal {
                true => starts_in(line, word),
                false => ["", "s"].iter().any(|plural| words.contains(&format!(" {word}{plural} "))),
            };
            if is_there {
                found.push(format!("{}:{number}: `{word}`; write {instead}", file.path));
            }
        }
        let comment = doc_comment(line);
        let first = comment.and_then(|(_, text)| text.split(|letter: char| !letter.is_alphabetic()).next());
        if let (Some((mark, _)), Some(first)) = (comment, first)
            && before != Some(mark)
            && QUESTIONS.contains(&first)
        {
            let rule = "begin the doc comment with a noun phrase or a verb";
            found.push(format!("{}:{number}: `{first}`; {rule}", file.path));
        }
        before = comment.map(|(mark, _)| mark);
    }
    found
}

/// The mark and the text of a line that is a doc comment.
fn doc_comment(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start();
    let marks = ["///<", "///", "//!", "/**"];
    let mark = marks.into_iter().find(|mark| line.starts_with(mark))?;
    Some((mark, line.get(mark.len()..)?.trim_start()))
}

/// The words of a line, those of names taken apart, in small letters with a blank between.
fn split(line: &str) -> String {
    let mut words = String::new();
    let mut was_small = false;
    for letter in line.chars() {
        if letter.is_uppercase() && was_small {
            words.push(' ');
        }
        was_small = letter.is_lowercase();
        if letter.is_alphanumeric() {
            words.extend(letter.to_lowercase());
        } else if !words.ends_with(' ') {
            words.push(' ');
        }
    }
    words
}

/// True if a word of the line starts with this.
fn starts_in(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line.get(..at).and_then(|before| before.chars().next_back());
        !before.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
    })
}

#[test]
fn planted_words_are_found() {
    let rules = format!(
        "{HEADING}\n\nText.\n\n| not | but |\n| --- | --- |\n| `chore`, `MAXI_` | task |\n| `dealt out` | split |\n"
    );
    let banned = banned(&rules).unwrap();
    assert_eq!(banned.len(), 3);
    let count = |text: &str| complaints(&crate::sample("src/a.rs", text), &banned).len();
    for wrong in
        ["struct Chore;", "let my_chores = 1;", "// the cards are dealt out", "const MAXI_BYTES: u8 = 1;"]
    {
        assert_eq!(count(wrong), 1, "{wrong}");
    }
    for wrong in
        ["/// Whether it is.", "    //! What it is.", "/** How it is done. */", "int a; \n///< Where it is"]
    {
        assert_eq!(count(wrong), 1, "{wrong}");
    }
    for right in [
        "/// Text.\n/// What goes on in a second line.",
        "// What no doc comment says.",
        "let anchored = 1;",
        "AMAXI_",
    ] {
        assert_eq!(count(right), 0, "{right}");
    }
}
