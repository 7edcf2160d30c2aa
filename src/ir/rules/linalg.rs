//! Linear algebra (language reference 5.12).

use super::super::entities::Value;
use super::super::fields::Transpose;
use super::super::instructions::{Axpby, Cumsum, Gemm, Gemv, Ger, Hadamard, Sum};
use super::super::types::{Extent, Memref, Type, write_list};
use super::{Check, Known, Rules, VerifierError};
use crate::status::Status;

impl Rules for Axpby {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let (a, b) = two_tensors(check, self.alpha, self.a, self.beta, self.b)?;
        check.require(b.order() <= 2, Status::IrExpectedMemrefOrder01Or2, &[self.b], || {
            check.describe(self.b)
        })?;
        let mut shape = a.shape.clone();
        if self.transpose == Transpose::T && a.order() == 2 && b.order() == 2 {
            shape.reverse();
        }
        check.require(shape == b.shape, Status::IrIncompatibleShapes, &[self.a, self.b], || {
            format!("A={}, B={}", Shape(&a.shape), Shape(&b.shape))
        })
    }

    fn literal_type(&self, known: &Known<'_>, operand: Value) -> Option<Type> {
        factor_type(known, operand, (self.alpha, &[self.a]), (self.beta, self.b))
    }
}

impl Rules for Gemm {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let [a, b, c] = three_tensors(check, self.alpha, [self.a, self.b, self.c], self.beta)?;
        for (value, memref) in [(self.a, a), (self.b, b), (self.c, c)] {
            check.order(value, memref, 2, Status::IrExpectedMemrefOrder2)?;
        }
        let (rows_a, cols_a) = matrix(a, self.transpose_a);
        let (rows_b, cols_b) = matrix(b, self.transpose_b);
        let fit = (rows_a, cols_a, cols_b) == (rows(c), rows_b, cols(c));
        shapes_fit(check, fit, [self.a, self.b, self.c], [a, b, c])
    }

    fn literal_type(&self, known: &Known<'_>, operand: Value) -> Option<Type> {
        factor_type(known, operand, (self.alpha, &[self.a, self.b]), (self.beta, self.c))
    }
}

impl Rules for Cumsum {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let (a, b) = two_tensors(check, self.alpha, self.a, self.beta, self.b)?;
        check.require(a.order() >= 1, Status::IrExpectedNonScalarMemref, &[self.a], || {
            check.describe(self.a)
        })?;
        // A negative mode only shows when it is lowered (language reference 5.12).
        let beyond = usize::try_from(self.mode).is_ok_and(|mode| mode >= a.order());
        check.require(!beyond, Status::IrOutOfBounds, &[self.a], || {
            format!("mode {}, counted from 0; {}", self.mode, check.describe(self.a))
        })?;
        check.require(a.shape == b.shape, Status::IrIncompatibleShapes, &[self.a, self.b], || {
            format!("A={}, B={}", Shape(&a.shape), Shape(&b.shape))
        })
    }

    fn check_lowering(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        check.require(self.mode >= 0, Status::IrOutOfBounds, &[self.a], || {
            format!("mode {}, counted from 0; {}", self.mode, check.describe(self.a))
        })
    }

    fn literal_type(&self, known: &Known<'_>, operand: Value) -> Option<Type> {
        factor_type(known, operand, (self.alpha, &[self.a]), (self.beta, self.b))
    }
}

impl Rules for Sum {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let (a, b) = two_tensors(check, self.alpha, self.a, self.beta, self.b)?;
        match b.order() {
            0 => check.order(self.a, a, 1, Status::IrExpectedMemrefOrder1),
            1 => {
                check.order(self.a, a, 2, Status::IrExpectedMemrefOrder2)?;
                let rows_a = matrix(a, self.transpose).0;
                check.require(rows_a == rows(b), Status::IrIncompatibleShapes, &[self.a, self.b], || {
                    format!("A={}, B={}", Shape(&a.shape), Shape(&b.shape))
                })
            }
            _ => Err(check.fail(Status::IrExpectedMemrefOrder0Or1, check.describe(self.b), &[self.b])),
        }
    }

    fn literal_type(&self, known: &Known<'_>, operand: Value) -> Option<Type> {
        factor_type(known, operand, (self.alpha, &[self.a]), (self.beta, self.b))
    }
}

impl Rules for Gemv {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let [a, b, c] = three_tensors(check, self.alpha, [self.a, self.b, self.c], self.beta)?;
        check.order(self.a, a, 2, Status::IrExpectedMemrefOrder2)?;
        check.order(self.b, b, 1, Status::IrExpectedMemrefOrder1)?;
        check.order(self.c, c, 1, Status::IrExpectedMemrefOrder1)?;
        let (rows_a, cols_a) = matrix(a, self.transpose);
        shapes_fit(check, (rows_a, cols_a) == (rows(c), rows(b)), [self.a, self.b, self.c], [a, b, c])
    }

    fn literal_type(&self, known: &Known<'_>, operand: Value) -> Option<Type> {
        factor_type(known, operand, (self.alpha, &[self.a, self.b]), (self.beta, self.c))
    }
}

