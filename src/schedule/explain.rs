//! The schedule of a function and of its products, with what it rests on: for people and tuners.

use super::product::{Product, ProductShape};
use super::product_types::ProductTypes;
use super::tiles::{self, ExplainedTileProduct};
use super::{Error, RegisterFile, Schedule};
use crate::analysis::Surfaces;
use crate::device::CoreInfo;
use crate::diagnostics::Location;
use crate::ir::{Extent, Func, Gemm, Ir, Op, Program, Transpose, Value};

/// Schedule of a function and of the products that it has when that is chosen.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// Name of the function.
    pub function: String,
    /// Its schedule.
    pub schedule: Schedule,
    /// Registers of a hardware thread.
    pub register_file: RegisterFile,
    /// Its products in the order of the text.
    pub products: Vec<ExplainedProduct>,
    /// Its products of tiles in the order of the text.
    pub tile_products: Vec<ExplainedTileProduct>,
}

/// A product and how a subgroup computes it.
#[derive(Clone, Debug)]
pub struct ExplainedProduct {
    /// The instruction.
    pub location: Location,
    /// Rows and columns of C and columns of op(A), `None` where known at run time only.
    pub extents: [Option<i64>; 3],
    /// Transposition of A and B.
    pub transposes: [Transpose; 2],
    /// Types of the factors and of the sums.
    pub types: ProductTypes,
    /// The schedule.
    pub product: Product,
    /// Registers that accumulators take, and registers that the factors which are loaded at once take: an estimate.
    pub registers: [i64; 2],
    /// Bytes of both factors that the longest step loads into a subgroup.
    pub step_bytes: i64,
    /// Multiplications that add in the longest step of a subgroup.
    pub step_work: i64,
}

impl Explanation {
    /// The schedule of a function in a compilation.
    ///
    /// # Errors
    /// As for [`Schedule::choose`].
    pub fn of(ir: &Ir, func: Func, info: &CoreInfo) -> Result<Explanation, Error> {
        let schedule = Schedule::compiled(ir, func, info)?;
        let registers = RegisterFile::ALL.into_iter().rev();
        let asked = schedule.pinned.register_file;
        let register_file = asked.or_else(|| {
            let space = i64::from(schedule.register_space(info));
            registers.into_iter().find(|file| i64::from(file.registers()) * info.register_bytes() <= space)
        });
        let surfaces = Surfaces::new(ir, func, info.default_alignment());
        let (mut gemms, mut tile_products) = (Vec::new(), Vec::new());
        ir.walk(ir[func].body, &mut |inst| {
            let location = ir[inst].location;
            if let Op::Gemm(op) = &ir[inst].op {
                gemms.push((location, op.clone()));
            } else if let Op::TileDot(op) = &ir[inst].op {
                tile_products.extend(tiles::explain(ir, (func, &surfaces), location, op, &schedule, info));
            }
        });
        let explain =
            |(location, op): &(Location, Gemm)| product((ir, &surfaces), *location, op, &schedule, info);
        let products = gemms.iter().filter_map(explain).collect();
        let function = ir[func].name.clone();
        let register_file = register_file.unwrap_or(RegisterFile::Small);
        Ok(Explanation { function, schedule, register_file, products, tile_products })
    }

    /// Takes up what lowering has decided since: the registers.
    pub fn lowered(&mut self, ir: &Ir, program: &Program) {
        let same = program.functions.iter().filter(|&&func| ir[func].name == self.function);
        let asked = same.filter_map(|&func| ir[func].attributes.grf_size).next();
        self.register_file = asked.unwrap_or(self.register_file);
    }
}

fn product(
    (ir, surfaces): (&Ir, &Surfaces),
    location: Location,
    op: &Gemm,
    schedule: &Schedule,
    info: &CoreInfo,
) -> Option<ExplainedProduct> {
    let memref = |value: Value| ir.ty(value).memref();
    let a = memref(op.a)?;
    let shape = ProductShape::of(ir, surfaces, op)?;
    let types = shape.types;
    let extent = |extents: &[Extent], mode: usize| extents.get(mode).and_then(|extent| extent.value());
    let depth = extent(&a.shape, usize::from(op.transpose_a == Transpose::N));
    let extents = [shape.extents[0], shape.extents[1], depth];
    let mut product = schedule.product(shape, info);
    product.k_steps = product.steps_of(depth);
    let (rows, cols) = (i64::from(product.block.rows), i64::from(product.block.cols));
    let step = product.k_steps.first().copied().map_or(1, i64::from);
    let step_bytes = step * (rows * types.a.bytes() + cols * types.b.bytes());
    let loaded = step_bytes / step * step.min(product.load_step.into());
    let in_registers = |bytes: i64| bytes.div_euclid(info.register_bytes().max(1));
    Some(ExplainedProduct {
        location,
        extents,
        transposes: [op.transpose_a, op.transpose_b],
        types,
        registers: [in_registers(rows * cols * types.accumulator.bytes()), in_registers(loaded)],
        step_bytes,
        step_work: rows * cols * step,
        product,
    })
}
