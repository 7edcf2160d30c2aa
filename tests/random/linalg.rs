//! Linear algebra.

use crate::generate::Generator;
use crate::scope::{Mem, Num, Scope, exact_limit, product_factor};
use tiletc::ir::{
    Atomic, Axpby, Builder, Built, Cumsum, Extent, Gemm, Gemv, Ger, Hadamard, Scalar, Sum, Transpose,
};

/// Shape that an operation needs of an input: static and run-time size of each mode.
type Shape = Vec<(Extent, i64)>;

impl Generator<'_> {
    /// An operation on memory at hand, or on local memory made for it.
    pub fn linear_algebra(&mut self, b: &mut Builder<'_>, scope: &mut Scope) -> Built<()> {
        let fits: Vec<Mem> = scope.mems.iter().rev().filter(|mem| self.may_write(mem)).cloned().collect();
        if fits.is_empty() {
            return Ok(());
        }
        let c = self.choices.of(&fits);
        let modes: Shape = (0..c.shape.len()).map(|mode| c.mode(mode)).collect();
        match modes.as_slice() {
            [] => self.two_tensors(b, scope, &c, modes),
            [_] => match self.choices.below(4) {
                0 => self.gemv(b, scope, &c, &modes),
                1 => self.hadamard(b, scope, &c, &modes),
                _ => self.two_tensors(b, scope, &c, modes),
            },
            [_, _] => match self.choices.below(8) {
                0 | 1 | 6 | 7 => self.gemm(b, scope, &c, &modes),
                2 => self.ger(b, scope, &c, &modes),
                3 => self.hadamard(b, scope, &c, &modes),
                _ => self.two_tensors(b, scope, &c, modes),
            },
            _ => self.two_tensors(b, scope, &c, modes),
        }
    }

    /// The atomic form of an operation needs types with atomics, and β = 0 or 1.
    fn atomic(&mut self, c: &Mem) -> Atomic {
        let atomics = [Scalar::I32, Scalar::F32, Scalar::I64, Scalar::F64, Scalar::C32];
        if atomics.contains(&c.element()) && self.choices.one_in(4) { Atomic::Yes } else { Atomic::No }
    }

    fn transpose(&mut self) -> Transpose {
        self.choices.of(&[Transpose::N, Transpose::T])
    }

    fn beta(&mut self, b: &mut Builder<'_>, scope: &Scope, c: &Mem, atomic: Atomic) -> Built<Num> {
        if atomic == Atomic::Yes || self.choices.one_in(2) {
            // With 0, elements are stored atomically, which Intel's CPU runtime cannot link for doubles.
            let stores = atomic == Atomic::No || c.element() != Scalar::F64;
            let number = if stores { self.choices.of(&[0i64, 1]) } else { 1 };
            let constant = match (c.element().is_complex(), c.element().is_float()) {
                (true, _) => tiletc::ir::Constant::Complex(number as f64, 0.0),
                (_, true) => tiletc::ir::Constant::Float(number as f64),
                _ => tiletc::ir::Constant::Int(number),
            };
            let value = b.constant(constant, c.element())?;
            return Ok(Num { value, scalar: Some(c.element()), bound: number as f64, below: None });
        }
        self.num(b, scope, c.element())
    }

    /// A type whose values may go where those of `to` are computed with.
    fn input_type(&mut self, to: Scalar) -> Scalar {
        let narrower: Vec<Scalar> =
            Scalar::ALL.iter().copied().filter(|&from| from != to && from.promotable_to(to)).collect();
        if narrower.is_empty() || !self.choices.one_in(3) { to } else { self.choices.of(&narrower) }
    }

    /// Memory of a shape that can be read into an operation on `c`, made if it must be.
    fn input(
        &mut self,
        b: &mut Builder<'_>,
        scope: &mut Scope,
        c: &Mem,
        shape: &Shape,
    ) -> Built<Option<Mem>> {
        let fits: Vec<Mem> = scope
            .mems
            .iter()
            .rev()
            .filter(|mem| {
                self.may_read(mem)
                    && mem.root != c.root
                    && mem.element().promotable_to(c.element())
                    && (0..mem.shape.len()).map(|mode| mem.mode(mode)).eq(shape.iter().copied())
            })
            .cloned()
            .collect();
        if !fits.is_empty() && !self.choices.one_in(4) {
            return Ok(Some(self.choices.of(&fits)));
        }
        if shape.iter().any(|(extent, size)| extent.is_dynamic() || *size == 0) {
            return Ok(None);
        }
        let sizes: Vec<i64> = shape.iter().map(|&(_, size)| size).collect();
        let element = self.input_type(c.element());
        let mem = self.local_memory(b, scope, element, &sizes)?;
        scope.mems.extend(mem.clone());
        Ok(mem)
    }

    fn inner_size(&mut self) -> (Extent, i64) {
        let size = self.size();
        (Extent::Static(size), size)
    }

    /// Takes note of C := α·`products` terms of bound `term` + β·C; false if that is not exact.
    fn update(&mut self, c: &Mem, alpha: &Num, beta: &Num, terms: i64, term: f64) -> bool {
        let factor = product_factor(c.element());
        let sum = terms as f64 * term;
        let bound = factor * (alpha.bound * sum + beta.bound * self.bound(c));
        // The sums are formed before α is applied.
        !(self.is_exact() && sum > exact_limit(c.element())) && self.write(c, bound)
    }

    fn two_tensors(&mut self, b: &mut Builder<'_>, scope: &mut Scope, c: &Mem, modes: Shape) -> Built<()> {
        let atomic = self.atomic(c);
        let beta = self.beta(b, scope, c, atomic)?;
        // Beyond two modes there are only running sums.
        let what = if modes.len() > 2 { 2 } else { self.choices.below(3) };
        let transpose = self.transpose();
        let inner = self.inner_size();
        let (shape, terms): (Shape, i64) = match (what, modes.as_slice()) {
            (1, []) => (vec![inner], inner.1),
            (1, &[size]) if transpose == Transpose::N => (vec![size, inner], inner.1),
            (1, &[size]) => (vec![inner, size], inner.1),
            (0, &[rows, cols]) if transpose == Transpose::T => (vec![cols, rows], 1),
            (2, _) => (modes.clone(), modes.iter().map(|mode| mode.1).max().unwrap_or(1)),
            _ => (modes.clone(), 1),
        };
        let Some(a) = self.input(b, scope, c, &shape)? else { return Ok(()) };
        let alpha_type = self.input_type(a.element());
        let alpha = self.num(b, scope, alpha_type)?;
        if !self.update(c, &alpha, &beta, terms, self.bound(&a)) {
            return Ok(());
        }
        let (alpha, beta, from, to) = (alpha.value, beta.value, a.value, c.value);
        match (what, modes.len()) {
            (1, 0 | 1) => b.emit(Sum { atomic, transpose, alpha, a: from, beta, b: to }, &[])?,
            (2, 1..) => {
                let mode = self.choices.below(modes.len()) as i64;
                b.emit(Cumsum { atomic, alpha, a: from, mode, beta, b: to }, &[])?
            }
            // Only where it was reckoned with.
            _ => {
                let transpose = if what == 0 || modes.len() != 2 { transpose } else { Transpose::N };
                b.emit(Axpby { atomic, transpose, alpha, a: from, beta, b: to }, &[])?
            }
        };
        Ok(())
    }

    /// The scalars of an operation with two inputs, if it stays exact.
    pub fn scalars(
        &mut self,
        b: &mut Builder<'_>,
        scope: &Scope,
        [x, y, c]: [&Mem; 3],
        terms: i64,
    ) -> Built<Option<(Atomic, Num, Num)>> {
        let atomic = self.atomic(c);
        let beta = self.beta(b, scope, c, atomic)?;
        let Some(product) = x.element().promote(y.element()) else { return Ok(None) };
        if !product.promotable_to(c.element()) {
            return Ok(None);
        }
        let alpha_type = self.input_type(product);
        let alpha = self.num(b, scope, alpha_type)?;
        let term = product_factor(product) * self.bound(x) * self.bound(y);
        Ok(self.update(c, &alpha, &beta, terms, term).then_some((atomic, alpha, beta)))
    }

    fn gemm(&mut self, b: &mut Builder<'_>, scope: &mut Scope, c: &Mem, modes: &Shape) -> Built<()> {
        let (transpose_a, transpose_b, k) = (self.transpose(), self.transpose(), self.inner_size());
        let ordered = |transpose, x, y| if transpose == Transpose::N { vec![x, y] } else { vec![y, x] };
        let Some(x) = self.input(b, scope, c, &ordered(transpose_a, modes[0], k))? else { return Ok(()) };
        let Some(y) = self.input(b, scope, c, &ordered(transpose_b, k, modes[1]))? else { return Ok(()) };
        if let Some((atomic, alpha, beta)) = self.scalars(b, scope, [&x, &y, c], k.1)? {
            let (alpha, beta) = (alpha.value, beta.value);
            let (a, other, c) = (x.value, y.value, c.value);
            b.emit(
                Gemm { atomic, transpose_a, transpose_b, alpha, a, b: other, beta, c, schedule: None },
                &[],
            )?;
        }
        Ok(())
    }

    fn gemv(&mut self, b: &mut Builder<'_>, scope: &mut Scope, c: &Mem, modes: &Shape) -> Built<()> {
        let (transpose, k) = (self.transpose(), self.inner_size());
        let shape = if transpose == Transpose::N { vec![modes[0], k] } else { vec![k, modes[0]] };
        let Some(x) = self.input(b, scope, c, &shape)? else { return Ok(()) };
        let Some(y) = self.input(b, scope, c, &vec![k])? else { return Ok(()) };
        if let Some((atomic, alpha, beta)) = self.scalars(b, scope, [&x, &y, c], k.1)? {
            let (alpha, beta, a, other, c) = (alpha.value, beta.value, x.value, y.value, c.value);
            b.emit(Gemv { atomic, transpose, alpha, a, b: other, beta, c }, &[])?;
        }
        Ok(())
    }

    fn ger(&mut self, b: &mut Builder<'_>, scope: &mut Scope, c: &Mem, modes: &Shape) -> Built<()> {
        let Some(x) = self.input(b, scope, c, &vec![modes[0]])? else { return Ok(()) };
        let Some(y) = self.input(b, scope, c, &vec![modes[1]])? else { return Ok(()) };
        if let Some((atomic, alpha, beta)) = self.scalars(b, scope, [&x, &y, c], 1)? {
            let (alpha, beta, a, other, c) = (alpha.value, beta.value, x.value, y.value, c.value);
            b.emit(Ger { atomic, alpha, a, b: other, beta, c }, &[])?;
        }
        Ok(())
    }

    fn hadamard(&mut self, b: &mut Builder<'_>, scope: &mut Scope, c: &Mem, modes: &Shape) -> Built<()> {
        let Some(x) = self.input(b, scope, c, modes)? else { return Ok(()) };
        let Some(y) = self.input(b, scope, c, modes)? else { return Ok(()) };
        if let Some((atomic, alpha, beta)) = self.scalars(b, scope, [&x, &y, c], 1)? {
            let (alpha, beta, a, other, c) = (alpha.value, beta.value, x.value, y.value, c.value);
            b.emit(Hadamard { atomic, alpha, a, b: other, beta, c }, &[])?;
        }
        Ok(())
    }
}
