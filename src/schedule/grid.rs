//! Subgroup size and grid of subgroups of a kernel (lowering reference 1.11).

use super::block::{Score, register_block, to_i32};
use super::product_types::ProductTypes;
use super::shape::Shape;
use crate::device::{Block2dIo, CoreInfo, Error, MatrixEngine};
use crate::ir::{AccumulatorBlock, MatrixUse, Tile};

/// From this element size on, the smallest subgroup size is always best.
const WIDE_ELEMENT: i64 = 8;

/// Arrangement of the subgroups of a work-group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    /// Subgroups along the rows.
    pub rows: i32,
    /// Subgroups along the columns.
    pub cols: i32,
}

impl Grid {
    /// A single subgroup.
    pub const ONE: Grid = Grid { rows: 1, cols: 1 };

    /// The number of subgroups.
    pub fn subgroups(self) -> i64 {
        i64::from(self.rows) * i64::from(self.cols)
    }

    /// The work-group size for a subgroup size.
    pub fn work_items(self, subgroup_size: i32) -> [i32; 2] {
        [self.rows.saturating_mul(subgroup_size), self.cols]
    }

    /// Rows and columns of a tile that a subgroup holds.
    pub(super) fn share_of(self, tile: Tile) -> [i64; 2] {
        let (rows, cols) = (i64::from(self.rows), i64::from(self.cols));
        match tile.usage {
            MatrixUse::A => [tile.rows / rows, tile.cols],
            MatrixUse::B => [tile.rows, tile.cols / cols],
            MatrixUse::Acc => [(tile.rows / rows).max(1), (tile.cols / cols).max(1)],
        }
    }
}

