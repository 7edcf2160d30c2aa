//! The store and the cache without a driver: binaries are any bytes, and bundles are the same bytes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

use std::fs;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant, SystemTime};

use super::*;

/// Bytes that an entry takes besides the binary.
const HEADER: u64 = 84;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn key(name: &str) -> Key {
    Key::new(&[name.as_bytes()])
}

fn store(folder: &Path, max_bytes: u64) -> Store {
    Store::new(folder.join("cache"), max_bytes)
}

fn found(bytes: &[u8]) -> Found {
    Found::Binary(bytes.to_vec())
}

/// Asks for a binary, which is built if it is not there.
fn ask(cache: &Cache, name: &str) -> Vec<u8> {
    cache.get_or_build(&key(name), Some, || Ok::<_, ()>(name.into()), |bundle| Some(bundle.clone())).unwrap()
}

fn counters(hits: u64, misses: u64, stored: u64, evicted: u64, rejected: u64) -> Counters {
    Counters { hits, misses, stored, evicted, rejected }
}

/// Names of the files in the folder of a store.
fn names(store: &Store) -> Vec<String> {
    let folder = store.path(&key("")).parent().unwrap().to_owned();
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Makes an entry look as if it had been used that many seconds ago.
fn age(store: &Store, name: &str, seconds: u64) {
    let file = fs::File::open(store.path(&key(name))).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
}

#[test]
fn a_key_tells_parts_apart() {
    let keys = [
        Key::new(&[]),
        Key::new(&[b""]),
        Key::new(&[b"ab", b"c"]),
        Key::new(&[b"a", b"bc"]),
        Key::new(&[b"abc"]),
        Key::new(&[b"abd"]),
    ];
    for (i, a) in keys.iter().enumerate() {
        assert!(keys.iter().enumerate().all(|(j, b)| (i == j) == (a == b)), "{a}");
    }
    assert_eq!(Key::new(&[b"a", b"bc"]), keys[3]);
    let text = keys[0].to_string();
    assert!(text.len() == 64 && text.bytes().all(|digit| digit.is_ascii_hexdigit()), "{text}");
}

#[test]
fn what_was_put_is_got_by_everybody() {
    let folder = folder();
    let store = store(folder.path(), 1 << 20);
    assert_eq!(store.get(&key("a")), Found::Nothing);
    assert_eq!(store.put(&key("a"), b"binary of a").unwrap(), 0);
    store.put(&key("b"), b"").unwrap();
    let other = Store::new(folder.path().join("cache"), 1 << 20);
    for store in [&store, &other] {
        assert_eq!(store.get(&key("a")), found(b"binary of a"));
        assert_eq!(store.get(&key("b")), found(b""));
    }
    other.put(&key("a"), b"another").unwrap();
    assert_eq!(store.get(&key("a")), found(b"another"));
    store.remove(&key("a"));
    assert_eq!(store.get(&key("a")), Found::Nothing);
    assert_eq!(names(&store), [format!("{}.tiletc", key("b"))]);
}

#[test]
fn folder_and_files_are_for_the_user_alone() {
    let folder = folder();
    let store = Store::new(folder.path().join("deep/er"), 1 << 20);
    store.put(&key("a"), b"a").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder.path().join("deep")), 0o700);
    assert_eq!(mode(&folder.path().join("deep/er")), 0o700);
    assert_eq!(mode(&store.path(&key("a"))), 0o600);
}

