//! Views of memory.

use crate::generate::Generator;
use crate::scope::{Mem, Scope};
use tiletc::ir::{Bound, Builder, Built, Expand, Extent, Fuse, Memref, Slice};

impl Generator<'_> {
    /// A view of some memory.
    pub fn view(&mut self, b: &mut Builder<'_>, scope: &mut Scope) -> Built<()> {
        let fits: Vec<Mem> =
            scope.mems.iter().rev().filter(|mem| !mem.shape.is_empty() && !mem.is_empty()).cloned().collect();
        if fits.is_empty() {
            return Ok(());
        }
        let mem = self.choices.of(&fits);
        let view = match self.choices.below(4) {
            2 => self.expand(b, &mem)?,
            3 => self.fuse(b, &mem)?,
            _ => Some(self.subview(b, scope, &mem)?),
        };
        scope.mems.extend(view);
        Ok(())
    }

    fn subview(&mut self, b: &mut Builder<'_>, scope: &Scope, mem: &Mem) -> Built<Mem> {
        let (mut slices, mut shape, mut stride) = (Vec::new(), Vec::new(), Vec::new());
        for (&size, &step) in mem.shape.iter().zip(&mem.stride) {
            match self.choices.below(4) {
                3 => {
                    let at = self.position(b, scope, size)?;
                    slices.push(Slice::at(at.value));
                }
                how => {
                    let length = if how == 0 { size } else { 1 + self.choices.below(size as usize) as i64 };
                    let offset = self.choices.below((size - length + 1) as usize) as i64;
                    let mut bound = |number: i64| -> Built<Bound> {
                        let is_dynamic = how == 2 && self.choices.one_in(2);
                        Ok(if is_dynamic { self.index(b, number)?.value.into() } else { number.into() })
                    };
                    let (offset, bound) = (bound(offset)?, bound(length)?);
                    slices.push(Slice::range(offset, bound));
                    shape.push(length);
                    stride.push(step);
                }
            }
        }
        let value = b.subview(mem.value, &slices)?;
        let ty = b.ir.ty(value).memref().cloned().unwrap_or_else(|| mem.ty.clone());
        Ok(Mem { value, ty, shape, stride, root: mem.root })
    }

    /// A mode as two, the first of which divides it.
    fn expand(&mut self, b: &mut Builder<'_>, mem: &Mem) -> Built<Option<Mem>> {
        let mode = self.choices.below(mem.shape.len());
        let (extent, size) = mem.mode(mode);
        let divisors: Vec<i64> = (1..=size).filter(|divisor| size % divisor == 0).collect();
        let first = self.choices.of(&divisors);
        let sizes = [first, size / first];
        let mut values = Vec::new();
        let mut static_shape = Vec::new();
        for size in sizes {
            // A size that is not known before can be given all the same.
            if extent.is_dynamic() && self.choices.one_in(2) {
                values.push(self.index(b, size)?.value);
                static_shape.push(Extent::Dynamic);
            } else {
                static_shape.push(Extent::Static(size));
            }
        }
        let mut ty = mem.ty.clone();
        ty.shape.splice(mode..=mode, static_shape.clone());
        let step = mem.ty.stride[mode];
        ty.stride.splice(mode..=mode, [step, step.times(static_shape[0])]);
        let (mut shape, mut stride) = (mem.shape.clone(), mem.stride.clone());
        shape.splice(mode..=mode, sizes);
        stride.splice(mode..=mode, [mem.stride[mode], mem.stride[mode] * first]);
        let expand = Expand { of: mem.value, mode: mode as i64, static_shape, sizes: values };
        let value = b.value(expand, ty.clone())?;
        Ok(Some(Mem { value, ty, shape, stride, root: mem.root }))
    }

    /// Two modes as one, if they are contiguous.
    fn fuse(&mut self, b: &mut Builder<'_>, mem: &Mem) -> Built<Option<Mem>> {
        let contiguous: Vec<usize> = (1..mem.shape.len())
            .filter(|&mode| mem.stride[mode] == mem.stride[mode - 1] * mem.shape[mode - 1])
            .collect();
        if contiguous.is_empty() {
            return Ok(None);
        }
        let last = self.choices.of(&contiguous);
        let first = last - 1;
        let mut ty: Memref = mem.ty.clone();
        let fused = ty.shape[first].times(ty.shape[last]);
        ty.shape.splice(first..=last, [fused]);
        ty.stride.remove(last);
        let (mut shape, mut stride) = (mem.shape.clone(), mem.stride.clone());
        shape.splice(first..=last, [mem.shape[first] * mem.shape[last]]);
        stride.remove(last);
        let value = b.value(Fuse { of: mem.value, first: first as i64, last: last as i64 }, ty.clone())?;
        Ok(Some(Mem { value, ty, shape, stride, root: mem.root }))
    }
}