/// The subgroup size for a kernel made of `records`, if products run on that engine; 1 if the device lists none.
pub fn choose_subgroup_size(records: &[Shape], engine: Option<MatrixEngine>, info: &CoreInfo) -> i32 {
    if let Some(engine) = engine {
        let runs_on_engine = |r: &Shape| {
            let types = ProductTypes::of(r.op1, r.op2, r.destination);
            r.is_gemm && types.is_some_and(|types| engine.supports_gemm(types.a, types.b, types.accumulator))
        };
        if records.iter().any(runs_on_engine) {
            return engine.subgroup_size();
        }
    }
    if info.is_cpu() && !records.is_empty() {
        return cpu_subgroup_size(records, info);
    }
    if let Some(io) = reads_by_blocks(records, info) {
        return io.lanes;
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

/// The 2D block messages, if they move all that the products need: there are some for one size of subgroups only, and for
/// numbers of a lane's width.
fn reads_by_blocks(records: &[Shape], info: &CoreInfo) -> Option<&'static Block2dIo> {
    let io = info.block_2d_io().filter(|io| info.subgroup_sizes().contains(&io.lanes))?;
    let by_blocks = |record: &Shape| {
        let types = [record.op1, record.op2, record.destination];
        record.surfaces.is_some()
            && record.rows.is_some_and(|rows| rows % i64::from(io.lanes) == 0)
            && types.iter().all(|ty| ty.bytes() == io.word_bytes && !ty.is_complex())
    };
    (!records.is_empty() && records.iter().all(by_blocks)).then_some(io)
}

/// The smallest of the sizes that suit the registers which has a lane for every row that is known to be there. Real numbers of eight
/// bytes fill two registers per subgroup: rows that fill no register at the end are masked, and take less time where a subgroup has one.
fn cpu_subgroup_size(records: &[Shape], info: &CoreInfo) -> i32 {
    let rows = records.iter().filter_map(|record| record.rows).max();
    let of_register = info.preferred_lanes() / 2;
    let is_wide = |it: &Shape| it.destination.bytes() == WIDE_ELEMENT && !it.destination.is_complex();
    let masks_rows = rows.is_some_and(|rows| rows % i64::from(of_register.max(1)) != 0);
    let most = if masks_rows && records.iter().any(is_wide) { of_register } else { info.preferred_lanes() };
    let mut sizes = info.subgroup_sizes().to_vec();
    sizes.sort_unstable();
    let smallest = sizes.first().copied();
    sizes.retain(|&size| size <= most);
    let enough = sizes.iter().copied().find(|&size| rows.is_some_and(|rows| i64::from(size) >= rows));
    enough.or(sizes.last().copied()).or(smallest).unwrap_or(1)
}

/// The smallest subgroup size, and those with which a square block of the destination fits half the registers.
pub(super) fn candidate_sizes(records: &[Shape], info: &CoreInfo) -> Vec<i32> {
    let mut sizes = info.subgroup_sizes().to_vec();
    sizes.sort_unstable();
    let element_size = records.iter().map(|record| record.destination.bytes()).max().unwrap_or(1);
    let elements = u32::try_from(i64::from(info.register_space()) / 2 / element_size).unwrap_or(0);
    let largest = if element_size < WIDE_ELEMENT { elements.isqrt() } else { 0 };
    let smallest = sizes.first().copied();
    sizes.retain(|&size| Some(size) == smallest || u32::try_from(size).is_ok_and(|size| size <= largest));
    sizes
}

/// The register block that decides the tiling: that of the record with the widest accumulator.
fn widest_block(records: &[Shape], info: &CoreInfo, subgroup_size: i32) -> Option<AccumulatorBlock> {
    let accumulator_size = |record: &Shape| record.destination.accumulator().bytes();
    let widest = records.iter().rev().max_by_key(|record| accumulator_size(record))?;
    let (a, b, c) = (widest.op1.bytes(), widest.op2.bytes(), accumulator_size(widest));
    Some(register_block(a, b, c, false, subgroup_size, info.register_space()))
}

/// The number of subgroups in either direction for a kernel made of `records`.
pub fn choose_grid(records: &[Shape], info: &CoreInfo, subgroup_size: i32) -> Grid {
    match widest_block(records, info, subgroup_size) {
        Some(block) => choose_grid_of(records, block, info, subgroup_size),
        None => Grid::ONE,
    }
}

/// The number of subgroups in either direction, each of which computes a block.
pub(super) fn choose_grid_of(
    records: &[Shape],
    block: AccumulatorBlock,
    info: &CoreInfo,
    subgroup_size: i32,
) -> Grid {
    if info.is_cpu() {
        // A work-group is one thread, in which subgroups follow each other.
        return Grid::ONE;
    }
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
    Grid { rows: to_i32(best.0), cols: to_i32(best.1) }
}

/// The subgroup size and the work-group size for a kernel made of `records`.
pub fn work_group_size(records: &[Shape], info: &CoreInfo) -> (i32, [i32; 2]) {
    let subgroup_size = choose_subgroup_size(records, info.matrix_engine().copied(), info);
    (subgroup_size, choose_grid(records, info, subgroup_size).work_items(subgroup_size))
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::device::CoreFeatures;
    use crate::ir::Scalar;
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

    fn record(op: Scalar, destination: Scalar, rows: i64, cols: i64) -> Shape {
        Shape {
            op1: op,
            op2: op,
            destination,
            rows: Some(rows),
            cols: Some(cols),
            is_gemm: true,
            surfaces: None,
        }
    }

    fn dynamic(ty: Scalar) -> Shape {
        Shape { rows: None, cols: None, ..record(ty, ty, 0, 0) }
    }

    #[test]
    fn the_worked_example() {
        let records = [record(F32, F32, 56, 9), record(F32, F32, 56, 9)];
        let pvc = device("pvc");
        assert_eq!(choose_subgroup_size(&records, pvc.matrix_engine().copied(), &pvc), 32);
        assert_eq!(choose_grid(&records, &pvc, 32), Grid { rows: 2, cols: 1 });
        assert_eq!(work_group_size(&records, &pvc), (32, [64, 1]));
        assert_eq!(work_group_size(&records, &device("tgl")), (16, [64, 1]));
    }

    #[test]
    fn work_group_sizes() {
        let none = [];
        let axpby = [Shape { is_gemm: false, ..record(F32, F32, 128, 37) }];
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
        type Row<'a> = (&'a [Shape], &'a str, i32, [i32; 2]);
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
        let vector = Shape { is_gemm: false, ..record(F32, F32, 1000, 0) };
        assert_eq!(work_group_size(&[vector], &pvc), (32, [1024, 1]));
        let mixed = [record(F32, F32, 20, 9), dynamic(F32)];
        assert_eq!(choose_subgroup_size(&mixed, pvc.matrix_engine().copied(), &pvc), 32);
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
