//! The texts.

mod parsing;
mod programs;
mod shapes;
mod tiles;

use crate::Expected::{self, Report};

/// Name, text of at most so many bytes, and what it must lead to.
pub type Case = (&'static str, fn(usize) -> String, Expected);

/// Report of the parser and the compiler on what is too much.
const TOO_MUCH: Expected = Report("index or count out of range");

/// `head`, as many `piece`s as there is room for, `tail`.
fn filled(bytes: usize, head: &str, piece: impl Fn(usize) -> String, tail: &str) -> String {
    counted(bytes, head, piece, tail).0
}

/// [`filled`], and how many pieces there are.
fn counted(bytes: usize, head: &str, piece: impl Fn(usize) -> String, tail: &str) -> (String, usize) {
    let mut text = head.to_owned();
    for number in 0.. {
        let next = piece(number);
        if text.len() + next.len() + tail.len() > bytes {
            return (text + tail, number);
        }
        text += &next;
    }
    (text, 0)
}

fn repeated(bytes: usize, head: &str, piece: &str, tail: &str) -> String {
    filled(bytes, head, |_| piece.to_owned(), tail)
}

fn list(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(",")
}

pub fn all() -> Vec<Case> {
    [parsing::all(), programs::all(), shapes::all(), tiles::all()].concat()
}
