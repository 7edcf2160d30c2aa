//! Results of configs, which must agree.

use crate::ir::Scalar;

/// A number that is not what is expected.
#[derive(Clone, Debug, PartialEq)]
pub struct Deviation {
    name: String,
    place: usize,
    found: String,
    expected: String,
    /// Distance from what is expected, and the largest that is allowed, as shares of the largest number.
    share: f64,
    allowed: f64,
}

impl Deviation {
    /// The number of an argument that is farthest from what is expected, if that is more than a share of the largest number. The
    /// arguments are of so many numbers without gaps.
    pub fn of(name: &str, element: Scalar, expected: &[u8], found: &[u8], allowed: f64) -> Option<Deviation> {
        if expected == found {
            return None;
        }
        let numbers = |bytes| numbers(element, bytes);
        let size = numbers(expected).map(modulus).filter(|size| size.is_finite()).fold(0.0, f64::max);
        let pairs = numbers(expected).zip(numbers(found)).enumerate();
        let distances =
            pairs.map(|(place, (expected, found))| (place, expected, found, distance(expected, found)));
        let beyond = distances.filter(|(.., distance)| *distance > allowed * size);
        let (place, expected, found, distance) =
            beyond.max_by(|a, b| a.3.total_cmp(&b.3).then(b.0.cmp(&a.0)))?;
        let [expected, found] = [expected, found].map(|number| shown(element, number));
        Some(Deviation { name: name.to_owned(), place, found, expected, share: distance / size, allowed })
    }

    /// Distance by the one that is allowed.
    pub fn excess(&self) -> f64 {
        self.share / self.allowed
    }

    /// A clause about it, with the source of what is expected.
    pub fn clause(&self, source: &str) -> String {
        let Deviation { name, place, found, expected, share, allowed } = self;
        format!(
            "number {place} of {name} is {found}, {source} {expected}: they differ by {share:.1e} of the largest number, where \
             {allowed:.1e} is allowed"
        )
    }
}

/// A number in memory.
#[derive(Clone, Copy)]
enum Number {
    Integer(i64),
    Floating(f64, f64),
}

/// The numbers in memory.
fn numbers(element: Scalar, bytes: &[u8]) -> impl Iterator<Item = Number> {
    let part = element.component();
    let [size, part_size] = [element, part].map(|it| usize::try_from(it.bytes()).unwrap_or(1));
    bytes.chunks_exact(size).map(move |number| {
        let mut parts = number.chunks_exact(part_size).map(|part| {
            let mut word = [0; 8];
            word.iter_mut().zip(part).for_each(|(to, from)| *to = *from);
            u64::from_le_bytes(word)
        });
        let first = parts.next().unwrap_or_default();
        let imaginary = parts.next().and_then(|bits| part.float_value(bits)).unwrap_or_default();
        match part.float_value(first) {
            Some(real) => Number::Floating(real, imaginary),
            None => Number::Integer(element.wrap(first.cast_signed())),
        }
    })
}

/// The amount of a number.
// Large integers are as large as floating-point numbers near them.
#[allow(clippy::cast_precision_loss)]
fn modulus(number: Number) -> f64 {
    match number {
        Number::Integer(value) => (value as f64).abs(),
        Number::Floating(re, im) => re.hypot(im),
    }
}

/// The distance of two numbers; infinite unless both are finite or the same.
// The distance of integers is 0 only if they are the same.
#[allow(clippy::cast_precision_loss)]
fn distance(expected: Number, found: Number) -> f64 {
    let part = |x: f64, y: f64| match x == y || x.is_nan() && y.is_nan() {
        true => 0.0,
        false => (x - y).abs(),
    };
    let distance = match (expected, found) {
        (Number::Integer(a), Number::Integer(b)) => a.abs_diff(b) as f64,
        (Number::Floating(a, b), Number::Floating(c, d)) => part(a, c).hypot(part(b, d)),
        (Number::Integer(_), Number::Floating(..)) | (Number::Floating(..), Number::Integer(_)) => {
            f64::INFINITY
        }
    };
    if distance.is_nan() { f64::INFINITY } else { distance }
}

