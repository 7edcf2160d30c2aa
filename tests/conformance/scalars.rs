//! Scalars of the newer kinds: complex and bf16 arithmetic, elementary functions, atomic updates, and
//! combinations over a subgroup.

use half::bf16;
use num_complex::Complex;
use tiletc::runtime::opencl::Argument;
use tiletc::target::SpirvFeature;

use crate::Case;
use crate::device::{Device, Kernels, Outcome, Stop, run};
use crate::entries::{Entry, plus, size, times};
use crate::numbers::{Random, expect_equal, gamma};

/// Numbers a kernel gets.
const COUNT: usize = 64;

pub fn cases() -> Vec<Case> {
    let mut cases = vec![
        Case::new("scalars::complex::c32", complex::<Complex<f32>, f32>),
        Case::new("scalars::complex::c64", complex::<Complex<f64>, f64>),
        Case::new("scalars::bf16", brain_float),
        Case::new("scalars::math", math),
        Case::new("scalars::atomic::i32", atomic::<i32>),
        Case::new("scalars::atomic::i64", atomic::<i64>),
        Case::new("scalars::atomic::f32", atomic::<f32>),
        Case::new("scalars::atomic::f64", atomic::<f64>),
    ];
    macro_rules! subgroup {
        ($($ty:ty)*) => {
            $(cases.push(Case::new(format!("scalars::subgroup::{}", <$ty>::NAME), subgroup::<$ty>));)*
        };
    }
    subgroup! { i32 i64 f32 f64 bf16 Complex<f32> }
    cases
}

/// Skips the test unless the device computes with the type.
fn require<T: Entry>(device: &Device) -> Outcome {
    if ["f64", "c64"].contains(&T::NAME) { device.require(SpirvFeature::Float64) } else { Ok(()) }
}

/// A part must lie within the bound; NaN does not.
fn close(what: &str, got: f64, expected: f64, bound: f64) -> Outcome {
    if got == expected || (got - expected).abs() <= bound {
        return Ok(());
    }
    Err(format!("{what} is {got:e}, not {expected:e} ± {bound:e}").into())
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
    let results = device.memory(&vec![T::from_parts([0.0; 2]); COUNT * 10])?;
    let reals = device.memory(&vec![P::from_parts([0.0; 2]); COUNT * 3])?;
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

/// Every work-item of several work-groups updates the same elements, in global and in local memory.
fn atomic<T: Entry>(device: &Device) -> Outcome {
    require::<T>(device)?;
    let ty = T::NAME;
    let (groups, [x, y]) = (3, [32, 2]);
    if !device.has_geometry(16, [x, y]) {
        return Err(Stop::Skip("no subgroups of 16".to_owned()));
    }
    let items = (x * y) as usize;
    let update = |memory: &str, scope: &str| -> String {
        let updates = ["add", "max", "min"].map(|op| {
            let value = if op == "add" { "%one" } else { "%x" };
            format!(
                "%{op}_{memory} = atomic_{op}{scope} {value}, %{memory}[%{op}] : {ty}
                 store %{op}_{memory}, %old_{memory}[%at,%{op}]\n"
            )
        });
        updates.concat()
    };
    let text = format!(
        "func @f(%X: memref<{ty}x{total}>, %G: memref<{ty}x3>, %old_G: memref<{ty}x{total}x3>,
                %old_L: memref<{ty}x{total}x3>, %final_L: memref<{ty}x3x{groups}>)
                attributes{{subgroup_size=16, work_group_size=[{x},{y}]}} {{
            %add = constant 0 : index
            %max = constant 1 : index
            %min = constant 2 : index
            %three = constant 3 : index
            %items = constant {items} : index
            %group = group_id.x : index
            %one = constant {one} : {ty}
            %zero = constant {zero} : {ty}
            %L = alloca : memref<{ty}x3,local>
            foreach (%i)=(%add),(%three) {{
                store %zero, %L[%i]
            }}
            parallel {{
                %subgroup = subgroup_linear_id : i32
                %size = subgroup_size : i32
                %lane = subgroup_local_id : i32
                %first = mul %subgroup, %size : i32
                %item = add %first, %lane : i32
                %place = cast %item : index
                %start = mul %group, %items : index
                %at = add %start, %place : index
                %x = load %X[%at] : {ty}
                {global}
                {local}
            }}
            foreach (%i)=(%add),(%three) {{
                %x = load %L[%i] : {ty}
                store %x, %final_L[%i,%group]
            }}
        }}",
        total = groups * items,
        one = T::literal([1.0, 0.0]),
        zero = T::literal([0.0, 0.0]),
        global = update("G", ".device"),
        local = update("L", ""),
    );
    let total = groups * items;
    let number = |value: f64| T::from_parts([value, 0.0]);
    let mut random = Random::new(6);
    let values: Vec<T> = (0..total).map(|_| T::few_bits(&mut random)).collect();
    let x = device.memory(&values)?;
    let global = device.memory(&[number(0.0); 3])?;
    let [old_global, old_local] =
        [device.memory(&vec![number(-9.0); 3 * total])?, device.memory(&vec![number(-9.0); 3 * total])?];
    let final_local = device.memory(&vec![number(-9.0); 3 * groups])?;
    device.run_text(
        &text,
        2,
        "f",
        [groups, 1, 1],
        &[(&x).into(), (&global).into(), (&old_global).into(), (&old_local).into(), (&final_local).into()],
    )?;
    let real = |value: &T| value.parts()[0];
    let check = |what: &str, values: &[T], olds: [&[T]; 3], results: &[T]| -> Outcome {
        let values: Vec<f64> = values.iter().map(real).collect();
        let max = values.iter().copied().fold(0.0, f64::max);
        let min = values.iter().copied().fold(0.0, f64::min);
        let results: Vec<f64> = results.iter().map(real).collect();
        expect_equal(what, &results, &[values.len() as f64, max, min])?;
        // Each work-item met another count.
        let mut counts: Vec<f64> = olds[0].iter().map(real).collect();
        counts.sort_by(f64::total_cmp);
        let expected: Vec<f64> = (0..values.len()).map(|n| n as f64).collect();
        expect_equal(&format!("{what}, counts"), &counts, &expected)?;
        // What was there was put there, and somebody was the first.
        for (old, sign) in olds[1..].iter().zip([1.0, -1.0]) {
            let old: Vec<f64> = old.iter().map(real).collect();
            if !old.contains(&0.0) {
                return Err(format!("{what}: nobody found the first value").into());
            }
            if let Some(old) =
                old.iter().find(|&&old| old != 0.0 && (!values.contains(&old) || old * sign < 0.0))
            {
                return Err(format!("{what}: {old} was never there").into());
            }
        }
        Ok(())
    };
    let columns = |olds: &[T], from: usize, to: usize| -> [Vec<T>; 3] {
        [0, 1, 2].map(|column| olds[column * total + from..column * total + to].to_vec())
    };
    let olds = columns(&old_global, 0, total);
    check(&format!("global {ty}"), &values, olds.each_ref().map(Vec::as_slice), &global)?;
    for group in 0..groups {
        let (from, to) = (group * items, (group + 1) * items);
        let olds = columns(&old_local, from, to);
        let results = &final_local[3 * group..3 * group + 3];
        check(&format!("local {ty}"), &values[from..to], olds.each_ref().map(Vec::as_slice), results)?;
    }
    Ok(())
}

