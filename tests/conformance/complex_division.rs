//! Complex division over the whole range of exponents, with infinities, and of constants.

use std::fmt::Write as _;

use num_complex::Complex;
use tiletc::ir::Constant;
use tiletc::runtime::Plain;

use crate::Case;
use crate::device::{Argument, Device, Outcome};
use crate::numbers::{Number, Random};

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    macro_rules! case {
        ($($ty:ty: $name:literal, $exponents:expr, $division:literal;)*) => {
            $(for (level, constants) in [(0, false), (1, false), (1, true)] {
                let how = if constants { "constants" } else { "run_time" };
                cases.push(Case::new(
                    format!("complex_division::{how}::{}::level{level}", $name),
                    move |device| {
                        <$ty>::require(device)?;
                        let problem = Problem { name: $name, exponents: $exponents, division: $division };
                        problem.run(device, level, constants, |re, im| {
                            Complex::new(re as $ty, im as $ty)
                        })
                    },
                ));
            }
            cases.push(Case::new(format!("complex_division::short::{}", $name), move |device| {
                <$ty>::require(device)?;
                let problem = Problem { name: $name, exponents: (-20, 20), division: $division };
                problem.run(device, 2, false, |re, im| Complex::new(re as $ty, im as $ty))
            }));)*
        };
    }
    case! {
        f32: "c32", (-149, 127), 5.0;
        f64: "c64", (-1074, 1023), 1.0;
    }
    cases
}

type Pair = (f64, f64);

/// Quotients of a type.
struct Problem {
    name: &'static str,
    /// The exponents of its smallest and largest numbers; a smaller range leaves infinities out.
    exponents: (i32, i32),
    /// The error that division of real numbers may have, in units of the roundoff.
    division: f64,
}

/// Expectation of a quotient.
enum Expected {
    /// This number, but for roundings.
    Near(Pair),
    Infinite,
    Zero,
    Nan,
    One,
}

impl Problem {
    fn is_whole(&self) -> bool {
        self.exponents.1 > 100
    }

    /// Dividends and divisors. Parts are integers of 20 bits times powers of two, so that products and their
    /// sums are exact in double precision before they are scaled, and the reference is rounded once.
    fn operands(&self) -> Vec<(Pair, Pair, Expected)> {
        let (least, most) = self.exponents;
        let digits = if self.name == "c32" { 24 } else { 53 };
        let mut random = Random::new(5);
        let mut operands = Vec::new();
        let mut powers = vec![0, 3, -7, most - 20, most / 2, least / 2, -30, least + 30];
        if self.is_whole() {
            // All bits of the smallest numbers are kept.
            powers.extend([least, least + digits - 20, least + digits, most - 19]);
        }
        for &p in &powers {
            for &q in &powers {
                let mut part = || {
                    let number = f64::from(i32::sample(&mut random) >> 12);
                    if number == 0.0 { 1.0 } else { number }
                };
                let [a, b, c, d] = [part(), part(), part(), part()];
                operands.push(scaled((a, b), p, (c, d), q));
                operands.push(scaled((a, 0.0), p, (0.0, d), q));
                operands.push(scaled((a, b), p, (a, b), q));
            }
        }
        if self.is_whole() {
            let large = times(1.0, most - 3);
            operands.push(((large, large), (large, large), Expected::One));
            operands.extend(with_infinities());
        }
        operands
    }

