//! Sources of the book: the pages with their formulas typeset and functions linked to the reference, and the words of the
//! language for the script that colours kernels.

use std::collections::HashMap;
use std::fs;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use pulldown_latex::config::DisplayMode;
use pulldown_latex::{RenderConfig, Storage, push_mathml};

/// Functions of the reference with their places in it.
pub type Functions = HashMap<String, String>;

/// Scalar types, behind which the sizes of a shape follow without a blank.
const TYPES: [&str; 14] =
    ["bf16", "bool", "c32", "c64", "f16", "f32", "f64", "f8e4m3", "f8e5m2", "i16", "i32", "i4", "i64", "i8"];

/// Copies the folder of the manual, with all that a book has beyond pages.
pub fn write(docs: &Path, folder: &Path, functions: &Functions) -> Result<()> {
    copy(&docs.join("src"), &folder.join("src"), &|path, text| page(path, &text, functions))?;
    fs::copy(docs.join("book.toml"), folder.join("book.toml"))?;
    let script = fs::read_to_string(docs.join("tensor.js"))?;
    let types = TYPES.iter().chain(&["index", "memref", "group", "coopmatrix"]).copied().collect::<Vec<_>>();
    let words = tiletc::syntax::reserved_words().iter().filter(|word| !types.contains(word));
    let words = words.copied().collect::<Vec<_>>().join(" ");
    let script = script.replace("@WORDS@", &words).replace("@TYPES@", &types.join(" "));
    fs::write(folder.join("tensor.js"), script.replace("@TYPES_BEFORE_SHAPES@", &types.join("|")))?;
    Ok(())
}

/// Copies a folder, its pages as `change` makes them; it gets the path from the folder on.
pub fn copy(from: &Path, to: &Path, change: &dyn Fn(&Path, String) -> Result<String>) -> Result<()> {
    fs::create_dir_all(to)?;
    let mut folders = vec![from.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let name = path.strip_prefix(from)?;
            if path.is_dir() {
                fs::create_dir_all(to.join(name))?;
                folders.push(path);
                continue;
            }
            if path.extension().is_none_or(|extension| extension != "md") {
                fs::copy(&path, to.join(name))?;
                continue;
            }
            let text =
                fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let text = change(name, text).with_context(|| format!("in {}", path.display()))?;
            fs::write(to.join(name), text)?;
        }
    }
    Ok(())
}

/// A page with MathML for formulas, and links from the functions it names; those in headings and links stay.
fn page(path: &Path, text: &str, functions: &Functions) -> Result<String> {
    let up = "../".repeat(path.components().count().saturating_sub(1));
    let mut changes: Vec<(Range<usize>, String)> = Vec::new();
    let mut inside = 0;
    let options = Options::ENABLE_TABLES | Options::ENABLE_MATH;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        match event {
            Event::Start(Tag::Link { .. } | Tag::Heading { .. } | Tag::Image { .. }) => inside += 1,
            Event::End(TagEnd::Link | TagEnd::Heading(_) | TagEnd::Image) => inside -= 1,
            Event::DisplayMath(formula) => changes.push((range, typeset(&formula, DisplayMode::Block)?)),
            Event::InlineMath(formula) => changes.push((range, typeset(&formula, DisplayMode::Inline)?)),
            Event::Code(code) if inside == 0 => {
                if let (Some(place), Some(shown)) = (function(&code, functions), text.get(range.clone())) {
                    changes.push((range, format!("[{shown}]({up}reference/{place})")));
                }
            }
            _ => {}
        }
    }
    let mut text = text.to_owned();
    for (range, new) in changes.into_iter().rev() {
        text.replace_range(range, &new);
    }
    Ok(text)
}

/// Place of a function that a text in back quotes names. Short names of C++ need their namespace.
fn function<'a>(code: &str, functions: &'a Functions) -> Option<&'a String> {
    let name = code.split(['(', '<', ' ']).next().unwrap_or_default();
    let is_plain = code.len() == name.len() || code.get(name.len()..).is_some_and(|rest| rest == "()");
    let short = name.strip_prefix("tiletc::");
    let is_long = short.is_some() || name.contains('_');
    functions.get(short.unwrap_or(name)).filter(|_| is_plain && is_long)
}

fn typeset(formula: &str, display_mode: DisplayMode) -> Result<String> {
    let storage = Storage::new();
    let mut events = Vec::new();
    for event in pulldown_latex::Parser::new(formula, &storage) {
        events.push(event.map_err(|error| anyhow!("`{formula}`: {error}"))?);
    }
    let mut mathml = String::new();
    let events = events.into_iter().map(Ok::<_, pulldown_latex::ParserError>);
    push_mathml(&mut mathml, events, RenderConfig { display_mode, ..RenderConfig::default() })?;
    // A blank line would end the HTML within Markdown.
    Ok(mathml.replace('\n', " "))
}

/// Functions of Doxygen's tag file.
pub fn functions(tags: &str) -> Functions {
    let mut functions = Functions::new();
    for member in tags.split("<member kind=\"function\">").skip(1) {
        let of = |tag: &str| {
            let (_, behind) = member.split_once(&format!("<{tag}>"))?;
            behind.split_once(&format!("</{tag}>")).map(|(content, _)| content)
        };
        if let (Some(name), Some(file), Some(anchor)) = (of("name"), of("anchorfile"), of("anchor")) {
            // Of several with one name the first: they stand together.
            functions.entry(name.to_owned()).or_insert_with(|| format!("{file}#{anchor}"));
        }
    }
    functions
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAGS: &str = "<compound kind=\"file\"><member kind=\"function\">\n<type>void</type>\n<name>tiletc_f</name>\n\
        <anchorfile>a.html</anchorfile>\n<anchor>a1</anchor></member>\n<member kind=\"function\">\n<name>run</name>\n\
        <anchorfile>b.html</anchorfile>\n<anchor>b2</anchor></member></compound>";

    #[test]
    fn functions_lead_to_the_reference() -> Result<()> {
        let functions = functions(TAGS);
        let page = |text: &str| page(Path::new("api/page.md"), text, &functions);
        assert_eq!(page("Call `tiletc_f`.")?, "Call [`tiletc_f`](../reference/a.html#a1).");
        assert_eq!(page("`tiletc::run()`")?, "[`tiletc::run()`](../reference/b.html#b2)");
        for as_it_is in [
            "`run`",
            "# `tiletc_f`",
            "[`tiletc_f`](x.md)",
            "```\n`tiletc_f`\n```",
            "`tiletc_f(a)`",
            "`tiletc_g`",
        ] {
            assert_eq!(page(as_it_is)?, as_it_is);
        }
        Ok(())
    }

    #[test]
    fn formulas_become_mathml() -> Result<()> {
        let page = |text: &str| page(Path::new("page.md"), text, &Functions::new());
        let formula = page("so $a_i$ and\n\n$$ C \\leftarrow \\alpha A $$\n")?;
        assert_eq!(formula.matches("<math").count(), 2, "{formula}");
        assert!(!formula.contains('$') && formula.contains('α'), "{formula}");
        assert_eq!(
            page("a `$name` and\n```\n$n = 4 $m = 5\n```\n")?,
            "a `$name` and\n```\n$n = 4 $m = 5\n```\n"
        );
        assert!(page("$\\nosuchcommand$").is_err());
        Ok(())
    }
}
