//! The compiler `ocloc`: where it is found, and how it is called.

use crate::error::Error;
use crate::fetch;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use tiletc::device::CoreFeatures;

/// The environment variable that names ocloc itself.
pub const OCLOC: &str = "TILETC_OCLOC";

/// The environment variable that names a program of the user's own that calls the compiler: `PROGRAM ocloc ARGUMENT…`
/// runs ocloc.
pub const IGC: &str = "TILETC_IGC";

/// Folder of the libraries below that of the unpacked packages.
const LIBRARIES: &str = "root/usr/lib/x86_64-linux-gnu";

/// A way to call Intel's offline compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ocloc {
    /// The program that [`OCLOC`] names.
    Named(PathBuf),
    /// The program that [`IGC`] names, which runs ocloc if that is its first argument.
    Igc(PathBuf),
    /// The folder with the packages that were [fetched](fetch).
    Fetched(PathBuf),
    /// A program on the path.
    OnPath(PathBuf),
}

/// Arguments of a call.
#[derive(Clone, Copy, Debug, Default)]
pub struct Call<'a> {
    /// The bytes of a SPIR-V module.
    pub module: &'a [u8],
    /// Features to build it for.
    pub features: CoreFeatures,
    /// The device by the name that ocloc knows it by.
    pub device: &'a str,
    /// Further arguments.
    pub arguments: &'a [String],
    /// An existing folder for all that the compiler can dump.
    pub dumps: Option<&'a Path>,
}

impl Ocloc {
    /// Finds the compiler: the one that the environment names by [`OCLOC`] or [`IGC`], that in the user's folder of
    /// caches, or that on the path.
    ///
    /// # Errors
    /// [`Error::NoCompiler`].
    pub fn find() -> Result<Ocloc, Error> {
        let fetched = || fetch::cache_folder().and_then(|cache| fetch::fetched(&cache));
        let found = variable(OCLOC).map(Ocloc::Named).or_else(Ocloc::of_user).or_else(fetched);
        found.or_else(on_path).ok_or(Error::NoCompiler)
    }

    /// The program that [`IGC`] names.
    pub fn of_user() -> Option<Ocloc> {
        variable(IGC).map(Ocloc::Igc)
    }

    /// The program with the arguments that come before those of ocloc.
    pub fn words(&self) -> Vec<OsString> {
        match self {
            Ocloc::Named(program) | Ocloc::OnPath(program) => vec![program.into()],
            Ocloc::Igc(program) => vec![program.into(), "ocloc".into()],
            Ocloc::Fetched(folder) => {
                // The system's C library may be older than what the compiler was built for.
                let libraries = folder.join(LIBRARIES);
                vec![
                    libraries.join("ld-linux-x86-64.so.2").into(),
                    "--library-path".into(),
                    libraries.into(),
                    program(folder).into(),
                ]
            }
        }
    }

    /// A command that runs ocloc, without its arguments.
    pub fn command(&self) -> Command {
        let mut words = self.words().into_iter();
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words);
        command
    }

    /// The loader of Level Zero that was fetched along.
    pub fn level_zero_loader(&self) -> Option<PathBuf> {
        match self {
            Ocloc::Named(_) | Ocloc::Igc(_) | Ocloc::OnPath(_) => None,
            Ocloc::Fetched(folder) => {
                Some(folder.join(LIBRARIES).join("libze_loader.so.1")).filter(|loader| loader.exists())
            }
        }
    }

    /// Compiles a module to a native binary, as drivers take it.
    ///
    /// # Errors
    /// [`Error::Refused`] and [`Error::NoBinary`], [`Error::NoProgram`] and [`Error::CannotRun`], and [`Error::File`] of
    /// the temporary folder.
    pub fn compile(&self, call: &Call<'_>) -> Result<Vec<u8>, Error> {
        let scratch = tempfile::tempdir().map_err(Error::file("make a folder in", env::temp_dir()))?;
        let source = scratch.path().join("kernel.spv");
        fs::write(&source, call.module).map_err(Error::file("write", &source))?;
        let mut command = self.command();
        command.args(["compile", "-spirv_input", "-device", call.device, "-file"]).arg(&source);
        command.args(["-output", "kernel", "-output_no_suffix", "-out_dir"]).arg(scratch.path());
        if let Some(options) = call.features.build_options().and_then(|options| options.to_str().ok()) {
            command.args(["-options", options]);
        }
        command.args(call.arguments);
        if let Some(dumps) = call.dumps {
            command.env("IGC_ShaderDumpEnable", "1").env("IGC_DumpToCustomDir", dumps);
        }
        let output = command.output().map_err(|error| self.cannot_run(&command, error))?;
        let told = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).trim_end().to_owned();
        let device = call.device.to_owned();
        if !output.status.success() {
            return Err(Error::Refused { device, status: output.status, told });
        }
        match fs::read(scratch.path().join("kernel.bin")) {
            Ok(binary) if !binary.is_empty() => Ok(binary),
            _ => Err(Error::NoBinary { device, told }),
        }
    }

    fn cannot_run(&self, command: &Command, error: std::io::Error) -> Error {
        let program = command.get_program().to_string_lossy().into_owned();
        let variable = match self {
            Ocloc::Named(_) => Some(OCLOC),
            Ocloc::Igc(_) => Some(IGC),
            Ocloc::Fetched(_) | Ocloc::OnPath(_) => None,
        };
        match error.kind() {
            ErrorKind::NotFound => Error::NoProgram { program, variable },
            _ => Error::CannotRun { program, error },
        }
    }
}

/// The path in an environment variable that is not empty.
fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

fn on_path() -> Option<Ocloc> {
    let folders = env::var_os("PATH")?;
    let is_program =
        |path: &PathBuf| path.metadata().is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0);
    let found = env::split_paths(&folders).map(|folder| folder.join("ocloc")).find(is_program);
    found.map(Ocloc::OnPath)
}

/// The program among the unpacked packages, which has its version in the name.
fn program(folder: &Path) -> PathBuf {
    let programs = folder.join("root/usr/bin");
    let entries = fs::read_dir(&programs).into_iter().flatten().flatten();
    let mut names =
        entries.map(|entry| entry.file_name()).filter(|name| name.as_encoded_bytes().starts_with(b"ocloc"));
    programs.join(names.next().unwrap_or_else(|| "ocloc".into()))
}
