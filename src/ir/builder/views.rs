//! Views of memrefs, whose types follow from what is asked for.

use super::super::entities::Value;
use super::super::instructions::{Expand, Fuse, Subview};
use super::super::rules::VerifierError;
use super::super::types::{Extent, Memref};
use super::{Builder, Built};
use crate::status::Status;

/// A number that is known now, or a value that holds it at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Known when the program is compiled.
    Static(i64),
    /// An `index` value.
    Dynamic(Value),
}

impl From<i64> for Bound {
    fn from(number: i64) -> Bound {
        Bound::Static(number)
    }
}

impl From<Value> for Bound {
    fn from(value: Value) -> Bound {
        Bound::Dynamic(value)
    }
}

/// What a subview keeps of a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    offset: Bound,
    /// `None` drops the mode.
    size: Option<Bound>,
}

impl Slice {
    /// One position; the view lacks the mode.
    pub fn at(offset: impl Into<Bound>) -> Slice {
        Slice { offset: offset.into(), size: None }
    }

    /// `size` positions from `offset` on; a static size of 0 drops the mode, as in the text.
    pub fn range(offset: impl Into<Bound>, size: impl Into<Bound>) -> Slice {
        Slice { offset: offset.into(), size: Some(size.into()) }
    }
}

impl Bound {
    /// The extent of a field; a value is kept beside it.
    fn extent(self, values: &mut Vec<Value>) -> Extent {
        match self {
            Bound::Static(number) => Extent::Static(number),
            Bound::Dynamic(value) => {
                values.push(value);
                Extent::Dynamic
            }
        }
    }
}

impl Builder<'_> {
    /// Appends a view of a part of a memref, one slice a mode; the type of the view follows from them.
    ///
    /// ```
    /// # use tiletc::{diagnostics::Location, ir::*};
    /// # let mut ir = Ir::default();
    /// let tensor = Memref::packed(Scalar::F32, [8, 4, 16].map(Extent::Static).to_vec(), AddressSpace::Global);
    /// let parameters = [("T", tensor.into()), ("i", Type::INDEX)];
    /// Builder::function(&mut ir, "views", parameters, Location::default(), |b, [t, i]| {
    ///     let matrix = b.subview(t, &[Slice::range(0, 8), Slice::range(i, 2), Slice::at(i)])?;
    ///     assert_eq!(b.ir.ty(matrix).to_string(), "memref<f32x8x2>");
    ///     let split = b.expand(t, 2, &[4.into(), 4.into()])?;
    ///     assert_eq!(b.ir.ty(split).to_string(), "memref<f32x8x4x4x4>");
    ///     let joined = b.fuse(t, 0, 1)?;
    ///     assert_eq!(b.ir.ty(joined).to_string(), "memref<f32x32x16>");
    ///     Ok::<_, VerifierError>(())
    /// })?;
    /// # Ok::<_, VerifierError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Builder::emit`].
    pub fn subview(&mut self, of: Value, slices: &[Slice]) -> Built<Value> {
        let operand = self.viewed(of)?;
        let mut view = Memref { shape: Vec::new(), stride: Vec::new(), ..operand.clone() };
        let (mut static_offsets, mut offsets) = (Vec::new(), Vec::new());
        let (mut static_sizes, mut sizes) = (Vec::new(), Vec::new());
        for (mode, slice) in slices.iter().enumerate() {
            static_offsets.push(slice.offset.extent(&mut offsets));
            // In the language, a size of 0 drops the mode.
            let size = slice.size.map_or(Extent::Static(0), |size| size.extent(&mut sizes));
            static_sizes.push(size);
            if size != Extent::Static(0) {
                view.shape.push(size);
                view.stride.push(operand.stride.get(mode).copied().unwrap_or(Extent::Dynamic));
            }
        }
        self.value(Subview { of, static_offsets, static_sizes, offsets, sizes }, view)
    }

    /// Appends a view in which a mode is split into several, the first one fastest.
    ///
    /// # Errors
    /// As [`Builder::emit`].
    pub fn expand(&mut self, of: Value, mode: i64, sizes: &[Bound]) -> Built<Value> {
        let mut view = self.viewed(of)?.clone();
        let mut dynamic = Vec::new();
        let static_shape: Vec<Extent> = sizes.iter().map(|size| size.extent(&mut dynamic)).collect();
        if let Some(at) = usize::try_from(mode).ok().filter(|&at| at < view.order()) {
            let mut stride = view.stride.get(at).copied().unwrap_or(Extent::Dynamic);
            let mut strides = Vec::new();
            for &size in &static_shape {
                strides.push(stride);
                stride = stride.times(size);
            }
            view.stride.splice(at..=at, strides);
            view.shape.splice(at..=at, static_shape.iter().copied());
        }
        self.value(Expand { of, mode, static_shape, sizes: dynamic }, view)
    }

    /// Appends a view in which the modes `first` to `last` are one. They must be contiguous in memory.
    ///
    /// # Errors
    /// As [`Builder::emit`].
    pub fn fuse(&mut self, of: Value, first: i64, last: i64) -> Built<Value> {
        let mut view = self.viewed(of)?.clone();
        let mode = |mode| usize::try_from(mode).ok().filter(|&mode| mode < view.order());
        if let (Some(from), Some(to)) = (mode(first), mode(last))
            && from < to
        {
            let size = view.shape.drain(from..=to).fold(Extent::Static(1), Extent::times);
            view.shape.insert(from, size);
            view.stride.drain(from + 1..=to);
        }
        self.value(Fuse { of, first, last }, view)
    }

    /// The memref that a view is to be made of.
    fn viewed(&self, of: Value) -> Built<&Memref> {
        self.ir.ty(of).memref().ok_or_else(|| {
            let error = VerifierError::new(Status::IrExpectedMemref, self.location, self.ir.describe(of));
            error.about(self.ir, &[of])
        })
    }
}
