//! gemm: register-blocked products of cooperative matrices.
//!
//! Each subgroup computes blocks of C that it keeps in registers while it walks along K. On a matrix engine a block
//! is a single matrix, and what is left along K is one step that is checked: entries outside of A and B are 0.

use super::super::emit::{Emit, Range, Unroll};
use super::super::error::Error;
use super::super::prefetch::{self, Partition};
use super::super::rewrite::Rewriter;
use super::blocks::{Overlap, by_blocks, rows_from, uniform, whole_blocks};
use super::chain::Producer;
use super::versions;
use super::{Device, atomic_overwrites, atomic_scope, internal, is_literal_zero, only};
use crate::analysis::integer_of;
use crate::device::MatrixBackendKind;
use crate::diagnostics::Location;
use crate::ir::{
    Atomic, BinaryOp, Builder, Built, Checked, CompareOp, Component, Constant, Coopmatrix,
    CoopmatrixAtomicOp, CoopmatrixAtomicStore, CoopmatrixAtomicUpdate, CoopmatrixExtract, CoopmatrixInsert,
    CoopmatrixLoad, CoopmatrixMulAdd, CoopmatrixScale, CoopmatrixStore, Func, Gemm, Inst, Ir, MatrixUse,
    MemorySemantics, Op, Scalar, Transpose, Type, Value,
};
use crate::schedule::{Product, ProductShape, ProductTypes};

pub(super) fn lower(builder: &mut Builder<'_>, op: &Gemm, device: &Device<'_>) -> Result<(), Error> {
    versions::lower(builder, op, device, &|builder, op| {
        let kernel = Kernel::new(builder.ir, op, device, builder.location)?;
        lower_kernel(builder, &kernel, device)
    })
}

/// Lowers a product together with the one that makes its first factor, if that can stay in registers.
pub(super) fn lower_chain(
    rewriter: &mut Rewriter<'_>,
    inst: Inst,
    func: Func,
    device: &Device<'_>,
) -> Result<bool, Error> {
    let Op::Gemm(op) = rewriter.ir[inst].op.clone() else { return Ok(false) };
    let Some(producer) = Producer::of(rewriter.ir, inst, &op) else { return Ok(false) };
    let first = Kernel::new(rewriter.ir, &producer.gemm, device, producer.location(rewriter.ir))?;
    let location = rewriter.ir[inst].location;
    let Some(kernel) = Kernel::new(rewriter.ir, &op, device, location)?.after(first, device) else {
        return Ok(false);
    };
    lower_kernel(&mut rewriter.builder(inst)?, &kernel, device)?;
    rewriter.erase(inst);
    producer.erase(rewriter, func);
    Ok(true)
}

fn lower_kernel(builder: &mut Builder<'_>, kernel: &Kernel, device: &Device<'_>) -> Result<(), Error> {
    builder.parallel(|builder| {
        let m_partition = partition(builder, device.schedule.grid.rows.into(), Component::X)?;
        let n_partition = partition(builder, device.schedule.grid.cols.into(), Component::Y)?;
        let subgroup_size = i64::from(device.schedule.subgroup_size);
        let extents = [builder.size(kernel.op.c, 0)?, builder.size(kernel.op.c, 1)?];
        let [m, n] = kernel.computed(extents);
        let (rows, cols) = (i64::from(kernel.product.block.rows), i64::from(kernel.product.block.cols));
        let m_blocks =
            multiple(subgroup_size, rows, m_partition.tiles, integer_of(builder.ir, m).unwrap_or(rows));
        let on_engine = kernel.on_engine();
        let rows = subgroup_size * m_blocks;
        let overlap = match integer_of(builder.ir, m) {
            Some(m) if !on_engine && !device.info.is_cpu() => Overlap::new(m, rows, m_partition),
            _ => None,
        };
        let partitions = [m_partition, n_partition];
        let columns = |builder: &mut Builder<'_>, column: Value, cols: i64, check_cols: bool| {
            let block = |rows, row, check_rows| {
                let check = Checked::new(check_rows, check_cols);
                Block { partitions, row, own_row: None, column, rows, cols, check }
            };
            if let Some(overlap) = &overlap {
                return overlap.block(builder, &mut |builder, row, own_row| {
                    let block = Block { own_row: Some(own_row), ..block(rows, row, false) };
                    kernel.block(builder, &block)
                });
            }
            by_blocks(builder, m, rows, m_partition, &mut |builder, row, is_rest| {
                let rest = integer_of(builder.ir, m).filter(|_| is_rest && !on_engine).map(|m| m % rows);
                let rows = rest.map_or(rows, |rest| rows_for(rest, subgroup_size));
                kernel.block(builder, &block(rows, row, is_rest))
            })
        };
        match integer_of(builder.ir, n) {
            Some(n) if on_engine => whole_blocks(builder, n, cols, n_partition, &mut |builder, at, size| {
                columns(builder, at, size, false)
            }),
            Some(n) => uniform(builder, n, cols, n_partition, &mut |builder, at, size| {
                columns(builder, at, size, false)
            }),
            None => by_blocks(builder, n, cols, n_partition, &mut |builder, at, rest| {
                columns(builder, at, cols, rest)
            }),
        }
    })
}

