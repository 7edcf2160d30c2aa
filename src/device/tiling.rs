//! Subgroup size, register block and work-group size of a kernel (lowering reference 1.11).
//!
//! Scores are compared as exact fractions, so the choices are the same on every host.

use super::core_info::CoreInfo;
use super::error::Error;
use crate::ir::Scalar;

/// Columns of A and rows of B that a gemm holds in registers at a time.
const MAX_K: i64 = 8;
/// From this element size on, the smallest subgroup size is always best.
const WIDE_ELEMENT: i64 = 8;

/// Requirements of one linear algebra instruction on the tiling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShapeRecord {
    /// Element type of the first operand.
    pub op1: Scalar,
    /// Element type of the second operand; that of the first if there is none.
    pub op2: Scalar,
    /// Element type of the destination.
    pub destination: Scalar,
    /// Extent of the destination's first mode, `None` if known at run time only.
    pub rows: Option<i64>,
    /// Extent of the destination's second mode, `None` if known at run time only, 0 if there is none.
    pub cols: Option<i64>,
    /// True if the instruction is a gemm.
    pub is_gemm: bool,
}

/// Part of a gemm's result that one subgroup keeps in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    /// Rows, a multiple of the subgroup size.
    pub rows: i32,
    /// Columns, at least 1.
    pub cols: i32,
}

/// Arrangement of the subgroups of a work-group; both numbers are powers of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tiling {
    /// Subgroups along the rows.
    pub m_tiles: i32,
    /// Subgroups along the columns.
    pub n_tiles: i32,
}

/// The subgroup size for a kernel made of `records`; 1 if the device lists none.
pub fn choose_subgroup_size(records: &[ShapeRecord], info: &CoreInfo) -> i32 {
    if let Some(engine) = info.matrix_engine() {
        let runs_on_engine = |r: &ShapeRecord| r.is_gemm && engine.supports_gemm(r.op1, r.op2, r.destination);
        if records.iter().any(runs_on_engine) {
            return engine.subgroup_size();
        }
    }
    let candidates = candidate_sizes(records, info);
    let smallest = candidates.first().copied().unwrap_or(1);
    let largest = candidates.last().copied().unwrap_or(1);
    // Rows known at run time only call for the smallest size, no rows at all for the largest.
    let rows = records.iter().map(|record| record.rows.unwrap_or(0)).max();
    match rows {
        _ if smallest == largest => smallest,
        None => largest,
        Some(rows) => candidates.iter().copied().find(|&size| i64::from(size) >= rows).unwrap_or(largest),
    }
}

/// The smallest subgroup size, and those with which a square block of the destination fits half the registers.
fn candidate_sizes(records: &[ShapeRecord], info: &CoreInfo) -> Vec<i32> {
    let mut sizes = info.subgroup_sizes().to_vec();
    sizes.sort_unstable();
    let element_size = records.iter().map(|record| record.destination.bytes()).max().unwrap_or(1);
    let elements = u32::try_from(i64::from(info.register_space()) / 2 / element_size).unwrap_or(0);
    let largest = if element_size < WIDE_ELEMENT { elements.isqrt() } else { 0 };
    let smallest = sizes.first().copied();
    sizes.retain(|&size| Some(size) == smallest || u32::try_from(size).is_ok_and(|size| size <= largest));
    sizes
}

/// The register block of a gemm whose elements of A and B and whose accumulators have these sizes.
///
/// Of all blocks that fit half the registers it is the one with the most arithmetic per element loaded; where
/// none fits, the smallest.
pub fn register_block(
    a_bytes: i64,
    b_bytes: i64,
    c_bytes: i64,
    c_is_complex: bool,
    subgroup_size: i32,
    register_space: i32,
) -> Block {
    let size = |bytes: i64| bytes.max(1);
    let (a, b, c) = (size(a_bytes) * MAX_K, size(b_bytes) * MAX_K, size(c_bytes));
    // The product of complex numbers needs a second accumulator.
    let c = if c_is_complex { 2 * c } else { c };
    let step = i64::from(subgroup_size.max(1));
    let budget = i64::from(register_space) / 2;

    let max_rows = step * ((budget - b) / (step * (c + a)));
    let mut best = (step, 1);
    let mut best_score = Score::of(0, 0);
    let mut rows = step;
    while rows <= max_rows {
        let cols = (budget - rows * a) / (rows * c + b);
        let score = Score::of(rows, cols);
        if cols >= 1 && score.beats(best_score) {
            (best, best_score) = ((rows, cols), score);
        }
        rows += step;
    }
    Block { rows: to_i32(best.0), cols: to_i32(best.1) }
}

