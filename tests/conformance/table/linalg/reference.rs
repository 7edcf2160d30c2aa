//! Reference results of linear algebra, and bounds of their rounding errors.

use tiletc::ir::Scalar;

use super::super::launch::Expected;
use super::super::number::{Array, Number, decode, encode, underflow, unit};
use super::super::tensor::Tensor;
use super::{Row, Types};
use crate::numbers::{Random, gamma};

/// Parts of an update.
pub struct Reference<'a> {
    pub row: &'a Row,
    pub types: &'a Types,
    pub output: &'a Tensor,
    pub alpha: Number,
    /// `None` if the output is not read.
    pub beta: Option<Number>,
    /// The output before.
    pub before: &'a Array,
}

impl Reference<'_> {
    /// Expected content of the output's buffer.
    pub fn expectations(&self, inputs: &[Tensor], arrays: &[Array]) -> Vec<Expected> {
        let (row, sums) = (self.row, self.types.sums());
        let factors: Vec<Factor> = row
            .inputs
            .iter()
            .zip(inputs)
            .zip(arrays)
            .map(|((modes, tensor), array)| Factor::new(modes, tensor, array, sums))
            .collect();
        let length = row
            .inputs
            .iter()
            .zip(inputs)
            .find_map(|(modes, tensor)| modes.find('l').map(|mode| tensor.sizes[mode]));
        let mut after = vec![Expected::Same; self.output.length];
        for mut indices in self.output.indices() {
            // The first element of a running sum takes care of the others.
            if row.running.is_some_and(|mode| indices[mode] > 0) {
                continue;
            }
            let (mut sum, mut magnitude) = (Number::small(sums, 0), 0.0);
            for l in 0..length.unwrap_or(1) {
                let (term, size) = term(&factors, &indices, l);
                (sum, magnitude) = (sum.plus(term), magnitude + size);
                if let Some(mode) = row.running {
                    indices[mode] = l;
                    after[self.output.place(&indices)] = self.element(&indices, sum, magnitude, l + 1);
                }
            }
            if row.running.is_none() {
                let terms = length.unwrap_or(1);
                after[self.output.place(&indices)] = self.element(&indices, sum, magnitude, terms);
            }
        }
        after
    }

    /// An element of the output after a sum of so many terms.
    fn element(&self, indices: &[usize], sum: Number, magnitude: f64, terms: usize) -> Expected {
        let ty = self.types.output;
        let mut expected = sum.promoted(ty).times(self.alpha.promoted(ty));
        let mut magnitude = magnitude * self.alpha.size();
        if let Some(beta) = self.beta {
            let old = self.before.get(self.output.place(indices));
            expected = expected.plus(old.times(beta.promoted(ty)));
            magnitude += old.size() * beta.size();
        }
        let relative = bound(self.types, terms, self.row.inputs.len());
        Expected::Near(expected, relative * magnitude + loss(self.types, terms))
    }
}

/// A term of the sum that belongs to an element of the output, and its magnitude.
fn term(factors: &[Factor], indices: &[usize], l: usize) -> (Number, f64) {
    let mut at = [0, 0, 0, l];
    at[..indices.len()].copy_from_slice(indices);
    let (mut product, mut magnitude) = factors[0].at(at);
    for factor in &factors[1..] {
        let (entry, size) = factor.at(at);
        (product, magnitude) = (product.times(entry), magnitude * size);
    }
    (product, magnitude)
}

/// An input as the reference sees it: numbers in the type of the sums, with their magnitudes, by place.
struct Factor {
    start: usize,
    /// Distances along i, j, k and l.
    strides: [usize; 4],
    entries: Vec<(Number, f64)>,
}

impl Factor {
    fn new(modes: &str, tensor: &Tensor, array: &Array, sums: Scalar) -> Factor {
        let mut strides = [0; 4];
        for (mode, stride) in modes.chars().zip(&tensor.strides) {
            strides["ijkl".find(mode).unwrap_or(3)] += stride;
        }
        let entry = |place| {
            let number = array.get(place).promoted(sums);
            (number, number.size())
        };
        Factor { start: tensor.place(&[]), strides, entries: (0..tensor.length).map(entry).collect() }
    }

    fn at(&self, [i, j, k, l]: [usize; 4]) -> (Number, f64) {
        let [a, b, c, d] = self.strides;
        self.entries[self.start + i * a + j * b + k * c + l * d]
    }
}

/// α or β: a small number, complex where the type is.
pub fn factor(ty: Scalar, value: f64, random: &mut Random) -> Number {
    match ty {
        _ if ty.is_integer() => Number::Int(value as i64),
        _ if ty.is_complex() => Number::complex([value / 4.0, 0.5]),
        _ => decode(ty, &encode(ty, Number::real(value / 4.0 * (1.0 + random.unit() / 8.0)))),
    }
}

/// The error of an element in terms of |α|·Σ Π|inputs| + |β·out|, with |z| = |re| + |im|.
///
/// A sum of n products of m factors is rounded m − 1 times for each product and once for each term added, twice
/// that often for complex numbers, in the type of the sums, whose unit roundoff is v: its relative error is
/// γ(r·(m + n − 1), v) with r = 1 or 2. The cast to the output's type, the product with α, the one with β and the
/// sum of both round in a type no coarser than the output's, whose unit roundoff is u: γ(3·r + 1, u).
pub fn bound(types: &Types, terms: usize, factors: usize) -> f64 {
    let per_product = if types.output.is_complex() { 2 } else { 1 };
    let sums = gamma(per_product * (factors + terms).saturating_sub(1), unit(types.sums()));
    let output = gamma(3 * per_product + 1, unit(types.output));
    sums + output * (1.0 + sums)
}

/// Absolute errors that the same roundings may make near zero: each half the smallest number of its
/// type; factors are below 2.
pub fn loss(types: &Types, terms: usize) -> f64 {
    2.0 * (8.0 * underflow(types.output) + 4.0 * terms as f64 * underflow(types.sums()))
}
