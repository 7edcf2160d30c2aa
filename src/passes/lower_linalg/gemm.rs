//! gemm: a product of tiles that span whole matrices.

use super::super::emit::Emit;
use super::super::error::Error;
use super::super::rewrite::Rewriter;
use super::super::tile::lower::Settings;
use super::super::tile::lower::block::Run;
use super::super::tile::lower::blocks::lower_in_blocks;
use super::chain::Producer;
use super::{Device, atomic_overwrites, internal, is_literal_zero, versions};
use crate::device::MatrixBackendKind;
use crate::diagnostics::Location;
use crate::ir::{
    Atomic, BinaryOp, Boundaries, Boundary, Builder, Built, Constant, Func, Gemm, Inst, IoClass, Ir,
    MatrixUse, Op, Scalar, StoreBoundary, StoreMode, Tile, TileDot, TileDotAttributes, TileLoad, TileScale,
    TileStore, Transpose, Value,
};
use crate::schedule::{Product, ProductShape, ProductTypes};

pub(super) fn lower(builder: &mut Builder<'_>, op: &Gemm, device: &Device<'_>) -> Result<(), Error> {
    versions::lower(builder, op, device, &|builder, op| {
        let kernel = Kernel::new(builder.ir, op, device, builder.location)?;
        lower_kernels(builder, None, kernel, device)
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
    let mut kernel = Kernel::new(rewriter.ir, &op, device, rewriter.ir[inst].location)?;
    let Some(product) = device.schedule.chain(first.shape, kernel.shape, device.info) else {
        return Ok(false);
    };
    kernel.product = product;
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
    let mut products = vec![kernel.product.clone()];
    let mut forwarded = None;
    builder.parallel(|builder| {
        match first {
            Some(first) => {
                products.insert(0, first.product.clone());
                forwarded = Some(first.op.c);
                let location = std::mem::replace(&mut builder.location, first.location);
                let first_scalars = first.scalars(builder)?;
                // A subgroup has whole rows.
                let [between, cols] =
                    [&first, &kernel].map(|kernel| kernel.shape.extents[1].unwrap_or(Tile::WHOLE));
                first.build(builder, &first_scalars, between, Tile::WHOLE)?;
                builder.location = location;
                kernel.build(builder, &scalars, cols, between)?;
            }
            None => kernel.build(builder, &scalars, Tile::WHOLE, Tile::WHOLE)?,
        }
        let insts: Vec<Inst> = builder.ir.insts(builder.cursor.region()).collect();
        let Device { surfaces, schedule, info, .. } = device;
        let (insts, products, atomic) = (&insts, &products, kernel.op.atomic);
        let run = Run { insts, extents: None, products, atomic, forwarded };
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
    /// The gemm as the schedule sees it.
    shape: ProductShape,
    product: Product,
}

/// The factors of the sums and of what C was, in the type of sums; the latter if C is read.
struct Scalars {
    alpha: Value,
    beta: Option<Value>,
}

impl Kernel {
    fn new(ir: &Ir, op: &Gemm, device: &Device<'_>, location: Location) -> Result<Kernel, Error> {
        let shape = ProductShape::of(ir, &device.surfaces, op)
            .ok_or_else(|| internal(location, "types of A and B"))?;
        let product = device.schedule.product(shape, device.info);
        let types = shape.types;
        let kernel = Kernel { op: op.clone(), location, transpose_c: Transpose::N, types, shape, product };
        Ok(if kernel.is_better_transposed(device) { kernel.transposed(ir, device) } else { kernel })
    }

    /// Aᵀ·Bᵀ is the transpose of B·A, whose factors the engine takes as they lie. Writing C then costs more, which pays
    /// if K is long, and for bytes, which no message transposes for B.
    fn is_better_transposed(&self, device: &Device<'_>) -> bool {
        let transposed = [self.op.transpose_a, self.op.transpose_b] == [Transpose::T; 2];
        if !transposed || self.product.backend == MatrixBackendKind::Vector {
            return false;
        }
        let has_messages = device.schedule.has_io(IoClass::Block2d, device.info);
        self.product.prefetch_distance > 0 || has_messages && self.types.b.bytes() == 1
    }

    fn transposed(self, ir: &Ir, device: &Device<'_>) -> Kernel {
        let (transpose_a, transpose_b) = (Transpose::N, Transpose::N);
        let op = Gemm { a: self.op.b, b: self.op.a, transpose_a, transpose_b, ..self.op };
        let types = ProductTypes { a: self.types.b, b: self.types.a, ..self.types };
        let mut shape = ProductShape::of(ir, &device.surfaces, &op).unwrap_or(self.shape);
        shape.extents.reverse();
        let product = device.schedule.product(shape, device.info);
        Kernel { op, transpose_c: Transpose::T, types, shape, product, ..self }
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
        let attributes = TileDotAttributes::default();
        let product = builder.value(TileDot { a, b, c, attributes }, sums)?;
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
