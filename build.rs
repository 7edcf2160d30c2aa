//! Version data for the tools and the kernel cache, and the name that programs find the shared library by.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() -> io::Result<()> {
    println!("cargo:rustc-env=TILETC_SOURCES={:016x}", sources()?);
    // Without git, or outside a clone, the version says so.
    println!("cargo:rustc-env=TILETC_COMMIT={}", commit().as_deref().unwrap_or("unknown"));
    for place in ["HEAD", "logs/HEAD"] {
        // Cargo takes a missing file for a changed one.
        let path = git(&["rev-parse", "--git-path", place]);
        if let Some(path) = path.filter(|path| Path::new(path).exists()) {
            println!("cargo:rerun-if-changed={path}");
        }
    }
    println!("cargo:rerun-if-changed=build.rs");
    // cmake/TiletcCargo.cmake makes the links of this name.
    let major = env!("CARGO_PKG_VERSION_MAJOR");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libtiletc.so.{major}");
    Ok(())
}

/// A number for the sources of the library. The commit is not enough: a developer who changes the compiler must
/// not get what the cache kept of the unchanged one.
fn sources() -> io::Result<u64> {
    let mut files: BTreeSet<PathBuf> =
        [PathBuf::from("Cargo.lock")].into_iter().filter(|file| file.exists()).collect();
    collect(PathBuf::from("src"), &mut files)?;
    let mut hasher = DefaultHasher::new();
    for file in files {
        println!("cargo:rerun-if-changed={}", file.display());
        (&file, std::fs::read(&file)?).hash(&mut hasher);
    }
    Ok(hasher.finish())
}

/// Adds a file, or those in a folder.
fn collect(path: PathBuf, files: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    if path.is_dir() {
        std::fs::read_dir(path)?.try_for_each(|entry| collect(entry?.path(), files))
    } else {
        files.insert(path);
        Ok(())
    }
}

fn commit() -> Option<String> {
    git(&["rev-parse", "--short=7", "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim();
    (output.status.success() && !text.is_empty()).then(|| text.to_owned())
}
