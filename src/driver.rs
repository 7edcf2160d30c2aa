//! The pipeline: text → IR → passes → SPIR-V, each step one call.
//!
//! The C ABI, the tools and the recipes go through here; nothing here knows how a step is done.
#![forbid(unsafe_code)]

mod configs;
mod dump;
mod layout;
mod parallel;
mod search;
mod trace;
mod tuned;
mod tuner;
mod warnings;

use crate::device::{Avoidance, CoreInfo};
use crate::diagnostics::{Diagnostic, InternalError, Location, Position, SourceId};
use crate::ir::{Func, Ir, Precision, Program, RegisterFile, Text};
use crate::passes::{Context, Pass};
use crate::schedule::{Explanation, Roofline};
use crate::status::Status;
use crate::{passes, spirv, syntax};
use dump::Dump;
use std::fmt::Write as _;
use std::time::Instant;

pub use crate::passes::{Decision, Instrumentation, Options, Version};
pub use crate::spirv::Module;
pub use configs::{Built, Candidate, Kernel, Target, candidates, rank};
pub use dump::dump_failure;
pub use layout::{Layout, Specialized, check_surface, specialize};
pub use parallel::for_each;
pub use search::{Missing, SearchError, Setting, Space, Trial};
pub use trace::{KernelStatistics, statistics};
pub use tuned::tuning_key;
pub use tuner::{FoundCase, Tuner};
pub use warnings::{decode_warnings, encode_warnings};

/// Reason why a step failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The text was refused.
    #[error(transparent)]
    Syntax(#[from] syntax::Error),
    /// A pass failed.
    #[error(transparent)]
    Pass(#[from] passes::Error),
    /// The program could not be expressed in SPIR-V for the device.
    #[error(transparent)]
    Spirv(#[from] spirv::Error),
    /// A mistake of the compiler.
    #[error("{error}")]
    Internal {
        /// The invariant that was found broken, and where.
        error: InternalError,
        /// The program as it was given, behind comments that name the rest of what shows the mistake again.
        reproducer: String,
    },
}

impl Error {
    /// The status code of the failure.
    pub fn status(&self) -> Status {
        match self {
            Error::Syntax(error) => error.status(),
            Error::Pass(error) => error.status(),
            Error::Spirv(error) => error.status(),
            Error::Internal { .. } => Status::InternalCompilerError,
        }
    }

    /// The messages to report: the error, then a note for each operand it is about.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        match self {
            Error::Syntax(error) => error.diagnostics(),
            Error::Pass(error) => error.diagnostics(),
            Error::Spirv(error) => error.diagnostics(),
            Error::Internal { error, reproducer } => {
                let request = format!(
                    "this is a mistake of tiletc; please report it with what shows it:\n{reproducer}"
                );
                vec![
                    Diagnostic::new(error.to_string(), error.location),
                    Diagnostic::new(request, Location::default()),
                ]
            }
        }
    }

    /// Adds to an internal error what shows it again.
    fn with_reproducer(self, reproducer: impl FnOnce() -> String) -> Error {
        match self {
            Error::Pass(passes::Error::Internal(error)) | Error::Spirv(spirv::Error::Internal(error)) => {
                Error::Internal { error, reproducer: reproducer() }
            }
            other => other,
        }
    }
}

/// Parses `text`, which is known as `source`, into functions of `ir`.
///
/// # Errors
/// The first lexical, syntax or type error of the text.
pub fn parse(ir: &mut Ir, source: SourceId, text: &[u8]) -> Result<Program, Error> {
    parse_with(ir, &[], source, text)
}

/// Parses like [`parse`], with definitions from outside, each a source such as `$n = 4`: they take the place of those
/// that the text has for the same names.
///
/// # Errors
/// Those of [`parse`], for the definitions, too; a definition of a name that the text does not have.
pub fn parse_with(
    ir: &mut Ir,
    definitions: &[(SourceId, &[u8])],
    source: SourceId,
    text: &[u8],
) -> Result<Program, Error> {
    let name = ir.source_name(source).unwrap_or("a text").to_owned();
    if let Some(dump) = Dump::begin() {
        dump.write("text.ir", text, format_args!("text of {name}"));
    }
    let start = Instant::now();
    let program = syntax::parse_with(ir, definitions, source, text);
    let duration = trace::milliseconds(start.elapsed());
    match &program {
        Ok(program) => log::info!("parsed {name} in {duration}: {} kernels", program.functions.len()),
        Err(error) => log::error!("parsing {name} failed after {duration}: {error}"),
    }
    Ok(program?)
}

