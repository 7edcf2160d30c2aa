//! Products whose rows would leave most lanes of a subgroup idle: a lane computes the product of a work-group by itself, or columns
//! of it.

use super::attributes::Attributes;
use super::product_types::ProductTypes;
use crate::analysis::{ChainLink, chain_before};
use crate::device::CoreInfo;
use crate::ir::{
    AddressSpace, Component, Execution, Family, Func, Gemm, GridBuiltin, Inst, Ir, Memref, Op, Scalar,
    SideEffect, Transpose, Type, Value,
};

/// Rows and columns of C, and columns of op(A), of a product that a lane computes by itself.
const MAX_EXTENT: i64 = 6;

/// Rows of C, and columns of op(A), of a product of which a lane computes columns.
const MAX_ROWS: i64 = 9;

/// Lanes of the subgroups, where the device has such.
const LANES: i32 = 16;

/// Multiply-adds of a lane for all products of a function: each of them is an instruction, those of another column or member are not.
const MAX_CODE: i64 = 4096;

/// Sizes of elements in bytes: products of smaller ones run on matrix engines.
const ELEMENT_BYTES: [i64; 2] = [4, 8];

/// The products of a function whose work-groups are single subgroups, as lanes compute them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneProducts {
    /// Lanes of a subgroup.
    pub lanes: i32,
    /// Work of a lane.
    pub work: LaneWork,
}

/// Work of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneWork {
    /// All that the text says of a work-group; neighbours in this direction of the grid share a subgroup.
    Group(Component),
    /// Columns of each product, one of each product of a chain.
    Columns,
}

/// A product of which a lane computes columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneProduct {
    /// Rows of C.
    pub rows: i64,
    /// Columns of C.
    pub cols: i64,
    /// Columns of op(A).
    pub depth: i64,
    /// Type of the sums.
    pub sum: Scalar,
}

impl LaneProducts {
    /// The choice for a function; `None` if subgroups compute its products together: on processors, where attributes ask for sizes
    /// or for how products are computed, and where there is anything but small products on global memory and chains of them.
    pub fn of(ir: &Ir, func: Func, info: &CoreInfo) -> Option<LaneProducts> {
        let Attributes { subgroup_size, work_group_size, overrides } = Attributes::of(ir, func);
        let is_open = work_group_size.is_none() && overrides == Default::default();
        if !is_open || info.is_cpu() || ir[func].attributes.orientation.is_some() {
            return None;
        }
        let lanes = subgroup_size.or_else(|| lanes(info))?;
        let links = links(ir, func);
        let (mut products, mut others, mut components) = (Vec::new(), true, Vec::new());
        ir.walk(ir[func].body, &mut |inst| {
            let op = &ir[inst].op;
            if let Op::Gemm(gemm) = op {
                products.push(LaneProduct::of(ir, gemm));
                let is_in_reach =
                    |value: &Value| is_global(ir, *value) || links.iter().any(|link| link.gemm.c == *value);
                others &= [gemm.a, gemm.b, gemm.c].iter().all(is_in_reach);
            } else if let Op::Grid(grid) = op {
                components.extend((grid.op == GridBuiltin::GroupId).then_some(grid.component));
            } else {
                others &= is_for_one_lane(ir, op) || links.iter().any(|link| is_part(link, inst));
            }
        });
        let products: Vec<LaneProduct> = products.into_iter().collect::<Option<_>>()?;
        if products.is_empty() || !others {
            return None;
        }
        let bytes = registers_of_lane(info, lanes);
        let code = |of: fn(&LaneProduct) -> i64| products.iter().map(of).fold(0, i64::saturating_add);
        let are_small = links.is_empty() && products.iter().all(|product| product.at_once(bytes).is_some());
        let has_lanes = links.is_empty() || products.iter().all(|product| product.cols <= lanes.into());
        let are_wide =
            has_lanes && products.iter().all(|product| product.has_columns_for(lanes.into(), bytes));
        let along = Component::ALL.iter().copied().find(|component| components.contains(component));
        let work = match along {
            Some(along) if are_small && code(|it| it.rows * it.cols * it.depth) <= MAX_CODE => {
                LaneWork::Group(along)
            }
            _ if are_wide && code(|it| it.rows * it.depth) <= MAX_CODE => LaneWork::Columns,
            _ => return None,
        };
        Some(LaneProducts { lanes, work })
    }

    /// The columns of a product that a lane which computes all of it takes at a time; `None` if it is too large for that.
    pub fn at_once(&self, product: &LaneProduct, info: &CoreInfo) -> Option<i64> {
        product.at_once(registers_of_lane(info, self.lanes))
    }
}

