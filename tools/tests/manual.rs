//! The manual: what the tools print where it shows them.
//!
//! A fenced block of `console` begins with a command behind `$`, and all else is what that prints: standard output, then
//! standard error. It runs in a folder in which `kernel.ir` is the program above the block, and `double.npy` an array of
//! NumPy's with four numbers in double precision. Addresses are shown as `0x…`, since they differ from run to run.
//!
//! `TILETC_BLESS=1` writes the blocks anew: read the difference before you keep it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "common/tool.rs"]
mod tool;

use std::path::{Path, PathBuf};
use std::process::Command;

/// Fences of the blocks.
const CONSOLE: &str = "```console\n";
const PROGRAM: &str = "```tensor";
const END: &str = "\n```\n";

/// Pages with such blocks.
fn pages() -> Vec<PathBuf> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/src"));
    let pages = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let has_block = |page: &PathBuf| {
        page.extension().is_some_and(|extension| extension == "md")
            && std::fs::read_to_string(page).unwrap().contains(CONSOLE)
    };
    let mut pages: Vec<PathBuf> = pages.filter(has_block).collect();
    pages.sort();
    pages
}

/// Output of a command of the manual.
fn output(command: &str) -> String {
    let tools = Path::new(env!("CARGO_BIN_EXE_tiletc")).parent().unwrap();
    let path = std::env::join_paths(
        [tools.to_owned()].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(tool::folder()).env("PATH", path.unwrap());
    shell.env_remove("CLICOLOR_FORCE").env_remove("TILETC_CACHE_DIR");
    let ran = tool::outcome(&mut shell, "");
    without_addresses(&(String::from_utf8(ran.output).unwrap() + &ran.errors))
}

/// The text with `0x…` for numbers of many hexadecimal digits.
fn without_addresses(text: &str) -> String {
    let mut parts = text.split("0x");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_hexdigit).count();
        let rest = if digits >= 8 { format!("…{}", part.get(digits..).unwrap()) } else { part.to_owned() };
        shown = shown + "0x" + &rest;
    }
    shown
}

/// The page as it should be.
fn told_anew(page: &str) -> String {
    let mut told = String::new();
    let mut rest = page;
    while let Some(start) = rest.find("```") {
        let block = rest.get(start..).unwrap();
        let length = block.find(END).unwrap_or_else(|| panic!("a block without an end: {block}")) + END.len();
        let (block, behind) = block.split_at(length);
        let (_, text) = block.split_once('\n').unwrap();
        let text = text.strip_suffix(END).map(|text| text.to_owned() + "\n").unwrap_or_default();
        told += rest.get(..start).unwrap();
        if let Some(console) = block.strip_prefix(CONSOLE) {
            let command = console.lines().next().and_then(|line| line.strip_prefix("$ "));
            let command = command.unwrap_or_else(|| panic!("no command in {block}"));
            told += &format!("{CONSOLE}$ {command}\n{}```\n", output(command));
        } else {
            if block.starts_with(PROGRAM) {
                std::fs::write(tool::folder().join("kernel.ir"), text).unwrap();
            }
            told += block;
        }
        rest = behind;
    }
    told + rest
}

/// A file of NumPy's with four zeros.
fn write_array() {
    let header = "{'descr': '<f8', 'fortran_order': True, 'shape': (4,), }\n";
    let length = u16::try_from(header.len()).unwrap().to_le_bytes();
    let bytes = [b"\x93NUMPY\x01\x00".as_slice(), &length, header.as_bytes(), &[0; 32]].concat();
    std::fs::write(tool::folder().join("double.npy"), bytes).unwrap();
}

#[test]
fn the_tools_print_what_the_manual_says() {
    write_array();
    let pages = pages();
    assert!(!pages.is_empty());
    for page in pages {
        let found = std::fs::read_to_string(&page).unwrap();
        let expected = told_anew(&found);
        if std::env::var_os("TILETC_BLESS").is_some() {
            std::fs::write(&page, expected).unwrap();
        } else {
            assert_eq!(found, expected, "{}", page.display());
        }
    }
}

#[test]
fn addresses_are_left_out() {
    assert_eq!(without_addresses("at 0x563114877900, 0x10 of 0x5631148779"), "at 0x…, 0x10 of 0x…");
}
