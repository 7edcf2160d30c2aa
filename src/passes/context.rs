//! Input of passes besides the program, and their instrumentation.

use super::error::Error;
use crate::device::CoreInfo;
use crate::diagnostics::{Diagnostic, Location};
use crate::ir::{Func, Inst, Ir, Program};
use crate::schedule::Explanation;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::time::Duration;

/// Settings of a compilation (lowering reference 1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Optimisation level; anything below 0 is 0, above 2 is 2.
    pub level: i32,
    /// Allow rewrites that ignore NaN, infinity and signed zero; `None` follows the level (on from 2).
    pub unsafe_fp_math: Option<bool>,
    /// Let products round factors of type f32 to tf32 in functions that name no precision.
    pub tf32: bool,
    /// Keep the names of functions and values in the module (`OpName`).
    pub keep_names: bool,
    /// Keep the lines of the source that instructions come from (`OpLine`).
    pub keep_lines: bool,
    /// Note what passes decide, for [`Instrumentation::decisions`], and how matrices are loaded and stored, for
    /// [`crate::spirv::Module::remarks`].
    pub remarks: bool,
    /// Give functions the attributes that tuning tables name for them.
    pub is_tuned: bool,
}

impl Options {
    /// True if constants are propagated and dead code is removed (level 1 and up).
    pub fn optimises(&self) -> bool {
        self.level >= 1
    }

    /// True if rewrites may ignore NaN, infinity and signed zero.
    pub fn allows_unsafe_fp_math(&self) -> bool {
        self.unsafe_fp_math.unwrap_or(self.level >= 2)
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            level: 2,
            unsafe_fp_math: None,
            tf32: false,
            keep_names: false,
            keep_lines: false,
            remarks: false,
            is_tuned: true,
        }
    }
}

/// Input of a compilation besides the program, and what it has to say but for errors.
#[derive(Debug)]
pub struct Context<'a> {
    /// The settings.
    pub options: Options,
    /// The device, if there is one.
    pub device: Option<&'a CoreInfo>,
    diagnostics: RefCell<Vec<Diagnostic>>,
    decisions: RefCell<Vec<Decision>>,
    /// Instructions of which a pass has made several versions.
    versions: RefCell<HashMap<Inst, Version>>,
    explanations: RefCell<Vec<Explanation>>,
    /// The functions that become one module.
    functions: RefCell<Vec<Func>>,
    /// True if the module may be built with the large register file, once that was asked.
    pub(super) fits_large_register_file: OnceCell<bool>,
}

/// A decision of a pass, in words for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Name of the function.
    pub function: String,
    /// Place of the instruction that it is about.
    pub location: Location,
    /// Versions of the instruction that it is for; none if it is for all there are.
    pub versions: Vec<Version>,
    /// The decision and its reason.
    pub text: String,
}

impl Decision {
    /// Returns whether both are about an instruction at one place, and either for versions of it or for all there are.
    fn is_alike(&self, other: &Decision) -> bool {
        let has_versions = self.versions.is_empty() == other.versions.is_empty();
        has_versions && self.location == other.location && self.function == other.function
    }

    /// Returns whether both are about versions of the same instruction.
    fn is_of_same(&self, other: &Decision) -> bool {
        !self.versions.is_empty() && self.is_alike(other)
    }
}

/// Version of code that works on tiles, where it is made several times (tile reference 2.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// The one for work-groups of which tests at run time say that they need no checks.
    Fast,
    /// Iterations of a loop of the fast version whose accesses may leave their memref.
    Edge,
    /// The one for all other work-groups.
    General,
}

impl Version {
    /// The version in a word.
    pub fn spelling(self) -> &'static str {
        match self {
            Version::Fast => "fast",
            Version::Edge => "edge",
            Version::General => "general",
        }
    }
}

