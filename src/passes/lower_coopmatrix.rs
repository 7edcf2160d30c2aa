//! Turns `cooperative_matrix_apply` and `cooperative_matrix_map` into arithmetic on components (lowering reference 1.15).

use super::context::Context;
use super::emit::Emit;
use super::error::{Error, internal};
use super::lowering_rules::yielded;
use super::rewrite::{Rewriter, rewrite};
use crate::analysis::{Layout, Place};
use crate::device::MatrixEngine;
use crate::ir::{
    BinaryOp, Builder, CompareOp, Constant, Coopmatrix, CoopmatrixExtract, CoopmatrixInsert, Func, Inst, Ir,
    LocalSubgroup, LocalSubgroupBuiltin, Op, SideEffect, SubgroupBroadcast, Type, Value, ValueMap,
    VerifierError,
};
use crate::schedule::{self, Schedule};
use crate::status::Status;
use std::collections::HashMap;

pub(super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let mut needed = false;
    ir.walk(ir[func].body, &mut |inst| {
        needed |= matches!(ir[inst].op, Op::CoopmatrixApply(_) | Op::CoopmatrixMap(_));
    });
    if !needed {
        return Ok(());
    }
    let subgroup_size = Schedule::subgroup_size(ir, func)?;
    let engine = match context.device {
        Some(device) => Schedule::overrides(ir, func).engine(subgroup_size, device),
        None => None,
    };
    rewrite(ir, ir[func].body, &[&|rewriter, inst| lower(rewriter, inst, subgroup_size, engine)])
}

fn lower(
    rewriter: &mut Rewriter<'_>,
    inst: Inst,
    subgroup_size: i64,
    engine: Option<MatrixEngine>,
) -> Result<bool, Error> {
    let matrices = match rewriter.ir[inst].op.clone() {
        Op::CoopmatrixApply(apply) => vec![apply.matrix],
        Op::CoopmatrixMap(map) => map.matrices,
        _ => return Ok(false),
    };
    let value = replace(&mut rewriter.builder(inst)?, inst, &matrices, subgroup_size, engine)?;
    for result in rewriter.ir[inst].results.clone() {
        rewriter.replace_uses(result, value);
    }
    rewriter.erase(inst);
    Ok(true)
}

/// Instructions and operands that an apply may become: its body is copied for each component.
const MAX_COPIES: usize = 1 << 19;

/// Builds the result of an apply, one component after the other.
fn replace(
    b: &mut Builder<'_>,
    inst: Inst,
    matrices: &[Value],
    subgroup_size: i64,
    engine: Option<MatrixEngine>,
) -> Result<Value, Error> {
    let location = b.location;
    let not_a_matrix = || internal(location, "apply to what is no matrix");
    let matrix = b.ir[inst].results.first().and_then(|&result| b.ir.ty(result).coopmatrix());
    let matrix = matrix.ok_or_else(not_a_matrix)?;
    let body = Body::new(b.ir, inst, &Type::Scalar(matrix.component))?;
    let layout = schedule::layout(matrix, subgroup_size, engine).ok_or_else(|| {
        let detail = format!("{} takes too many registers", Type::Coopmatrix(matrix));
        VerifierError::new(Status::IrUnsupportedCoopmatrixShape, location, detail)
    })?;
    let copies = body.weight(b.ir).saturating_mul(layout.length());
    if copies > MAX_COPIES {
        let detail = format!("{copies} instructions and operands, of which there may be {MAX_COPIES}");
        return Err(VerifierError::new(Status::OutOfRange, location, detail).into());
    }
    let mut operands = Vec::new();
    for &value in matrices {
        let ty = b.ir.ty(value).coopmatrix().ok_or_else(not_a_matrix)?;
        let held = schedule::layout(ty, subgroup_size, engine);
        let operand = held.and_then(|held| Operand::new((value, ty), held, (matrix, &layout), subgroup_size));
        operands.push(operand.ok_or_else(|| {
            let (operand, matrix) = (Type::Coopmatrix(ty), Type::Coopmatrix(matrix));
            let detail = format!("entries of {operand} and {matrix} are held by different work-items");
            VerifierError::new(Status::IrUnsupportedCoopmatrixShape, location, detail)
        })?);
    }
    let component = Type::Scalar(matrix.component);
    let i32_constant = |b: &mut Builder<'_>, value: i64| b.constant(Constant::Int(value), Type::I32);
    let lane = b.value(LocalSubgroup { op: LocalSubgroupBuiltin::SubgroupLocalId }, Type::I32)?;
    let rows = i32_constant(b, layout.stripe_rows)?;
    let mut lane_row = b.binary(BinaryOp::Rem, lane, rows)?;
    let lane_col = b.binary(BinaryOp::Div, lane, rows)?;
    if layout.lane_rows() > 1 {
        let spread = i32_constant(b, layout.lane_rows())?;
        lane_row = b.binary(BinaryOp::Mul, lane_row, spread)?;
    }
    let &first = matrices.first().ok_or_else(not_a_matrix)?;
    // Padding is whatever it is, and every other component is replaced.
    let mut result = if b.ir.ty(first).coopmatrix() == Some(matrix) {
        first
    } else {
        b.constant(Constant::zero(matrix.component), matrix)?
    };
    let mut shared = body.shares(b.ir, inst, &layout).then(Shared::default);
    for (index, place) in (0i64..).zip(layout.places()) {
        let down = i32_constant(b, layout.first_row(place))?;
        let right = i32_constant(b, layout.first_col(place))?;
        let row = b.binary(BinaryOp::Add, lane_row, down)?;
        let col = b.binary(BinaryOp::Add, lane_col, right)?;
        let mut entry = vec![row, col];
        for operand in &mut operands {
            entry.push(operand.entry(b, index, (&layout, place))?);
        }
        let value = if layout.has_padding(place) {
            let cols = i32_constant(b, layout.cols)?;
            let inside = b.compare(CompareOp::LessThan, col, cols)?;
            // Padding keeps what it is.
            let old = match (entry.get(2), b.ir.ty(first).coopmatrix() == Some(matrix)) {
                (Some(&own), true) => own,
                _ => b.value(CoopmatrixExtract { matrix: result, index }, component.clone())?,
            };
            let then = |b: &mut Builder<'_>| body.copy(b, &entry).map(|value| vec![value]);
            let types = std::slice::from_ref(&component);
            let values = b.branch::<Error>(inside, types, then, |_| Ok(vec![old]))?;
            values.first().copied().ok_or_else(|| internal(location, "a branch without a result"))?
        } else if let Some(shared) = &mut shared {
            body.copy_shared(b, &entry, [layout.first_row(place), place.col_block], shared)?
        } else {
            body.copy(b, &entry)?
        };
        result = b.value(CoopmatrixInsert { value, matrix: result, index }, matrix)?;
    }
    Ok(result)
}

