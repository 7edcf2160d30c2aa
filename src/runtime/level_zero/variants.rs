//! Variants of kernels whose modules belong to the user.

use std::mem;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use level_zero_sys::{ze_kernel_handle_t, ze_module_handle_t};

use super::bundle::BuildTarget;
use super::check_known;
use crate::runtime::Error;
use crate::runtime::arguments::GivenArgument;
use crate::runtime::bounded::Bounded;
use crate::runtime::variants::{self, VariantSource, Variants};

/// A variant of a kernel of the user's program.
pub type Variant = variants::Variant<BuildTarget>;

type Shared = Arc<Variants<BuildTarget>>;

/// Variants by the address of a module, and by that of a kernel.
struct Kept {
    modules: Bounded<usize, Shared>,
    kernels: Bounded<usize, Shared>,
}

/// Modules of which variants are known.
const MAX_MODULES: usize = 1 << 10;
/// Kernels of them, which may outlast what is known of their modules.
const MAX_KERNELS: usize = 1 << 14;

fn kept() -> MutexGuard<'static, Kept> {
    static KEPT: LazyLock<Mutex<Kept>> = LazyLock::new(|| {
        Mutex::new(Kept { modules: Bounded::new(MAX_MODULES), kernels: Bounded::new(MAX_KERNELS) })
    });
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

// Level Zero does not count who uses a context, and that of an old entry may be gone. Its variants went with it, so that what gives
// way is forgotten.

/// Keeps the source of variants of a module's kernels.
pub fn keep_variants(target: BuildTarget, module: ze_module_handle_t, source: VariantSource) {
    mem::forget(kept().modules.insert(module.addr(), Arc::new(Variants::new(target, source))));
}

/// Forgets the variants of a module that has been destroyed without our knowing, whose address serves another one.
pub fn forget_variants(module: ze_module_handle_t) {
    mem::forget(kept().modules.remove(module.addr()));
}

/// Makes the variants of a module known for a kernel of it.
pub(super) fn inherit_variants(module: ze_module_handle_t, kernel: ze_kernel_handle_t) {
    let mut kept = kept();
    mem::forget(match kept.modules.get(module.addr()).cloned() {
        Some(variants) => kept.kernels.insert(kernel.addr(), variants),
        None => kept.kernels.remove(kernel.addr()),
    });
}

/// Destroys the variants of a module whose context exists.
pub(super) fn destroy_variants(module: ze_module_handle_t) {
    // The lock ends before the driver is called.
    let variants = kept().modules.remove(module.addr());
    if let Some(variants) = variants {
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
        let variants = kept().kernels.get(kernel.addr()).cloned();
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
