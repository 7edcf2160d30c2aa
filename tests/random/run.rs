//! Programs on a device: the same results whatever the level and the shape of the work-group.

use crate::device::{Argument, Device, Memory, Stop, run};
use crate::generate::{Kind, Parameter};
use crate::properties::{Wrong, made};
use crate::scope::Mem;
use half::{bf16, f16};
use num_complex::Complex;
use tiletc::driver;
use tiletc::ir::{Attribute, Dictionary, Scalar};

/// Level, subgroup size and work-group size.
type Variant = (i32, i64, [i64; 2]);

/// What the others are compared with.
const FIRST: Variant = (0, 16, [16, 1]);
/// One of them is taken for each program, since building kernels takes most of the time.
const OTHERS: [Variant; 3] = [(2, 32, [32, 2]), (2, 16, [32, 2]), (0, 32, [64, 1])];

/// What became of a program.
pub enum Outcome {
    /// It ran, with equal results.
    Equal,
    /// The device cannot run it.
    Skipped,
}

/// Runs a program in two variants. The device has one work-group to itself, so that nothing races.
pub fn equal_results(device: &Device, numbers: &[u32]) -> Result<Outcome, Wrong> {
    let mut expected: Option<Vec<Vec<f64>>> = None;
    let other = OTHERS[numbers.iter().map(|&n| n as usize).sum::<usize>() % OTHERS.len()];
    for (level, size, group) in [FIRST, other] {
        if !device.has_geometry(size as i32, group.map(|n| n as i32)) {
            return Ok(Outcome::Skipped);
        }
        let mut made = made(numbers, Kind::Exact)?;
        let func = made.program.functions[0];
        let integers = |numbers: &[i64]| numbers.iter().map(|&n| Attribute::Integer(n)).collect();
        made.ir[func].attributes = Some(Dictionary::from([
            ("subgroup_size".to_owned(), Attribute::Integer(size)),
            ("work_group_size".to_owned(), Attribute::Array(integers(&group))),
        ]));
        let text = driver::print(&made.ir, &made.program).to_string();
        let found = match results(device, &text, level, &made.parameters) {
            Ok(found) => found,
            Err(Stop::Skip(_)) => return Ok(Outcome::Skipped),
            Err(Stop::Fail(message)) => return Err(format!("-O{level}: {message}")),
        };
        match &expected {
            None => expected = Some(found),
            Some(expected) => compare(expected, &found).map_err(|what| {
                format!("{what} at -O{level} from what -O0 with subgroups of 16 gives:\n{text}")
            })?,
        }
    }
    Ok(Outcome::Equal)
}

/// Equal as numbers: -0 is 0.
fn compare(expected: &[Vec<f64>], found: &[Vec<f64>]) -> Result<(), String> {
    for (number, (expected, found)) in expected.iter().zip(found).enumerate() {
        if let Some(at) = (0..expected.len()).find(|&at| expected[at] != found[at]) {
            let (expected, found) = (expected[at], found[at]);
            return Err(format!(
                "element {at} of memory {number} is {found} instead of {expected}, different"
            ));
        }
    }
    Ok(())
}

/// What a program leaves in the memory of its parameters.
fn results(device: &Device, text: &str, level: i32, parameters: &[Parameter]) -> Result<Vec<Vec<f64>>, Stop> {
    let program = device.build(text, level)?;
    let mut memories: Vec<Memory<u8>> = Vec::new();
    for parameter in parameters {
        if let Parameter::Memref(mem) = parameter {
            memories.push(device.memory(&initial(mem))?);
        }
    }
    let mut next = memories.iter();
    let mut arguments: Vec<Argument<'_>> = Vec::new();
    for parameter in parameters {
        match parameter {
            Parameter::Scalar(scalar, number) => arguments.push(argument(*scalar, *number)),
            Parameter::Memref(mem) => {
                arguments.extend(next.next().map(Argument::from));
                let extents =
                    mem.ty.shape.iter().zip(&mem.shape).chain(mem.ty.stride.iter().zip(&mem.stride));
                arguments.extend(
                    extents
                        .filter(|(extent, _)| extent.is_dynamic())
                        .map(|(_, &number)| Argument::from(number)),
                );
            }
            Parameter::Group => return Err(Stop::Skip("a group".to_owned())),
        }
    }
    run(&program, "f", [1, 1, 1], &arguments).map_err(|error| format!("{error}\n{text}"))?;
    let mems = parameters.iter().filter_map(|parameter| match parameter {
        Parameter::Memref(mem) => Some(mem),
        _ => None,
    });
    Ok(mems.zip(&memories).map(|(mem, memory)| decode(mem.element(), memory)).collect())
}