/// The register block that decides the tiling: that of the record with the widest accumulator.
fn widest_block(records: &[ShapeRecord], info: &CoreInfo, subgroup_size: i32) -> Option<Block> {
    let accumulator_size = |record: &ShapeRecord| record.destination.accumulator().bytes();
    let widest = records.iter().rev().max_by_key(|record| accumulator_size(record))?;
    let (a, b, c) = (widest.op1.bytes(), widest.op2.bytes(), accumulator_size(widest));
    Some(register_block(a, b, c, false, subgroup_size, info.register_space()))
}

/// The number of subgroups in either direction for a kernel made of `records`.
pub fn choose_tiling(records: &[ShapeRecord], info: &CoreInfo, subgroup_size: i32) -> Tiling {
    let Some(block) = widest_block(records, info, subgroup_size) else {
        return Tiling { m_tiles: 1, n_tiles: 1 };
    };
    let (rows, cols) = (i64::from(block.rows), i64::from(block.cols));
    let subgroups = i64::from(info.max_work_group_size(subgroup_size) / subgroup_size.max(1)).max(1);
    let m_limit = max_tiles(records.iter().map(|record| record.rows), rows).min(subgroups);
    let n_limit = max_tiles(records.iter().map(|record| record.cols), cols);

    let mut best = (1, 1);
    let mut best_score = Score::of(0, 0);
    let mut m = 1;
    while m <= m_limit {
        let n = largest_power_of_two(n_limit.min(subgroups / m));
        let score = Score::of(m * rows, n * cols);
        if score.beats(best_score) {
            (best, best_score) = ((m, n), score);
        }
        m *= 2;
    }
    Tiling { m_tiles: to_i32(best.0), n_tiles: to_i32(best.1) }
}

/// The subgroup size and the work-group size for a kernel made of `records`.
pub fn work_group_size(records: &[ShapeRecord], info: &CoreInfo) -> (i32, [i32; 2]) {
    let subgroup_size = choose_subgroup_size(records, info);
    let Tiling { m_tiles, n_tiles } = choose_tiling(records, info, subgroup_size);
    (subgroup_size, [m_tiles.saturating_mul(subgroup_size), n_tiles])
}

/// Checks that the device runs work-groups of this shape.
///
/// # Errors
/// If the device lacks the subgroup size, the first mode is no multiple of it, or the work-group is too large.
pub fn check_work_group_size(
    info: &CoreInfo,
    subgroup_size: i32,
    work_group_size: [i32; 2],
) -> Result<(), Error> {
    let available = info.subgroup_sizes();
    if subgroup_size <= 0 || !available.contains(&subgroup_size) {
        return Err(Error::UnsupportedSubgroupSize { subgroup_size, available: available.to_vec() });
    }
    let [rows, cols] = work_group_size;
    if rows <= 0 || cols <= 0 || rows % subgroup_size != 0 {
        return Err(Error::RaggedWorkGroup { work_group_size, subgroup_size });
    }
    let max = info.max_work_group_size(subgroup_size);
    if i64::from(rows) * i64::from(cols) > i64::from(max) {
        return Err(Error::WorkGroupTooLarge { work_group_size, subgroup_size, max });
    }
    Ok(())
}

/// The tiles of the given size that cover the largest extent; unlimited if an extent is dynamic.
fn max_tiles(extents: impl Iterator<Item = Option<i64>>, size: i64) -> i64 {
    extents
        .map(|extent| extent.map_or(i64::MAX, |extent| 1 + extent.saturating_sub(1) / size))
        .max()
        .unwrap_or(1)
}

fn largest_power_of_two(limit: i64) -> i64 {
    1 << limit.max(1).ilog2()
}

/// Block sizes and tile numbers are bounded by the register space, which is an i32.
fn to_i32(value: i64) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}

/// Products a block computes over elements it loads, rows·cols / (rows + cols), as a fraction.
#[derive(Clone, Copy, Debug)]
struct Score {
    products: i128,
    loads: i128,
}

impl Score {
    fn of(rows: i64, cols: i64) -> Score {
        let (rows, cols) = (i128::from(rows), i128::from(cols));
        Score { products: rows * cols, loads: (rows + cols).max(1) }
    }

