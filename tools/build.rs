//! The commit that the tools show as part of their version. The library does not know it: a commit that changes no
//! source builds nothing anew but the tools.

use std::path::Path;
use std::process::Command;

fn main() {
    // Without git, or outside a clone, the version says so.
    let commit = git(&["rev-parse", "--short=7", "HEAD"]);
    println!("cargo:rustc-env=TILETC_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
    for place in ["HEAD", "logs/HEAD"] {
        // Cargo takes a missing file for a changed one.
        let path = git(&["rev-parse", "--path-format=absolute", "--git-path", place]);
        if let Some(path) = path.filter(|path| Path::new(path).exists()) {
            println!("cargo:rerun-if-changed={path}");
        }
    }
    println!("cargo:rerun-if-changed=build.rs");
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim();
    (output.status.success() && !text.is_empty()).then(|| text.to_owned())
}
