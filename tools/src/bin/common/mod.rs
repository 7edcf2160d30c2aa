//! Code that the tools share: options, reading a program, reporting, exit codes.

mod failure;
pub mod opt;
pub mod output;
mod standard_output;

pub use failure::Failure;
pub use output::Output;
pub use standard_output::write as write_output;

use anstyle::AnsiColor;
use clap::error::ErrorKind;
use clap::{ArgAction, Args, Command, Parser, ValueEnum};
use std::ffi::OsString;
use std::io::{IsTerminal as _, Read as _, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tiletc::device::{Architecture, CoreFeatures, CoreInfo};
use tiletc::diagnostics::{Diagnostic, Sources, is_similar};
use tiletc::driver::{self, Options};
use tiletc::ir::{Ir, Program};
use tiletc::status::Status;

/// Version that `--version` prints after the name, with the commit that the tools were built from.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("TILETC_COMMIT"), ")");

/// Exit code of a command line that asks for what there is not, or does not fit the program.
const USAGE: u8 = 2;
/// Exit code of wrong usage of the original tools, whose names we answer to.
const USAGE_OF_ORIGINAL: u8 = 255;

/// The device to compile for.
#[derive(Debug, Args)]
pub struct Target {
    /// Device to compile for
    #[arg(short = 'd', long, value_name = "DEVICE", default_value = "pvc")]
    pub device: String,
}

/// The program and how it is compiled.
#[derive(Clone, Debug, Args)]
#[command(args_override_self = true)]
pub struct Common {
    /// Program to read; standard input if absent
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Define $NAME in place of the program's own definition
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE", action = ArgAction::Append)]
    pub definitions: Vec<String>,
    #[command(flatten)]
    pub compiling: Compiling,
}

/// Options for compiling a program.
#[derive(Clone, Debug, Args)]
pub struct Compiling {
    /// Optimisation level: 0, 1, 2
    #[arg(short = 'O', value_name = "LEVEL", default_value = "2", value_parser = level)]
    level: i32,
    /// Optimisation flag; the last one counts
    #[arg(short = 'f', value_name = "FLAG", action = ArgAction::Append)]
    flags: Vec<OptimisationFlag>,
    /// Core feature; the last one counts
    #[arg(short = 'F', value_name = "FEATURE", action = ArgAction::Append)]
    features: Vec<CoreFeature>,
    /// Leave the lines of the text out of the module (OpLine)
    #[arg(long)]
    no_lines: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OptimisationFlag {
    /// Allow rewrites that ignore NaN, infinity and signed zero
    UnsafeFpMath,
    /// Forbid them; without either flag the level decides (allowed from 2)
    NoUnsafeFpMath,
    /// Let products of f32 round their factors to tf32, where the matrix engine takes it
    Tf32,
    /// Forbid that; without either flag attributes decide
    NoTf32,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum CoreFeature {
    /// Compile for the larger register file, with fewer hardware threads
    LargeRegisterFile,
    /// Compile for the standard register file
    NoLargeRegisterFile,
}

/// A level in decimal, hexadecimal (`0x…`) or octal (leading 0).
fn level(text: &str) -> Result<i32, String> {
    let (digits, radix) = match (text.strip_prefix("0x"), text.strip_prefix('0')) {
        (Some(digits), _) => (digits, 16),
        (None, Some(digits)) if !digits.is_empty() => (digits, 8),
        _ => (text, 10),
    };
    let number = i32::from_str_radix(digits, radix).ok().filter(|level| *level >= 0);
    number.ok_or_else(|| "a level is an integer that is 0 or larger".to_owned())
}

/// The devices that `-d` knows, for the help.
pub fn devices() -> String {
    let names: Vec<&str> = Architecture::ALL.iter().map(|architecture| architecture.spelling()).collect();
    let lines: Vec<String> = names.chunks(10).map(|line| format!("    {}", line.join(", "))).collect();
    format!("Devices:\n{}", lines.join(",\n"))
}

/// The tool's name as it was called, without folders.
pub fn called_name() -> String {
    let name = std::env::args_os().next().unwrap_or_default();
    Path::new(&name).file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns whether the tool was called by the name of the original's.
pub fn called_as_original() -> bool {
    called_name().starts_with("tinytc")
}

/// The command line as `T`, or the exit code after help, version or a usage error was printed.
pub fn parse_arguments<T: Parser>() -> Result<T, ExitCode> {
    let parsed = mistyped_command(T::command()).map_or_else(T::try_parse, Err);
    parsed.map_err(|error| {
        let is_json = asks_for_json(&T::command());
        let text = || error.render().to_string();
        if !error.use_stderr() {
            return finish(is_json, |output| {
                if output.is_json() {
                    output.add(serde_json::json!({ "text": text() }));
                    return Ok(());
                }
                let printed = standard_output::open().and_then(|mut stdout| {
                    error.print()?;
                    stdout.flush()
                });
                printed.map_err(standard_output::failure)
            });
        }
        // Where nothing can be written the exit code has to do.
        let _ = error.print();
        let text = text();
        let _ = Output::new(is_json).end(Err(Failure::usage(text.strip_prefix("error: ").unwrap_or(&text))));
        usage_code()
    })
}

/// An error if the first argument is neither an option nor a file, and a command with a slip.
fn mistyped_command(mut tool: Command) -> Option<clap::Error> {
    let word = std::env::args_os().nth(1)?.into_string().ok()?;
    let meant =
        tool.get_subcommands().find(|known| !known.is_hide_set() && is_similar(known.get_name(), &word));
    let meant =
        meant.filter(|_| tool.find_subcommand(&word).is_none() && !Path::new(&word).exists())?.get_name();
    let message = format!("there is no command and no file `{word}`; did you mean `{meant}`?");
    Some(tool.error(ErrorKind::InvalidSubcommand, message))
}

/// Returns whether a command line that cannot be parsed has the option `--json`, and the tool does.
fn asks_for_json(tool: &Command) -> bool {
    let has_option =
        |command: &Command| command.get_arguments().any(|argument| argument.get_long() == Some("json"));
    let mut given = std::env::args_os().skip(1).take_while(|argument| argument != "--");
    let is_option = |argument: OsString| argument.to_string_lossy().split('=').next() == Some("--json");
    (has_option(tool) || tool.get_subcommands().any(has_option)) && given.any(is_option)
}

/// Runs a tool to its exit code; messages go to standard error, and with `--json` into the document as well.
pub fn finish(is_json: bool, tool: impl FnOnce(&mut Output) -> Result<(), Failure>) -> ExitCode {
    tiletc::logging::install();
    // The message below says it; the default hook would say it twice.
    std::panic::set_hook(Box::new(|_| {}));
    let mut output = Output::new(is_json);
    let result = catch_unwind(AssertUnwindSafe(|| tool(&mut output))).unwrap_or_else(|payload| {
        let what = payload.downcast_ref::<String>().cloned();
        let what = what.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Err(Failure::Failed(Status::InternalCompilerError, what.unwrap_or_default()))
    });
    if let Some(message) = driver::dump_failure() {
        if !tiletc::logging::shows_warnings() {
            // If standard error is closed, nobody wants to know.
            let _ = writeln!(std::io::stderr(), "warning: {message}");
        }
        output.diagnose(output::warning(message));
    }
    match output.end(result) {
        Ok(()) | Err(Failure::OutputClosed) => ExitCode::SUCCESS,
        Err(Failure::Usage(status, message)) => {
            complain(&message, status);
            usage_code()
        }
        Err(Failure::Failed(status, report) | Failure::Refused { status, report, .. }) => {
            complain(&report, status);
            ExitCode::FAILURE
        }
    }
}

fn usage_code() -> ExitCode {
    ExitCode::from(if called_as_original() { USAGE_OF_ORIGINAL } else { USAGE })
}

fn complain(messages: &str, status: Status) {
    let newline = if messages.is_empty() || messages.ends_with('\n') { "" } else { "\n" };
    // If standard error is closed the exit code has to do.
    let mut stderr = anstream::stderr().lock();
    let red = AnsiColor::Red.on_default().bold();
    let _ = writeln!(stderr, "{messages}{newline}{red}Error ({}):{red:#} {}", status.code(), status.phrase());
}

/// A program and everything needed to work on it.
pub struct Session {
    /// Arena that holds the program.
    pub ir: Ir,
    /// The program.
    pub program: Program,
    /// Device to compile for.
    pub info: CoreInfo,
    /// Options for compiling.
    pub options: Options,
    sources: Sources,
}

impl Session {
    /// Reads and parses the program that the options name; [`Common::info`] or [`Common::adjust`] made `info`.
    pub fn open(common: &Common, info: CoreInfo) -> Result<Self, Failure> {
        let (name, text) = common.read()?;
        let mut sources = Sources::new();
        let mut ir = Ir::default();
        let source = sources.add(name.clone(), text.as_slice());
        ir.name_source(source, name);
        let texts: Vec<_> = common.definitions.iter().map(|definition| format!("${definition}")).collect();
        let definitions: Vec<_> =
            texts.iter().map(|text| (sources.add("-D", text.as_bytes()), text.as_bytes())).collect();
        let program = driver::parse_with(&mut ir, &definitions, source, &text)
            .map_err(|error| failure(&sources, &error))?;
        Ok(Session { ir, program, info, options: common.options(), sources })
    }

    /// Shows warnings.
    pub fn warn(&self, output: &mut Output, warnings: &[Diagnostic]) {
        for warning in warnings {
            // If standard error is closed, nobody wants to know.
            let _ = std::io::stderr().lock().write_all(self.sources.report(warning).as_bytes());
            let message = warning.message.strip_prefix("warning: ").unwrap_or(&warning.message);
            let warning = Diagnostic::new(message, warning.location);
            output.diagnose(output::about("warning", &self.sources, &warning, &[]));
        }
    }

    /// An error of the compiler with its messages.
    pub fn failure(&self, error: &driver::Error) -> Failure {
        failure(&self.sources, error)
    }
}

fn failure(sources: &Sources, error: &driver::Error) -> Failure {
    let (status, diagnostics) = (error.status(), error.diagnostics());
    let Some((first, labels)) = diagnostics.split_first() else {
        return Failure::Failed(status, error.to_string());
    };
    let report = diagnostics.iter().map(|diagnostic| sources.coloured_report(diagnostic)).collect();
    Failure::Refused { status, report, diagnostics: vec![output::about("error", sources, first, labels)] }
}

impl Common {
    /// Describes the device of a name, with the features that the user asks for.
    pub fn info(&self, device: &str) -> Result<CoreInfo, Failure> {
        let info = CoreInfo::from_name(device)
            .ok_or_else(|| Failure::usage(format!("unknown device `{device}`\n\n{}\n", devices())))?;
        Ok(self.adjust(info))
    }

    /// A device with the features that the user asks for.
    pub fn adjust(&self, mut info: CoreInfo) -> CoreInfo {
        if let Some(features) = self.features() {
            info.set_core_features(features);
        }
        info
    }

    /// The features that the user asks for, if any.
    pub fn features(&self) -> Option<CoreFeatures> {
        match self.compiling.features.last() {
            Some(CoreFeature::LargeRegisterFile) => Some(CoreFeatures::LARGE_REGISTER_FILE),
            Some(CoreFeature::NoLargeRegisterFile) | None => None,
        }
    }

    fn options(&self) -> Options {
        use OptimisationFlag::{NoTf32, NoUnsafeFpMath, Tf32, UnsafeFpMath};
        let unsafe_fp_math = self.last_flag([UnsafeFpMath, NoUnsafeFpMath]).map(|flag| flag == UnsafeFpMath);
        let tf32 = self.last_flag([Tf32, NoTf32]) == Some(Tf32);
        Options {
            level: self.compiling.level,
            unsafe_fp_math,
            tf32,
            keep_lines: !self.compiling.no_lines,
            ..Options::default()
        }
    }

    /// The last one of two flags.
    fn last_flag(&self, pair: [OptimisationFlag; 2]) -> Option<OptimisationFlag> {
        self.compiling.flags.iter().rev().copied().find(|flag| pair.contains(flag))
    }

    /// Name and text of the program.
    pub fn read(&self) -> Result<(String, Vec<u8>), Failure> {
        let (name, text) = match &self.file {
            Some(path) if path.as_os_str() == "-" => {
                let message = "`-` is no file; leave the name out to read standard input";
                return Err(Failure::usage(message));
            }
            Some(path) => (path.to_string_lossy().into_owned(), std::fs::read(path)),
            None => {
                if std::io::stdin().is_terminal() {
                    // Without a word it would look as if the tool hangs.
                    let _ =
                        writeln!(std::io::stderr(), "reading the program from the terminal, up to Ctrl-D");
                }
                let mut text = Vec::new();
                let read = std::io::stdin().lock().read_to_end(&mut text);
                ("<stdin>".to_owned(), read.map(|_| text))
            }
        };
        match text {
            Ok(text) => Ok((name, text)),
            Err(error) => Err(Failure::Failed(Status::FileIoError, format!("cannot read `{name}`: {error}"))),
        }
    }
}
