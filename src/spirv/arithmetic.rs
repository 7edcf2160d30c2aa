//! Constants, arithmetic, comparison and casts (lowering reference 3.4).

use super::error::Error;
use super::function::{FunctionLowering, lowerings};
use super::module_builder::{Emitted, ModuleBuilder};
use super::values::Lowered;
use super::{bfloat, complex, integer, real};
use crate::ir::{
    self, Binary, BinaryOp, Cast, Compare, CompareOp, Constant, ConstantInst, Scalar, Select, Type, Unary,
    UnaryOp, Value, VerifierError,
};
use crate::status::Status;
use rspirv::spirv::{Op, Word};

lowerings! {
    ConstantInst: |op, f, site| f.constant(op.value, site.ty()?);
    Cast: |op, f, site| f.cast(op.a, site.ty()?);
    Binary: |op, f, site| f.binary(op, site.ty()?);
    Unary: |op, f, site| f.unary(op, site.ty()?);
    Select: |op, f, site| f.select(op, site.ty()?);
    Compare: |op, f, site| f.compare(op);
}

impl FunctionLowering<'_, '_> {
    pub fn constant(&mut self, value: Constant, ty: &Type) -> Emitted<Lowered> {
        let word = match (value, ty.component()) {
            (Constant::Bool(value), _) => self.module.bool_constant(value),
            (Constant::Int(value), Some(scalar)) => self.module.int_constant(scalar, value)?,
            (Constant::Float(value), Some(scalar)) => self.module.float_constant(scalar, value)?,
            (Constant::Complex(re, im), Some(scalar)) => self.module.complex_constant(scalar, re, im)?,
            _ => return Err(Error::UndefinedValue(self.values.location)),
        };
        match ty.coopmatrix() {
            Some(matrix) => self.matrices.construct(self, matrix, word).map(Lowered::Matrix),
            None => Ok(Lowered::Scalar(word)),
        }
    }

    pub fn binary(&mut self, op: &Binary, ty: &Type) -> Emitted<Lowered> {
        if *ty == Type::Bool {
            let (a, b) = (self.values.scalar(op.a)?, self.values.scalar(op.b)?);
            let boolean = self.module.bool_type();
            let logical = match op.op {
                BinaryOp::And => Op::LogicalAnd,
                BinaryOp::Or => Op::LogicalOr,
                BinaryOp::Xor => Op::LogicalNotEqual,
                BinaryOp::Add
                | BinaryOp::Sub
                | BinaryOp::Mul
                | BinaryOp::Div
                | BinaryOp::Rem
                | BinaryOp::Cdiv
                | BinaryOp::Shl
                | BinaryOp::Shr
                | BinaryOp::Min
                | BinaryOp::Max => return Err(Error::internal("it is not defined for truth values")),
            };
            return Ok(Lowered::Scalar(self.module.value(logical, boolean, &[a, b])?));
        }
        let scalar = self.component(ty)?;
        let right = match self.ir.defining_op(op.b) {
            Some(ir::Op::ConstantInst(ConstantInst { value: Constant::Int(value) })) => {
                Some(scalar.wrap(*value))
            }
            _ => None,
        };
        if op.op.is_division() && right == Some(0) {
            // Where nothing is optimised no pass has looked.
            let detail = op.op.spelling();
            let error = VerifierError::new(Status::IrDivisionByZero, self.values.location, detail);
            return Err(error.about(self.ir, &[op.b]).into());
        }
        let (a, b) = (self.values.get(op.a)?.clone(), self.values.get(op.b)?.clone());
        let op = NumberBinary { op: op.op, scalar, right };
        match (a, b) {
            (Lowered::Matrix(a), Lowered::Matrix(b)) => {
                self.matrices.binary(self, op, &a, &b).map(Lowered::Matrix)
            }
            (Lowered::Scalar(a), Lowered::Scalar(b)) => op.emit(self.module, a, b).map(Lowered::Scalar),
            (a, b) => Err(Error::internal(format!("operands {a:?} and {b:?}"))),
        }
    }

    pub fn unary(&mut self, op: &Unary, ty: &Type) -> Emitted<Lowered> {
        if *ty == Type::Bool {
            let a = self.values.scalar(op.a)?;
            if *self.ir.ty(op.a) != Type::Bool {
                let (status, detail) = (Status::IrOperandTypeMustMatchReturnType, self.ir.describe(op.a));
                return Err(VerifierError::new(status, self.values.location, detail)
                    .about(self.ir, &[op.a])
                    .into());
            }
            let boolean = self.module.bool_type();
            return Ok(Lowered::Scalar(self.module.value(Op::LogicalNot, boolean, &[a])?));
        }
        let scalar = self.component(self.ir.ty(op.a))?;
        match (self.values.get(op.a)?.clone(), ty.coopmatrix()) {
            (Lowered::Matrix(a), Some(result)) => {
                self.matrices.unary(self, op.op, &a, result).map(Lowered::Matrix)
            }
            (Lowered::Scalar(a), None) => unary(self.module, op.op, scalar, a).map(Lowered::Scalar),
            (a, _) => Err(Error::internal(format!("operand {a:?} for a result of type {ty}"))),
        }
    }

