//! The bounds themselves: what the host computes in a type lies within them, and they are no wider than they must be.

use crate::choices::Choices;
use crate::narrow;
use crate::properties::Wrong;
use crate::reference::Ball;
use half::{bf16, f16};
use tiletc::ir::{BinaryOp, CompareOp, MathOp, Scalar};

/// A type with the host's arithmetic, its unit roundoff, and its smallest normal number.
struct Type {
    scalar: Scalar,
    round: fn(f64) -> f64,
    unit: f64,
    smallest: f64,
}

fn types() -> [Type; 4] {
    [
        Type {
            scalar: Scalar::F32,
            round: |x| f64::from(x as f32),
            unit: 2f64.powi(-24),
            smallest: 2f64.powi(-126),
        },
        Type {
            scalar: Scalar::F16,
            round: |x| narrow::half(x).into(),
            unit: 2f64.powi(-11),
            smallest: 2f64.powi(-14),
        },
        Type {
            scalar: Scalar::Bf16,
            round: |x| narrow::brain(x).into(),
            unit: 2f64.powi(-8),
            smallest: 2f64.powi(-126),
        },
        Type { scalar: Scalar::F64, round: |x| x, unit: 2f64.powi(-53), smallest: f64::MIN_POSITIVE },
    ]
}

/// A chain of operations: the host's results, each rounded to the type, are in the balls.
pub fn chains_are_in_their_balls(numbers: &[u32]) -> Result<(), Wrong> {
    for Type { scalar, round, unit, smallest } in types() {
        let choices = &mut Choices::new(numbers);
        let operand = |choices: &mut Choices<'_>| round(0.1 + choices.below(997) as f64 / 300.0);
        let mut x = operand(choices);
        let mut ball = Ball::exact(x);
        while !choices.is_over() {
            let (y, before) = (operand(choices), ball);
            let op = choices.of(&[BinaryOp::Add, BinaryOp::Mul, BinaryOp::Sub, BinaryOp::Div, BinaryOp::Min]);
            let (exact, name) = if choices.one_in(4) {
                let op = choices.of(&[MathOp::Sin, MathOp::Cos, MathOp::Log, MathOp::Exp, MathOp::Exp2]);
                ball = ball.function(op, scalar);
                (function(op, x), op.spelling())
            } else {
                ball = ball.binary(op, Ball::exact(y), scalar);
                (binary(op, x, y), op.spelling())
            };
            x = round(exact);
            if !ball.holds(x) {
                return Err(format!("{name} in {scalar:?} gives {x}, not {ball}, after {before} with {y}"));
            }
            // Of exact operands: nothing but roundings, at most as many as OpenCL allows. What is lost below the least
            // normal number on the way is rounded in turn.
            let lost = 2.0 * (1.0 + unit) * smallest;
            let most = (8.0 + 1.0) * (unit + 2f64.powi(-24).min(unit)) * exact.abs() + lost;
            if before.is_exact() && exact.is_finite() && ball.radius > most && ball.radius < f64::INFINITY {
                return Err(format!("{name} in {scalar:?} of {before} and {y}: {ball} is too wide"));
            }
            if !x.is_finite() || ball.radius == f64::INFINITY {
                break;
            }
        }
    }
    Ok(())
}

fn binary(op: BinaryOp, x: f64, y: f64) -> f64 {
    match op {
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Mul => x * y,
        BinaryOp::Div => x / y,
        _ => x.min(y),
    }
}

fn function(op: MathOp, x: f64) -> f64 {
    match op {
        MathOp::Sin => x.sin(),
        MathOp::Cos => x.cos(),
        MathOp::Log => x.ln(),
        MathOp::Exp => x.exp(),
        _ => x.exp2(),
    }
}

/// The rounding to narrow types changes at the one point between each number and the next where it must.
pub fn rounding() -> Result<(), Wrong> {
    let halves = (0..f16::INFINITY.to_bits()).map(|bits| [bits, bits + 1].map(f16::from_bits).map(f64::from));
    let brains =
        (0..bf16::INFINITY.to_bits()).map(|bits| [bits, bits + 1].map(bf16::from_bits).map(f64::from));
    let round = [|x: f64| f64::from(narrow::half(x)), |x: f64| f64::from(narrow::brain(x))];
    // What would follow the largest number if there were no infinity.
    let beyond = [2f64.powi(16), 2f64.powi(128)];
    let points = halves.map(|pair| (0, pair)).chain(brains.map(|pair| (1, pair))).enumerate();
    for (number, (format, [low, high])) in points {
        let middle = (low + high.min(beyond[format])) / 2.0;
        // Numbers take turns in being even; each format has an even number of them.
        let tie = if number % 2 == 0 { low } else { high };
        for (x, expected) in [(low, low), (middle.next_down(), low), (middle, tie), (middle.next_up(), high)]
        {
            for sign in [1.0, -1.0] {
                let got = sign * round[format](sign * x);
                if got.to_bits() != expected.to_bits() {
                    return Err(format!("{x:e} becomes {got:e}, not {expected:e}"));
                }
            }
        }
    }
    if round.iter().all(|round| round(f64::NAN).is_nan()) { Ok(()) } else { Err("NaN is lost".to_owned()) }
}

/// Checks the edges: numbers that are exact stay so, open ones are not answered, and overflows are not known.
pub fn edges() -> Result<(), Wrong> {
    let (f32, f16) = (Scalar::F32, Scalar::F16);
    let [two, three] = [2.0, 3.0].map(Ball::exact);
    let near = Ball { center: 2.0, radius: 0.5 };
    let third = Ball::exact(1.0).binary(BinaryOp::Div, three, f32);
    let checks = [
        ("small integers", two.times(three, f32) == Ball::exact(6.0)),
        (
            "a sum of more digits than there are",
            !Ball::exact(1.0).plus(Ball::exact(2f64.powi(-24)), f32).is_exact(),
        ),
        ("a quotient", third.holds(1.0 / 3.0) && !third.holds(0.334) && !third.is_exact()),
        ("too large", two.times(Ball::exact(40000.0), f16) == Ball::UNKNOWN),
        ("by zero", two.binary(BinaryOp::Div, near.minus(two, f32), f32) == Ball::UNKNOWN),
        (
            "a logarithm of what may be negative",
            near.minus(two, f32).function(MathOp::Log, f32) == Ball::UNKNOWN,
        ),
        ("a native function", two.function(MathOp::NativeExp, f32) == Ball::UNKNOWN),
        ("certainly less", near.compare(CompareOp::LessThan, three) == Some(true)),
        ("perhaps equal", near.compare(CompareOp::Equal, two).is_none()),
        ("equal", two.compare(CompareOp::Equal, two) == Some(true)),
        ("an integer of one ball", Ball { center: 2.5, radius: 0.25 }.to_integer(Scalar::I8) == Some(2)),
        ("one of two integers", near.to_integer(Scalar::I8).is_none()),
        ("beyond all integers", Ball::exact(128.0).to_integer(Scalar::I8).is_none()),
        ("unknown times zero", !Ball::UNKNOWN.times(Ball::ZERO, f32).is_exact()),
        ("not a number", !two.holds(f64::NAN) && Ball::UNKNOWN.holds(f64::NAN)),
    ];
    match checks.iter().find(|(_, holds)| !holds) {
        Some((what, _)) => Err((*what).to_owned()),
        None => Ok(()),
    }
}