/// A matrix of which entries are read.
struct Operand {
    matrix: Value,
    component: Type,
    held: Layout,
    spread: Spread,
    /// Entries of a single row that all work-items have by now, by their column.
    known: HashMap<i64, Value>,
}

/// Entries of an operand that stand for those of the result.
#[derive(Clone, Copy, PartialEq)]
enum Spread {
    /// Each for one, in the same component of the same work-item.
    Entry,
    /// A single column for all, in the same work-item.
    Column,
    /// A single row for all, whose entries other work-items have.
    Row,
}

impl Operand {
    /// An operand of what computes a matrix; `None` if work-items would have to fetch different entries from each other.
    fn new(
        (value, ty): (Value, Coopmatrix),
        held: Layout,
        (result, layout): (Coopmatrix, &Layout),
        subgroup_size: i64,
    ) -> Option<Operand> {
        // The layout depends on the component type at most, so that what is at an index of one is there of all.
        let is_same = (ty.rows, ty.cols) == (result.rows, result.cols);
        let has_whole_rows = layout.stripe_rows == subgroup_size;
        let spread = match (ty.rows, ty.cols) {
            _ if is_same => (held == *layout).then_some(Spread::Entry),
            (1, 1) => Some(Spread::Row),
            (1, _) => has_whole_rows.then_some(Spread::Row),
            _ => has_whole_rows.then_some(Spread::Column),
        }?;
        let component = Type::Scalar(ty.component);
        Some(Operand { matrix: value, component, held, spread, known: HashMap::new() })
    }

    /// The entry for the component `index` of the result, which is at a place of its layout.
    fn entry(
        &mut self,
        b: &mut Builder<'_>,
        index: i64,
        (layout, place): (&Layout, Place),
    ) -> Result<Value, Error> {
        let extract = |b: &mut Builder<'_>, index: i64| {
            b.value(CoopmatrixExtract { matrix: self.matrix, index }, self.component.clone())
        };
        let (row, col) = (layout.first_row(place), layout.first_col(place));
        let component = |row: i64, col: i64| {
            let (lane, component) = self.held.find(row, col);
            let component = i64::try_from(component);
            component
                .map(|component| (lane, component))
                .map_err(|_| internal(b.location, "no such component"))
        };
        match self.spread {
            Spread::Entry => Ok(extract(b, index)?),
            Spread::Column => {
                let (_, component) = component(row, 0)?;
                Ok(extract(b, component)?)
            }
            Spread::Row => {
                let col = if self.held.cols == 1 { 0 } else { col };
                if let Some(&known) = self.known.get(&col) {
                    return Ok(known);
                }
                let (lane, component) = component(0, col)?;
                let a = extract(b, component)?;
                let lane = b.constant(Constant::Int(lane), Type::I32)?;
                let entry = b.value(SubgroupBroadcast { a, lane }, self.component.clone())?;
                self.known.insert(col, entry);
                Ok(entry)
            }
        }
    }
}

