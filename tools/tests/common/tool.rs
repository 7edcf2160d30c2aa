//! Runs the command-line tools and looks at what they leave behind.
#![allow(dead_code)] // Each suite uses what it needs.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Exit and output of a run.
pub struct Outcome {
    pub code: i32,
    pub output: Vec<u8>,
    pub errors: String,
}

impl Outcome {
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.output).unwrap()
    }

    /// Success, and not a word on standard error.
    #[track_caller]
    pub fn succeeded(self) -> Self {
        assert_eq!((self.code, self.errors.as_str()), (0, ""));
        self
    }

    /// Success, and standard error begins with these words.
    #[track_caller]
    pub fn warned(self, words: &str) -> Self {
        assert_eq!(self.code, 0, "{}", self.errors);
        assert!(self.errors.starts_with(words), "{words:?} does not begin {:?}", self.errors);
        self
    }

    /// Failure with the code, nothing on standard output, and all these words on standard error.
    #[track_caller]
    pub fn failed(self, code: i32, words: &[&str]) {
        assert_eq!(self.code, code, "{}", self.errors);
        assert_eq!(self.text(), "");
        for word in words {
            assert!(self.errors.contains(word), "{word:?} is not in {:?}", self.errors);
        }
    }
}

/// Runs a tool in the suite's own folder.
pub fn run(tool: impl AsRef<OsStr>, arguments: &[&str], input: &str) -> Outcome {
    let mut command = Command::new(tool);
    command.args(arguments).current_dir(folder());
    outcome(&mut command, input)
}

/// Runs a command with a text as its standard input.
pub fn outcome(command: &mut Command, input: &str) -> Outcome {
    let mut child =
        (command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped())).spawn().unwrap();
    // A tool that complains about its arguments does not read.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    Outcome {
        code: output.status.code().expect("tools end by themselves"),
        output: output.stdout,
        errors: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The folder of the suite.
pub fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(env!("CARGO_CRATE_NAME"));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