/// The subgroups along a direction; the only one is number 0.
fn partition(builder: &mut Builder<'_>, tiles: i64, component: Component) -> Built<Partition> {
    let id = if tiles == 1 { builder.index(0)? } else { builder.subgroup_id(component)? };
    Ok(Partition { tiles, id })
}

/// Number of blocks of `min` rows that a subgroup takes at a time: as many as fit into `max` rows without
/// leaving subgroups idle or computing a whole block for nothing (lowering reference 1.13).
fn multiple(min: i64, max: i64, tiles: i64, size: i64) -> i64 {
    let mut blocks = 1;
    while 2 * blocks * min <= max {
        blocks *= 2;
    }
    let uneven = |blocks: i64| {
        let rows = blocks * min;
        (1 + (size - 1).max(0) / rows) % tiles != 0 || rows - size >= min
    };
    while blocks > 1 && uneven(blocks) {
        blocks /= 2;
    }
    blocks
}

/// Rows of the smallest matrix for what is left: a power of two, and no fewer than there are lanes.
fn rows_for(rest: i64, lanes: i64) -> i64 {
    let blocks = u64::try_from((rest + lanes - 1) / lanes).unwrap_or(1).next_power_of_two();
    lanes.saturating_mul(i64::try_from(blocks).unwrap_or(1))
}

/// A block of C.
struct Block {
    /// Subgroups along the rows and the columns, which share the lines that they prefetch.
    partitions: [Partition; 2],
    row: Value,
    /// The first row that is not another subgroup's to write, if the block overlaps with others.
    own_row: Option<Value>,
    column: Value,
    rows: i64,
    cols: i64,
    check: Checked,
}

/// A gemm, the types it computes in, and how a subgroup computes it.
struct Kernel {
    op: Gemm,
    /// Place of the instruction in the text.
    location: Location,
    /// T if the kernel computes the transpose of C.
    transpose_c: Transpose,
    a: Scalar,
    b: Scalar,
    c: Scalar,
    /// Type of the sums.
    accumulator: Scalar,
    /// The product as the schedule sees it.
    shape: ProductShape,
    product: Product,
    /// True if loops along K stay loops.
    is_rolled: bool,
    /// Work-items of a subgroup.
    lanes: i64,
    /// The product that makes A, of which the block holds whole rows.
    first: Option<Box<Kernel>>,
}

impl Kernel {
    fn new(ir: &Ir, op: &Gemm, device: &Device<'_>, location: Location) -> Result<Kernel, Error> {
        let shape = ProductShape::of(ir, &device.surfaces, op)
            .ok_or_else(|| internal(location, "types of A and B"))?;
        let ProductTypes { a, b, accumulator } = shape.types;
        let c = ir.ty(op.c).memref().ok_or_else(|| internal(location, "C is no memref"))?.element;
        let product = device.schedule.product(shape, device.info);
        let is_rolled = !device.info.is_cpu();
        let kernel = Kernel {
            op: op.clone(),
            location,
            transpose_c: Transpose::N,
            a,
            b,
            c,
            accumulator,
            shape,
            product,
            is_rolled,
            lanes: device.schedule.subgroup_size.into(),
            first: None,
        };
        Ok(if kernel.is_better_transposed() { kernel.transposed() } else { kernel })
    }

    /// Aᵀ·Bᵀ is the transpose of B·A, whose factors the engine takes as they lie. Writing C then costs more, which pays
    /// if K is long.
    fn is_better_transposed(&self) -> bool {
        let transposed = [self.op.transpose_a, self.op.transpose_b] == [Transpose::T; 2];
        transposed && self.on_engine() && self.product.prefetch_distance > 0
    }

