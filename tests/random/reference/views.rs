//! Views of memory, and local memory.

use super::number::Number;
use super::tensors::View;
use super::{Reference, Run};
use tiletc::ir::{Extent, Inst, Op, Subview, Type};

impl Reference<'_> {
    /// The memory that an instruction makes, or the part of one.
    pub fn new_view(&mut self, inst: Inst, op: &Op) -> Run<View> {
        match op {
            Op::Subview(subview) => self.subview(subview),
            Op::Expand(expand) => {
                let mut view = self.view(expand.of)?;
                let mut sizes = self.ints(&expand.sizes)?.into_iter();
                let mode = usize::try_from(expand.mode).map_err(|_| "a mode that is not there")?;
                let shape: Vec<i64> =
                    expand.static_shape.iter().map(|&size| known(size, &mut sizes)).collect::<Run<_>>()?;
                let mut step = view.stride[mode];
                let mut stride = Vec::new();
                for size in &shape {
                    stride.push(step);
                    step *= size;
                }
                view.shape.splice(mode..=mode, shape);
                view.stride.splice(mode..=mode, stride);
                Ok(view)
            }
            Op::Fuse(fuse) => {
                let mut view = self.view(fuse.of)?;
                let modes = [fuse.first, fuse.last].map(|mode| usize::try_from(mode).unwrap_or(usize::MAX));
                let size =
                    view.shape.get(modes[0]..=modes[1]).ok_or("modes that are not there")?.iter().product();
                view.shape.splice(modes[0]..=modes[1], [size]);
                view.stride.drain(modes[0] + 1..=modes[1]);
                Ok(view)
            }
            _ => {
                let ty = self.result_type(inst).and_then(Type::memref).ok_or("no memory")?;
                let element = ty.element;
                let all = |extents: &[Extent]| -> Option<Vec<i64>> {
                    extents.iter().map(|extent| extent.value()).collect()
                };
                let (shape, stride) = all(&ty.shape).zip(all(&ty.stride)).ok_or("memory of no size")?;
                let last: i64 = shape.iter().zip(&stride).map(|(size, stride)| (size - 1) * stride).sum();
                self.memories.push(vec![Number::unknown(element); usize::try_from(last + 1).unwrap_or(0)]);
                Ok(View { memory: self.memories.len() - 1, element, offset: 0, shape, stride })
            }
        }
    }

    fn subview(&mut self, subview: &Subview) -> Run<View> {
        let view = self.view(subview.of)?;
        let mut offsets = self.ints(&subview.offsets)?.into_iter();
        let mut sizes = self.ints(&subview.sizes)?.into_iter();
        let mut part = View { shape: Vec::new(), stride: Vec::new(), ..view.clone() };
        let extents = subview.static_offsets.iter().zip(&subview.static_sizes);
        for ((&offset, &size), &stride) in extents.zip(&view.stride) {
            part.offset += known(offset, &mut offsets)? * stride;
            // A size of 0 drops the mode.
            if size != Extent::Static(0) {
                part.shape.push(known(size, &mut sizes)?);
                part.stride.push(stride);
            }
        }
        Ok(part)
    }
}

/// A number that is known before, or the next of those that are not.
fn known(extent: Extent, rest: &mut impl Iterator<Item = i64>) -> Run<i64> {
    extent.value().or_else(|| rest.next()).ok_or("too few sizes")
}
