//! Launch of a recipe's kernel, whatever runs it.

use super::Error;
use super::beta::Beta;
use crate::ir::Scalar;

/// An argument of a kernel. `M` is what the runtime has for memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument<'a, M> {
    /// A number of the recipe's type.
    Number(&'a [u8]),
    /// A size, a 64-bit integer.
    Size(i64),
    /// A matrix, or many.
    Memory(M),
}

/// A kernel of a recipe, its arguments in order, and the work-groups it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch<'a, M> {
    /// Place in [`Recipe::KERNELS`](super::Recipe::KERNELS).
    pub kernel: usize,
    /// The arguments.
    pub arguments: Vec<Argument<'a, M>>,
    /// Number of work-groups along x; with 0 there is nothing to run.
    pub groups: u64,
}

/// The factors of a product.
pub(super) struct Scalars<'a> {
    pub alpha: &'a [u8],
    pub beta: &'a [u8],
}

impl Scalars<'_> {
    /// The kernel for β. Refuses what is no number of the type.
    pub(super) fn kernel(&self, number: Scalar) -> Result<usize, Error> {
        for (what, bytes) in [("alpha", self.alpha), ("beta", self.beta)] {
            let size = bytes.len();
            if i64::try_from(size) != Ok(number.bytes()) {
                return Err(Error::ScalarSize { what, size, number });
            }
        }
        Ok(Beta::kernel(number, self.beta))
    }
}

/// A number of rows or matrices.
pub(super) fn count(what: &'static str, value: i64) -> Result<u64, Error> {
    u64::try_from(value).map_err(|_| Error::Negative { what, value })
}
