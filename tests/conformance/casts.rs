//! Casts between all number types, at run time and folded; constants of every type.

use std::fmt::Write as _;

use half::f16;

use crate::Case;
use crate::device::{Device, Outcome, run};
use crate::narrow::half;
use crate::numbers::{Number, Random};

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    macro_rules! from {
        ($($from:ty)*) => {
            $(cases.push(Case::new(format!("casts::from_{}", <$from>::NAME), |device| {
                to::<$from, i8>(device, 2)?;
                to::<$from, i16>(device, 0)?;
                to::<$from, i32>(device, 2)?;
                to::<$from, i64>(device, 1)?;
                to::<$from, f16>(device, 2)?;
                to::<$from, f32>(device, 1)?;
                to::<$from, f64>(device, 2)
            }));)*
        };
    }
    from! { i8 i16 i32 i64 f16 f32 f64 }
    cases.push(Case::new("casts::literals", literals));
    cases.push(Case::new("casts::index", index));
    cases.push(Case::new("casts::complex", complex));
    cases
}

/// Result of a cast (language reference 5.2); `None` if it is undefined.
fn converted<A: Number, B: Number>(value: A) -> Option<B> {
    let to_integer = B::UNIT == 0.0;
    if A::UNIT == 0.0 {
        let value = value.to_i64();
        return Some(if to_integer { B::from_i64(value) } else { nearest(value) });
    }
    let value = value.to_f64();
    if to_integer {
        let limit = 2f64.powi(8 * size_of::<B>() as i32 - 1);
        let whole = value.trunc();
        return (whole >= -limit && whole < limit).then(|| B::from_f64(whole));
    }
    Some(B::from_f64(value))
}

/// The nearest number, rounded once.
fn nearest<B: Number>(value: i64) -> B {
    match B::NAME {
        // An f32 holds every integer that f16 does not round to infinity.
        "f16" | "f32" => B::from_f64((value as f32).into()),
        _ => B::from_f64(value as f64),
    }
}

/// A real number that becomes complex before and behind a barrier, which a driver may not survive.
fn complex(device: &Device) -> Outcome {
    for subgroup_size in [4, 8, 16, 32, 64].into_iter().filter(|&size| device.has_geometry(size, [64, 1])) {
        let text = format!(
            "func @sums(%R: memref<c32x4>, %x: f32) attributes{{subgroup_size={subgroup_size}, work_group_size=[64,1]}} {{
                 %one = constant [1.0,0.0] : c32
                 %c = cast %x : c32
                 %d = add %c, %c : c32
                 %e = mul %c, %one : c32
                 %0 = constant 0 : index
                 %1 = constant 1 : index
                 %2 = constant 2 : index
                 store %e, %R[%0]
                 store %e, %R[%2]
                 store %e, %R[%2]
                 store %d, %R[%1]
                 store %c, %R[%2]
             }}
             func @complex(%R: memref<c32x4>, %x: index) attributes{{subgroup_size={subgroup_size}, work_group_size=[64,1]}} {{
                 %from = constant 0 : index
                 %to = constant 4 : index
                 foreach (%i)=(%from),(%to) {{
                     %c = cast %x : c32
                     store %c, %R[%i]
                 }}
                 %c = cast %x : c32
                 %last = constant 3 : index
                 store %c, %R[%last]
             }}"
        );
        let results = device.memory(&[0.0f32; 8])?;
        device.run_text(&text, 2, "complex", [1, 1, 1], &[(&results).into(), (-7i64).into()])?;
        crate::numbers::expect_equal("complex", &results, &[-7.0, 0.0].repeat(4))?;
        device.run_text(&text, 0, "sums", [1, 1, 1], &[(&results).into(), 3.0f32.into()])?;
        crate::numbers::expect_equal("sums", &results, &[3.0, 0.0, 6.0, 0.0, 3.0, 0.0, -7.0, 0.0])?;
    }
    Ok(())
}

fn samples<A: Number, B: Number>() -> Vec<A> {
    let mut random = Random::new(3);
    let mut values: Vec<A> =
        [0.0, -0.0, 1.0, -1.0, 1.5, -1.5, 2.5, 0.999, -0.999, 100.7, -128.0, 127.0, 127.9]
            .into_iter()
            .chain([32767.0, -32768.0, 2049.0, 16_777_217.0, 1e9, 65519.0])
            .map(A::from_f64)
            .collect();
    values.extend(random.numbers::<A>(200));
    // Floats of all sizes, not only fractions.
    values.extend((0..60).map(|i| A::from_f64(random.unit() * 2f64.powi(i))));
    if A::UNIT != 0.0 && B::UNIT != 0.0 {
        values.extend([f64::NAN, f64::INFINITY, -f64::INFINITY].map(A::from_f64));
    }
    values.retain(|&value| converted::<A, B>(value).is_some());
    values
}

