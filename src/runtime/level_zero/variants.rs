//! Variants of kernels whose modules belong to the user.

use std::mem;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use level_zero_sys::{ze_kernel_handle_t, ze_module_handle_t};

use super::bundle::BuildTarget;
use super::check_known;
use crate::runtime::Error;
use crate::runtime::arguments::{GivenArgument, NativeHandle};
use crate::runtime::bounded::Bounded;
use crate::runtime::variants::{self, VariantSource, Variants};

/// A variant of a kernel of the user's program.
pub type Variant = variants::Variant<BuildTarget>;

type Kept = Bounded<NativeHandle, Arc<Variants<BuildTarget>>>;

/// Modules and kernels of which variants are known.
const CAPACITY: usize = 1 << 10;

fn kept() -> MutexGuard<'static, Kept> {
    static KEPT: LazyLock<Mutex<Kept>> = LazyLock::new(|| Mutex::new(Bounded::new(CAPACITY)));
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

fn keep(handle: NativeHandle, variants: Arc<Variants<BuildTarget>>) {
    // Level Zero does not count who uses a context, and that of an old entry may be gone. Its variants went with it.
    mem::forget(kept().insert(handle, variants));
}

/// Keeps the source of variants of a module's kernels.
pub fn keep_variants(target: BuildTarget, module: ze_module_handle_t, source: VariantSource) {
    keep(NativeHandle::ZeModule(module.addr()), Arc::new(Variants::new(target, source)));
}

/// Forgets the variants of a module that has been destroyed without our knowing, whose address serves another one.
pub fn forget_variants(module: ze_module_handle_t) {
    mem::forget(kept().remove(NativeHandle::ZeModule(module.addr())));
}

/// Makes the variants of a module known for a kernel of it.
pub(super) fn inherit_variants(module: ze_module_handle_t, kernel: ze_kernel_handle_t) {
    let kernel = NativeHandle::ZeKernel(kernel.addr());
    let variants = kept().get(NativeHandle::ZeModule(module.addr())).cloned();
    match variants {
        Some(variants) => keep(kernel, variants),
        None => mem::forget(kept().remove(kernel)),
    }
}

/// Destroys the variants of a module whose context exists.
pub(super) fn destroy_variants(module: ze_module_handle_t) {
    if let Some(variants) = kept().remove(NativeHandle::ZeModule(module.addr())) {
        variants.clear();
    }
}

/// Compares arguments with what a kernel takes, and chooses the variant for them; `None` stands for the kernel itself.
///
/// # Errors
/// [`Error::KernelArguments`]; if there is no driver or it does not answer.
///
/// # Safety
/// `kernel` is null or a kernel of the installed Level Zero loader.
pub unsafe fn select_variant(
    kernel: ze_kernel_handle_t,
    given: &[GivenArgument],
) -> Result<variants::Selected<BuildTarget>, Error> {
    // SAFETY: the same contract.
    let signature = unsafe { check_known(kernel, given) }?;
    let variant = signature.as_ref().and_then(|signature| {
        let variants = kept().get(NativeHandle::ZeKernel(kernel.addr())).cloned();
        variants.and_then(|variants| variants.of(signature, given))
    });
    Ok((variant, signature))
}

/// The module of a variant, which stays valid as long as that of the kernel, and a kernel of it, which the caller
/// destroys with `zeKernelDestroy`.
///
/// # Errors
/// If the driver fails.
pub fn create_variant(variant: &Variant) -> Result<(ze_module_handle_t, ze_kernel_handle_t), Error> {
    let bundle = variant.bundle();
    // SAFETY: the module is valid as long as the variant.
    let (kernel, _) = unsafe { bundle.driver().create_kernel(bundle.module(), variant.name()) }?;
    Ok((bundle.module(), kernel))
}
