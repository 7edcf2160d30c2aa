//! The C ABI as it was when its version was set: `abi.txt` has every function with its type, every enumerator
//! with its value, every structure and every macro. It is read off the headers, which other tests compare
//! with the sources and with what the library exports.
//!
//! Additions are made with `TILETC_BLESS=1 cargo test --test ffi abi`. A line that goes or changes breaks
//! programs, and is refused until the version in `Cargo.toml` says so: a new major version, or before 1.0 a
//! new minor one.

use super::declarations::of_the_headers;
use std::collections::BTreeSet;
use std::path::Path;

/// The ABI at a version.
#[derive(Debug, PartialEq, Eq)]
struct Snapshot {
    version: String,
    lines: BTreeSet<String>,
}

impl Snapshot {
    fn read(text: &str) -> Option<Self> {
        let (first, rest) = text.split_once('\n')?;
        let version = first.strip_prefix("version ")?.to_owned();
        Some(Self { version, lines: rest.lines().map(str::to_owned).collect() })
    }

    fn text(&self) -> String {
        let lines: String = self.lines.iter().flat_map(|line| [line, "\n"]).collect();
        format!("version {}\n{lines}", self.version)
    }

    /// Versions of one series promise one ABI, which may only grow.
    fn series(&self) -> &str {
        let numbers = if self.version.starts_with("0.") { 2 } else { 1 };
        let end = self.version.match_indices('.').nth(numbers - 1).map_or(self.version.len(), |(end, _)| end);
        &self.version[..end]
    }

    /// The lines of `self` that `next` has no more, although it promises them.
    fn broken_by<'a>(&'a self, next: &'a Self) -> Vec<&'a str> {
        if self.series() != next.series() {
            return Vec::new();
        }
        self.lines.difference(&next.lines).map(String::as_str).collect()
    }
}

#[test]
fn the_abi_changes_only_with_the_version() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ffi/abi.txt");
    let current = Snapshot {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        lines: of_the_headers().iter().map(ToString::to_string).collect(),
    };
    let blessed = std::env::var_os("TILETC_BLESS").is_some();
    let old = match std::fs::read_to_string(&path) {
        Ok(text) => Snapshot::read(&text).expect("abi.txt begins with the version"),
        Err(_) if blessed => Snapshot { version: String::new(), lines: BTreeSet::new() },
        Err(error) => panic!("{}: {error}; TILETC_BLESS=1 writes it", path.display()),
    };
    let broken = old.broken_by(&current);
    assert!(
        broken.is_empty(),
        "version {} promises what is no longer there; raise the version or keep:\n{}",
        old.version,
        broken.join("\n")
    );
    if blessed && old != current {
        std::fs::write(&path, current.text()).unwrap();
    } else if old != current {
        let new: Vec<&str> = current.lines.difference(&old.lines).map(String::as_str).collect();
        panic!(
            "abi.txt is of version {}, this is {}; TILETC_BLESS=1 writes it anew, with these lines more:\n{}",
            old.version,
            current.version,
            new.join("\n")
        );
    }
}

#[test]
fn a_series_of_versions_keeps_its_lines() {
    let snapshot = |version: &str, lines: &[&str]| Snapshot {
        version: version.to_owned(),
        lines: lines.iter().map(ToString::to_string).collect(),
    };
    let broken = |old: &Snapshot, new: &Snapshot| old.broken_by(new).len();
    let old = snapshot("0.1.0", &["function a: void(void)", "function b: void(void)"]);
    let grown = ["function a: void(void)", "function b: void(void)", "function c: void(void)"];
    let changed = ["function a: void(int)", "function b: void(void)"];
    assert_eq!(broken(&old, &snapshot("0.1.0", &grown)), 0);
    assert_eq!(broken(&old, &snapshot("0.1.0", &changed)), 1);
    assert_eq!(broken(&old, &snapshot("0.1.7", &[])), 2);
    assert_eq!(broken(&old, &snapshot("0.2.0", &changed)), 0);
    assert_eq!(broken(&old, &snapshot("1.0.0", &changed)), 0);
    assert_eq!(broken(&snapshot("1.0.0", &grown), &snapshot("1.9.0", &changed)), 2);
    assert_eq!(broken(&snapshot("1.0.0", &grown), &snapshot("2.0.0", &changed)), 0);
    assert_eq!(Snapshot::read(&old.text()), Some(old));
}
