//! Sources, places in them, and reports that show the line and mark the place.
//!
//! The report format is fixed by the language (language reference 7.1) because tools and tests match
//! on it: `name:range: text`, up to two lines of context, and tildes under the marked columns. No crate writes it
//! (decision 0020).
#![forbid(unsafe_code)]

use anstyle::{AnsiColor, Style};
use std::fmt::{self, Write as _};
use std::ops::Range;

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
    /// Problem and, where it helps, what to do.
    pub message: String,
    /// Place; the default location if there is no text.
    pub location: Location,
}

impl Diagnostic {
    /// A message about a place.
    pub fn new(message: impl Into<String>, location: Location) -> Self {
        Diagnostic { message: message.into(), location }
    }
}

/// A broken invariant of the compiler: a mistake of its own, whatever the program is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct InternalError {
    /// The invariant.
    pub what: String,
    /// The part of the compiler that found it broken: a pass, or the back end.
    pub stage: Option<&'static str>,
    /// The word of the instruction that it was about.
    pub instruction: Option<&'static str>,
    /// The place of that instruction in the source.
    pub location: Location,
}

impl InternalError {
    /// A broken invariant, for whose place others care.
    pub fn new(what: impl Into<String>) -> InternalError {
        InternalError { what: what.into(), stage: None, instruction: None, location: Location::default() }
    }

    /// Adds the stage if there is none yet.
    #[must_use]
    pub fn in_stage(mut self, stage: &'static str) -> InternalError {
        self.stage.get_or_insert(stage);
        self
    }

    /// Adds the instruction if there is none yet, and its place.
    #[must_use]
    pub fn in_instruction(mut self, instruction: &'static str, location: Location) -> InternalError {
        if self.instruction.is_none() {
            self.instruction = Some(instruction);
            self.location = location;
        }
        self
    }
}

impl fmt::Display for InternalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("internal compiler error")?;
        if let Some(stage) = self.stage {
            write!(f, " in {stage}")?;
        }
        if let Some(instruction) = self.instruction {
            write!(f, " at `{instruction}`")?;
        }
        write!(f, ": {}", self.what)
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

    /// Keeps `text` under `name` and returns its id; ids count from 1.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Vec<u8>>) -> SourceId {
        self.texts.push((name.into(), text.into()));
        SourceId(u32::try_from(self.texts.len()).unwrap_or(u32::MAX))
    }

    /// The name of a source.
    pub fn name(&self, id: SourceId) -> Option<&str> {
        self.get(id).map(|(name, _)| name.as_str())
    }

    fn get(&self, id: SourceId) -> Option<&(String, Vec<u8>)> {
        self.texts.get(usize::try_from(id.0).ok()?.checked_sub(1)?)
    }

    /// The report of one message: head line, context, marks. Ends in a line break.
    ///
    /// Formats a report that stays short however long lines are and wherever the location points: lines, ranges of
    /// many lines and messages are cut, marks end with their line, and control characters are replaced.
    pub fn report(&self, diagnostic: &Diagnostic) -> String {
        self.write(diagnostic, Palette::default())
    }

    /// [`Sources::report`] with the escape sequences of a terminal for colours.
    pub fn coloured_report(&self, diagnostic: &Diagnostic) -> String {
        self.write(diagnostic, Palette::of(&diagnostic.message))
    }

    fn write(&self, diagnostic: &Diagnostic, palette: Palette) -> String {
        let location = &diagnostic.location;
        let message = clipped(&diagnostic.message);
        let Palette { place, marks } = palette;
        let Some((name, text)) = self.get(location.source) else {
            return match *location == Location::default() {
                true => format!("{message}\n"),
                false => format!("{place}<unknown source>:{}:{place:#} {message}\n", Span(location)),
            };
        };
        let mut out = format!("{place}{name}:{}:{place:#} {message}\n", Span(location));
        let first = location.begin.line;
        let lines = text.iter().filter(|&&byte| byte == b'\n').count().saturating_add(1);
        let last = last_position(location).line.min(u32::try_from(lines).unwrap_or(u32::MAX));
        let from = first.saturating_sub(2).max(1);
        let left_out = left_out(from, last);
        for (number, line) in (1u32..).zip(text.split(|&byte| byte == b'\n')) {
            if number > last {
                break;
            }
            if number < from {
                continue;
            }
            if left_out.contains(&number) {
                if number == left_out.start {
                    let _ = writeln!(out, "{CUT} {} lines {CUT}", left_out.len());
                }
                continue;
            }
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            show_line(&mut out, line, marked(location, number, line), marks);
        }
        out
    }
}