/// The warnings about a program that is not lowered yet, for who does not compile it: [`compile_instrumented`] has them, too.
pub fn warnings(ir: &Ir, program: &Program) -> Vec<Diagnostic> {
    let context = Context::new(Options::default(), None);
    program.functions.iter().for_each(|&func| passes::warn(ir, func, &context));
    let diagnostics = context.into_diagnostics();
    diagnostics.iter().for_each(|warning| log::warn!("{}", warning.message));
    diagnostics
}

/// The canonical text of `program`.
pub fn print(ir: &Ir, program: &Program) -> Text {
    syntax::print(ir, program)
}

/// Gives functions the attributes that options stand for, where they do not say otherwise themselves. [`compile`] and
/// [`run_pass`] begin with it.
pub fn apply_options(ir: &mut Ir, program: &Program, options: &Options) {
    if options.tf32 {
        for &func in &program.functions {
            ir[func].attributes.precision.get_or_insert(Precision::Tf32);
        }
    }
}

/// Takes back what attributes ask for, but kernels for the device do without.
fn avoid(ir: &mut Ir, program: &Program, info: &CoreInfo) {
    if info.avoids(Avoidance::LargeRegisterFile) {
        for &func in &program.functions {
            let _ = ir[func].attributes.grf_size.take_if(|file| *file == RegisterFile::Large);
        }
    }
}

/// Names of the passes that [`run_pass`] knows, in the order of the C interface.
pub fn pass_names() -> impl Iterator<Item = &'static str> {
    Pass::names()
}

/// Runs the pass `name` on every function in order and returns what it prints (empty for most).
///
/// # Errors
/// [`Status::UnknownPassName`]; [`Status::InvalidArguments`] if the pass needs a device and `info` is
/// `None`; whatever the pass finds.
pub fn run_pass(
    name: &str,
    ir: &mut Ir,
    program: &Program,
    info: Option<&CoreInfo>,
    options: &Options,
) -> Result<Text, Error> {
    let pass = Pass::named(name)?;
    let notation = passes::Notation { print: syntax::print, list: syntax::list };
    let original = ir.copy(program);
    apply_options(ir, program, options);
    let outcome = passes::run(pass, ir, program, &Context::new(*options, info), notation).map_err(|error| {
        let what = format!("the pass {name}");
        Error::from(error).with_reproducer(|| reproducer(ir, &original, &what, info, options))
    });
    ir.remove(&original);
    outcome
}

/// The text of a program, behind comments that say what to do with it.
fn reproducer(ir: &Ir, program: &Program, what: &str, info: Option<&CoreInfo>, options: &Options) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let device = info.map(|info| format!("; {info:?}\n")).unwrap_or_default();
    format!("; tiletc {version}: {what} with {options:?}\n{device}{}", print(ir, program))
}

/// Runs the default pipeline on `program` and translates it to SPIR-V for the device. Warnings are of no interest;
/// [`compile_instrumented`] has them.
///
/// # Errors
/// Whatever a pass or the translation finds; the program may then be partly lowered.
pub fn compile(
    ir: &mut Ir,
    program: &Program,
    info: &CoreInfo,
    options: &Options,
) -> Result<spirv::Module, Error> {
    compile_instrumented(ir, program, info, options, &mut Instrumentation::none())
}

/// The same, with what is to be done around each pass.
///
/// # Errors
/// As for [`compile`], and what the instrumentation finds.
pub fn compile_instrumented(
    ir: &mut Ir,
    program: &Program,
    info: &CoreInfo,
    options: &Options,
    instrumentation: &mut Instrumentation<'_>,
) -> Result<spirv::Module, Error> {
    let original = ir.copy(program);
    let module = compile_original(ir, program, &original, info, options, instrumentation);
    ir.remove(&original);
    module
}

/// Compiles `program`, of which `original` stays as it is.
fn compile_original(
    ir: &mut Ir,
    program: &Program,
    original: &Program,
    info: &CoreInfo,
    options: &Options,
    instrumentation: &mut Instrumentation<'_>,
) -> Result<spirv::Module, Error> {
    lower_and_translate(ir, program, info, options, instrumentation).map_err(|error| {
        error.with_reproducer(|| reproducer(ir, original, "compilation", Some(info), options))
    })
}

