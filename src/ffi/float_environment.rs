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

/// The environment of a caller, to be given back.
enum Callers {
    /// It was the default one but for the flags, which is nearly always so, and some hundred nanoseconds faster.
    #[cfg(target_arch = "x86_64")]
    Default(Registers),
    Other(Saved),
    /// The C library cannot tell it, so that nothing was changed.
    Unknown,
}

/// The default environment; the end of its life brings back what was before, flags and traps included.
pub(super) struct DefaultEnvironment {
    callers: Callers,
}

impl DefaultEnvironment {
    /// Enters the default environment: round to nearest, no traps, subnormal numbers.
    pub(super) fn enter() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            let registers = Registers::read();
            if registers.are_default() {
                return DefaultEnvironment { callers: Callers::Default(registers) };
            }
        }
        let mut callers = Saved([0; 64]);
        // SAFETY: the place is large enough for the environment, and the default one always exists. Rust
        // code runs in the default environment only, so setting it takes nothing away from any.
        let entered = unsafe { fegetenv(&raw mut callers) == 0 && fesetenv(DEFAULT) == 0 };
        DefaultEnvironment { callers: if entered { Callers::Other(callers) } else { Callers::Unknown } }
    }
}

impl Drop for DefaultEnvironment {
    fn drop(&mut self) {
        match &self.callers {
            #[cfg(target_arch = "x86_64")]
            Callers::Default(registers) => registers.restore(),
            Callers::Other(callers) => {
                // SAFETY: `fegetenv` has stored the environment, which is the one of the C code we return to.
                unsafe { fesetenv(&raw const *callers) };
            }
            Callers::Unknown => {}
        }
    }
}

/// The registers that hold the environment (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, 8.1 and
/// 10.2.3).
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, PartialEq)]
struct Registers {
    mxcsr: u32,
    x87_control: u16,
    x87_flags: u16,
}

#[cfg(target_arch = "x86_64")]
impl Registers {
    /// Flags of exceptions, in MXCSR and in the status of the x87 alike.
    const FLAGS: u16 = 0x3f;

    fn read() -> Registers {
        let (mut mxcsr, mut x87_control, mut x87_status) = (0_u32, 0_u16, 0_u16);
        // SAFETY: each instruction stores a register in a place of its size.
        unsafe {
            std::arch::asm!(
                "stmxcsr [{mxcsr}]",
                "fnstcw [{control}]",
                "fnstsw [{status}]",
                mxcsr = in(reg) &raw mut mxcsr,
                control = in(reg) &raw mut x87_control,
                status = in(reg) &raw mut x87_status,
                options(nostack, preserves_flags)
            );
        }
        Registers { mxcsr, x87_control, x87_flags: x87_status & Registers::FLAGS }
    }

    /// Returns whether exceptions are masked, rounding is to nearest, subnormal numbers are numbers, and the x87 has no flags,
    /// of which single ones cannot be brought back.
    fn are_default(self) -> bool {
        let has_default_modes =
            self.mxcsr & !u32::from(Registers::FLAGS) == 0x1f80 && self.x87_control == 0x037f;
        has_default_modes && self.x87_flags == 0
    }

    /// Brings the flags back, and the rest in case that something has changed it.
    fn restore(self) {
        if Registers::read() == self {
            return;
        }
        // SAFETY: the values are those that the registers had. All exceptions are masked in them, so that no flag traps.
        unsafe {
            std::arch::asm!(
                "ldmxcsr [{mxcsr}]",
                "fldcw [{control}]",
                "fnclex",
                mxcsr = in(reg) &raw const self.mxcsr,
                control = in(reg) &raw const self.x87_control,
                options(nostack)
            );
        }
    }
}
