//! NumPy's files: one array each, with its type and shape.

use super::tensor::{self, Tensor};
use crate::common::Failure;
use npyz::{DType, NpyHeader, Order, WriteOptions, WriterBuilder as _};
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write as _};
use std::path::Path;
use tiletc::ir::Scalar;
use tiletc::status::Status;

/// Name that NumPy has for a type, without the byte order. It has none for bf16, f8e4m3 and f8e5m2, whose bits are kept as
/// integers.
fn numpy(element: Scalar) -> &'static str {
    match element {
        Scalar::I4 | Scalar::I8 => "i1",
        Scalar::I16 => "i2",
        Scalar::I32 => "i4",
        Scalar::I64 | Scalar::Index => "i8",
        Scalar::F8e4m3 | Scalar::F8e5m2 => "u1",
        Scalar::Bf16 => "u2",
        Scalar::F16 => "f2",
        Scalar::F32 => "f4",
        Scalar::F64 => "f8",
        Scalar::C32 => "c8",
        Scalar::C64 => "c16",
    }
}

/// The integer that the bits of a type are kept as if NumPy has none for it.
pub fn bits_of(element: Scalar) -> Option<&'static str> {
    match numpy(element) {
        "u1" => Some("uint8"),
        "u2" => Some("uint16"),
        _ => None,
    }
}

/// The array of a file, which must hold numbers of the type.
pub fn read(path: &Path, element: Scalar) -> Result<Tensor, Failure> {
    let cannot = |error: &dyn std::fmt::Display| {
        Failure::Failed(Status::FileIoError, format!("cannot read `{}`: {error}", path.display()))
    };
    let mut file = BufReader::new(File::open(path).map_err(|error| cannot(&error))?);
    let header = header(&mut file).map_err(|error| cannot(&error))?;
    let header = NpyHeader::from_reader(header.as_slice()).map_err(|error| cannot(&error))?;
    let found = match header.dtype() {
        DType::Plain(ty) => ty.to_string(),
        other => other.descr(),
    };
    let wanted = numpy(element);
    if found.trim_start_matches(['<', '>', '|', '=']) != wanted {
        let bits = bits_of(element).map_or_else(String::new, |_| format!(", the bits of {element}"));
        let message = format!(
            "`{}` holds `{found}`, but {element} needs `{wanted}`{bits}; convert it with `.astype('{wanted}')`",
            path.display()
        );
        return Err(Failure::Usage(Status::InvalidKernelArguments, message));
    }
    let shape = header.shape().to_vec();
    let size = shape.iter().try_fold(element.bytes().unsigned_abs(), |size, &mode| size.checked_mul(mode));
    let size = size.ok_or_else(|| cannot(&"its shape is beyond all memory"))?;
    let mut bytes = Vec::new();
    // No more than that is wanted, and a file with a wrong shape must not take all memory.
    file.take(size).read_to_end(&mut bytes).map_err(|error| cannot(&error))?;
    if bytes.len() as u64 != size {
        return Err(cannot(&format!("it ends after {} of {size} bytes of data", bytes.len())));
    }
    if found.starts_with('>') {
        for number in bytes.chunks_exact_mut(tensor::size(element.component())) {
            number.reverse();
        }
    }
    let tensor = Tensor { element, shape, bytes };
    if let Some(number) = tensor.numbers().find(|number| !number.fits()) {
        return Err(cannot(&format!("it holds {number}, which is no {element}")));
    }
    Ok(if header.order() == Order::C { from_row_major(tensor) } else { tensor })
}

/// Reason why a header is not even looked at.
#[derive(Debug, thiserror::Error)]
enum HeaderError {
    #[error("{0}")]
    File(#[from] std::io::Error),
    #[error("it does not start as a file of NumPy's")]
    Magic,
    #[error("its header is {0} bytes long; that of an array of numbers has {MAX_HEADER} at most")]
    Length(u32),
    #[error("it ends within its header")]
    Short,
    #[error(
        "its header has {0} opening brackets, as that of a structured array; save each field as an array of its own"
    )]
    Brackets(usize),
    #[error("its header has {0} numbers; the shape of an array has {MAX_MODES} sizes at most")]
    Modes(usize),
    #[error("its shape is beyond all memory, or has sizes that are no whole numbers")]
    Shape,
}

