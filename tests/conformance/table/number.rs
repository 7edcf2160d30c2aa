//! Numbers of any type of the language, known exactly or as good as, and arrays of them in memory.

use half::{bf16, f16};
use tiletc::ir::Scalar;

use crate::narrow;
use crate::numbers::{DoubleDouble, Exact, Random};

/// A number: an integer modulo 2⁶⁴, of which narrower types keep the low bits, or the real and the
/// imaginary part of a floating or complex one, each with about 106 bits.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    Int(i64),
    Float([DoubleDouble; 2]),
}

impl Number {
    pub fn real(value: f64) -> Number {
        Number::complex([value, 0.0])
    }

    pub fn complex(parts: [f64; 2]) -> Number {
        Number::Float(parts.map(DoubleDouble::from))
    }

    /// A small number in the type.
    pub fn small(ty: Scalar, value: i64) -> Number {
        if ty.is_integer() { Number::Int(value) } else { Number::real(value as f64) }
    }

    /// The number as one of a type to which its own is promotable; nothing is rounded.
    pub fn promoted(self, ty: Scalar) -> Number {
        match self {
            Number::Int(value) if !ty.is_integer() => Number::real(value as f64),
            other => other,
        }
    }

    pub fn plus(self, other: Number) -> Number {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => Number::Int(a.wrapping_add(b)),
            (a, b) => {
                let (a, b) = (a.parts(), b.parts());
                Number::Float([a[0].plus(b[0]), a[1].plus(b[1])])
            }
        }
    }

    pub fn times(self, other: Number) -> Number {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => Number::Int(a.wrapping_mul(b)),
            (a, b) => {
                let ([a, b], [c, d]) = (a.parts(), b.parts());
                // Most numbers are real, and debug builds slow.
                if b.is_zero() && d.is_zero() {
                    return Number::Float([a.times(c), DoubleDouble::from(0.0)]);
                }
                Number::Float([a.times(c).plus(b.times(d).negative()), a.times(d).plus(b.times(c))])
            }
        }
    }

    pub fn negative(self) -> Number {
        match self {
            Number::Int(a) => Number::Int(a.wrapping_neg()),
            Number::Float(parts) => Number::Float(parts.map(DoubleDouble::negative)),
        }
    }

    fn parts(self) -> [DoubleDouble; 2] {
        match self {
            Number::Int(a) => [DoubleDouble::from(a as f64), DoubleDouble::from(0.0)],
            Number::Float(parts) => parts,
        }
    }

    /// Real and imaginary part, rounded to double precision.
    pub fn to_f64(self) -> [f64; 2] {
        self.parts().map(DoubleDouble::rounded)
    }

    /// |re| + |im|, which is submultiplicative and bounds both parts.
    pub fn size(self) -> f64 {
        let [re, im] = self.to_f64();
        re.abs() + im.abs()
    }

    pub fn to_i64(self) -> i64 {
        match self {
            Number::Int(a) => a,
            Number::Float(parts) => parts[0].rounded() as i64,
        }
    }

    /// The larger of the distances of the parts.
    pub fn distance(self, other: Number) -> f64 {
        let (a, b) = (self.parts(), other.parts());
        // NaN shall not get lost.
        let [re, im] = [0, 1].map(|part| a[part].plus(b[part].negative()).rounded().abs());
        if re.is_nan() || im.is_nan() { f64::NAN } else { re.max(im) }
    }

    /// A literal of the language.
    pub fn literal(self, ty: Scalar) -> String {
        let float = |value: f64| match value {
            _ if value.is_nan() => "nan".to_owned(),
            _ if value.is_infinite() => if value > 0.0 { "inf" } else { "-inf" }.to_owned(),
            _ => format!("{value:?}"),
        };
        match self {
            _ if ty.is_integer() => self.to_i64().to_string(),
            _ => {
                let [re, im] = self.to_f64();
                if ty.is_complex() { format!("[{},{}]", float(re), float(im)) } else { float(re) }
            }
        }
    }
}

/// The unit roundoff of a type's parts; 0 for integers, which are exact.
pub fn unit(ty: Scalar) -> f64 {
    match ty.component() {
        Scalar::F8e4m3 => 1.0 / 16.0,
        Scalar::F8e5m2 => 1.0 / 8.0,
        Scalar::Bf16 => 1.0 / 256.0,
        Scalar::F16 => 1.0 / 2048.0,
        Scalar::F32 => f64::from(f32::EPSILON) / 2.0,
        Scalar::F64 => f64::EPSILON / 2.0,
        _ => 0.0,
    }
}

/// Error of rounding a result that remains however small it is: half the smallest number there is.
pub fn underflow(ty: Scalar) -> f64 {
    smallest(ty) * unit(ty)
}

