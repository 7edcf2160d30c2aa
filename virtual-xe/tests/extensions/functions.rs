//! Reference of the functions of OpenCL.std.

use astro_float::{BigFloat, Consts, RoundingMode};

const BITS: usize = 256;
/// The last bits do not matter.
const ROUNDING: RoundingMode = RoundingMode::None;
/// Numbers of many digits.
pub struct Exact(Consts);

/// Calls a method of a [`BigFloat`] that needs constants, or one that does not.
macro_rules! with {
    ($this:ident, $value:expr, $method:ident) => {
        $value.$method(BITS, ROUNDING, &mut $this.0)
    };
}

pub fn number(value: f64) -> BigFloat {
    BigFloat::from_f64(value, BITS)
}

fn mul(a: &BigFloat, b: &BigFloat) -> BigFloat {
    a.mul(b, BITS, ROUNDING)
}

fn div(a: &BigFloat, b: &BigFloat) -> BigFloat {
    a.div(b, BITS, ROUNDING)
}

fn add(a: &BigFloat, b: &BigFloat) -> BigFloat {
    a.add(b, BITS, ROUNDING)
}

pub fn sub(a: &BigFloat, b: &BigFloat) -> BigFloat {
    a.sub(b, BITS, ROUNDING)
}

/// The nearest double.
pub fn nearest(value: &BigFloat) -> f64 {
    value.to_string().parse().unwrap()
}

impl Exact {
    pub fn new() -> Exact {
        Exact(Consts::new().unwrap())
    }

    fn pi(&mut self) -> BigFloat {
        self.0.pi(BITS, ROUNDING)
    }

    /// By its series, which has enough digits up to six.
    fn erf(&mut self, x: &BigFloat) -> BigFloat {
        let square = mul(x, x);
        let (mut term, mut sum) = (x.clone(), x.clone());
        for n in 1..400 {
            term = div(&mul(&term, &square).neg(), &number(f64::from(n)));
            sum = add(&sum, &div(&term, &number(f64::from(2 * n + 1))));
        }
        let root = self.pi().sqrt(BITS, ROUNDING);
        div(&mul(&sum, &number(2.0)), &root)
    }

    /// Γ(x) for positive x: Stirling's series far out, and back by the recurrence.
    fn gamma(&mut self, x: &BigFloat) -> BigFloat {
        /// Bernoulli numbers B2, B4… as fractions.
        const BERNOULLI: [(f64, f64); 10] = [
            (1.0, 6.0),
            (-1.0, 30.0),
            (1.0, 42.0),
            (-1.0, 30.0),
            (5.0, 66.0),
            (-691.0, 2730.0),
            (7.0, 6.0),
            (-3617.0, 510.0),
            (43867.0, 798.0),
            (-174_611.0, 330.0),
        ];
        let (mut product, mut z) = (number(1.0), x.clone());
        for _ in 0..200 {
            product = mul(&product, &z);
            z = add(&z, &number(1.0));
        }
        let logarithm = with!(self, z, ln);
        let turn = mul(&self.pi(), &number(2.0));
        let turn = with!(self, turn, ln);
        let mut sum = sub(&mul(&sub(&z, &number(0.5)), &logarithm), &z);
        sum = add(&sum, &div(&turn, &number(2.0)));
        let mut power = z.clone();
        for (k, (over, under)) in (1..).zip(BERNOULLI) {
            let k = f64::from(k);
            let factor = div(&number(over), &number(under * 2.0 * k * (2.0 * k - 1.0)));
            sum = add(&sum, &div(&factor, &power));
            power = mul(&power, &mul(&z, &z));
        }
        div(&with!(self, sum, exp), &product)
    }
}

/// A function of one number, or of two.
pub type Function = fn(&mut Exact, &BigFloat, &BigFloat) -> BigFloat;

