//! Intel's offline compiler for GPUs: `ocloc` and what is below it. Debian's unstable suite has it in a version of
//! today, with the C library that it wants; all of that is unpacked into the target folder and called there.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::apt::Mirror;
use crate::process::quoted;
use crate::provision;

/// Names a program of the user's own that calls the compiler: `PROGRAM ocloc ARGUMENT…` runs ocloc, and
/// `PROGRAM isa FILE.spv DEVICE OCLOC-ARGUMENT…` prints what `cargo xtask isa` does.
pub const VARIABLE: &str = "TILETC_IGC";

/// The suite, which moves on: the versions that were fetched are written down in the folder.
const SUITE: &str = "sid";

/// The compiler; the driver, with which come the libraries that ocloc loads when it runs; and the loader of Level Zero of
/// the same day, newer than what many systems have.
const PACKAGES: [&str; 3] = ["intel-ocloc", "intel-opencl-icd", "libze1"];

/// Folder of the libraries.
const LIBRARIES: &str = "root/usr/lib/x86_64-linux-gnu";

/// The offline compiler.
pub enum Igc {
    /// The program that the environment names.
    Own(PathBuf),
    /// The folder with the unpacked packages.
    Provisioned(PathBuf),
}

/// The compiler, or the reason why this machine cannot have it.
pub enum Outcome {
    There(Igc),
    Unavailable(String),
}

impl Igc {
    /// Finds the compiler, and fetches it if it is not there.
    pub fn provision(target: &Path) -> Result<Outcome> {
        if let Some(program) = env::var_os(VARIABLE) {
            return Ok(Outcome::There(Igc::Own(program.into())));
        }
        let stamp = format!("{SUITE}: {}\n", PACKAGES.join(" "));
        // What is there is used, whatever machine this is.
        let place = target.join("igc");
        if fs::read_to_string(place.join("stamp")).is_ok_and(|found| found == stamp) {
            return Ok(Outcome::There(Igc::Provisioned(place)));
        }
        let mirror = match Mirror::find() {
            Ok(mirror) => mirror,
            Err(error) => {
                return Ok(Outcome::Unavailable(format!("{error:#}; {VARIABLE} names one of your own")));
            }
        };
        let folder = provision::ensure(target, "igc", &stamp, |partial| {
            let scratch = partial.join("apt");
            let versions = mirror.unpack(SUITE, &PACKAGES, &scratch, &partial.join("root"))?;
            fs::write(partial.join("versions"), versions.join("\n") + "\n")?;
            provision::remove(&scratch)
        });
        Ok(Outcome::There(Igc::Provisioned(folder.context("cannot fetch Intel's offline compiler")?)))
    }

    /// A command that runs ocloc, without its arguments.
    pub fn ocloc(&self) -> Command {
        let words = self.ocloc_words();
        let mut words = words.into_iter();
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words);
        command
    }

    fn ocloc_words(&self) -> Vec<OsString> {
        match self {
            Igc::Own(program) => vec![program.into(), "ocloc".into()],
            Igc::Provisioned(folder) => {
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

    /// The loader of Level Zero that came along.
    pub fn level_zero_loader(&self) -> Option<PathBuf> {
        match self {
            Igc::Own(_) => None,
            Igc::Provisioned(folder) => {
                Some(folder.join(LIBRARIES).join("libze_loader.so.1")).filter(|loader| loader.exists())
            }
        }
    }

    /// The program that [`VARIABLE`] shall name for the tests.
    pub fn script(&self) -> Result<PathBuf> {
        let Igc::Provisioned(folder) = self else {
            return Ok(env::var_os(VARIABLE).unwrap_or_default().into());
        };
        let words = self.ocloc_words();
        let words: Vec<String> = words.iter().map(quoted).collect();
        let xtask = env::current_exe().context("cannot tell where xtask was built")?;
        let text = format!(
            "#!/bin/sh\n\
             # Written by `cargo xtask test`: ocloc ARGUMENT…, or isa FILE.spv DEVICE OCLOC-ARGUMENT…\n\
             command=$1\nshift\n\
             case $command in\n\
             ocloc) exec {} \"$@\" ;;\n\
             isa) file=$1 device=$2; shift 2; exec {} isa \"$file\" -d \"$device\" -- \"$@\" ;;\n\
             *) echo \"there is no command $command\" >&2; exit 2 ;;\n\
             esac\n",
            words.join(" "),
            quoted(&xtask),
        );
        let script = folder.join("igc");
        if fs::read_to_string(&script).ok().as_ref() != Some(&text) {
            // A test that is running the old one keeps it.
            let new = folder.join(format!("igc.{}", std::process::id()));
            fs::write(&new, text).with_context(|| format!("cannot write {}", new.display()))?;
            fs::set_permissions(&new, fs::Permissions::from_mode(0o755))?;
            fs::rename(&new, &script)?;
        }
        Ok(script)
    }
}

/// The program, which has its version in the name.
fn program(folder: &Path) -> PathBuf {
    let programs = folder.join("root/usr/bin");
    let entries = fs::read_dir(&programs).into_iter().flatten().flatten();
    let mut names =
        entries.map(|entry| entry.file_name()).filter(|name| name.as_encoded_bytes().starts_with(b"ocloc"));
    programs.join(names.next().unwrap_or_else(|| "ocloc".into()))
}
