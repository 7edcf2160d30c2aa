//! Scalars of the newer kinds: complex and bf16 arithmetic, elementary functions.

use half::bf16;
use num_complex::Complex;

use crate::Case;
use crate::device::{Device, Outcome};
use crate::entries::{Entry, close, plus, require, size, times};
use crate::numbers::{Random, expect_equal, gamma};

/// Numbers a kernel gets.
const COUNT: usize = 64;

pub fn cases() -> Vec<Case> {
    vec![
        Case::new("scalars::complex::c32", complex::<Complex<f32>, f32>),
        Case::new("scalars::complex::c64", complex::<Complex<f64>, f64>),
        Case::new("scalars::bf16", brain_float),
        Case::new("scalars::math", math),
    ]
}

/// A kernel that computes `values`, each a name with its type and where it goes, for each of a and b.
fn elementwise(inputs: &str, outputs: &str, body: &str) -> String {
    format!(
        "func @f({inputs}, {outputs}) {{
            %zero = constant 0 : index
            %count = constant {COUNT} : index
            foreach (%i)=(%zero),(%count) {{
{body}
            }}
        }}"
    )
}

/// Stores values in columns of a tensor, one column each.
fn stores(tensor: &str, values: &[&str]) -> String {
    let store = |(column, value): (usize, &&str)| {
        format!(
            "                %{tensor}{column} = constant {column} : index
                store {value}, %{tensor}[%i,%{tensor}{column}]\n"
        )
    };
    values.iter().enumerate().map(store).collect()
}

