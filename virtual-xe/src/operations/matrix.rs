//! Products of matrices that the lanes of a subgroup hold together.

use super::convert::round_to_tf32;
use super::narrow::Narrow as _;
use crate::Defect;
use crate::layout::Scalar;
use crate::rows::Rows;
use half::{bf16, f16};

/// Meaning of the bits of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    /// An integer of so many bits.
    Int {
        bits: u32,
        signed: bool,
    },
    F16,
    Bf16,
    /// A number of single precision of which ten bits of fraction count.
    Tf32,
    F32,
    F64,
}

impl Element {
    /// The element that a scalar is.
    pub fn of(scalar: Scalar, signed: bool) -> Element {
        match scalar {
            Scalar::F16 => Element::F16,
            Scalar::Bf16 => Element::Bf16,
            Scalar::F32 => Element::F32,
            Scalar::F64 => Element::F64,
            _ => Element::Int { bits: scalar.bits(), signed },
        }
    }

    pub fn bits(self) -> u32 {
        match self {
            Element::Int { bits, .. } => bits,
            Element::F16 | Element::Bf16 => 16,
            Element::Tf32 | Element::F32 => 32,
            Element::F64 => 64,
        }
    }

    /// The same element, without a sign if it is an integer.
    fn unsigned(self) -> Element {
        match self {
            Element::Int { bits, .. } => Element::Int { bits, signed: false },
            element => element,
        }
    }

    pub fn is_float(self) -> bool {
        !matches!(self, Element::Int { .. })
    }

    /// That of an integer; those of 64 bits count as signed.
    fn integer(self, bits: u64) -> i64 {
        let unused = 64 - self.bits();
        match self {
            Element::Int { signed: true, .. } => (bits << unused) as i64 >> unused,
            _ => (bits << unused >> unused) as i64,
        }
    }

    fn number(self, bits: u64) -> f64 {
        match self {
            Element::Int { .. } => self.integer(bits) as f64,
            Element::F16 => f16::from_bits(bits as u16).into(),
            Element::Bf16 => bf16::from_bits(bits as u16).into(),
            // The extensions do not say what becomes of the lower bits; dropping them is the worst of it.
            Element::Tf32 => f32::from_bits(bits as u32 & !0x1fff).into(),
            Element::F32 => f32::from_bits(bits as u32).into(),
            Element::F64 => f64::from_bits(bits),
        }
    }

    /// The bits of the nearest number, or of an integer modulo its range.
    fn encode(self, value: f64) -> u64 {
        match self {
            Element::Int { .. } => value as i64 as u64,
            Element::F16 => f16::from_double(value).to_bits().into(),
            Element::Bf16 => bf16::from_double(value).to_bits().into(),
            Element::Tf32 => round_to_tf32(value as f32).to_bits().into(),
            Element::F32 => (value as f32).to_bits().into(),
            Element::F64 => value.to_bits(),
        }
    }

    /// An integer that fits, or the nearest that does.
    fn saturate(self, value: i128) -> u64 {
        let bits = self.bits();
        let (least, most) = match self {
            Element::Int { signed: true, .. } => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
            _ => (0, (1i128 << bits) - 1),
        };
        value.clamp(least, most) as u64
    }
}

/// Rows of A and D, columns of B and D, and columns of A.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub m: usize,
    pub n: usize,
    pub k: usize,
}

impl Shape {
    /// Products of two numbers.
    pub fn products(self) -> u64 {
        [self.m, self.n, self.k].into_iter().fold(1, |product: u64, size| product.saturating_mul(size as u64))
    }
}

/// D = A·B + C. Sums run in the order of k. Those of double precision stay in it, all others of floating-point
/// numbers are formed in single precision and rounded to D at the end: the order and precision of sums are the
/// implementation's.
fn product(shape: Shape, [a, b, c, d]: [(&[u64], Element); 4], saturates: bool) -> Vec<u64> {
    let (of_d, (a, of_a), (b, of_b), (c, of_c)) = (d.1, a, b, c);
    if !of_a.is_float() {
        let integers =
            |bits: &[u64], of: Element| -> Vec<i64> { bits.iter().map(|&bits| of.integer(bits)).collect() };
        let (a, b, c) = (integers(a, of_a), integers(b, of_b), integers(c, of_c));
        if saturates {
            let exact = |numbers: Vec<i64>| -> Vec<i128> { numbers.into_iter().map(i128::from).collect() };
            let sums = accumulate(shape, &exact(a), &exact(b), exact(c), |sum: i128, a, b| sum + a * b);
            return sums.into_iter().map(|sum| of_d.saturate(sum)).collect();
        }
        let sums = accumulate(shape, &a, &b, c, |sum: i64, a, b| sum.wrapping_add(i64::wrapping_mul(a, b)));
        return sums.into_iter().map(|sum| sum as u64).collect();
    }
    let numbers =
        |bits: &[u64], of: Element| -> Vec<f64> { bits.iter().map(|&bits| of.number(bits)).collect() };
    let (a, b, c) = (numbers(a, of_a), numbers(b, of_b), numbers(c, of_c));
    if [of_a, of_b, of_c, of_d].contains(&Element::F64) {
        let sums = accumulate(shape, &a, &b, c, |sum: f64, a, b| sum + a * b);
        return sums.into_iter().map(|sum| of_d.encode(sum)).collect();
    }
    let narrow =
        |numbers: Vec<f64>| -> Vec<f32> { numbers.into_iter().map(|number| number as f32).collect() };
    let sums = accumulate(shape, &narrow(a), &narrow(b), narrow(c), |sum: f32, a, b| sum + a * b);
    sums.into_iter().map(|sum| of_d.encode(sum.into())).collect()
}

