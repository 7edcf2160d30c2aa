//! Inputs to start with besides those in `fuzz/corpus`: the programs of tests and examples, and the modules that they
//! are compiled to.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tiletc::device::CoreInfo;
use tiletc::diagnostics::SourceId;
use tiletc::driver::{self, Options};
use tiletc::ir::Ir;

use super::build;
use crate::paths::Paths;

/// Bytes of the longest text; long ones take time and reach little that is new.
const MAX_TEXT: u64 = 4096;

/// Bytes of the longest module.
const MAX_MODULE: u64 = 16 << 10;

/// Returns whether the target reads programs.
pub fn are_texts(target: &str) -> bool {
    matches!(target, "round_trip" | "compilation")
}

/// Bytes of the longest input of a target.
pub fn max_bytes(target: &str) -> u64 {
    match target {
        "round_trip" | "compilation" => MAX_TEXT,
        "spirv" | "native_binary" => MAX_MODULE,
        "programs" => 302,
        _ => 1024,
    }
}

/// The folder of a target's seeds, if it has any.
pub fn folder(paths: &Paths, target: &str) -> Option<PathBuf> {
    let kind = match target {
        "round_trip" | "compilation" => "texts",
        "spirv" | "native_binary" => "modules",
        _ => return None,
    };
    Some(build::folder(paths).join("seeds").join(kind))
}

/// Writes all seeds anew.
pub fn write(paths: &Paths) -> Result<()> {
    let seeds = build::folder(paths).join("seeds");
    if seeds.exists() {
        fs::remove_dir_all(&seeds).with_context(|| format!("cannot remove {}", seeds.display()))?;
    }
    let (texts, modules) = (seeds.join("texts"), seeds.join("modules"));
    fs::create_dir_all(&texts)?;
    fs::create_dir_all(&modules)?;
    let mut programs = Vec::new();
    for folder in ["tests", "cpp-examples"] {
        find(&paths.repository.join(folder), &mut programs)?;
    }
    for (number, program) in programs.iter().enumerate() {
        let text = without_comments(&fs::read(program)?);
        let seed = [options(number).as_slice(), &text].concat();
        if seed.len() as u64 > MAX_TEXT {
            continue;
        }
        fs::write(texts.join(number.to_string()), &seed)?;
        for device in ["pvc", "dg2"] {
            if let Some(module) = module(&text, device).filter(|module| module.len() as u64 <= MAX_MODULE) {
                fs::write(modules.join(format!("{number}-{device}")), module)?;
            }
        }
    }
    Ok(())
}

/// A program without the lines that are comments. What is expected of a test is in its comments, and most
/// changes would fall there.
fn without_comments(text: &[u8]) -> Vec<u8> {
    let is_comment = |line: &&[u8]| line.trim_ascii_start().starts_with(b";");
    text.split_inclusive(|&byte| byte == b'\n').filter(|line| !is_comment(line)).collect::<Vec<_>>().concat()
}

/// The comment in front of a program that says how it is compiled, another way for each.
fn options(number: usize) -> Vec<u8> {
    let letters = [number, number / 5, number / 3].map(|number| b'0' + (number % 60) as u8);
    [b";", letters.as_slice(), b"\n"].concat()
}

/// All programs below a folder, in order.
fn find(folder: &Path, programs: &mut Vec<PathBuf>) -> Result<()> {
    for path in super::files(folder)? {
        if path.is_dir() {
            find(&path, programs)?;
        } else if path.extension().is_some_and(|kind| kind == "ir") {
            programs.push(path);
        }
    }
    Ok(())
}

/// The module of a program, if it is one for the device.
fn module(text: &[u8], device: &str) -> Option<Vec<u8>> {
    let mut ir = Ir::default();
    let program = driver::parse(&mut ir, SourceId::UNKNOWN, text).ok()?;
    let info = CoreInfo::from_name(device)?;
    Some(driver::compile(&mut ir, &program, &info, &Options::default()).ok()?.assemble())
}

#[cfg(test)]
mod tests {
    use super::{options, without_comments};

    #[test]
    fn seeds_are_programs_and_how_they_are_compiled() {
        let text =
            b"; run: compile\nfunc @f() {\n    ; nothing\n    barrier ; here\n}\n\n; output:\n; module";
        assert_eq!(without_comments(text), b"func @f() {\n    barrier ; here\n}\n\n");
        assert_eq!(options(61), b";1<D\n");
    }
}