#[test]
fn every_damaged_bit_is_noticed() {
    let sound = entry::encode(&key("a"), b"some binary");
    assert_eq!(sound.len() as u64, HEADER + 11);
    assert_eq!(entry::decode(&key("a"), &sound), Some(b"some binary".as_slice()));
    assert_eq!(entry::decode(&key("b"), &sound), None);
    for length in 0..sound.len() {
        assert_eq!(entry::decode(&key("a"), &sound[..length]), None, "{length} bytes");
    }
    assert_eq!(entry::decode(&key("a"), &[&sound[..], b"!"].concat()), None);
    for bit in 0..8 * sound.len() {
        let mut file = sound.clone();
        file[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(entry::decode(&key("a"), &file), None, "bit {bit}");
    }
}

#[test]
fn damaged_files_are_removed() {
    let folder = folder();
    let store = store(folder.path(), 1 << 20);
    let path = store.path(&key("a"));
    let sound = entry::encode(&key("a"), b"some binary");
    let of_another_key = entry::encode(&key("b"), b"some binary");
    let script = b"#!/bin/sh\n".repeat(20);
    for damaged in [b"".as_slice(), &sound[..40], &sound[..90], &of_another_key, &script] {
        store.put(&key("a"), b"some binary").unwrap();
        // A file that exists keeps its rights.
        fs::write(&path, damaged).unwrap();
        assert_eq!(store.get(&key("a")), Found::Damaged);
        assert!(!path.exists());
        assert_eq!(store.get(&key("a")), Found::Nothing);
    }
}

#[test]
fn what_others_may_have_written_is_not_read() {
    let folder = folder();
    let store = store(folder.path(), 1 << 20);
    store.put(&key("a"), b"a").unwrap();
    let path = store.path(&key("a"));
    for mode in [0o620, 0o602, 0o666] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        assert_eq!(store.get(&key("a")), Found::Nothing, "{mode:o}");
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(store.get(&key("a")), found(b"a"));

    // A link leads to where somebody else may write.
    let elsewhere = folder.path().join("elsewhere");
    fs::rename(&path, &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
    assert_eq!(store.get(&key("a")), Found::Nothing);
    // An entry takes the place of the link, not of what it leads to.
    store.put(&key("a"), b"new").unwrap();
    assert_eq!(store.get(&key("a")), found(b"new"));
    assert!(fs::read(&elsewhere).unwrap().ends_with(b"a"));
}

#[test]
fn no_regular_file_is_no_entry() {
    let folder = folder();
    let store = store(folder.path(), 1 << 20);
    store.put(&key("a"), b"a").unwrap();
    // Reading the pipe would wait for ever.
    let pipe = store.path(&key("pipe"));
    let made = std::process::Command::new("mkfifo").arg("-m").arg("600").arg(&pipe).status();
    assert!(made.unwrap().success());
    fs::DirBuilder::new().mode(0o700).create(store.path(&key("folder"))).unwrap();
    for name in ["pipe", "folder"] {
        assert_eq!(store.get(&key(name)), Found::Nothing);
    }
    assert!(store.put(&key("folder"), b"x").is_err());
    assert_eq!(store.put(&key("pipe"), b"x").unwrap(), 0);
    assert_eq!(store.get(&key("pipe")), found(b"x"));
    assert_eq!(names(&store).len(), 3, "{:?}", names(&store));
}

/// Between a look at a file and its opening, something else may take its place.
#[test]
fn what_takes_the_place_of_an_entry_is_not_read_either() {
    let folder = folder();
    let store = store(folder.path(), 1 << 20);
    store.put(&key("a"), b"a").unwrap();
    let path = store.path(&key("a"));
    let [pipe, entry, link, next] = ["pipe", "entry", "link", "next"].map(|name| folder.path().join(name));
    let made = std::process::Command::new("mkfifo").arg("-m").arg("600").arg(&pipe).status();
    assert!(made.unwrap().success());
    fs::hard_link(&path, &entry).unwrap();
    let elsewhere = folder.path().join("elsewhere");
    fs::write(&elsewhere, entry::encode(&key("a"), b"foreign")).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &link).unwrap();

    let (done, is_done) = mpsc::channel();
    let end = Instant::now() + Duration::from_millis(300);
    // It outlives the test where it waits for the other end of the pipe.
    std::thread::spawn(move || {
        let mut seen = Vec::new();
        while Instant::now() < end {
            seen.push(store.get(&key("a")));
        }
        done.send(seen)
    });
    while Instant::now() < end {
        for other in [&pipe, &entry, &link, &entry] {
            fs::hard_link(other, &next).unwrap();
            fs::rename(&next, &path).unwrap();
        }
    }
    let seen =
        is_done.recv_timeout(Duration::from_secs(10)).expect("opening a pipe waited for its other end");
    assert!(!seen.contains(&found(b"foreign")), "a link was followed");
    assert!(seen.contains(&found(b"a")));
}

#[test]
fn the_least_recently_used_entries_make_room() {
    let folder = folder();
    // Room for three entries of 100 bytes.
    let store = store(folder.path(), 3 * (HEADER + 100));
    let binary = [7; 100];
    for (name, seconds) in [("a", 40), ("b", 30), ("c", 20)] {
        assert_eq!(store.put(&key(name), &binary).unwrap(), 0);
        age(&store, name, seconds);
    }
    // The oldest one is used again, so the next one goes.
    assert_eq!(store.get(&key("a")), found(&binary));
    assert_eq!(store.put(&key("d"), &binary).unwrap(), 1);
    let kept = |name: &str| store.path(&key(name)).exists();
    assert_eq!(["a", "b", "c", "d"].map(kept), [true, false, true, true]);
    // A larger one takes the place of two; the newest stays even if its time is the oldest.
    age(&store, "d", 10);
    assert_eq!(store.put(&key("e"), &[8; 200]).unwrap(), 2);
    assert_eq!(["a", "c", "d", "e"].map(kept), [true, false, false, true]);
    // What fits in no way is not kept and drives nothing out.
    assert!(store.put(&key("f"), &[9; 600]).is_err());
    assert_eq!(["a", "e", "f"].map(kept), [true, true, false]);
}

#[test]
fn only_files_of_the_cache_are_counted_and_removed() {
    let folder = folder();
    let store = store(folder.path(), 2 * (HEADER + 100));
    store.put(&key("a"), &[1; 100]).unwrap();
    let place = folder.path().join("cache");
    let foreign =
        ["README", "0123.tiletc", "tiletc-notes.txt", &"g".repeat(71), &format!("{}.TILETC", "0".repeat(64))];
    for name in foreign {
        fs::write(place.join(name), [0; 5000]).unwrap();
        fs::File::open(place.join(name)).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
    }
    // A file that is being written, and one whose writer was killed.
    fs::write(place.join("tiletc-young.tmp"), [0; 5000]).unwrap();
    fs::write(place.join("tiletc-old.tmp"), [0; 5000]).unwrap();
    let old = SystemTime::now() - Duration::from_secs(2 * 60 * 60);
    fs::File::open(place.join("tiletc-old.tmp")).unwrap().set_modified(old).unwrap();
    assert_eq!(store.put(&key("b"), &[2; 100]).unwrap(), 0);
    assert_eq!(store.get(&key("a")), found(&[1; 100]));
    let names = names(&store);
    assert_eq!(names.len(), 2 + foreign.len() + 1, "{names:?}");
    assert!(names.contains(&"tiletc-young.tmp".to_owned()) && !names.contains(&"tiletc-old.tmp".to_owned()));
}

#[test]
fn a_bundle_is_built_once() {
    let folder = folder();
    let cache = Cache::new(folder.path().into(), 0);
    assert_eq!(cache.counters(), Counters::default());
    for _ in 0..3 {
        assert_eq!(ask(&cache, "a"), b"a");
    }
    assert_eq!(cache.counters(), counters(2, 1, 1, 0, 0));
    assert_eq!(ask(&cache, "b"), b"b");
    let another = Cache::new(folder.path().into(), 1 << 20);
    assert_eq!(ask(&another, "b"), b"b");
    assert_eq!(another.counters(), counters(1, 0, 0, 0, 0));
    assert_eq!(cache.counters(), counters(2, 2, 2, 0, 0));
}

#[test]
fn errors_of_the_build_come_through_and_nothing_is_kept() {
    let folder = folder();
    let cache = Cache::new(folder.path().into(), 0);
    let no_load = |_| -> Option<Vec<u8>> { None };
    let result = cache.get_or_build(&key("a"), no_load, || Err("broken"), |bundle| Some(bundle.clone()));
    assert_eq!(result, Err("broken"));
    for native in [None, Some(Vec::new())] {
        let result = cache.get_or_build(&key("a"), no_load, || Ok::<_, ()>(vec![1]), |_| native.clone());
        assert_eq!(result, Ok(vec![1]));
    }
    assert_eq!(cache.counters(), counters(0, 3, 0, 0, 0));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn refused_and_damaged_binaries_are_built_anew() {
    let folder = folder();
    let cache = Cache::new(folder.path().into(), 0);
    ask(&cache, "a");
    let refuse = |_: Vec<u8>| None;
    let build = || Ok::<_, ()>(b"new".to_vec());
    let bundle = cache.get_or_build(&key("a"), refuse, build, |bundle| Some(bundle.clone()));
    assert_eq!(bundle, Ok(b"new".to_vec()));
    assert_eq!(cache.counters(), counters(0, 2, 2, 0, 1));
    assert_eq!(ask(&cache, "a"), b"new");

    let path = folder.path().join(format!("{}.tiletc", key("a")));
    fs::write(&path, b"").unwrap();
    assert_eq!(ask(&cache, "a"), b"a");
    assert_eq!(ask(&cache, "a"), b"a");
    assert_eq!(cache.counters(), counters(2, 3, 3, 0, 2));
}

#[test]
fn a_folder_that_cannot_be_made_is_no_error() {
    let folder = folder();
    let file = folder.path().join("file");
    fs::write(&file, b"").unwrap();
    // Not even the administrator can make a folder in a file, or a file in this one.
    for place in [file.join("cache"), file, "/proc/self/fdinfo".into()] {
        let cache = Cache::new(place.clone(), 0);
        for _ in 0..2 {
            assert_eq!(ask(&cache, "a"), b"a", "{}", place.display());
        }
        assert_eq!(cache.counters(), counters(0, 2, 0, 0, 0), "{}", place.display());
    }
}

#[test]
fn threads_share_a_cache() {
    let folder = folder();
    // Room for half of the entries.
    let cache = Cache::new(folder.path().into(), 8 * (HEADER + 1));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for round in 0..200u32 {
                    let name = char::from_u32('a' as u32 + round * 7 % 16).unwrap().to_string();
                    assert_eq!(ask(&cache, &name), name.as_bytes());
                }
            });
        }
    });
    let counters = cache.counters();
    assert_eq!(counters.hits + counters.misses, 400);
    assert_eq!((counters.stored, counters.rejected), (counters.misses, 0), "{counters:?}");
    assert!(counters.evicted >= 8, "{counters:?}");
    assert!(fs::read_dir(folder.path()).unwrap().count() <= 8);
}