/// The shortest text that reads back as the number.
fn shown(element: Scalar, number: Number) -> String {
    // The number is one of the narrower type.
    #[allow(clippy::cast_possible_truncation)]
    let part = |value: f64| {
        if element.component() == Scalar::F64 { format!("{value:?}") } else { format!("{:?}", value as f32) }
    };
    match number {
        Number::Integer(value) => value.to_string(),
        Number::Floating(re, im) if element.is_complex() => {
            let sign = if im.is_sign_negative() { "" } else { "+" };
            format!("{}{sign}{}i", part(re), part(im))
        }
        Number::Floating(re, _) => part(re),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn deviation(expected: &[f64], found: &[f64], allowed: f64) -> Option<Deviation> {
        let [expected, found] =
            [expected, found].map(|list| list.iter().flat_map(|it| it.to_le_bytes()).collect::<Vec<_>>());
        Deviation::of("%C", Scalar::F64, &expected, &found, allowed)
    }

    #[test]
    fn distances_are_shares_of_the_largest_amount() {
        // All numbers may be negative.
        let expected = [-4.0, -1.0, -2.0];
        assert!(deviation(&expected, &[-4.0, -1.5, -2.5], 0.126).is_none());
        let found = deviation(&expected, &[-4.0, -1.5, -3.0], 0.1).unwrap();
        assert_eq!((found.place, found.share), (2, 0.25));
        assert!((found.excess() - 2.5).abs() < 1e-12);
        let text = "number 2 of %C is -3.0, expected -2.0: they differ by 2.5e-1 of the largest number, where 1.0e-1 is allowed";
        assert_eq!(found.clause("expected"), text);
        // None is allowed where all is 0.
        assert!(deviation(&[0.0], &[1e-300], 1.0).is_some() && deviation(&[0.0], &[-0.0], 0.0).is_none());
    }

    #[test]
    fn what_is_not_finite_is_the_same_or_far_off() {
        let (nan, infinite) = (f64::NAN, f64::INFINITY);
        assert!(deviation(&[nan, infinite, 1.0], &[-nan, infinite, 1.0], 0.0).is_none());
        for (expected, found) in
            [(nan, 1.0), (1.0, nan), (infinite, -infinite), (infinite, 1.0), (1.0, infinite)]
        {
            let share = deviation(&[expected, 1.0], &[found, 1.0], 0.5).unwrap().share;
            assert_eq!(share, infinite, "{expected} {found}");
        }
    }

    #[test]
    fn integers_and_complex_numbers_are_compared_by_value() {
        let found = Deviation::of("%x", Scalar::I8, &[1, 255], &[1, 127], 0.0).unwrap();
        assert_eq!((found.found.as_str(), found.expected.as_str()), ("127", "-1"));
        assert_eq!(Deviation::of("%x", Scalar::I8, &[1, 255], &[1, 254], 1.0), None);
        // These are the same as floating-point numbers.
        let large = |value: i64| value.to_le_bytes();
        assert!(Deviation::of("%x", Scalar::I64, &large(i64::MAX), &large(i64::MAX - 1), 0.0).is_some());
        let number = |re: f32, im: f32| [re.to_le_bytes(), im.to_le_bytes()].concat();
        let found = Deviation::of("%x", Scalar::C32, &number(3.0, 4.0), &number(3.0, -4.0), 1.0).unwrap();
        assert_eq!((found.found.as_str(), found.expected.as_str()), ("3.0-4.0i", "3.0+4.0i"));
        assert_eq!(Deviation::of("%x", Scalar::C32, &number(3.0, 4.0), &number(3.0, 4.5), 0.1), None);
    }
}
