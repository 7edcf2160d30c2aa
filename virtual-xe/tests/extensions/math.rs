//! The functions of OpenCL.std against values of 256 bits, with the bounds of the OpenCL C specification
//! (section 7.4, full profile).

use crate::functions::{Exact, nearest, number, sub, table, with_integers};
use crate::{Module, download, random, upload};
use half::f16;
use virtual_xe::{Argument, Memory};

/// Arguments that each function is tried with, in each precision.
const TRIES: usize = 64;

/// A precision: its name in assembly, bits of its fraction, exponent of its smallest normal number.
#[derive(Clone, Copy, PartialEq)]
enum Precision {
    Half,
    Single,
    Double,
}

impl Precision {
    fn round(self, value: f64) -> f64 {
        match self {
            Precision::Half => f16::from_f64(value).to_f64(),
            Precision::Single => f64::from(value as f32),
            Precision::Double => value,
        }
    }

    /// The unit in the last place of a number.
    fn unit(self, value: f64) -> f64 {
        let (digits, least) = match self {
            Precision::Half => (10, -14),
            Precision::Single => (23, -126),
            Precision::Double => (52, -1022),
        };
        let exponent = if value == 0.0 { least } else { (value.abs().log2().floor() as i32).max(least) };
        // In two steps, because the smallest of them is the reciprocal of no double.
        f64::powi(2.0, exponent) * f64::powi(2.0, -digits)
    }

    fn name(self) -> &'static str {
        match self {
            Precision::Half => "half",
            Precision::Single => "float",
            Precision::Double => "double",
        }
    }

    fn upload(self, memory: &Memory, values: &[f64]) -> u64 {
        match self {
            Precision::Half => upload(memory, values, |value| f16::from_f64(value).to_le_bytes()),
            Precision::Single => upload(memory, values, |value| (value as f32).to_le_bytes()),
            Precision::Double => upload(memory, values, f64::to_le_bytes),
        }
    }

    fn download(self, memory: &Memory, address: u64, count: usize) -> Vec<f64> {
        match self {
            Precision::Half => download(memory, address, count, |bytes| f16::from_le_bytes(bytes).to_f64()),
            Precision::Single => download(memory, address, count, |bytes| f32::from_le_bytes(bytes).into()),
            Precision::Double => download(memory, address, count, f64::from_le_bytes),
        }
    }
}

/// Applies a function to each pair of arguments.
fn apply(
    name: &str,
    precision: Precision,
    is_integer: bool,
    two: bool,
    arguments: &[(f64, f64)],
) -> Vec<f64> {
    let of = precision.name();
    let second = if is_integer { "int" } else { of };
    let types = match precision {
        Precision::Single => String::new(),
        Precision::Half => {
            format!("%{of} = OpTypeFloat 16\n%ptr_{of} = OpTypePointer CrossWorkgroup %{of}\n")
        }
        Precision::Double => {
            format!("%{of} = OpTypeFloat 64\n%ptr_{of} = OpTypePointer CrossWorkgroup %{of}\n")
        }
    };
    let b = if two { "%b" } else { "" };
    let mut body = String::new();
    for (at, start) in (0..arguments.len()).step_by(32).enumerate() {
        let indent = if at == 0 {
            "%at = OpCopyObject %int %lane\n".to_owned()
        } else {
            format!("%at{at} = OpIAdd %int %lane %s{at}\n")
        };
        let place = if at == 0 { "%at".to_owned() } else { format!("%at{at}") };
        assert!(start == at * 32);
        body += &format!(
            "{indent}%a_p{at} = OpPtrAccessChain %ptr_{of} %p0 {place}
%b_p{at} = OpPtrAccessChain %ptr_{second} %p1 {place}
%c_p{at} = OpPtrAccessChain %ptr_{of} %p2 {place}
%a{at} = OpLoad %{of} %a_p{at}
%b{at} = OpLoad %{second} %b_p{at}
%c{at} = OpExtInst %{of} %std {name} %a{at} {}
OpStore %c_p{at} %c{at}\n",
            if b.is_empty() { String::new() } else { format!("{b}{at}") }
        );
    }
    let steps: String =
        (1..arguments.len() / 32).map(|at| format!("%s{at} = OpConstant %int {}\n", at * 32)).collect();
    let pointer = |of: &str| match of {
        "half" => "ptr_half",
        "float" => "ptr_float",
        "double" => "ptr_double",
        _ => "ptr_int",
    };
    let module = Module {
        capabilities: vec!["Float16", "Float64"],
        subgroup: 32,
        types: types + &steps,
        parameters: vec![pointer(of), pointer(second), pointer(of)],
        body,
        ..Module::default()
    };
    let memory = Memory::new();
    let a: Vec<f64> = arguments.iter().map(|&(a, _)| a).collect();
    let b: Vec<f64> = arguments.iter().map(|&(_, b)| b).collect();
    let a = precision.upload(&memory, &a);
    let b = if is_integer {
        upload(&memory, &b, |b| (b as i32).to_le_bytes())
    } else {
        precision.upload(&memory, &b)
    };
    let c = precision.upload(&memory, &vec![0.0; arguments.len()]);
    let reports = module.run(&memory, &[a, b, c].map(Argument::address));
    assert_eq!(reports, Vec::<String>::new());
    precision.download(&memory, c, arguments.len())
}