/// Adds the products of the rows of A and the columns of B, both row by row.
fn accumulate<T: Copy>(
    shape: Shape,
    a: &[T],
    b: &[T],
    mut sums: Vec<T>,
    add: impl Fn(T, T, T) -> T,
) -> Vec<T> {
    for (sums, a) in sums.chunks_mut(shape.n).zip(a.chunks(shape.k)) {
        for (&a, b) in a.iter().zip(b.chunks(shape.n)) {
            for (sum, &b) in sums.iter_mut().zip(b) {
                *sum = add(*sum, a, b);
            }
        }
    }
    sums
}

/// The registers of an operand: rows, and bytes of their numbers.
#[derive(Clone, Debug)]
pub(crate) struct Operand {
    pub rows: Vec<u32>,
    pub bytes: u32,
    pub element: Element,
}

impl Operand {
    /// The bits of an element: the register, the lane, and which of the elements that the lane's number holds.
    fn bits<const S: usize>(&self, rows: &Rows<S>, register: usize, lane: usize, part: usize) -> u64 {
        let row = self.rows.get(register).copied().unwrap_or(0);
        rows.bits(row, self.bytes, lane) >> (part as u32 * self.element.bits())
    }
}

/// OpSubgroupMatrixMultiplyAccumulateINTEL.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    pub a: Operand,
    pub b: Operand,
    pub c: Operand,
    pub d: Operand,
    /// Columns of A.
    pub k: usize,
}

impl Engine {
    /// Each lane holds a column of B, C and D; the columns of A are distributed over the lanes.
    pub fn run<const S: usize>(&self, rows: &mut Rows<S>, defect: Option<Defect>) {
        let shape = Shape { m: self.d.rows.len(), n: S, k: self.k };
        let a = each(shape.m, shape.k, |m, k| {
            let m = match defect {
                Some(Defect::EngineRowsExchanged) if shape.m > 1 => m ^ 1,
                Some(Defect::EngineRepeatsFour) => m % 4,
                _ => m,
            };
            if shape.k < S {
                // Lanes hold several rows.
                let together = S / shape.k;
                return self.a.bits(rows, m / together, m % together * shape.k + k, 0);
            }
            let together = shape.k / S;
            self.a.bits(rows, m, k / together, k % together)
        });
        let together = (self.b.bytes * 8 / self.b.element.bits()) as usize;
        let b = each(shape.k, S, |k, n| self.b.bits(rows, k / together, n, k % together));
        let c = each(shape.m, S, |m, n| self.c.bits(rows, m, n, 0));
        let (mut of_a, mut of_b) = (self.a.element, self.b.element);
        if defect == Some(Defect::EngineBytesUnsigned) {
            (of_a, of_b) = (of_a.unsigned(), of_b.unsigned());
        }
        let operands = [(&*a, of_a), (&*b, of_b), (&*c, self.c.element), (&[][..], self.d.element)];
        let mut d = product(shape, operands, false);
        if defect == Some(Defect::EngineSumsNarrow) && self.d.element == Element::F32 && of_a.bits() == 16 {
            d.iter_mut().for_each(|bits| {
                *bits = Element::F32.encode(of_a.number(of_a.encode(Element::F32.number(*bits))))
            });
        }
        for (&row, numbers) in self.d.rows.iter().zip(d.chunks(S)) {
            for (lane, &bits) in numbers.iter().enumerate() {
                rows.set_bits(row, self.d.bytes, lane, bits);
            }
        }
    }
}

/// OpCooperativeMatrixMulAddKHR.
#[derive(Clone, Debug)]
pub(crate) struct Multiply {
    pub a: Operand,
    pub b: Operand,
    pub c: Operand,
    pub d: Operand,
    pub shape: Shape,
    pub saturates: bool,
}

impl Multiply {
    /// The numbers of all matrices are distributed row by row, lane after lane.
    pub fn run<const S: usize>(&self, rows: &mut Rows<S>) {
        let Shape { m, n, k } = self.shape;
        let gather = |operand: &Operand, height, width| {
            each(height, width, |row, column| {
                let number = row * width + column;
                operand.bits(rows, number / S, number % S, 0)
            })
        };
        let (a, b, c) = (gather(&self.a, m, k), gather(&self.b, k, n), gather(&self.c, m, n));
        let operands =
            [(&*a, self.a.element), (&*b, self.b.element), (&*c, self.c.element), (&[][..], self.d.element)];
        let d = product(self.shape, operands, self.saturates);
        for (&row, numbers) in self.d.rows.iter().zip(d.chunks(S)) {
            for (lane, &bits) in numbers.iter().enumerate() {
                rows.set_bits(row, self.d.bytes, lane, bits);
            }
        }
    }
}

/// A matrix, row by row.
fn each(height: usize, width: usize, f: impl Fn(usize, usize) -> u64) -> Vec<u64> {
    let f = &f;
    (0..height).flat_map(|row| (0..width).map(move |column| f(row, column))).collect()
}
