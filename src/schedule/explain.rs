//! The schedule of a function and of its products, with what it rests on: for people and tuners.

use super::product_types::ProductTypes;
use super::tiles::TileProduct;
use super::{RegisterFile, Roofline, Schedule};
use crate::device::CoreInfo;
use crate::diagnostics::Location;
use crate::ir::{Extent, Func, Gemm, Inst, Ir, Op, ProductSchedule, Program, Transpose, Value};

/// Schedule of a function and of its products, as far as these have one.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// Name of the function.
    pub function: String,
    /// Its schedule.
    pub schedule: Schedule,
    /// Registers of a hardware thread.
    pub register_file: RegisterFile,
    /// Its products in the order of the text, those alike of several versions once.
    pub products: Vec<ExplainedProduct>,
    /// The time that a work-group must take and the cycles that it issues, an estimate; `None` if one of them is not known.
    pub roofline: Option<Roofline>,
    /// Source of the attributes that a tuning table has added; `None` if it has none.
    pub tuned: Option<String>,
}

/// A product and how a subgroup computes it.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainedProduct {
    /// The instruction.
    pub location: Location,
    /// Transposition of A and B of a gemm; `None` for a product of tiles.
    pub transposes: Option<[Transpose; 2]>,
    /// Rows and columns of C and columns of op(A), `None` where known at run time only.
    pub extents: [Option<i64>; 3],
    /// Types of the factors and of the accumulators.
    pub types: ProductTypes,
    /// The schedule, with the steps that there are.
    pub product: ProductSchedule,
    /// Registers that accumulators take, and registers that the factors which are loaded at once take: an estimate.
    pub registers: [i64; 2],
    /// Bytes of both factors that the longest step loads into a subgroup.
    pub step_bytes: i64,
    /// Multiplications that add in the longest step of a subgroup.
    pub step_work: i64,
}

impl Explanation {
    /// The schedule of a function, with those of its products.
    pub fn new(ir: &Ir, func: Func, schedule: Schedule, info: &CoreInfo) -> Explanation {
        let registers = RegisterFile::ALL.into_iter().rev();
        let asked = schedule.overrides.register_file;
        let register_file = asked.or_else(|| {
            let space = i64::from(schedule.register_space(info));
            registers.into_iter().find(|file| i64::from(file.registers()) * info.register_bytes() <= space)
        });
        let mut products: Vec<ExplainedProduct> = Vec::new();
        ir.walk(ir[func].body, &mut |inst| {
            let product = ExplainedProduct::of(ir, inst, info);
            products.extend(product.filter(|product| !products.contains(product)));
        });
        let function = ir[func].name.clone();
        let register_file = register_file.unwrap_or(RegisterFile::Small);
        Explanation { function, schedule, register_file, products, roofline: None, tuned: None }
    }

    /// Takes up what lowering has decided since: the registers.
    pub fn lowered(&mut self, ir: &Ir, program: &Program) {
        let same = program.functions.iter().filter(|&&func| ir[func].name == self.function);
        let asked = same.filter_map(|&func| ir[func].attributes.grf_size).next();
        self.register_file = asked.unwrap_or(self.register_file);
    }
}

impl ExplainedProduct {
    /// The product of an instruction; `None` if it has no schedule.
    fn of(ir: &Ir, inst: Inst, info: &CoreInfo) -> Option<ExplainedProduct> {
        let (transposes, extents, types, product) = if let Op::Gemm(op) = &ir[inst].op {
            let (extents, types) = gemm(ir, op)?;
            (Some([op.transpose_a, op.transpose_b]), extents, types, op.schedule.clone()?)
        } else if let Op::TileDot(op) = &ir[inst].op {
            let TileProduct { types, sums, depth, .. } = TileProduct::of(ir, op)?;
            (None, [sums.rows, sums.cols, depth].map(Some), types, op.schedule.clone()?)
        } else {
            return None;
        };
        let product = ProductSchedule { k_steps: product.steps_of(extents[2]), ..product };
        let (rows, cols) = (i64::from(product.block.rows), i64::from(product.block.cols));
        let step = product.k_steps.first().copied().map_or(1, i64::from);
        let step_bytes = step * (rows * types.a.bytes() + cols * types.b.bytes());
        let loaded = step_bytes / step * step.min(product.load_step.into());
        let in_registers = |bytes: i64| bytes.div_euclid(info.register_bytes().max(1));
        Some(ExplainedProduct {
            location: ir[inst].location,
            transposes,
            extents,
            types,
            registers: [in_registers(rows * cols * types.accumulator.bytes()), in_registers(loaded)],
            step_bytes,
            step_work: rows * cols * step,
            product,
        })
    }
}

/// Rows and columns of C and columns of op(A), and types, of a gemm.
fn gemm(ir: &Ir, op: &Gemm) -> Option<([Option<i64>; 3], ProductTypes)> {
    let memref = |value: Value| ir.ty(value).memref();
    let (a, b, c) = (memref(op.a)?, memref(op.b)?, memref(op.c)?);
    let extent = |extents: &[Extent], mode: usize| extents.get(mode).and_then(|extent| extent.value());
    let depth = extent(&a.shape, usize::from(op.transpose_a == Transpose::N));
    let extents = [extent(&c.shape, 0), extent(&c.shape, 1), depth];
    Some((extents, ProductTypes::of(a.element, b.element, c.element)?))
}
