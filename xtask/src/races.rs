//! `cargo xtask races`: the tests of many threads under ThreadSanitizer.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::paths::Paths;
use crate::process;
use crate::sanitized::{Build, Sanitizer};

const THREADS: &str = "8";

/// How much is tried. Programs are some ten times slower than without the sanitizer.
pub struct Amount {
    /// Programs that are compiled.
    programs: &'static str,
    /// Rounds of the test of builder, recipes and cache.
    rounds: &'static str,
}

/// What `cargo xtask test` tries.
pub const FEW: Amount = Amount { programs: "250", rounds: "4" };

/// What `cargo xtask races` tries.
pub const MANY: Amount = Amount { programs: "1000", rounds: "10" };

/// The exit code of a program in which the sanitizer has found a race.
const RACE: i32 = 66;

/// Why the tests cannot run here, if so.
pub fn skip_reason(paths: &Paths) -> Result<Option<String>> {
    Sanitizer::Thread.missing(paths)
}

/// Builds libtiletc and the tests of many threads for the sanitizer and runs them. Fails if it reports a race.
pub fn run(paths: &Paths, Amount { programs, rounds }: &Amount) -> Result<()> {
    let build = Build::new(paths, Sanitizer::Thread, "races")?;
    // A race that is there has to be found, or all that follows says nothing.
    let planted = build.program("race")?;
    let found = sanitized(&planted).stderr(Stdio::null()).status()?;
    ensure!(found.code() == Some(RACE), "the sanitizer does not see a planted race ({found})");

    process::run(
        sanitized(&build.program("threads")?).args([programs, THREADS]).args(kernels(&paths.repository)?),
    )?;
    process::say(format!("no data race in {programs} programs on {THREADS} threads"));
    let mut objects = sanitized(&build.program("threads_objects")?);
    objects.env("LD_LIBRARY_PATH", fake_level_zero(&build)?).args([THREADS, rounds]);
    process::run(objects.arg(build.folder.join("cache")))?;
    process::say(format!(
        "no data race in {rounds} rounds of builder, recipes and cache on {THREADS} threads"
    ));
    Ok(())
}

/// The folder of the driver that is none, under the name of Level Zero's loader.
fn fake_level_zero(build: &Build<'_>) -> Result<PathBuf> {
    let folder = build.folder.join("fakes");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut compile = Command::new(env::var_os("CC").unwrap_or_else(|| "cc".into()));
    compile.args(["-shared", "-fPIC", "-O1", "-o"]).arg(folder.join("libze_loader.so.1"));
    process::run(compile.arg(build.paths.repository.join("tests/fakes/level_zero.c")))?;
    Ok(folder)
}

/// A program that ends with [`RACE`] if the sanitizer reports anything.
fn sanitized(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env("TSAN_OPTIONS", format!("exitcode={RACE}"));
    command
}

/// The programs that the test compiles.
fn kernels(repository: &Path) -> Result<Vec<PathBuf>> {
    let folder = repository.join("tests/filetests/kernels");
    let files = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let paths = files.map(|file| Ok(file?.path())).collect::<Result<Vec<_>>>()?;
    Ok(paths.into_iter().filter(|path| path.extension().is_some_and(|kind| kind == "ir")).collect())
}
