//! Component types of a product.

use crate::ir::Scalar;

/// Component types of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProductTypes {
    /// Of A.
    pub a: Scalar,
    /// Of B.
    pub b: Scalar,
    /// Of the sums.
    pub accumulator: Scalar,
}

impl ProductTypes {
    /// The types for factors and a result: sums are at least as wide as both. `None` if the factors have no type in
    /// common.
    pub fn of(a: Scalar, b: Scalar, c: Scalar) -> Option<ProductTypes> {
        Some(ProductTypes { a, b, accumulator: a.promote(b)?.sum_type(c) })
    }
}
