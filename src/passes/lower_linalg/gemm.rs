//! gemm: a product of tiles that span whole matrices.

use super::super::chain::Producer;
use super::super::emit::Emit;
use super::super::error::Error;
use super::super::rewrite::Rewriter;
use super::super::tile::lower::Settings;
use super::super::tile::lower::block::Run;
use super::super::tile::lower::blocks::lower_in_blocks;
use super::{Device, atomic_overwrites, internal, is_literal_zero};
use crate::diagnostics::Location;
use crate::ir::{
    Atomic, BinaryOp, Boundaries, Boundary, Builder, Built, Constant, Func, Gemm, Inst, Ir, MatrixUse, Op,
    Scalar, StoreBoundary, StoreMode, Tile, TileDot, TileDotAttributes, TileLoad, TileScale, TileStore,
    Transpose, Value,
};
use crate::schedule::ProductTypes;

pub(super) fn lower(builder: &mut Builder<'_>, op: &Gemm, device: &Device<'_>) -> Result<(), Error> {
    let kernel = Kernel::new(builder.ir, op, builder.location)?;
    lower_kernels(builder, None, kernel, device)
}

/// Lowers a product together with the one that makes its first factor, if the schedule says so.
pub(super) fn lower_chain(
    rewriter: &mut Rewriter<'_>,
    inst: Inst,
    func: Func,
    device: &Device<'_>,
) -> Result<bool, Error> {
    let Op::Gemm(op) = rewriter.ir[inst].op.clone() else { return Ok(false) };
    if !op.schedule.as_ref().is_some_and(|schedule| schedule.is_chained) {
        return Ok(false);
    }
    let location = rewriter.ir[inst].location;
    let producer = Producer::of(rewriter.ir, inst, &op)
        .ok_or_else(|| internal(location, "nothing makes the first factor in registers"))?;
    let first = Kernel::new(rewriter.ir, &producer.gemm, rewriter.ir[producer.inst].location)?;
    let kernel = Kernel::new(rewriter.ir, &op, location)?;
    lower_kernels(&mut rewriter.builder(inst)?, Some(first), kernel, device)?;
    rewriter.erase(inst);
    producer.erase(rewriter, func);
    Ok(true)
}

/// Lowers a product, and the one that makes its first factor in registers if there is one.
fn lower_kernels(
    builder: &mut Builder<'_>,
    first: Option<Kernel>,
    kernel: Kernel,
    device: &Device<'_>,
) -> Result<(), Error> {
    let scalars = kernel.scalars(builder)?;
    let mut forwarded = None;
    builder.parallel(|builder| {
        match first {
            Some(first) => {
                forwarded = Some(first.op.c);
                let location = std::mem::replace(&mut builder.location, first.location);
                let first_scalars = first.scalars(builder)?;
                // A subgroup has whole rows.
                let [between, cols] = [&first, &kernel].map(|kernel| columns(builder.ir, kernel.op.c));
                first.build(builder, &first_scalars, between, Tile::WHOLE)?;
                builder.location = location;
                kernel.build(builder, &scalars, cols, between)?;
            }
            None => kernel.build(builder, &scalars, Tile::WHOLE, Tile::WHOLE)?,
        }
        let insts: Vec<Inst> = builder.ir.insts(builder.cursor.region()).collect();
        let Device { surfaces, schedule, info, .. } = device;
        let run = Run { insts: &insts, extents: None, atomic: kernel.op.atomic, forwarded };
        lower_in_blocks(builder, &run, Settings { schedule: *schedule, info, surfaces })
    })
}

/// A gemm, and how a subgroup computes it.
struct Kernel {
    op: Gemm,
    /// Place of the instruction in the text.
    location: Location,
    /// T if the transpose of C is computed.
    transpose_c: Transpose,
    types: ProductTypes,
}

/// The factors of the sums and of what C was, in the type of sums; the latter if C is read.
struct Scalars {
    alpha: Value,
    beta: Option<Value>,
}

