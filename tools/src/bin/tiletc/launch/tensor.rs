//! Numbers in column-major order, as arguments are filled with and results are read from.

use half::{bf16, f16};
use serde_json::json;
use std::fmt;
use tiletc::ir::Scalar;

/// An array of numbers without gaps, the first mode running fastest.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// The type of the numbers.
    pub element: Scalar,
    /// The size of each mode; none for a single number.
    pub shape: Vec<u64>,
    /// The numbers as they lie in memory, [`Scalar::bytes`] each.
    pub bytes: Vec<u8>,
}

/// One number of a [`Tensor`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    element: Scalar,
    value: Value,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    Integer(i64),
    Real(f64),
    Complex(f64, f64),
}

impl Tensor {
    /// Number of numbers.
    pub fn len(&self) -> u64 {
        self.shape.iter().product()
    }

    /// The numbers in order.
    pub fn numbers(&self) -> impl Iterator<Item = Number> {
        let chunks = self.bytes.chunks_exact(size(self.element));
        chunks.filter_map(|bytes| Number::read(self.element, bytes))
    }

    /// A tensor whose numbers are given by their place.
    pub fn from_fn(element: Scalar, shape: Vec<u64>, mut number: impl FnMut(u64) -> Number) -> Tensor {
        let mut tensor = Tensor { element, shape, bytes: Vec::new() };
        for place in 0..tensor.len() {
            number(place).write(&mut tensor.bytes);
        }
        tensor
    }
}

impl Number {
    /// An integer as a number of the type: wrapped if that is an integer type, else rounded.
    pub fn integer(element: Scalar, value: i64) -> Number {
        if element.is_integer() {
            Number { element, value: Value::Integer(element.wrap(value)) }
        } else {
            // Rounding is what a floating type means.
            #[allow(clippy::cast_precision_loss)]
            Number::real(element, value as f64)
        }
    }

    /// A real number, rounded to the type, which is no integer type.
    pub fn real(element: Scalar, value: f64) -> Number {
        Number::complex(element, value, 0.0)
    }

    /// A complex number, rounded to the type; the imaginary part is ignored if that is real.
    pub fn complex(element: Scalar, re: f64, im: f64) -> Number {
        let [re, im] = [re, im].map(|part| element.component().round(part));
        let value = if element.is_complex() { Value::Complex(re, im) } else { Value::Real(re) };
        Number { element, value }
    }

    /// The number that lies in memory so; none where the bytes are not as many as the type takes.
    pub fn read(element: Scalar, bytes: &[u8]) -> Option<Number> {
        let value = match element {
            Scalar::I4 | Scalar::I8 => Value::Integer(i8::from_ne_bytes(bytes.try_into().ok()?).into()),
            Scalar::I16 => Value::Integer(i16::from_ne_bytes(bytes.try_into().ok()?).into()),
            Scalar::I32 => Value::Integer(i32::from_ne_bytes(bytes.try_into().ok()?).into()),
            Scalar::I64 | Scalar::Index => Value::Integer(i64::from_ne_bytes(bytes.try_into().ok()?)),
            Scalar::F8e4m3 | Scalar::F8e5m2 => {
                Value::Real(element.float_value(u8::from_ne_bytes(bytes.try_into().ok()?).into())?)
            }
            Scalar::Bf16 => Value::Real(bf16::from_ne_bytes(bytes.try_into().ok()?).into()),
            Scalar::F16 => Value::Real(f16::from_ne_bytes(bytes.try_into().ok()?).into()),
            Scalar::F32 => Value::Real(f32::from_ne_bytes(bytes.try_into().ok()?).into()),
            Scalar::F64 => Value::Real(f64::from_ne_bytes(bytes.try_into().ok()?)),
            Scalar::C32 | Scalar::C64 => {
                let (re, im) = bytes.split_at_checked(bytes.len() / 2)?;
                let part = |bytes| Number::read(element.component(), bytes).map(|number| number.real_part());
                Value::Complex(part(re)?, part(im)?)
            }
        };
        Some(Number { element, value })
    }

    /// False for an integer that a byte holds, but not the type.
    pub fn fits(self) -> bool {
        match self.value {
            Value::Integer(value) => self.element.wrap(value) == value,
            Value::Real(_) | Value::Complex(..) => true,
        }
    }

    /// Appends the number as it lies in memory; one that shares its byte there gets one of its own.
    pub fn write(self, bytes: &mut Vec<u8>) {
        match self.value {
            Value::Integer(value) => {
                // Wrapped to the type when the number was made; its low bytes are the number.
                bytes.extend(value.to_le_bytes().into_iter().take(size(self.element)));
            }
            Value::Real(value) => write_real(self.element, value, bytes),
            Value::Complex(re, im) => {
                write_real(self.element.component(), re, bytes);
                write_real(self.element.component(), im, bytes);
            }
        }
    }

    /// The value of a real number, the modulus of a complex one: what least and greatest go by.
    pub fn magnitude(self) -> f64 {
        match self.value {
            Value::Complex(re, im) => re.hypot(im),
            _ => self.real_part(),
        }
    }

    /// Real and imaginary part.
    pub fn parts(self) -> (f64, f64) {
        match self.value {
            Value::Complex(re, im) => (re, im),
            _ => (self.real_part(), 0.0),
        }
    }

    fn real_part(self) -> f64 {
        match self.value {
            // Only for statistics.
            #[allow(clippy::cast_precision_loss)]
            Value::Integer(value) => value as f64,
            Value::Real(value) | Value::Complex(value, _) => value,
        }
    }

    /// The number for programs, a complex one as its parts. What JSON has no number for is a string.
    pub fn json(self) -> serde_json::Value {
        let real = |text: String| match text.parse::<serde_json::Number>() {
            Ok(number) => json!(number),
            Err(_) => json!(text),
        };
        match self.value {
            Value::Integer(value) => json!(value),
            Value::Real(value) => real(self.shown(value)),
            Value::Complex(re, im) => json!([re, im].map(|part| real(self.shown(part)))),
        }
    }

    /// A part of it as the shortest text that reads back as the part.
    fn shown(self, part: f64) -> String {
        // The number is one of the narrower type.
        #[allow(clippy::cast_possible_truncation)]
        if self.element.component() == Scalar::F64 {
            format!("{part:?}")
        } else {
            format!("{:?}", part as f32)
        }
    }

    /// Returns whether a part of it is not a number.
    pub fn is_nan(self) -> bool {
        let (re, im) = self.parts();
        re.is_nan() || im.is_nan()
    }
}

impl fmt::Display for Number {
    /// The shortest text that reads back as the number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            Value::Integer(value) => f.pad(&value.to_string()),
            Value::Real(value) => f.pad(&self.shown(value)),
            Value::Complex(re, im) => {
                let sign = if im.is_sign_negative() { "" } else { "+" };
                f.pad(&format!("{}{sign}{}i", self.shown(re), self.shown(im)))
            }
        }
    }
}

/// Bytes of a number of a tensor, where each has its own.
pub fn size(element: Scalar) -> usize {
    usize::try_from(element.bytes()).unwrap_or(1)
}

/// A size as the summary and messages show it.
pub fn shown(shape: &[u64]) -> String {
    let sizes: Vec<String> = shape.iter().map(u64::to_string).collect();
    sizes.join("x")
}

fn write_real(element: Scalar, value: f64, bytes: &mut Vec<u8>) {
    let bits = element.float_bits(value).unwrap_or(value.to_bits());
    bytes.extend(bits.to_le_bytes().into_iter().take(size(element)));
}
