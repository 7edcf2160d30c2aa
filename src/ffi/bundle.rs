//! Kernel bundles through whichever interface to a driver: sources and messages of C's contexts for [`runtime::build`].

use super::binary::Binary;
use super::call::Outcome;
use super::context::Context;
use super::program::Program;
use crate::device::{CoreFeatures, CoreInfo};
use crate::diagnostics::Diagnostic;
use crate::driver;
use crate::ir;
use crate::ir::Signature;
use crate::recipe::Recipe;
use crate::runtime::variants::VariantSource;
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
    warnings: Vec<Diagnostic>,
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
        let compiled = self.context.compile(|state, instrumentation| {
            driver::compile_copy(&mut state.ir, &self.program, &self.info, &state.options, instrumentation)
        });
        let (module, warnings) = compiled.map_err(Failure::Reported)?;
        self.warnings = warnings;
        Ok(Cow::Owned(runtime::Binary::from(&module)))
    }

    fn warnings(&mut self) -> Vec<u8> {
        driver::encode_warnings(&self.context.lock().ir, &self.program, &self.warnings)
    }

    fn recall(&mut self, warnings: &[u8]) -> bool {
        let found = driver::decode_warnings(&self.context.lock().ir, &self.program, warnings);
        self.context.report(found.as_deref().unwrap_or_default());
        found.is_some()
    }
}

/// A bundle and the arguments of its kernels.
pub(super) struct Built<D: Device> {
    pub(super) bundle: D::Bundle,
    pub(super) signatures: Arc<[Signature]>,
    /// Source of variants of the kernels, with the device to build them for, if there is use for any.
    pub(super) variants: Option<(D, VariantSource)>,
}

/// Compiles and builds a program.
pub(super) fn with_program<D: Device>(
    device: Result<D, Error>,
    program: &Program,
    core_features: CoreFeatures,
) -> Outcome<Built<D>> {
    let context = &program.context;
    let build = || -> Result<_, Failure> {
        let device = device?;
        let mut info = device.core_info()?;
        info.set_core_features(core_features);
        let cache = context.lock().cache.clone();
        let functions = program.functions();
        let signatures = context.lock().ir.signatures_aligned(&functions, info.relied_alignment());
        let signatures: Arc<[Signature]> = signatures.into();
        let variants = VariantSource::is_needed(&signatures).then(|| {
            let state = context.lock();
            let text = driver::print(&state.ir, &functions).to_string();
            VariantSource { text, info: info.clone(), options: state.options, cache: cache.clone() }
        });
        let mut source = InContext { context, program: functions, info, warnings: Vec::new() };
        let bundle = runtime::build(&device, cache.as_deref(), &mut source)?;
        Ok(Built { bundle, signatures, variants: variants.map(|source| (device, source)) })
    };
    build().map_err(|failure| failure.report(context))
}

/// Builds a binary.
pub(super) fn with_binary<D: Device>(device: Result<D, Error>, binary: &Binary) -> Outcome<Built<D>> {
    let cache = binary.context.lock().cache.clone();
    let bundle = device.and_then(|device| runtime::build(&device, cache.as_deref(), &mut &binary.binary));
    let bundle = bundle.map_err(|error| fail(&binary.context, &error))?;
    Ok(Built { bundle, signatures: binary.binary.signatures().clone(), variants: None })
}

/// The kernels of a recipe.
pub(super) fn recipe_kernels<D: Device>(
    device: Result<D, Error>,
    binary: &Binary,
) -> Outcome<Vec<<D::Bundle as runtime::Bundle>::Kernel>> {
    let bundle = Arc::new(with_binary(device, binary)?.bundle);
    let kernels = Recipe::KERNELS.iter().map(|name| bundle.kernel(name)).collect::<Result<_, _>>();
    kernels.map_err(|error| fail(&binary.context, &error))
}
