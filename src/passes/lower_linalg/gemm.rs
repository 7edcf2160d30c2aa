//! gemm: a product of tiles that span whole matrices.

use super::super::chain;
use super::super::emit::Emit as _;
use super::super::error::Error;
use super::super::rewrite::Rewriter;
use super::super::tile::lower::Settings;
use super::super::tile::lower::block::Run;
use super::super::tile::lower::blocks::{lower_all_rows, lower_in_blocks};
use super::operands::{Scaled, load};
use super::{Device, Output, internal};
use crate::diagnostics::Location;
use crate::ir::{
    Boundary, Builder, ChainedFactor, Constant, Func, Gemm, Inst, Ir, MatrixUse, Op, Tile, TileDot,
    TileDotAttributes, Transpose, Value,
};
use crate::schedule::ProductTypes;

pub(super) fn lower(builder: &mut Builder<'_>, op: &Gemm, device: &Device<'_>) -> Result<(), Error> {
    let kernel = Kernel::new(builder.ir, op, builder.location)?;
    lower_kernels(builder, &[kernel], device)
}

/// Lowers a product together with those that make factors in registers, if the schedule says so.
pub(super) fn lower_chain(
    rewriter: &mut Rewriter<'_>,
    inst: Inst,
    func: Func,
    device: &Device<'_>,
) -> Result<bool, Error> {
    let Op::Gemm(op) = rewriter.ir[inst].op.clone() else { return Ok(false) };
    let is_chained = op.schedule.as_ref().is_some_and(|schedule| schedule.chained.is_some());
    if !is_chained || chain::is_link(rewriter.ir, inst, &op) {
        return Ok(false);
    }
    let location = rewriter.ir[inst].location;
    let links = chain::scheduled(rewriter.ir, inst, &op)
        .ok_or_else(|| internal(location, "nothing makes a factor in registers"))?;
    let gemms = links.iter().map(|link| (&link.gemm, rewriter.ir[link.inst].location));
    let kernels = gemms.chain([(&op, location)]).map(|(gemm, at)| Kernel::new(rewriter.ir, gemm, at));
    let kernels: Vec<Kernel> = kernels.collect::<Result<_, _>>()?;
    lower_kernels(&mut rewriter.builder(inst)?, &kernels, device)?;
    chain::erase(links, inst, rewriter, func)?;
    Ok(true)
}

/// Lowers a product, after those that make factors in registers, each for the next one.
fn lower_kernels(builder: &mut Builder<'_>, kernels: &[Kernel], device: &Device<'_>) -> Result<(), Error> {
    let location = builder.location;
    let mut with_outputs = Vec::new();
    for kernel in kernels {
        builder.location = kernel.location;
        let output = Scaled::new(builder, Output::of(&kernel.op), kernel.types.accumulator)?;
        with_outputs.push((kernel, output));
    }
    builder.location = location;
    let Device { surfaces, schedule, info, .. } = device;
    let settings = Settings { schedule: *schedule, info, surfaces };
    builder.parallel(|builder| {
        let mut held = None;
        // A product that takes its second factor out of registers begins a run of its own.
        let mut runs =
            with_outputs.chunk_by(|_, (next, _)| next.takes() != Some(ChainedFactor::Second)).peekable();
        while let Some(kernels) = runs.next() {
            let [.., (last, _)] = kernels else { continue };
            let is_last = runs.peek().is_none();
            let before = builder.cursor.previous(builder.ir);
            let mut between = Tile::WHOLE;
            for (kernel, output) in kernels {
                builder.location = kernel.location;
                // Of a chain a subgroup has whole rows.
                let cols =
                    if with_outputs.len() > 1 { columns(builder.ir, kernel.op.c) } else { Tile::WHOLE };
                let depth = match kernel.takes() {
                    Some(ChainedFactor::First) => between,
                    Some(ChainedFactor::Second) => rows(builder.ir, kernel.op.b),
                    None => Tile::WHOLE,
                };
                kernel.build(builder, output, cols, depth)?;
                between = cols;
            }
            builder.location = location;
            let insts = behind(builder, before);
            let forwarded =
                kernels.iter().map(|(kernel, _)| kernel.op.c).filter(|&c| !is_last || c != last.op.c);
            let forwarded: Vec<Value> = forwarded.collect();
            let run = Run {
                insts: &insts,
                extents: None,
                atomic: last.op.atomic,
                forwarded: &forwarded,
                held: held.take(),
                block: None,
            };
            if is_last {
                return lower_in_blocks(builder, &run, settings);
            }
            held = Some((last.op.c, lower_all_rows(builder, &run, settings)?));
        }
        Ok(())
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

    /// The factor that it takes out of registers.
    fn takes(&self) -> Option<ChainedFactor> {
        self.op.schedule.as_ref().and_then(|schedule| schedule.chained)
    }

    /// Builds C := α·A·B + β·C, where C has so many columns, and A.
    fn build(&self, builder: &mut Builder<'_>, output: &Scaled, cols: i64, depth: i64) -> Result<(), Error> {
        let Kernel { op, transpose_c, types, .. } = self;
        let ProductTypes { a, b, accumulator } = *types;
        let rows = Tile::WHOLE;
        let a = Tile { component: a, rows, cols: depth, usage: MatrixUse::A };
        let b = Tile { component: b, rows: depth, cols, usage: MatrixUse::B };
        let sums = Tile { component: accumulator, rows, cols, usage: MatrixUse::Acc };

        let start = (builder.index(0)?, Boundary::Unchecked);
        let a = load(builder, (op.a, op.transpose_a), [start; 2], a)?;
        let b = load(builder, (op.b, op.transpose_b), [start; 2], b)?;
        let c = builder.constant(Constant::zero(accumulator), sums)?;
        let (attributes, schedule) = (TileDotAttributes::default(), op.schedule.clone());
        let product = builder.value(TileDot { a, b, c, attributes, schedule }, sums)?;
        output.store(builder, *transpose_c, product)
    }
}

/// Rows of a matrix.
fn rows(ir: &Ir, memref: Value) -> i64 {
    extent(ir, memref, 0)
}

/// Columns of a matrix.
fn columns(ir: &Ir, memref: Value) -> i64 {
    extent(ir, memref, 1)
}

fn extent(ir: &Ir, memref: Value, mode: usize) -> i64 {
    let extent = ir.ty(memref).memref().and_then(|memref| memref.shape.get(mode)?.value());
    extent.unwrap_or(Tile::WHOLE)
}

/// The instructions of the region behind one of them, or all.
fn behind(builder: &Builder<'_>, inst: Option<Inst>) -> Vec<Inst> {
    let mut insts: Vec<Inst> = builder.ir.insts(builder.cursor.region()).collect();
    let place = insts.iter().position(|&other| Some(other) == inst);
    insts.split_off(place.map_or(0, |place| place + 1))
}
