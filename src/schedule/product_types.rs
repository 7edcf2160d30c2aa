//! Component types of a product.

use crate::ir::{CoopmatrixMulAdd, Ir, Scalar};

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

    /// The types of a product of cooperative matrices.
    pub fn of_matrices(ir: &Ir, op: &CoopmatrixMulAdd) -> Option<ProductTypes> {
        let [a, b, c] = [op.a, op.b, op.c].map(|value| ir.ty(value).component());
        Some(ProductTypes { a: a?, b: b?, accumulator: c? })
    }
}
