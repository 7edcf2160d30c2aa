//! A page of the manual, as far as the checks look at it.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::collections::HashSet;

/// A page.
#[derive(Clone, Default)]
pub struct Page {
    /// Path, from the checkout on.
    pub path: String,
    /// The fenced blocks.
    pub blocks: Vec<Block>,
    /// The links.
    pub links: Vec<Link>,
    /// The words and lines marked as code, with their lines.
    pub code: Vec<(usize, String)>,
    /// The tables.
    pub tables: Vec<Table>,
    /// The headings.
    pub headings: Vec<String>,
    /// Anchors that may stand behind `#` in a link to the page.
    pub anchors: HashSet<String>,
}

/// A fenced block.
#[derive(Clone)]
pub struct Block {
    /// The line of the opening fence.
    pub line: usize,
    /// Text behind the fence.
    pub info: String,
    /// The content.
    pub text: String,
    /// Words marked as code in the text between the last block or heading and this one.
    pub announced: Vec<String>,
}

/// A link.
#[derive(Clone)]
pub struct Link {
    /// Its line.
    pub line: usize,
    /// Target.
    pub target: String,
}

/// A table.
#[derive(Clone, Default)]
pub struct Table {
    /// The cells of the first line.
    pub header: Vec<Cell>,
    /// The other lines.
    pub rows: Vec<Row>,
}

/// A line of a table.
#[derive(Clone, Default)]
pub struct Row {
    /// Line number.
    pub line: usize,
    /// Cells.
    pub cells: Vec<Cell>,
}

/// A cell of a table.
#[derive(Clone, Default)]
pub struct Cell {
    /// The text without marks.
    pub text: String,
    /// Words marked as code.
    pub code: Vec<String>,
}

impl Page {
    /// Reads a page.
    pub fn parse(path: String, text: &str) -> Page {
        let mut page = Page { path, ..Page::default() };
        let (mut block, mut heading, mut table): (Option<Block>, Option<String>, Option<Table>) =
            (None, None, None);
        let (mut row, mut cell, mut announced) = (Row::default(), Cell::default(), Vec::new());
        for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
            let line = text.bytes().take(range.start).filter(|&byte| byte == b'\n').count() + 1;
            if let Event::Code(piece) = &event {
                page.code.push((line, piece.to_string()));
            }
            match event {
                Event::Start(Tag::CodeBlock(kind)) => {
                    let info = match kind {
                        CodeBlockKind::Fenced(info) => info.into_string(),
                        CodeBlockKind::Indented => String::new(),
                    };
                    let announced = std::mem::take(&mut announced);
                    block = Some(Block { line, info, text: String::new(), announced });
                }
                Event::End(TagEnd::CodeBlock) => page.blocks.extend(block.take()),
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push(Link { line, target: dest_url.into_string() });
                }
                Event::Start(Tag::Heading { .. }) => {
                    heading = Some(String::new());
                    announced.clear();
                }
                Event::End(TagEnd::Heading(_)) => {
                    page.headings.extend(heading.take());
                    page.anchors.extend(page.headings.last().map(|heading| anchor(heading)));
                }
                Event::Start(Tag::Table(_)) => table = Some(Table::default()),
                Event::End(TagEnd::Table) => page.tables.extend(table.take()),
                Event::Start(Tag::TableRow) => row = Row { line, cells: Vec::new() },
                Event::End(TagEnd::TableCell) => row.cells.push(std::mem::take(&mut cell)),
                Event::End(TagEnd::TableHead) => {
                    if let Some(table) = &mut table {
                        table.header = std::mem::take(&mut row.cells);
                    }
                }
                Event::End(TagEnd::TableRow) => {
                    if let Some(table) = &mut table {
                        table.rows.push(std::mem::take(&mut row));
                    }
                }
                Event::Text(piece) | Event::Code(piece) if block.is_some() || heading.is_some() => {
                    let into = block.as_mut().map(|block| &mut block.text).or(heading.as_mut());
                    into.into_iter().for_each(|into| into.push_str(&piece));
                }
                Event::Text(piece) => cell.text.push_str(&piece),
                Event::Code(piece) => {
                    cell.text.push_str(&piece);
                    cell.code.push(piece.to_string());
                    announced.push(piece.into_string());
                }
                // Text outside of tables has been gathered for nothing.
                Event::Start(Tag::TableCell) => cell = Cell::default(),
                _ => {}
            }
        }
        page
    }
}

/// The id that mdBook gives a heading.
fn anchor(heading: &str) -> String {
    let kept = |letter: char| match letter {
        letter if letter.is_alphanumeric() || matches!(letter, '_' | '-') => {
            Some(letter.to_ascii_lowercase())
        }
        letter if letter.is_whitespace() => Some('-'),
        _ => None,
    };
    heading.chars().filter_map(kept).collect()
}
