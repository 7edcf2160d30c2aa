//! NumPy's files: one array each, with its type and shape.

use super::tensor::{self, Tensor};
use crate::common::Failure;
use npyz::{DType, NpyHeader, Order, WriteOptions, WriterBuilder as _};
use std::fs::File;
use std::io::{BufReader, BufWriter, Read as _, Write as _};
use std::path::Path;
use tiletc::ir::Scalar;
use tiletc::status::Status;

/// What NumPy calls a type, without the byte order. It has none for bf16, whose bits are kept as integers.
fn numpy(element: Scalar) -> &'static str {
    match element {
        Scalar::I8 => "i1",
        Scalar::I16 => "i2",
        Scalar::I32 => "i4",
        Scalar::I64 | Scalar::Index => "i8",
        Scalar::Bf16 => "u2",
        Scalar::F16 => "f2",
        Scalar::F32 => "f4",
        Scalar::F64 => "f8",
        Scalar::C32 => "c8",
        Scalar::C64 => "c16",
    }
}

/// The array of a file, which must hold numbers of the type.
pub fn read(path: &Path, element: Scalar) -> Result<Tensor, Failure> {
    let cannot = |error: &dyn std::fmt::Display| {
        Failure::Failed(Status::FileIoError, format!("cannot read `{}`: {error}", path.display()))
    };
    let mut file = BufReader::new(File::open(path).map_err(|error| cannot(&error))?);
    let header = NpyHeader::from_reader(&mut file).map_err(|error| cannot(&error))?;
    let found = match header.dtype() {
        DType::Plain(ty) => ty.to_string(),
        other => other.descr(),
    };
    let wanted = numpy(element);
    if found.trim_start_matches(['<', '>', '|', '=']) != wanted {
        let bits = if element == Scalar::Bf16 { ", the bits of bf16" } else { "" };
        let message = format!(
            "`{}` holds `{found}`, but {element} needs `{wanted}`{bits}; convert it with `.astype('{wanted}')`",
            path.display()
        );
        return Err(Failure::Failed(Status::InvalidKernelArguments, message));
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
    Ok(if header.order() == Order::C { from_row_major(tensor) } else { tensor })
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
