//! A second back end, so that nothing outside of one knows how matrices lie in registers: every matrix is a single
//! id, an array in which a work-item holds whole columns where the vector back end holds rows.

use crate::ir::{
    AtomicUpdateOp, BinaryOp, Coopmatrix, CoopmatrixReduceOp, MatrixIo, ReduceMode, SubgroupOp, UnaryOp,
};
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::matrix::access::MatrixAccess;
use crate::spirv::matrix::backend::{EntryFunction, MatrixBackend};
use crate::spirv::matrix::predicate::predicated;
use crate::spirv::module_builder::Emitted;
use crate::spirv::numbers::{self, AtomicAccess, NumberBinary, alignment, atomic, subgroup};
use crate::spirv::values::{Form, MatrixValue};
use rspirv::spirv::{BuiltIn, Op, Word};
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

/// The accesses that the back end was asked for, in order.
#[derive(Default)]
pub(super) struct Requests {
    pub accesses: Vec<MatrixIo>,
}

/// Work-item l holds the columns l, l+S, l+2S, … for a subgroup of size S; component row + rows·i is in the i-th of
/// them.
pub(super) struct Columns {
    pub requests: Rc<RefCell<Requests>>,
}

/// A component with its row, the first column that a work-item may have in it, and the number.
#[derive(Clone, Copy)]
struct Component {
    row: i64,
    first_col: i64,
    index: u32,
}

impl Columns {
    fn note(&self, io: MatrixIo) {
        self.requests.borrow_mut().accesses.push(io);
    }
}

fn components(f: &FunctionLowering<'_, '_>, matrix: Coopmatrix) -> Vec<Component> {
    let blocks = (matrix.cols + f.subgroup_size - 1) / f.subgroup_size;
    let size = f.subgroup_size;
    let all = (0..blocks).flat_map(|block| (0..matrix.rows).map(move |row| (row, block * size)));
    (0u32..).zip(all).map(|(index, (row, first_col))| Component { row, first_col, index }).collect()
}

fn array_type(f: &mut FunctionLowering<'_, '_>, matrix: Coopmatrix) -> Emitted<Word> {
    let scalar = f.module.scalar_type(matrix.component)?;
    let length = u32::try_from(components(f, matrix).len()).map_err(|_| Error::internal("too many"))?;
    let length = f.module.i32_constant(length);
    Ok(f.module.array_type(scalar, length))
}

fn whole(value: &MatrixValue) -> Emitted<Word> {
    match value.ids() {
        &[id] => Ok(id),
        ids => Err(Error::internal(format!("{} ids", ids.len()))),
    }
}

fn unpack(f: &mut FunctionLowering<'_, '_>, value: &MatrixValue) -> Emitted<Vec<Word>> {
    let (ty, array) = (f.module.scalar_type(value.ty().component)?, whole(value)?);
    let all = components(f, value.ty());
    let part =
        |component: &Component| Ok(f.module.builder.composite_extract(ty, None, array, [component.index])?);
    all.iter().map(part).collect()
}

fn pack(f: &mut FunctionLowering<'_, '_>, matrix: Coopmatrix, words: &[Word]) -> Emitted<MatrixValue> {
    let ty = array_type(f, matrix)?;
    Ok(MatrixValue::new(matrix, vec![f.module.value(Op::CompositeConstruct, ty, words)?]))
}

fn lane(f: &mut FunctionLowering<'_, '_>) -> Emitted<Word> {
    let (lane, index) = (f.module.builtin(BuiltIn::SubgroupLocalInvocationId)?, f.module.index_type());
    f.module.value(Op::UConvert, index, &[lane])
}

/// The work-item's column in a component, and whether the matrix has it; `None` if all have one.
fn column(
    f: &mut FunctionLowering<'_, '_>,
    matrix: Coopmatrix,
    component: Component,
) -> Emitted<(Word, Option<Word>)> {
    let (lane, first) = (lane(f)?, f.module.index_constant(component.first_col));
    let col = f.module.add(lane, first)?;
    if component.first_col + f.subgroup_size <= matrix.cols {
        return Ok((col, None));
    }
    let (boolean, cols) = (f.module.bool_type(), f.module.index_constant(matrix.cols));
    Ok((col, Some(f.module.value(Op::ULessThan, boolean, &[col, cols])?)))
}

