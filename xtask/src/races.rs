//! `cargo xtask races`: the test of many threads under ThreadSanitizer.
//!
//! The sanitizer has to see all code that synchronises threads, Rust's standard library included, so that is
//! built again from its sources. Stable Rust can do both if it is told to take unstable options.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::paths::Paths;
use crate::process;

const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Programs and threads of the test, which is some ten times slower than without the sanitizer.
const PROGRAMS: &str = "200";
const THREADS: &str = "8";

/// Builds libtiletc and `tests/cpp/threads.cpp` for the sanitizer and runs the test. Fails if it reports a race.
pub fn run(paths: &Paths) -> Result<()> {
    let folder = paths.target.join("races");
    if process::answer(Command::new("rustup").arg("--version")).is_some() {
        process::run(Command::new("rustup").args(["component", "add", "rust-src"]))?;
    }
    let mut cargo = paths.cargo(&[
        "build",
        "--package",
        "tiletc",
        "--lib",
        "--no-default-features",
        "-Zbuild-std",
        "--target",
        TARGET,
    ]);
    cargo.env("CARGO_TARGET_DIR", &folder).env("RUSTC_BOOTSTRAP", "1");
    cargo.env("RUSTFLAGS", "-Zsanitizer=thread");
    // Reports shall name lines, and the test shall end.
    cargo.env("CARGO_PROFILE_DEV_OPT_LEVEL", "1").env("CARGO_PROFILE_DEV_DEBUG", "1");
    process::run(&mut cargo)?;

    let (object, program) = (folder.join("threads.o"), folder.join("threads"));
    let mut compile = compiler();
    compile.args(["-std=c++17", "-O1", "-g", "-fsanitize=thread", "-DTILETC_STATIC_DEFINE", "-I"]);
    compile.arg(paths.repository.join("include")).arg("-c").arg("-o").arg(&object);
    process::run(compile.arg(paths.repository.join("tests/cpp/threads.cpp")))?;

    // Of the sanitizer's runtimes Rust's is the one that both compilers' code works with.
    let mut linker = compiler();
    linker.arg("-o").arg(&program).arg(&object).arg(folder.join(TARGET).join("debug/libtiletc.a"));
    linker.arg("-Wl,--whole-archive").arg(runtime(paths)?).arg("-Wl,--no-whole-archive");
    process::run(linker.args(["-pthread", "-ldl", "-lm", "-lrt"]))?;

    let mut test = Command::new(program);
    test.args([PROGRAMS, THREADS]).args(kernels(&paths.repository)?);
    process::run(test.env("TSAN_OPTIONS", "exitcode=66"))?;
    println!("no data race in {PROGRAMS} programs on {THREADS} threads");
    Ok(())
}

fn compiler() -> Command {
    Command::new(env::var_os("CXX").unwrap_or_else(|| "c++".into()))
}

/// The sanitizer's runtime that comes with Rust.
fn runtime(paths: &Paths) -> Result<PathBuf> {
    let root =
        process::answer(Command::new("rustc").args(["--print", "sysroot"]).current_dir(&paths.repository));
    let root = root.context("rustc does not say where it is installed")?;
    let libraries = Path::new(root.trim()).join("lib/rustlib").join(TARGET).join("lib");
    Ok(libraries.join("librustc-stable_rt.tsan.a"))
}

/// The programs that the test compiles.
fn kernels(repository: &Path) -> Result<Vec<PathBuf>> {
    let folder = repository.join("tests/filetests/kernels");
    let files = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let paths = files.map(|file| Ok(file?.path())).collect::<Result<Vec<_>>>()?;
    Ok(paths.into_iter().filter(|path| path.extension().is_some_and(|kind| kind == "ir")).collect())
}