    fn beats(self, other: Score) -> bool {
        self.products * other.loads > other.products * self.loads
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::device::CoreFeatures;
    use crate::status::Status;
    use Scalar::{Bf16, C32, F32, F64, I8, I32};

    fn device(name: &str) -> CoreInfo {
        match name.strip_suffix(" large") {
            None => CoreInfo::from_name(name).unwrap(),
            Some(name) => {
                let mut info = CoreInfo::from_name(name).unwrap();
                info.set_core_features(CoreFeatures::LARGE_REGISTER_FILE);
                info
            }
        }
    }

    fn record(op: Scalar, destination: Scalar, rows: i64, cols: i64) -> ShapeRecord {
        ShapeRecord { op1: op, op2: op, destination, rows: Some(rows), cols: Some(cols), is_gemm: true }
    }

    fn dynamic(ty: Scalar) -> ShapeRecord {
        ShapeRecord { rows: None, cols: None, ..record(ty, ty, 0, 0) }
    }

    #[test]
    fn register_blocks() {
        let table = [
            ((4, 4, 4), false, 32, 8192, (32, 19)),
            ((4, 4, 4), false, 16, 8192, (32, 19)),
            ((8, 8, 8), false, 16, 8192, (16, 16)),
            ((8, 8, 8), true, 16, 8192, (16, 9)),
            ((16, 16, 16), true, 16, 8192, (16, 3)),
            ((2, 2, 4), false, 16, 8192, (32, 24)),
            ((1, 1, 4), false, 16, 8192, (32, 28)),
            ((2, 2, 4), false, 16, 16384, (48, 35)),
            ((4, 4, 4), false, 32, 16384, (32, 44)),
            ((8, 8, 8), false, 16, 16384, (32, 19)),
            ((4, 4, 4), false, 16, 4096, (16, 16)),
            ((4, 4, 4), false, 8, 4096, (16, 16)),
            ((8, 8, 8), false, 8, 4096, (8, 12)),
            ((4, 4, 4), false, 16, 2048, (16, 5)),
            ((4, 4, 4), false, 4, 2048, (8, 12)),
        ];
        for ((a, b, c), complex, subgroup_size, space, (rows, cols)) in table {
            assert_eq!(
                register_block(a, b, c, complex, subgroup_size, space),
                Block { rows, cols },
                "{a},{b},{c} {complex} {subgroup_size} {space}"
            );
        }
    }

    #[test]
    fn too_few_registers_give_the_smallest_block() {
        for space in [i32::MIN, 0, 64, 1024] {
            assert_eq!(register_block(16, 16, 16, true, 64, space), Block { rows: 64, cols: 1 });
        }
        let huge = register_block(1, 1, 1, false, 32, i32::MAX);
        assert!(huge.rows % 32 == 0 && huge.cols > 1);
    }

    #[test]
    fn the_worked_example() {
        let records = [record(F32, F32, 56, 9), record(F32, F32, 56, 9)];
        let pvc = device("pvc");
        assert_eq!(choose_subgroup_size(&records, &pvc), 32);
        assert_eq!(choose_tiling(&records, &pvc, 32), Tiling { m_tiles: 2, n_tiles: 1 });
        assert_eq!(work_group_size(&records, &pvc), (32, [64, 1]));
        assert_eq!(work_group_size(&records, &device("tgl")), (16, [64, 1]));
    }

    #[test]
    fn work_group_sizes() {
        let none = [];
        let axpby = [ShapeRecord { is_gemm: false, ..record(F32, F32, 128, 37) }];
        let f32_8x8 = [record(F32, F32, 8, 8)];
        let f32_56x9 = [record(F32, F32, 56, 9)];
        let f32_64x64 = [record(F32, F32, 64, 64)];
        let f32_dynamic = [dynamic(F32)];
        let f64_56x9 = [record(F64, F64, 56, 9)];
        let f64_128x128 = [record(F64, F64, 128, 128)];
        let f64_dynamic = [dynamic(F64)];
        let c32 = [record(C32, C32, 32, 32)];
        let bf16_f32 = [record(Bf16, F32, 64, 64)];
        let bf16_bf16 = [record(Bf16, Bf16, 64, 64)];
        let i8_i32 = [record(I8, I32, 64, 64)];
        let bf16_large = [record(Bf16, F32, 256, 256)];
        type Row<'a> = (&'a [ShapeRecord], &'a str, i32, [i32; 2]);
        let table: &[Row] = &[
            (&none, "pvc", 32, [32, 1]),
            (&none, "pvc large", 32, [32, 1]),
            (&none, "tgl", 32, [32, 1]),
            (&axpby, "pvc", 32, [128, 2]),
            (&f32_8x8, "pvc", 16, [16, 1]),
            (&f32_8x8, "pvc large", 16, [16, 1]),
            (&f32_8x8, "tgl", 8, [8, 1]),
            (&f32_56x9, "pvc", 32, [64, 1]),
            (&f32_56x9, "pvc large", 32, [64, 1]),
            (&f32_56x9, "tgl", 16, [64, 1]),
            (&f32_64x64, "pvc", 32, [64, 4]),
            (&f32_64x64, "pvc large", 32, [64, 2]),
            (&f32_64x64, "tgl", 16, [64, 4]),
            (&f32_dynamic, "pvc", 16, [128, 8]),
            (&f32_dynamic, "pvc large", 16, [128, 4]),
            (&f32_dynamic, "tgl", 8, [32, 8]),
            (&f64_56x9, "pvc", 16, [64, 1]),
            (&f64_56x9, "pvc large", 16, [32, 1]),
            (&f64_56x9, "tgl", 8, [32, 1]),
            (&f64_128x128, "pvc", 16, [128, 8]),
            (&f64_dynamic, "pvc", 16, [128, 8]),
            (&f64_dynamic, "pvc large", 16, [64, 8]),
            (&f64_dynamic, "tgl", 8, [64, 4]),
            (&c32, "pvc", 16, [32, 2]),
            (&c32, "pvc large", 16, [16, 2]),
            (&c32, "tgl", 8, [32, 2]),
            (&bf16_f32, "pvc", 16, [32, 2]),
            (&bf16_f32, "pvc large", 16, [32, 2]),
            (&bf16_f32, "tgl", 16, [64, 2]),
            (&bf16_bf16, "pvc", 16, [32, 2]),
            (&bf16_bf16, "pvc large", 16, [32, 2]),
            (&bf16_bf16, "tgl", 32, [64, 4]),
            (&i8_i32, "pvc", 16, [32, 2]),
            (&i8_i32, "pvc large", 16, [32, 2]),
            (&i8_i32, "tgl", 16, [64, 2]),
            (&bf16_large, "pvc", 16, [128, 8]),
            (&bf16_large, "pvc large", 16, [64, 8]),
            (&bf16_large, "tgl", 16, [64, 4]),
        ];
        for &(records, name, subgroup_size, size) in table {
            let chosen = work_group_size(records, &device(name));
            assert_eq!(chosen, (subgroup_size, size), "{records:?} on {name}");
            if name.starts_with("pvc") {
                assert_eq!(chosen, work_group_size(records, &device(&name.replace("pvc", "bmg"))));
            }
            assert_eq!(check_work_group_size(&device(name), subgroup_size, size), Ok(()));
        }
    }

    #[test]
    fn extents_of_zero_and_single_modes_take_one_tile() {
        let pvc = device("pvc");
        assert_eq!(work_group_size(&[record(F32, F32, 0, 0)], &pvc), (16, [16, 1]));
        let vector = ShapeRecord { is_gemm: false, ..record(F32, F32, 1000, 0) };
        assert_eq!(work_group_size(&[vector], &pvc), (32, [1024, 1]));
        let mixed = [record(F32, F32, 20, 9), dynamic(F32)];
        assert_eq!(choose_subgroup_size(&mixed, &pvc), 32);
    }

    #[test]
    fn unusable_devices_do_not_upset_the_choice() {
        let nothing = CoreInfo::generic(0, 0, &[]);
        assert_eq!(work_group_size(&[record(F32, F32, 56, 9)], &nothing), (1, [1, 1]));
        let odd = CoreInfo::generic(i32::MIN, i32::MIN, &[i32::MIN, -1, 0]);
        let _ = work_group_size(&[dynamic(C32)], &odd);
        let huge = CoreInfo::generic(i32::MAX, i32::MAX, &[1]);
        let (subgroup_size, size) = work_group_size(&[record(F32, F32, i64::MAX, i64::MAX)], &huge);
        assert!(subgroup_size == 1 && size.iter().all(|&tiles| tiles >= 1));
    }

    #[test]
    fn the_device_decides_what_fits() {
        let pvc = device("pvc");
        let refused = |subgroup_size, size| check_work_group_size(&pvc, subgroup_size, size).unwrap_err();
        let error = refused(8, [64, 1]);
        assert_eq!(error.status(), Status::UnsupportedSubgroupSize);
        assert_eq!(error.to_string(), "the device does not support subgroup size 8, only 16, 32");
        let error = refused(16, [64, 32]);
        assert_eq!(error.status(), Status::UnsupportedWorkGroupSize);
        assert_eq!(
            error.to_string(),
            "work-group size [64,32] exceeds the device's maximum of 1024 work-items for subgroup size 16"
        );
        let error = refused(32, [48, 1]);
        assert_eq!(error.status(), Status::UnsupportedWorkGroupSize);
        assert!(error.to_string().contains("[48,1]"));
        for size in [[0, 1], [32, 0], [-32, -1], [i32::MAX, i32::MAX], [i32::MAX - 31, i32::MAX]] {
            assert_eq!(refused(32, size).status(), Status::UnsupportedWorkGroupSize);
        }
        assert_eq!(refused(0, [0, 0]).status(), Status::UnsupportedSubgroupSize);
    }
}