/// Name, bounds in units in the last place for single and double precision, the range of its first argument and of
/// its second, and its value.
pub type Row = (&'static str, f64, f64, (f64, f64), Option<(f64, f64)>, Function);

pub fn table() -> Vec<Row> {
    vec![
        ("acos", 4.0, 4.0, (-1.0, 1.0), None, |e, x, _| with!(e, x, acos)),
        ("acosh", 4.0, 4.0, (1.0, 900.0), None, |e, x, _| with!(e, x, acosh)),
        ("acospi", 5.0, 5.0, (-1.0, 1.0), None, |e, x, _| div(&with!(e, x, acos), &e.pi())),
        ("asin", 4.0, 4.0, (-1.0, 1.0), None, |e, x, _| with!(e, x, asin)),
        ("asinh", 4.0, 4.0, (-900.0, 900.0), None, |e, x, _| with!(e, x, asinh)),
        ("asinpi", 5.0, 5.0, (-1.0, 1.0), None, |e, x, _| div(&with!(e, x, asin), &e.pi())),
        ("atan", 5.0, 5.0, (-90.0, 90.0), None, |e, x, _| with!(e, x, atan)),
        ("atanh", 5.0, 5.0, (-0.99, 0.99), None, |e, x, _| with!(e, x, atanh)),
        ("atanpi", 5.0, 5.0, (-90.0, 90.0), None, |e, x, _| div(&with!(e, x, atan), &e.pi())),
        ("atan2", 6.0, 6.0, (-90.0, 90.0), Some((0.01, 90.0)), |e, x, y| with!(e, div(x, y), atan)),
        ("atan2pi", 6.0, 6.0, (-90.0, 90.0), Some((0.01, 90.0)), |e, x, y| {
            div(&with!(e, div(x, y), atan), &e.pi())
        }),
        ("cbrt", 2.0, 2.0, (-900.0, 900.0), None, |_, x, _| x.cbrt(BITS, ROUNDING)),
        ("cos", 4.0, 4.0, (-60.0, 60.0), None, |e, x, _| with!(e, x, cos)),
        ("cosh", 4.0, 4.0, (-9.0, 9.0), None, |e, x, _| with!(e, x, cosh)),
        ("cospi", 4.0, 4.0, (-20.0, 20.0), None, |e, x, _| with!(e, mul(x, &e.pi()), cos)),
        ("erf", 16.0, 16.0, (-3.0, 3.0), None, |e, x, _| e.erf(x)),
        ("erfc", 16.0, 16.0, (-3.0, 2.9), None, |e, x, _| sub(&number(1.0), &e.erf(x))),
        ("exp", 3.0, 3.0, (-9.0, 9.0), None, |e, x, _| with!(e, x, exp)),
        ("exp2", 3.0, 3.0, (-9.0, 9.0), None, |e, x, _| number(2.0).pow(x, BITS, ROUNDING, &mut e.0)),
        ("exp10", 3.0, 3.0, (-4.0, 4.0), None, |e, x, _| number(10.0).pow(x, BITS, ROUNDING, &mut e.0)),
        ("expm1", 3.0, 3.0, (-3.0, 9.0), None, |e, x, _| sub(&with!(e, x, exp), &number(1.0))),
        (
            "fdim",
            0.5,
            0.5,
            (-9.0, 9.0),
            Some((-9.0, 9.0)),
            |_, x, y| {
                if x > y { sub(x, y) } else { number(0.0) }
            },
        ),
        ("hypot", 4.0, 4.0, (-90.0, 90.0), Some((-90.0, 90.0)), |_, x, y| {
            add(&mul(x, x), &mul(y, y)).sqrt(BITS, ROUNDING)
        }),
        ("log", 3.0, 3.0, (0.001, 900.0), None, |e, x, _| with!(e, x, ln)),
        ("log2", 3.0, 3.0, (0.001, 900.0), None, |e, x, _| with!(e, x, log2)),
        ("log10", 3.0, 3.0, (0.001, 900.0), None, |e, x, _| with!(e, x, log10)),
        ("log1p", 2.0, 2.0, (-0.9, 90.0), None, |e, x, _| with!(e, add(x, &number(1.0)), ln)),
        ("pow", 16.0, 16.0, (0.01, 9.0), Some((-3.0, 3.0)), |e, x, y| x.pow(y, BITS, ROUNDING, &mut e.0)),
        ("powr", 16.0, 16.0, (0.01, 9.0), Some((-3.0, 3.0)), |e, x, y| x.pow(y, BITS, ROUNDING, &mut e.0)),
        ("rsqrt", 2.0, 2.0, (0.001, 900.0), None, |_, x, _| div(&number(1.0), &x.sqrt(BITS, ROUNDING))),
        ("sin", 4.0, 4.0, (-60.0, 60.0), None, |e, x, _| with!(e, x, sin)),
        ("sinh", 4.0, 4.0, (-9.0, 9.0), None, |e, x, _| with!(e, x, sinh)),
        ("sinpi", 4.0, 4.0, (-20.0, 20.0), None, |e, x, _| with!(e, mul(x, &e.pi()), sin)),
        ("sqrt", 0.5, 0.5, (0.0, 900.0), None, |_, x, _| x.sqrt(BITS, ROUNDING)),
        ("tan", 5.0, 5.0, (-60.0, 60.0), None, |e, x, _| with!(e, x, tan)),
        ("tanh", 5.0, 5.0, (-9.0, 9.0), None, |e, x, _| with!(e, x, tanh)),
        ("tanpi", 6.0, 6.0, (-20.0, 20.0), None, |e, x, _| with!(e, mul(x, &e.pi()), tan)),
        ("tgamma", 16.0, 16.0, (0.1, 8.0), None, |e, x, _| e.gamma(x)),
    ]
}

/// Functions whose second argument is an integer, with its bounds.
pub fn with_integers() -> Vec<Row> {
    vec![
        ("ldexp", 0.5, 0.5, (-9.0, 9.0), Some((-4.0, 4.0)), |e, x, n| {
            mul(x, &number(2.0).pow(n, BITS, ROUNDING, &mut e.0))
        }),
        ("pown", 16.0, 16.0, (0.3, 4.0), Some((-4.0, 4.0)), |e, x, n| x.pow(n, BITS, ROUNDING, &mut e.0)),
        ("rootn", 16.0, 16.0, (0.001, 900.0), Some((1.0, 9.0)), |e, x, n| {
            x.pow(&div(&number(1.0), n), BITS, ROUNDING, &mut e.0)
        }),
    ]
}
