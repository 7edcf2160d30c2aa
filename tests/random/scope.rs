//! Values that a program under construction has to work with.

use tiletc::ir::{Extent, Memref, Scalar, Value};

/// A number or truth value.
#[derive(Clone, Debug)]
pub struct Num {
    pub value: Value,
    /// `None` for bool.
    pub scalar: Option<Scalar>,
    /// No larger in magnitude; infinite if nothing is known. Kept for floats so that all their arithmetic is
    /// exact, whatever the order of operations, and of use for integers that become floats.
    pub bound: f64,
    /// The value is from 0 to below this; for an index.
    pub below: Option<i64>,
}

/// A memref.
#[derive(Clone, Debug)]
pub struct Mem {
    pub value: Value,
    pub ty: Memref,
    /// Its sizes when the program runs.
    pub shape: Vec<i64>,
    /// Number of the memory that it is a view of.
    pub root: usize,
    /// Its strides when the program runs.
    pub stride: Vec<i64>,
}

/// A cooperative matrix.
#[derive(Clone, Debug)]
pub struct Mat {
    pub value: Value,
    pub ty: tiletc::ir::Coopmatrix,
    pub bound: f64,
}

/// Visible values at a point of the program.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub nums: Vec<Num>,
    pub mems: Vec<Mem>,
    pub mats: Vec<Mat>,
    /// Groups of memrefs, whose members are all of one size.
    pub groups: Vec<Value>,
}

/// Memory that no other memory overlaps.
#[derive(Clone, Debug)]
pub struct Root {
    /// No element is larger in magnitude.
    pub bound: f64,
}

/// The largest integer up to which all are numbers of the type; infinite for integers, which wrap.
pub fn exact_limit(scalar: Scalar) -> f64 {
    match scalar {
        Scalar::Bf16 => 256.0,
        Scalar::F16 => 2048.0,
        Scalar::F32 | Scalar::C32 => 16_777_216.0,
        Scalar::F64 | Scalar::C64 => 9_007_199_254_740_992.0,
        _ => f64::INFINITY,
    }
}

/// The largest magnitude of an integer type.
pub fn integer_limit(scalar: Scalar) -> f64 {
    2f64.powi(i32::try_from(8 * scalar.bytes() - 1).unwrap_or(63))
}

/// Bounds a result of a type whose exact value has this bound: integers wrap beyond theirs.
pub fn clip(scalar: Scalar, bound: f64) -> f64 {
    if scalar.is_integer() && bound >= integer_limit(scalar) { integer_limit(scalar) } else { bound }
}

/// The factor by which a product of two values of a type may exceed the product of their bounds.
pub fn product_factor(scalar: Scalar) -> f64 {
    if scalar.is_complex() { 2.0 } else { 1.0 }
}

impl Mem {
    pub fn element(&self) -> Scalar {
        self.ty.element
    }

    /// Static and run-time size of a mode.
    pub fn mode(&self, mode: usize) -> (Extent, i64) {
        (self.ty.shape[mode], self.shape[mode])
    }

    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }
}
