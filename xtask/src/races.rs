//! `cargo xtask races`: the tests of many threads under ThreadSanitizer.
//!
//! The sanitizer has to see all code that synchronises threads, Rust's standard library included, so that is
//! built again from its sources. Stable Rust can do both if it is told to take unstable options.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::paths::Paths;
use crate::process;

const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Programs and threads of the test, which is some ten times slower than without the sanitizer.
const PROGRAMS: &str = "1000";
const THREADS: &str = "8";

/// Rounds of the test of builder, recipes and cache.
const ROUNDS: &str = "10";

/// The exit code of a program in which the sanitizer has found a race.
const RACE: i32 = 66;

/// Why the tests cannot run here, if so. The sources of Rust's standard library are fetched if they are absent.
pub fn obstacle(paths: &Paths) -> Result<Option<String>> {
    let runtime = runtime(paths)?;
    if !runtime.exists() {
        return Ok(Some(format!("Rust comes without {}", runtime.display())));
    }
    if sources(paths)?.exists() || add_sources(paths).is_ok() {
        return Ok(None);
    }
    Ok(Some("there are no sources of Rust's standard library: rustup component add rust-src".to_owned()))
}

/// Builds libtiletc and the tests of many threads for the sanitizer and runs them. Fails if it reports a race.
pub fn run(paths: &Paths) -> Result<()> {
    if let Some(obstacle) = obstacle(paths)? {
        bail!("{obstacle}");
    }
    let folder = paths.target.join("races");
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

    let tests = Tests { paths, folder: &folder };
    // A race that is there has to be found, or all that follows says nothing.
    let planted = tests.build("race")?;
    let found = sanitized(&planted).stderr(Stdio::null()).status()?;
    ensure!(found.code() == Some(RACE), "the sanitizer does not see a planted race ({found})");

    process::run(
        sanitized(&tests.build("threads")?).args([PROGRAMS, THREADS]).args(kernels(&paths.repository)?),
    )?;
    println!("no data race in {PROGRAMS} programs on {THREADS} threads");
    let mut objects = sanitized(&tests.build("threads_objects")?);
    objects.env("LD_LIBRARY_PATH", tests.fake_level_zero()?).args([THREADS, ROUNDS]);
    process::run(objects.arg(folder.join("cache")))?;
    println!("no data race in {ROUNDS} rounds of builder, recipes and cache on {THREADS} threads");
    Ok(())
}

/// Builds the tests for the sanitizer.
struct Tests<'a> {
    paths: &'a Paths,
    folder: &'a Path,
}

impl Tests<'_> {
    /// The program of `tests/cpp/NAME.cpp`.
    fn build(&self, name: &str) -> Result<PathBuf> {
        let (object, program) = (self.folder.join(format!("{name}.o")), self.folder.join(name));
        let mut compile = compiler();
        compile.args(["-std=c++17", "-O1", "-g", "-fsanitize=thread", "-DTILETC_STATIC_DEFINE"]);
        compile.arg("-I").arg(self.paths.repository.join("include"));
        compile.arg("-I").arg(self.paths.repository.join("level-zero-sys/include"));
        compile.arg("-c").arg("-o").arg(&object);
        process::run(compile.arg(self.paths.repository.join("tests/cpp").join(format!("{name}.cpp"))))?;

        // Of the sanitizer's runtimes Rust's is the one that both compilers' code works with.
        let mut linker = compiler();
        linker.arg("-o").arg(&program).arg(&object);
        linker.arg(self.folder.join(TARGET).join("debug/libtiletc.a"));
        linker.arg("-Wl,--whole-archive").arg(runtime(self.paths)?).arg("-Wl,--no-whole-archive");
        process::run(linker.args(["-pthread", "-ldl", "-lm", "-lrt"]))?;
        Ok(program)
    }

    /// The folder of the driver that is none, under the name of Level Zero's loader.
    fn fake_level_zero(&self) -> Result<PathBuf> {
        let folder = self.folder.join("fakes");
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let mut compile = Command::new(env::var_os("CC").unwrap_or_else(|| "cc".into()));
        compile.args(["-shared", "-fPIC", "-O1", "-o"]).arg(folder.join("libze_loader.so.1"));
        process::run(compile.arg(self.paths.repository.join("tests/fakes/level_zero.c")))?;
        Ok(folder)
    }
}

/// A program that ends with [`RACE`] if the sanitizer reports anything.
fn sanitized(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env("TSAN_OPTIONS", format!("exitcode={RACE}"));
    command
}

fn compiler() -> Command {
    Command::new(env::var_os("CXX").unwrap_or_else(|| "c++".into()))
}

/// The sanitizer's runtime that comes with Rust.
fn runtime(paths: &Paths) -> Result<PathBuf> {
    Ok(rustlib(paths)?.join(TARGET).join("lib/librustc-stable_rt.tsan.a"))
}

/// The sources of Rust's standard library.
fn sources(paths: &Paths) -> Result<PathBuf> {
    Ok(rustlib(paths)?.join("src/rust/library/std"))
}

fn add_sources(paths: &Paths) -> Result<()> {
    process::run(Command::new("rustup").args(["component", "add", "rust-src"]).current_dir(&paths.repository))
}

/// Where the Rust in use keeps what belongs to its targets.
pub fn rustlib(paths: &Paths) -> Result<PathBuf> {
    let root =
        process::answer(Command::new("rustc").args(["--print", "sysroot"]).current_dir(&paths.repository));
    let root = root.context("rustc does not say where it is installed")?;
    Ok(Path::new(root.trim()).join("lib/rustlib"))
}

/// The programs that the test compiles.
fn kernels(repository: &Path) -> Result<Vec<PathBuf>> {
    let folder = repository.join("tests/filetests/kernels");
    let files = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let paths = files.map(|file| Ok(file?.path())).collect::<Result<Vec<_>>>()?;
    Ok(paths.into_iter().filter(|path| path.extension().is_some_and(|kind| kind == "ir")).collect())
}
