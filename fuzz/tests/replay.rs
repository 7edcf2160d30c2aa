//! Every input in the corpus, among them all that have been findings, and the ways in which inputs are changed.
//!
//! A finding becomes a test when it is copied into `fuzz/corpus`, into the folder of its target.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use tiletc_fuzz::{TARGETS, Target, dictionary};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// What may be kept: files of all targets together, and their bytes.
const MAX_FILES: usize = 700;
const MAX_BYTES: usize = 1 << 20;

/// The corpus of a target.
fn corpus(target: &Target) -> Vec<PathBuf> {
    let folder = Path::new(ROOT).join("corpus").join(target.name);
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    files
}

fn replay(name: &str) {
    let target = TARGETS.iter().find(|target| target.name == name).unwrap();
    for file in corpus(target) {
        let input = std::fs::read(&file).unwrap();
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (target.run)(&input))) {
            let name = file.strip_prefix(ROOT).unwrap_or(&file).display().to_string();
            std::io::Write::write_all(&mut std::io::stderr(), format!("fuzz/{name} did that\n").as_bytes())
                .unwrap();
            resume_unwind(panic);
        }
    }
}

macro_rules! replays {
    ($($name:ident)*) => {
        /// Those that are replayed.
        const REPLAYED: &[&str] = &[$(stringify!($name)),*];
        mod corpus {
            $(#[test] fn $name() { super::replay(stringify!($name)); })*
        }
    };
}
replays! { round_trip compilation programs spirv cache_entry native_binary npy }

#[test]
fn every_target_is_replayed_and_has_a_program() {
    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    assert_eq!(names, REPLAYED);
    let manifest = std::fs::read_to_string(Path::new(ROOT).join("Cargo.toml")).unwrap();
    for name in names {
        assert!(manifest.contains(&format!("path = \"targets/{name}.rs\"")), "{name}");
        let program = std::fs::read_to_string(Path::new(ROOT).join(format!("targets/{name}.rs"))).unwrap();
        assert!(program.contains(&format!("program!(tiletc_fuzz::{name}::TARGET)")), "{name}");
    }
}

#[test]
fn the_corpus_is_small() {
    let files: Vec<PathBuf> = TARGETS.iter().flat_map(corpus).collect();
    let bytes: u64 = files.iter().map(|file| file.metadata().unwrap().len()).sum();
    assert!(files.len() <= MAX_FILES, "{} files", files.len());
    assert!(bytes <= MAX_BYTES as u64, "{bytes} bytes");
}

#[test]
fn the_dictionary_is_up_to_date() {
    let path = Path::new(ROOT).join("language.dict");
    if std::env::var_os("TILETC_BLESS").is_some() {
        std::fs::write(&path, dictionary::text()).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == dictionary::text(), "TILETC_BLESS=1 cargo test --package tiletc-fuzz writes it anew");
}

/// A change follows from its seed, fits, and is one.
#[test]
fn changes_are_repeatable() {
    const MOST: usize = 8192;
    fn leave(_: &mut [u8], size: usize, _: usize) -> usize {
        size
    }
    for target in TARGETS.iter().filter(|target| target.mutator.is_some()) {
        let (mut changed, mut tried) = (0, 0);
        let inputs: Vec<Vec<u8>> = corpus(target).iter().map(|file| std::fs::read(file).unwrap()).collect();
        for (number, input) in (0..).zip(&inputs) {
            let mutate = || {
                let mut data = input.clone();
                data.resize(MOST.max(input.len()), 0);
                let size = target.mutate(&mut data, input.len(), MOST, number, leave);
                data.truncate(size);
                data
            };
            let once = mutate();
            assert_eq!(once, mutate(), "{}", target.name);
            assert!(once.len() <= MOST);
            let other = &inputs[inputs.len() / 2];
            let cross = || {
                let mut out = vec![0; MOST];
                let size = target.cross(input, other, &mut out, number);
                out.truncate(size);
                out
            };
            assert_eq!(cross(), cross(), "{}", target.name);
            changed += usize::from(once != *input);
            tried += 1;
        }
        assert!(changed * 2 > tried || tried < 8, "{}: {changed} of {tried} changed", target.name);
    }
}
