//! Running other programs, and saying which one failed.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::fmt::Display;
use std::io::{self, BufRead, BufReader, Read};
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, Result, bail};
pub use tiletc_isa::fetch::spinner;

thread_local! {
    /// Output that this thread would have shown, while it holds that back.
    static HELD: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Performs an action and returns what it would have shown by [`run`], [`status`] and [`say`] on this thread, so that
/// two threads do not mix their output.
pub fn hold<T>(action: impl FnOnce() -> T) -> (T, String) {
    HELD.set(Some(String::new()));
    let result = action();
    (result, HELD.take().unwrap_or_default())
}

/// Returns whether the output is held back.
fn is_held() -> bool {
    HELD.with_borrow(Option::is_some)
}

/// Shows a line, or holds it back.
pub fn say(line: impl Display) {
    if is_held() {
        HELD.with_borrow_mut(|held| held.get_or_insert_default().push_str(&format!("{line}\n")));
    } else {
        println!("{line}");
    }
}

/// Runs a command whose output belongs on the screen.
pub fn run(command: &mut Command) -> Result<()> {
    let status = status(command)?;
    check(command, status)
}

/// Runs a command whose output belongs on the screen and returns how it ended.
pub fn status(command: &mut Command) -> Result<ExitStatus> {
    if !is_held() {
        return command.status().with_context(|| cannot_run(command));
    }
    let output = command.stdin(Stdio::null()).output().with_context(|| cannot_run(command))?;
    for text in [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes)) {
        text.lines().for_each(say);
    }
    Ok(output.status)
}

/// Runs a command whose output matters only if it fails; meanwhile the terminal shows `message`.
pub fn run_quietly(message: &str, command: &mut Command) -> Result<()> {
    let spinner = spinner(message);
    let output = command.stdin(Stdio::null()).output().with_context(|| cannot_run(command))?;
    spinner.finish_and_clear();
    if !output.status.success() {
        let texts = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
        if is_held() {
            texts.iter().flat_map(|text| text.lines()).for_each(say);
        } else {
            eprint!("{}", texts.concat());
        }
    }
    check(command, output.status)
}

/// Runs a command and hands over each line it writes to its standard output as it comes.
pub fn run_by_line(command: &mut Command, line: impl FnMut(&str)) -> Result<ExitStatus> {
    let mut child = command.stdout(Stdio::piped()).spawn().with_context(|| cannot_run(command))?;
    let stdout = child.stdout.take().with_context(|| cannot_run(command))?;
    lines(stdout, line)?;
    Ok(child.wait()?)
}

/// The same with what it writes to its standard error in between.
pub fn run_by_any_line(mut command: Command, line: impl FnMut(&str)) -> Result<ExitStatus> {
    let (reader, writer) = io::pipe()?;
    command.stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn().with_context(|| cannot_run(&command))?;
    // It holds the other end of the pipe.
    drop(command);
    lines(reader, line)?;
    Ok(child.wait()?)
}

fn lines(from: impl Read, mut line: impl FnMut(&str)) -> Result<()> {
    for text in BufReader::new(from).split(b'\n') {
        line(&String::from_utf8_lossy(&text?));
    }
    Ok(())
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
    use std::path::Path;
    use std::process::Command;

    use super::{hold, quoted, run, run_quietly, say};

    #[test]
    fn a_quoted_path_is_one_word() {
        assert_eq!(quoted(Path::new("/it's here")), r"'/it'\''s here'");
    }

    #[test]
    fn what_is_held_back_is_returned_in_order() {
        let shell = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            command
        };
        let ((good, bad, quiet), output) = hold(|| {
            say("first");
            let good = run(&mut shell("echo second"));
            let bad = run(&mut shell("echo third >&2; exit 3"));
            (good, bad, run_quietly("", &mut shell("echo unseen")))
        });
        assert!(good.is_ok() && bad.is_err() && quiet.is_ok());
        assert_eq!(output, "first\nsecond\nthird\n");
        // Nothing is held back any more.
        assert_eq!(hold(|| ()).1, "");
    }
}