/// Bytes of a header at most: more than NumPy reads of a file that it does not trust.
const MAX_HEADER: u32 = 1 << 16;
/// Opening brackets of a header at most: that of the header itself, that of the shape, and that of a unit of time. What
/// reads headers takes a time that doubles, or worse, with each bracket within another.
const MAX_BRACKETS: usize = 3;
/// Sizes of a shape at most, as NumPy has it.
const MAX_MODES: usize = 64;

/// The bytes up to the end of the header, which is short, has few brackets, and a shape whose sizes can be multiplied.
fn header(file: &mut impl Read) -> Result<Vec<u8>, HeaderError> {
    let mut bytes = Vec::new();
    let mut next = |count: u32| {
        let start = bytes.len();
        file.take(count.into()).read_to_end(&mut bytes)?;
        let found = bytes.get(start..).unwrap_or_default();
        if found.len() == usize::try_from(count).unwrap_or(usize::MAX) {
            Ok(found.to_vec())
        } else {
            Err(HeaderError::Short)
        }
    };
    let start = next(8)?;
    // Six bytes that name the format, and its version.
    let Some(&[major, _]) = start.strip_prefix(b"\x93NUMPY") else { return Err(HeaderError::Magic) };
    let length = next(if major == 1 { 2 } else { 4 })?;
    let length = length.iter().rev().fold(0, |length, &byte| length << 8 | u32::from(byte));
    if length > MAX_HEADER {
        return Err(HeaderError::Length(length));
    }
    let text = next(length)?;
    let brackets = text.iter().filter(|byte| b"([{".contains(byte)).count();
    if brackets > MAX_BRACKETS {
        return Err(HeaderError::Brackets(brackets));
    }
    check_numbers(&text)?;
    Ok(bytes)
}

/// Checks the numbers of a header, which are the sizes of its shape: what reads it multiplies them.
fn check_numbers(header: &[u8]) -> Result<(), HeaderError> {
    // Sums are read, too, and digits between underscores.
    let is_sign = |byte: &u8| b"+-.".contains(byte);
    let words = header.split(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_' || is_sign(byte)));
    let is_number = |word: &&[u8]| word.first().is_some_and(|byte| byte.is_ascii_digit() || is_sign(byte));
    let numbers: Vec<&[u8]> = words.filter(is_number).collect();
    if numbers.len() > MAX_MODES {
        return Err(HeaderError::Modes(numbers.len()));
    }
    let product = numbers.into_iter().try_fold(1u64, |product, number| {
        let size: u64 = std::str::from_utf8(number).ok()?.parse().ok()?;
        // The others are multiplied all the same.
        product.checked_mul(size.max(1))
    });
    product.map(drop).ok_or(HeaderError::Shape)
}

/// Writes an array in the order of the language, which NumPy calls Fortran's.
pub fn write(path: &Path, tensor: &Tensor) -> Result<(), Failure> {
    let cannot = |error: &dyn std::fmt::Display| {
        Failure::Failed(Status::FileIoError, format!("cannot write `{}`: {error}", path.display()))
    };
    let order = if tensor.element.bytes() == 1 { '|' } else { '<' };
    let ty = format!("{order}{}", numpy(tensor.element)).parse().map_err(|error| cannot(&error))?;
    let file = BufWriter::new(File::create(path).map_err(|error| cannot(&error))?);
    let options = WriteOptions::new_header_only().dtype(DType::Plain(ty)).shape(&tensor.shape);
    let options = options.order(Order::Fortran).writer(file);
    let mut file = options.write_header_only().map_err(|error| cannot(&error))?;
    file.write_all(&tensor.bytes).and_then(|()| file.flush()).map_err(|error| cannot(&error))
}

/// An array whose last mode runs fastest, with its first mode running fastest.
fn from_row_major(tensor: Tensor) -> Tensor {
    let size = tensor::size(tensor.element);
    let mut stride = vec![1u64; tensor.shape.len()];
    for mode in (1..tensor.shape.len()).rev() {
        let next = stride.get(mode).zip(tensor.shape.get(mode)).map_or(1, |(stride, size)| stride * size);
        if let Some(stride) = stride.get_mut(mode - 1) {
            *stride = next;
        }
    }
    let mut bytes = Vec::with_capacity(tensor.bytes.len());
    for place in super::layout::places(&tensor.shape, &stride) {
        let start = usize::try_from(place).unwrap_or(0) * size;
        bytes.extend_from_slice(tensor.bytes.get(start..start + size).unwrap_or_default());
    }
    Tensor { bytes, ..tensor }
}