/// The smallest normal number: what a result may lose below it, where a device flushes to zero.
pub fn smallest(ty: Scalar) -> f64 {
    match ty.component() {
        Scalar::F16 => 2f64.powi(-14),
        Scalar::Bf16 | Scalar::F32 => f64::from(f32::MIN_POSITIVE),
        Scalar::F64 => f64::MIN_POSITIVE,
        _ => 0.0,
    }
}

/// Numbers of one type as bytes.
#[derive(Clone, Debug)]
pub struct Array {
    pub ty: Scalar,
    pub bytes: Vec<u8>,
}

impl Array {
    /// So many zeros.
    pub fn new(ty: Scalar, length: usize) -> Array {
        Array { ty, bytes: vec![0; length * width(ty)] }
    }

    pub fn of(ty: Scalar, numbers: impl IntoIterator<Item = Number>) -> Array {
        let bytes = numbers.into_iter().flat_map(|number| encode(ty, number)).collect();
        Array { ty, bytes }
    }

    pub fn len(&self) -> usize {
        self.bytes.len() / width(self.ty)
    }

    pub fn get(&self, index: usize) -> Number {
        decode(self.ty, self.raw(index))
    }

    pub fn set(&mut self, index: usize, number: Number) {
        let width = width(self.ty);
        self.bytes[index * width..(index + 1) * width].copy_from_slice(&encode(self.ty, number));
    }

    /// The bytes of a number.
    pub fn raw(&self, index: usize) -> &[u8] {
        let width = width(self.ty);
        &self.bytes[index * width..(index + 1) * width]
    }
}

/// Bytes of a number.
pub fn width(ty: Scalar) -> usize {
    ty.bytes() as usize
}

/// The bytes of the number of the type that is nearest.
pub fn encode(ty: Scalar, number: Number) -> Vec<u8> {
    let [re, im] = if ty.is_integer() { [0.0; 2] } else { number.to_f64() };
    match ty {
        _ if ty.is_integer() => number.to_i64().to_le_bytes()[..width(ty)].to_vec(),
        Scalar::F8e4m3 => vec![narrow::E4M3.bits(re)],
        Scalar::F8e5m2 => vec![narrow::E5M2.bits(re)],
        Scalar::Bf16 => narrow::brain(re).to_le_bytes().to_vec(),
        Scalar::F16 => narrow::half(re).to_le_bytes().to_vec(),
        Scalar::F32 => (re as f32).to_le_bytes().to_vec(),
        Scalar::F64 => re.to_le_bytes().to_vec(),
        Scalar::C32 => [re, im].iter().flat_map(|part| (*part as f32).to_le_bytes()).collect(),
        _ => [re, im].iter().flat_map(|part| part.to_le_bytes()).collect(),
    }
}

pub fn decode(ty: Scalar, bytes: &[u8]) -> Number {
    let wide = |bytes: &[u8]| {
        let mut word = [0u8; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        word
    };
    match ty {
        _ if ty.is_integer() => Number::Int(ty.wrap(i64::from_le_bytes(wide(bytes)))),
        Scalar::F8e4m3 => Number::real(narrow::E4M3.value(bytes[0])),
        Scalar::F8e5m2 => Number::real(narrow::E5M2.value(bytes[0])),
        Scalar::Bf16 => Number::real(bf16::from_le_bytes([bytes[0], bytes[1]]).to_f64()),
        Scalar::F16 => Number::real(f16::from_le_bytes([bytes[0], bytes[1]]).to_f64()),
        Scalar::F32 => Number::real(f32::from_bits(u64::from_le_bytes(wide(bytes)) as u32).into()),
        Scalar::F64 => Number::real(f64::from_le_bytes(wide(bytes))),
        Scalar::C32 | Scalar::C64 => {
            let (re, im) = bytes.split_at(bytes.len() / 2);
            let part = |bytes| decode(ty.component(), bytes).to_f64()[0];
            Number::complex([part(re), part(im)])
        }
        _ => Number::Int(0),
    }
}

/// A number of the type: any integer, or parts in [−1, 1) that use all of the type's digits.
pub fn sample(ty: Scalar, random: &mut Random) -> Number {
    if ty.is_integer() {
        return Number::Int(ty.wrap(random.next() as i64));
    }
    let exact = Number::complex([random.unit(), if ty.is_complex() { random.unit() } else { 0.0 }]);
    decode(ty, &encode(ty, exact))
}

/// A number that fits `ty` and of which sums of some hundred products stay within the range of `sums`.
pub fn moderate(ty: Scalar, sums: Scalar, random: &mut Random) -> Number {
    if ty.is_integer() && !sums.is_integer() {
        return Number::Int(random.below(15) as i64 - 7);
    }
    sample(ty, random)
}
