//! Running other programs, and saying which one failed.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;

/// Runs a command whose output belongs on the screen.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| cannot_run(command))?;
    check(command, status)
}

/// Runs a command whose output matters only if it fails; meanwhile the terminal shows `message`.
pub fn run_quietly(message: &str, command: &mut Command) -> Result<()> {
    let spinner = spinner(message);
    let output = command.stdin(Stdio::null()).output().with_context(|| cannot_run(command))?;
    spinner.finish_and_clear();
    if !output.status.success() {
        eprint!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    }
    check(command, output.status)
}

/// Runs a command and hands over each line it writes to its standard output as it comes.
pub fn run_by_line(command: &mut Command, mut line: impl FnMut(&str)) -> Result<ExitStatus> {
    let mut child = command.stdout(Stdio::piped()).spawn().with_context(|| cannot_run(command))?;
    let stdout = child.stdout.take().with_context(|| cannot_run(command))?;
    for text in BufReader::new(stdout).split(b'\n') {
        line(&String::from_utf8_lossy(&text?));
    }
    Ok(child.wait()?)
}

/// The standard output of a short command, or nothing if it cannot run.
pub fn answer(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// An error that names the command unless it succeeded.
pub fn check(command: &Command, status: ExitStatus) -> Result<()> {
    if !status.success() {
        bail!("`{}` failed ({status})", describe(command));
    }
    Ok(())
}

/// A line that turns on a terminal, and a plain line elsewhere.
pub fn spinner(message: &str) -> ProgressBar {
    let spinner = ProgressBar::new_spinner().with_message(message.to_owned());
    if spinner.is_hidden() {
        eprintln!("{message}");
    } else {
        spinner.enable_steady_tick(Duration::from_millis(100));
    }
    spinner
}

/// A text or a path as one word of a POSIX shell.
pub fn quoted(text: impl AsRef<OsStr>) -> String {
    format!("'{}'", text.as_ref().to_string_lossy().replace('\'', r"'\''"))
}

fn cannot_run(command: &Command) -> String {
    format!("cannot run `{}`", describe(command))
}

fn describe(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::quoted;
    use std::path::Path;

    #[test]
    fn a_quoted_path_is_one_word() {
        assert_eq!(quoted(Path::new("/it's here")), r"'/it'\''s here'");
    }
}
