//! The tests of many threads under ThreadSanitizer.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::paths::Paths;
use crate::process;
use crate::sanitized::{Build, Sanitizer};

const THREADS: &str = "8";

/// Programs that are compiled, some ten times slower than without the sanitizer.
const PROGRAMS: &str = "1000";

/// Rounds of the test of builder, recipes and cache.
const ROUNDS: &str = "10";

/// The exit code of a program in which the sanitizer has found a race.
const RACE: i32 = 66;

/// Builds libtiletc and the tests of many threads for the sanitizer and runs them. Fails if it reports a race.
pub fn run(paths: &Paths) -> Result<()> {
    let build = Build::new(paths, Sanitizer::Thread, "races")?;
    // A race that is there has to be found, or all that follows says nothing.
    let planted = build.program("race")?;
    let found = sanitized(&planted).stderr(Stdio::null()).status()?;
    ensure!(found.code() == Some(RACE), "the sanitizer does not see a planted race ({found})");

    process::run(
        sanitized(&build.program("threads")?).args([PROGRAMS, THREADS]).args(kernels(&paths.repository)?),
    )?;
    process::say(format!("no data race in {PROGRAMS} programs on {THREADS} threads"));
    let mut objects = sanitized(&build.program("threads_objects")?);
    objects.env("LD_LIBRARY_PATH", fake_level_zero(&build)?).args([THREADS, ROUNDS]);
    process::run(objects.arg(build.folder.join("cache")))?;
    process::say(format!(
        "no data race in {ROUNDS} rounds of builder, recipes and cache on {THREADS} threads"
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