/// Calls `action` for each component with its number and address, where the entry is there; collects the results,
/// with the words of `other` where it is not.
fn each_entry(
    f: &mut FunctionLowering<'_, '_>,
    access: &MatrixAccess<'_>,
    other: Word,
    action: &mut dyn FnMut(&mut FunctionLowering<'_, '_>, usize, Word) -> Emitted<Word>,
) -> Emitted<Vec<Word>> {
    let matrix = access.matrix;
    let ty = f.module.scalar_type(matrix.component)?;
    let pointer_type = f.module.element_pointer_type(access.at.ty.element, access.at.ty.space)?;
    let boolean = f.module.bool_type();
    let [rows, cols] = access.axes();
    let mut results = Vec::new();
    for (index, component) in components(f, matrix).into_iter().enumerate() {
        let (col, inside) = column(f, matrix, component)?;
        let row = f.module.index_constant(component.row);
        let (row, col) = (f.module.add(rows.start, row)?, f.module.add(cols.start, col)?);
        let mut condition = inside;
        for (position, axis) in [(row, rows), (col, cols)] {
            if axis.checked {
                let below = f.module.value(Op::ULessThan, boolean, &[position, axis.end])?;
                condition = Some(match condition {
                    None => below,
                    Some(all) => f.module.value(Op::LogicalAnd, boolean, &[all, below])?,
                });
            }
        }
        let mut result = other;
        let mut body = |f: &mut FunctionLowering<'_, '_>| -> Emitted<()> {
            let (down, right) = (f.module.mul(row, rows.stride)?, f.module.mul(col, cols.stride)?);
            let offset = f.module.add(down, right)?;
            let pointer = f.module.offset_pointer(pointer_type, access.at.pointer, offset)?;
            result = action(f, index, pointer)?;
            Ok(())
        };
        match condition {
            None => body(f)?,
            Some(condition) => {
                let (before, end) = predicated(f, condition, body)?;
                result = f.module.phi(ty, [(result, end), (other, before)])?;
            }
        }
        results.push(result);
    }
    Ok(results)
}

fn at(words: &[Word], index: usize) -> Emitted<Word> {
    words.get(index).copied().ok_or_else(|| Error::internal(format!("component {index} of {}", words.len())))
}

/// The words, with `filler` where the matrix has no column.
fn fill_padding(
    f: &mut FunctionLowering<'_, '_>,
    matrix: Coopmatrix,
    words: &mut [Word],
    filler: Word,
) -> Emitted<()> {
    let ty = f.module.scalar_type(matrix.component)?;
    for (word, component) in words.iter_mut().zip(components(f, matrix)) {
        if let (_, Some(inside)) = column(f, matrix, component)? {
            *word = f.module.value(Op::Select, ty, &[inside, *word, filler])?;
        }
    }
    Ok(())
}

impl MatrixBackend for Columns {
    fn value_types(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        matrix: Coopmatrix,
        _: Form,
    ) -> Emitted<Vec<Word>> {
        Ok(vec![array_type(f, matrix)?])
    }

