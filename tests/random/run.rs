//! Programs on a device: what the reference says, and the same whatever the level and the shape of the work-group.

use crate::content::{argument, initial, number};
use crate::device::{Argument, Device, Memory, Stop, run};
use crate::generate::{Generated, Kind, Parameter};
use crate::properties::{Wrong, made};
use crate::reference::{self, Number};
use crate::scope::Mem;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use tiletc::driver;
use tiletc::ir::{Attribute, Dictionary};

/// Level, subgroup size and work-group size.
type Variant = (i32, i64, [i64; 2]);

/// What the others are compared with.
const FIRST: Variant = (0, 16, [16, 1]);
/// One of them is taken for each program, since building kernels takes most of the time.
const OTHERS: [Variant; 3] = [(2, 32, [32, 2]), (2, 16, [32, 2]), (0, 32, [64, 1])];

/// Elements that were compared with the reference, those of them that lay within a radius, and those of which it
/// says nothing.
pub static COMPARED: AtomicUsize = AtomicUsize::new(0);
pub static WITHIN: AtomicUsize = AtomicUsize::new(0);
pub static UNKNOWN: AtomicUsize = AtomicUsize::new(0);
/// The bits of the largest quotient of an error and its bound, which are ordered like the numbers.
pub static LARGEST: AtomicU64 = AtomicU64::new(0);
/// Programs that the reference gave up.
pub static GIVEN_UP: AtomicUsize = AtomicUsize::new(0);

/// What became of a program.
pub enum Outcome {
    /// It ran, with the right results.
    Equal,
    /// The device cannot run it.
    Skipped,
}

/// Runs a program in two variants on each of the devices. A device has one work-group to itself, so that nothing
/// races. What the reference knows of a result has to be so; where programs are exact, so that the order of sums does
/// not matter, all results have to be equal besides.
pub fn equal_results(devices: &[Device], numbers: &[u32], kind: Kind) -> Result<Outcome, Wrong> {
    let expected = expected(&made(numbers, kind)?, kind);
    let mut first: Option<Vec<Vec<Number>>> = None;
    let other = OTHERS[numbers.iter().map(|&n| n as usize).sum::<usize>() % OTHERS.len()];
    for device in devices {
        for (level, size, group) in [FIRST, other] {
            if !device.has_geometry(size as i32, group.map(|n| n as i32)) {
                return Ok(Outcome::Skipped);
            }
            let mut made = made(numbers, kind)?;
            let func = made.program.functions[0];
            let integers = |numbers: &[i64]| numbers.iter().map(|&n| Attribute::Integer(n)).collect();
            made.ir[func].attributes = Some(Dictionary::from([
                ("subgroup_size".to_owned(), Attribute::Integer(size)),
                ("work_group_size".to_owned(), Attribute::Array(integers(&group))),
            ]));
            let text = driver::print(&made.ir, &made.program).to_string();
            let name = device.name();
            let found = match results(device, &text, level, &made.parameters, kind) {
                Ok(found) => found,
                Err(Stop::Skip(_)) => return Ok(Outcome::Skipped),
                Err(Stop::Fail(message)) => return Err(format!("{name} -O{level}: {message}")),
            };
            let place = format!("{name} at -O{level} in subgroups of {size}");
            if let Ok(expected) = &expected {
                let largest =
                    check(expected, &found).map_err(|what| format!("{what} on {place}:\n{text}"))?;
                LARGEST.fetch_max(largest.to_bits(), Ordering::Relaxed);
            }
            match &first {
                None => first = Some(found),
                Some(first) if kind == Kind::Exact => compare(first, &found).map_err(|what| {
                    let device = devices.first().map_or("", Device::name);
                    let (_, subgroup, _) = FIRST;
                    format!("{what} on {place}, as {device} at -O0 in subgroups of {subgroup} says:\n{text}")
                })?,
                Some(_) => {}
            }
        }
    }
    match expected {
        Ok(expected) => count(&expected),
        Err(_) => {
            GIVEN_UP.fetch_add(1, Ordering::Relaxed);
        }
    }
    Ok(Outcome::Equal)
}

/// What the reference says.
pub fn expected(made: &Generated, kind: Kind) -> reference::Run<Vec<Vec<Number>>> {
    let before: Vec<Vec<u8>> = mems(&made.parameters).map(|mem| initial(mem, kind)).collect();
    reference::run(made, &before, |parameter| match parameter {
        Parameter::Scalar(scalar, argument) => Number::decode(*scalar, &number(*scalar, *argument, kind))[0],
        _ => Number::Unknown,
    })
}

fn count(expected: &[Vec<Number>]) {
    for number in expected.iter().flatten() {
        let counter = match number {
            number if !number.is_known() => &UNKNOWN,
            number if !number.is_exact() => &WITHIN,
            _ => &COMPARED,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }
}

/// Whether the results are what the reference says; returns the largest error as a part of its bound.
pub fn check(expected: &[Vec<Number>], found: &[Vec<Number>]) -> Result<f64, String> {
    let mut largest = 0.0f64;
    for (number, (expected, found)) in expected.iter().zip(found).enumerate() {
        for (at, (expected, found)) in expected.iter().zip(found).enumerate() {
            if !expected.holds(*found) {
                return Err(format!("element {at} of memory {number} is {found} and not {expected}"));
            }
            largest = largest.max(expected.part_of_bound(*found));
        }
    }
    Ok(largest)
}

/// Equal as numbers: -0 is 0, and NaN is NaN.
fn compare(expected: &[Vec<Number>], found: &[Vec<Number>]) -> Result<(), String> {
    for (number, (expected, found)) in expected.iter().zip(found).enumerate() {
        if let Some(at) = (0..expected.len()).find(|&at| !expected[at].is(found[at])) {
            let (expected, found) = (expected[at], found[at]);
            return Err(format!("element {at} of memory {number} is {found} and not {expected}"));
        }
    }
    Ok(())
}

fn mems(parameters: &[Parameter]) -> impl Iterator<Item = &Mem> {
    parameters.iter().filter_map(|parameter| match parameter {
        Parameter::Memref(mem) => Some(mem),
        _ => None,
    })
}

/// What a program leaves in the memory of its parameters.
pub fn results(
    device: &Device,
    text: &str,
    level: i32,
    parameters: &[Parameter],
    kind: Kind,
) -> Result<Vec<Vec<Number>>, Stop> {
    let program = device.build(text, level)?;
    let mut memories: Vec<Memory<u8>> = Vec::new();
    for mem in mems(parameters) {
        memories.push(device.memory(&initial(mem, kind))?);
    }
    let mut next = memories.iter();
    let mut arguments: Vec<Argument<'_>> = Vec::new();
    for parameter in parameters {
        match parameter {
            Parameter::Scalar(scalar, value) => {
                arguments.push(argument(*scalar, &number(*scalar, *value, kind)));
            }
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
    let mems = mems(parameters).zip(&memories);
    Ok(mems.map(|(mem, memory)| Number::decode(mem.element(), memory)).collect())
}
