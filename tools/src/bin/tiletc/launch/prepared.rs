//! A kernel that a driver has built, ready to run.

// Running a kernel is unsafe by nature, see `Prepared::run`.
#![allow(unsafe_code)]

use super::call::Call;
use super::device::failed;
use super::placed::Arguments;
use crate::common::{Failure, Output, Session};
use std::sync::Arc;
use tiletc::analysis::NecessaryWork;
use tiletc::driver::{self, Compilation};
use tiletc::runtime::arguments::{self, GivenArgument};
use tiletc::runtime::cache::Cache;
use tiletc::runtime::{self, BuildError, Bundle as _, KernelOf, ProfileOf};
use tiletc::status::Status;

/// A kernel that the driver has built for a launch.
pub struct Prepared<S: runtime::Session> {
    /// The kernel's name.
    pub name: String,
    /// Work-groups in each direction.
    pub groups: [u32; 3],
    /// Work of a work-group, if it is known before the launch.
    pub work: Option<NecessaryWork>,
    /// Names of the parameters through which it may write.
    pub written: Vec<String>,
    /// The binary that the kernel is in.
    pub bundle: Arc<S::Bundle>,
    kernel: KernelOf<S>,
}

/// Compiles a program and has the driver build it, unless the user's cache has the result.
pub fn build_cached<S: runtime::Session>(
    device: &S,
    program: &mut Compilation<'_>,
) -> Result<S::Bundle, BuildError> {
    runtime::build(device, Cache::from_environment().as_ref(), program)
}

impl Call {
    /// Has a kernel built for its arguments; `build` is [`build_cached`], or what shows more than that.
    pub fn build<S: runtime::Session>(
        mut self,
        device: &S,
        arguments: &Arguments,
        build: impl FnOnce(&S, &mut Compilation<'_>, &mut Output) -> Result<S::Bundle, BuildError>,
        output: &mut Output,
    ) -> Result<Prepared<S>, Failure> {
        let (name, function, written) = (self.name(), self.function, self.written());
        let given = arguments.given()?;
        let given: Vec<_> = given.iter().map(GivenArgument::from).collect();
        let signature = self.session.ir.signature(function);
        arguments::check(&signature, &given).map_err(failed)?;
        let groups = arguments::grid(Some(&signature), &given, self.groups).map_err(failed)?;
        let [x, y, z] = groups.map(|number| u32::try_from(number).map_err(|_| too_many(groups)));
        let groups = [x?, y?, z?];
        let Session { ir, program, info, options, .. } = &mut self.session;
        let work = NecessaryWork::of(ir, function);
        // There is one launch, so that its variant is all that is compiled.
        driver::specialize(ir, function, &arguments::layouts(&signature, &given, info));
        let mut program = Compilation::new(ir, program, info, options);
        let built = build(device, &mut program, output);
        let warnings = program.warnings;
        self.session.warn(output, &warnings);
        let bundle = built.map_err(|error| match error {
            BuildError::Compile(error) => self.session.failure(&error),
            BuildError::Runtime(error) => failed(error),
        })?;
        let bundle = Arc::new(bundle);
        let kernel = bundle.kernel(&name).map_err(failed)?;
        Ok(Prepared { name, groups, work, written, bundle, kernel })
    }
}

fn too_many(groups: [u64; 3]) -> Failure {
    let [x, y, z] = groups;
    Failure::Failed(Status::OutOfRange, format!("{x} × {y} × {z} work-groups are more than a launch has"))
}

impl<S: runtime::Session> Prepared<S> {
    /// Launches the kernel and waits for the end. `arguments` are those that it was built for, or others that were placed
    /// from the same values.
    pub fn run(&mut self, device: &S, arguments: &Arguments) -> Result<ProfileOf<S>, Failure> {
        let given = arguments.given()?;
        // SAFETY: the kernel was built for the device. The arguments are those that its parameters call for, in memory that
        // lives until the end of the run and that nobody looks at meanwhile. Whether the kernel stays within it, nobody can
        // know before; to run the user's kernel, as it is, is what this tool is called for.
        unsafe { device.run(&mut self.kernel, self.groups, &given) }.map_err(failed)
    }
}
