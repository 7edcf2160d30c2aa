//! The kernels of the recipes, launched with the arguments that the recipes say.

mod batch;
mod tall;

use tiletc::diagnostics::Location;
use tiletc::driver::Options;
use tiletc::ir::{Ir, Scalar};
use tiletc::recipe::{self, Argument, Recipe, Shape};

use super::features::{Need, required};
use super::launch::{Arg, Buffer, Expected, Launch};
use super::linalg::{Types, bound, factor, loss};
use super::number::{Array, Number, decode, encode, sample};
use super::small;
use crate::Case;
use crate::device::{Device, Outcome, Program, Stop};
use crate::numbers::Random;

pub fn cases() -> Vec<Case> {
    [batch::cases(), tall::cases()].into_iter().flatten().map(|case| case.within("recipes")).collect()
}

/// The recipe for the device, and its kernels there; `None` if the device lacks the type, and then it was refused
/// for that.
fn compile(device: &Device, shape: Shape, number: Scalar) -> Outcome<Option<Compiled>> {
    let lacks = |need: &Need| matches!(need, Need::Feature(feature) if !device.info.have(*feature));
    let lacking = required(&[number], None).iter().any(lacks);
    let mut ir = Ir::default();
    // Blocks as large as the registers allow take the driver long; two types shall do.
    let is_large = matches!(number, Scalar::I32 | Scalar::F32);
    let info = if is_large { device.info.clone() } else { small(device) };
    match shape.compile(&mut ir, Location::default(), &info, &Options::default()) {
        Ok(_) if lacking => Err(format!("{shape} is compiled without the type").into()),
        Err(error) if lacking => match error.status() {
            tiletc::status::Status::SpirvRequiredFeatureUnavailable => Ok(None),
            other => Err(format!("{shape}: {other:?}").into()),
        },
        Err(error) => Err(format!("{shape}: {error}").into()),
        Ok(Recipe { module, .. }) => {
            let built = device.build_module(&module);
            let program = built.map_err(|stop| match stop {
                Stop::Fail(message) => Stop::Fail(format!("{shape}: {message}")),
                skip @ Stop::Skip(_) => skip,
            })?;
            Ok(Some(Compiled { shape, program }))
        }
    }
}

/// A recipe on the device.
struct Compiled {
    shape: Shape,
    program: Program,
}

impl Compiled {
    /// Runs a launch of the recipe; memory is a buffer and an element of it.
    fn run(
        &self,
        device: &Device,
        number: Scalar,
        launch: &recipe::Launch<'_, (usize, usize)>,
        buffers: Vec<Buffer>,
    ) -> Outcome {
        let arguments = launch.arguments.iter().map(|argument| match *argument {
            Argument::Number(bytes) => Arg::Number(number, decode(number, bytes)),
            Argument::Size(size) => Arg::Index(size as usize),
            Argument::Memory((buffer, element)) => Arg::Pointer(buffer, element),
        });
        let name = Recipe::KERNELS[launch.kernel];
        let launch = Launch {
            name: format!("{} {name}", self.shape),
            kernel: String::new(),
            groups: [launch.groups as usize, 1, 1],
            arguments: arguments.collect(),
            buffers,
            requires: Vec::new(),
        };
        let mut kernel = self.program.kernel(name)?;
        Ok(launch.run(device, &mut kernel).map_err(|message| format!("{}: {message}", launch.name))?)
    }
}

/// The factors of a product, as the recipes take them.
struct Factors {
    number: Scalar,
    alpha: Number,
    beta: Number,
}

/// Values tested as beta: any number, one, and zero, which must neither read nor keep what it meets.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Beta {
    Any,
    One,
    Zero,
    MinusZero,
    Nan,
}

impl Beta {
    /// All there are in a number type.
    fn all(number: Scalar) -> &'static [Beta] {
        match number.is_integer() {
            true => &[Beta::Any, Beta::One, Beta::Zero],
            false => &[Beta::Any, Beta::One, Beta::Zero, Beta::MinusZero, Beta::Nan],
        }
    }
}

impl Factors {
    fn new(number: Scalar, beta: Beta, random: &mut Random) -> Factors {
        let alpha = factor(number, 3.0, random);
        let beta = match beta {
            Beta::Any => factor(number, -2.0, random),
            Beta::One => Number::small(number, 1),
            Beta::Zero => Number::small(number, 0),
            Beta::MinusZero => Number::real(-0.0),
            Beta::Nan => Number::real(f64::NAN),
        };
        Factors { number, alpha, beta }
    }

    /// Both as bytes.
    fn bytes(&self) -> [Vec<u8>; 2] {
        [encode(self.number, self.alpha), encode(self.number, self.beta)]
    }

    /// Returns whether C is only written.
    fn overwrites(&self) -> bool {
        self.beta.size() == 0.0
    }

    /// A result's memory before: numbers, or where they must not be read what is none.
    fn before(&self, length: usize, random: &mut Random) -> Array {
        let fill = |_| match self.overwrites() && !self.number.is_integer() {
            true => Number::complex([f64::NAN; 2]),
            false => sample(self.number, random),
        };
        Array::of(self.number, (0..length).map(fill))
    }

    /// Expected value of alpha times the sum of the products plus beta times the number before.
    fn expected(&self, products: impl Iterator<Item = (Number, Number)>, before: Number) -> Expected {
        let types = Types::uniform(self.number, 2);
        let (mut sum, mut magnitude, mut terms) = (Number::small(self.number, 0), 0.0, 0);
        for (a, b) in products {
            sum = sum.plus(a.times(b));
            magnitude += a.size() * b.size();
            terms += 1;
        }
        let mut expected = self.alpha.times(sum);
        magnitude *= self.alpha.size();
        if !self.overwrites() {
            expected = expected.plus(self.beta.times(before));
            magnitude += self.beta.size() * before.size();
        }
        Expected::Near(expected, bound(&types, terms, 2) * magnitude + loss(&types, terms))
    }
}

/// Any numbers.
fn numbers(number: Scalar, length: usize, random: &mut Random) -> Array {
    Array::of(number, (0..length).map(|_| sample(number, random)))
}
