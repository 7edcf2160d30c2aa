//! Text to IR and back: lexer, preprocessor, parser, printer.
#![forbid(unsafe_code)]

mod error;
mod lexer;
mod names;
mod number;
mod parser;
mod printer;
mod template;

pub use error::Error;
pub use lexer::reserved_words;
pub use parser::{parse, parse_with};
pub use printer::{list, print};
