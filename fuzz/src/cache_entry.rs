//! Files of the kernel cache.

use crate::{Mutator, Random, Target};
use sha2::{Digest as _, Sha256};
use tiletc::runtime::cache::{Cache, Key};

/// The target.
pub const TARGET: Target = Target { name: "cache_entry", run, mutator: Some(Mutator { change, cross }) };

/// The binary that is built if the file has none.
const BUILT: &[u8] = b"built";

fn run(data: &[u8]) {
    let Ok(folder) = tempfile::tempdir() else { return };
    let key = key();
    if std::fs::write(folder.path().join(format!("{key}.tiletc")), data).is_err() {
        return;
    }
    let cache = Cache::new(folder.path().to_owned(), 0);
    let found = get(&cache, &key);
    match &found {
        Some(binary) => assert!(entry(binary) == data, "a binary was made up"),
        None => {
            assert!(data.get(HEADER..).is_none_or(|binary| entry(binary) != data), "a sound entry is refused")
        }
    }
    // What was built instead is kept instead.
    assert_eq!(get(&cache, &key).as_deref(), Some(found.as_deref().unwrap_or(BUILT)));
}

/// Looks a key up in the cache.
fn get(cache: &Cache, key: &Key) -> Option<Vec<u8>> {
    let mut found = None;
    let built: Result<(), ()> = cache.get_or_build(
        key,
        |binary| {
            found = Some(binary);
            Some(())
        },
        || Ok(()),
        |()| Some(BUILT.to_vec()),
    );
    assert_eq!(built, Ok(()));
    found
}

/// The bytes before the binary.
const HEADER: usize = 84;

/// A key whose bytes are known, since its hexadecimal digits are.
fn key() -> Key {
    Key::new(&[b"fuzz"])
}

/// A sound entry (`docs/decisions/0003-kernel-cache.md`), written by hand so that the cache's own way is judged.
fn entry(binary: &[u8]) -> Vec<u8> {
    let digits = key().to_string();
    let key = digits.as_bytes().chunks(2).map(|pair| {
        let pair = str::from_utf8(pair).unwrap_or_default();
        u8::from_str_radix(pair, 16).unwrap_or_default()
    });
    let mut bytes = b"tiletcKC\x01\0\0\0".to_vec();
    bytes.extend(key);
    bytes.extend((binary.len() as u64).to_le_bytes());
    bytes.extend(Sha256::digest(binary));
    bytes.extend(binary);
    bytes
}

/// A sound entry with another binary, or one that is damaged in one place.
fn change(data: &[u8], random: &mut Random) -> Vec<u8> {
    let binary = data.get(HEADER..).unwrap_or(data);
    let mut bytes = match random.below(3) {
        0 => entry(&random.number().to_le_bytes().repeat(random.below(9))),
        1 => entry(&[binary, &random.number().to_le_bytes()].concat()),
        _ => entry(binary),
    };
    let at = random.below(bytes.len());
    match random.below(4) {
        0 => bytes.truncate(at),
        1 => bytes.insert(at, random.number() as u8),
        2 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << random.below(8)),
        _ => {}
    }
    bytes
}

fn cross(first: &[u8], second: &[u8], random: &mut Random) -> Vec<u8> {
    let at = random.below(HEADER.min(first.len()) + 1);
    [first.get(..at).unwrap_or(first), second.get(at..).unwrap_or_default()].concat()
}
