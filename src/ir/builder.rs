//! Makes functions, and instructions one after the other at the end of a region.

use super::constant::Constant;
use super::entities::{Func, Inst, Ir, Program, Region, Value};
use super::instructions::{ConstantInst, For, If, Op, Parallel, Subview, Yield};
use super::rules::{Violation, check_type};
use super::types::{Extent, Memref, Type};
use crate::diagnostics::Location;
use crate::status::Status;

/// A place to build at: the end of a region.
pub struct Builder<'a> {
    /// The arena.
    pub ir: &'a mut Ir,
    /// Where instructions go.
    pub region: Region,
    /// The place in the text that new instructions are said to come from.
    pub location: Location,
}

/// Result of building.
pub type Built<T> = Result<T, Violation>;

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

impl<'a> Builder<'a> {
    /// A builder at the end of `region`.
    pub fn new(ir: &'a mut Ir, region: Region, location: Location) -> Builder<'a> {
        Builder { ir, region, location }
    }

    /// Makes a function with named parameters, whose instructions `body` appends. Nothing is left behind
    /// if that fails.
    ///
    /// # Errors
    /// The rule that a type of a parameter breaks, or what `body` returns.
    pub fn function<const N: usize, E: From<Violation>>(
        ir: &mut Ir,
        name: &str,
        parameters: [(&str, Type); N],
        location: Location,
        body: impl FnOnce(&mut Builder<'_>, [Value; N]) -> Result<(), E>,
    ) -> Result<Func, E> {
        let (names, types): (Vec<&str>, Vec<Type>) = parameters.into_iter().unzip();
        types.iter().try_for_each(|ty| check_type(ty, location))?;
        let func = ir.create_function(name, &types, location);
        let region = ir[func].body;
        let mut values = Vec::with_capacity(N);
        for (name, value) in names.into_iter().zip(ir[region].parameters.clone()) {
            ir[value].name = Some(name.to_owned());
            values.push(value);
        }
        let mut builder = Builder::new(ir, region, location);
        let built = match values.try_into() {
            Ok(values) => body(&mut builder, values),
            Err(_) => Err(builder.missing("a parameter").into()),
        };
        match built {
            Ok(()) => Ok(func),
            Err(error) => {
                ir.remove(&Program { functions: vec![func] });
                Err(error)
            }
        }
    }

    /// A builder at the end of another region of the same arena.
    pub fn inside(&mut self, region: Region) -> Builder<'_> {
        Builder { ir: self.ir, region, location: self.location }
    }

    /// Appends an instruction.
    ///
    /// # Errors
    /// The rule of the instruction that is broken.
    pub fn emit(&mut self, op: impl Into<Op>, results: &[Type]) -> Built<Inst> {
        let inst = self.ir.create(op, results, self.location)?;
        self.ir[self.region].insts.push(inst);
        Ok(inst)
    }

    /// Appends an instruction with one result.
    ///
    /// # Errors
    /// As [`Builder::emit`].
    pub fn value(&mut self, op: impl Into<Op>, ty: impl Into<Type>) -> Built<Value> {
        let inst = self.emit(op, &[ty.into()])?;
        self.ir[inst].results.first().copied().ok_or_else(|| self.missing("a result"))
    }

    /// Appends a constant.
    ///
    /// # Errors
    /// If the constant does not fit the type.
    pub fn constant(&mut self, value: Constant, ty: impl Into<Type>) -> Built<Value> {
        self.value(ConstantInst { value }, ty)
    }

    /// Appends a view of a part of a memref, one slice a mode; the type of the view follows from them.
    ///
    /// # Errors
    /// As [`Builder::emit`].
    pub fn subview(&mut self, of: Value, slices: &[Slice]) -> Built<Value> {
        let Some(operand) = self.ir.ty(of).memref() else {
            let detail = format!("a subview of {}", self.ir.ty(of));
            return Err(Violation::new(Status::IrExpectedMemref, self.location, detail));
        };
        let mut view = Memref { shape: Vec::new(), stride: Vec::new(), ..operand.clone() };
        let (mut static_offsets, mut offsets) = (Vec::new(), Vec::new());
        let (mut static_sizes, mut sizes) = (Vec::new(), Vec::new());
        let extent = |bound, values: &mut Vec<Value>| match bound {
            Bound::Static(number) => Extent::Static(number),
            Bound::Dynamic(value) => {
                values.push(value);
                Extent::Dynamic
            }
        };
        for (mode, slice) in slices.iter().enumerate() {
            static_offsets.push(extent(slice.offset, &mut offsets));
            // In the language, a size of 0 drops the mode.
            let size = slice.size.map_or(Extent::Static(0), |size| extent(size, &mut sizes));
            static_sizes.push(size);
            if size != Extent::Static(0) {
                view.shape.push(size);
                view.stride.push(operand.stride.get(mode).copied().unwrap_or(Extent::Dynamic));
            }
        }
        self.value(Subview { of, static_offsets, static_sizes, offsets, sizes }, view)
    }

    /// Appends a loop; `body` returns the values for the next turn.
    ///
    /// # Errors
    /// As [`Builder::emit`], or what `body` returns.
    pub fn for_loop<E: From<Violation>>(
        &mut self,
        head: For,
        body: impl FnOnce(&mut Builder<'_>, Value, &[Value]) -> Result<Vec<Value>, E>,
    ) -> Result<Vec<Value>, E> {
        let types: Vec<Type> = head.init.iter().map(|&value| self.ir.ty(value).clone()).collect();
        let inst = self.emit(head, &types)?;
        let region = self.region_of(inst, 0)?;
        let parameters = self.ir[region].parameters.clone();
        let [variable, carried @ ..] = parameters.as_slice() else {
            return Err(self.missing("a loop variable").into());
        };
        let mut inner = self.inside(region);
        let values = body(&mut inner, *variable, carried)?;
        if !types.is_empty() {
            inner.emit(Yield { values }, &[])?;
        }
        Ok(self.ir[inst].results.to_vec())
    }

    /// Appends a branch; both sides return the results.
    ///
    /// # Errors
    /// As [`Builder::emit`], or what a side returns.
    pub fn branch<E: From<Violation>>(
        &mut self,
        condition: Value,
        types: &[Type],
        then: impl FnOnce(&mut Builder<'_>) -> Result<Vec<Value>, E>,
        otherwise: impl FnOnce(&mut Builder<'_>) -> Result<Vec<Value>, E>,
    ) -> Result<Vec<Value>, E> {
        let inst = self.emit(If { condition }, types)?;
        let region = self.region_of(inst, 0)?;
        let values = then(&mut self.inside(region))?;
        self.end_branch(region, types, values)?;
        let region = self.region_of(inst, 1)?;
        let values = otherwise(&mut self.inside(region))?;
        self.end_branch(region, types, values)?;
        Ok(self.ir[inst].results.to_vec())
    }

    fn end_branch(&mut self, region: Region, types: &[Type], values: Vec<Value>) -> Built<()> {
        if !types.is_empty() {
            self.inside(region).emit(Yield { values }, &[])?;
        }
        Ok(())
    }

    /// Appends a parallel region.
    ///
    /// # Errors
    /// What `body` returns.
    pub fn parallel<E: From<Violation>>(
        &mut self,
        body: impl FnOnce(&mut Builder<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let inst = self.emit(Parallel {}, &[])?;
        let region = self.region_of(inst, 0)?;
        body(&mut self.inside(region))
    }

    fn region_of(&self, inst: Inst, index: usize) -> Built<Region> {
        self.ir[inst].regions.get(index).copied().ok_or_else(|| self.missing("a region"))
    }

    /// A declaration that lacks what its builder relies on.
    fn missing(&self, what: &str) -> Violation {
        let detail = format!("the instruction lacks {what}");
        Violation::new(Status::InternalCompilerError, self.location, detail)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::ir::{AddressSpace, Scalar};

    fn matrix(sizes: [Extent; 2]) -> Type {
        Memref::packed(Scalar::F32, sizes.to_vec(), AddressSpace::Global).into()
    }

    fn build(
        ir: &mut Ir,
        ty: Type,
        body: impl FnOnce(&mut Builder<'_>, [Value; 2]) -> Built<()>,
    ) -> Built<Func> {
        Builder::function(ir, "f", [("x", ty), ("i", Type::INDEX)], Location::default(), body)
    }

    #[test]
    fn the_type_of_a_view_follows_from_its_slices() {
        let mut ir = Ir::default();
        build(&mut ir, matrix([Extent::Static(8), Extent::Dynamic]), |builder, [x, i]| {
            let cases: [(&[Slice], &str); 5] = [
                (&[Slice::range(0, 8), Slice::range(i, 4)], "memref<f32x8x4>"),
                (&[Slice::range(2, 3), Slice::range(0, i)], "memref<f32x3x?,strided<1,8>>"),
                (&[Slice::range(0, 8), Slice::at(i)], "memref<f32x8>"),
                (&[Slice::at(7), Slice::range(0, i)], "memref<f32x?,strided<8>>"),
                (&[Slice::at(i), Slice::at(i)], "memref<f32>"),
            ];
            for (slices, expected) in cases {
                let view = builder.subview(x, slices)?;
                assert_eq!(builder.ir.ty(view).to_string(), expected);
            }
            Ok(())
        })
        .unwrap();
    }

    #[test]
    fn what_breaks_a_rule_leaves_nothing_behind() {
        let mut ir = Ir::default();
        let packed = || matrix([Extent::Static(8), Extent::Static(4)]);
        let outcomes = [
            build(&mut ir, packed(), |builder, [x, _]| builder.subview(x, &[Slice::at(0)]).map(drop)),
            build(&mut ir, packed(), |builder, [_, i]| builder.subview(i, &[Slice::at(0)]).map(drop)),
            build(&mut ir, packed(), |builder, [x, _]| {
                builder.subview(x, &[Slice::range(-1, 2), Slice::at(0)]).map(drop)
            }),
            build(&mut ir, matrix([Extent::Static(-8), Extent::Static(4)]), |_, _| Ok(())),
        ];
        let expected = [
            Status::IrInvalidNumberOfIndices,
            Status::IrExpectedMemref,
            Status::IrInvalidSlice,
            Status::IrInvalidShape,
        ];
        assert_eq!(outcomes.map(|outcome| outcome.unwrap_err().status), expected);
        assert_eq!(ir.entity_count(), 0);
    }
}