impl LaneProduct {
    /// The product of an instruction; `None` if its sizes are known at run time only, and if its numbers are not of a kind that every
    /// lane has one of.
    pub fn of(ir: &Ir, gemm: &Gemm) -> Option<LaneProduct> {
        let memref = |value: Value| ir.ty(value).memref();
        let (a, b, c) = (memref(gemm.a)?, memref(gemm.b)?, memref(gemm.c)?);
        let extent = |memref: &Memref, mode: usize| memref.shape.get(mode)?.value();
        let depth = extent(a, usize::from(gemm.transpose_a == Transpose::N))?;
        LaneProduct::new([a, b, c].map(|it| it.element), [extent(c, 0)?, extent(c, 1)?, depth])
    }

    /// A product of factors and C of these types: rows and columns of C, columns of op(A).
    pub fn new([a, b, c]: [Scalar; 3], [rows, cols, depth]: [i64; 3]) -> Option<LaneProduct> {
        let is_suited = |element: Scalar| ELEMENT_BYTES.contains(&element.bytes()) && !element.is_complex();
        let sum = ProductTypes::of(a, b, c)?.accumulator;
        let is_some = rows.min(cols).min(depth) > 0;
        let product = LaneProduct { rows, cols, depth, sum };
        (is_some && [a, b, c].into_iter().all(is_suited)).then_some(product)
    }

    /// The lanes of a subgroup that compute whole products like this one side by side, on a device that has such.
    pub fn side_by_side(&self, info: &CoreInfo) -> Option<i32> {
        lanes(info).filter(|&lanes| self.at_once(registers_of_lane(info, lanes)).is_some())
    }

    /// The columns of op(B) and of C that are in registers at a time, beside all of op(A), if a lane that has so many bytes of them computes
    /// the product by itself; `None` if it is too large for that.
    fn at_once(&self, bytes: i64) -> Option<i64> {
        let LaneProduct { rows, cols, depth, sum } = *self;
        if rows.max(cols).max(depth) > MAX_EXTENT {
            return None;
        }
        let entries = for_matrices(bytes) / sum.bytes();
        Some(((entries - rows * depth) / (rows + depth)).min(cols)).filter(|&columns| columns > 0)
    }

    /// Returns whether more lanes have a column than would have a row, and a column of op(B) and of C fits the registers of a lane.
    fn has_columns_for(&self, lanes: i64, bytes: i64) -> bool {
        let LaneProduct { rows, cols, depth, sum } = *self;
        let fits = rows.max(depth) <= MAX_ROWS && (rows + depth) * sum.bytes() <= for_matrices(bytes);
        fits && cols > rows && 2 * rows <= lanes
    }
}

/// The lanes of subgroups that compute such products; none on processors.
fn lanes(info: &CoreInfo) -> Option<i32> {
    info.subgroup_sizes().iter().copied().find(|&size| size == LANES && !info.is_cpu())
}

/// The bytes of registers that each lane has.
fn registers_of_lane(info: &CoreInfo, lanes: i32) -> i64 {
    i64::from(info.register_space()) / i64::from(lanes.max(1))
}

/// The bytes of registers for matrices; the rest is for addresses.
fn for_matrices(bytes: i64) -> i64 {
    bytes - bytes / 4
}

/// The products of a function that make factors of others.
fn links(ir: &Ir, func: Func) -> Vec<ChainLink> {
    let mut links = Vec::new();
    ir.walk(ir[func].body, &mut |inst| links.extend(chain_before(ir, inst)));
    links
}

/// Returns whether an instruction is for nothing but the memory between two products.
fn is_part(link: &ChainLink, inst: Inst) -> bool {
    inst == link.alloca || link.lifetime.contains(&inst) || link.between.barrier == Some(inst)
}

fn is_global(ir: &Ir, value: Value) -> bool {
    ir.ty(value).memref().is_some_and(|memref| memref.space == AddressSpace::Global)
}

/// Returns whether an instruction does the same if a lane carries it out for a work-group.
fn is_for_one_lane(ir: &Ir, op: &Op) -> bool {
    let info = op.info();
    let is_mixed = info.execution == Execution::Mixed && info.family != Family::Builtin;
    let mut is_scalar = true;
    op.visit_operands(&mut |value| {
        is_scalar &= match ir.ty(value) {
            Type::Memref(_) => is_global(ir, value),
            Type::Coopmatrix(_) | Type::Tile(_) => false,
            Type::Bool | Type::Scalar(_) | Type::Group(_) => true,
        };
    });
    let is_common = matches!(info.side_effect, SideEffect::Synchronization | SideEffect::Exit);
    is_mixed && is_scalar && !is_common
}