    /// The kernel that computes its first factor by another one, if the schedule has one.
    fn after(self, first: Kernel, device: &Device<'_>) -> Option<Kernel> {
        let product = device.schedule.chain(first.shape, self.shape, device.info)?;
        Some(Kernel { product, first: Some(Box::new(first)), ..self })
    }

    fn transposed(self) -> Kernel {
        let (transpose_a, transpose_b) = (Transpose::N, Transpose::N);
        let op = Gemm { a: self.op.b, b: self.op.a, transpose_a, transpose_b, ..self.op };
        Kernel { op, transpose_c: Transpose::T, a: self.b, b: self.a, ..self }
    }

    /// Rows and columns of what the kernel computes, given those of C.
    fn computed(&self, [rows, cols]: [Value; 2]) -> [Value; 2] {
        match self.transpose_c {
            Transpose::N => [rows, cols],
            Transpose::T => [cols, rows],
        }
    }

    fn on_engine(&self) -> bool {
        self.product.backend != MatrixBackendKind::Vector
    }

    fn accumulator_type(&self, block: &Block) -> Coopmatrix {
        let (component, usage) = (self.accumulator, MatrixUse::Acc);
        Coopmatrix { component, rows: block.rows, cols: block.cols, usage }
    }

    /// Computes one block of C.
    fn block(&self, builder: &mut Builder<'_>, block: &Block) -> Result<(), Error> {
        let zero = builder.constant(Constant::zero(self.accumulator), self.accumulator_type(block))?;
        let sum = self.product(builder, block, zero)?;
        self.write(builder, block, sum)
    }

    /// Adds op(A)·op(B) to the accumulators.
    fn product(&self, builder: &mut Builder<'_>, block: &Block, mut sum: Value) -> Result<Value, Error> {
        if let Some(first) = &self.first {
            return self.product_after(builder, block, first, sum);
        }
        let mode = if self.op.transpose_a == Transpose::N { 1 } else { 0 };
        let k = builder.size(self.op.a, mode)?;
        let known = integer_of(builder.ir, k);
        let mut done = builder.index(0)?;
        let mut sizes: Vec<i64> = self.product.k_steps.iter().copied().map(i64::from).collect();
        // Of a single step Intel's compiler would load all before it computes anything; turns of a loop stay apart.
        if self.product.prefetch_distance > 0 && sizes.len() > 1 && sizes.first().copied() == known {
            sizes.remove(0);
        }
        let smallest = sizes.last().copied().unwrap_or(1);
        for (place, &size) in sizes.iter().enumerate() {
            // With K unknown, only the largest step and one for the rest, which is short.
            if known.is_none() && place > 0 && (size != smallest || self.on_engine()) {
                continue;
            }
            let step = builder.index(size)?;
            let left = builder.binary(BinaryOp::Sub, k, done)?;
            let steps = builder.binary(BinaryOp::Div, left, step)?;
            let length = builder.binary(BinaryOp::Mul, steps, step)?;
            let to = builder.binary(BinaryOp::Add, done, length)?;
            // Block loads make the next trip's loads cheap; copies of a step only cost registers.
            let unroll = if self.is_rolled { Unroll::Never } else { Unroll::Default };
            let range = Range { from: done, to, step, unroll };
            sum = self.steps(builder, block, range, (size, false), sum)?;
            done = to;
        }
        if self.on_engine() {
            let step = builder.index(smallest)?;
            let range = Range { from: done, to: k, step, unroll: Unroll::Never };
            sum = self.steps(builder, block, range, (smallest, true), sum)?;
        }
        Ok(sum)
    }

    /// A loop along K.
    fn steps(
        &self,
        builder: &mut Builder<'_>,
        block: &Block,
        range: Range,
        step: (i64, bool),
        sum: Value,
    ) -> Result<Value, Error> {
        let sums = builder.loop_over(range, vec![sum], |builder, k, sums| {
            let sum = only(builder, sums)?;
            self.step(builder, block, k, step, sum).map(|sum| vec![sum])
        })?;
        only(builder, &sums)
    }

    /// One step along K, which may reach beyond the end.
    fn step(
        &self,
        builder: &mut Builder<'_>,
        block: &Block,
        k: Value,
        (size, check): (i64, bool),
        mut sum: Value,
    ) -> Result<Value, Error> {
        if self.product.prefetch_distance > 0 && !check {
            self.prefetch(builder, block, k, size)?;
        }
        let most = i64::from(self.product.load_step).clamp(1, size);
        let mut done = 0;
        while done < size {
            let k = if done == 0 { k } else { offset(builder, k, done)? };
            let part = most.min(size - done);
            sum = self.part_of_step(builder, block, k, (part, check), sum)?;
            done += part;
        }
        Ok(sum)
    }

