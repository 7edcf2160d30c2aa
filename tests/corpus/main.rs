//! Fingerprints of the modules that a corpus of kernels compiles to, for five devices at three levels.
//!
//! `modules.txt` has the modules of each kernel: devices, the hash of the modules of all levels, and how many instructions
//! of each kind that of level 2 has. A change of the compiler that is meant to leave its output alone leaves this file
//! alone; any other shows there which kernels it changes, and how. `TILETC_BLESS=1` writes it anew.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod kernels;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use rspirv::dr::load_words;
use sha2::{Digest as _, Sha256};
use tiletc::device::CoreInfo;
use tiletc::diagnostics::Sources;
use tiletc::driver::{self, Options};
use tiletc::ir::Ir;

const DEVICES: [&str; 5] = ["pvc", "bmg", "ptl", "dg2", "tgl"];

/// The smallest corpus that says anything about the compiler as a whole.
const MIN_KERNELS: usize = 300;

/// Kinds of instructions, each with the beginnings of the names of those that belong to it. The first that fits counts.
const KINDS: [(&str, &[&str]); 19] = [
    ("mma", &["SubgroupMatrixMultiplyAccumulate", "CooperativeMatrixMulAdd"]),
    ("load2d", &["Subgroup2DBlockLoad"]),
    ("store2d", &["Subgroup2DBlockStore"]),
    ("prefetch2d", &["Subgroup2DBlockPrefetch"]),
    ("block", &["SubgroupBlock"]),
    ("matrix", &["CooperativeMatrix"]),
    ("load", &["Load"]),
    ("store", &["Store"]),
    ("atomic", &["Atomic"]),
    ("barrier", &["ControlBarrier", "MemoryBarrier"]),
    ("exchange", &["Group", "Subgroup"]),
    ("address", &["InBoundsPtrAccessChain", "PtrAccessChain", "ConvertPtr", "ConvertUToPtr"]),
    ("convert", &["Bitcast", "Convert", "FConvert", "SConvert", "UConvert"]),
    ("branch", &["Branch", "Phi", "Select", "Switch"]),
    (
        "compare",
        &["FOrd", "FUnord", "IEqual", "INotEqual", "Logical", "SGreater", "SLess", "UGreater", "ULess"],
    ),
    ("vector", &["Composite", "Vector"]),
    ("call", &["ExtInst", "FunctionCall"]),
    ("float", &["F"]),
    ("integer", &["Bit", "I", "S", "U"]),
];

/// The modules of a kernel for a device: 48 bits of the hash of those of all levels, and the kinds of instructions of the
/// last; the status if it is refused.
fn entry(text: &str, device: &str) -> String {
    let info = CoreInfo::from_name(device).unwrap();
    let mut hash = Sha256::new();
    let mut words = Vec::new();
    for level in 0..=2 {
        let mut ir = Ir::default();
        let source = Sources::new().add("kernel", text.as_bytes());
        let options = Options { level, ..Options::default() };
        let compiled = driver::parse(&mut ir, source, text.as_bytes())
            .and_then(|program| driver::compile(&mut ir, &program, &info, &options));
        match compiled {
            Ok(module) => words = module.words(),
            Err(error) => return format!("{:?}", error.status()),
        }
        words.iter().for_each(|word| hash.update(word.to_le_bytes()));
    }
    let mut entry = hash.finalize().iter().take(6).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    let module = load_words(words).unwrap();
    let mut counts = BTreeMap::new();
    for inst in
        module.functions.iter().flat_map(|function| &function.blocks).flat_map(|block| &block.instructions)
    {
        let is_of = |(_, names): &(_, &[&str])| names.iter().any(|name| inst.class.opname.starts_with(name));
        *counts.entry(KINDS.iter().position(is_of).unwrap_or(KINDS.len())).or_insert(0) += 1;
    }
    for (kind, count) in counts {
        let _ = write!(entry, " {} {count}", KINDS.get(kind).map_or("other", |(name, _)| name));
    }
    entry
}

/// The part of the record about a kernel. Devices with the same modules share a line.
fn part(name: &str, text: &str) -> String {
    let mut lines: Vec<(String, String)> = Vec::new();
    for device in DEVICES {
        let entry = entry(text, device);
        match lines.iter_mut().find(|(_, other)| *other == entry) {
            Some((devices, _)) => devices.extend([",", device]),
            None => lines.push((device.to_owned(), entry)),
        }
    }
    lines.iter().fold(name.to_owned(), |part, (devices, entry)| format!("{part}\n {devices} {entry}"))
}

