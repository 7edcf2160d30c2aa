//! Binary and unary arithmetic and comparison, at run time and folded, on the edges of every type.

use std::fmt::Write as _;

use half::f16;

use crate::Case;
use crate::device::{Device, Outcome};
use crate::numbers::{Number, Random};

const BINARY: [&str; 13] =
    ["add", "sub", "mul", "div", "rem", "cdiv", "min", "max", "shl", "shr", "and", "or", "xor"];
const UNARY: [&str; 3] = ["abs", "neg", "not"];
const COMPARE: [&str; 6] =
    ["equal", "not_equal", "greater_than", "greater_than_equal", "less_than", "less_than_equal"];

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    macro_rules! case {
        ($($ty:ty)*) => {
            $(let name = <$ty>::NAME;
            cases.push(Case::new(format!("arithmetic::run_time::{name}"), at_run_time::<$ty>));
            for level in [0, 2] {
                cases.push(Case::new(format!("arithmetic::constants::{name}::level{level}"), move |device| {
                    on_constants::<$ty>(device, level)
                }));
            })*
        };
    }
    case! { i8 i16 i32 i64 f16 f32 f64 }
    cases.push(Case::new("arithmetic::bool", booleans));
    cases.push(Case::new("arithmetic::index", indices));
    cases
}

/// Arithmetic of a type as the language defines it, in Rust.
trait Arithmetic: Number {
    fn edges() -> Vec<Self>;
    /// `None` where the language leaves the result undefined or has no such operation.
    fn binary(op: &str, a: Self, b: Self) -> Option<Self>;
    fn unary(op: &str, a: Self) -> Option<Self>;
    fn compare(op: &str, a: Self, b: Self) -> bool;
    /// Returns whether a computed result is the one expected.
    fn same(op: &str, got: Self, expected: Self) -> bool;
    fn constant(self) -> String;
}

fn ordered<T: PartialOrd>(op: &str, a: T, b: T) -> bool {
    match op {
        "equal" => a == b,
        "not_equal" => a != b,
        "greater_than" => a > b,
        "greater_than_equal" => a >= b,
        "less_than" => a < b,
        _ => a <= b,
    }
}

macro_rules! integers {
    ($($ty:ident)*) => {
        $(impl Arithmetic for $ty {
            fn edges() -> Vec<$ty> {
                let (min, max) = ($ty::MIN, $ty::MAX);
                vec![0, 1, -1, 2, 3, 7, -7, 100, -100, max, max - 1, min, min + 1]
            }

            fn binary(op: &str, a: $ty, b: $ty) -> Option<$ty> {
                // No more bits of the amount count than tell the bits of the number apart.
                let shift = (b & ($ty::BITS - 1) as $ty) as u32;
                Some(match op {
                    "add" => a.wrapping_add(b),
                    "sub" => a.wrapping_sub(b),
                    "mul" => a.wrapping_mul(b),
                    "div" | "rem" | "cdiv" if b == 0 => return None,
                    "div" => a.wrapping_div(b),
                    // Up, and without an overflow on the way.
                    "cdiv" => {
                        let rest = a.wrapping_rem(b);
                        a.wrapping_div(b) + $ty::from(rest != 0 && (rest < 0) == (b < 0))
                    }
                    "rem" => a.wrapping_rem(b),
                    "min" => a.min(b),
                    "max" => a.max(b),
                    "shl" => a << shift,
                    "shr" => a >> shift,
                    "and" => a & b,
                    "or" => a | b,
                    _ => a ^ b,
                })
            }

            fn unary(op: &str, a: $ty) -> Option<$ty> {
                Some(match op {
                    "abs" => a.wrapping_abs(),
                    "neg" => a.wrapping_neg(),
                    _ => !a,
                })
            }

            fn compare(op: &str, a: $ty, b: $ty) -> bool {
                ordered(op, a, b)
            }

            fn same(_op: &str, got: $ty, expected: $ty) -> bool {
                got == expected
            }

            fn constant(self) -> String {
                self.to_string()
            }
        })*
    };
}

integers! { i8 i16 i32 i64 }

