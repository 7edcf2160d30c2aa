//! Source files, and their code without comments, literals and tests.

use std::path::Path;

/// A file of the project.
pub struct SourceFile {
    /// The path from the checkout on, with slashes.
    pub path: String,
    pub text: String,
}

/// The files below some folders that have one of the extensions, in order of their paths.
pub fn below(root: &Path, folders: &[&str], extensions: &[&str]) -> Vec<SourceFile> {
    let mut files = Vec::new();
    for folder in folders {
        collect(root, &root.join(folder), extensions, &mut files);
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(!files.is_empty(), "no files in {folders:?}");
    files
}

fn collect(root: &Path, folder: &Path, extensions: &[&str], files: &mut Vec<SourceFile>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if path.is_dir() {
            collect(root, &path, extensions, files);
        } else if extensions.contains(&extension) {
            let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            files.push(SourceFile { path: name, text: std::fs::read_to_string(&path).unwrap() });
        }
    }
}

/// The tokens of Rust code: names, `::`, and other characters one by one. Comments, literals and what is only there
/// for tests are left out.
pub fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = skipped(rest);
        if length > 0 {
            rest = rest.get(length..).unwrap_or_default();
            continue;
        }
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let length = match first {
            _ if is_word(first) => rest.find(|letter| !is_word(letter)).unwrap_or(rest.len()),
            ':' if rest.starts_with("::") => 2,
            _ => first.len_utf8(),
        };
        let (token, behind) = rest.split_at(length);
        if !first.is_whitespace() {
            tokens.push(token);
        }
        rest = behind;
    }
    without_tests(&tokens)
}

/// Bytes of the comment or literal that a text starts with; 0 if it starts with something else.
fn skipped(text: &str) -> usize {
    let until = |end: &str| text.find(end).map_or(text.len(), |at| at + end.len());
    if text.starts_with("//") {
        return until("\n");
    }
    if text.starts_with("/*") {
        return until("*/");
    }
    if let Some(behind) = text.strip_prefix("br").or_else(|| text.strip_prefix('r')) {
        let content = behind.trim_start_matches('#');
        if let Some(content) = content.strip_prefix('"') {
            let end = format!("\"{}", "#".repeat(behind.len() - content.len() - 1));
            return content.find(&end).map_or(text.len(), |at| text.len() - content.len() + at + end.len());
        }
    }
    let mut letters = text.char_indices();
    match letters.next() {
        Some((_, '"')) => {
            let mut is_escaped = false;
            let end = letters.find(|(_, letter)| {
                let is_end = *letter == '"' && !is_escaped;
                is_escaped = *letter == '\\' && !is_escaped;
                is_end
            });
            end.map_or(text.len(), |(at, _)| at + 1)
        }
        // A character; a lifetime has no quote behind its first letter.
        Some((_, '\'')) => match (letters.next(), letters.next()) {
            (Some((_, '\\')), Some((at, escaped))) => {
                let from = at + escaped.len_utf8();
                text.get(from..).and_then(|behind| behind.find('\'')).map_or(text.len(), |end| from + end + 1)
            }
            (Some(_), Some((at, '\''))) => at + 1,
            _ => 0,
        },
        _ => 0,
    }
}

/// The tokens without what `#[cfg(test)]` stands before: up to a semicolon, or to the end of the braces.
fn without_tests<'t>(tokens: &[&'t str]) -> Vec<&'t str> {
    const TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if !tokens.get(at..).is_some_and(|rest| rest.starts_with(&TEST)) {
            kept.push(*token);
            at += 1;
            continue;
        }
        at += TEST.len();
        let mut depth = 0;
        for token in tokens.iter().skip(at) {
            at += 1;
            match *token {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 && matches!(*token, ";" | "}") {
                break;
            }
        }
    }
    kept
}

#[test]
fn comments_literals_and_tests_are_no_code() {
    let text = r##"
        use a::b; // use c::d;
        /* use e; */ const S: &str = "use f; \" use g;"; const R: &str = r#"use "h";"#;
        fn x<'a>(c: char) -> bool { c == '"' || c == '\'' || c == '{' }
        #[cfg(test)]
        mod tests { use i::j; fn y() { { } } }
        #[cfg(test)]
        use k::l;
        use m;
    "##;
    let found = tokens(text).join(" ");
    assert!(found.starts_with("use a :: b ; const S : & str = ; const R : & str = ; fn x <"), "{found}");
    assert!(found.ends_with("} use m ;"), "{found}");
    assert!(
        !["c ::", "use e", "use f", "use g", "use \"h", "i ::", "k ::"]
            .iter()
            .any(|part| found.contains(part))
    );
}
