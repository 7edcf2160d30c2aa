//! gemm: register-blocked products of cooperative matrices.
//!
//! Each subgroup computes blocks of C that it keeps in registers while it walks along K. On a matrix engine a block
//! is a single matrix, and what is left along K is one step that is checked: entries outside of A and B are 0.

use super::super::emit::{Emit, Range, Unroll};
use super::super::error::Error;
use super::blocks::{Partition, by_blocks, uniform, whole_blocks};
use super::{Device, atomic_overwrites, atomic_scope, internal, is_literal_zero, only, sum_type, tensor};
use crate::analysis::integer_of;
use crate::device::MatrixBackendKind;
use crate::ir::{
    Atomic, BinaryOp, Builder, Built, Checked, Component, Constant, Coopmatrix, CoopmatrixAtomicOp,
    CoopmatrixAtomicStore, CoopmatrixAtomicUpdate, CoopmatrixLoad, CoopmatrixMulAdd, CoopmatrixPrefetch,
    CoopmatrixScale, CoopmatrixStore, Gemm, MatrixUse, MemorySemantics, Scalar, Transpose, Value,
};
use crate::schedule::{Product, ProductTypes};

pub(super) fn lower(builder: &mut Builder<'_>, op: &Gemm, device: &Device<'_>) -> Result<(), Error> {
    builder.parallel(|builder| {
        let m_partition = partition(builder, device.schedule.grid.rows.into(), Component::X)?;
        let n_partition = partition(builder, device.schedule.grid.cols.into(), Component::Y)?;
        let subgroup_size = i64::from(device.schedule.subgroup_size);
        let extents = [builder.size(op.c, 0)?, builder.size(op.c, 1)?];
        let kernel = Kernel::new(builder, op, device, extents.map(|extent| integer_of(builder.ir, extent)))?;
        let [m, n] = kernel.extents(extents);
        let (rows, cols) = (i64::from(kernel.product.block.rows), i64::from(kernel.product.block.cols));
        let m_blocks =
            multiple(subgroup_size, rows, m_partition.tiles, integer_of(builder.ir, m).unwrap_or(rows));
        let on_engine = kernel.on_engine();
        let columns = |builder: &mut Builder<'_>, column: Value, cols: i64, check_cols: bool| {
            by_blocks(builder, m, subgroup_size * m_blocks, m_partition, &mut |builder, row, check_rows| {
                let block = Block {
                    partitions: [m_partition, n_partition],
                    row,
                    column,
                    rows: subgroup_size * m_blocks,
                    cols,
                    check: Checked::new(check_rows, check_cols),
                };
                kernel.block(builder, &block)
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

/// A block of C.
struct Block {
    /// Subgroups along the rows and the columns, which share the lines that they prefetch.
    partitions: [Partition; 2],
    row: Value,
    column: Value,
    rows: i64,
    cols: i64,
    check: Checked,
}

/// A gemm, the types it computes in, and how a subgroup computes it.
struct Kernel {
    op: Gemm,
    /// T if the kernel computes the transpose of C.
    transpose_c: Transpose,
    a: Scalar,
    b: Scalar,
    c: Scalar,
    /// Type of the sums.
    accumulator: Scalar,
    product: Product,
}

impl Kernel {
    fn new(
        builder: &Builder<'_>,
        op: &Gemm,
        device: &Device<'_>,
        extents: [Option<i64>; 2],
    ) -> Result<Kernel, Error> {
        let ((a, _), (b, _), (c, _)) =
            (tensor(builder, op.a)?, tensor(builder, op.b)?, tensor(builder, op.c)?);
        let factor = a.promote(b).ok_or_else(|| internal(builder.location, "types of A and B"))?;
        let accumulator = sum_type(factor, c);
        let types = ProductTypes { a, b, accumulator };
        let product = device.schedule.product(types, extents, device.info);
        let kernel = Kernel { op: op.clone(), transpose_c: Transpose::N, a, b, c, accumulator, product };
        Ok(if kernel.is_better_transposed() { kernel.transposed() } else { kernel })
    }

    /// Aᵀ·Bᵀ is the transpose of B·A, whose factors the engine takes as they lie. Writing C then costs more, which pays
    /// if K is long.
    fn is_better_transposed(&self) -> bool {
        let transposed = [self.op.transpose_a, self.op.transpose_b] == [Transpose::T; 2];
        transposed && self.on_engine() && self.product.prefetch_distance > 0
    }

    fn transposed(self) -> Kernel {
        let (transpose_a, transpose_b) = (Transpose::N, Transpose::N);
        let op = Gemm { a: self.op.b, b: self.op.a, transpose_a, transpose_b, ..self.op };
        Kernel { op, transpose_c: Transpose::T, a: self.b, b: self.a, ..self }
    }

    /// Rows and columns of what the kernel computes, given those of C.
    fn extents(&self, [rows, cols]: [Value; 2]) -> [Value; 2] {
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
    fn product(
        &self,
        builder: &mut Builder<'_>,
        block: &Block,
        mut sum: Value,
    ) -> Result<Value, Error> {
        let mode = if self.op.transpose_a == Transpose::N { 1 } else { 0 };
        let k = builder.size(self.op.a, mode)?;
        let known = integer_of(builder.ir, k);
        let mut done = builder.index(0)?;
        let sizes: Vec<i64> = self.product.k_steps.iter().copied().map(i64::from).collect();
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
            let unroll = if self.on_engine() { Unroll::Never } else { Unroll::Default };
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

    /// One step along K: a block column of A times a block row of B, which may reach beyond the end.
    fn step(
        &self,
        builder: &mut Builder<'_>,
        block: &Block,
        k: Value,
        (size, check): (i64, bool),
        sum: Value,
    ) -> Result<Value, Error> {
        if self.product.prefetch_distance > 0 && !check {
            self.prefetch(builder, block, k, size)?;
        }
        let b = Coopmatrix { component: self.b, rows: size, cols: block.cols, usage: MatrixUse::B };
        let checked = Checked::new(check, block.check.cols());
        let b = load(builder, self.op.b, self.op.transpose_b, [k, block.column], checked, b)?;
        let a = Coopmatrix { component: self.a, rows: block.rows, cols: size, usage: MatrixUse::A };
        let checked = Checked::new(block.check.rows(), check);
        let a = load(builder, self.op.a, self.op.transpose_a, [block.row, k], checked, a)?;
        Ok(builder.value(CoopmatrixMulAdd { a, b, c: sum }, self.accumulator_type(block))?)
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
                let slice = Slice::new(builder, of, partition, extent)?;
                let x = builder.binary(BinaryOp::Add, at[0], slice.x)?;
                let y = builder.binary(BinaryOp::Add, at[1], slice.y)?;
                let [rows, cols] = slice.extent.map(|extent| i32::try_from(extent).unwrap_or(i32::MAX));
                builder.emit(CoopmatrixPrefetch { level: 0, of, x, y, rows, cols }, &[]).map(|_| ())
            };
        fetch(self.op.a, n_partition, self.op.transpose_a, [block.row, k], [block.rows, size])?;
        fetch(self.op.b, m_partition, self.op.transpose_b, [k, block.column], [size, block.cols])?;
        Ok(())
    }

    /// C := α·sum + β·C.
    fn write(&self, builder: &mut Builder<'_>, block: &Block, sum: Value) -> Result<(), Error> {
        let row = block.row;
        let wide = self.accumulator_type(block);
        let narrow = Coopmatrix { component: self.c, ..wide };
        let mut value = self.scale(builder, self.op.alpha, sum, wide)?;
        let (transpose, checked, to) = (self.transpose_c, block.check, self.op.c);
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
            let old = load(builder, self.op.c, transpose, [row, block.column], block.check, narrow)?;
            let old = builder.cast(old, wide)?;
            let old = self.scale(builder, self.op.beta, old, wide)?;
            value = builder.binary(BinaryOp::Add, value, old)?;
        }
        let value = builder.cast(value, narrow)?;
        let store = CoopmatrixStore { transpose, checked, value, to, x, y };
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

/// A subgroup's slice of a part of a matrix that several subgroups fetch.
struct Slice {
    x: Value,
    y: Value,
    extent: [i64; 2],
}

impl Slice {
    /// Divides the columns, of which each subgroup takes as few lines of the cache as it can.
    fn new(
        builder: &mut Builder<'_>,
        of: Value,
        Partition { tiles, id }: Partition,
        [rows, cols]: [i64; 2],
    ) -> Built<Slice> {
        const LINE_BYTES: i64 = 64;
        let zero = builder.index(0)?;
        let line = builder.ir.ty(of).memref().map_or(rows, |memref| LINE_BYTES / memref.element.bytes());
        let lines = rows / line.max(1);
        let (lines, rows) =
            if lines > 1 && rows % line == 0 && tiles % lines == 0 { (lines, line) } else { (1, rows) };
        let cols = 1 + (cols - 1).max(0) / (tiles / lines);
        let (mut x, mut y) = (zero, zero);
        if lines > 1 {
            let number = builder.index(lines)?;
            let own = builder.binary(BinaryOp::Rem, id, number)?;
            x = scaled(builder, own, rows)?;
        }
        if tiles > lines {
            let number = builder.index(lines)?;
            let own = builder.binary(BinaryOp::Div, id, number)?;
            y = scaled(builder, own, cols)?;
        }
        Ok(Slice { x, y, extent: [rows, cols] })
    }
}

fn scaled(builder: &mut Builder<'_>, number: Value, by: i64) -> Built<Value> {
    let by = builder.index(by)?;
    builder.binary(BinaryOp::Mul, number, by)
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
    builder.value(CoopmatrixLoad { transpose, checked, from, x, y }, ty)
}
