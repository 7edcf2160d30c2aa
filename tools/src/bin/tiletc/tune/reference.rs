//! Expected contents of arguments, `--reference`, and results that differ from what is expected.

use super::rounding::Rounding;
use crate::common::Failure;
use crate::launch::{Argument, Call, Number, Tensor, invalid, read_npy, shown_shape};
use std::path::PathBuf;
use std::str::FromStr;

/// A reference as it was given: `NAME=FILE.npy`.
#[derive(Clone, Debug)]
pub struct GivenReference {
    name: String,
    path: PathBuf,
}

impl FromStr for GivenReference {
    type Err = String;

    fn from_str(text: &str) -> Result<GivenReference, String> {
        let split = text.split_once('=').map(|(name, path)| (name.strip_prefix('%').unwrap_or(name), path));
        let split = split.filter(|(name, path)| !name.is_empty() && path.ends_with(".npy"));
        let (name, path) = split.ok_or("a reference is NAME=FILE.npy")?;
        Ok(GivenReference { name: name.to_owned(), path: PathBuf::from(path) })
    }
}

/// The expected contents of arguments.
#[derive(Default)]
pub struct References(Vec<Reference>);

struct Reference {
    name: String,
    expected: Tensor,
    /// Numbers that are not what the argument is given.
    computed: u64,
}

impl References {
    /// Reads the files for a call.
    ///
    /// # Errors
    /// If one fits no argument of the call.
    pub fn read(given: &[GivenReference], call: &Call) -> Result<References, Failure> {
        let mut references = References::default();
        for GivenReference { name, path } in given {
            if references.find(name).is_some() {
                return Err(invalid(format!("there are two references for %{name}")));
            }
            let argument = call.argument(name).ok_or_else(|| {
                let names: Vec<String> =
                    call.bound.iter().map(|bound| format!("%{}", bound.parameter.name)).collect();
                let names = names.join(", ");
                invalid(format!(
                    "there is no parameter %{name} that a reference could be for; the kernel has {names}"
                ))
            })?;
            let Argument::Memory(array) = argument else {
                return Err(invalid(format!(
                    "%{name} is a number, which no kernel changes; references are for memory"
                )));
            };
            let expected = read_npy(path, array.element())?;
            if expected.shape != array.content.shape {
                let [found, wanted] = [&expected.shape, &array.content.shape].map(|shape| shown_shape(shape));
                let path = path.display();
                return Err(invalid(format!(
                    "`{path}` has the shape {found}, but %{name} is given {wanted}"
                )));
            }
            let pairs = expected.numbers().zip(array.content.numbers());
            let computed = pairs.filter(|(expected, before)| expected != before).count() as u64;
            references.0.push(Reference { name: name.clone(), expected, computed });
        }
        Ok(references)
    }

    fn find(&self, name: &str) -> Option<&Reference> {
        self.0.iter().find(|reference| reference.name == name)
    }

    /// Returns whether an argument has a reference.
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// The largest deviation of results from the references that is larger than rounding explains, or than the share that is tolerated.
    pub fn deviation(
        &self,
        results: &[(String, Tensor)],
        rounding: &Rounding,
        tolerance: Option<f64>,
    ) -> Option<Deviation> {
        let of_argument = |(name, found): &(String, Tensor)| {
            let Reference { expected, computed, .. } = self.find(name)?;
            let share = tolerance.unwrap_or_else(|| rounding.share(expected.element, *computed));
            Deviation::of(name, expected, found, share)
        };
        results.iter().filter_map(of_argument).max_by(|a, b| a.excess().total_cmp(&b.excess()))
    }
}

/// A number that is not what is expected.
#[derive(Clone, Debug)]
pub struct Deviation {
    name: String,
    place: usize,
    found: Number,
    expected: Number,
    /// Distance from what is expected, and the largest that is allowed, as shares of the largest number.
    share: f64,
    allowed: f64,
}

impl Deviation {
    /// The number of an argument that is farthest from what is expected, if that is more than a share of the largest number.
    pub fn of(name: &str, expected: &Tensor, found: &Tensor, allowed: f64) -> Option<Deviation> {
        if expected.bytes == found.bytes {
            return None;
        }
        let size = expected.numbers().map(modulus).filter(|size| size.is_finite()).fold(0.0, f64::max);
        let numbers = expected.numbers().zip(found.numbers()).enumerate();
        let distances =
            numbers.map(|(place, (expected, found))| (place, expected, found, distance(expected, found)));
        let beyond = distances.filter(|(.., distance)| *distance > allowed * size);
        let (place, expected, found, distance) =
            beyond.max_by(|a, b| a.3.total_cmp(&b.3).then(b.0.cmp(&a.0)))?;
        let share = distance / size;
        Some(Deviation { name: name.to_owned(), place, found, expected, share, allowed })
    }

    /// Distance by the one that is allowed.
    pub fn excess(&self) -> f64 {
        self.share / self.allowed
    }

    /// A clause about it, with the name of what is expected.
    pub fn clause(&self, source: &str) -> String {
        let Deviation { name, place, found, expected, share, allowed } = self;
        format!(
            "number {place} of %{name} is {found}, {source} {expected}: they differ by {share:.1e} of the largest number, where \
             {allowed:.1e} is allowed"
        )
    }
}

/// The amount of a number.
fn modulus(number: Number) -> f64 {
    let (re, im) = number.parts();
    re.hypot(im)
}

/// The distance of two numbers; infinite unless both are finite or the same.
fn distance(expected: Number, found: Number) -> f64 {
    let ((a, b), (c, d)) = (expected.parts(), found.parts());
    let part = |x: f64, y: f64| match x == y || x.is_nan() && y.is_nan() {
        true => 0.0,
        false => (x - y).abs(),
    };
    let distance = part(a, c).hypot(part(b, d));
    if distance.is_nan() { f64::INFINITY } else { distance }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use tiletc::ir::Scalar;

    fn tensor(numbers: &[f64]) -> Tensor {
        let mut next = numbers.iter();
        let number = |_| Number::real(Scalar::F64, *next.next().unwrap());
        Tensor::from_fn(Scalar::F64, vec![numbers.len() as u64], number)
    }

    fn deviation(expected: &[f64], found: &[f64], allowed: f64) -> Option<Deviation> {
        Deviation::of("C", &tensor(expected), &tensor(found), allowed)
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
            assert_eq!(
                deviation(&[expected, 1.0], &[found, 1.0], 0.5).unwrap().share,
                infinite,
                "{expected} {found}"
            );
        }
    }
}
