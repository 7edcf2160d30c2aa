//! Runs of programs of the manual, on virtual-xe, at the lowest and the highest level.
//!
//! A block `run` below a program has a line for each parameter of its first function. A line gives the content of a
//! number or of a memref, and behind an arrow the content afterwards if it changes:
//!
//! ```text
//! %a = 2
//! %x = 1 2 3 4 -> 2 4 6 8
//! %m[2,3] = 1 2 3 4 5 6
//! ```
//!
//! Sizes in brackets are those of a memref whose sizes the text leaves open; it is packed.

use crate::session::Session;
use crate::{Outcome, common};
use tiletc::device::CoreInfo;
use tiletc::driver::Options;
use tiletc::ir::{AddressSpace, Extent, Memref, Scalar, Type};
use virtual_xe::{Argument, Device, Launch, Memory, Program};

/// A parameter and its content.
struct Content {
    name: String,
    /// Sizes of all modes, if they are given.
    shape: Option<Vec<i64>>,
    before: Vec<f64>,
    after: Option<Vec<f64>>,
}

/// Runs the first function of a program in one work-group.
pub fn check(text: &str, contents: &str, device: &str) -> Outcome {
    let contents: Vec<Content> = contents.lines().map(read).collect::<Result<_, _>>()?;
    let session = Session::parse("kernel.ir", text.as_bytes()).map_err(|refusal| refusal.to_string())?;
    let ir = session.ir();
    let func = session.functions().next().ok_or("there is no function")?;
    let parameters = &ir[ir[func].body].parameters;
    let types: Vec<Type> = parameters.iter().map(|&value| ir.ty(value).clone()).collect();
    let names: Vec<String> = parameters.iter().map(|&value| ir.display_name(value)).collect();
    if !contents.iter().map(|content| &content.name).eq(&names) {
        return Err(format!("the parameters are {}", names.join(", ")));
    }
    for level in [0, 2] {
        run(text, &contents, &types, device, level).map_err(|error| format!("level {level}: {error}"))?;
    }
    Ok(())
}

fn read(line: &str) -> Result<Content, String> {
    let (name, numbers) = line.split_once(" = ").ok_or_else(|| format!("`{line}` gives no content"))?;
    let (name, shape) = match name.trim().strip_suffix(']').and_then(|name| name.split_once('[')) {
        Some((name, sizes)) => {
            let sizes = sizes.split(',').map(str::parse).collect::<Result<_, _>>();
            (name, Some(sizes.map_err(|_| format!("`{line}` gives no sizes"))?))
        }
        None => (name.trim(), None),
    };
    let list = |text: &str| -> Result<Vec<f64>, String> {
        let number = |word: &str| word.parse().map_err(|_| format!("`{word}` is no number"));
        text.split_whitespace().map(number).collect()
    };
    let (before, after) = match numbers.split_once(" -> ") {
        Some((before, after)) => (list(before)?, Some(list(after)?)),
        None => (list(numbers)?, None),
    };
    Ok(Content { name: name.to_owned(), shape, before, after })
}

