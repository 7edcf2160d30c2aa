//! The floating-point environment of the calling thread.
//!
//! A C program may let floating-point exceptions raise SIGFPE (`feenableexcept`), round in another direction
//! (`fesetround`), or flush subnormal numbers to zero, as Intel's compilers do by default. Rust code and the
//! compilers of drivers rely on the default environment: in another one they are killed, or make other
//! constants of the same text. So every entry point works in the default one, and gives the caller's back.

use std::ptr;

/// Storage at least as large and as aligned as C's `fenv_t`, whatever the C library: glibc and musl need
/// 32 bytes on x86-64 and 8 on AArch64.
#[repr(C, align(16))]
struct Saved([u8; 64]);

#[link(name = "m")]
unsafe extern "C" {
    fn fegetenv(environment: *mut Saved) -> i32;
    fn fesetenv(environment: *const Saved) -> i32;
}

/// `FE_DFL_ENV` of glibc and musl.
const DEFAULT: *const Saved = ptr::without_provenance(usize::MAX);

/// The default environment; the end of its life brings back what was before, flags and traps included.
pub(super) struct DefaultEnvironment {
    /// `None` if the C library cannot tell what there was; then nothing was changed either.
    callers: Option<Saved>,
}

impl DefaultEnvironment {
    /// Enters the default environment: round to nearest, no traps, subnormal numbers.
    pub(super) fn enter() -> Self {
        let mut callers = Saved([0; 64]);
        // SAFETY: the place is large enough for the environment, and the default one always exists. Rust
        // code runs in the default environment only, so setting it takes nothing away from any.
        let entered = unsafe { fegetenv(&raw mut callers) == 0 && fesetenv(DEFAULT) == 0 };
        DefaultEnvironment { callers: entered.then_some(callers) }
    }
}

impl Drop for DefaultEnvironment {
    fn drop(&mut self) {
        if let Some(callers) = &self.callers {
            // SAFETY: `fegetenv` has stored the environment, which is the one of the C code we return to.
            unsafe { fesetenv(&raw const *callers) };
        }
    }
}
