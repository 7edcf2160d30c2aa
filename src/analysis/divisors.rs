//! Numbers that are known to divide integers and the offsets, sizes and strides of tensors
//! (lowering reference 1.10).
//!
//! A divisor of 1 says nothing; the constant 0 has the divisor 0, since every number divides it.

use crate::ir::{
    AddressSpace, BinaryOp, Constant, Extent, Func, Inst, Ir, Memref, ModeDivisors, Op, ParameterAttributes,
    Region, Scalar, Subview, Surface, Transpose, Type, UnaryOp, Value,
};
use std::collections::HashMap;

/// Facts about a memref, or about every member of a group. Offsets and strides count elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorDivisors {
    /// Divides the address of the first element, over the size of an element.
    pub offset: i64,
    /// Divides the size of each mode.
    pub shape: Vec<i64>,
    /// Divides the stride of each mode.
    pub stride: Vec<i64>,
}

/// The divisors of the values of one function.
#[derive(Clone, Debug)]
pub struct Divisors {
    numbers: HashMap<Value, i64>,
    tensors: HashMap<Value, TensorDivisors>,
    /// Alignment in bytes of tensors of which no other is promised.
    default_alignment: i64,
}

impl Divisors {
    /// Looks at a function, where pointers are `default_alignment` bytes aligned unless told otherwise.
    pub fn new(ir: &Ir, func: Func, default_alignment: i64) -> Divisors {
        let (numbers, tensors) = (HashMap::new(), HashMap::new());
        let mut divisors = Divisors { numbers, tensors, default_alignment };
        let data = &ir[func];
        for (&value, attributes) in ir[data.body].parameters.iter().zip(&data.parameter_attributes) {
            divisors.parameter(ir, value, attributes);
        }
        divisors.region(ir, data.body);
        divisors
    }

    /// The divisor of a number; 1 where nothing is known.
    pub fn number(&self, value: Value) -> i64 {
        self.numbers.get(&value).copied().unwrap_or(1)
    }

    /// The divisors of a memref or group.
    pub fn tensor(&self, value: Value) -> Option<&TensorDivisors> {
        self.tensors.get(&value)
    }

    fn parameter(&mut self, ir: &Ir, value: Value, attributes: &ParameterAttributes) {
        let memref = match ir.ty(value) {
            Type::Memref(memref) => memref,
            Type::Group(group) => &group.member,
            _ => return,
        };
        let of = |extents: &[Extent], promised: &Option<ModeDivisors>| {
            let promised = |mode: usize| promised.as_ref()?.0.get(mode).copied();
            let known = |(mode, extent): (usize, &Extent)| extent.value().or_else(|| promised(mode));
            extents.iter().enumerate().map(|mode| magnitude(known(mode).unwrap_or(1))).collect()
        };
        let mut offset = elements(attributes.alignment.unwrap_or(self.default_alignment), memref);
        if let Type::Group(group) = ir.ty(value) {
            offset = gcd(offset, group.offset.value().unwrap_or(1));
        }
        let shape = of(&memref.shape, &attributes.shape_gcd);
        let stride = of(&memref.stride, &attributes.stride_gcd);
        self.tensors.insert(value, TensorDivisors { offset, shape, stride });
    }

    fn region(&mut self, ir: &Ir, region: Region) {
        for inst in ir.insts(region) {
            if let (Op::For(data), Some(&body)) = (&ir[inst].op, ir[inst].regions.first())
                && let (Some(step), Some(&variable)) = (data.step, ir[body].parameters.first())
            {
                self.numbers.insert(variable, gcd(self.number(data.from), self.number(step)));
            }
            self.instruction(ir, inst);
            ir[inst].regions.iter().for_each(|&inner| self.region(ir, inner));
        }
    }

    fn instruction(&mut self, ir: &Ir, inst: Inst) {
        let data = &ir[inst];
        let [result] = data.results.as_slice() else { return };
        if let Some(number) = self.of_number(ir, &data.op) {
            let kept = match ir.ty(*result).scalar() {
                // What wraps around keeps powers of two only.
                Some(scalar) if scalar.bytes() < Scalar::Index.bytes() => power_of_two(number),
                Some(_) => number,
                None => return,
            };
            self.numbers.insert(*result, kept);
        } else if let Some(tensor) = self.of_tensor(ir, &data.op, *result) {
            self.tensors.insert(*result, tensor);
        }
    }

