//! Layout of the numbers of an argument in memory.

use super::tensor;
use std::borrow::Cow;
use tiletc::ir::Scalar;

/// Sizes and strides of a memref, in elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The size of each mode.
    pub shape: Vec<u64>,
    /// The distance of neighbours in each mode.
    pub stride: Vec<u64>,
}

/// Numbers of a byte each as they lie in memory, where several of the type may share one.
pub fn pack(element: Scalar, numbers: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if !element.is_packed() {
        return numbers;
    }
    let (each, bits) = shares(element);
    let byte = |numbers: &[u8]| {
        numbers.iter().rev().fold(0, |byte, number| byte << bits | number & ((1 << bits) - 1))
    };
    numbers.chunks(each).map(byte).collect()
}

/// Numbers of a byte each from what lies in memory.
pub fn unpack(element: Scalar, image: &[u8]) -> Cow<'_, [u8]> {
    if !element.is_packed() {
        return image.into();
    }
    let (each, bits) = shares(element);
    let numbers = |&byte: &u8| (0..each).map(move |place| (byte >> (bits * place)) << (8 - bits));
    image.iter().flat_map(numbers).map(|high| (high.cast_signed() >> (8 - bits)).cast_unsigned()).collect()
}

/// Numbers that share a byte, and the bits of each.
fn shares(element: Scalar) -> (usize, usize) {
    let each = usize::try_from(element.per_byte()).unwrap_or(1);
    (each, 8 / each)
}

/// The places of all elements, the first mode running fastest.
pub fn places<'a>(shape: &'a [u64], stride: &'a [u64]) -> impl Iterator<Item = u64> + 'a {
    let count: u64 = shape.iter().product();
    (0..count).map(move |number| {
        let mut rest = number;
        let mut place = 0;
        for (&size, &stride) in shape.iter().zip(stride) {
            place += rest % size * stride;
            rest /= size;
        }
        place
    })
}

impl Layout {
    /// Number of elements from the first to the last, gaps included; `None` if they cannot be counted.
    pub fn span(&self) -> Option<u64> {
        if self.shape.contains(&0) {
            return Some(0);
        }
        self.shape
            .iter()
            .zip(&self.stride)
            .try_fold(1u64, |span, (&size, stride)| span.checked_add((size - 1).checked_mul(*stride)?))
    }

    /// Returns whether elements follow each other without gaps.
    fn is_packed(&self) -> bool {
        let mut next = 1;
        self.shape.iter().zip(&self.stride).all(|(&size, &stride)| {
            let is_next = stride == next || size == 1;
            next *= size;
            is_next
        })
    }

    /// Numbers of a type as they lie in memory; gaps are zero.
    pub fn scatter<'a>(&self, element: Scalar, numbers: &'a [u8]) -> Cow<'a, [u8]> {
        if self.is_packed() {
            return numbers.into();
        }
        let size = tensor::size(element);
        let mut image = vec![0; usize::try_from(self.span().unwrap_or(0)).unwrap_or(0) * size];
        for (place, number) in places(&self.shape, &self.stride).zip(numbers.chunks_exact(size)) {
            let start = usize::try_from(place).unwrap_or(0) * size;
            if let Some(to) = image.get_mut(start..start + size) {
                to.copy_from_slice(number);
            }
        }
        image.into()
    }

    /// The numbers of `size` bytes that lie in memory, without the gaps.
    pub fn gather<'a>(&self, image: &'a [u8], size: usize) -> Cow<'a, [u8]> {
        if self.is_packed() {
            // The last of numbers that share bytes may have one to itself.
            let count = usize::try_from(self.shape.iter().product::<u64>()).unwrap_or(0);
            return image.get(..count * size).unwrap_or(image).into();
        }
        let mut bytes = Vec::new();
        for place in places(&self.shape, &self.stride) {
            let start = usize::try_from(place).unwrap_or(0) * size;
            bytes.extend_from_slice(image.get(start..start + size).unwrap_or_default());
        }
        bytes.into()
    }
}