/// Colours of a report; without any by default.
#[derive(Clone, Copy, Default)]
struct Palette {
    /// Name and range.
    place: Style,
    marks: Style,
}

impl Palette {
    fn of(message: &str) -> Palette {
        let colour = if message.starts_with("warning: ") { AnsiColor::Yellow } else { AnsiColor::Red };
        Palette { place: Style::new().bold(), marks: colour.on_default().bold() }
    }
}

/// Bytes of a source line that a report shows at most.
const MAX_BYTES: usize = 200;
/// Bytes before the marks that remain when the start of a line is cut off.
const LEAD: usize = 60;
/// Source lines that a report shows at most.
const MAX_LINES: u32 = 40;
/// The last lines of a long range, which are always shown.
const LAST_LINES: u32 = 8;
/// Lines of a message that a report shows at most, and characters of each.
const MAX_MESSAGE_LINES: usize = 100;
const MAX_CHARACTERS: usize = 1000;
/// Stands where something is cut off.
const CUT: &str = "...";

/// Takes the place of what cannot be printed, marks without width (as that of the byte order) and of direction among it.
fn printable(character: char) -> char {
    let is_mark = matches!(
        character,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    );
    let is_hidden = is_mark || character.is_control() && character != '\t';
    if is_hidden { char::REPLACEMENT_CHARACTER } else { character }
}

/// A message without control characters and of bounded length. A driver's build log has many lines.
fn clipped(message: &str) -> String {
    let mut lines = message.split('\n');
    let mut text: Vec<String> = lines.by_ref().take(MAX_MESSAGE_LINES).map(clipped_line).collect();
    if lines.next().is_some() {
        text.push(CUT.to_owned());
    }
    text.join("\n")
}

fn clipped_line(line: &str) -> String {
    let mut characters = line.chars();
    let mut text: String = characters.by_ref().take(MAX_CHARACTERS).map(printable).collect();
    if characters.next().is_some() {
        text.push_str(CUT);
    }
    text
}

/// The lines between `from` and `last` that are too many to show.
fn left_out(from: u32, last: u32) -> Range<u32> {
    if last.saturating_sub(from) < MAX_LINES {
        return 0..0;
    }
    from.saturating_add(MAX_LINES - LAST_LINES)..last.saturating_sub(LAST_LINES - 1)
}

/// The part of a line that is shown.
fn window(length: usize, marked: &Range<usize>) -> Range<usize> {
    let start = if length <= MAX_BYTES || marked.end <= MAX_BYTES {
        0
    } else {
        marked.start.saturating_sub(LEAD).min(length - MAX_BYTES)
    };
    start..length.min(start + MAX_BYTES)
}

/// Appends a line and, if it has marks, these in a line of their own; one column is one byte.
fn show_line(out: &mut String, line: &[u8], marked: Range<usize>, style: Style) {
    let window = window(line.len(), &marked);
    let shown = line.get(window.clone()).unwrap_or_default();
    let [head, tail] = [window.start > 0, window.end < line.len()].map(|cut| if cut { CUT } else { "" });
    out.push_str(head);
    for chunk in shown.utf8_chunks() {
        out.extend(chunk.valid().chars().map(printable));
        out.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    out.push_str(tail);
    out.push('\n');
    if !marked.is_empty() {
        let blanks = marked.start - window.start;
        let stop = if tail.is_empty() { marked.end } else { marked.end.min(window.end) };
        out.push_str(&" ".repeat(head.len()));
        // A tab stays one, so that the marks are under the place however wide it is.
        let bytes = shown.iter().copied().chain(std::iter::repeat(b' '));
        out.extend(bytes.take(blanks).map(|byte| if byte == b'\t' { '\t' } else { ' ' }));
        let _ = writeln!(out, "{style}{}{style:#}", "~".repeat(stop - marked.start));
    }
}

/// The `line.column` head of a report, both ends inclusive (language reference 7.1).
struct Span<'a>(&'a Location);

impl std::fmt::Display for Span<'_> {
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