/// Reductions, scans and broadcasts of two subgroups.
fn subgroup<T: Entry>(device: &Device) -> Outcome {
    require::<T>(device)?;
    let ty = T::NAME;
    let kinds: &[&str] = if T::COMPLEX { &["add"] } else { &["add", "max", "min"] };
    let sizes: Vec<i32> =
        [8, 16, 32].into_iter().filter(|&size| device.has_geometry(size, [2 * size, 1])).collect();
    let kernels = Kernels::new(sizes.iter().map(|&size| {
        let mut body = format!(
            "%five = constant 5 : i32\n%c0 = constant 0 : index
             %b = subgroup_broadcast %x, %five : {ty}\nstore %b, %R[%at,%c0]\n"
        );
        for (n, kind) in kinds.iter().enumerate() {
            for (m, form) in ["exclusive_scan", "inclusive_scan", "reduce"].into_iter().enumerate() {
                let column = 1 + 3 * n + m;
                body += &format!(
                    "%c{column} = constant {column} : index
                     %v{column} = subgroup_{form}_{kind} %x : {ty}
                     store %v{column}, %R[%at,%c{column}]\n"
                );
            }
        }
        format!(
            "(%X: memref<{ty}x{count}>, %R: memref<{ty}x{count}x10>)
                    attributes{{subgroup_size={size}, work_group_size=[{count},1]}} {{
                parallel {{
                    %subgroup = subgroup_linear_id : i32
                    %size = subgroup_size : i32
                    %lane = subgroup_local_id : i32
                    %first = mul %subgroup, %size : i32
                    %item = add %first, %lane : i32
                    %at = cast %item : index
                    %x = load %X[%at] : {ty}
                    {body}
                }}
            }}",
            count = 2 * size
        )
    }));
    let program = device.build(&kernels.text, 2)?;
    let mut random = Random::new(8);
    for (n, size_) in sizes.into_iter().enumerate() {
        let (width, count) = (size_ as usize, 2 * size_ as usize);
        let values: Vec<T> = (0..count).map(|_| T::few_bits(&mut random)).collect();
        let x = device.memory(&values)?;
        let results = device.memory(&vec![T::from_parts([0.0; 2]); count * 10])?;
        run(&program, kernels.name(n), [1, 1, 1], &[Argument::from(&x), (&results).into()])?;
        for at in 0..count {
            let (first, lane) = (at / width * width, at % width);
            let terms = &values[first..first + width];
            let got = |column: usize| results[at + column * count].parts();
            let what = format!("lane {lane} of {width} of {ty}");
            expect_equal(&format!("{what}, broadcast"), &got(0), &terms[5].parts())?;
            for (m, terms) in [&terms[..lane], &terms[..=lane], terms].into_iter().enumerate() {
                let parts = || terms.iter().map(|term| term.parts());
                // The sums are exact but in bf16.
                let bound = match ty {
                    "bf16" => gamma(width, T::UNIT) * parts().map(size).sum::<f64>(),
                    _ => 0.0,
                };
                let sum = parts().fold([0.0; 2], plus);
                for part in 0..2 {
                    close(&format!("{what}, sum {m}"), got(1 + m)[part], sum[part], bound)?;
                }
                if T::COMPLEX {
                    continue;
                }
                let reals = || parts().map(|[re, _]| re);
                let (lowest, highest) = match ty {
                    "i32" => (f64::from(i32::MIN), f64::from(i32::MAX)),
                    "i64" => (i64::MIN as f64, i64::MAX as f64),
                    _ => (f64::NEG_INFINITY, f64::INFINITY),
                };
                close(&format!("{what}, maximum {m}"), got(4 + m)[0], reals().fold(lowest, f64::max), 0.0)?;
                close(&format!("{what}, minimum {m}"), got(7 + m)[0], reals().fold(highest, f64::min), 0.0)?;
            }
        }
    }
    Ok(())
}