fn lower_and_translate(
    ir: &mut Ir,
    program: &Program,
    info: &CoreInfo,
    options: &Options,
    instrumentation: &mut Instrumentation<'_>,
) -> Result<spirv::Module, Error> {
    let tuned = tuned::apply(ir, program, info, options);
    apply_options(ir, program, options);
    avoid(ir, program, info);
    trace::watched(ir, program, info, options, instrumentation, |ir, instrumentation| {
        let module = lower_and_translate_watched(ir, program, info, options, instrumentation)?;
        for (entry, &func) in tuned.iter().zip(&program.functions) {
            let of = |it: &&mut Explanation| it.function == ir[func].name;
            if let Some(explanation) = instrumentation.explanations.iter_mut().find(of) {
                explanation.tuned = entry.as_ref().map(|entry| entry.figure.to_string());
            }
        }
        Ok(module)
    })
}

fn lower_and_translate_watched(
    ir: &mut Ir,
    program: &Program,
    info: &CoreInfo,
    options: &Options,
    instrumentation: &mut Instrumentation<'_>,
) -> Result<spirv::Module, Error> {
    let Options { keep_names, keep_lines, remarks, .. } = *options;
    let signatures = ir.signatures_aligned(program, info.relied_alignment());
    let context = Context::new(*options, Some(info));
    let of = |&func: &Func| Some((ir[func].name.clone(), Roofline::of(ir, func, info)?));
    let asked = program.functions.iter().filter(|_| remarks);
    let rooflines: Vec<(String, Roofline)> = asked.filter_map(of).collect();
    let lowered = passes::lower(ir, program, &context, instrumentation);
    context.tell(instrumentation);
    lowered?;
    for explanation in &mut instrumentation.explanations {
        explanation.lowered(ir, program);
    }
    let unsafe_fp_math = options.allows_unsafe_fp_math();
    let start = Instant::now();
    let module = spirv::translate(
        ir,
        program,
        info,
        spirv::Options { keep_names, keep_lines, remarks, unsafe_fp_math },
    )?;
    for explanation in &mut instrumentation.explanations {
        let known = rooflines.iter().find(|(name, _)| *name == explanation.function);
        let path = module.main_path(&explanation.function, info);
        let roofline = known.zip(path).map(|((_, it), path)| Roofline { issue: path.issue(), ..*it });
        explanation.roofline = roofline;
    }
    if let Some(observer) = &mut instrumentation.observer {
        observer.pass_ended("spirv", start.elapsed(), ir, program);
    }
    Ok(module.with_signatures(signatures))
}

/// As [`compile_instrumented`], but `program` stays as it is.
///
/// # Errors
/// As for [`compile`].
pub fn compile_copy(
    ir: &mut Ir,
    program: &Program,
    info: &CoreInfo,
    options: &Options,
    instrumentation: &mut Instrumentation<'_>,
) -> Result<spirv::Module, Error> {
    let copy = ir.copy(program);
    let module = compile_original(ir, &copy, program, info, options, instrumentation);
    ir.remove(&copy);
    module
}

/// Everything that decides what [`compile`] makes of `program`, but for the version of tiletc: equal parts give
/// equal modules. Comments and blanks of the text are not among them, and neither are its places, unless the options keep
/// them.
pub fn fingerprint(ir: &Ir, program: &Program, info: &CoreInfo, options: &Options) -> [Text; 5] {
    let lines = if options.keep_lines { lines(ir, program) } else { String::new() };
    let tuned: Vec<String> = tuned::found(ir, program, info, options)
        .iter()
        .map(|entry| entry.as_ref().map_or_else(String::new, |entry| entry.config.to_string()))
        .collect();
    // What `Debug` is derived for, it shows in full.
    [
        print(ir, program),
        format!("{info:?}").into(),
        format!("{options:?}").into(),
        lines.into(),
        tuned.join(";").into(),
    ]
}

/// The places of all instructions.
fn lines(ir: &Ir, program: &Program) -> String {
    let mut text = String::new();
    let mut last = None;
    for &func in &program.functions {
        ir.walk(ir[func].body, &mut |inst| {
            let Location { source, begin: Position { line, column }, .. } = ir[inst].location;
            if last.replace(source) != Some(source) {
                text.push_str(ir.source_name(source).unwrap_or_default());
            }
            // Writing to a string does not fail.
            let _ = write!(text, ":{line}.{column}");
        });
    }
    text
}

