//! Kernels that are compiled again for the layouts that their matrices have at a launch (tile reference 2.6.3).
//!
//! Where the text leaves strides open, code for any strides reaches memory element by element. A launch through
//! functions of ours knows the arguments: the first one with matrices of some layout has a variant compiled for it, which
//! takes the same arguments.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::arguments::{self, GivenArgument};
use super::cache::Cache;
use super::device::{Bundle, Device};
use super::{BuildError, build};
use crate::device::CoreInfo;
use crate::driver::{Layout, Options, Specialized};
use crate::ir::Signature;

/// Largest number of variants of a kernel.
const MAX_VARIANTS: usize = 4;

/// A program and all that decides what its variants are compiled to.
pub struct VariantSource {
    /// The program.
    pub text: String,
    /// The device.
    pub info: CoreInfo,
    /// The settings.
    pub options: Options,
    /// Cache of native binaries, if there is one.
    pub cache: Option<Arc<Cache>>,
}

impl VariantSource {
    /// Returns whether a kernel leaves open what variants know.
    pub fn is_needed(signatures: &[Signature]) -> bool {
        let parameters = signatures.iter().flat_map(|signature| &signature.parameters);
        parameters.into_iter().any(|parameter| parameter.open_layout.is_some())
    }
}

/// The variants of the kernels of a bundle.
pub struct Variants<D: Device> {
    device: D,
    source: VariantSource,
    kernels: Mutex<HashMap<String, Vec<Entry<D>>>>,
}

/// A layout of the parameters, and the variant unless it could not be built.
type Entry<D> = (Vec<Option<Layout>>, Option<Arc<Variant<D>>>);

/// A variant of a kernel.
pub struct Variant<D: Device> {
    bundle: Arc<D::Bundle>,
    name: String,
    kernel: Mutex<<D::Bundle as Bundle>::Kernel>,
}

/// The variant for a launch, if there is one, and the signature of its kernel, if it is known.
pub type Selected<D> = (Option<Arc<Variant<D>>>, Option<Arc<Signature>>);

impl<D: Device> Variant<D> {
    /// The kernel, for one launch at a time.
    pub fn lock(&self) -> MutexGuard<'_, <D::Bundle as Bundle>::Kernel> {
        self.kernel.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bundle that it is a kernel of.
    pub fn bundle(&self) -> &Arc<D::Bundle> {
        &self.bundle
    }

    /// Its name there.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl<D: Device> Variants<D> {
    /// Variants that are yet to be compiled for a device.
    pub fn new(device: D, source: VariantSource) -> Variants<D> {
        Variants { device, source, kernels: Mutex::default() }
    }

    /// The variant of a kernel for arguments that it takes; compiled if these are the first of their layouts. `None` if
    /// there is no better code than the kernel's own, or there are variants enough. That a variant cannot be built is no
    /// error, since the kernel itself can do what is asked.
    pub fn of(&self, signature: &Signature, given: &[GivenArgument]) -> Option<Arc<Variant<D>>> {
        let layouts = arguments::layouts(signature, given, &self.source.info);
        if layouts.iter().all(Option::is_none) {
            return None;
        }
        // Held while the variant is built: who launches the same kernel meanwhile wants it, too.
        let mut kernels = self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        let entries = kernels.entry(signature.name.clone()).or_default();
        if let Some((_, variant)) = entries.iter().find(|(known, _)| *known == layouts) {
            return variant.clone();
        }
        let name = &signature.name;
        if entries.len() >= MAX_VARIANTS {
            log::debug!("kernel {name} has {MAX_VARIANTS} variants; no more are built");
            return None;
        }
        let variant = self.build(name, &layouts);
        let variant = variant.inspect_err(|error| log::warn!("no variant of kernel {name}: {error}"));
        let variant = variant.ok().map(Arc::new);
        if variant.is_some() {
            log::info!("variant {} of kernel {name}: {}", entries.len() + 1, describe(signature, &layouts));
        }
        entries.push((layouts, variant.clone()));
        variant
    }

    /// Forgets all variants, which are compiled anew if they are asked for.
    pub fn clear(&self) {
        let variants = std::mem::take(&mut *self.kernels.lock().unwrap_or_else(PoisonError::into_inner));
        drop(variants);
    }

    fn build(&self, name: &str, layouts: &[Option<Layout>]) -> Result<Variant<D>, BuildError> {
        let VariantSource { text, info, options, cache } = &self.source;
        let mut program = Specialized::parse(text, name, layouts)?;
        let mut compilation = program.compilation(info, options);
        let bundle = Arc::new(build(&self.device, cache.as_deref(), &mut compilation)?);
        let kernel = Mutex::new(bundle.kernel(name)?);
        Ok(Variant { bundle, name: name.to_owned(), kernel })
    }
}

/// `%A is contiguous along mode 1 and a surface`
fn describe(signature: &Signature, layouts: &[Option<Layout>]) -> String {
    let known = signature.parameters.iter().zip(layouts);
    let parts = known.filter_map(|(parameter, layout)| {
        let Layout { unit_stride, is_surface } = (*layout)?;
        let surface = if is_surface { " and a surface" } else { "" };
        Some(format!("{} is contiguous along mode {}{surface}", parameter.name, unit_stride.0))
    });
    parts.collect::<Vec<_>>().join(", ")
}
