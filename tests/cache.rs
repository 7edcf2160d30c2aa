//! The store of the kernel cache under many processes: whatever is found is what was put, and in the end the
//! bound holds.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::indexing_slicing)]

use std::path::Path;
use std::process::{Command, Stdio};
use tiletc::runtime::cache::{Cache, Key};

const PROCESSES: u32 = 8;
const ROUNDS: u32 = 300;
const KEYS: u32 = 24;
/// Room for about a third of the binaries.
const BOUND: u64 = 50_000;
/// Names the folder to a process that the test has started.
const FOLDER: &str = "TILETC_TEST_CACHE_FOLDER";

/// The binary of a key, up to 12 kB.
fn binary(key: u32) -> Vec<u8> {
    (0..500 * key).map(|i| (i * 31 + key) as u8).collect()
}

/// Asks for binaries in an order of its own, and sometimes removes files as nobody should.
fn hammer(folder: &Path, seed: u32) {
    let cache = Cache::new(folder.to_owned(), BOUND);
    let mut random = seed;
    for round in 0..ROUNDS {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let key = 1 + (random >> 16) % (KEYS - 1);
        let id = Key::new(&[&key.to_le_bytes()]);
        let found = cache.get_or_build(&id, Some, || Ok::<_, ()>(binary(key)), |built| Some(built.clone()));
        assert!(found == Ok(binary(key)), "key {key}");
        if round % 50 == 49 {
            for file in std::fs::read_dir(folder).unwrap().flatten().step_by(5) {
                let _ = std::fs::remove_file(file.path());
            }
        }
    }
    let counters = cache.counters();
    assert_eq!((counters.hits + counters.misses, counters.rejected), (u64::from(ROUNDS), 0));
    println!("{} hits", counters.hits);
}

#[test]
fn many_processes_share_a_folder() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        hammer(Path::new(&folder), std::process::id());
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let children: Vec<_> = (0..PROCESSES)
        .map(|_| {
            let mut command = Command::new(std::env::current_exe().unwrap());
            command.args(["many_processes_share_a_folder", "--exact", "--nocapture"]);
            command.env(FOLDER, folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
            command.spawn().unwrap()
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        let hits: u32 = text.lines().find_map(|line| line.strip_suffix(" hits")?.parse().ok()).unwrap();
        assert!(hits > 0, "{text}");
    }
    // Nothing but entries is left, and those within the bound.
    let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap()).collect();
    assert!(files.iter().all(|file| file.file_name().to_str().unwrap().ends_with(".tiletc")), "{files:?}");
    let total: u64 = files.iter().map(|file| file.metadata().unwrap().len()).sum();
    assert!(total <= BOUND, "{total}");
}
