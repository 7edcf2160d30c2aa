//! Rules that parser and verifier leave to lowering (language reference 5, marked `[L]`) and that need no
//! device. They are checked before anything is removed, so that every level decides alike.

use super::error::Error;
use super::set_stack_ptr;
use crate::ir::{
    Attribute, CoopmatrixApply, Cumsum, For, Func, Inst, Ir, Op, Region, Type, Unary, Value, VerifierError,
    Yield,
};
use crate::status::Status;

/// Checks every instruction of a function.
pub(super) fn check(ir: &Ir, func: Func) -> Result<(), Error> {
    check_region(ir, ir[func].body, Yields::Never)
}

/// What may be yielded in a region.
#[derive(Clone, Copy, PartialEq)]
enum Yields {
    /// There must be no `yield`, not even an empty one.
    Never,
    /// `yield ()` does nothing.
    Nothing,
    /// The last instruction yields what was checked elsewhere.
    AtTheEnd,
}

fn check_region(ir: &Ir, region: Region, yields: Yields) -> Result<(), Error> {
    for inst in ir.insts(region) {
        let data = &ir[inst];
        let inner = match &data.op {
            Op::Yield(end) => {
                check_yield(ir, inst, end, yields, ir.last_inst(region) == Some(inst))?;
                Yields::Never
            }
            Op::For(_) | Op::If(_) if !data.results.is_empty() => Yields::AtTheEnd,
            Op::CoopmatrixApply(apply) => {
                result_of_apply(ir, inst, apply)?;
                Yields::AtTheEnd
            }
            Op::For(_) | Op::If(_) | Op::Foreach(_) | Op::ForeachTile(_) => Yields::Nothing,
            _ => Yields::Never,
        };
        check_instruction(ir, inst)?;
        for &nested in &data.regions {
            check_region(ir, nested, inner)?;
        }
    }
    Ok(())
}

fn check_yield(ir: &Ir, inst: Inst, end: &Yield, yields: Yields, is_last: bool) -> Result<(), Error> {
    let (status, detail) = match yields {
        Yields::Nothing if end.values.is_empty() => return Ok(()),
        Yields::AtTheEnd if is_last => return Ok(()),
        Yields::Never => (Status::IrUnexpectedYield, "nothing takes what this region yields".to_owned()),
        Yields::AtTheEnd => (Status::IrUnexpectedYield, "it must be the last of its region".to_owned()),
        Yields::Nothing => {
            let values: Vec<String> = end.values.iter().map(|&value| ir.describe(value)).collect();
            (Status::IrYieldMismatch, format!("{}, but there are no results", values.join(", ")))
        }
    };
    Err(VerifierError::new(status, ir[inst].location, detail).about(ir, &end.values).into())
}

/// The value that the body of an apply yields for an entry.
pub(super) fn result_of_apply(ir: &Ir, inst: Inst, apply: &CoopmatrixApply) -> Result<Value, Error> {
    let data = &ir[inst];
    let expected = ir.ty(apply.matrix).component().map_or(Type::Bool, Type::Scalar);
    let last = data.regions.first().and_then(|&region| ir.last_inst(region));
    let Some((last, Op::Yield(end))) = last.map(|last| (last, &ir[last].op)) else {
        let detail = format!("the body must end in `yield` of one {expected}");
        return Err(VerifierError::new(Status::IrMustHaveYield, data.location, detail).into());
    };
    let &[result] = end.values.as_slice() else {
        let detail = format!("{} values instead of one {expected}", end.values.len());
        return Err(VerifierError::new(Status::IrYieldMismatch, ir[last].location, detail).into());
    };
    if *ir.ty(result) != expected {
        let detail = format!("{}, but the entries are {expected}", ir.describe(result));
        let error = VerifierError::new(Status::IrNumberMismatch, ir[last].location, detail);
        return Err(error.about(ir, &[result]).into());
    }
    Ok(result)
}

fn check_instruction(ir: &Ir, inst: Inst) -> Result<(), Error> {
    let data = &ir[inst];
    let refuse = |(status, detail): (Status, String), about: &[Value]| {
        Err(VerifierError::new(status, data.location, detail).about(ir, about).into())
    };
    match (&data.op, data.results.first()) {
        (Op::For(op), _) => check_unroll(op).or_else(|error| refuse(error, &[])),
        (Op::Alloca(op), Some(&result)) => {
            set_stack_ptr::size_and_alignment(ir, op, result).map(drop).or_else(|error| refuse(error, &[]))
        }
        (Op::Load(op), _) => check_indices(ir, &op.indices).or_else(|(index, error)| refuse(error, &[index])),
        (Op::AtomicLoad(op), _) => {
            check_indices(ir, &op.indices).or_else(|(index, error)| refuse(error, &[index]))
        }
        (Op::Unary(op), Some(&result)) => check_unary(ir, op, result).or_else(|error| refuse(error, &[op.a])),
        (Op::Cumsum(op), _) => check_mode(ir, op).or_else(|error| refuse(error, &[op.a])),
        _ => Ok(()),
    }
}

fn check_unroll(op: &For) -> Result<(), (Status, String)> {
    match op.attributes.as_ref().and_then(|attributes| attributes.get("unroll")) {
        None | Some(Attribute::Boolean(_)) => Ok(()),
        Some(Attribute::Integer(count)) if (1..=i64::from(u32::MAX)).contains(count) => Ok(()),
        Some(Attribute::Integer(count)) => {
            let detail = format!("unroll is {count}; a loop is unrolled by 1 to {} turns", u32::MAX);
            Err((Status::OutOfRange, detail))
        }
        Some(other) => {
            let detail = format!("unroll is {}, {other}; true, false or a number is needed", other.kind());
            Err((Status::IrExpectedBooleanAttribute, detail))
        }
    }
}

/// The parser takes loads with indices of any type.
fn check_indices(ir: &Ir, indices: &[Value]) -> Result<(), (Value, (Status, String))> {
    let wrong = |value: &&Value| ir.ty(**value).scalar().is_none_or(|scalar| !scalar.is_integer());
    match indices.iter().find(wrong) {
        Some(&value) => Err((value, (Status::IrExpectedIndex, ir.describe(value)))),
        None => Ok(()),
    }
}

/// The parser takes `not` of anything to bool, and matrices of any shape.
fn check_unary(ir: &Ir, op: &Unary, result: Value) -> Result<(), (Status, String)> {
    let (from, to) = (ir.ty(op.a), ir.ty(result));
    let same = match (from, to) {
        (Type::Coopmatrix(from), Type::Coopmatrix(to)) => {
            (from.rows, from.cols, from.usage) == (to.rows, to.cols, to.usage)
        }
        (from, to) => (*from == Type::Bool) == (*to == Type::Bool),
    };
    let detail = || format!("{}, the result {to}", ir.describe(op.a));
    if same { Ok(()) } else { Err((Status::IrOperandTypeMustMatchReturnType, detail())) }
}

fn check_mode(ir: &Ir, op: &Cumsum) -> Result<(), (Status, String)> {
    let detail = || format!("mode {}, counted from 0; {}", op.mode, ir.describe(op.a));
    if op.mode < 0 { Err((Status::IrOutOfBounds, detail())) } else { Ok(()) }
}
