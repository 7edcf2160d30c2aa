//! Input of passes besides the program, and their instrumentation.

use super::error::Error;
use crate::device::CoreInfo;
use crate::diagnostics::{Diagnostic, Location};
use crate::ir::{Func, Ir, Program};
use std::cell::{OnceCell, RefCell};
use std::collections::HashSet;
use std::time::Duration;

/// Settings of a compilation (lowering reference 1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Optimisation level; anything below 0 is 0, above 2 is 2.
    pub level: i32,
    /// Allow rewrites that ignore NaN, infinity and signed zero; `None` follows the level (on from 2).
    pub unsafe_fp_math: Option<bool>,
    /// Keep the names of functions and values in the module (`OpName`).
    pub keep_names: bool,
    /// Keep the lines of the source that instructions come from (`OpLine`).
    pub keep_lines: bool,
    /// Note what passes decide, for [`Instrumentation::decisions`], and how matrices are loaded and stored, for
    /// [`crate::spirv::Module::remarks`].
    pub remarks: bool,
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
        Options { level: 2, unsafe_fp_math: None, keep_names: false, keep_lines: false, remarks: false }
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
    /// Functions whose sizes no attribute gave.
    chosen_sizes: RefCell<HashSet<Func>>,
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
    /// The decision and its reason.
    pub text: String,
}

impl<'a> Context<'a> {
    /// A context that nothing has been reported to.
    pub fn new(options: Options, device: Option<&'a CoreInfo>) -> Context<'a> {
        Context {
            options,
            device,
            diagnostics: RefCell::default(),
            decisions: RefCell::default(),
            chosen_sizes: RefCell::default(),
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

    /// Notes a decision about an instruction of a function, if the options ask for remarks.
    pub fn decide(&self, ir: &Ir, func: Func, location: Location, text: impl FnOnce() -> String) {
        if self.options.remarks {
            let function = ir[func].name.clone();
            self.decisions.borrow_mut().push(Decision { function, location, text: text() });
        }
    }

    /// Notes that a pass has chosen subgroup and work-group size of a function.
    pub fn sizes_are_chosen(&self, func: Func) {
        self.chosen_sizes.borrow_mut().insert(func);
    }

    /// Returns whether a pass has chosen subgroup and work-group size of a function.
    pub fn has_chosen_sizes(&self, func: Func) -> bool {
        self.chosen_sizes.borrow().contains(&func)
    }

    /// The warnings that were noted.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.diagnostics.into_inner()
    }

    /// The warnings and the decisions that were noted.
    pub fn into_parts(self) -> (Vec<Diagnostic>, Vec<Decision>) {
        (self.diagnostics.into_inner(), self.decisions.into_inner())
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
}

impl<'a> Instrumentation<'a> {
    /// No observer; the verifier runs in builds with debug assertions.
    pub fn none() -> Instrumentation<'a> {
        Instrumentation { verify_each: cfg!(debug_assertions), ..Instrumentation::default() }
    }
}
