//! Makes functions, and instructions one after the other at the end of a region.

mod regions;
mod views;

pub use views::{Bound, Slice};

use super::constant::Constant;
use super::cursor::Cursor;
use super::entities::{Func, Inst, Ir, Program, Region, Value};
use super::instructions::{ConstantInst, Op};
use super::rules::{VerifierError, check_type};
use super::types::Type;
use crate::diagnostics::Location;
use crate::status::Status;

/// A place to build at, such as the end of a region.
///
/// Every instruction of the language is a struct with its operands and immediates, which [`Builder::emit`]
/// checks and appends; an instruction with one result goes through [`Builder::value`]. Modifiers that a
/// text may leave out have a default. For views and for instructions with regions there are methods that
/// work out types and yields.
///
/// ```
/// use tiletc::diagnostics::Location;
/// use tiletc::driver;
/// use tiletc::ir::*;
///
/// # fn main() -> Result<(), VerifierError> {
/// let mut ir = Ir::default();
/// let column = Memref::packed(Scalar::F32, vec![Extent::Static(64), Extent::Dynamic], AddressSpace::Global);
/// let parameters = [("alpha", Scalar::F32.into()), ("x", column.into())];
/// let scale = Builder::function(&mut ir, "scale", parameters, Location::default(), |b, [alpha, x]| {
///     let group = b.value(Grid { op: GridBuiltin::GroupId, component: Component::X }, Type::INDEX)?;
///     b.ir.set_name(group, "group");
///     let own = b.subview(x, &[Slice::range(0, 64), Slice::at(group)])?;
///     let zero = b.constant(Constant::Float(0.0), Scalar::F32)?;
///     let (atomic, transpose) = (Atomic::default(), Transpose::N);
///     b.emit(Axpby { atomic, transpose, alpha, a: own, beta: zero, b: own }, &[])?;
///     Ok::<(), VerifierError>(())
/// })?;
/// ir[scale].attributes.subgroup_size = Some(SubgroupSize(16));
/// assert_eq!(
///     driver::print(&ir, &Program { functions: vec![scale] }),
///     "func @scale(%alpha: f32,
///             %x: memref<f32x64x?>) attributes{subgroup_size=16} {
///     %group = group_id.x : index
///     %0 = subview %x[0:64,%group] : memref<f32x64>
///     %1 = constant 0x0p+0 : f32
///     axpby %alpha, %0, %1, %0
/// }
/// "
/// );
/// # Ok(())
/// # }
/// ```
///
/// Breaking a rule is refused with the status and the message that the parser has for it:
///
/// ```
/// # use tiletc::diagnostics::Location;
/// # use tiletc::ir::*;
/// # use tiletc::status::Status;
/// # let mut ir = Ir::default();
/// let parameters = [("x", Scalar::F32.into()), ("n", Type::I32)];
/// let refused = Builder::function(&mut ir, "f", parameters, Location::default(), |b, [x, n]| {
///     b.value(Binary { op: BinaryOp::Add, a: x, b: n }, Scalar::F32)?;
///     Ok::<(), VerifierError>(())
/// });
/// let error = refused.unwrap_err();
/// assert_eq!(error.status, Status::IrOperandTypeMustMatchReturnType);
/// assert_eq!(error.detail, "%n is i32, the result f32");
/// ```
pub struct Builder<'a> {
    /// The arena.
    pub ir: &'a mut Ir,
    /// Place where instructions go.
    pub cursor: Cursor,
    /// The place in the text that new instructions are said to come from.
    pub location: Location,
}

/// Result of building.
pub type Built<T> = Result<T, VerifierError>;