    fn of_number(&self, ir: &Ir, op: &Op) -> Option<i64> {
        match op {
            Op::ConstantInst(constant) => match constant.value {
                Constant::Int(value) => Some(magnitude(value)),
                _ => None,
            },
            Op::Cast(cast) => self.numbers.get(&cast.a).copied(),
            Op::SubgroupBroadcast(broadcast) => self.numbers.get(&broadcast.a).copied(),
            Op::Unary(unary) if matches!(unary.op, UnaryOp::Abs | UnaryOp::Neg) => {
                self.numbers.get(&unary.a).copied()
            }
            Op::Binary(binary) => {
                ir.ty(binary.a).scalar().filter(|scalar| scalar.is_integer())?;
                let (a, b) = (self.number(binary.a), self.number(binary.b));
                match binary.op {
                    BinaryOp::Add | BinaryOp::Sub | BinaryOp::Min | BinaryOp::Max | BinaryOp::Rem => {
                        Some(gcd(a, b))
                    }
                    // A product out of range is a multiple of either factor still.
                    BinaryOp::Mul => Some(a.checked_mul(b).unwrap_or(a)),
                    BinaryOp::Div => self.quotient(ir, a, binary.b),
                    _ => None,
                }
            }
            Op::Size(size) => {
                let tensor = self.tensors.get(&size.of)?;
                match ir.ty(size.of) {
                    Type::Memref(_) => tensor.shape.get(usize::try_from(size.mode).ok()?).copied(),
                    Type::Group(group) => group.size.value(),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A multiple of `a` over a constant that divides `a`. Of any other divisor only a multiple is known,
    /// which tells nothing of the quotient.
    fn quotient(&self, ir: &Ir, a: i64, b: Value) -> Option<i64> {
        match ir.defining_op(b) {
            Some(Op::ConstantInst(constant)) => match constant.value {
                Constant::Int(b) => a.checked_rem(b).filter(|&rest| rest == 0).map(|_| magnitude(a / b)),
                _ => None,
            },
            _ => None,
        }
    }

    fn of_tensor(&self, ir: &Ir, op: &Op, result: Value) -> Option<TensorDivisors> {
        match op {
            Op::Alloca(alloca) => {
                let memref = ir.ty(result).memref()?;
                let default = power_of_two(self.default_alignment).max(1);
                let alignment = alloca.stack_ptr.map_or(1, |start| gcd(default, power_of_two(start)));
                Some(TensorDivisors {
                    offset: elements(alignment.max(memref.element.bytes()), memref),
                    shape: memref.shape.iter().map(|size| magnitude(size.value().unwrap_or(1))).collect(),
                    stride: memref
                        .allocated_strides()
                        .as_ref()
                        .unwrap_or(&memref.stride)
                        .iter()
                        .map(|stride| magnitude(stride.value().unwrap_or(1)))
                        .collect(),
                })
            }
            Op::Load(load) if matches!(ir.ty(load.from), Type::Group(_)) => {
                self.tensors.get(&load.from).cloned()
            }
            Op::Subview(view) => self.subview(view),
            Op::AsSurface(surface) => {
                let mut tensor = self.tensors.get(&surface.of)?.clone();
                let memref = ir.ty(result).memref()?;
                let in_elements = |bytes: i64| (bytes / memref.element.bytes()).max(1);
                tensor.offset = common_multiple(tensor.offset, in_elements(Surface::MIN_BYTES));
                if let (Some(width), Some(pitch)) = (tensor.shape.first_mut(), tensor.stride.get_mut(1)) {
                    *width = common_multiple(*width, in_elements(Surface::UNIT_BYTES));
                    *pitch = common_multiple(*pitch, in_elements(Surface::PITCH_BYTES));
                }
                Some(tensor)
            }
            Op::MemrefCast(cast) => {
                let mut tensor = self.tensors.get(&cast.of)?.clone();
                if cast.transpose == Transpose::T {
                    tensor.shape.reverse();
                    tensor.stride.reverse();
                }
                let memref = ir.ty(result).memref()?;
                let extents = tensor.shape.iter_mut().zip(&memref.shape);
                for (divisor, extent) in extents.chain(tensor.stride.iter_mut().zip(&memref.stride)) {
                    *divisor = extent.value().map_or(*divisor, magnitude);
                }
                Some(tensor)
            }
            Op::Expand(expand) => {
                let mut tensor = self.tensors.get(&expand.of)?.clone();
                let mode = usize::try_from(expand.mode).ok()?;
                let mut sizes = expand.sizes.iter();
                let shape: Vec<i64> = expand
                    .static_shape
                    .iter()
                    .map(|size| magnitude(size.value().unwrap_or_else(|| self.next(&mut sizes))))
                    .collect();
                let first = *tensor.stride.get(mode)?;
                let stride = shape.iter().scan(first, |next, &size| {
                    let stride = *next;
                    *next = stride.checked_mul(size).unwrap_or(stride);
                    Some(stride)
                });
                tensor.stride.splice(mode..=mode, stride.collect::<Vec<_>>());
                tensor.shape.splice(mode..=mode, shape);
                Some(tensor)
            }
            Op::Fuse(fuse) => {
                let mut tensor = self.tensors.get(&fuse.of)?.clone();
                let modes = usize::try_from(fuse.first).ok()?..=usize::try_from(fuse.last).ok()?;
                let size = tensor.shape.get(modes.clone())?.iter().try_fold(1i64, |a, &b| a.checked_mul(b));
                let stride = *tensor.stride.get(*modes.start())?;
                tensor.shape.splice(modes.clone(), [size.unwrap_or(1)]);
                tensor.stride.splice(modes, [stride]);
                Some(tensor)
            }
            _ => None,
        }
    }

    fn subview(&self, view: &Subview) -> Option<TensorDivisors> {
        let of = self.tensors.get(&view.of)?;
        let (mut offsets, mut sizes) = (view.offsets.iter(), view.sizes.iter());
        let mut part = TensorDivisors { offset: of.offset, shape: Vec::new(), stride: Vec::new() };
        for ((offset, size), &stride) in view.static_offsets.iter().zip(&view.static_sizes).zip(&of.stride) {
            let offset = magnitude(offset.value().unwrap_or_else(|| self.next(&mut offsets)));
            // A distance out of range is a multiple of the stride still.
            part.offset = gcd(part.offset, offset.checked_mul(stride).unwrap_or(stride));
            if *size != Extent::Static(0) {
                part.shape.push(magnitude(size.value().unwrap_or_else(|| self.next(&mut sizes))));
                part.stride.push(stride);
            }
        }
        Some(part)
    }

    /// The divisor of the next operand of a list.
    fn next(&self, values: &mut std::slice::Iter<'_, Value>) -> i64 {
        values.next().map_or(1, |&value| self.number(value))
    }
}

/// The elements of a memref in so many bytes, or 1 if that is no whole number.
fn elements(bytes: i64, memref: &Memref) -> i64 {
    let size = memref.element.bytes();
    // Local memory begins at an address that any element may stand at.
    let least = if memref.space == AddressSpace::Local { size } else { 1 };
    let bytes = bytes.max(least);
    if bytes % size == 0 { bytes / size } else { 1 }
}

/// The magnitude; 1 for the smallest integer, whose magnitude has no type here.
fn magnitude(value: i64) -> i64 {
    value.checked_abs().unwrap_or(1)
}

/// The least common multiple, or the first number if that is out of range.
fn common_multiple(a: i64, b: i64) -> i64 {
    if a == 0 {
        return 0;
    }
    (a / gcd(a, b)).checked_mul(b).unwrap_or(a)
}

/// The largest power of two that divides a number; 0 for 0.
fn power_of_two(value: i64) -> i64 {
    value & value.wrapping_neg()
}

/// The greatest common divisor; `gcd(0, b)` is `b`.
fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (magnitude(a), magnitude(b));
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
