//! Version data for the tools and the name that programs find the shared library by.

use std::path::Path;
use std::process::Command;

fn main() {
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
