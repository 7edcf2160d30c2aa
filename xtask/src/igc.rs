//! Intel's offline compiler for the tasks: the program that the environment names, or packages in the target folder.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use anyhow::{Context, Result};
use tiletc_isa::{Error, Ocloc, fetch};

use crate::paths::Paths;
use crate::process::quoted;

/// Names a program of the user's own that calls the compiler: `PROGRAM ocloc ARGUMENT…` runs ocloc, and
/// `PROGRAM isa FILE.spv DEVICE OCLOC-ARGUMENT…` prints what `cargo xtask isa` does.
pub const VARIABLE: &str = tiletc_isa::IGC;

/// The compiler, or the reason why this machine cannot have it.
pub enum Outcome {
    There(Ocloc),
    Unavailable(String),
}

/// Finds the compiler, and fetches it if it is not there.
pub fn provision(paths: &Paths) -> Result<Outcome> {
    if let Some(own) = Ocloc::of_user() {
        return Ok(Outcome::There(own));
    }
    match fetch::compiler(&paths.target) {
        Ok(ocloc) => Ok(Outcome::There(ocloc)),
        Err(Error::NoMirror(reason)) => {
            Ok(Outcome::Unavailable(format!("{reason}; {VARIABLE} names one of your own")))
        }
        Err(error) => Err(error).context("cannot fetch Intel's offline compiler"),
    }
}

/// The program that [`VARIABLE`] shall name for the tests.
pub fn script(ocloc: &Ocloc) -> Result<PathBuf> {
    let folder = match ocloc {
        Ocloc::Named(program) | Ocloc::Igc(program) | Ocloc::OnPath(program) => return Ok(program.clone()),
        Ocloc::Fetched(folder) => folder,
    };
    let words: Vec<String> = ocloc.words().iter().map(quoted).collect();
    let xtask = std::env::current_exe().context("cannot tell where xtask was built")?;
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
