//! Requests for matrices in memory.

use crate::analysis::TensorDivisors;
use crate::ir::{Checked, Coopmatrix, Memref, Op, Transpose, Value};
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::module_builder::Emitted;
use rspirv::spirv::Word;

/// Divides the addresses of scratch memory, in bytes.
pub(in crate::spirv) const SCRATCH_ALIGNMENT: u32 = 64;

/// A position in a memref of two modes. Sizes, strides and positions count elements; which of them are constants,
/// `ModuleBuilder::known` tells.
pub(in crate::spirv) struct MemrefPosition<'a> {
    /// The memref and the position in the IR; scratch memory is not there.
    origin: Option<Origin>,
    pub ty: &'a Memref,
    pub pointer: Word,
    pub shape: [Word; 2],
    pub stride: [Word; 2],
    pub position: [Word; 2],
}

/// A memref of the IR, and a position in it.
#[derive(Clone, Copy)]
struct Origin {
    memref: Value,
    position: [Value; 2],
}

/// Known divisors of a position and its memref. 1 says nothing, and 0 is the divisor of a number that is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::spirv) struct PositionDivisors {
    /// Divides the address of the memref's first element, in bytes.
    pub address: i64,
    pub shape: [i64; 2],
    pub stride: [i64; 2],
    pub position: [i64; 2],
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
            origin: Some(Origin { memref, position }),
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
        MemrefPosition { origin: None, ty, pointer, shape, stride, position: [start; 2] }
    }

    /// The instruction that the memref comes from, which tells how it came about.
    pub fn defining_op<'i>(&self, f: &FunctionLowering<'i, '_>) -> Option<&'i Op> {
        f.ir.defining_op(self.origin?.memref)
    }

    /// Known divisors of the position. The analysis looks at a function once, when it is first asked.
    pub fn divisors(&self, f: &FunctionLowering<'_, '_>) -> PositionDivisors {
        let Some(Origin { memref, position }) = self.origin else {
            let known = |id| f.module.known(id).unwrap_or(1);
            return PositionDivisors {
                address: SCRATCH_ALIGNMENT.into(),
                shape: self.shape.map(known),
                stride: self.stride.map(known),
                position: self.position.map(known),
            };
        };
        let divisors = f.divisors();
        let position = position.map(|value| divisors.number(value));
        let pair = |numbers: &[i64]| match *numbers {
            [a, b] => [a, b],
            _ => [1, 1],
        };
        match divisors.tensor(memref) {
            None => PositionDivisors { address: 1, shape: [1, 1], stride: [1, 1], position },
            Some(TensorDivisors { offset, shape, stride }) => PositionDivisors {
                address: offset.checked_mul(self.ty.element.bytes()).unwrap_or(1),
                shape: pair(shape),
                stride: pair(stride),
                position,
            },
        }
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
    /// The value in the IR that a load defines.
    pub result: Option<Value>,
}

impl<'a> MatrixAccess<'a> {
    pub fn new(
        f: &FunctionLowering<'a, '_>,
        matrix: Coopmatrix,
        memref: Value,
        position: [Value; 2],
        (transpose, checked): (Transpose, Checked),
    ) -> Emitted<MatrixAccess<'a>> {
        let at = MemrefPosition::new(f, memref, position)?;
        Ok(MatrixAccess { matrix, at, transpose, checked, result: None })
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
    /// The cache it is to get to; 0 is the nearest to the core.
    pub level: i32,
    /// Elements along the two modes.
    pub extent: [i32; 2],
}

impl<'a> Prefetch<'a> {
    pub fn new(
        f: &FunctionLowering<'a, '_>,
        memref: Value,
        position: [Value; 2],
        level: i32,
        extent: [i32; 2],
    ) -> Emitted<Prefetch<'a>> {
        Ok(Prefetch { at: MemrefPosition::new(f, memref, position)?, level, extent })
    }
}
