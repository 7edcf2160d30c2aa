//! Programs on a device: what the reference says, and the same whatever the level and the shape of the work-group.

use crate::content::{argument, initial, number};
use crate::device::{Argument, Device, Memory, Stop, compile, run};
use crate::generate::{Generated, Kind, Parameter};
use crate::properties::{Wrong, made};
use crate::reference::{self, Number};
use crate::scope::Mem;
use serde_json::{Value, json};
use tiletc::driver;
use tiletc::ir::{SubgroupSize, WorkGroupSize};
use tiletc::status::Status;

/// Level, subgroup size and work-group size.
type Variant = (i32, i64, [i64; 2]);

/// Variant that the others are compared with.
const FIRST: Variant = (0, 16, [16, 1]);
/// One of them is taken for each program, since building kernels takes most of the time.
const OTHERS: [Variant; 4] = [(2, 32, [32, 2]), (2, 16, [32, 2]), (0, 32, [64, 1]), (2, 8, [16, 4])];

/// Outcomes of programs and of the elements of their results.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Programs that ran on a device.
    pub ran: u64,
    /// Programs that the reference gave up.
    pub given_up: u64,
    /// Elements that were the reference's.
    pub exact: u64,
    /// Elements within a radius of the reference's.
    pub within: u64,
    /// Elements of which the reference says nothing.
    pub unknown: u64,
    /// The largest error as a part of its bound.
    pub largest: f64,
}

impl Counts {
    pub fn add(&mut self, other: Counts) {
        self.ran += other.ran;
        self.given_up += other.given_up;
        self.exact += other.exact;
        self.within += other.within;
        self.unknown += other.unknown;
        self.largest = self.largest.max(other.largest);
    }

    pub fn to_json(self) -> Value {
        json!([self.ran, self.given_up, self.exact, self.within, self.unknown, self.largest])
    }

    pub fn from_json(counts: &Value) -> Option<Counts> {
        let number = |place: usize| counts[place].as_u64();
        Some(Counts {
            ran: number(0)?,
            given_up: number(1)?,
            exact: number(2)?,
            within: number(3)?,
            unknown: number(4)?,
            largest: counts[5].as_f64()?,
        })
    }
}

/// Runs a program in two variants on each of the devices. A device has one work-group to itself, so that nothing
/// races; those of [`Kind::Tiles`] have a tile each, and those of [`Kind::Batches`] members of their own. What the reference knows of a result has to be so; where programs are exact, so that the order of sums does
/// not matter, all results have to be equal besides. Nothing is counted of a program that no device can run.
pub fn equal_results(devices: &[Device], numbers: &[u32], kind: Kind) -> Result<Counts, Wrong> {
    let mut counts = Counts::default();
    let expected = expected(&made(numbers, kind)?, kind);
    let mut first: Option<Vec<Vec<Number>>> = None;
    let choice = numbers.iter().map(|&n| n as usize).sum::<usize>();
    for device in devices {
        let has = |(_, size, group): &Variant| device.has_geometry(*size as i32, group.map(|n| n as i32));
        let others: Vec<Variant> = OTHERS.into_iter().filter(has).collect();
        let other = others.get(choice % others.len().max(1)).copied();
        for (level, size, group) in std::iter::once(FIRST).filter(has).chain(other) {
            let mut made = made(numbers, kind)?;
            let func = made.program.functions[0];
            // Tiles fit the sizes that were chosen with them, or that the compiler chooses, as it does for batches the first time.
            let is_first = (level, size, group) == FIRST;
            if kind != Kind::Tiles && !(kind == Kind::Batches && is_first) {
                let attributes = &mut made.ir[func].attributes;
                attributes.subgroup_size = Some(SubgroupSize(size as i32));
                attributes.work_group_size = Some(WorkGroupSize(group.map(|n| n as i32)));
            }
            let text = driver::print(&made.ir, &made.program).to_string();
            let name = device.name();
            let found = match results(device, &text, level, &made, kind) {
                Ok(found) => found,
                Err(Stop::Skip(_)) => break,
                Err(Stop::Fail(message)) => return Err(format!("{name} -O{level}: {message}")),
            };
            let place = format!("{name} at -O{level} in subgroups of {size}");
            if let Ok(expected) = &expected {
                let largest =
                    check(expected, &found).map_err(|what| format!("{what} on {place}:\n{text}"))?;
                counts.largest = counts.largest.max(largest);
            }
            match &first {
                None => first = Some(found),
                Some(first) if kind != Kind::Rounded => compare(first, &found)
                    .map_err(|what| format!("{what}, as it was the first time, on {place}:\n{text}"))?,
                Some(_) => {}
            }
        }
    }
    if first.is_some() {
        counts.ran = 1;
        match expected {
            Ok(expected) => expected.iter().flatten().for_each(|number| match number {
                number if !number.is_known() => counts.unknown += 1,
                number if !number.is_exact() => counts.within += 1,
                _ => counts.exact += 1,
            }),
            Err(_) => counts.given_up = 1,
        }
    }
    Ok(counts)
}

/// Results by the reference.
pub fn expected(made: &Generated, kind: Kind) -> reference::Run<Vec<Vec<Number>>> {
    let before: Vec<Vec<u8>> = mems(&made.parameters).map(|mem| initial(mem, kind)).collect();
    reference::run(made, &before, |parameter| match parameter {
        Parameter::Scalar(scalar, argument) => Number::decode(*scalar, &number(*scalar, *argument, kind))[0],
        _ => Number::Unknown,
    })
}

/// Compares the results with the reference; returns the largest error as a part of its bound.
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

/// Content of the bytes behind each memory.
const GUARD: u8 = 0xa5;
const GUARD_BYTES: usize = 4096;

/// Memory of a program's parameters after it has run.
pub fn results(
    device: &Device,
    text: &str,
    level: i32,
    Generated { parameters, groups, .. }: &Generated,
    kind: Kind,
) -> Result<Vec<Vec<Number>>, Stop> {
    let module = compile(text, &device.info, level).map_err(|refused| match refused.status {
        Status::SpirvRequiredFeatureUnavailable => Stop::Skip(refused.messages),
        status => Stop::Fail(format!("{status:?}: {}\n{text}", refused.messages)),
    })?;
    let program = device.build_module(&module).map_err(|stop| match stop {
        Stop::Fail(message) => Stop::Fail(format!("{message}\n{text}")),
        skip => skip,
    })?;
    let mut memories: Vec<Memory<u8>> = Vec::new();
    // A virtual device knows where its memory ends; on others, writes behind it show here.
    let guard = if device.name().starts_with("virtual:") { &[][..] } else { &[GUARD; GUARD_BYTES] };
    for mem in mems(parameters) {
        memories.push(device.memory(&[&initial(mem, kind), guard].concat())?);
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
    run(&program, "f", *groups, &arguments).map_err(|error| format!("{error}\n{text}"))?;
    let mut found = Vec::new();
    for (place, (mem, memory)) in mems(parameters).zip(&memories).enumerate() {
        let (content, behind) = memory.split_at(memory.len() - guard.len());
        if let Some(byte) = behind.iter().position(|&byte| byte != GUARD) {
            let length = content.len();
            let message =
                format!("byte {byte} behind the {length} bytes of memory {place} is written\n{text}");
            return Err(Stop::Fail(message));
        }
        found.push(Number::decode(mem.element(), content));
    }
    Ok(found)
}