/// Parameters of a body that a value depends on.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
struct Dependence {
    row: bool,
    col: bool,
    entry: bool,
}

impl Dependence {
    fn union(self, other: Dependence) -> Dependence {
        let Dependence { row, col, entry } = other;
        Dependence { row: self.row || row, col: self.col || col, entry: self.entry || entry }
    }
}

/// Results of instructions that are the same for all components of a row, of a column, or for all: by the instruction,
/// and the row and the column as far as it depends on them.
type Shared = HashMap<(Inst, Option<i64>, Option<i64>), Vec<Value>>;

/// The body of an apply.
struct Body {
    parameters: Vec<Value>,
    insts: Vec<Inst>,
    result: Value,
}

impl Body {
    /// Checks that the body ends in a yield of one value of the component type.
    fn new(ir: &Ir, inst: Inst, component: &Type) -> Result<Body, Error> {
        let data = &ir[inst];
        let Some(&region) = data.regions.first() else {
            return Err(internal(data.location, "apply without a body"));
        };
        let result = yielded(ir, inst, region, component)?;
        let mut insts: Vec<Inst> = ir.insts(region).collect();
        insts.pop();
        Ok(Body { parameters: ir[region].parameters.clone(), insts, result })
    }

    /// Returns whether what entries have in common may be computed once: the body has no effect that would be missed.
    /// Others may count on an effect for each entry.
    fn shares(&self, ir: &Ir, inst: Inst, layout: &Layout) -> bool {
        let mut is_pure = matches!(ir[inst].op, Op::CoopmatrixMap(_)) && !layout.is_padded();
        let mut look = |inst: Inst| {
            let op = &ir[inst].op;
            let is_branch = matches!(op.info().side_effect, SideEffect::Regions | SideEffect::Terminator);
            is_pure &= is_branch || op.is_removable_if_unused();
        };
        for &inst in &self.insts {
            look(inst);
            ir[inst].regions.iter().for_each(|&region| ir.walk(region, &mut look));
        }
        is_pure
    }

    /// Appends a copy of the body for an entry, but for what other entries of its row or column have computed.
    fn copy_shared(
        &self,
        b: &mut Builder<'_>,
        entry: &[Value],
        [row, col]: [i64; 2],
        shared: &mut Shared,
    ) -> Result<Value, Error> {
        let mut values: ValueMap = self.parameters.iter().copied().zip(entry.iter().copied()).collect();
        let mut depends: HashMap<Value, Dependence> = (self.parameters.iter().copied().enumerate())
            .map(|(place, value)| (value, Dependence { row: place == 0, col: place == 1, entry: place > 1 }))
            .collect();
        for &inst in &self.insts {
            let mut dependence = Dependence::default();
            let mut look = |inst: Inst| {
                b.ir[inst].op.visit_operands(&mut |value| {
                    dependence = dependence.union(depends.get(&value).copied().unwrap_or_default());
                });
            };
            look(inst);
            b.ir[inst].regions.iter().for_each(|&region| b.ir.walk(region, &mut look));
            let results = b.ir[inst].results.clone();
            depends.extend(results.iter().map(|&result| (result, dependence)));
            let key = (inst, dependence.row.then_some(row), dependence.col.then_some(col));
            if let Some(known) = shared.get(&key).filter(|_| !dependence.entry) {
                values.extend(results.iter().copied().zip(known.iter().copied()));
                continue;
            }
            b.ir.copy_insts(&[inst], b.cursor, &mut values)?;
            let copies = results.iter().filter_map(|result| values.get(result).copied()).collect();
            if !dependence.entry {
                shared.insert(key, copies);
            }
        }
        Ok(values.get(&self.result).copied().unwrap_or(self.result))
    }

    /// Cost of a copy of the body: instructions and operands.
    fn weight(&self, ir: &Ir) -> usize {
        let mut weight = 0usize;
        let mut add = |inst: Inst| {
            weight = weight.saturating_add(1 + ir[inst].results.len());
            ir[inst].op.visit_operands(&mut |_| weight = weight.saturating_add(1));
        };
        for &inst in &self.insts {
            add(inst);
            ir[inst].regions.iter().for_each(|&region| ir.walk(region, &mut add));
        }
        weight
    }

    /// Appends a copy of the body for an entry; returns its new value.
    fn copy(&self, b: &mut Builder<'_>, entry: &[Value]) -> Result<Value, Error> {
        let mut values: ValueMap = self.parameters.iter().copied().zip(entry.iter().copied()).collect();
        b.ir.copy_insts(&self.insts, b.cursor, &mut values)?;
        Ok(values.get(&self.result).copied().unwrap_or(self.result))
    }
}