fn to<A: Number, B: Number>(device: &Device, level: i32) -> Outcome {
    if A::require(device).is_err() || B::require(device).is_err() {
        return Ok(());
    }
    let (from, into) = (A::NAME, B::NAME);
    let values = samples::<A, B>();
    let mut text = format!(
        "func @run_time(%A: memref<{from}x?>, %R: memref<{into}x?>) {{
             %from = constant 0 : index
             %to = size %A[0] : index
             foreach (%i)=(%from),(%to) {{
                 %a = load %A[%i] : {from}
                 %r = cast %a : {into}
                 store %r, %R[%i]
             }}
         }}
         func @folded(%R: memref<{into}x?>) {{\n"
    );
    // The literal −2⁶³ does not exist.
    let constants: Vec<A> =
        values.iter().copied().filter(|value| value.to_i64() != i64::MIN).take(60).collect();
    for (n, value) in constants.iter().enumerate() {
        let literal = match A::UNIT {
            0.0 => value.to_i64().to_string(),
            _ => A::literal(value.to_f64()),
        };
        let _ = writeln!(
            text,
            "%a{n} = constant {literal} : {from}\n%r{n} = cast %a{n} : {into}
             %i{n} = constant {n} : index\nstore %r{n}, %R[%i{n}]"
        );
    }
    text += "}\n";
    let program = device.build(&text, level)?;
    let judge = |kernel: &str, values: &[A], results: &[B]| -> Outcome {
        for (&value, &got) in values.iter().zip(results) {
            let expected = converted::<A, B>(value);
            let equal = expected.is_some_and(|expected| {
                // Subnormal singles and halves may be flushed to zero.
                let smallest = if into == "f16" { 2f64.powi(-14) } else { 2f64.powi(-126) };
                let tiny = B::UNIT != 0.0 && expected.to_f64().abs() < smallest;
                got == expected
                    || (tiny && got.to_f64().abs() < smallest)
                    || (got.to_f64().is_nan() && expected.to_f64().is_nan())
            });
            if !equal {
                let message =
                    format!("{kernel}: cast {value:?} from {from} to {into} is {got:?}, not {expected:?}");
                return Err(message.into());
            }
        }
        Ok(())
    };
    let n = values.len() as i64;
    let input = device.memory(&values)?;
    let output = device.memory(&vec![B::from_f64(42.0); values.len()])?;
    run(&program, "run_time", [1, 1, 1], &[(&input).into(), n.into(), (&output).into(), n.into()])?;
    judge("run_time", &values, &output)?;
    let output = device.memory(&vec![B::from_f64(42.0); constants.len()])?;
    run(&program, "folded", [1, 1, 1], &[(&output).into(), (constants.len() as i64).into()])?;
    judge("folded", &constants, &output)
}

/// Constants arrive bit by bit, narrowed to their type.
fn literals(device: &Device) -> Outcome {
    f16::require(device)?;
    f64::require(device)?;
    let bits = |value: f64| value.to_bits() as i64;
    // The literal, its type, and what is stored there as a double or an integer.
    let table: [(&str, &str, f64); 19] = [
        ("0.1", "f64", 0.1),
        ("0.1", "f32", f64::from(0.1f32)),
        ("0.1", "f16", half(0.1).to_f64()),
        // A little more than a tie.
        ("0x1.0020000001p0", "f16", 1.000_976_562_5),
        ("-0.0", "f64", -0.0),
        ("-0.0", "f32", -0.0),
        ("inf", "f32", f64::INFINITY),
        ("-inf", "f16", f64::NEG_INFINITY),
        ("0x1p-1074", "f64", 5e-324),
        ("0x1.fffffep127", "f32", f64::from(f32::MAX)),
        ("1e300", "f32", f64::INFINITY),
        ("65504.", "f16", 65504.0),
        ("300", "i8", 44.0),
        ("-129", "i8", 127.0),
        ("65535", "i16", -1.0),
        ("2147483648", "i32", -2_147_483_648.0),
        ("9007199254740992", "i64", 9_007_199_254_740_992.0),
        ("-5", "index", -5.0),
        ("+0016", "i32", 16.0),
    ];
    let mut body = String::new();
    for (n, (literal, ty, _)) in table.iter().enumerate() {
        let value = if *ty == "f64" { format!("%c{n}") } else { format!("%d{n}") };
        let _ = writeln!(body, "%c{n} = constant {literal} : {ty}");
        if *ty != "f64" {
            let _ = writeln!(body, "%d{n} = cast %c{n} : f64");
        }
        let _ = writeln!(body, "%i{n} = constant {n} : index\nstore {value}, %R[%i{n}]");
    }
    let text = format!("func @literals(%R: memref<f64x{}>) {{\n{body}}}", table.len());
    for level in 0..=2 {
        let results = device.memory(&vec![7.0; table.len()])?;
        device.run_text(&text, level, "literals", [1, 1, 1], &[(&results).into()])?;
        for ((literal, ty, expected), &got) in table.iter().zip(results.iter()) {
            if bits(got) != bits(*expected) {
                return Err(format!(
                    "constant {literal} : {ty} is {got:?}, not {expected:?} (level {level})"
                )
                .into());
            }
        }
    }
    Ok(())
}

/// `index` converts as i64 does.
fn index(device: &Device) -> Outcome {
    let text = "func @index(%a: index, %b: i8, %c: f32, %R: memref<i64x4>, %F: memref<f32>) {
        %i0 = constant 0 : index
        %i1 = constant 1 : index
        %i2 = constant 2 : index
        %r0 = cast %a : i64
        store %r0, %R[%i0]
        %s = cast %b : index
        %r1 = cast %s : i64
        store %r1, %R[%i1]
        %t = cast %c : index
        %r2 = cast %t : i64
        store %r2, %R[%i2]
        %f = cast %a : f32
        store %f, %F[]
    }";
    let (r, f) = (device.memory(&[0i64; 4])?, device.memory(&[0.0f32])?);
    let arguments = [(-3_000_000_000i64).into(), (-7i8).into(), (-2.9f32).into(), (&r).into(), (&f).into()];
    device.run_text(text, 2, "index", [1, 1, 1], &arguments)?;
    crate::numbers::expect_equal("integers", &r[..3], &[-3_000_000_000, -7, -2])?;
    crate::numbers::expect_equal("float", &f, &[-3e9])
}