#[test]
fn functions_are_as_precise_as_opencl_asks() {
    let mut exact = Exact::new();
    let mut wrong = Vec::new();
    let rows = table().into_iter().map(|row| (row, false));
    for ((name, single, double, first, second, value), is_integer) in
        rows.chain(with_integers().into_iter().map(|row| (row, true)))
    {
        for precision in [Precision::Half, Precision::Single, Precision::Double] {
            // Half precision is asked for two units at most where it is single precision's three or more.
            let bound: f64 = match precision {
                Precision::Half => single.min(2.0),
                Precision::Single => single,
                Precision::Double => double,
            };
            let mut next = random(name.bytes().map(u64::from).sum());
            let mut within = |(least, most): (f64, f64)| {
                let part = (next() % (1 << 40)) as f64 / (1u64 << 40) as f64;
                least + (most - least) * part
            };
            let arguments: Vec<(f64, f64)> = (0..TRIES)
                .map(|_| {
                    let b = second.map_or(0.0, &mut within);
                    let b = if is_integer { b.round() } else { precision.round(b) };
                    (precision.round(within(first)), b)
                })
                .collect();
            let given = apply(name, precision, is_integer, second.is_some(), &arguments);
            let mut worst = (0.0, (0.0, 0.0), 0.0);
            for (&(a, b), &given) in arguments.iter().zip(&given) {
                let wanted = value(&mut exact, &number(a), &number(b));
                let error = nearest(&sub(&number(given), &wanted)).abs();
                // A pole, where 256 bits of π leave the value finite.
                if given.is_infinite() && nearest(&wanted).abs() > f64::powi(2.0, 200) {
                    continue;
                }
                let units = error / precision.unit(nearest(&wanted));
                if units > worst.0 || units.is_nan() {
                    worst = (units, (a, b), given);
                }
            }
            // What is half way between two numbers is rounded to either.
            if worst.0.is_nan() || worst.0 > bound * (1.0 + 1e-9) {
                let (units, arguments, given) = worst;
                let of = precision.name();
                wrong.push(format!(
                    "{name} of {arguments:?} in {of} is {given}: {units} units off, not {bound}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn functions_of_half_turns_are_exact_at_quarters() {
    // OpenCL C, section 7.5.1: the signs of zeros and infinities.
    let cases = [
        ("sinpi", 1.0, 0.0),
        ("sinpi", -3.0, -0.0),
        ("sinpi", 0.5, 1.0),
        ("sinpi", -0.5, -1.0),
        ("cospi", 0.5, 0.0),
        ("cospi", 2.5, 0.0),
        ("cospi", 3.0, -1.0),
        ("tanpi", 0.5, f64::INFINITY),
        ("tanpi", -5.5, f64::INFINITY),
        ("tanpi", 1.5, f64::NEG_INFINITY),
        ("tanpi", 1.0, -0.0),
        ("tanpi", -1.0, 0.0),
        ("tanpi", 2.0, 0.0),
    ];
    for (name, argument, wanted) in cases {
        for precision in [Precision::Half, Precision::Single, Precision::Double] {
            let given = apply(name, precision, false, false, &[(argument, 0.0); 32])[0];
            assert_eq!(given.to_bits(), wanted.to_bits(), "{name} of {argument} is {given}");
        }
    }
}
