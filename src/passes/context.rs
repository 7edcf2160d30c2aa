//! Input of passes besides the program, and their instrumentation.

use super::error::Error;
use crate::device::CoreInfo;
use crate::ir::{Ir, Program};
use std::time::Duration;

/// Input of passes besides the program.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The device, if there is one.
    pub device: Option<&'a CoreInfo>,
    /// True if rewrites may ignore NaN, infinity and signed zero.
    pub unsafe_fp_math: bool,
    /// True if constants are propagated and dead code is removed (level 1 and up).
    pub optimise: bool,
}

impl<'a> Context<'a> {
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

/// Instrumentation around each pass of a pipeline.
#[derive(Default)]
pub struct Instrumentation<'a> {
    /// Verify the program after each pass; what breaks a rule then is an internal error that names the pass.
    pub verify_each: bool,
    /// Observer that is told of each pass.
    pub observer: Option<&'a mut dyn Observer>,
}

impl<'a> Instrumentation<'a> {
    /// No observer; the verifier runs in builds with debug assertions.
    pub fn none() -> Instrumentation<'a> {
        Instrumentation { verify_each: cfg!(debug_assertions), observer: None }
    }
}