    pub fn select(&mut self, op: &Select, ty: &Type) -> Emitted<Lowered> {
        let [condition, a, b] = [op.condition, op.a, op.b].map(|value| self.values.scalar(value));
        let (condition, a, b) = (condition?, a?, b?);
        let Some(scalar) = ty.scalar() else {
            let boolean = self.module.bool_type();
            return Ok(Lowered::Scalar(self.module.value(Op::Select, boolean, &[condition, a, b])?));
        };
        let part = self.module.scalar_type(scalar.component())?;
        if !scalar.is_complex() {
            return Ok(Lowered::Scalar(self.module.value(Op::Select, part, &[condition, a, b])?));
        }
        // Before SPIR-V 1.4 one condition does not select between composites.
        let [a, b] = [complex::parts(self.module, scalar, a)?, complex::parts(self.module, scalar, b)?];
        let mut parts = a;
        for (word, b) in parts.iter_mut().zip(b) {
            *word = self.module.value(Op::Select, part, &[condition, *word, b])?;
        }
        complex::from_parts(self.module, scalar, parts).map(Lowered::Scalar)
    }

    pub fn compare(&mut self, op: &Compare) -> Emitted<Lowered> {
        let scalar = self.component(self.ir.ty(op.a))?;
        let (a, b) = (self.values.scalar(op.a)?, self.values.scalar(op.b)?);
        if scalar.is_complex() {
            let equal = op.op == CompareOp::Equal;
            return Ok(Lowered::Scalar(complex::equal(self.module, scalar, equal, a, b)?));
        }
        let (a, b) = (widen(self.module, scalar, a)?, widen(self.module, scalar, b)?);
        let opcode = match (op.op, scalar.is_float()) {
            (CompareOp::Equal, false) => Op::IEqual,
            (CompareOp::NotEqual, false) => Op::INotEqual,
            (CompareOp::GreaterThan, false) => Op::SGreaterThan,
            (CompareOp::GreaterThanEqual, false) => Op::SGreaterThanEqual,
            (CompareOp::LessThan, false) => Op::SLessThan,
            (CompareOp::LessThanEqual, false) => Op::SLessThanEqual,
            (CompareOp::Equal, true) => Op::FOrdEqual,
            // True if one is NaN.
            (CompareOp::NotEqual, true) => Op::FUnordNotEqual,
            (CompareOp::GreaterThan, true) => Op::FOrdGreaterThan,
            (CompareOp::GreaterThanEqual, true) => Op::FOrdGreaterThanEqual,
            (CompareOp::LessThan, true) => Op::FOrdLessThan,
            (CompareOp::LessThanEqual, true) => Op::FOrdLessThanEqual,
        };
        let boolean = self.module.bool_type();
        Ok(Lowered::Scalar(self.module.value(opcode, boolean, &[a, b])?))
    }

    pub fn cast(&mut self, a: Value, ty: &Type) -> Emitted<Lowered> {
        let (from, to) = (self.component(self.ir.ty(a))?, self.component(ty)?);
        match (self.values.get(a)?.clone(), ty.coopmatrix()) {
            (Lowered::Matrix(a), Some(result)) => self.matrices.cast(self, &a, result).map(Lowered::Matrix),
            (Lowered::Scalar(a), None) => cast(self.module, from, to, a).map(Lowered::Scalar),
            (a, _) => Err(Error::internal(format!("operand {a:?} for a result of type {ty}"))),
        }
    }

    pub fn component(&self, ty: &Type) -> Emitted<Scalar> {
        ty.component().ok_or(Error::UndefinedValue(self.values.location))
    }
}

/// An operation on two numbers of one type.
#[derive(Clone, Copy)]
pub(super) struct NumberBinary {
    pub op: BinaryOp,
    pub scalar: Scalar,
    /// The second number, if it is a known integer.
    pub right: Option<i64>,
}

