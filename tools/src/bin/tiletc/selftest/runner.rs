//! Compiles a case, runs it, and compares memory with what it must hold.

// Running a kernel is unsafe by nature, see `launch`.
#![allow(unsafe_code)]

use super::case::{Argument, Buffer, Case, Evidence};
use super::cases::ALIGNMENT;
use std::sync::Arc;
use tiletc::device::{CoreFeatures, CoreInfo};
use tiletc::diagnostics::Sources;
use tiletc::driver::{self, Module, Options};
use tiletc::ir::Ir;
use tiletc::runtime::{self, Binary, Bundle as _, Error, Memory, ProfileOf, Recording, Session};

/// Outcome of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Passed,
    /// The module does without the feature, as it may if it is told to.
    Unused,
    /// Reason.
    Failed(String),
}

/// A device that cases run on.
pub struct Target<'a, S: Session> {
    pub session: &'a S,
    pub info: &'a CoreInfo,
    /// Finds in what a device tells of a launch that it went wrong.
    pub judge: fn(&ProfileOf<S>) -> Option<String>,
    /// The virtual device of the same design, whose bits are compared, too.
    pub reference: Option<virtual_xe_runtime::Session>,
}

impl<S: Session> Target<'_, S> {
    /// Runs a case, with a recording of launches or one launch.
    pub fn run(&self, case: &Case, recording: Option<Recording>) -> Verdict {
        let module = match compile(case, self.info) {
            Ok(module) => module,
            Err(reason) => return Verdict::Failed(format!("the compiler refuses it: {reason}")),
        };
        if !case.evidence.is_in(&module) {
            return Verdict::Unused;
        }
        let binary = Binary::from(&module);
        let found = match launch(self.session, &binary, case, recording, self.judge) {
            Ok(found) => found,
            Err(error) => return Verdict::Failed(error),
        };
        let wrong = differences(case, &found, |buffer| &buffer.after);
        let expected =
            self.reference.as_ref().map(|session| launch(session, &binary, case, recording, reports));
        match (wrong, expected) {
            (None, Some(Ok(bits))) if bits != found => {
                Verdict::Failed("the virtual device computes other bits; please report it".to_owned())
            }
            (None, _) => Verdict::Passed,
            (Some(wrong), Some(Ok(bits))) if bits == found => {
                Verdict::Failed(format!("{wrong}; the virtual device says the same, please report it"))
            }
            (Some(wrong), _) => Verdict::Failed(wrong),
        }
    }
}

/// The first report of a virtual device.
pub fn reports(outcome: &virtual_xe::Outcome) -> Option<String> {
    outcome.reports.first().map(ToString::to_string)
}

impl Evidence {
    fn is_in(self, module: &Module) -> bool {
        match self {
            Evidence::None => true,
            Evidence::Instruction(name) => {
                module.disassemble().lines().any(|line| line.split_whitespace().any(|word| word == name))
            }
            Evidence::LargeRegisterFile => module.core_features().contains(CoreFeatures::LARGE_REGISTER_FILE),
        }
    }
}

fn compile(case: &Case, info: &CoreInfo) -> Result<Module, String> {
    let (mut ir, mut sources) = (Ir::default(), Sources::new());
    let source = sources.add("selftest", case.text.as_bytes());
    let program = driver::parse(&mut ir, source, case.text.as_bytes()).map_err(|error| error.to_string())?;
    let options = Options { keep_lines: false, ..Options::default() };
    driver::compile(&mut ir, &program, info, &options).map_err(|error| error.to_string())
}

/// Runs the kernel once or as it is recorded; returns what its memory holds then.
fn launch<S: Session>(
    session: &S,
    binary: &Binary,
    case: &Case,
    recording: Option<Recording>,
    judge: fn(&ProfileOf<S>) -> Option<String>,
) -> Result<Vec<Vec<u8>>, String> {
    let failed = |what: &'static str| move |error: Error| format!("{what}: {error}");
    let bundle = session.build(binary).map_err(failed("the driver's compiler fails"))?;
    let mut kernel = Arc::new(bundle).kernel("main").map_err(failed("there is no kernel"))?;
    let failure = failed("there is no memory");
    let mut memory: Vec<Memory<u8>> = Vec::new();
    for buffer in case.arguments.iter().filter_map(Argument::buffer) {
        memory.push(session.aligned_memory(&buffer.before, ALIGNMENT).map_err(failure)?);
    }
    let mut tables: Vec<Memory<u64>> = Vec::new();
    let mut buffers = memory.iter();
    for argument in &case.arguments {
        let address = argument.buffer().and_then(|_| buffers.next()).map_or(0, Memory::address);
        if let Argument::Shifted(_, bytes) = argument {
            tables.push(session.memory(&[address.wrapping_sub(*bytes)]).map_err(failure)?);
        }
    }
    let (mut buffers, mut shifted) = (memory.iter(), tables.iter());
    let arguments: Option<Vec<runtime::Argument<'_>>> = case
        .arguments
        .iter()
        .map(|argument| {
            let buffer = argument.buffer().and_then(|_| buffers.next()).map(runtime::Argument::from);
            match argument {
                Argument::Number(bytes) => runtime::Argument::from_bytes(bytes),
                Argument::Memory(_) => buffer,
                Argument::Shifted(..) => shifted.next().map(runtime::Argument::from),
            }
        })
        .collect();
    let arguments = arguments.ok_or("an argument of no size")?;
    // SAFETY: the kernel was built for the session. The arguments are those of its parameters, in memory that lives until
    // the end of the launch; cases access nothing beyond it, and nobody borrows it meanwhile.
    let profile = unsafe {
        match recording {
            None => session.run(&mut kernel, case.groups, &arguments),
            Some(recording) => session.replay(&mut kernel, case.groups, &arguments, recording),
        }
    };
    let profile = profile.map_err(failed("the launch fails"))?;
    match judge(&profile) {
        Some(report) => Err(report),
        None => Ok(memory.iter().map(|memory| memory.to_vec()).collect()),
    }
}

/// The first number that is not as expected.
fn differences(case: &Case, found: &[Vec<u8>], expected: impl Fn(&Buffer) -> &Vec<u8>) -> Option<String> {
    let buffers = case.arguments.iter().enumerate();
    let buffers = buffers.filter_map(|(place, argument)| Some((place, argument.buffer()?)));
    for ((place, buffer), found) in buffers.zip(found) {
        let size = buffer.element.bytes();
        let pairs = || found.chunks(size).zip(expected(buffer).chunks(size)).enumerate();
        let Some((number, (wrong, right))) = pairs().find(|(_, (found, expected))| found != expected) else {
            continue;
        };
        let count = pairs().filter(|(_, (found, expected))| found != expected).count();
        let (wrong, right) = (buffer.element.show(wrong), buffer.element.show(right));
        let all = found.len() / size;
        return Some(format!(
            "argument {}: number {number} is {wrong} instead of {right}, {count} of {all} are wrong",
            place + 1
        ));
    }
    None
}
