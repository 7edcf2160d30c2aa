//! `tiletc generate`: completions of shells and manual pages, made from the options, for packages.

use super::common::{Failure, opt};
use clap::{Command, CommandFactory as _};
use clap_complete::Shell;
use std::io;
use std::path::Path;
use tiletc::status::Status;

/// Name of the file with the completions of a program.
type FileName = fn(&str) -> String;

/// Folders below `share` that shells look in, and the names of files with completions of a program.
const SHELLS: [(Shell, &str, FileName); 3] = [
    (Shell::Bash, "bash-completion/completions", |program| program.to_owned()),
    (Shell::Fish, "fish/vendor_completions.d", |program| format!("{program}.fish")),
    (Shell::Zsh, "zsh/site-functions", |program| format!("_{program}")),
];

/// Writes the files of both tools below a folder.
pub fn into(folder: &Path, tiletc: Command) -> Result<(), Failure> {
    [tiletc, opt::Arguments::command()].into_iter().try_for_each(|program| write(folder, program)).map_err(
        |error| {
            Failure::Failed(
                Status::FileIoError,
                format!("cannot write below `{}`: {error}", folder.display()),
            )
        },
    )
}

fn write(folder: &Path, mut program: Command) -> io::Result<()> {
    let name = program.get_name().to_owned();
    for (shell, place, file) in SHELLS {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut program, &name, &mut script);
        let place = folder.join(place);
        std::fs::create_dir_all(&place)?;
        std::fs::write(place.join(file(&name)), script)?;
    }
    let pages = folder.join("man/man1");
    std::fs::create_dir_all(&pages)?;
    clap_mangen::generate_to(program, pages)
}