fn complex<T: Entry, P: Entry>(device: &Device) -> Outcome {
    require::<T>(device)?;
    let (ty, part) = (T::NAME, P::NAME);
    let other = if ty == "c32" { "c64" } else { "c32" };
    let text = elementwise(
        &format!("%A: memref<{ty}x{COUNT}>, %B: memref<{ty}x{COUNT}>"),
        &format!("%R: memref<{ty}x{COUNT}x10>, %S: memref<{part}x{COUNT}x3>, %E: memref<i32x{COUNT}x4>"),
        &(format!(
            "%a = load %A[%i] : {ty}
             %b = load %B[%i] : {ty}
             %add = add %a, %b : {ty}
             %sub = sub %a, %b : {ty}
             %mul = mul %a, %b : {ty}
             %div = div %a, %b : {ty}
             %neg = neg %a : {ty}
             %conj = conj %a : {ty}
             %exp = exp %a : {ty}
             %exp2 = exp2 %a : {ty}
             %abs = abs %a : {part}
             %re = re %a : {part}
             %im = im %a : {part}
             %real = cast %re : {ty}
             %there = cast %a : {other}
             %back = cast %there : {ty}
             %same_re = cast %re : {ty}
             %e0 = equal %a, %a : bool
             %e1 = equal %a, %real : bool
             %e2 = not_equal %a, %a : bool
             %e3 = not_equal %a, %real : bool
             %one = constant 1 : i32
             %none = constant 0 : i32\n"
        ) + &(0..4)
            .map(|n| format!("%n{n} = if %e{n} -> (i32) {{ yield (%one) }} else {{ yield (%none) }}\n"))
            .collect::<String>()
            + &stores(
                "R",
                &["%add", "%sub", "%mul", "%div", "%neg", "%conj", "%exp", "%exp2", "%real", "%back"],
            )
            + &stores("S", &["%abs", "%re", "%im"])
            + &stores("E", &["%n0", "%n1", "%n2", "%n3"])),
    );
    let mut random = Random::new(3);
    let mut numbers = || -> Vec<T> { (0..COUNT).map(|_| T::few_bits(&mut random)).collect() };
    let (mut a, mut b) = (numbers(), numbers());
    a[0] = T::from_parts([0.5, 0.0]);
    b[1] = T::from_parts([0.0, 0.25]);
    let [a, b] = [device.memory(&a)?, device.memory(&b)?];
    let results = device.memory(&[T::from_parts([0.0; 2]); COUNT * 10])?;
    let reals = device.memory(&[P::from_parts([0.0; 2]); COUNT * 3])?;
    let equal = device.memory(&[-1i32; COUNT * 4])?;
    device.run_text(
        &text,
        2,
        "f",
        [1, 1, 1],
        &[(&a).into(), (&b).into(), (&results).into(), (&reals).into(), (&equal).into()],
    )?;
    // In double precision the host's own errors come on top.
    let unit = if ty == "c64" { 2.0 * T::UNIT } else { T::UNIT };
    for i in 0..COUNT {
        let (x, y) = (a[i].parts(), b[i].parts());
        let square = y[0] * y[0] + y[1] * y[1];
        let quotient = times(x, [y[0], -y[1]]).map(|part| part / square);
        let exp = |[re, im]: [f64; 2]| [re.exp() * im.cos(), re.exp() * im.sin()];
        let ln_2 = std::f64::consts::LN_2;
        let minus = y.map(|part| -part);
        // Allowed by OpenCL: division 2.5 ulp, exp and exp2 3 ulp, sin and cos 4 ulp, hypot 4 ulp, an ulp
        // being at most 2·u; the angle of exp2 is rounded twice, of a size below 1.
        let expected = [
            ("add", plus(x, y), gamma(1, unit) * (size(x) + size(y))),
            ("sub", plus(x, minus), gamma(1, unit) * (size(x) + size(y))),
            ("mul", times(x, y), gamma(2, unit) * size(x) * size(y)),
            ("div", quotient, gamma(9, unit) * size(x) * size(y) / square),
            ("neg", x.map(|part| -part), 0.0),
            ("conj", [x[0], -x[1]], 0.0),
            ("exp", exp(x), gamma(15, unit) * x[0].exp()),
            ("exp2", exp(x.map(|part| part * ln_2)), gamma(17, unit) * x[0].exp2()),
            ("cast of the real part", [x[0], 0.0], 0.0),
            ("cast there and back", x, 0.0),
        ];
        for (column, (what, expected, bound)) in expected.into_iter().enumerate() {
            let got = results[i + column * COUNT].parts();
            close(&format!("real part of {what} of {x:?}, {y:?}"), got[0], expected[0], bound)?;
            close(&format!("imaginary part of {what} of {x:?}, {y:?}"), got[1], expected[1], bound)?;
        }
        let modulus = x[0].hypot(x[1]);
        for (column, (what, expected, bound)) in
            [("abs", modulus, gamma(8, unit) * modulus), ("re", x[0], 0.0), ("im", x[1], 0.0)]
                .into_iter()
                .enumerate()
        {
            close(&format!("{what} of {x:?}"), reals[i + column * COUNT].parts()[0], expected, bound)?;
        }
        let is_real = i32::from(x[1] == 0.0);
        let got: Vec<i32> = (0..4).map(|column| equal[i + column * COUNT]).collect();
        expect_equal(&format!("comparisons of {x:?}"), &got, &[1, is_real, 0, 1 - is_real])?;
    }
    Ok(())
}