macro_rules! floats {
    ($($ty:ident, $division_ulps:literal;)*) => {
        $(impl Arithmetic for $ty {
            fn edges() -> Vec<$ty> {
                let (nan, inf) = (f64::NAN, f64::INFINITY);
                let mut edges = [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, -2.25, 3.0, 10.0, -100.0, inf, -inf, nan]
                    .map($ty::from_f64)
                    .to_vec();
                edges.extend([$ty::MAX, $ty::MIN, $ty::EPSILON, $ty::MIN_POSITIVE]);
                edges
            }

            fn binary(op: &str, a: $ty, b: $ty) -> Option<$ty> {
                Some(match op {
                    "add" => a + b,
                    "sub" => a - b,
                    "mul" => a * b,
                    "div" => a / b,
                    "rem" => a % b,
                    "min" => a.min(b),
                    "max" => a.max(b),
                    _ => return None,
                })
            }

            fn unary(op: &str, a: $ty) -> Option<$ty> {
                match op {
                    "abs" => Some(if a.is_sign_negative() { -a } else { a }),
                    "neg" => Some(-a),
                    _ => None,
                }
            }

            fn compare(op: &str, a: $ty, b: $ty) -> bool {
                ordered(op, a, b)
            }

            /// OpenCL leaves a quotient of singles a few units in the last place, the sign of min(0, −0), and
            /// what becomes of results too small to be normal.
            fn same(op: &str, got: $ty, expected: $ty) -> bool {
                if expected.is_nan() || got.is_nan() {
                    return expected.is_nan() && got.is_nan();
                }
                let (x, y) = (got.to_f64(), expected.to_f64());
                if matches!(op, "abs" | "neg") {
                    return x == y && got.is_sign_negative() == expected.is_sign_negative();
                }
                let smallest = $ty::MIN_POSITIVE.to_f64();
                if y != 0.0 && y.abs() < smallest {
                    return (x - y).abs() < smallest;
                }
                if op == "div" && y.is_finite() {
                    return (x - y).abs() <= $division_ulps * 2.0 * <$ty as Number>::UNIT * y.abs();
                }
                x == y
            }

            fn constant(self) -> String {
                let value = self.to_f64();
                match value {
                    _ if value.is_nan() => "nan".to_owned(),
                    _ if value.is_infinite() => if value > 0.0 { "inf" } else { "-inf" }.to_owned(),
                    _ => format!("{value:?}"),
                }
            }
        })*
    };
}

floats! {
    f16, 1.0;
    f32, 2.5;
    f64, 0.0;
}

fn pairs<T: Arithmetic>() -> Vec<(T, T)> {
    let edges = T::edges();
    let mut pairs: Vec<(T, T)> = edges.iter().flat_map(|&a| edges.iter().map(move |&b| (a, b))).collect();
    let mut random = Random::new(11);
    pairs.extend((0..100).map(|_| (T::sample(&mut random), T::sample(&mut random))));
    // Shifts by every width there is.
    pairs.extend((0..64).map(|i| (T::sample(&mut random), T::from_f64(f64::from(i)))));
    pairs
}

fn operations<T: Arithmetic>() -> impl Iterator<Item = &'static str> {
    let one = T::from_f64(1.0);
    let binary = BINARY.into_iter().filter(move |op| T::binary(op, one, one).is_some());
    let unary = UNARY.into_iter().filter(move |op| T::unary(op, one).is_some());
    binary.chain(unary).chain(COMPARE)
}

/// The result of an operation; comparisons give 1 or 0.
fn expected<T: Arithmetic>(op: &str, a: T, b: T) -> Option<T> {
    if COMPARE.contains(&op) {
        return Some(T::from_f64(if T::compare(op, a, b) { 1.0 } else { 0.0 }));
    }
    if UNARY.contains(&op) { T::unary(op, a) } else { T::binary(op, a, b) }
}

/// The instructions that apply an operation to `%a` and `%b` and name the result `%r`, with a suffix.
fn application<T: Arithmetic>(op: &str, suffix: &str) -> String {
    let ty = T::NAME;
    if COMPARE.contains(&op) {
        let (one, zero) = (T::literal(1.0), T::literal(0.0));
        return format!(
            "%p{suffix} = {op} %a{suffix}, %b{suffix} : bool
             %r{suffix} = if %p{suffix} -> ({ty}) {{ %one = constant {one} : {ty} yield (%one) }}
             else {{ %zero = constant {zero} : {ty} yield (%zero) }}\n"
        );
    }
    let b = if UNARY.contains(&op) { String::new() } else { format!(", %b{suffix}") };
    format!("%r{suffix} = {op} %a{suffix}{b} : {ty}\n")
}

fn at_run_time<T: Arithmetic>(device: &Device) -> Outcome {
    T::require(device)?;
    let ty = T::NAME;
    let mut text = String::new();
    for op in operations::<T>() {
        let _ = writeln!(
            text,
            "func @{op}_(%A: memref<{ty}x?>, %B: memref<{ty}x?>, %R: memref<{ty}x?>) {{
                 %from = constant 0 : index
                 %to = size %A[0] : index
                 foreach (%i)=(%from),(%to) {{
                     %a = load %A[%i] : {ty}
                     %b = load %B[%i] : {ty}
                     {}
                     store %r, %R[%i]
                 }}
             }}",
            application::<T>(op, "")
        );
    }
    let program = device.build(&text, 2)?;
    for op in operations::<T>() {
        let pairs: Vec<(T, T)> = pairs().into_iter().filter(|&(a, b)| expected(op, a, b).is_some()).collect();
        let (a, b): (Vec<T>, Vec<T>) = pairs.iter().copied().unzip();
        let (a, b, r) = (device.memory(&a)?, device.memory(&b)?, device.memory(&a)?);
        let n = pairs.len() as i64;
        let arguments = [(&a).into(), n.into(), (&b).into(), n.into(), (&r).into(), n.into()];
        crate::device::run(&program, &format!("{op}_"), [1, 1, 1], &arguments)?;
        for (&(a, b), &got) in pairs.iter().zip(r.iter()) {
            judge(op, a, b, got)?;
        }
    }
    Ok(())
}

