//! Requests for matrices in memory.

use crate::ir::{Checked, Coopmatrix, MatrixIo, Memref, Transpose, Value};
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::module_builder::Emitted;
use rspirv::spirv::Word;

/// A position in a memref of two modes. Sizes, strides and positions count elements; which of them are constants,
/// `ModuleBuilder::known` tells.
pub(in crate::spirv) struct MemrefPosition<'a> {
    /// The memref of the IR; scratch memory is none.
    pub memref: Option<Value>,
    pub ty: &'a Memref,
    pub pointer: Word,
    pub shape: [Word; 2],
    pub stride: [Word; 2],
    pub position: [Word; 2],
}

impl<'a> MemrefPosition<'a> {
    fn new(f: &FunctionLowering<'a, '_>, memref: Value, position: [Value; 2]) -> Emitted<MemrefPosition<'a>> {
        let Some(ty) = f.ir.ty(memref).memref() else {
            return Err(Error::internal(format!("{} is not a memref", f.ir.ty(memref))));
        };
        let view = f.values.memref(memref)?;
        let (&[s0, s1], &[d0, d1]) = (view.shape.as_slice(), view.stride.as_slice()) else {
            return Err(Error::internal(format!("{ty} does not have two modes")));
        };
        let [x, y] = position;
        Ok(MemrefPosition {
            memref: Some(memref),
            ty,
            pointer: view.pointer,
            shape: [s0, s1],
            stride: [d0, d1],
            position: [f.values.scalar(x)?, f.values.scalar(y)?],
        })
    }

    /// The beginning of a matrix in the scratch memory of the subgroup.
    pub fn of_scratch(
        f: &mut FunctionLowering<'_, '_>,
        ty: &'a Memref,
        pointer: Word,
        (shape, stride): ([Word; 2], [Word; 2]),
    ) -> MemrefPosition<'a> {
        let start = f.module.index_constant(0);
        MemrefPosition { memref: None, ty, pointer, shape, stride, position: [start; 2] }
    }
}

/// Rows or columns of a matrix in memory.
#[derive(Clone, Copy)]
pub(in crate::spirv) struct Axis {
    /// Position of the first one.
    pub start: Word,
    /// Distance of neighbours in elements.
    pub stride: Word,
    /// Number of positions in the memref.
    pub end: Word,
    /// True if positions may lie outside, which must be checked.
    pub checked: bool,
}

/// A cooperative matrix in memory.
pub(in crate::spirv) struct MatrixAccess<'a> {
    pub matrix: Coopmatrix,
    pub at: MemrefPosition<'a>,
    pub transpose: Transpose,
    pub checked: Checked,
    /// The messages that move it.
    pub io: MatrixIo,
    /// The value in the IR that a load defines.
    pub result: Option<Value>,
    /// True if a load may have anything in rows of A, or columns of B, that lie outside.
    pub is_undefined: bool,
}

impl<'a> MatrixAccess<'a> {
    pub fn new(
        f: &FunctionLowering<'a, '_>,
        matrix: Coopmatrix,
        memref: Value,
        position: [Value; 2],
        (transpose, checked, io): (Transpose, Checked, MatrixIo),
    ) -> Emitted<MatrixAccess<'a>> {
        let at = MemrefPosition::new(f, memref, position)?;
        Ok(MatrixAccess { matrix, at, transpose, checked, io, result: None, is_undefined: false })
    }

    /// The error of a back end whose code for the matrix does not know the messages that were chosen.
    pub fn cannot_obey(&self) -> Error {
        Error::internal(format!("there is no code that moves it by {}", self.io.class))
    }

    /// The rows and the columns of the cooperative matrix; a transposed one has its rows along the second mode.
    pub fn axes(&self) -> [Axis; 2] {
        let MemrefPosition { shape: [s0, s1], stride: [d0, d1], position: [x, y], .. } = self.at;
        let modes = match self.transpose {
            Transpose::N => [(x, d0, s0), (y, d1, s1)],
            Transpose::T => [(y, d1, s1), (x, d0, s0)],
        };
        let [(row, down, rows), (col, right, cols)] = modes;
        [
            Axis { start: row, stride: down, end: rows, checked: self.checked.rows() },
            Axis { start: col, stride: right, end: cols, checked: self.checked.cols() },
        ]
    }
}

/// Part of a memref that is needed soon.
pub(in crate::spirv) struct Prefetch<'a> {
    pub at: MemrefPosition<'a>,
    /// The messages that fetch it.
    pub io: MatrixIo,
    /// Elements along the two modes.
    pub extent: [i32; 2],
}

impl<'a> Prefetch<'a> {
    pub fn new(
        f: &FunctionLowering<'a, '_>,
        memref: Value,
        position: [Value; 2],
        io: MatrixIo,
        extent: [i32; 2],
    ) -> Emitted<Prefetch<'a>> {
        Ok(Prefetch { at: MemrefPosition::new(f, memref, position)?, io, extent })
    }
}
