//! Links within the project lead to files, and to headings in them.

use crate::page::Page;
use crate::{Outcome, outcome};
use std::path::{Component, Path, PathBuf};

/// The folder whose pages mdBook turns into the book; it takes nothing from outside.
const BOOK: &str = "docs/src";

/// All links of a page but those to other sites.
pub fn check(root: &Path, page: &Page, pages: &[Page]) -> Outcome {
    let links = page.links.iter().filter(|link| !link.target.contains("://"));
    let complaints = links.filter_map(|link| {
        let complaint = follow(root, page, pages, &link.target).err()?;
        Some(format!("{}:{}: {}: {complaint}", page.path, link.line, link.target))
    });
    outcome(complaints.collect())
}

fn follow(root: &Path, page: &Page, pages: &[Page], target: &str) -> Result<(), &'static str> {
    let (file, anchor) = target.split_once('#').map_or((target, None), |(file, anchor)| (file, Some(anchor)));
    let from = Path::new(&page.path);
    let path = if file.is_empty() {
        from.to_owned()
    } else {
        resolve(from, file).ok_or("it is outside of the project")?
    };
    if from.starts_with(BOOK) && !path.starts_with(BOOK) {
        return Err("a page of the book can only lead to what is in the book");
    }
    let there = pages.iter().find(|page| Path::new(&page.path) == path);
    match (there, anchor) {
        (Some(page), Some(anchor)) if !page.anchors.contains(anchor) => Err("there is no such heading"),
        (None, Some(_)) => Err("this is no page with headings"),
        (None, None) if !root.join(&path).exists() => Err("there is no such file"),
        _ => Ok(()),
    }
}

/// The path of a link in a page, from the checkout on; nothing if it leads out of it.
fn resolve(page: &Path, link: &str) -> Option<PathBuf> {
    let mut path = page.parent()?.to_owned();
    for part in Path::new(link).components() {
        match part {
            Component::Normal(part) => path.push(part),
            Component::CurDir => {}
            Component::ParentDir if path.pop() => {}
            _ => return None,
        }
    }
    Some(path)
}
