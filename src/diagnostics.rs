//! Sources, places in them, and reports that show the line and mark the place.
//!
//! The report format is fixed by the language (`spec/language.md` 7.1) because tools and tests match
//! on it: `name:range: text`, up to two lines of context, and tildes under the marked columns.
#![forbid(unsafe_code)]

use std::fmt::Write as _;

/// A source text known to [`Sources`]; 0 stands for "unknown".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(pub u32);

impl SourceId {
    /// The id of places that belong to no source.
    pub const UNKNOWN: SourceId = SourceId(0);
}

/// A line and a column, both counted from 1; a column is one byte. Zero means unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Byte column, from 1.
    pub column: u32,
}

/// A range of a source; `end` is one column past the last byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Location {
    /// The source that the positions count in.
    pub source: SourceId,
    /// First byte.
    pub begin: Position,
    /// One column past the last byte.
    pub end: Position,
}

impl Location {
    /// The range from the start of `self` to the end of `last`.
    #[must_use]
    pub fn to(self, last: Location) -> Location {
        Location { end: last.end, ..self }
    }
}

/// One message about one place; an error is a list of them, the error itself first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What is wrong and, where it helps, what to do.
    pub message: String,
    /// Where; the default location if there is no text.
    pub location: Location,
}

impl Diagnostic {
    /// A message about a place.
    pub fn new(message: impl Into<String>, location: Location) -> Self {
        Diagnostic { message: message.into(), location }
    }
}

/// The source texts of a compiler context.
#[derive(Debug, Default)]
pub struct Sources {
    texts: Vec<(String, Vec<u8>)>,
}

impl Sources {
    /// No sources.
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps a copy of `text` under `name` and returns its id; ids count from 1.
    pub fn add(&mut self, name: &str, text: &[u8]) -> SourceId {
        self.texts.push((name.to_owned(), text.to_owned()));
        SourceId(u32::try_from(self.texts.len()).unwrap_or(u32::MAX))
    }

    fn get(&self, id: SourceId) -> Option<&(String, Vec<u8>)> {
        self.texts.get(usize::try_from(id.0).ok()?.checked_sub(1)?)
    }

    /// The report of one message: head line, context, marks. Ends in a line break.
    pub fn report(&self, diagnostic: &Diagnostic) -> String {
        let location = &diagnostic.location;
        let Some((name, text)) = self.get(location.source) else {
            return format!("Source name unavailable:{}: {}\n", Range(location), diagnostic.message);
        };
        let mut out = format!("{name}:{}: {}\n", Range(location), diagnostic.message);
        let first = location.begin.line;
        let last = last_position(location).line;
        let from = first.saturating_sub(2).max(1);
        for (number, line) in (1u32..).zip(text.split(|&byte| byte == b'\n')) {
            if number > last {
                break;
            }
            if number < from {
                continue;
            }
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let _ = writeln!(out, "{}", String::from_utf8_lossy(line));
            out.push_str(&marks(location, number, line));
            out.push('\n');
        }
        out
    }
}

/// The `line.column` head of a report, both ends inclusive (`spec/language.md` 7.1).
struct Range<'a>(&'a Location);

impl std::fmt::Display for Range<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let begin = self.0.begin;
        let last = last_position(self.0);
        write!(f, "{}.{}", begin.line, begin.column)?;
        if last.line > begin.line {
            write!(f, "-{}.{}", last.line, last.column)
        } else if last.line == begin.line && last.column > begin.column {
            write!(f, "-{}", last.column)
        } else {
            Ok(())
        }
    }
}

/// The last marked position; a range of width 0 marks its first column.
fn last_position(location: &Location) -> Position {
    let end = Position { column: location.end.column.saturating_sub(1), ..location.end };
    end.max(location.begin)
}

fn marks(location: &Location, number: u32, line: &[u8]) -> String {
    let last = last_position(location);
    if number < location.begin.line {
        return String::new();
    }
    let length = u32::try_from(line.len()).unwrap_or(u32::MAX);
    let indent = line.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let start = if number == location.begin.line {
        location.begin.column
    } else {
        u32::try_from(indent).unwrap_or(u32::MAX).saturating_add(1)
    };
    let stop = if number == last.line { last.column } else { length };
    let width = (stop + 1).saturating_sub(start).max(u32::from(number == location.begin.line));
    let blanks = usize::try_from(start.saturating_sub(1)).unwrap_or(0);
    let tildes = usize::try_from(width).unwrap_or(0);
    format!("{}{}", " ".repeat(blanks), "~".repeat(tildes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(source: SourceId, b: (u32, u32), e: (u32, u32)) -> Location {
        let position = |(line, column)| Position { line, column };
        Location { source, begin: position(b), end: position(e) }
    }

    #[test]
    fn marks_ranges_over_several_lines() {
        let mut sources = Sources::new();
        let id = sources.add("f.ir", b"one\n  two\n\n  three,\n     four five\nsix");
        let report = sources.report(&Diagnostic::new("text", at(id, (4, 3), (5, 10))));
        assert_eq!(
            report,
            "f.ir:4.3-5.9: text\n  two\n\n\n\n  three,\n  ~~~~~~\n     four five\n     ~~~~\n"
        );
    }

    #[test]
    fn marks_one_column_for_an_empty_range() {
        let mut sources = Sources::new();
        let id = sources.add("f.ir", b"");
        let report = sources.report(&Diagnostic::new("text", at(id, (1, 1), (1, 1))));
        assert_eq!(report, "f.ir:1.1: text\n\n~\n");
    }

    #[test]
    fn names_an_unknown_source() {
        let report = Sources::new().report(&Diagnostic::new("text", Location::default()));
        assert_eq!(report, "Source name unavailable:0.0: text\n");
    }
}