fn run(text: &str, contents: &[Content], types: &[Type], device: &str, level: i32) -> Outcome {
    let info = CoreInfo::from_name(device).ok_or_else(|| format!("there is no device `{device}`"))?;
    let options = Options { level, ..Options::default() };
    let mut session = Session::parse("kernel.ir", text.as_bytes()).map_err(|refusal| refusal.to_string())?;
    let module = session.compile(&info, &options).map_err(|refusal| refusal.to_string())?;
    common::validate(&module);
    let device = Device::named(device).ok_or("virtual-xe does not have the device")?;
    let program = Program::build(device, &module.assemble()).map_err(|error| error.to_string())?;
    let kernel = program.kernels().first().ok_or("there is no kernel")?;

    let memory = Memory::new();
    let mut arguments = Vec::new();
    let mut buffers = Vec::new();
    for (content, ty) in contents.iter().zip(types) {
        if let (Type::Scalar(scalar), [number]) = (ty, content.before.as_slice()) {
            arguments.push(Argument::Value(encode(*scalar, *number)?));
            continue;
        }
        let given = ty.memref().filter(|memref| memref.space == AddressSpace::Global);
        let packed = given.map(|memref| with_sizes(memref, content.shape.as_deref()));
        let size = packed.as_ref().and_then(Memref::size_in_bytes);
        let (Some(memref), Some(packed), Some(size)) = (given, packed, size) else {
            return Err(format!("{}: a {ty} cannot be given here", content.name));
        };
        let bytes = encode_all(memref.element, &content.before)?;
        if bytes.len() as i64 != size {
            return Err(format!("{}: {} bytes for {size}", content.name, bytes.len()));
        }
        let address = memory.allocate(bytes.len() as u64, 128).map_err(|error| error.to_string())?;
        memory.write(address, &bytes).map_err(|error| error.to_string())?;
        arguments.push(Argument::address(address));
        let open = |(of, is): (&Extent, &Extent)| if of.is_dynamic() { is.value() } else { None };
        let sizes = memref.shape.iter().zip(&packed.shape).filter_map(open);
        let strides = memref.stride.iter().zip(&packed.stride).filter_map(open);
        arguments.extend(sizes.chain(strides).map(Argument::from));
        buffers.push((content, memref.element, address));
    }
    let outcome =
        kernel.run(&memory, &Launch::new([1, 1, 1]), &arguments).map_err(|error| error.to_string())?;
    if let Some(report) = outcome.reports.first() {
        return Err(report.to_string());
    }
    for (content, element, address) in buffers {
        let expected = encode_all(element, content.after.as_ref().unwrap_or(&content.before))?;
        let mut found = vec![0; expected.len()];
        memory.read(address, &mut found).map_err(|error| error.to_string())?;
        if found != expected {
            let numbers = decode_all(element, &found);
            return Err(format!("{} is {numbers:?} afterwards", content.name));
        }
    }
    Ok(())
}

/// The type of what is given for a memref: packed, if its sizes are given.
fn with_sizes(memref: &Memref, shape: Option<&[i64]>) -> Memref {
    let Some(shape) = shape else { return memref.clone() };
    Memref::packed(memref.element, shape.iter().map(|&size| Extent::Static(size)).collect(), memref.space)
}

fn encode_all(scalar: Scalar, numbers: &[f64]) -> Result<Vec<u8>, String> {
    numbers
        .iter()
        .map(|&number| encode(scalar, number))
        .collect::<Result<Vec<_>, _>>()
        .map(|all| all.concat())
}

#[allow(clippy::cast_possible_truncation, reason = "the manual gives numbers of the type")]
fn encode(scalar: Scalar, number: f64) -> Result<Vec<u8>, String> {
    Ok(match scalar {
        Scalar::I8 => (number as i8).to_le_bytes().to_vec(),
        Scalar::I16 => (number as i16).to_le_bytes().to_vec(),
        Scalar::I32 => (number as i32).to_le_bytes().to_vec(),
        Scalar::I64 | Scalar::Index => (number as i64).to_le_bytes().to_vec(),
        Scalar::F32 => (number as f32).to_le_bytes().to_vec(),
        Scalar::F64 => number.to_le_bytes().to_vec(),
        Scalar::I4
        | Scalar::F8e4m3
        | Scalar::F8e5m2
        | Scalar::Bf16
        | Scalar::F16
        | Scalar::C32
        | Scalar::C64 => {
            return Err(format!("numbers of type {scalar} cannot be given here"));
        }
    })
}

fn decode_all(scalar: Scalar, bytes: &[u8]) -> Vec<String> {
    fn numbers<const N: usize, T: std::fmt::Display>(bytes: &[u8], of: fn([u8; N]) -> T) -> Vec<String> {
        bytes.as_chunks::<N>().0.iter().map(|&bytes| of(bytes).to_string()).collect()
    }
    match scalar {
        Scalar::I8 => numbers(bytes, i8::from_le_bytes),
        Scalar::I16 => numbers(bytes, i16::from_le_bytes),
        Scalar::I32 => numbers(bytes, i32::from_le_bytes),
        Scalar::I64 | Scalar::Index => numbers(bytes, i64::from_le_bytes),
        Scalar::F32 => numbers(bytes, f32::from_le_bytes),
        Scalar::F64 => numbers(bytes, f64::from_le_bytes),
        Scalar::I4
        | Scalar::F8e4m3
        | Scalar::F8e5m2
        | Scalar::Bf16
        | Scalar::F16
        | Scalar::C32
        | Scalar::C64 => Vec::new(),
    }
}
