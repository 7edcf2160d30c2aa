//! The schedules of a function's products, as they stand on its instructions.

use super::Schedule;
use super::blockwise::Blockwise;
use super::chain::ChainProduct;
use super::folded::{factors_in_memory, reads_even_odd};
use super::product::ProductShape;
use super::tiles::TileProduct;
use crate::analysis::{ChainLink, Surfaces};
use crate::device::CoreInfo;
use crate::ir::{
    Func, Gemm, Inst, IoClass, Ir, MatrixBackendKind, Op, ProductSchedule, TileDot, Transpose, Value,
};

/// A function as far as the schedules of its products depend on it.
pub struct ProductTarget<'a> {
    ir: &'a Ir,
    surfaces: &'a Surfaces,
    schedule: Schedule,
    info: &'a CoreInfo,
    /// Its tiles, if the subgroups take them in blocks.
    blockwise: Option<Blockwise>,
}

impl<'a> ProductTarget<'a> {
    /// A function that has a schedule.
    pub fn new(
        ir: &'a Ir,
        func: Func,
        surfaces: &'a Surfaces,
        schedule: Schedule,
        info: &'a CoreInfo,
    ) -> ProductTarget<'a> {
        ProductTarget { ir, surfaces, schedule, info, blockwise: schedule.blockwise(ir, func) }
    }

    /// Schedules of some products, each of which is a gemm or a product of tiles. Tiles that all subgroups share evenly have steps
    /// in common, since products may share factors.
    pub fn schedules(&self, insts: &[Inst]) -> Vec<Option<ProductSchedule>> {
        let mut schedules: Vec<Option<ProductSchedule>> =
            insts.iter().map(|&inst| self.product(inst)).collect();
        if self.blockwise.is_some() {
            return schedules;
        }
        let is_tile = |inst: &Inst| matches!(self.ir[*inst].op, Op::TileDot(_));
        let tiles = || {
            insts.iter().zip(&schedules).filter(|(inst, _)| is_tile(inst)).filter_map(|(_, it)| it.as_ref())
        };
        let longest = tiles().filter_map(|schedule| schedule.k_steps.first().copied()).min();
        let least = tiles().filter_map(|schedule| schedule.k_steps.last().copied()).min();
        let mut steps: Vec<i32> = longest.into_iter().chain(least).collect();
        steps.dedup();
        for (_, schedule) in insts.iter().zip(&mut schedules).filter(|(inst, _)| is_tile(inst)) {
            if let Some(schedule) = schedule {
                schedule.k_steps.clone_from(&steps);
            }
        }
        schedules
    }

    /// Schedule of one product by itself.
    pub(super) fn product(&self, inst: Inst) -> Option<ProductSchedule> {
        if let Op::Gemm(op) = &self.ir[inst].op {
            self.gemm(op)
        } else if let Op::TileDot(op) = &self.ir[inst].op {
            self.tiles(op)
        } else {
            None
        }
    }

    /// Schedules of the products of a chain, the last of which has no link; `None` if that cannot stay in registers.
    pub fn chain(&self, links: &[ChainLink], last: &Gemm) -> Option<Vec<ProductSchedule>> {
        let chain = ChainProduct::all(self.ir, self.surfaces, links, last)?;
        self.schedule.chain(&chain, self.info)
    }

    /// Aᵀ·Bᵀ is the transpose of B·A, whose factors the engine takes as they lie. Writing C then costs more, which pays
    /// if K is long, and for bytes, which no message transposes for B.
    fn gemm(&self, op: &Gemm) -> Option<ProductSchedule> {
        let shape = ProductShape::of(self.ir, self.surfaces, op)?;
        let factors = [(op.a, op.transpose_a), (op.b, op.transpose_b)];
        let depth = self.ir.ty(op.a).memref().and_then(|a| a.shape.get(1)?.value());
        let product = self.in_even_steps(factors, depth, self.schedule.product(shape, self.info));
        let has_messages = self.schedule.has_io(IoClass::Block2d, self.info);
        let is_better_transposed = [op.transpose_a, op.transpose_b] == [Transpose::T; 2]
            && product.backend != MatrixBackendKind::Vector
            && (product.prefetch_distance > 0 || has_messages && shape.types.b.bytes() == 1);
        if !is_better_transposed {
            return Some(product);
        }
        let (transpose_a, transpose_b) = (Transpose::N, Transpose::N);
        let op = Gemm { a: op.b, b: op.a, transpose_a, transpose_b, ..op.clone() };
        let mut shape = ProductShape::of(self.ir, self.surfaces, &op)?;
        shape.extents.reverse();
        Some(ProductSchedule { is_transposed: true, ..self.schedule.product(shape, self.info) })
    }

    /// The schedule with steps of two instructions along K, if that makes the messages for its factors read every second position. What is
    /// left takes as long a step if a shorter one would be followed by another.
    fn in_even_steps(
        &self,
        factors: [(Value, Transpose); 2],
        depth: Option<i64>,
        mut product: ProductSchedule,
    ) -> ProductSchedule {
        let is_free = product.backend == MatrixBackendKind::Dpas
            && self.schedule.overrides.k_step.is_none()
            && self.schedule.has_io(IoClass::Block2d, self.info);
        let least = product.k_steps.last().copied().unwrap_or(1);
        let is_even_odd = is_free && reads_even_odd(self.ir, self.surfaces, factors);
        let Some(depth) = depth.filter(|&depth| is_even_odd && depth > least.into()) else { return product };
        let step = 2 * least;
        product.k_steps = vec![step];
        if (1..=i64::from(least)).contains(&(depth % i64::from(step))) {
            product.k_steps.push(least);
        }
        product
    }

    fn tiles(&self, op: &TileDot) -> Option<ProductSchedule> {
        let product = match &self.blockwise {
            Some(blockwise) => {
                let shape = blockwise.product_shape(self.ir, self.surfaces, op)?;
                self.schedule.product(shape, self.info)
            }
            None => self.schedule.shared_product(&TileProduct::of(self.ir, op)?, self.info),
        };
        let Some(factors) = factors_in_memory(self.ir, op) else { return Some(product) };
        let depth = self.ir.ty(op.a).tile().map(|a| a.cols);
        Some(self.in_even_steps(factors, depth, product))
    }
}