    fn run<T>(
        &self,
        device: &Device,
        level: i32,
        constants: bool,
        number: impl Fn(f64, f64) -> Complex<T>,
    ) -> Outcome
    where
        Complex<T>: Plain,
        T: Copy + Into<f64>,
    {
        let operands = self.operands();
        let (n, ty) = (operands.len(), self.name);
        let mut body = String::new();
        if constants {
            for (i, ((a, b), (c, d), _)) in operands.iter().enumerate() {
                let (dividend, divisor) = (Constant::Complex(*a, *b), Constant::Complex(*c, *d));
                let _ = writeln!(
                    body,
                    "%a{i} = constant {dividend} : {ty}\n%b{i} = constant {divisor} : {ty}
                     %q{i} = div %a{i}, %b{i} : {ty}\n%i{i} = constant {i} : index\nstore %q{i}, %R[%i{i}]"
                );
            }
        } else {
            body = format!(
                "%from = constant 0 : index\n%to = constant {n} : index
                 foreach (%i)=(%from),(%to) {{
                     %a = load %A[%i] : {ty}
                     %b = load %B[%i] : {ty}
                     %q = div %a, %b : {ty}
                     store %q, %R[%i]
                 }}"
            );
        }
        let text =
            format!("func @f(%A: memref<{ty}x{n}>, %B: memref<{ty}x{n}>, %R: memref<{ty}x{n}>) {{ {body} }}");
        let dividends: Vec<_> = operands.iter().map(|(a, _, _)| number(a.0, a.1)).collect();
        let divisors: Vec<_> = operands.iter().map(|(_, b, _)| number(b.0, b.1)).collect();
        let (a, b) = (device.memory(&dividends)?, device.memory(&divisors)?);
        let results = device.memory(&vec![number(99.0, 99.0); n])?;
        let arguments: [Argument<'_>; 3] = [(&a).into(), (&b).into(), (&results).into()];
        device.run_text(&text, level, "f", [1, 1, 1], &arguments)?;
        for ((a, b, expected), &got) in operands.iter().zip(results.iter()) {
            let got = (got.re.into(), got.im.into());
            if let Err(what) = self.check(expected, got) {
                return Err(format!("{a:?} / {b:?} = {got:?}, {what}").into());
            }
        }
        Ok(())
    }

    fn check(&self, expected: &Expected, got: Pair) -> Result<(), String> {
        let is_right = match *expected {
            Expected::Near(expected) => return self.check_near(expected, got),
            Expected::Infinite => got.0.is_infinite() || got.1.is_infinite(),
            Expected::Zero => got == (0.0, 0.0),
            Expected::One => got == (1.0, 0.0),
            Expected::Nan => got.0.is_nan() && got.1.is_nan(),
        };
        if is_right {
            return Ok(());
        }
        Err(match expected {
            Expected::Infinite => "which should be infinite",
            Expected::Zero => "which should be zero",
            Expected::One => "which should be 1",
            _ => "which should be no number",
        }
        .to_owned())
    }

    /// Each part may be off by the roundings of two products and their sum, of the square of the divisor and of
    /// the division, which are relative to the magnitude of the quotient, and once or twice by the smallest number.
    fn check_near(&self, expected: Pair, got: Pair) -> Result<(), String> {
        let single = self.name == "c32";
        let (unit, tiny, largest) = if single {
            (f64::from(f32::EPSILON) / 2.0, f64::from(f32::from_bits(1)), f64::from(f32::MAX))
        } else {
            (f64::EPSILON / 2.0, f64::from_bits(1), f64::MAX)
        };
        let roundings = (6.0 + self.division) * unit;
        let size = expected.0.hypot(expected.1);
        let bound = roundings / (1.0 - roundings) * size + tiny;
        for (expected, got) in [(expected.0, got.0), (expected.1, got.1)] {
            // What is next to the largest number or beyond may become infinite.
            let may_overflow = expected.abs() + bound > largest * (1.0 - 2.0 * roundings);
            if may_overflow && (got.is_infinite() || got.abs() >= largest / 2.0) {
                continue;
            }
            if got.is_nan() || (got - expected).abs() > bound {
                return Err(format!("expected {expected:e} within {bound:e}"));
            }
        }
        Ok(())
    }
}

/// The operands times powers of two, and their quotient.
fn scaled((a, b): Pair, p: i32, (c, d): Pair, q: i32) -> (Pair, Pair, Expected) {
    let square = c * c + d * d;
    let quotient = ((a * c + b * d) / square, (b * c - a * d) / square);
    let expected = Expected::Near((times(quotient.0, p - q), times(quotient.1, p - q)));
    ((times(a, p), times(b, p)), (times(c, q), times(d, q)), expected)
}

/// A number times a power of two, rounded once.
fn times(value: f64, power: i32) -> f64 {
    let step = 500 * power.signum();
    let (mut value, mut power) = (value, power);
    // What falls below the normal numbers does so in the last step only: parts have 20 bits and more.
    while power.abs() > 500 {
        value *= 2f64.powi(step);
        power -= step;
    }
    value * 2f64.powi(power)
}

/// Annex G.5.1 of C: an infinite dividend gives infinity, an infinite divisor zero, a divisor of zero infinity.
fn with_infinities() -> Vec<(Pair, Pair, Expected)> {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let mut operands = Vec::new();
    let infinite = [(inf, 1.0), (-inf, -inf), (2.0, -inf), (nan, inf), (inf, nan), (0.0, inf)];
    for special in infinite {
        for finite in [(1.0, 2.0), (-3.0, 0.0), (0.0, 5.0), (1e30, -1e-30)] {
            operands.push((special, finite, Expected::Infinite));
            operands.push((finite, special, Expected::Zero));
        }
        operands.push((special, (0.0, -0.0), Expected::Infinite));
        operands.push((special, (inf, 1.0), Expected::Nan));
    }
    operands.push(((1.0, 0.0), (0.0, 0.0), Expected::Infinite));
    operands.push(((-1.0, 4.0), (-0.0, 0.0), Expected::Infinite));
    operands.push(((0.0, 0.0), (0.0, 0.0), Expected::Nan));
    operands.push(((nan, 0.0), (1.0, 1.0), Expected::Nan));
    operands.push(((1.0, 1.0), (nan, 1.0), Expected::Nan));
    operands
}
