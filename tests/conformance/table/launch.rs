//! Launches: kernels with what they get and what they must leave behind.

use std::collections::HashMap;

use tiletc::device::{CoreInfo, SpirvFeature};
use tiletc::ir::Scalar;
use tiletc::status::Status;

use super::CASE_COUNTS;
use super::features::Need;
use super::number::{Array, Number};
use crate::device::{Argument, Device, Kernel, Kernels, Memory, Outcome, compile};

/// Bytes before and behind every buffer that nobody may change. They are NaN in every floating type, so that
/// what is read there shows too. A multiple of the alignment that kernels rely on.
const GUARD: usize = 256;
const POISON: u8 = 0xff;
/// After so many wrong launches a test has said enough.
const MAX_MESSAGES: usize = 3;

/// One configuration: a kernel, its arguments, and what must be in memory afterwards.
pub struct Launch {
    /// Distinction from other launches, for messages.
    pub name: String,
    /// The kernel as it follows the function's name; equal ones are built once.
    pub kernel: String,
    pub groups: [usize; 3],
    pub arguments: Vec<Arg>,
    pub buffers: Vec<Buffer>,
    /// A kernel that needs a feature the device lacks must be refused, and that is checked instead.
    pub requires: Vec<Need>,
}

#[derive(Clone)]
pub enum Arg {
    Number(Scalar, Number),
    Index(usize),
    /// An element of a buffer, counted from its first.
    Pointer(usize, usize),
    /// Addresses of elements; `None` is null.
    Pointers(Vec<Option<(usize, usize)>>),
    /// Sizes or strides of the members of a group.
    Indices(Vec<i64>),
    Null,
}

/// Memory of a launch.
pub struct Buffer {
    /// The instructions that what is written here tests; none for an input.
    pub of: Vec<&'static str>,
    pub before: Array,
    /// Expected content, element by element; for an input all is as before.
    pub after: Vec<Expected>,
}

#[derive(Clone, Copy, Debug)]
pub enum Expected {
    /// Content as it was before.
    Same,
    /// The number, no part further away than the bound. NaN and infinities are themselves.
    Near(Number, f64),
    /// These bits, for a number of up to 8 bytes.
    Bits(u64),
    /// The language leaves it undefined.
    Anything,
}

impl Expected {
    /// The number itself.
    pub fn exactly(number: Number) -> Expected {
        Expected::Near(number, 0.0)
    }
}

impl Buffer {
    pub fn input(before: Array) -> Buffer {
        Buffer { of: Vec::new(), before, after: Vec::new() }
    }

