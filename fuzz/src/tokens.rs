//! Changes of texts, token by token and line by line.

use crate::{Random, dictionary, structure};
use tiletc::ir::Scalar;

/// Changes that are made at once, at most.
const MAX_CHANGES: usize = 4;
/// Lines that are copied at once, at most.
const MAX_LINES: usize = 6;
/// Numbers at which something changes.
pub const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "8",
    "15",
    "16",
    "17",
    "31",
    "32",
    "33",
    "64",
    "127",
    "128",
    "255",
    "1024",
    "32767",
    "2147483647",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "0.0",
    "1e308",
    "5e-324",
    "?",
];

/// A text with a few slips: tokens or lines that are missing, doubled, or others.
pub fn change(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..=random.below(MAX_CHANGES) {
        text = match random.below(12) {
            0 => lines(&text, random),
            1 => options(&text, random),
            2..7 => structure::change(&text, random),
            _ => token(&text, random),
        };
    }
    text
}

/// The first text with some lines of the second.
pub fn cross(first: &[u8], second: &[u8], random: &mut Random) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = split_lines(first).collect();
    let others: Vec<&[u8]> = split_lines(second).collect();
    let at = random.below(lines.len() + 1);
    lines.splice(at..at, random.run_of(&others, MAX_LINES).iter().copied());
    lines.concat()
}

fn split_lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|&byte| byte == b'\n')
}

/// Removes, copies or moves lines.
fn lines(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = split_lines(text).collect();
    let copy: Vec<&[u8]> = random.run_of(&lines, MAX_LINES).to_vec();
    let at = random.below(lines.len());
    match random.below(3) {
        0 if !lines.is_empty() => drop(lines.remove(at)),
        1 => drop(lines.splice(at..at, copy)),
        _ => {
            let other = random.below(lines.len());
            if at.max(other) < lines.len() {
                lines.swap(at, other);
            }
        }
    }
    lines.concat()
}

/// Puts a comment at the start, as [`crate::compilation`] reads it, or changes the one that is there.
fn options(text: &[u8], random: &mut Random) -> Vec<u8> {
    let rest = match text.strip_prefix(b";") {
        Some(comment) => {
            let end = comment.iter().position(|&byte| byte == b'\n').map_or(comment.len(), |end| end + 1);
            comment.get(end..).unwrap_or_default()
        }
        None => text,
    };
    let letters = [(); 3].map(|()| b'0' + random.below(60) as u8);
    [b";", letters.as_slice(), b"\n", rest].concat()
}

/// Removes, copies or replaces a token.
fn token(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut tokens = tokens(text);
    let words: Vec<usize> = (0..tokens.len())
        .filter(|&at| tokens.get(at).is_some_and(|token| !token.trim_ascii().is_empty()))
        .collect();
    let (Some(&at), Some(&from)) = (random.one_of(&words), random.one_of(&words)) else {
        return b"func @f() {\n}\n".to_vec();
    };
    let other = tokens.get(from).copied().unwrap_or_default();
    let Some(place) = tokens.get_mut(at) else { return text.to_vec() };
    let is_number = place.first().is_some_and(u8::is_ascii_digit);
    let is_scalar = Scalar::ALL.iter().any(|scalar| scalar.spelling().as_bytes() == *place);
    match random.below(8) {
        0 => *place = b"",
        1 => *place = other,
        2 => tokens.insert(at, other),
        // What is of the same kind is accepted more often.
        _ if is_number => *place = random.one_of(NUMBERS).map_or(other, |number| number.as_bytes()),
        _ if is_scalar => {
            *place = random.one_of(Scalar::ALL).map_or(other, |scalar| scalar.spelling().as_bytes())
        }
        _ => {
            let words: Vec<&str> = dictionary::words().collect();
            let same = place.first().copied();
            let kind = |token: &&[u8]| token.first().copied() == same;
            let own: Vec<&[u8]> = self::tokens(text).into_iter().filter(kind).collect();
            *place = match random.below(2) {
                0 => random.one_of(&words).map_or(other, |word| word.as_bytes()),
                _ => random.one_of(&own).copied().unwrap_or(other),
            };
        }
    }
    tokens.concat()
}

/// Words, numbers and single characters, blanks among them.
pub fn tokens(text: &[u8]) -> Vec<&[u8]> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_%@$.".contains(&byte);
    text.chunk_by(|&a, &b| is_word(a) && is_word(b)).collect()
}