impl<'a> Context<'a> {
    /// A context that nothing has been reported to.
    pub fn new(options: Options, device: Option<&'a CoreInfo>) -> Context<'a> {
        Context {
            options,
            device,
            diagnostics: RefCell::default(),
            decisions: RefCell::default(),
            versions: RefCell::default(),
            explanations: RefCell::default(),
            functions: RefCell::default(),
            fits_large_register_file: OnceCell::new(),
        }
    }

    /// Takes note of the program that the passes are run on.
    pub fn enter(&self, program: &Program) {
        self.functions.replace(program.functions.clone());
    }

    /// The functions that become one module.
    pub fn functions(&self) -> Vec<Func> {
        self.functions.borrow().clone()
    }

    /// Notes a warning, in the order of calls.
    pub fn report(&self, diagnostic: Diagnostic) {
        self.diagnostics.borrow_mut().push(diagnostic);
    }

    /// Notes of instructions which version of what the program says they are.
    pub fn are_version(&self, insts: impl IntoIterator<Item = Inst>, version: Version) {
        if self.options.remarks {
            self.versions.borrow_mut().extend(insts.into_iter().map(|inst| (inst, version)));
        }
    }

    /// Notes a decision about a function, or an instruction of it, if the options ask for remarks. What is
    /// decided alike for several versions or copies of an instruction is noted once.
    pub fn decide(&self, ir: &Ir, func: Func, inst: Option<Inst>, text: impl FnOnce() -> String) {
        if !self.options.remarks {
            return;
        }
        let versions = inst.and_then(|inst| self.versions.borrow().get(&inst).copied());
        let decision = Decision {
            function: ir[func].name.clone(),
            location: inst.map_or(ir[func].location, |inst| ir[inst].location),
            versions: versions.into_iter().collect(),
            text: text(),
        };
        let mut decisions = self.decisions.borrow_mut();
        let same = |other: &&mut Decision| other.is_alike(&decision) && other.text == decision.text;
        match decisions.iter_mut().find(same) {
            Some(same) => same.versions.extend(decision.versions),
            None => decisions.push(decision),
        }
    }

    /// Notes the schedule of a function.
    pub fn explain(&self, explanation: Explanation) {
        self.explanations.borrow_mut().push(explanation);
    }

    /// The warnings that were noted.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.diagnostics.into_inner()
    }

    /// Hands over what was noted.
    pub fn tell(self, instrumentation: &mut Instrumentation<'_>) {
        let mut decisions = self.decisions.into_inner();
        let is_for_all =
            |decision: &Decision| decisions.iter().filter(|other| other.is_of_same(decision)).count() == 1;
        let for_all: Vec<bool> = decisions.iter().map(is_for_all).collect();
        for (decision, _) in decisions.iter_mut().zip(for_all).filter(|(_, for_all)| *for_all) {
            decision.versions.clear();
        }
        instrumentation.warnings.append(&mut self.diagnostics.into_inner());
        instrumentation.decisions.append(&mut decisions);
        instrumentation.explanations.append(&mut self.explanations.into_inner());
    }

    /// The device.
    ///
    /// # Errors
    /// [`Error::NeedsDevice`] with the name of the pass if there is none.
    pub fn device(&self, pass: &'static str) -> Result<&'a CoreInfo, Error> {
        self.device.ok_or(Error::NeedsDevice(pass))
    }
}

/// Watches the passes of a pipeline.
pub trait Observer {
    /// Called when a pass has run on every function of the program.
    fn pass_ended(&mut self, pass: &'static str, duration: Duration, ir: &Ir, program: &Program);
}

/// Instrumentation around each pass of a pipeline, and what passes have to say but for errors.
#[derive(Default)]
pub struct Instrumentation<'a> {
    /// Verify the program after each pass; what breaks a rule then is an internal error that names the pass.
    pub verify_each: bool,
    /// Observer that is told of each pass.
    pub observer: Option<&'a mut dyn Observer>,
    /// Warnings of the passes so far, also of those before one that failed.
    pub warnings: Vec<Diagnostic>,
    /// Decisions of the passes, if the options ask for remarks.
    pub decisions: Vec<Decision>,
    /// The schedules of the functions, if the options ask for remarks.
    pub explanations: Vec<Explanation>,
}

impl<'a> Instrumentation<'a> {
    /// No observer; the verifier runs in builds with debug assertions.
    pub fn none() -> Instrumentation<'a> {
        Instrumentation { verify_each: cfg!(debug_assertions), ..Instrumentation::default() }
    }
}