    pub fn output(of: &[&'static str], before: Array, after: Vec<Expected>) -> Buffer {
        Buffer { of: of.to_vec(), before, after }
    }

    /// A new output whose elements are all expected.
    pub fn results(of: &[&'static str], ty: Scalar, after: Vec<Expected>) -> Buffer {
        let before = Array { ty, bytes: vec![0x5a; after.len() * ty.bytes() as usize] };
        Buffer { of: of.to_vec(), before, after }
    }

    /// The largest error in terms of its bound.
    fn compare(&self, got: &[u8]) -> Result<f64, String> {
        let got = Array { ty: self.before.ty, bytes: got.to_vec() };
        if self.after.is_empty() {
            return match got.bytes == self.before.bytes {
                true => Ok(0.0),
                false => Err("an input has changed".to_owned()),
            };
        }
        if self.after.len() != self.before.len() {
            return Err(format!("{} expectations for {} elements", self.after.len(), self.before.len()));
        }
        let mut worst = 0.0f64;
        for (index, expected) in self.after.iter().enumerate() {
            let ratio = match *expected {
                Expected::Anything => Some(0.0),
                Expected::Same => (got.raw(index) == self.before.raw(index)).then_some(0.0),
                Expected::Bits(bits) => (bits.to_le_bytes().starts_with(got.raw(index))).then_some(0.0),
                Expected::Near(number, bound) => ratio(got.ty, got.get(index), number, bound),
            };
            match ratio {
                Some(ratio) => worst = worst.max(ratio),
                None => {
                    let (bytes, was) = (got.get(index), self.before.get(index));
                    return Err(format!("[{index}] is {bytes:?}, was {was:?}, expected {expected:?}"));
                }
            }
        }
        Ok(worst)
    }
}

/// The error in terms of its bound; `None` if it is beyond.
fn ratio(ty: Scalar, got: Number, expected: Number, bound: f64) -> Option<f64> {
    if ty.is_integer() {
        return (got.to_i64() == ty.wrap(expected.to_i64())).then_some(0.0);
    }
    let (parts, wanted) = (got.to_f64(), expected.to_f64());
    let same = |part: usize| parts[part] == wanted[part] || (parts[part].is_nan() && wanted[part].is_nan());
    let ordinary = |part: usize| parts[part].is_finite() && wanted[part].is_finite();
    let distance = match (ordinary(0), ordinary(1)) {
        (true, true) => got.distance(expected),
        // What is special must be the same, in either part.
        _ if same(0) && same(1) => return Some(0.0),
        _ => return None,
    };
    match distance {
        0.0 => Some(0.0),
        _ if distance <= bound => Some(distance / bound),
        _ => None,
    }
}

/// Builds the launches as one program, runs them and compares.
pub fn run(device: &Device, launches: Vec<Launch>) -> Outcome {
    run_for(device, &device.info, 2, launches)
}

/// The same for a device that is described otherwise than it describes itself.
pub fn run_for(device: &Device, info: &CoreInfo, level: i32, launches: Vec<Launch>) -> Outcome {
    let mut messages = Vec::new();
    let mut possible = Vec::new();
    for launch in launches {
        let lacking = launch.requires.iter().find(|need| match need {
            Need::Feature(feature) => !info.have(*feature),
            Need::HalfMoves => !device.has_half_moves(),
        });
        match lacking {
            Some(&Need::Feature(feature)) => messages.extend(refuse(info, &launch, feature).err()),
            Some(Need::HalfMoves) => launch.count_as_lacking("a driver that links atomic_xchg(half)"),
            None => possible.push(launch),
        }
    }
    let kernels = Kernels::new(possible.iter().map(|launch| launch.kernel.clone()));
    if possible.is_empty() {
        return report(messages);
    }
    let program = match device.build_for(&kernels.text, info, level) {
        Ok(program) => program,
        Err(_) => return Err(first_broken(device, info, level, &possible)),
    };
    let mut known: HashMap<&str, Kernel> = HashMap::new();
    for (place, launch) in possible.iter().enumerate() {
        let name = kernels.name(place);
        if !known.contains_key(name) {
            known.insert(name, program.kernel(name)?);
        }
        let Some(kernel) = known.get_mut(name) else { continue };
        if let Err(message) = launch.run(device, kernel) {
            CASE_COUNTS.failed(launch.buffers.iter().flat_map(|buffer| &buffer.of));
            messages.push(format!("{}: {message}\n{}", launch.name, launch.kernel));
            if messages.len() >= MAX_MESSAGES {
                break;
            }
        }
    }
    report(messages)
}

fn report(messages: Vec<String>) -> Outcome {
    if messages.is_empty() { Ok(()) } else { Err(messages.join("\n").into()) }
}

/// A kernel that needs what the device lacks must be refused, with a message that names it.
fn refuse(info: &CoreInfo, launch: &Launch, feature: SpirvFeature) -> Result<(), String> {
    let text = format!("func @lacking{}", launch.kernel);
    launch.count_as_lacking(feature.spelling());
    match compile(&text, info, 2) {
        Err(refused)
            if refused.status == Status::SpirvRequiredFeatureUnavailable
                && refused.messages.contains(feature.spelling()) =>
        {
            Ok(())
        }
        Err(refused) => Err(format!("{:?}, {} for\n{text}", refused.status, refused.messages)),
        Ok(_) => Err(format!("compiled without {} for\n{text}", feature.spelling())),
    }
}

/// Says which of the kernels cannot be built.
fn first_broken(device: &Device, info: &CoreInfo, level: i32, launches: &[Launch]) -> crate::device::Stop {
    for launch in launches {
        let text = format!("func @alone{}", launch.kernel);
        if let Err(stop) = device.build_for(&text, info, level) {
            return stop;
        }
    }
    "the kernels are built one by one, but not together".to_owned().into()
}

impl Launch {
    fn count_as_lacking(&self, what: &'static str) {
        for mnemonic in self.buffers.iter().flat_map(|buffer| &buffer.of) {
            CASE_COUNTS.not_runnable(mnemonic, &self.name, what);
        }
    }

    /// Runs the kernel and compares.
    pub fn run(&self, device: &Device, kernel: &mut Kernel) -> Result<(), String> {
        let text = |error: &dyn std::fmt::Display| error.to_string();
        let mut memories: Vec<Memory<u8>> = Vec::new();
        for buffer in &self.buffers {
            let mut bytes = vec![POISON; GUARD];
            bytes.extend(&buffer.before.bytes);
            bytes.extend([POISON; GUARD]);
            memories.push(device.shared(&bytes).map_err(|error| text(&error))?);
        }
        let width = |buffer: usize| self.buffers[buffer].before.ty.bytes() as usize;
        let mut tables: Vec<Memory<i64>> = Vec::new();
        for argument in &self.arguments {
            let table: Vec<i64> = match argument {
                Arg::Indices(table) => table.clone(),
                Arg::Pointers(pointers) => {
                    let address = |&(buffer, index): &(usize, usize)| {
                        memories[buffer].address() as i64 + (GUARD + index * width(buffer)) as i64
                    };
                    pointers.iter().map(|pointer| pointer.as_ref().map_or(0, address)).collect()
                }
                _ => continue,
            };
            tables.push(device.shared(&table).map_err(|error| text(&error))?);
        }
        let mut next = tables.iter();
        let mut arguments = Vec::new();
        for argument in &self.arguments {
            arguments.push(match argument {
                Arg::Number(ty, number) => number_argument(*ty, *number),
                Arg::Index(value) => Argument::from(*value as i64),
                Arg::Pointer(buffer, index) => {
                    let offset = GUARD + index * width(*buffer);
                    memories[*buffer].at(offset).ok_or("an argument beyond its buffer")?
                }
                Arg::Null => Argument::null(),
                Arg::Pointers(_) | Arg::Indices(_) => next.next().ok_or("a table is missing")?.into(),
            });
        }
        // SAFETY: the kernels of these tests are meant to stay within the buffers, and if they do not, are to
        // meet the guards; results are only looked at after the run.
        unsafe { kernel.run(self.groups, &arguments) }.map_err(|error| text(&error))?;
        for (buffer, memory) in self.buffers.iter().zip(&memories) {
            let (front, rest) = memory.split_at(GUARD);
            let (inside, behind) = rest.split_at(rest.len() - GUARD);
            if front.iter().chain(behind).any(|&byte| byte != POISON) {
                return Err("memory outside of a buffer has changed".to_owned());
            }
            let ratio = buffer.compare(inside)?;
            for mnemonic in &buffer.of {
                CASE_COUNTS.ran(mnemonic, ratio);
            }
        }
        Ok(())
    }
}

fn number_argument(ty: Scalar, number: Number) -> Argument<'static> {
    use crate::narrow;
    use num_complex::Complex;
    let [re, im] = number.to_f64();
    let int = number.to_i64();
    match ty {
        Scalar::I4 | Scalar::I8 => (int as i8).into(),
        Scalar::I16 => (int as i16).into(),
        Scalar::I32 => (int as i32).into(),
        Scalar::I64 | Scalar::Index => int.into(),
        Scalar::F8e4m3 => narrow::E4M3.bits(re).cast_signed().into(),
        Scalar::F8e5m2 => narrow::E5M2.bits(re).cast_signed().into(),
        Scalar::Bf16 => narrow::brain(re).into(),
        Scalar::F16 => narrow::half(re).into(),
        Scalar::F32 => (re as f32).into(),
        Scalar::F64 => re.into(),
        Scalar::C32 => Complex::new(re as f32, im as f32).into(),
        Scalar::C64 => Complex::new(re, im).into(),
    }
}