/// The bytes of a line that a range covers; empty for context. A range that starts behind the line marks the column
/// that follows it, so that no location asks for more marks than its line has bytes.
fn marked(location: &Location, number: u32, line: &[u8]) -> Range<usize> {
    let last = last_position(location);
    if number < location.begin.line {
        return 0..0;
    }
    let index = |column: u32| usize::try_from(column).unwrap_or(usize::MAX);
    let is_first = number == location.begin.line;
    let start = if is_first {
        index(location.begin.column.saturating_sub(1)).min(line.len())
    } else {
        line.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
    };
    let stop = if number == last.line { index(last.column).min(line.len()) } else { line.len() };
    start..stop.max(start + usize::from(is_first))
}

/// Returns whether two names differ in one place: a character more, less or another, or two exchanged. Names of one
/// character and numbers are too much alike to tell.
pub fn is_similar(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let number = |name: &[u8]| name.get(1..).is_some_and(|name| name.iter().all(u8::is_ascii_digit));
    if a.len().min(b.len()) < 3 || number(a) || number(b) {
        return false;
    }
    let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (a.get(head..).unwrap_or_default(), b.get(head..).unwrap_or_default());
    match (a, b) {
        ([_, a @ ..], [_, b @ ..]) if a == b => true,
        ([_, a @ ..], b) | (b, [_, a @ ..]) if a == b => true,
        ([p, q, a @ ..], [r, s, b @ ..]) => (p, q) == (s, r) && a == b,
        _ => false,
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing)]
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
        assert_eq!(report, "f.ir:4.3-5.9: text\n  two\n\n  three,\n  ~~~~~~\n     four five\n     ~~~~\n");
    }

    #[test]
    fn marks_one_column_for_an_empty_range() {
        let mut sources = Sources::new();
        let id = sources.add("f.ir", b"");
        let report = sources.report(&Diagnostic::new("text", at(id, (1, 1), (1, 1))));
        assert_eq!(report, "f.ir:1.1: text\n\n~\n");
    }

    #[test]
    fn says_only_the_message_without_a_place() {
        let report = |location| Sources::new().report(&Diagnostic::new("text", location));
        assert_eq!(report(Location::default()), "text\n");
        assert_eq!(report(at(SourceId(7), (2, 3), (2, 9))), "<unknown source>:2.3-8: text\n");
    }

    #[test]
    fn colours_change_nothing_else() {
        let mut sources = Sources::new();
        let id = sources.add("f.ir", b"one\ntwo");
        for (text, colour) in [("text", "31m"), ("warning: text", "33m")] {
            let diagnostic = Diagnostic::new(text, at(id, (2, 1), (2, 4)));
            let coloured = sources.coloured_report(&diagnostic);
            assert!(coloured.contains(colour), "{coloured:?}");
            assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), sources.report(&diagnostic));
        }
    }

    /// The lines of a report of a place in a text of one source.
    fn lines(text: &[u8], b: (u32, u32), e: (u32, u32)) -> Vec<String> {
        let mut sources = Sources::new();
        let id = sources.add("f.ir", text);
        let report = sources.report(&Diagnostic::new("text", at(id, b, e)));
        report.lines().map(str::to_owned).collect()
    }

    #[test]
    fn cuts_long_lines_around_the_marks() {
        let mut text = vec![b'a'; 1000];
        text.extend(b"MARK");
        text.extend([b'b'; 1000]);
        let report = lines(&text, (1, 1001), (1, 1005));
        let expected = format!("...{}MARK{}...", "a".repeat(60), "b".repeat(136));
        assert_eq!(report, ["f.ir:1.1001-1004: text", &expected, &format!("{}~~~~", " ".repeat(63))]);
    }

    #[test]
    fn cuts_only_the_end_if_the_marks_are_near_the_start() {
        let report = lines(&[b'a'; 1000], (1, 3), (1, 5));
        assert_eq!(report, ["f.ir:1.3-4: text", &format!("{}...", "a".repeat(200)), "  ~~"]);
    }

    #[test]
    fn cuts_marks_with_the_line() {
        let report = lines(&[b'a'; 1000], (1, 501), (1, 1001));
        let [_, line, marks] = report.as_slice() else { unreachable!() };
        assert_eq!(*line, format!("...{}...", "a".repeat(200)));
        assert_eq!(*marks, format!("{}{}", " ".repeat(63), "~".repeat(140)));
    }

    #[test]
    fn marks_the_end_of_a_long_line() {
        let report = lines(&[b'a'; 1000], (1, 1001), (1, 1001));
        let [_, line, marks] = report.as_slice() else { unreachable!() };
        assert_eq!(*line, format!("...{}", "a".repeat(200)));
        assert_eq!(*marks, format!("{}~", " ".repeat(203)));
    }

    #[test]
    fn leaves_out_the_middle_of_long_ranges() {
        let report = lines(&b"x\n".repeat(1000), (11, 1), (990, 2));
        // The two lines of context have no marks.
        assert_eq!(report.len(), 1 + 2 * 40 - 2 + 1);
        assert_eq!(report.iter().filter(|line| *line == "... 942 lines ...").count(), 1);
        assert_eq!(report.iter().filter(|line| *line == "~").count(), 38);
    }

    #[test]
    fn is_bounded_whatever_the_location() {
        let numbers = [0, 1, 2, 7, 199, 200, 201, 260, 1000, i32::MAX as u32, u32::MAX];
        let texts: [&[u8]; 4] = [b"", b"short", &[b'a'; 200], &b"one\n\ttwo\n".repeat(500)];
        for text in texts {
            let mut sources = Sources::new();
            let id = sources.add("f.ir", text);
            for place in 0..numbers.len().pow(4) {
                let number = |digit| numbers[place / numbers.len().pow(digit) % numbers.len()];
                let location = at(id, (number(0), number(1)), (number(2), number(3)));
                let report = sources.report(&Diagnostic::new("text", location));
                assert!(report.len() < 50_000, "{location:?}: {} bytes", report.len());
            }
        }
    }

    #[test]
    fn marks_the_end_of_the_line_for_columns_beyond_it() {
        for column in [6, 7, 100, i32::MAX as u32, u32::MAX] {
            let report = lines(b"short\n", (1, column), (1, column.saturating_add(1)));
            assert_eq!(report[1..], ["short", "     ~"], "column {column}");
        }
        assert_eq!(lines(b"short\n", (1, 2), (1, u32::MAX))[1..], ["short", " ~~~~"]);
    }

    #[test]
    fn counts_only_lines_that_there_are() {
        let report = lines(&b"x\n".repeat(99), (1, 1), (u32::MAX, 1));
        assert_eq!(report.iter().filter(|line| *line == "... 60 lines ...").count(), 1, "{report:?}");
        // The last line is empty, and so are its marks.
        assert_eq!(report.len(), 1 + 2 * 40 - 1 + 1);
    }

    #[test]
    fn replaces_what_cannot_be_printed() {
        let report = lines(b"\ta\x1b[31m\xff\xfe\x7f\xc3\xb6b", (1, 3), (1, 4));
        assert_eq!(report[1], "\ta\u{fffd}[31m\u{fffd}\u{fffd}\u{fffd}öb");
        assert_eq!(report[2], "\t ~");
        let report = lines("\0\u{feff}\u{202e}a".as_bytes(), (1, 1), (1, 2));
        assert_eq!(report[1], "\u{fffd}\u{fffd}\u{fffd}a");
    }

    #[test]
    fn shows_the_lines_of_a_message() {
        let report = |message: String| Sources::new().report(&Diagnostic::new(message, Location::default()));
        assert_eq!(report("build failed:\n\x1bone\ntwo".to_owned()), "build failed:\n\u{fffd}one\ntwo\n");
        let long = report("line\n".repeat(1000));
        assert!(long.lines().count() == 101 && long.ends_with("line\n...\n"), "{long}");
    }

    #[test]
    fn cuts_long_messages() {
        let message = format!("%{}\x07 is not defined here", "n".repeat(10_000_000));
        let report = Sources::new().report(&Diagnostic::new(message, Location::default()));
        assert!(report.len() < 1100 && report.ends_with("n...\n"), "{}", report.len());
    }

    #[test]
    fn one_slip_is_similar() {
        for (a, b) in [("%acc", "%ac"), ("%acc", "%axc"), ("%acc", "%acca"), ("%acc", "%cac"), ("$ab", "$aB")]
        {
            assert!(is_similar(a, b) && is_similar(b, a), "{a} {b}");
        }
        for (a, b) in [("%a", "%b"), ("%12", "%13"), ("%acc", "%bcd"), ("%acc", "%a"), ("%abcd", "%dbca")] {
            assert!(!is_similar(a, b) && !is_similar(b, a), "{a} {b}");
        }
    }
}
