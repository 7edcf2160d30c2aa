//! Fingerprints of the modules that a corpus of kernels compiles to, for five devices at three levels.
//!
//! `modules.txt` holds a line for each kernel. A change of the compiler that is meant to leave its output alone
//! leaves this file alone; any other shows there which kernels it changes. `TILETC_BLESS=1` writes it anew.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod kernels;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use sha2::{Digest as _, Sha256};
use tiletc::device::CoreInfo;
use tiletc::diagnostics::Sources;
use tiletc::driver::{self, Options};
use tiletc::ir::Ir;

const DEVICES: [&str; 5] = ["pvc", "bmg", "ptl", "dg2", "tgl"];

/// The smallest corpus that says anything about the compiler as a whole.
const MIN_KERNELS: usize = 300;

/// The modules of a kernel for a device at all levels, as 48 bits of their hash; the status if it is refused.
fn fingerprint(text: &str, device: &str) -> String {
    let info = CoreInfo::from_name(device).unwrap();
    let mut hash = Sha256::new();
    for level in 0..=2 {
        let mut ir = Ir::default();
        let source = Sources::new().add("kernel", text.as_bytes());
        let options = Options { level, ..Options::default() };
        let compiled = driver::parse(&mut ir, source, text.as_bytes())
            .and_then(|program| driver::compile(&mut ir, &program, &info, &options));
        match compiled {
            Ok(module) => module.words().iter().for_each(|word| hash.update(word.to_le_bytes())),
            Err(error) => return format!("{:?}", error.status()),
        }
    }
    hash.finalize().iter().take(6).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The line of a kernel.
fn line(name: &str, text: &str) -> String {
    DEVICES.iter().fold(format!("{name:<40}"), |line, device| format!("{line} {}", fingerprint(text, device)))
}

/// Computes the lines on all cores.
fn lines(kernels: &[(String, String)]) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut lines: Vec<(usize, String)> = std::thread::scope(|scope| {
        let worker = || {
            let mut done = Vec::new();
            while let Some((index, (name, text))) =
                Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, kernels.get(i)?)))
            {
                done.push((index, line(name, text)));
            }
            done
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    lines.sort_unstable();
    lines.into_iter().map(|(_, line)| line).collect()
}

#[test]
fn modules_are_as_recorded() {
    let kernels = kernels::all();
    assert!(kernels.len() >= MIN_KERNELS, "{} kernels", kernels.len());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/modules.txt");
    let found = lines(&kernels).join("\n") + "\n";
    if std::env::var_os("TILETC_BLESS").is_some() {
        fs::write(&path, found).unwrap();
        return;
    }
    let expected = fs::read_to_string(&path).unwrap();
    let changed: Vec<&str> = found
        .lines()
        .filter(|line| !expected.lines().any(|other| other == *line))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(
        found == expected,
        "the modules of {} kernels changed: {}\nIf they are meant to, TILETC_BLESS=1 records them anew; the commit's \
         message says why.",
        changed.len(),
        changed.join(", ")
    );
}
