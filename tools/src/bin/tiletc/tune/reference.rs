//! Expected contents of arguments, `--reference`, and results that differ from what is expected.

use super::rounding::Rounding;
use crate::common::Failure;
use crate::launch::{Argument, Call, Tensor, invalid, read_npy, shown_shape};
use std::path::PathBuf;
use std::str::FromStr;
use tiletc::tuning::Deviation;

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
            deviation(name, expected, found, share)
        };
        results.iter().filter_map(of_argument).max_by(|a, b| a.excess().total_cmp(&b.excess()))
    }
}

/// The number of an argument that is farthest from what is expected, if that is more than a share of the largest number.
pub fn deviation(name: &str, expected: &Tensor, found: &Tensor, allowed: f64) -> Option<Deviation> {
    Deviation::of(&format!("%{name}"), expected.element, &expected.bytes, &found.bytes, allowed)
}
