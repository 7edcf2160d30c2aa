//! libtiletc and programs in C++ built for a sanitizer.
//!
//! Stable Rust can do that if it is told to take unstable options. Of the sanitizer's runtimes Rust's is the one that both
//! compilers' code works with.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::paths::Paths;
use crate::process;

const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Checker of a program while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sanitizer {
    /// Accesses to memory that is not there.
    Address,
    /// Data races. It has to see all code that synchronises threads, Rust's standard library included, so that is built
    /// again from its sources.
    Thread,
}

impl Sanitizer {
    fn name(self) -> &'static str {
        match self {
            Sanitizer::Address => "address",
            Sanitizer::Thread => "thread",
        }
    }

    /// The runtime that comes with Rust.
    fn runtime(self, paths: &Paths) -> Result<PathBuf> {
        let name = match self {
            Sanitizer::Address => "asan",
            Sanitizer::Thread => "tsan",
        };
        Ok(rustlib(paths)?.join(TARGET).join(format!("lib/librustc-stable_rt.{name}.a")))
    }

    /// Reason why nothing can be built for it here, if so. The sources of Rust's standard library are fetched if they are needed
    /// and absent.
    fn missing(self, paths: &Paths) -> Result<Option<String>> {
        let runtime = self.runtime(paths)?;
        if !runtime.exists() {
            return Ok(Some(format!("Rust comes without {}", runtime.display())));
        }
        if self == Sanitizer::Address || sources(paths)?.exists() || add_sources(paths).is_ok() {
            return Ok(None);
        }
        Ok(Some("there are no sources of Rust's standard library: rustup component add rust-src".to_owned()))
    }
}

/// Parts that few programs have.
#[derive(Default)]
pub struct Extras {
    /// Options for the compiler.
    pub options: Vec<OsString>,
    /// Sources in C, which are in the repository.
    pub sources: &'static [&'static str],
    /// Options for the linker that name libraries.
    pub libraries: Vec<OsString>,
}

/// A folder with libtiletc, built for a sanitizer.
pub struct Build<'a> {
    /// Paths of the sources.
    pub paths: &'a Paths,
    sanitizer: Sanitizer,
    /// Folder in which everything is built.
    pub folder: PathBuf,
}

impl<'a> Build<'a> {
    /// Builds libtiletc in a folder of the target folder.
    pub fn new(paths: &'a Paths, sanitizer: Sanitizer, folder: &str) -> Result<Build<'a>> {
        if let Some(missing) = sanitizer.missing(paths)? {
            bail!("{missing}");
        }
        let folder = paths.target.join(folder);
        let mut cargo = paths.cargo(&["build", "--package", "tiletc", "--lib", "--target", TARGET]);
        if sanitizer == Sanitizer::Thread {
            cargo.arg("-Zbuild-std");
        }
        cargo.env("CARGO_TARGET_DIR", &folder).env("RUSTC_BOOTSTRAP", "1");
        cargo.env("RUSTFLAGS", format!("-Zsanitizer={}", sanitizer.name()));
        // Reports shall name lines, and the tests shall end.
        cargo.env("CARGO_PROFILE_DEV_OPT_LEVEL", "1").env("CARGO_PROFILE_DEV_DEBUG", "1");
        process::run(&mut cargo)?;
        Ok(Build { paths, sanitizer, folder })
    }

    /// The program of `tests/cpp/SOURCE.cpp`.
    pub fn program(&self, source: &str) -> Result<PathBuf> {
        self.program_with(source, &Extras::default())
    }

    /// The same with more than it takes for most.
    pub fn program_with(&self, source: &str, extras: &Extras) -> Result<PathBuf> {
        let name = source.replace('/', "_");
        let program = self.folder.join(&name);
        let object = self.folder.join(format!("{name}.o"));
        let mut compile = self.compile(&object);
        compile.arg("-std=c++17").args(&extras.options);
        process::run(compile.arg(self.paths.repository.join("tests/cpp").join(format!("{source}.cpp"))))?;
        let mut objects = vec![object];
        for other in extras.sources {
            let object = self.folder.join(format!("{}.o", other.replace('/', "_")));
            let mut compile = self.compile(&object);
            process::run(compile.args(["-x", "c"]).arg(self.paths.repository.join(other)))?;
            objects.push(object);
        }

        let mut linker = compiler();
        linker.arg("-o").arg(&program).args(&objects);
        linker.arg(self.folder.join(TARGET).join("debug/libtiletc.a"));
        linker
            .arg("-Wl,--whole-archive")
            .arg(self.sanitizer.runtime(self.paths)?)
            .arg("-Wl,--no-whole-archive");
        process::run(linker.args(&extras.libraries).args(["-pthread", "-ldl", "-lm", "-lrt"]))?;
        Ok(program)
    }

    /// A compiler that makes an object.
    fn compile(&self, object: &Path) -> Command {
        let mut compile = compiler();
        compile.args(["-O1", "-g", "-DTILETC_STATIC_DEFINE"]);
        compile.arg(format!("-fsanitize={}", self.sanitizer.name()));
        compile.arg("-I").arg(self.paths.repository.join("include"));
        compile.arg("-I").arg(self.paths.repository.join("level-zero-sys/include"));
        compile.arg("-c").arg("-o").arg(object);
        compile
    }
}

fn compiler() -> Command {
    Command::new(env::var_os("CXX").unwrap_or_else(|| "c++".into()))
}

/// The sources of Rust's standard library.
fn sources(paths: &Paths) -> Result<PathBuf> {
    Ok(rustlib(paths)?.join("src/rust/library/std"))
}

fn add_sources(paths: &Paths) -> Result<()> {
    process::run(Command::new("rustup").args(["component", "add", "rust-src"]).current_dir(&paths.repository))
}

/// Folder in which the Rust in use keeps what belongs to its targets.
pub fn rustlib(paths: &Paths) -> Result<PathBuf> {
    let root =
        process::answer(Command::new("rustc").args(["--print", "sysroot"]).current_dir(&paths.repository));
    let root = root.context("rustc does not say where it is installed")?;
    Ok(Path::new(root.trim()).join("lib/rustlib"))
}