    /// A block column of A times a block row of B.
    fn part_of_step(
        &self,
        builder: &mut Builder<'_>,
        block: &Block,
        k: Value,
        (size, check): (i64, bool),
        sum: Value,
    ) -> Result<Value, Error> {
        let b = Coopmatrix { component: self.b, rows: size, cols: block.cols, usage: MatrixUse::B };
        let checked = Checked::new(check, block.check.cols());
        let b = load(builder, self.op.b, self.op.transpose_b, [k, block.column], checked, b)?;
        let a = Coopmatrix { component: self.a, rows: block.rows, cols: size, usage: MatrixUse::A };
        let checked = Checked::new(block.check.rows(), check);
        let a = load(builder, self.op.a, self.op.transpose_a, [block.row, k], checked, a)?;
        Ok(builder.value(CoopmatrixMulAdd { a, b, c: sum }, self.accumulator_type(block))?)
    }

    /// Adds op(B) times the rows that another kernel computes to the accumulators.
    fn product_after(
        &self,
        builder: &mut Builder<'_>,
        block: &Block,
        first: &Kernel,
        mut sum: Value,
    ) -> Result<Value, Error> {
        let mut left =
            first.shape.extents[1].ok_or_else(|| internal(builder.location, "a chain of unknown size"))?;
        let rows = builder.at_location(first.location, |builder| first.rows(builder, block, left))?;
        let mut done = 0;
        while left > 0 {
            // The language has factors of as many rows as a power of two.
            let size = 1 << left.ilog2();
            let a = slice(builder, rows, (done, size), self.lanes)?;
            let b = Coopmatrix { component: self.b, rows: size, cols: block.cols, usage: MatrixUse::B };
            let k = builder.index(done)?;
            let checked = Checked::new(false, block.check.cols());
            let b = load(builder, self.op.b, self.op.transpose_b, [k, block.column], checked, b)?;
            sum = builder.value(CoopmatrixMulAdd { a, b, c: sum }, self.accumulator_type(block))?;
            (done, left) = (done + size, left - size);
        }
        Ok(sum)
    }

    /// α·op(A)·op(B) in the rows of a block and all columns, in the element type of C.
    fn rows(&self, builder: &mut Builder<'_>, block: &Block, cols: i64) -> Result<Value, Error> {
        let column = builder.index(0)?;
        let block = Block { column, cols, check: Checked::new(block.check.rows(), false), ..*block };
        let wide = self.accumulator_type(&block);
        let zero = builder.constant(Constant::zero(self.accumulator), wide)?;
        let sum = self.product(builder, &block, zero)?;
        let sum = self.scale(builder, self.op.alpha, sum, wide)?;
        Ok(builder.cast(sum, Coopmatrix { component: self.c, ..wide })?)
    }

    /// Fetches what a later step reads into the caches. The subgroups that read the same part of A or of B each fetch
    /// a slice of it.
    fn prefetch(&self, builder: &mut Builder<'_>, block: &Block, k: Value, size: i64) -> Result<(), Error> {
        let [m_partition, n_partition] = block.partitions;
        let k = offset(builder, k, size.saturating_mul(self.product.prefetch_distance.into()))?;
        let mut fetch =
            |of: Value, partition: Partition, transpose: Transpose, at: [Value; 2], extent: [i64; 2]| {
                let (mut at, mut extent) = (at, extent);
                if transpose == Transpose::T {
                    at.reverse();
                    extent.reverse();
                }
                prefetch::fetch(builder, (of, 0), partition, at, extent)
            };
        fetch(self.op.a, n_partition, self.op.transpose_a, [block.row, k], [block.rows, size])?;
        fetch(self.op.b, m_partition, self.op.transpose_b, [k, block.column], [size, block.cols])?;
        Ok(())
    }