/// Small integers of both signs.
fn initial(mem: &Mem) -> Vec<u8> {
    let last: i64 = mem.shape.iter().zip(&mem.stride).map(|(size, stride)| (size - 1) * stride).sum();
    (0..=last).flat_map(|at| encode(mem.element(), (at * 5 + mem.root as i64) % 7 - 3)).collect()
}

fn encode(scalar: Scalar, number: i64) -> Vec<u8> {
    let float = number as f64;
    match scalar {
        Scalar::I8 => (number as i8).to_ne_bytes().to_vec(),
        Scalar::I16 => (number as i16).to_ne_bytes().to_vec(),
        Scalar::I32 => (number as i32).to_ne_bytes().to_vec(),
        Scalar::I64 | Scalar::Index => number.to_ne_bytes().to_vec(),
        Scalar::Bf16 => bf16::from_f64(float).to_ne_bytes().to_vec(),
        Scalar::F16 => f16::from_f64(float).to_ne_bytes().to_vec(),
        Scalar::F32 => (float as f32).to_ne_bytes().to_vec(),
        Scalar::F64 => float.to_ne_bytes().to_vec(),
        Scalar::C32 => [encode(Scalar::F32, number), encode(Scalar::F32, 1 - number.abs())].concat(),
        Scalar::C64 => [encode(Scalar::F64, number), encode(Scalar::F64, 1 - number.abs())].concat(),
    }
}

fn argument(scalar: Scalar, number: i64) -> Argument<'static> {
    let float = number as f64;
    match scalar {
        Scalar::I8 => (number as i8).into(),
        Scalar::I16 => (number as i16).into(),
        Scalar::I32 => (number as i32).into(),
        Scalar::I64 | Scalar::Index => number.into(),
        Scalar::Bf16 => bf16::from_f64(float).into(),
        Scalar::F16 => f16::from_f64(float).into(),
        Scalar::F32 => (float as f32).into(),
        Scalar::F64 => float.into(),
        Scalar::C32 => Complex::new(float as f32, 0.0).into(),
        Scalar::C64 => Complex::new(float, 0.0).into(),
    }
}

/// The numbers in memory; wide integers as two halves, which a double holds.
fn decode(scalar: Scalar, bytes: &[u8]) -> Vec<f64> {
    fn each<const N: usize>(bytes: &[u8], number: impl Fn([u8; N]) -> f64) -> Vec<f64> {
        bytes.chunks_exact(N).filter_map(|chunk| chunk.try_into().ok()).map(number).collect()
    }
    match scalar {
        Scalar::I8 => each(bytes, |bytes| i8::from_ne_bytes(bytes).into()),
        Scalar::I16 => each(bytes, |bytes| i16::from_ne_bytes(bytes).into()),
        Scalar::I32 | Scalar::I64 | Scalar::Index => each(bytes, |bytes| i32::from_ne_bytes(bytes).into()),
        Scalar::Bf16 => each(bytes, |bytes| bf16::from_ne_bytes(bytes).into()),
        Scalar::F16 => each(bytes, |bytes| f16::from_ne_bytes(bytes).into()),
        Scalar::F32 | Scalar::C32 => each(bytes, |bytes| f32::from_ne_bytes(bytes).into()),
        Scalar::F64 | Scalar::C64 => each(bytes, f64::from_ne_bytes),
    }
}
