//! Kernel bundles through whichever interface to a driver: sources and messages of C's contexts for [`runtime::build`].

use super::binary::Binary;
use super::call::Outcome;
use super::context::Context;
use super::program::Program;
use crate::device::{CoreFeatures, CoreInfo};
use crate::driver;
use crate::ir;
use crate::recipe::Recipe;
use crate::runtime::{self, Bundle as _, Device, Error, KeyParts, Source};
use crate::status::Status;
use std::borrow::Cow;
use std::sync::Arc;

/// Reason why there is no bundle.
enum Failure {
    /// The context has reported it.
    Reported(Status),
    /// The driver failed, and nobody has been told.
    Runtime(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Runtime(error)
    }
}

impl Failure {
    /// The status, after what the driver says has gone to the context.
    fn report(self, context: &Context) -> Status {
        match self {
            Failure::Reported(status) => status,
            Failure::Runtime(error) => fail(context, &error),
        }
    }
}

/// Tells the context what a driver says.
fn fail(context: &Context, error: &Error) -> Status {
    context.fail(error.status(), error.to_string())
}

/// The program of a context, which is only locked while the compiler works.
struct InContext<'a> {
    context: &'a Context,
    program: ir::Program,
    info: CoreInfo,
}

impl Source for InContext<'_> {
    type Error = Failure;

    fn core_features(&self) -> CoreFeatures {
        self.info.core_features()
    }

    fn key(&mut self) -> Result<Option<KeyParts<'_>>, Failure> {
        let fingerprint = self
            .context
            .work(|state| Ok(driver::fingerprint(&state.ir, &self.program, &self.info, &state.options)));
        Ok(Some(runtime::program_key(fingerprint.map_err(Failure::Reported)?)))
    }

    fn binary(&mut self) -> Result<Cow<'_, runtime::Binary>, Failure> {
        let module = self
            .context
            .work(|state| driver::compile_copy(&mut state.ir, &self.program, &self.info, &state.options));
        Ok(Cow::Owned(runtime::Binary::from(&module.map_err(Failure::Reported)?)))
    }
}

/// Compiles and builds a program.
pub(super) fn with_program<D: Device>(
    device: Result<D, Error>,
    program: &Program,
    core_features: CoreFeatures,
) -> Outcome<D::Bundle> {
    let context = &program.context;
    let build = || -> Result<D::Bundle, Failure> {
        let device = device?;
        let mut info = device.core_info()?;
        info.set_core_features(core_features);
        program.report_warnings().map_err(Failure::Reported)?;
        let cache = context.lock().cache.clone();
        let mut source = InContext { context, program: program.functions(), info };
        runtime::build(&device, cache.as_deref(), &mut source)
    };
    build().map_err(|failure| failure.report(context))
}

/// Builds a binary.
pub(super) fn with_binary<D: Device>(device: Result<D, Error>, binary: &Binary) -> Outcome<D::Bundle> {
    let cache = binary.context.lock().cache.clone();
    let bundle = device.and_then(|device| runtime::build(&device, cache.as_deref(), &mut &binary.binary));
    bundle.map_err(|error| fail(&binary.context, &error))
}

/// The kernels of a recipe.
pub(super) fn recipe_kernels<D: Device>(
    device: Result<D, Error>,
    binary: &Binary,
) -> Outcome<Vec<<D::Bundle as runtime::Bundle>::Kernel>> {
    let bundle = Arc::new(with_binary(device, binary)?);
    let kernels = Recipe::KERNELS.iter().map(|name| bundle.kernel(name)).collect::<Result<_, _>>();
    kernels.map_err(|error| fail(&binary.context, &error))
}