fn judge<T: Arithmetic>(op: &str, a: T, b: T, got: T) -> Outcome {
    match expected(op, a, b) {
        Some(expected) if !T::same(op, got, expected) => {
            Err(format!("{op} {a:?}, {b:?} : {} is {got:?}, not {expected:?}", T::NAME).into())
        }
        _ => Ok(()),
    }
}

/// The same with operands that the compiler knows.
fn on_constants<T: Arithmetic>(device: &Device, level: i32) -> Outcome {
    T::require(device)?;
    let edges = T::edges();
    let ty = T::NAME;
    let mut body = String::new();
    let mut computed = Vec::new();
    for op in operations::<T>() {
        for (i, &a) in edges.iter().enumerate() {
            // The whole square of edges in turns, two operands for each.
            for b in [edges[(i * 5 + computed.len()) % edges.len()], edges[(i + 3) % edges.len()]] {
                // The one literal that the language lacks.
                if [a, b].into_iter().any(|value| value.constant() == i64::MIN.to_string()) {
                    continue;
                }
                if expected(op, a, b).is_none() {
                    continue;
                }
                let n = computed.len();
                let suffix = format!("_{n}");
                let (x, y) = (a.constant(), b.constant());
                let _ = writeln!(
                    body,
                    "%a{suffix} = constant {x} : {ty}\n%b{suffix} = constant {y} : {ty}\n{}
                     %i{suffix} = constant {n} : index\nstore %r{suffix}, %R[%i{suffix}]",
                    application::<T>(op, &suffix)
                );
                computed.push((op, a, b));
            }
        }
    }
    let text = format!("func @constants(%R: memref<{ty}x{}>) {{\n{body}}}\n", computed.len());
    let results = device.memory(&vec![T::from_f64(42.0); computed.len()])?;
    device.run_text(&text, level, "constants", [1, 1, 1], &[(&results).into()])?;
    for (&(op, a, b), &got) in computed.iter().zip(results.iter()) {
        judge(op, a, b, got)?;
    }
    Ok(())
}

fn booleans(device: &Device) -> Outcome {
    let mut body = String::new();
    let mut expected = Vec::new();
    for a in [false, true] {
        for b in [false, true] {
            for (op, value) in [("and", a & b), ("or", a | b), ("xor", a ^ b), ("not", !a)] {
                for constant in [false, true] {
                    let n = expected.len();
                    let operand = |name: &str, value: bool| match constant {
                        true => format!("%{name}_{n} = constant {value} : bool\n"),
                        // Not known to the compiler.
                        false => {
                            format!("%{name}_{n} = equal %x, %{} : bool\n", if value { "x" } else { "y" })
                        }
                    };
                    let _ = writeln!(
                        body,
                        "{}{}%r_{n} = {op} %a_{n}{} : bool
                         %v_{n} = if %r_{n} -> (i32) {{ yield (%one) }} else {{ yield (%zero) }}
                         %i_{n} = constant {n} : index
                         store %v_{n}, %R[%i_{n}]",
                        operand("a", a),
                        operand("b", b),
                        if op == "not" { String::new() } else { format!(", %b_{n}") },
                    );
                    expected.push(i32::from(value));
                }
            }
        }
    }
    let text = format!(
        "func @booleans(%x: i32, %y: i32, %R: memref<i32x{}>) {{
             %one = constant 1 : i32\n%zero = constant 0 : i32\n{body}
         }}",
        expected.len()
    );
    for level in 0..=2 {
        let results = device.memory(&vec![7i32; expected.len()])?;
        device.run_text(
            &text,
            level,
            "booleans",
            [1, 1, 1],
            &[5i32.into(), 6i32.into(), (&results).into()],
        )?;
        crate::numbers::expect_equal("booleans", &results, &expected)?;
    }
    Ok(())
}

/// `index` computes as i64 does.
fn indices(device: &Device) -> Outcome {
    let operations: Vec<&str> = operations::<i64>().filter(|op| !COMPARE.contains(op)).collect();
    let mut body = String::new();
    for (n, op) in operations.iter().enumerate() {
        let suffix = format!("_{n}");
        let b = if UNARY.contains(op) { "" } else { ", %b" };
        let _ = writeln!(
            body,
            "%r{suffix} = {op} %a{b} : index\n%v{suffix} = cast %r{suffix} : i64
             %i{suffix} = constant {n} : index\nstore %v{suffix}, %R[%i{suffix}]"
        );
    }
    let text = format!("func @indices(%a: index, %b: index, %R: memref<i64x?>) {{\n{body}\n}}");
    let program = device.build(&text, 2)?;
    let results = device.memory(&vec![0i64; operations.len()])?;
    for (a, b) in [(7, 3), (-7, 2), (i64::MAX, 1), (i64::MIN, 5), (1, 63), (12, -5)] {
        let arguments = [a.into(), b.into(), (&results).into(), (operations.len() as i64).into()];
        crate::device::run(&program, "indices", [1, 1, 1], &arguments)?;
        for (op, &got) in operations.iter().zip(results.iter()) {
            judge::<i64>(op, a, b, got)?;
        }
    }
    Ok(())
}