impl Rules for Ger {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let [a, b, c] = three_tensors(check, self.alpha, [self.a, self.b, self.c], self.beta)?;
        check.order(self.a, a, 1, Status::IrExpectedMemrefOrder1)?;
        check.order(self.b, b, 1, Status::IrExpectedMemrefOrder1)?;
        check.order(self.c, c, 2, Status::IrExpectedMemrefOrder2)?;
        shapes_fit(check, (rows(c), cols(c)) == (rows(a), rows(b)), [self.a, self.b, self.c], [a, b, c])
    }

    fn literal_type(&self, known: &Known<'_>, operand: Value) -> Option<Type> {
        factor_type(known, operand, (self.alpha, &[self.a, self.b]), (self.beta, self.c))
    }
}

impl Rules for Hadamard {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let operands = [self.a, self.b, self.c];
        let memrefs = three_tensors(check, self.alpha, operands, self.beta)?;
        for (value, memref) in operands.into_iter().zip(memrefs) {
            let order = memref.order();
            check.require(order == 1 || order == 2, Status::IrExpectedMemrefOrder1Or2, &[value], || {
                check.describe(value)
            })?;
        }
        let [a, b, c] = memrefs;
        shapes_fit(check, a.shape == b.shape && b.shape == c.shape, operands, memrefs)
    }

    fn literal_type(&self, known: &Known<'_>, operand: Value) -> Option<Type> {
        factor_type(known, operand, (self.alpha, &[self.a, self.b]), (self.beta, self.c))
    }
}

fn shapes_fit(
    check: &Check<'_>,
    fit: bool,
    operands: [Value; 3],
    [a, b, c]: [&Memref; 3],
) -> Result<(), VerifierError> {
    check.require(fit, Status::IrIncompatibleShapes, &operands, || {
        format!("A={}, B={}, C={}", Shape(&a.shape), Shape(&b.shape), Shape(&c.shape))
    })
}

fn rows(memref: &Memref) -> Extent {
    memref.shape.first().copied().unwrap_or(Extent::Static(1))
}

fn cols(memref: &Memref) -> Extent {
    memref.shape.get(1).copied().unwrap_or(Extent::Static(1))
}

/// Rows and columns of op(matrix).
fn matrix(memref: &Memref, transpose: Transpose) -> (Extent, Extent) {
    match transpose {
        Transpose::N => (rows(memref), cols(memref)),
        Transpose::T => (cols(memref), rows(memref)),
    }
}

struct Shape<'a>(&'a [Extent]);

impl std::fmt::Display for Shape<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0.is_empty() { f.write_str("scalar") } else { write_list(f, self.0, "x") }
    }
}

/// The type of a factor that is a literal: alpha has that of the product, and beta that of the result.
fn factor_type(
    known: &Known<'_>,
    operand: Value,
    (alpha, inputs): (Value, &[Value]),
    (beta, output): (Value, Value),
) -> Option<Type> {
    if operand == beta {
        return known.element(output);
    }
    let elements: Option<Vec<_>> = inputs.iter().map(|&input| known.element_number(input)).collect();
    let product = elements?.into_iter().map(Some).reduce(|a, b| a?.promote(b?)).flatten();
    product.filter(|_| operand == alpha).map(Type::Scalar)
}

/// Type checks of operations from one tensor to another.
fn two_tensors<'a>(
    check: &Check<'a>,
    alpha: Value,
    a: Value,
    beta: Value,
    b: Value,
) -> Result<(&'a Memref, &'a Memref), VerifierError> {
    let (input, output) = (check.memref(a)?, check.memref(b)?);
    check.promotable(check.number(alpha)?, input.element, &[alpha, a])?;
    check.promotable(input.element, output.element, &[a, b])?;
    check.promotable(check.number(beta)?, output.element, &[beta, b])?;
    Ok((input, output))
}

/// Type checks of operations from two tensors to a third.
fn three_tensors<'a>(
    check: &Check<'a>,
    alpha: Value,
    operands: [Value; 3],
    beta: Value,
) -> Result<[&'a Memref; 3], VerifierError> {
    let [a, b, c] = operands;
    let memrefs @ [left, right, out] = [check.memref(a)?, check.memref(b)?, check.memref(c)?];
    let product = check.promotion((a, left.element), (b, right.element))?;
    check.promotable(check.number(alpha)?, product, &[alpha, a, b])?;
    check.promotable(product, out.element, &operands)?;
    check.promotable(check.number(beta)?, out.element, &[beta, c])?;
    Ok(memrefs)
}
