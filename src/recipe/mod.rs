//! Ready-made kernels (API reference 9).
//!
//! A recipe is a program of two kernels that compute the same with a scalar β: `gemm` for any, and
//! `gemm_beta0` for β = 0, which only writes its result, so that the memory may hold anything before.
//!
//! [`Shape`] is what a recipe is made for, [`Recipe`] its compiled program, and [`Launch`] says how one of
//! the kernels is run.
#![forbid(unsafe_code)]

mod beta;
mod error;
mod launch;
mod small_gemm_batched;
mod tall_and_skinny;

pub use error::Error;
pub use launch::{Argument, Launch};
pub use small_gemm_batched::{Batched, SmallGemmBatched};
pub use tall_and_skinny::{Operand, TallAndSkinny, suggest_block_size};

use crate::device::CoreInfo;
use crate::diagnostics::Location;
use crate::driver::{self, Options};
use crate::ir::{Ir, Program, VerifierError};
use crate::spirv;
use crate::status::Status;
use std::fmt;

/// The integer that stands for "dynamic" in the language and its C interface.
const DYNAMIC: i64 = i64::MIN;

/// Purpose of a recipe; its text lists all parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Many small products.
    SmallGemmBatched(SmallGemmBatched),
    /// One product with many rows.
    TallAndSkinny(TallAndSkinny),
}

impl Shape {
    /// Builds the program for a device. All of it is said to come from `location`.
    ///
    /// # Errors
    /// As for [`SmallGemmBatched::program`] or [`TallAndSkinny::program`].
    pub fn program(self, ir: &mut Ir, location: Location, info: &CoreInfo) -> Result<Program, Error> {
        match self {
            Shape::SmallGemmBatched(shape) => shape.program(ir, location),
            Shape::TallAndSkinny(shape) => shape.program(ir, location, info),
        }
    }

    /// Builds the program and compiles it for a device. All of it is said to come from `location`.
    ///
    /// # Errors
    /// As for [`Shape::program`], and whatever the compiler finds.
    /// Nothing is left in the arena then.
    pub fn compile(
        self,
        ir: &mut Ir,
        location: Location,
        info: &CoreInfo,
        options: &Options,
    ) -> Result<Recipe, Error> {
        let program = self.program(ir, location, info)?;
        match driver::compile(ir, &program, info, options) {
            Ok(module) => Ok(Recipe { shape: self, program, module }),
            Err(error) => {
                ir.remove(&program);
                Err(error.into())
            }
        }
    }
}

impl From<SmallGemmBatched> for Shape {
    fn from(shape: SmallGemmBatched) -> Shape {
        Shape::SmallGemmBatched(shape)
    }
}

impl From<TallAndSkinny> for Shape {
    fn from(shape: TallAndSkinny) -> Shape {
        Shape::TallAndSkinny(shape)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::SmallGemmBatched(shape) => shape.fmt(f),
            Shape::TallAndSkinny(shape) => shape.fmt(f),
        }
    }
}

/// A recipe that was compiled for a device.
#[derive(Debug)]
pub struct Recipe {
    /// Purpose.
    pub shape: Shape,
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
    /// The kernels; [`Launch::kernel`] is a place in this list.
    pub const KERNELS: [&'static str; 2] = [Recipe::KERNEL, Recipe::KERNEL_BETA0];
}

/// Refuses numbers that must be known, and sizes that no matrix has.
fn check_sizes(
    location: Location,
    positive: &[(&'static str, i64)],
    others: &[(&'static str, i64)],
) -> Result<(), VerifierError> {
    if let Some((what, _)) = positive.iter().chain(others).find(|(_, value)| *value == DYNAMIC) {
        let detail = format!("{what} must not be dynamic");
        return Err(VerifierError::new(Status::InvalidArguments, location, detail));
    }
    match positive.iter().find(|(_, value)| *value <= 0) {
        Some((what, value)) => {
            let detail = format!("{what} = {value}, which must be positive");
            Err(VerifierError::new(Status::IrInvalidShape, location, detail))
        }
        None => Ok(()),
    }
}

/// Refuses a leading dimension that is less than the rows of the matrix as it is stored, as BLAS does.
fn check_leading(
    location: Location,
    (what, leading): (&'static str, i64),
    (rows_name, rows): (&'static str, i64),
) -> Result<(), VerifierError> {
    if leading >= rows {
        return Ok(());
    }
    let detail = format!("{what} = {leading}, which must be at least {rows_name} = {rows}");
    Err(VerifierError::new(Status::IrInvalidShape, location, detail))
}