/// A program with all that decides what it is compiled to.
pub struct Compilation<'a> {
    /// Arena that holds the program.
    pub ir: &'a mut Ir,
    /// The program.
    pub program: &'a Program,
    /// The device.
    pub info: &'a CoreInfo,
    /// The settings.
    pub options: &'a Options,
    /// Warnings so far, whether the compiler has made them or they were kept with its work.
    pub warnings: Vec<Diagnostic>,
}

impl<'a> Compilation<'a> {
    /// A program that nothing has been said of.
    pub fn new(
        ir: &'a mut Ir,
        program: &'a Program,
        info: &'a CoreInfo,
        options: &'a Options,
    ) -> Compilation<'a> {
        Compilation { ir, program, info, options, warnings: Vec::new() }
    }

    /// As [`fingerprint`].
    pub fn fingerprint(&self) -> [Text; 5] {
        fingerprint(self.ir, self.program, self.info, self.options)
    }

    /// As [`compile_copy`]; the warnings are added to those so far.
    ///
    /// # Errors
    /// As for [`compile`].
    pub fn compile(&mut self) -> Result<Module, Error> {
        self.compile_instrumented(&mut Instrumentation::none())
    }

    /// The same, with what is to be done around each pass.
    ///
    /// # Errors
    /// As for [`compile_instrumented`].
    pub fn compile_instrumented(
        &mut self,
        instrumentation: &mut Instrumentation<'_>,
    ) -> Result<Module, Error> {
        let module = compile_copy(self.ir, self.program, self.info, self.options, instrumentation);
        self.warnings.append(&mut instrumentation.warnings);
        module
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::diagnostics::Sources;
    use crate::ir::{Builder, LifetimeStop};

    const TEXT: &str = "func @f(%A: memref<f32x8>) {\n    barrier.local\n}\n";

    /// A program that breaks an invariant which no text and no call of the C API can break: the lifetime of memory
    /// ends that is no allocation.
    fn broken(ir: &mut Ir) -> Program {
        let source = Sources::new().add("test", TEXT.as_bytes());
        let program = parse(ir, source, TEXT.as_bytes()).unwrap();
        let body = ir[*program.functions.first().unwrap()].body;
        let (of, first) = (*ir[body].parameters.first().unwrap(), ir.last_inst(body).unwrap());
        Builder::after(ir, first).unwrap().emit(LifetimeStop { of }, &[]).unwrap();
        program
    }

    #[test]
    fn internal_errors_tell_the_place_and_how_to_see_them_again() {
        let (info, options) = (CoreInfo::from_name("pvc").unwrap(), Options::default());
        let copied: fn(&mut Ir, &Program, &CoreInfo, &Options) -> _ = |ir, program, info, options| {
            compile_copy(ir, program, info, options, &mut Instrumentation::none())
        };
        for compile in [compile, copied] {
            let mut ir = Ir::default();
            let program = broken(&mut ir);
            let printed = print(&ir, &program).to_string();
            let error = compile(&mut ir, &program, &info, &options).unwrap_err();
            assert_eq!(error.status(), Status::InternalCompilerError);
            let diagnostics = error.diagnostics();
            let [first, request] = diagnostics.as_slice() else { panic!("{diagnostics:?}") };
            let expected =
                "internal compiler error in set-stack-ptr at `lifetime_stop`: it is of no live allocation";
            assert_eq!(first.message, expected);
            assert_eq!(first.location.begin.line, 2);
            // The program as it was given, not what the passes made of it.
            assert!(request.message.ends_with(&printed), "{}", request.message);
            assert!(request.message.contains("Options { level: 2,"), "{}", request.message);
            // What the comments stand before is a program still.
            let (_, reproducer) = request.message.split_once('\n').unwrap();
            let text = reproducer.replace("    lifetime_stop %A\n", "");
            parse(&mut ir, Sources::new().add("again", text.as_bytes()), text.as_bytes()).unwrap();
        }
    }

    #[test]
    fn single_passes_tell_the_same() {
        let mut ir = Ir::default();
        let program = broken(&mut ir);
        let count = ir.entity_count();
        let error = run_pass("set-stack-ptr", &mut ir, &program, None, &Options::default()).unwrap_err();
        assert_eq!(error.status(), Status::InternalCompilerError);
        assert!(error.to_string().starts_with("internal compiler error in set-stack-ptr at `lifetime_stop`"));
        let request = error.diagnostics().pop().unwrap().message;
        assert!(request.contains(": the pass set-stack-ptr with Options"), "{request}");
        assert_eq!(ir.entity_count(), count);
    }
}
