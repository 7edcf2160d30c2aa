//! Constants, arithmetic, comparison and casts (lowering reference 3.4).

use super::error::Error;
use super::function::FunctionLowering;
use super::lower::{Site, lowerings};
use super::module_builder::Emitted;
use super::numbers::{self, NumberBinary, cast, complex, widen};
use super::values::Lowered;
use crate::ir::{
    self, Binary, BinaryOp, Cast, Compare, CompareOp, Constant, ConstantInst, Select, Type, Unary, Value,
    VerifierError,
};
use crate::status::Status;
use rspirv::spirv::Op;

lowerings! {
    ConstantInst: |op, f, site| f.constant(op.value, site);
    Cast: |op, f, site| f.cast(op.a, site);
    Binary: |op, f, site| f.binary(op, site);
    Unary: |op, f, site| f.unary(op, site);
    Select: |op, f, site| f.select(op, site.ty()?);
    Compare: |op, f, site| f.compare(op);
}

impl FunctionLowering<'_, '_> {
    pub fn constant(&mut self, value: Constant, site: &Site<'_>) -> Emitted<Lowered> {
        let ty = site.ty()?;
        let word = match (value, ty.component()) {
            (Constant::Bool(value), _) => self.module.bool_constant(value),
            (Constant::Int(value), Some(scalar)) => self.module.int_constant(scalar, value)?,
            (Constant::Float(value), Some(scalar)) => self.module.float_constant(scalar, value)?,
            (Constant::Complex(re, im), Some(scalar)) => self.module.complex_constant(scalar, re, im)?,
            _ => return Err(Error::UndefinedValue(self.values.location)),
        };
        match ty.coopmatrix() {
            Some(matrix) => site.matrices.construct(self, matrix, word).map(Lowered::Matrix),
            None => Ok(Lowered::Scalar(word)),
        }
    }

    pub fn binary(&mut self, op: &Binary, site: &Site<'_>) -> Emitted<Lowered> {
        let ty = site.ty()?;
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
                site.matrices.binary(self, op, &a, &b).map(Lowered::Matrix)
            }
            (Lowered::Scalar(a), Lowered::Scalar(b)) => op.emit(self.module, a, b).map(Lowered::Scalar),
            (a, b) => Err(Error::internal(format!("operands {a:?} and {b:?}"))),
        }
    }

    pub fn unary(&mut self, op: &Unary, site: &Site<'_>) -> Emitted<Lowered> {
        let ty = site.ty()?;
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
                site.matrices.unary(self, op.op, &a, result).map(Lowered::Matrix)
            }
            (Lowered::Scalar(a), None) => numbers::unary(self.module, op.op, scalar, a).map(Lowered::Scalar),
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

    pub fn cast(&mut self, a: Value, site: &Site<'_>) -> Emitted<Lowered> {
        let ty = site.ty()?;
        let (from, to) = (self.component(self.ir.ty(a))?, self.component(ty)?);
        match (self.values.get(a)?.clone(), ty.coopmatrix()) {
            (Lowered::Matrix(a), Some(result)) => site.matrices.cast(self, &a, result).map(Lowered::Matrix),
            (Lowered::Scalar(a), None) => cast(self.module, from, to, a).map(Lowered::Scalar),
            (a, _) => Err(Error::internal(format!("operand {a:?} for a result of type {ty}"))),
        }
    }
}