    /// C := α·sum + β·C, in the rows that are this subgroup's to write.
    fn write(&self, builder: &mut Builder<'_>, block: &Block, sum: Value) -> Result<(), Error> {
        let Some(own_row) = block.own_row else {
            return self.write_rows(builder, block, (self.op.c, block.row), sum);
        };
        let is_whole = builder.compare(CompareOp::Equal, block.row, own_row)?;
        let whole = |builder: &mut Builder<'_>| {
            self.write_rows(builder, block, (self.op.c, own_row), sum).map(|()| Vec::new())
        };
        builder.branch::<Error>(is_whole, &[], whole, |builder| {
            // The rows of other subgroups lie before the view, where checks find them.
            let view = rows_from(builder, self.op.c, own_row)?;
            let row = builder.binary(BinaryOp::Sub, block.row, own_row)?;
            let block = Block { check: Checked::new(true, block.check.cols()), ..*block };
            self.write_rows(builder, &block, (view, row), sum).map(|()| Vec::new())
        })?;
        Ok(())
    }

    /// C := α·sum + β·C at a row of a matrix.
    fn write_rows(
        &self,
        builder: &mut Builder<'_>,
        block: &Block,
        (to, row): (Value, Value),
        sum: Value,
    ) -> Result<(), Error> {
        let wide = self.accumulator_type(block);
        let narrow = Coopmatrix { component: self.c, ..wide };
        let mut value = self.scale(builder, self.op.alpha, sum, wide)?;
        let (transpose, checked) = (self.transpose_c, block.check);
        let (x, y) = if transpose == Transpose::N { (row, block.column) } else { (block.column, row) };
        if self.op.atomic == Atomic::Yes {
            let value = builder.cast(value, narrow)?;
            let (scope, semantics) = (atomic_scope(builder, to), MemorySemantics::Relaxed);
            if atomic_overwrites(builder, self.op.beta)? {
                let store = CoopmatrixAtomicStore { transpose, checked, scope, semantics, value, to, x, y };
                builder.emit(store, &[])?;
            } else {
                let op = CoopmatrixAtomicOp::Add;
                let add =
                    CoopmatrixAtomicUpdate { op, transpose, checked, scope, semantics, value, to, x, y };
                builder.value(add, narrow)?;
            }
            return Ok(());
        }
        if !is_literal_zero(builder.ir, self.op.beta) {
            let old = load(builder, to, transpose, [row, block.column], block.check, narrow)?;
            let old = builder.cast(old, wide)?;
            let old = self.scale(builder, self.op.beta, old, wide)?;
            value = builder.binary(BinaryOp::Add, value, old)?;
        }
        let value = builder.cast(value, narrow)?;
        let store = CoopmatrixStore { transpose, checked, value, to, x, y, io: None };
        builder.emit(store, &[])?;
        Ok(())
    }

    fn scale(
        &self,
        builder: &mut Builder<'_>,
        scalar: Value,
        matrix: Value,
        ty: Coopmatrix,
    ) -> Result<Value, Error> {
        let scalar = builder.cast(scalar, self.accumulator)?;
        Ok(builder.folded(CoopmatrixScale { scalar, matrix }, ty)?)
    }
}

/// Columns of sums as a factor A. With a row in each work-item a column is a component, wherever the matrix is used
/// (lowering reference 4.1).
fn slice(
    builder: &mut Builder<'_>,
    sums: Value,
    (first, cols): (i64, i64),
    lanes: i64,
) -> Result<Value, Error> {
    let Some(from) = builder.ir.ty(sums).coopmatrix() else {
        return Err(internal(builder.location, "sums are no matrix"));
    };
    let to = Coopmatrix { cols, usage: MatrixUse::A, ..from };
    let mut factor = builder.constant(Constant::zero(from.component), to)?;
    // Row blocks one behind the other, of each of which a work-item holds a row.
    let blocks = from.rows / lanes.max(1);
    for (block, col) in (0..blocks).flat_map(|block| (0..cols).map(move |col| (block, col))) {
        let index = block * from.cols + first + col;
        let value = builder.value(CoopmatrixExtract { matrix: sums, index }, Type::Scalar(from.component))?;
        let index = block * cols + col;
        factor = builder.value(CoopmatrixInsert { value, matrix: factor, index }, to)?;
    }
    Ok(factor)
}

fn offset(builder: &mut Builder<'_>, base: Value, by: i64) -> Built<Value> {
    let by = builder.index(by)?;
    builder.binary(BinaryOp::Add, base, by)
}

/// Loads op(from) at a row and a column of op(from).
fn load(
    builder: &mut Builder<'_>,
    from: Value,
    transpose: Transpose,
    [row, column]: [Value; 2],
    checked: Checked,
    ty: Coopmatrix,
) -> Built<Value> {
    let (x, y) = if transpose == Transpose::N { (row, column) } else { (column, row) };
    builder.value(CoopmatrixLoad { transpose, checked, from, x, y, io: None }, ty)
}
