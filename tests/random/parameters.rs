//! Parameters of programs, and attributes.

use crate::generate::{Generator, Parameter};
use crate::scope::{Mem, Root};
use std::sync::Arc;
use tiletc::diagnostics::Location;
use tiletc::ir::{
    AddressSpace, Extent, FunctionAttributes, Group, Ir, Memref, Scalar, SubgroupSize, Type, WorkGroupSize,
};

impl Generator<'_> {
    /// Parameters of the program.
    pub fn parameters(&mut self) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        for _ in 0..1 + self.choices.below(4) {
            let element = self.scalar();
            let order = self.choices.of(&[2usize, 1, 0, 3]);
            let mem = self.memory(element, order);
            parameters.push(Parameter::Memref(mem));
        }
        for _ in 0..self.choices.below(4) {
            let number = self.choices.of(&[2i64, 0, 1, 3, -1, -3]);
            parameters.push(Parameter::Scalar(self.scalar(), number));
        }
        if !self.runs() && self.choices.one_in(4) {
            parameters.push(Parameter::Group);
        }
        parameters
    }

    /// New global memory; the value is filled in once it is there.
    fn memory(&mut self, element: Scalar, order: usize) -> Mem {
        let shape = (0..order).map(|_| self.size()).collect();
        self.memory_of(element, shape)
    }

    /// New global memory of a shape.
    pub fn memory_of(&mut self, element: Scalar, shape: Vec<i64>) -> Mem {
        let mut stride = Vec::new();
        let mut next = 1;
        for &size in &shape {
            // Padding, now and then.
            stride.push(next);
            next *= size.max(1) + self.choices.of(&[0, 0, 0, 0, 3]);
        }
        let statics = |numbers: &[i64]| numbers.iter().map(|&n| Extent::Static(n)).collect::<Vec<_>>();
        let mut ty = Memref {
            element,
            shape: statics(&shape),
            stride: statics(&stride),
            swizzle: None,
            space: AddressSpace::Global,
        };
        for (mode, &size) in shape.iter().enumerate() {
            // A size of 0 is one of those that are known at run time only.
            if self.choices.one_in(4) || size == 0 {
                ty.shape[mode] = Extent::Dynamic;
            }
            // A packed stride behind a dynamic size is dynamic too, unless it is spelled out.
            if mode > 0 && self.choices.one_in(4) {
                ty.stride[mode] = Extent::Dynamic;
            }
        }
        self.roots.push(Root { bound: 3.0 });
        // Nothing looks at the value before it is replaced.
        let mut placeholder = Ir::default();
        let func = placeholder.create_function("none", &[Type::INDEX], Location::default());
        let value = placeholder[placeholder[func].body].parameters[0];
        Mem { value, ty, shape, stride, root: self.roots.len() - 1 }
    }

    /// The type of a parameter.
    pub fn parameter_type(&mut self, parameter: &Parameter) -> Type {
        match parameter {
            Parameter::Scalar(scalar, _) => Type::Scalar(*scalar),
            Parameter::Memref(mem) => mem.ty.clone().into(),
            Parameter::Group => {
                let shape = vec![Extent::Static(4), Extent::Dynamic];
                let member = Memref::packed(Scalar::F32, shape, AddressSpace::Global);
                let size = self.choices.of(&[Extent::Dynamic, Extent::Static(3)]);
                let offset = self.choices.of(&[Extent::Static(0), Extent::Static(2), Extent::Dynamic]);
                Type::Group(Arc::new(Group { member: member.into(), size, offset }))
            }
        }
    }

    /// In programs that run, the sizes are set later on.
    pub fn attributes(&mut self) -> FunctionAttributes {
        if self.runs() || !self.choices.one_in(3) {
            return FunctionAttributes::default();
        }
        let size = self.choices.of(&[16, 32]);
        let group = [size * self.choices.of(&[1, 2]), self.choices.of(&[1, 2])];
        FunctionAttributes {
            subgroup_size: Some(SubgroupSize(size)),
            work_group_size: Some(WorkGroupSize(group)),
            ..FunctionAttributes::default()
        }
    }
}
