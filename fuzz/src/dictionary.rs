//! The words of the language for the fuzzer.

use std::fmt::Write as _;
use tiletc::syntax::reserved_words;

/// Punctuation of more than one byte, and numbers at which something changes.
const OTHERS: &[&str] = &[
    "->",
    "<=",
    "%0",
    "-1",
    "0x1p-149",
    "1e308",
    "127",
    "128",
    "255",
    "32767",
    "65535",
    "2147483647",
    "2147483648",
    "9223372036854775807",
    "-9223372036854775808",
];

/// The words, each once.
pub fn words() -> impl Iterator<Item = &'static str> {
    let mut words = [reserved_words(), OTHERS].concat();
    words.sort_unstable();
    words.into_iter()
}

/// The file that `-dict` takes.
pub fn text() -> String {
    let mut text =
        "# The words of the language; TILETC_BLESS=1 cargo test --package tiletc-fuzz writes them.\n"
            .to_owned();
    for word in words() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\"{word}\"");
    }
    text
}