impl NumberBinary {
    /// The result that the language defines, where SPIR-V leaves it open too.
    pub fn emit(self, module: &mut ModuleBuilder<'_>, a: Word, b: Word) -> Emitted<Word> {
        let compute = match self.op {
            BinaryOp::Div | BinaryOp::Rem if integer::may_overflow(self.scalar, self.right) => {
                integer::divide
            }
            BinaryOp::Cdiv => return divide_up(module, self, a, b),
            BinaryOp::Shl | BinaryOp::Shr if integer::may_exceed(self.scalar, self.right) => integer::shift,
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::Shl
            | BinaryOp::Shr
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::Min
            | BinaryOp::Max => binary,
        };
        compute(module, self.op, self.scalar, a, b)
    }
}

/// Quotient, rounded up. Adding to the dividend first could overflow.
fn divide_up(module: &mut ModuleBuilder<'_>, op: NumberBinary, a: Word, b: Word) -> Emitted<Word> {
    let quotient = NumberBinary { op: BinaryOp::Div, ..op }.emit(module, a, b)?;
    let rest = NumberBinary { op: BinaryOp::Rem, ..op }.emit(module, a, b)?;
    let (ty, boolean) = (module.scalar_type(op.scalar)?, module.bool_type());
    let (zero, one) = (module.int_constant(op.scalar, 0)?, module.int_constant(op.scalar, 1)?);
    // The remainder has the sign of the dividend; a quotient that is not negative was cut.
    let has_rest = module.value(Op::INotEqual, boolean, &[rest, zero])?;
    let signs = module.value(Op::BitwiseXor, ty, &[rest, b])?;
    let is_cut = module.value(Op::SGreaterThanEqual, boolean, &[signs, zero])?;
    let rounds = module.value(Op::LogicalAnd, boolean, &[has_rest, is_cut])?;
    let addend = module.value(Op::Select, ty, &[rounds, one, zero])?;
    binary(module, BinaryOp::Add, op.scalar, quotient, addend)
}

/// Arithmetic on two numbers.
pub(super) fn binary(
    module: &mut ModuleBuilder<'_>,
    op: BinaryOp,
    scalar: Scalar,
    a: Word,
    b: Word,
) -> Emitted<Word> {
    if scalar.is_complex() {
        return complex::binary(module, op, scalar, a, b);
    }
    let (a, b) = (widen(module, scalar, a)?, widen(module, scalar, b)?);
    let wide = real::binary(module, op, scalar.computed_in(), a, b)?;
    round(module, scalar, wide)
}

/// Arithmetic on one number; `scalar` is its type.
pub(super) fn unary(module: &mut ModuleBuilder<'_>, op: UnaryOp, scalar: Scalar, a: Word) -> Emitted<Word> {
    if scalar.is_complex() {
        return complex::unary(module, op, scalar, a);
    }
    let wide = widen(module, scalar, a)?;
    let wide = real::unary(module, op, scalar.computed_in(), wide)?;
    round(module, scalar, wide)
}

/// A number in the type that it is computed in.
fn widen(module: &mut ModuleBuilder<'_>, scalar: Scalar, a: Word) -> Emitted<Word> {
    match scalar {
        Scalar::Bf16 => bfloat::widen(module, a),
        Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Index => Ok(a),
        Scalar::F16 | Scalar::F32 | Scalar::F64 | Scalar::C32 | Scalar::C64 => Ok(a),
    }
}

/// A number of the type that others are computed in, rounded to their type.
fn round(module: &mut ModuleBuilder<'_>, scalar: Scalar, wide: Word) -> Emitted<Word> {
    match scalar {
        Scalar::Bf16 => bfloat::round(module, wide),
        Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Index => Ok(wide),
        Scalar::F16 | Scalar::F32 | Scalar::F64 | Scalar::C32 | Scalar::C64 => Ok(wide),
    }
}

/// Converts a number.
pub(super) fn cast(module: &mut ModuleBuilder<'_>, from: Scalar, to: Scalar, a: Word) -> Emitted<Word> {
    let to_type = module.scalar_type(to)?;
    if from == to {
        return Ok(a);
    }
    // What is only stored goes through the type that it is computed in, whatever is on the other side.
    if from.computed_in() != from {
        let wide = widen(module, from, a)?;
        return cast(module, from.computed_in(), to, wide);
    }
    if to.computed_in() != to {
        let wide = cast(module, from, to.computed_in(), a)?;
        return round(module, to, wide);
    }
    if to.is_complex() && !from.is_complex() {
        let re = cast(module, from, to.component(), a)?;
        let im = module.zero(to.component())?;
        return module.value(Op::CompositeConstruct, to_type, &[re, im]);
    }
    if module.scalar_type(from)? == to_type {
        return Ok(a);
    }
    let opcode = match (from.is_integer(), to.is_integer()) {
        (true, true) => Op::SConvert,
        (true, false) => Op::ConvertSToF,
        (false, true) => Op::ConvertFToS,
        (false, false) => Op::FConvert,
    };
    module.value(opcode, to_type, &[a])
}
