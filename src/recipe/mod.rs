//! Ready-made kernels (`spec/api.md` 9).
//!
//! A recipe is a program of two kernels that compute the same with a scalar β: `gemm` for any, and
//! `gemm_beta0` for β = 0, which only writes its result, so that the memory may hold anything before.
#![forbid(unsafe_code)]

mod error;
mod small_gemm_batched;

pub use error::Error;
pub use small_gemm_batched::{Batched, SmallGemmBatched};

use crate::driver::{self, Options};
use crate::ir::{Ir, Program};
use crate::spirv;
use crate::target::CoreInfo;

/// A recipe that was compiled for a device.
#[derive(Debug)]
pub struct Recipe {
    /// The program as it was lowered.
    pub program: Program,
    /// Its module; the kernels are entry points of the functions' names.
    pub module: spirv::Module,
}

impl Recipe {
    /// The kernel for any β.
    pub const KERNEL: &'static str = "gemm";
    /// The kernel for β = 0.
    pub const KERNEL_BETA0: &'static str = "gemm_beta0";

    /// Compiles the program of a recipe; frees it if that fails.
    fn compile(
        ir: &mut Ir,
        program: Program,
        info: &CoreInfo,
        options: &Options,
    ) -> Result<Recipe, driver::Error> {
        match driver::compile(ir, &program, info, options) {
            Ok(module) => Ok(Recipe { program, module }),
            Err(error) => {
                ir.remove(&program);
                Err(error)
            }
        }
    }
}
