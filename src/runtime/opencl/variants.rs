//! Variants of kernels whose programs belong to the user.

use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use opencl_sys::{cl_kernel, cl_program};

use super::api::{Api, call};
use super::bundle::{BuildTarget, Bundle};
use super::foreign::{check_known, identify};
use super::names::create_kernel;
use crate::runtime::Error;
use crate::runtime::arguments::GivenArgument;
use crate::runtime::bounded::Bounded;
use crate::runtime::variants::{self, Variants};

/// A variant of a kernel of the user's program.
pub type Variant = variants::Variant<BuildTarget>;

/// The variants of a program's kernels. The program is held, so that its address serves no other meanwhile, and the
/// context that variants are built in stays.
struct Kept {
    variants: Variants<BuildTarget>,
    _program: Bundle,
}

/// Programs that are held.
const CAPACITY: usize = 64;

fn kept() -> MutexGuard<'static, Bounded<usize, Arc<Kept>>> {
    static KEPT: LazyLock<Mutex<Bounded<usize, Arc<Kept>>>> =
        LazyLock::new(|| Mutex::new(Bounded::new(CAPACITY)));
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps the source of variants of a program's kernels.
///
/// # Errors
/// If the driver does not answer.
///
/// # Safety
/// `program` is a program that was built for the device of `target`.
pub unsafe fn keep_variants(
    target: BuildTarget,
    program: cl_program,
    source: variants::VariantSource,
) -> Result<(), Error> {
    let is_gpu = target.info()?.is_gpu()?;
    // SAFETY: the program is valid by contract; what is retained here, the bundle releases.
    unsafe { call!(target.api(), clRetainProgram(program)) }?;
    let _program = Bundle::of(target, program, is_gpu);
    let variants = Variants::new(target, source);
    let evicted = kept().insert(program.addr(), Arc::new(Kept { variants, _program }));
    drop(evicted);
    Ok(())
}

/// Compares arguments with what a kernel takes, and chooses the variant for them; `None` stands for the kernel itself.
///
/// # Errors
/// [`Error::KernelArguments`]; if there is no driver or it does not answer.
///
/// # Safety
/// `kernel` is null or a kernel of the installed OpenCL loader.
pub unsafe fn select_variant(
    kernel: cl_kernel,
    given: &[GivenArgument],
) -> Result<variants::Selected<BuildTarget>, Error> {
    // SAFETY: the same contract.
    let kernel = unsafe { identify(kernel) }?;
    let signature = check_known(&kernel, given)?;
    let variant = signature.as_ref().and_then(|signature| {
        let kept = kept().get(kernel.program.addr()).cloned();
        kept.and_then(|kept| kept.variants.of(signature, given))
    });
    Ok((variant, signature))
}

/// The kernel of a variant, which the caller releases with `clReleaseKernel`.
///
/// # Errors
/// If the driver fails.
pub fn create_variant(variant: &Variant) -> Result<cl_kernel, Error> {
    // SAFETY: the program is valid as long as the variant.
    unsafe { create_kernel(Api::get()?, variant.bundle().program(), variant.name()) }
}
