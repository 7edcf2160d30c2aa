//! Identity of the sources for the kernel cache, and the name that programs find the shared library by.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};

fn main() -> io::Result<()> {
    println!("cargo:rustc-env=TILETC_SOURCES={:016x}", sources()?);
    println!("cargo:rerun-if-changed=build.rs");
    let soname = soname();
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,{soname}");
    link_soname(&soname)
}

/// The name that programs find the library by. Each minor version before 1.0 may change the interface, as
/// `cmake/TiletcCargo.cmake` knows, too.
fn soname() -> String {
    match env!("CARGO_PKG_VERSION_MAJOR") {
        "0" => concat!("libtiletc.so.0.", env!("CARGO_PKG_VERSION_MINOR")).to_owned(),
        major => format!("libtiletc.so.{major}"),
    }
}

/// Makes the link of that name beside the library, which Cargo names without its version, so that programs run with
/// the library where Cargo has built it.
fn link_soname(soname: &str) -> io::Result<()> {
    // <profile>/build/tiletc-<hash>/out
    let out = std::env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    let Some(profile) = out.ancestors().nth(3) else { return Ok(()) };
    if out.ancestors().nth(2).is_none_or(|folder| folder.file_name() != Some("build".as_ref())) {
        return Ok(());
    }
    let link = profile.join(soname);
    if std::fs::read_link(&link).is_ok_and(|target| target == Path::new("libtiletc.so")) {
        return Ok(());
    }
    let _ = std::fs::remove_file(&link);
    #[cfg(unix)]
    std::os::unix::fs::symlink("libtiletc.so", &link)?;
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