/// bf16 is computed with in single precision, then rounded.
fn brain_float(device: &Device) -> Outcome {
    let binary = ["add", "sub", "mul", "div", "max", "min"];
    let mut body = "%a = load %A[%i] : bf16\n%b = load %B[%i] : bf16\n".to_owned();
    for op in binary {
        body += &format!("%{op} = {op} %a, %b : bf16\n");
    }
    body += "%neg = neg %a : bf16\n%abs = abs %a : bf16\n%sin = sin %a : bf16\n%wide = cast %a : f32
             %third = constant 0x1.5555p-2 : f32\n%product = mul %wide, %third : f32
             %narrow = cast %product : bf16\n%less = less_than %a, %b : bool
             %least = if %less -> (bf16) { yield (%a) } else { yield (%b) }
             %whole = cast %a : i32\n%from_whole = cast %whole : bf16\n";
    let names = [
        "%add",
        "%sub",
        "%mul",
        "%div",
        "%max",
        "%min",
        "%neg",
        "%abs",
        "%sin",
        "%narrow",
        "%least",
        "%from_whole",
    ];
    body += &stores("R", &names);
    let text = elementwise(
        &format!("%A: memref<bf16x{COUNT}>, %B: memref<bf16x{COUNT}>"),
        &format!("%R: memref<bf16x{COUNT}x{}>", names.len()),
        &body,
    );
    let mut random = Random::new(4);
    let mut numbers = || -> Vec<bf16> { (0..COUNT).map(|_| bf16::from_f64(9.0 * random.unit())).collect() };
    let [a, b] = [device.memory(&numbers())?, device.memory(&numbers())?];
    let results = device.memory(&vec![bf16::ZERO; COUNT * names.len()])?;
    device.run_text(&text, 2, "f", [1, 1, 1], &[(&a).into(), (&b).into(), (&results).into()])?;
    for i in 0..COUNT {
        let [x, y] = [a[i].to_f64(), b[i].to_f64()];
        let third = f64::from_bits(0x3fd5_5550_0000_0000);
        let exact = [
            x + y,
            x - y,
            x * y,
            x / y,
            x.max(y),
            x.min(y),
            -x,
            x.abs(),
            x.sin(),
            x * third,
            x.min(y),
            x.trunc(),
        ];
        for (column, exact) in exact.into_iter().enumerate() {
            // At most 4 ulp in single precision, then one rounding.
            let single = exact.abs() * gamma(8, f32::UNIT);
            let bound = match names[column] {
                "%max" | "%min" | "%neg" | "%abs" | "%least" | "%from_whole" => 0.0,
                _ => exact.abs() * bf16::UNIT + 2.0 * single,
            };
            let what = format!("{} of {x}, {y}", names[column]);
            close(&what, results[i + column * COUNT].to_f64(), exact, bound)?;
        }
    }
    Ok(())
}

type Function = (&'static str, fn(f64) -> f64, f64);

/// The functions, and how many ulp OpenCL allows, the same in single and double precision.
const FUNCTIONS: [Function; 6] = [
    ("cos", f64::cos, 4.0),
    ("sin", f64::sin, 4.0),
    ("exp", f64::exp, 3.0),
    ("exp2", f64::exp2, 3.0),
    ("log", f64::ln, 3.0),
    ("log2", f64::log2, 3.0),
];

fn math(device: &Device) -> Outcome {
    fn check<T: Entry>(device: &Device, prefix: &str, bound: impl Fn(f64, f64) -> f64) -> Outcome {
        require::<T>(device)?;
        let ty = T::NAME;
        let mut body = format!("%a = load %A[%i] : {ty}\n");
        for (name, ..) in FUNCTIONS {
            body += &format!("%{name} = {prefix}{name} %a : {ty}\n");
        }
        body += &stores("R", &FUNCTIONS.map(|(name, ..)| format!("%{name}")).each_ref().map(String::as_str));
        let text = elementwise(
            &format!("%A: memref<{ty}x{COUNT}>"),
            &format!("%R: memref<{ty}x{COUNT}x{}>", FUNCTIONS.len()),
            &body,
        );
        let mut random = Random::new(5);
        // All functions are defined there; the logarithms change sign.
        let numbers: Vec<T> = (0..COUNT).map(|_| T::from_parts([4.02 + 4.0 * random.unit(), 0.0])).collect();
        let a = device.memory(&numbers)?;
        let results = device.memory(&vec![T::from_parts([0.0; 2]); COUNT * FUNCTIONS.len()])?;
        device.run_text(&text, 2, "f", [1, 1, 1], &[(&a).into(), (&results).into()])?;
        for (column, (name, function, ulps)) in FUNCTIONS.into_iter().enumerate() {
            for i in 0..COUNT {
                let x = a[i].parts()[0];
                let (got, exact) = (results[i + column * COUNT].parts()[0], function(x));
                close(&format!("{prefix}{name} of {x:?} in {ty}"), got, exact, bound(exact, ulps))?;
            }
        }
        Ok(())
    }
    check::<f32>(device, "", |exact, ulps| 2.0 * f32::UNIT * ulps * exact.abs())?;
    // The host's functions have errors below 1 ulp themselves.
    check::<f64>(device, "", |exact, ulps| 2.0 * f64::UNIT * (ulps + 1.0) * exact.abs())?;
    // Native functions may have any accuracy; this tells them from other functions.
    check::<f32>(device, "native_", |exact, _| 1e-3 * (1.0 + exact.abs()))
}
