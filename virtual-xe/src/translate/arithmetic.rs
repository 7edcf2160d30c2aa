//! Instructions that compute each number of their result from the numbers at the same place.

use super::Translator;
use crate::Error;
use crate::layout::Scalar;
use crate::operations::{self, Flags};
use crate::program::Step;
use crate::rows::Args;
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Decoration, FPRoundingMode, Op};

impl<const S: usize> Translator<'_, S> {
    pub(super) fn arithmetic(&mut self, inst: &Instruction) -> Result<bool, Error> {
        let (Some(id), Some(ty)) = (inst.result_id, inst.result_type) else { return Ok(false) };
        let op = inst.class.opcode;
        let ids = Self::ids(inst);
        let Some(&first) = ids.first() else { return Ok(false) };
        match op {
            Op::Bitcast
            | Op::ConvertPtrToU
            | Op::ConvertUToPtr
            | Op::PtrCastToGeneric
            | Op::GenericCastToPtr
                if self.is_same_width(first, ty)? =>
            {
                self.alias(id, first)?;
                return Ok(true);
            }
            Op::Bitcast => return self.bitcast(id, first, ty),
            Op::Select => {
                let scalars = self.scalars(ty)?;
                let mut scalars = scalars.into_iter();
                return self.each(inst, &ids, |this, rows| {
                    let scalar = scalars.next().unwrap_or(Scalar::I64);
                    this.compute(scalar, operations::select(scalar.bytes()), rows)
                });
            }
            Op::Any | Op::All => {
                let join = operations::all_or_any(op).and_then(operations::logical);
                let Some(join) = join else { return Ok(false) };
                let rows = self.rows(first)?;
                let mut joined = rows.first().copied().ok_or(Error::Id { id, expected: "vector" })?;
                for &row in rows.iter().skip(1) {
                    joined = self.compute(Scalar::Bool, join, &[joined, row])?;
                }
                self.define(id, [joined]);
                return Ok(true);
            }
            Op::Dot => return self.dot(inst, &ids),
            Op::VectorTimesScalar | Op::MatrixTimesScalar => return self.scale(inst, &ids),
            Op::IAddCarry | Op::ISubBorrow | Op::UMulExtended | Op::SMulExtended => {
                return self.extended_arithmetic(inst, &ids);
            }
            _ => {}
        }
        let Ok(scalar) = self.scalar_of(first) else { return Ok(false) };
        let result = self.source.types.scalar(ty);
        let Ok(result) = result else { return Ok(false) };
        let same = match ids.len() {
            1 if scalar.is_float() => operations::float_unary(op, scalar),
            1 => operations::integer_unary(op, scalar),
            _ if scalar.is_float() => operations::float(op, scalar),
            _ => operations::integer(op, scalar),
        };
        if let Some(run) = same {
            let tests = operations::undefined::<S>(op, scalar, self.flags(id));
            return self.each(inst, &ids, |this, rows| {
                let rows = this.same_width(rows, &ids, scalar)?;
                for &(test, fault) in &tests {
                    let operand = |place: usize| rows.get(place).copied().unwrap_or(0);
                    let args = Args { a: operand(0), b: operand(1), ..Args::default() };
                    if this.may_fail(op, scalar, args.b) {
                        this.emit(Step::Test { test, args, fault })?;
                    }
                }
                this.compute(scalar, run, &rows)
            });
        }
        let run = operations::defective(self.source.device.defect(), op)
            .or_else(|| operations::compare(op, scalar))
            .or_else(|| operations::classify(op, scalar))
            .or_else(|| operations::logical(op).filter(|_| scalar == Scalar::Bool))
            .or_else(|| operations::convert(op, scalar, result));
        let Some(run) = run else { return Ok(false) };
        match self.rounding(id) {
            // Towards zero is what conversions to integers do by themselves.
            Some(mode) if matches!(op, Op::ConvertFToS | Op::ConvertFToU) => {
                let Some(round) = operations::round_to_integer(mode, scalar) else { return Ok(false) };
                self.each(inst, &ids, |this, rows| {
                    let rounded = this.compute(scalar, round, rows)?;
                    this.compute(result, run, &[rounded])
                })
            }
            Some(mode) if mode != FPRoundingMode::RTE && (op, result) == (Op::FConvert, Scalar::F16) => {
                let Some(run) = operations::to_half(mode, scalar) else { return Ok(false) };
                self.each(inst, &ids, |this, rows| this.compute(result, run, rows))
            }
            // Other results are rounded to nearest.
            Some(mode) if mode != FPRoundingMode::RTE && result.is_float() && !is_exact(scalar, result) => {
                Err(self.refused(inst, format!("rounding {mode:?} is not supported")))
            }
            _ => self.each(inst, &ids, |this, rows| this.compute(result, run, rows)),
        }
    }

    /// Rounding of a result.
    fn rounding(&self, id: u32) -> Option<FPRoundingMode> {
        match self.source.decoration(id, Decoration::FPRoundingMode)? {
            [Operand::FPRoundingMode(mode)] => Some(*mode),
            _ => None,
        }
    }

    /// Tells whether there may be no result; known facts about the second operand may rule that out.
    fn may_fail(&self, op: Op, scalar: Scalar, second: u32) -> bool {
        let known = self.known.get(&second).copied();
        match op {
            Op::UDiv | Op::UMod => known.is_none_or(|divisor| divisor == 0),
            Op::SDiv | Op::SRem | Op::SMod => {
                let minus_one = scalar.mask();
                known.is_none_or(|divisor| divisor == 0 || divisor == minus_one)
            }
            Op::ShiftRightLogical | Op::ShiftRightArithmetic => {
                known.is_none_or(|by| by >= u64::from(scalar.bits()))
            }
            _ => true,
        }
    }

    fn flags(&self, id: u32) -> Flags {
        let has = |decoration| self.source.decoration(id, decoration).is_some();
        Flags {
            no_signed_wrap: has(Decoration::NoSignedWrap),
            no_unsigned_wrap: has(Decoration::NoUnsignedWrap),
        }
    }

    /// The second operand of a shift may have another width than the first.
    fn same_width(&mut self, rows: &[u32], ids: &[u32], scalar: Scalar) -> Result<Vec<u32>, Error> {
        let mut rows = rows.to_vec();
        if let ([_, by], Some(row)) = (ids, rows.get_mut(1)) {
            let from = self.scalar_of(*by)?;
            if from != scalar
                && let Some(run) = operations::resize(from, scalar, false)
            {
                *row = self.compute(scalar, run, &[*row])?;
            }
        }
        Ok(rows)
    }

    fn scale(&mut self, inst: &Instruction, ids: &[u32]) -> Result<bool, Error> {
        let scalar = self.source.types.scalar(inst.result_type.unwrap_or(0))?;
        let multiply = operations::float(Op::FMul, scalar).or_else(|| operations::integer(Op::IMul, scalar));
        let Some(run) = multiply else { return Ok(false) };
        self.each(inst, ids, |this, rows| this.compute(scalar, run, rows))
    }

    fn dot(&mut self, inst: &Instruction, ids: &[u32]) -> Result<bool, Error> {
        let (&[a, b], Some(id)) = (ids, inst.result_id) else { return Ok(false) };
        let row = self.dot_product(a, b)?;
        self.define(id, [row]);
        Ok(true)
    }

    /// The sum of the products of two vectors' components.
    pub(super) fn dot_product(&mut self, a: u32, b: u32) -> Result<u32, Error> {
        let scalar = self.scalar_of(a)?;
        let no_number = Error::Id { id: a, expected: "floating-point vector" };
        let Some((add, mul)) = operations::float(Op::FAdd, scalar).zip(operations::float(Op::FMul, scalar))
        else {
            return Err(no_number);
        };
        let mut sum = None;
        for (&a, &b) in self.rows(a)?.iter().zip(self.rows(b)?.iter()) {
            let product = self.compute(scalar, mul, &[a, b])?;
            sum = Some(match sum {
                Some(sum) => self.compute(scalar, add, &[sum, product])?,
                None => product,
            });
        }
        sum.ok_or(no_number)
    }

    /// Two results as a structure: the sum and its carry, or the halves of a product.
    fn extended_arithmetic(&mut self, inst: &Instruction, ids: &[u32]) -> Result<bool, Error> {
        let (&[a, b], Some(id)) = (ids, inst.result_id) else { return Ok(false) };
        let scalar = self.scalar_of(a)?;
        let (pairs_a, pairs_b) = (self.rows(a)?, self.rows(b)?);
        let (low_op, high) = match inst.class.opcode {
            Op::IAddCarry => (Op::IAdd, None),
            Op::ISubBorrow => (Op::ISub, None),
            Op::UMulExtended => (Op::IMul, Some(rspirv::spirv::OpenclStd100Op::u_mul_hi)),
            _ => (Op::IMul, Some(rspirv::spirv::OpenclStd100Op::s_mul_hi)),
        };
        let Some(low) = operations::integer::<S>(low_op, scalar) else { return Ok(false) };
        let (mut lows, mut highs) = (Vec::new(), Vec::new());
        for (&a, &b) in pairs_a.iter().zip(pairs_b.iter()) {
            let result = self.compute(scalar, low, &[a, b])?;
            lows.push(result);
            let high = match high.and_then(|op| operations::math::<S>(op, scalar)) {
                Some(run) => self.compute(scalar, run, &[a, b])?,
                None => {
                    // A sum wraps if it is less than an operand, a difference if it borrows.
                    let operands = if low_op == Op::IAdd { [result, a] } else { [a, b] };
                    let Some(less) = operations::compare(Op::ULessThan, scalar) else { return Ok(false) };
                    let less = self.compute(Scalar::Bool, less, &operands)?;
                    match operations::resize(Scalar::I8, scalar, false) {
                        Some(run) => self.compute(scalar, run, &[less])?,
                        None => return Ok(false),
                    }
                }
            };
            highs.push(high);
        }
        lows.extend(highs);
        self.define(id, lows);
        Ok(true)
    }

    fn is_same_width(&self, value: u32, ty: u32) -> Result<bool, Error> {
        let widths = |ty| {
            let scalars = self.scalars(ty)?;
            Ok::<Vec<u32>, Error>(scalars.into_iter().map(Scalar::bits).collect())
        };
        Ok(widths(self.type_of(value)?)? == widths(ty)?)
    }

    /// The same bits as numbers of another width.
    fn bitcast(&mut self, id: u32, value: u32, ty: u32) -> Result<bool, Error> {
        let (from, to) = (self.integer_of(self.type_of(value)?)?, self.integer_of(ty)?);
        let rows = self.rows(value)?;
        let mut result = Vec::new();
        if to.bits() < from.bits() {
            let (Some(shift), Some(cut)) = (
                operations::integer::<S>(Op::ShiftRightLogical, from),
                operations::resize::<S>(from, to, false),
            ) else {
                return Ok(false);
            };
            for &row in rows.iter() {
                for by in (0..from.bits()).step_by(to.bits() as usize) {
                    let by = self.constant(from, by.into())?;
                    let shifted = self.compute(from, shift, &[row, by])?;
                    result.push(self.compute(to, cut, &[shifted])?);
                }
            }
        } else {
            let (Some(shift), Some(join), Some(widen)) = (
                operations::integer::<S>(Op::ShiftLeftLogical, to),
                operations::integer::<S>(Op::BitwiseOr, to),
                operations::resize::<S>(from, to, false),
            ) else {
                return Ok(false);
            };
            for rows in rows.chunks(to.bits().checked_div(from.bits()).unwrap_or(1) as usize) {
                let mut joined = self.constant(to, 0)?;
                for (by, &row) in (0..u64::BITS).step_by(from.bits() as usize).zip(rows) {
                    let wide = self.compute(to, widen, &[row])?;
                    let by = self.constant(to, by.into())?;
                    let shifted = self.compute(to, shift, &[wide, by])?;
                    joined = self.compute(to, join, &[joined, shifted])?;
                }
                result.push(joined);
            }
        }
        self.define(id, result);
        Ok(true)
    }

    /// The integers as wide as the numbers of a type.
    fn integer_of(&self, ty: u32) -> Result<Scalar, Error> {
        Ok(match self.source.types.scalar(ty)?.bits() {
            8 => Scalar::I8,
            16 => Scalar::I16,
            32 => Scalar::I32,
            _ => Scalar::I64,
        })
    }
}

/// Returns whether every number of a type is one of the other.
fn is_exact(from: Scalar, to: Scalar) -> bool {
    let digits = |scalar: Scalar| match scalar {
        Scalar::F16 => 11,
        Scalar::Bf16 => 8,
        Scalar::F32 => 24,
        Scalar::F64 => 53,
        other => other.bits(),
    };
    let has_range = !(to == Scalar::F16 && from != Scalar::I8) || from == to;
    digits(from) <= digits(to) && has_range
}
