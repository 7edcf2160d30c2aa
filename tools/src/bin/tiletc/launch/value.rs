//! Values of arguments on the command line.

use super::tensor::{Number, Tensor};
use num_complex::Complex64;
use std::path::PathBuf;
use std::str::FromStr;
use tiletc::ir::Scalar;

/// An argument as it was given: `[NAME=]VALUE`.
#[derive(Clone, Debug)]
pub struct Given {
    /// The parameter, without `%`.
    pub name: Option<String>,
    /// Value.
    pub value: String,
}

impl FromStr for Given {
    type Err = String;

    fn from_str(text: &str) -> Result<Given, String> {
        // What may stand before a `=` in a value, as in `zeros:4,offset=2`, is in no name.
        let split = text.split_once('=').filter(|(name, _)| !name.contains([':', ',', '(', '/']));
        let (name, value) = split.map_or((None, text), |(name, value)| (Some(name), value));
        let name = name.map(|name| name.strip_prefix('%').unwrap_or(name).to_owned());
        if name.as_ref().is_some_and(String::is_empty) || value.is_empty() {
            return Err("an argument is NAME=VALUE, or only VALUE for the next parameter".to_owned());
        }
        Ok(Given { name, value: value.to_owned() })
    }
}

/// Source of the numbers in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// The numbers.
    pub content: Content,
    /// The elements by which every pointer of a group is moved, if it was given.
    pub offset: Option<u64>,
}

/// The numbers in memory.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Made up, in the shape that was given.
    Fill(Fill, Option<Vec<u64>>),
    /// An array in a file of NumPy's.
    File(PathBuf),
}

/// Made-up numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Zeros.
    Zeros,
    /// 0, 1, 2, … in column-major order.
    Iota,
    /// Pseudo-random numbers of a seed.
    Random(u64),
}

/// The text that `--help` and messages give for a value of memory.
pub const FORMS: &str =
    "zeros, iota, random or random(SEED), with :SHAPE if the type leaves sizes open, or FILE.npy";

impl FromStr for Memory {
    type Err = String;

    fn from_str(text: &str) -> Result<Memory, String> {
        let (content, offset) = match text.rsplit_once(",offset=") {
            Some((content, offset)) => {
                let number = offset.parse().map_err(|_| format!("`{offset}` is no offset in elements"))?;
                (content, Some(number))
            }
            None => (text, None),
        };
        if content.ends_with(".npy") {
            return Ok(Memory { content: Content::File(PathBuf::from(content)), offset });
        }
        let (fill, shape) = match content.split_once(':') {
            Some((fill, sizes)) => (fill, Some(shape(sizes)?)),
            None => (content, None),
        };
        Ok(Memory { content: Content::Fill(fill.parse()?, shape), offset })
    }
}

/// A shape as in `56x9x100`.
fn shape(text: &str) -> Result<Vec<u64>, String> {
    let sizes: Result<_, _> = text.split('x').map(str::parse).collect();
    sizes.map_err(|_| format!("`{text}` is no shape; write the sizes of all modes, as in 56x9x100"))
}

impl FromStr for Fill {
    type Err = String;

    fn from_str(text: &str) -> Result<Fill, String> {
        match text {
            "zeros" => return Ok(Fill::Zeros),
            "iota" => return Ok(Fill::Iota),
            "random" => return Ok(Fill::Random(0)),
            _ => {}
        }
        let seed = text.strip_prefix("random(").and_then(|rest| rest.strip_suffix(')'));
        let Some(seed) = seed else { return Err(format!("`{text}` fills no memory; use {FORMS}")) };
        let seed = seed.parse().map_err(|_| format!("`{seed}` is no seed; use an integer from 0 on"))?;
        Ok(Fill::Random(seed))
    }
}

impl Fill {
    /// A tensor full of these numbers.
    pub fn tensor(self, element: Scalar, shape: Vec<u64>) -> Tensor {
        match self {
            Fill::Zeros => Tensor::from_fn(element, shape, |_| Number::integer(element, 0)),
            Fill::Iota => {
                Tensor::from_fn(element, shape, |place| Number::integer(element, place.cast_signed()))
            }
            Fill::Random(seed) => {
                let mut random = Random(seed);
                Tensor::from_fn(element, shape, |_| random.number(element))
            }
        }
    }
}

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014). It stands here so
/// that a seed means the same numbers for ever.
pub(super) struct Random(pub(super) u64);

impl Random {
    /// The next 64 bits.
    pub(super) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// An integer from −8 to 7, or a real number, or two of them, from −1 up to below 1.
    fn number(&mut self, element: Scalar) -> Number {
        if element.is_integer() {
            return Number::integer(element, (self.bits() >> 60).cast_signed() - 8);
        }
        // Eight bits are in every type, so that nothing is rounded up to 1.
        let mut real = || (self.bits() >> 56) as f64 / 128.0 - 1.0;
        let re = real();
        let im = if element.is_complex() { real() } else { 0.0 };
        Number::complex(element, re, im)
    }
}

/// A number of the type: an integer, decimal or `0x…`, a real number, or a complex one as `1.5-2i`.
pub fn number(text: &str, element: Scalar) -> Result<Number, String> {
    if element.is_integer() {
        let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
        let value = match digits.strip_prefix("0x") {
            Some(digits) => i128::from_str_radix(digits, 16),
            None => digits.parse::<u64>().map(i128::from),
        };
        let value = value.ok().and_then(|value| i64::try_from(sign * value).ok());
        let value = value.filter(|&value| element.wrap(value) == value);
        let value = value.ok_or_else(|| format!("`{text}` is no {element}"))?;
        return Ok(Number::integer(element, value));
    }
    let value = text.parse::<f64>().map(Complex64::from).ok();
    let value = value.or_else(|| text.parse().ok().filter(|_| element.is_complex()));
    let value: Complex64 = value.ok_or_else(|| format!("`{text}` is no {element}"))?;
    Ok(Number::complex(element, value.re, value.im))
}