    fn components<'m>(
        &self,
        _: &mut FunctionLowering<'_, '_>,
        matrix: &'m MatrixValue,
    ) -> Emitted<Cow<'m, MatrixValue>> {
        Err(Error::internal(format!("vector code for {:?}", matrix.ty())))
    }

    fn own(&self, _: &mut FunctionLowering<'_, '_>, components: MatrixValue) -> Emitted<MatrixValue> {
        Err(Error::internal(format!("vector code for {:?}", components.ty())))
    }

    fn construct(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        matrix: Coopmatrix,
        entry: Word,
    ) -> Emitted<MatrixValue> {
        let words = vec![entry; components(f, matrix).len()];
        pack(f, matrix, &words)
    }

    fn extract(&self, f: &mut FunctionLowering<'_, '_>, matrix: &MatrixValue, index: i64) -> Emitted<Word> {
        let index = usize::try_from(index).map_err(|_| Error::internal("a negative index"))?;
        at(&unpack(f, matrix)?, index)
    }

    fn insert(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        matrix: &MatrixValue,
        index: i64,
        entry: Word,
    ) -> Emitted<MatrixValue> {
        let index = u32::try_from(index).map_err(|_| Error::internal("a negative index"))?;
        let ty = array_type(f, matrix.ty())?;
        let array = f.module.builder.composite_insert(ty, None, entry, whole(matrix)?, [index])?;
        Ok(MatrixValue::new(matrix.ty(), vec![array]))
    }

    fn unary(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        op: UnaryOp,
        a: &MatrixValue,
        result: Coopmatrix,
    ) -> Emitted<MatrixValue> {
        let mut words = unpack(f, a)?;
        for word in &mut words {
            *word = numbers::unary(f.module, op, a.ty().component, *word)?;
        }
        pack(f, result, &words)
    }

    fn binary(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        op: NumberBinary,
        a: &MatrixValue,
        b: &MatrixValue,
    ) -> Emitted<MatrixValue> {
        let (mut words, mut right) = (unpack(f, a)?, unpack(f, b)?);
        if op.op.is_division() && op.scalar.is_integer() {
            let one = f.module.int_constant(op.scalar, 1)?;
            fill_padding(f, b.ty(), &mut right, one)?;
        }
        for (word, right) in words.iter_mut().zip(right) {
            *word = op.emit(f.module, *word, right)?;
        }
        pack(f, a.ty(), &words)
    }

    fn scale(&self, f: &mut FunctionLowering<'_, '_>, factor: Word, a: &MatrixValue) -> Emitted<MatrixValue> {
        let mut words = unpack(f, a)?;
        for word in &mut words {
            *word = numbers::binary(f.module, BinaryOp::Mul, a.ty().component, factor, *word)?;
        }
        pack(f, a.ty(), &words)
    }

    fn cast(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        a: &MatrixValue,
        result: Coopmatrix,
    ) -> Emitted<MatrixValue> {
        let mut words = unpack(f, a)?;
        for word in &mut words {
            *word = numbers::cast(f.module, a.ty().component, result.component, *word)?;
        }
        pack(f, result, &words)
    }

    /// Every work-item has its columns of b and c, and gets the entries of a one by one.
    fn mul_add(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        [a, b]: [&MatrixValue; 2],
        c: &MatrixValue,
        result: Coopmatrix,
    ) -> Emitted<MatrixValue> {
        let scalar = c.ty().component;
        let a = self.cast(f, a, Coopmatrix { component: scalar, ..a.ty() })?;
        let b = self.cast(f, b, Coopmatrix { component: scalar, ..b.ty() })?;
        let (a_words, b_words, mut sums) = (unpack(f, &a)?, unpack(f, &b)?, unpack(f, c)?);
        for (component, word) in components(f, a.ty()).into_iter().zip(a_words) {
            for lane in 0..f.subgroup_size.min(a.ty().cols - component.first_col) {
                let owner = u32::try_from(lane).map_err(|_| Error::internal("a negative lane"))?;
                let owner = f.module.i32_constant(owner);
                let factor = subgroup::broadcast(f.module, scalar, word, owner)?;
                let k = component.first_col + lane;
                let cols = components(f, c.ty());
                for (sum, c) in sums.iter_mut().zip(cols).filter(|(_, c)| c.row == component.row) {
                    let row_of_b = |b: &Component| b.row == k && b.first_col == c.first_col;
                    let index = components(f, b.ty()).iter().position(row_of_b);
                    let index = index.ok_or_else(|| Error::internal(format!("b has no row {k}")))?;
                    let product =
                        numbers::binary(f.module, BinaryOp::Mul, scalar, factor, at(&b_words, index)?)?;
                    *sum = numbers::binary(f.module, BinaryOp::Add, scalar, product, *sum)?;
                }
            }
        }
        let sums = pack(f, c.ty(), &sums)?;
        self.cast(f, &sums, result)
    }

    fn reduce(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        op: CoopmatrixReduceOp,
        mode: ReduceMode,
        a: &MatrixValue,
        result: Coopmatrix,
    ) -> Emitted<MatrixValue> {
        let (pair, all) = match op {
            CoopmatrixReduceOp::Add => (BinaryOp::Add, SubgroupOp::ReduceAdd),
            CoopmatrixReduceOp::Max => (BinaryOp::Max, SubgroupOp::ReduceMax),
            CoopmatrixReduceOp::Min => (BinaryOp::Min, SubgroupOp::ReduceMin),
        };
        let scalar = a.ty().component;
        let mut words = unpack(f, a)?;
        if mode == ReduceMode::Row {
            // Padding takes part in sums as 0, and in maxima and minima as an entry that does, too.
            let other = match op {
                CoopmatrixReduceOp::Add => f.module.zero(scalar)?,
                CoopmatrixReduceOp::Max | CoopmatrixReduceOp::Min => {
                    let first = f.module.i32_constant(0);
                    subgroup::broadcast(f.module, scalar, at(&words, 0)?, first)?
                }
            };
            fill_padding(f, a.ty(), &mut words, other)?;
        }
        let mut totals: Vec<Option<Word>> = vec![None; components(f, result).len()];
        let all_components = components(f, a.ty());
        for (word, component) in words.into_iter().zip(all_components) {
            let index = match mode {
                ReduceMode::Row => component.row,
                ReduceMode::Column => component.first_col / f.subgroup_size,
            };
            let total = usize::try_from(index).ok().and_then(|index| totals.get_mut(index));
            let total = total.ok_or_else(|| Error::internal(format!("result {index}")))?;
            *total = Some(match *total {
                None => word,
                Some(total) => numbers::binary(f.module, pair, scalar, total, word)?,
            });
        }
        let mut results = Vec::new();
        for total in totals {
            let total = total.ok_or_else(|| Error::internal("nothing to combine"))?;
            results.push(match mode {
                ReduceMode::Row => subgroup::combine(f.module, all, scalar, total)?,
                ReduceMode::Column => total,
            });
        }
        pack(f, result, &results)
    }

    fn apply(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        a: &MatrixValue,
        entry: &mut EntryFunction<'_>,
    ) -> Emitted<MatrixValue> {
        let (ty, i32_type) = (f.module.scalar_type(a.ty().component)?, f.module.i32_type());
        let mut words = unpack(f, a)?;
        let all = components(f, a.ty());
        for (word, component) in words.iter_mut().zip(all) {
            let row = u32::try_from(component.row).map_err(|_| Error::internal("a negative row"))?;
            let row = f.module.i32_constant(row);
            let (col, inside) = column(f, a.ty(), component)?;
            let col = f.module.value(Op::UConvert, i32_type, &[col])?;
            let old = *word;
            let mut body = |f: &mut FunctionLowering<'_, '_>| -> Emitted<()> {
                *word = entry(f, [row, col, old])?;
                Ok(())
            };
            match inside {
                None => body(f)?,
                Some(inside) => {
                    let (before, end) = predicated(f, inside, body)?;
                    *word = f.module.phi(ty, [(*word, end), (old, before)])?;
                }
            }
        }
        pack(f, a.ty(), &words)
    }

    fn load(&self, f: &mut FunctionLowering<'_, '_>, from: &MatrixAccess<'_>) -> Emitted<MatrixValue> {
        self.note(from.io);
        let scalar = from.matrix.component;
        let (ty, zero) = (f.module.scalar_type(scalar)?, f.module.zero(scalar)?);
        let words =
            each_entry(f, from, zero, &mut |f, _, pointer| f.module.load(ty, pointer, alignment(scalar)?))?;
        pack(f, from.matrix, &words)
    }

    fn store(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        to: &MatrixAccess<'_>,
        value: &MatrixValue,
    ) -> Emitted<()> {
        self.note(to.io);
        let zero = f.module.zero(to.matrix.component)?;
        let words = unpack(f, value)?;
        let mut write = |f: &mut FunctionLowering<'_, '_>, index, pointer| {
            f.module.store(pointer, at(&words, index)?, alignment(to.matrix.component)?)?;
            Ok(zero)
        };
        each_entry(f, to, zero, &mut write).map(drop)
    }

    fn atomic_load(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        from: &MatrixAccess<'_>,
        atomic: AtomicAccess,
    ) -> Emitted<MatrixValue> {
        let zero = f.module.zero(from.matrix.component)?;
        let words = each_entry(f, from, zero, &mut |f, _, pointer| atomic::load(f.module, atomic, pointer))?;
        pack(f, from.matrix, &words)
    }

    fn atomic_store(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        to: &MatrixAccess<'_>,
        atomic: AtomicAccess,
        value: &MatrixValue,
    ) -> Emitted<()> {
        let zero = f.module.zero(to.matrix.component)?;
        let words = unpack(f, value)?;
        let mut write = |f: &mut FunctionLowering<'_, '_>, index, pointer| {
            atomic::store(f.module, atomic, pointer, at(&words, index)?)?;
            Ok(zero)
        };
        each_entry(f, to, zero, &mut write).map(drop)
    }

    fn atomic_update(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        to: &MatrixAccess<'_>,
        atomic: AtomicAccess,
        op: AtomicUpdateOp,
        value: &MatrixValue,
    ) -> Emitted<MatrixValue> {
        let zero = f.module.zero(to.matrix.component)?;
        let words = unpack(f, value)?;
        let mut update = |f: &mut FunctionLowering<'_, '_>, index, pointer| {
            atomic::update(f.module, atomic, op, pointer, at(&words, index)?)
        };
        let words = each_entry(f, to, zero, &mut update)?;
        pack(f, to.matrix, &words)
    }
}
