//! Results of configs, which must agree.

use crate::ir::Scalar;

/// The first number of a result that is not what it is with the config that others are compared with; `None` if there is none. The
/// tolerance is relative to the largest number there; without one, numbers must be the same bit for bit.
pub fn difference(element: Scalar, expected: &[u8], found: &[u8], tolerance: f64) -> Option<String> {
    if expected == found {
        return None;
    }
    let numbers = |bytes| numbers(element, bytes);
    let largest = numbers(expected).map(|(re, im)| f64::hypot(re, im)).fold(0.0, f64::max);
    let allowed = tolerance * largest;
    let is_nan = |(re, im): (f64, f64)| re.is_nan() || im.is_nan();
    let distance = |(a, b): (f64, f64), (c, d): (f64, f64)| f64::hypot(a - c, b - d);
    let pairs = numbers(expected).zip(numbers(found)).enumerate();
    let mut wrong = pairs.filter(|(_, (a, b))| is_nan(*a) != is_nan(*b) || distance(*a, *b) > allowed);
    let (place, (expected, found)) = wrong.next()?;
    let shown =
        |(re, im): (f64, f64)| if element.is_complex() { format!("{re}{im:+}i") } else { re.to_string() };
    Some(format!("number {place} is {}, with the first config {}", shown(found), shown(expected)))
}

/// Real and imaginary parts of numbers in memory.
fn numbers(element: Scalar, bytes: &[u8]) -> impl Iterator<Item = (f64, f64)> {
    let part = element.component();
    let [size, part_size] = [element, part].map(|it| usize::try_from(it.bytes()).unwrap_or(1));
    bytes.chunks_exact(size).map(move |number| {
        let mut parts = number.chunks_exact(part_size).map(|bytes| value(part, bytes));
        (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
    })
}

/// A number that has one part.
// Large integers are compared as floating-point numbers.
#[allow(clippy::cast_precision_loss)]
fn value(element: Scalar, bytes: &[u8]) -> f64 {
    let mut word = [0; 8];
    word.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
    let bits = u64::from_le_bytes(word);
    element.float_value(bits).unwrap_or_else(|| element.wrap(bits.cast_signed()) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_number_beyond_the_tolerance_is_named() {
        let bytes =
            |numbers: &[f32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>();
        let expected = bytes(&[1.0, 2.0, 4.0, f32::NAN]);
        let found =
            |numbers: [f32; 4], tolerance| difference(Scalar::F32, &expected, &bytes(&numbers), tolerance);
        assert_eq!(found([1.0, 2.0, 4.0, f32::NAN], 0.0), None);
        let off = found([1.0, 2.25, 4.0, f32::NAN], 0.0);
        assert_eq!(off.as_deref(), Some("number 1 is 2.25, with the first config 2"));
        assert_eq!(found([1.0, 2.25, 4.0, f32::NAN], 0.0625), None);
        assert!(found([1.0, 2.25, 4.0, f32::NAN], 0.0624).is_some());
        assert!(found([1.0, 2.0, 4.0, 1.0], 1.0).is_some(), "a number where none should be");
        assert!(found([1.0, f32::NAN, 4.0, f32::NAN], 1.0).is_some());
    }

    #[test]
    fn integers_and_complex_numbers_are_compared_by_value() {
        let off = difference(Scalar::I8, &[1, 255], &[1, 127], 0.0);
        assert_eq!(off.as_deref(), Some("number 1 is 127, with the first config -1"));
        assert_eq!(difference(Scalar::I8, &[1, 255], &[1, 254], 1.0), None);
        let number = |re: f32, im: f32| [re.to_le_bytes(), im.to_le_bytes()].concat();
        let off = difference(Scalar::C32, &number(3.0, 4.0), &number(3.0, -4.0), 1.0);
        assert_eq!(off.as_deref(), Some("number 0 is 3-4i, with the first config 3+4i"));
        assert_eq!(difference(Scalar::C32, &number(3.0, 4.0), &number(3.0, 4.5), 0.1), None);
    }
}
