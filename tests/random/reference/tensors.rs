//! Memory, its views, and linear algebra on them.

use super::number::Number;
use super::sum::Sum;
use super::{Reference, Run};
use tiletc::ir::{BinaryOp, Scalar, Transpose};

/// A part of some memory.
#[derive(Clone, Debug)]
pub struct View {
    pub memory: usize,
    pub element: Scalar,
    pub offset: i64,
    pub shape: Vec<i64>,
    pub stride: Vec<i64>,
}

impl View {
    fn place(&self, indices: &[i64]) -> Run<usize> {
        let is_inside = indices.len() == self.shape.len()
            && indices.iter().zip(&self.shape).all(|(index, size)| (0..*size).contains(index));
        let steps = indices.iter().zip(&self.stride).map(|(index, stride)| index * stride);
        let place = usize::try_from(self.offset + steps.sum::<i64>());
        place.ok().filter(|_| is_inside).ok_or("an access out of bounds")
    }

    /// All indices, those of the first mode fastest.
    pub fn indices(&self) -> impl Iterator<Item = Vec<i64>> + use<> {
        every(&vec![0; self.shape.len()], &self.shape, &vec![1; self.shape.len()])
    }
}

/// Every multi-index from `from` to below `to` in steps, that of the first mode fastest.
pub fn every(from: &[i64], to: &[i64], step: &[i64]) -> impl Iterator<Item = Vec<i64>> + use<> {
    let ranges: Vec<Vec<i64>> = (0..from.len())
        .map(|mode| {
            let step = usize::try_from(step[mode]).unwrap_or(1).max(1);
            (from[mode]..to[mode]).step_by(step).collect()
        })
        .collect();
    let count: usize = ranges.iter().map(Vec::len).product();
    (0..count).map(move |mut number| {
        let digit = |range: &Vec<i64>| {
            let digit = range[number % range.len()];
            number /= range.len();
            digit
        };
        ranges.iter().map(digit).collect()
    })
}

/// Update of the output of an operation: C := α·… + β·C
pub struct Update {
    pub alpha: Number,
    pub beta: Number,
    pub output: View,
}

/// The indices of an element of op(A).
fn oriented(transpose: Transpose, row: i64, col: i64) -> [i64; 2] {
    if transpose == Transpose::N { [row, col] } else { [col, row] }
}

/// The type in which sums of products are formed (lowering reference 1.11).
fn sum_type(input: Scalar, output: Scalar) -> Scalar {
    input.accumulator().promote(output.accumulator()).unwrap_or(output.accumulator())
}

impl Reference<'_> {
    pub fn get(&mut self, view: &View, indices: &[i64]) -> Run<Number> {
        let place = view.place(indices)?;
        self.memories[view.memory].get(place).copied().ok_or("an access out of memory")
    }

    pub fn set(&mut self, view: &View, indices: &[i64], number: Number) -> Run<()> {
        let place = view.place(indices)?;
        *self.memories[view.memory].get_mut(place).ok_or("an access out of memory")? = number;
        Ok(())
    }

    /// α·`input` + β·C in C's type.
    fn put(&mut self, update: &Update, indices: &[i64], input: Number) -> Run<()> {
        let ty = update.output.element;
        let old = self.get(&update.output, indices)?;
        let binary = |op, a: Number, b: Number| a.binary(op, b, Some(ty));
        let new = binary(BinaryOp::Mul, update.alpha.cast(ty), input.cast(ty));
        let kept = binary(BinaryOp::Mul, update.beta.cast(ty), old);
        self.set(&update.output, indices, binary(BinaryOp::Add, new, kept))
    }

    /// A sum of products of elements of A and, if there is one, B.
    fn sum(
        &mut self,
        ty: Scalar,
        a: &View,
        b: Option<&View>,
        terms: impl Iterator<Item = (Vec<i64>, Vec<i64>)>,
    ) -> Run<Number> {
        let one = Number::Int(1).cast(ty);
        let mut sum = Sum::new(ty);
        for (at_a, at_b) in terms {
            self.step()?;
            let x = self.get(a, &at_a)?;
            let y = b.map_or(Ok(one), |b| self.get(b, &at_b))?;
            sum.add(x, y);
        }
        Ok(sum.value())
    }

    pub fn axpby(&mut self, update: &Update, transpose: Transpose, a: &View) -> Run<()> {
        for indices in update.output.indices() {
            self.step()?;
            let from = match *indices.as_slice() {
                [row, col] => oriented(transpose, row, col).to_vec(),
                _ => indices.clone(),
            };
            let input = self.get(a, &from)?;
            self.put(update, &indices, input)?;
        }
        Ok(())
    }

    pub fn cumsum(&mut self, update: &Update, a: &View, mode: i64) -> Run<()> {
        let mode = usize::try_from(mode).map_err(|_| "a mode that is not there")?;
        let ty = sum_type(a.element, update.output.element);
        for indices in update.output.indices() {
            let terms = (0..=indices[mode]).map(|place| {
                let mut at = indices.clone();
                at[mode] = place;
                (at, Vec::new())
            });
            let input = self.sum(ty, a, None, terms)?;
            self.put(update, &indices, input)?;
        }
        Ok(())
    }

    pub fn row_sums(&mut self, update: &Update, transpose: Transpose, a: &View) -> Run<()> {
        let ty = sum_type(a.element, update.output.element);
        for indices in update.output.indices() {
            let terms: Vec<Vec<i64>> = match *indices.as_slice() {
                [row] => {
                    let count = if transpose == Transpose::N { a.shape[1] } else { a.shape[0] };
                    (0..count).map(|col| oriented(transpose, row, col).to_vec()).collect()
                }
                _ => a.indices().collect(),
            };
            let input = self.sum(ty, a, None, terms.into_iter().map(|at| (at, Vec::new())))?;
            self.put(update, &indices, input)?;
        }
        Ok(())
    }

    /// gemm, and gemv, whose second input has one mode.
    pub fn product(
        &mut self,
        update: &Update,
        (transpose_a, a): (Transpose, &View),
        (transpose_b, b): (Transpose, &View),
    ) -> Run<()> {
        let input = a.element.promote(b.element).unwrap_or(update.output.element);
        let ty = sum_type(input, update.output.element);
        let inner = if transpose_a == Transpose::N { a.shape[1] } else { a.shape[0] };
        for indices in update.output.indices() {
            let terms = (0..inner).map(|k| {
                let at_a = oriented(transpose_a, indices[0], k).to_vec();
                let at_b = indices.get(1).map_or(vec![k], |&col| oriented(transpose_b, k, col).to_vec());
                (at_a, at_b)
            });
            let input = self.sum(ty, a, Some(b), terms)?;
            self.put(update, &indices, input)?;
        }
        Ok(())
    }

    /// ger and hadamard: one product for each element, of those at the indices that are made of its own.
    pub fn products(
        &mut self,
        update: &Update,
        a: &View,
        b: &View,
        at: impl Fn(&[i64]) -> (Vec<i64>, Vec<i64>),
    ) -> Run<()> {
        for indices in update.output.indices() {
            let input = self.sum(update.output.element, a, Some(b), std::iter::once(at(&indices)))?;
            self.put(update, &indices, input)?;
        }
        Ok(())
    }
}