impl Kernel {
    fn new(ir: &Ir, op: &Gemm, location: Location) -> Result<Kernel, Error> {
        let is_transposed = match &op.schedule {
            Some(schedule) => schedule.is_transposed,
            None => return Err(internal(location, "a product without schedule")),
        };
        let (op, transpose_c) = if is_transposed {
            let (transpose_a, transpose_b) = (Transpose::N, Transpose::N);
            (Gemm { a: op.b, b: op.a, transpose_a, transpose_b, ..op.clone() }, Transpose::T)
        } else {
            (op.clone(), Transpose::N)
        };
        let element = |value: Value| ir.ty(value).memref().map(|memref| memref.element);
        let types = match [op.a, op.b, op.c].map(element) {
            [Some(a), Some(b), Some(c)] => ProductTypes::of(a, b, c),
            _ => None,
        };
        let types = types.ok_or_else(|| internal(location, "types of A and B"))?;
        Ok(Kernel { op, location, transpose_c, types })
    }

    fn scalars(&self, builder: &mut Builder<'_>) -> Result<Scalars, Error> {
        let Gemm { atomic, alpha, beta, .. } = self.op;
        let accumulator = self.types.accumulator;
        let is_read = atomic == Atomic::No && !is_literal_zero(builder.ir, beta);
        let alpha = builder.cast(alpha, accumulator)?;
        let beta = if is_read { Some(builder.cast(beta, accumulator)?) } else { None };
        Ok(Scalars { alpha, beta })
    }

    /// Builds C := α·A·B + β·C, where C has so many columns, and A.
    fn build(
        &self,
        builder: &mut Builder<'_>,
        scalars: &Scalars,
        cols: i64,
        depth: i64,
    ) -> Result<(), Error> {
        let Kernel { op, transpose_c, types, .. } = self;
        let ProductTypes { a, b, accumulator } = *types;
        let rows = Tile::WHOLE;
        let a = Tile { component: a, rows, cols: depth, usage: MatrixUse::A };
        let b = Tile { component: b, rows: depth, cols, usage: MatrixUse::B };
        let sums = Tile { component: accumulator, rows, cols, usage: MatrixUse::Acc };
        let stored = Tile { component: element(builder, op.c)?, ..sums };

        let a = load(builder, op.a, op.transpose_a, a)?;
        let b = load(builder, op.b, op.transpose_b, b)?;
        let c = builder.constant(Constant::zero(accumulator), sums)?;
        let (attributes, schedule) = (TileDotAttributes::default(), op.schedule.clone());
        let product = builder.value(TileDot { a, b, c, attributes, schedule }, sums)?;
        let mut value = builder.value(TileScale { scalar: scalars.alpha, tile: product }, sums)?;
        if let Some(scalar) = scalars.beta {
            let old = load(builder, op.c, *transpose_c, stored)?;
            let tile = builder.cast(old, sums)?;
            let old = builder.value(TileScale { scalar, tile }, sums)?;
            value = builder.binary(BinaryOp::Add, value, old)?;
        }
        let value = builder.cast(value, stored)?;
        let mode = match op.atomic {
            Atomic::Yes if !atomic_overwrites(builder, op.beta)? => StoreMode::AtomicAdd,
            Atomic::Yes | Atomic::No => StoreMode::Overwrite,
        };
        let (transpose, boundary, to) = (*transpose_c, StoreBoundary::Unchecked, op.c);
        let [x, y] = [builder.index(0)?; 2];
        builder.emit(TileStore { mode, transpose, boundary, value, to, x, y }, &[])?;
        Ok(())
    }
}

/// Columns of a matrix.
fn columns(ir: &Ir, memref: Value) -> i64 {
    let extent = ir.ty(memref).memref().and_then(|memref| memref.shape.get(1)?.value());
    extent.unwrap_or(Tile::WHOLE)
}

fn element(builder: &Builder<'_>, memref: Value) -> Result<Scalar, Error> {
    let memref = builder.ir.ty(memref).memref();
    Ok(memref.ok_or_else(|| internal(builder.location, "C is no memref"))?.element)
}

/// Loads op(from).
fn load(builder: &mut Builder<'_>, from: Value, transpose: Transpose, tile: Tile) -> Built<Value> {
    let [x, y] = [builder.index(0)?; 2];
    let boundary = Boundaries([Boundary::Unchecked; 2]);
    builder.value(TileLoad { transpose, boundary, from, x, y, other: None }, tile)
}