/// The entries of a record, by kernel and device.
fn entries(record: &str) -> BTreeMap<(&str, &str), &str> {
    let (mut kernel, mut entries) = ("", BTreeMap::new());
    for line in record.lines() {
        match line.strip_prefix(' ').and_then(|line| line.split_once(' ')) {
            Some((devices, entry)) => {
                entries.extend(devices.split(',').map(|device| ((kernel, device), entry)));
            }
            None => kernel = line,
        }
    }
    entries
}

/// Changes between two records, a line for each kernel and change.
fn changes(before: &str, after: &str) -> Vec<String> {
    let (before, after) = (entries(before), entries(after));
    let mut changes: BTreeMap<(&str, String), Vec<&str>> = BTreeMap::new();
    for key in before.keys().chain(after.keys()).collect::<BTreeSet<_>>() {
        let [was, is] = [&before, &after].map(|entries| entries.get(key).copied().unwrap_or("none"));
        if was != is {
            changes.entry((key.0, difference(was, is))).or_default().push(key.1);
        }
    }
    let line =
        |((kernel, change), devices): (_, Vec<&str>)| format!("{kernel} on {}: {change}", devices.join(", "));
    changes.into_iter().map(line).collect()
}

/// The difference between two entries: their hashes, and the kinds of instructions whose counts differ.
fn difference(was: &str, is: &str) -> String {
    let hash = |entry: &str| entry.split(' ').next().unwrap().to_owned();
    let counts = |entry| {
        let words: Vec<&str> = str::split(entry, ' ').collect();
        words[1..]
            .chunks_exact(2)
            .map(|pair| (pair[0].to_owned(), pair[1].to_owned()))
            .collect::<BTreeMap<_, _>>()
    };
    let (before, after) = (counts(was), counts(is));
    let mut text = format!("{} → {}", hash(was), hash(is));
    for kind in before.keys().chain(after.keys()).collect::<BTreeSet<_>>() {
        let [was, is] = [&before, &after].map(|counts| counts.get(kind).map_or("0", String::as_str));
        if was != is {
            let _ = write!(text, ", {kind} {was} → {is}");
        }
    }
    text
}

/// Computes the parts on all cores.
fn parts(kernels: &[(String, String)]) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut parts: Vec<(usize, String)> = std::thread::scope(|scope| {
        let worker = || {
            let mut done = Vec::new();
            while let Some((index, (name, text))) =
                Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, kernels.get(i)?)))
            {
                done.push((index, part(name, text)));
            }
            done
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    parts.sort_unstable();
    parts.into_iter().map(|(_, part)| part).collect()
}

#[test]
fn modules_are_as_recorded() {
    let kernels = kernels::all();
    assert!(kernels.len() >= MIN_KERNELS, "{} kernels", kernels.len());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/modules.txt");
    let found = parts(&kernels).join("\n") + "\n";
    if std::env::var_os("TILETC_BLESS").is_some() {
        fs::write(&path, found).unwrap();
        return;
    }
    let expected = fs::read_to_string(&path).unwrap();
    let changes = changes(&expected, &found);
    assert!(
        found == expected,
        "modules changed:\n{}\nIf they are meant to, TILETC_BLESS=1 records them anew; the commit's message says why.",
        changes.join("\n")
    );
}

#[test]
fn changes_are_told_by_kind() {
    let before = "a\n pvc,bmg 12ab load 3 float 4\n tgl 34cd load 5\nb\n pvc UnsupportedDevice\n";
    let after = "a\n pvc,bmg 56ef load 2 mma 1 float 4\n tgl 78ab load 5\nc\n pvc 90cd load 1\n";
    let expected = [
        "a on bmg, pvc: 12ab → 56ef, load 3 → 2, mma 0 → 1",
        "a on tgl: 34cd → 78ab",
        "b on pvc: UnsupportedDevice → none",
        "c on pvc: none → 90cd, load 0 → 1",
    ];
    assert_eq!(changes(before, after), expected);
    assert!(changes(before, before).is_empty());
}
