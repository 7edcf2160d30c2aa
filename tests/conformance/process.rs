//! A process of this program that answers each line of its standard input with a line of JSON.

use std::env;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value;

pub struct Process {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Process {
    /// Starts this program again with a variable of the environment that tells it what it is there for.
    pub fn start(variable: &str, value: &str) -> io::Result<Process> {
        let mut command = Command::new(env::current_exe()?);
        let mut child = command.env(variable, value).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let missing = || io::Error::other("a process without standard input or output");
        let questions = child.stdin.take().ok_or_else(missing)?;
        let answers = BufReader::new(child.stdout.take().ok_or_else(missing)?);
        Ok(Process { child, questions, answers })
    }

    /// Asks for the answer to a line; an error if it ends instead.
    pub fn ask(&mut self, line: &str) -> Result<Value, String> {
        let mut answer = String::new();
        let asked = writeln!(self.questions, "{line}").and_then(|()| self.answers.read_line(&mut answer));
        match asked {
            Ok(length) if length > 0 => serde_json::from_str(&answer).map_err(|error| error.to_string()),
            _ => match self.child.wait() {
                Ok(status) => Err(format!("the process ended: {status}")),
                Err(error) => Err(error.to_string()),
            },
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