impl<'a> Builder<'a> {
    /// A builder at the end of `region`.
    pub fn new(ir: &'a mut Ir, region: Region, location: Location) -> Builder<'a> {
        Builder { ir, cursor: Cursor::at_end(region), location }
    }

    /// A builder before an instruction of a region, with its place in the text.
    ///
    /// # Errors
    /// An internal error if the instruction is in no region.
    pub fn before(ir: &'a mut Ir, inst: Inst) -> Built<Builder<'a>> {
        let cursor = Cursor::before(ir, inst);
        Builder::at(ir, inst, cursor)
    }

    /// A builder behind an instruction of a region, with its place in the text.
    ///
    /// # Errors
    /// As [`Builder::before`].
    pub fn after(ir: &'a mut Ir, inst: Inst) -> Built<Builder<'a>> {
        let cursor = Cursor::after(ir, inst);
        Builder::at(ir, inst, cursor)
    }

    fn at(ir: &'a mut Ir, inst: Inst, cursor: Option<Cursor>) -> Built<Builder<'a>> {
        let location = ir[inst].location;
        let cursor = cursor.ok_or_else(|| missing("a region", location))?;
        Ok(Builder { ir, cursor, location })
    }

    /// Makes a function with named parameters, whose instructions `body` appends. Nothing is left behind
    /// if that fails.
    ///
    /// # Errors
    /// The rule that a type of a parameter breaks, or what `body` returns.
    pub fn function<const N: usize, E: From<VerifierError>>(
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

    /// Builds what comes from another place in the text.
    pub fn at_location<T>(&mut self, location: Location, build: impl FnOnce(&mut Self) -> T) -> T {
        let own = std::mem::replace(&mut self.location, location);
        let built = build(self);
        self.location = own;
        built
    }

    /// A builder at the end of another region of the same arena.
    pub fn inside(&mut self, region: Region) -> Builder<'_> {
        Builder::new(self.ir, region, self.location)
    }

    /// Appends an instruction.
    ///
    /// # Errors
    /// The rule of the instruction that is broken.
    pub fn emit(&mut self, op: impl Into<Op>, results: &[Type]) -> Built<Inst> {
        let inst = self.ir.create(op, results, self.location)?;
        self.ir.insert(inst, self.cursor);
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

    /// A declaration that lacks what its builder relies on.
    fn missing(&self, what: &str) -> VerifierError {
        missing(what, self.location)
    }
}

fn missing(what: &str, location: Location) -> VerifierError {
    VerifierError::new(Status::InternalCompilerError, location, format!("the instruction lacks {what}"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::ir::{AddressSpace, Extent, Memref, Scalar};

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
    fn modes_are_split_and_joined() {
        let mut ir = Ir::default();
        build(&mut ir, matrix([Extent::Static(8), Extent::Dynamic]), |builder, [x, i]| {
            let split = [
                (0, [Bound::Static(4), Bound::Static(2)], "memref<f32x4x2x?>"),
                (0, [Bound::Static(2), Bound::Dynamic(i)], "memref<f32x2x?x?,strided<1,2,8>>"),
                (0, [Bound::Dynamic(i), Bound::Static(2)], "memref<f32x?x2x?,strided<1,?,8>>"),
                (1, [Bound::Static(3), Bound::Dynamic(i)], "memref<f32x8x3x?>"),
            ];
            for (mode, sizes, expected) in split {
                let view = builder.expand(x, mode, &sizes)?;
                assert_eq!(builder.ir.ty(view).to_string(), expected);
            }
            let view = builder.fuse(x, 0, 1)?;
            assert_eq!(builder.ir.ty(view).to_string(), "memref<f32x?>");
            let cube = builder.expand(x, 0, &[Bound::Static(4), Bound::Static(2)])?;
            for (first, last, expected) in
                [(0, 1, "memref<f32x8x?>"), (1, 2, "memref<f32x4x?>"), (0, 2, "memref<f32x?>")]
            {
                let view = builder.fuse(cube, first, last)?;
                assert_eq!(builder.ir.ty(view).to_string(), expected);
            }
            for outcome in [builder.fuse(x, 1, 1), builder.fuse(x, 0, 2), builder.expand(x, -1, &[])] {
                assert_eq!(outcome.unwrap_err().status, Status::IrOutOfBounds);
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
