//! Schedule of a function on a device: subgroup size and grid of subgroups, register file, and for each
//! product the register block, the k-step and the prefetch distance (lowering reference 1.11 and 1.16).
//!
//! [`Schedule::choose`] decides once, from the shapes of the linear algebra and the numbers of the device; attributes
//! of the function override every part. [`Schedule::write`] leaves the decision in the attributes, where
//! [`Schedule::of`] finds it again; [`ProductTarget`] decides about each product, whose instruction has the answer from then on.
#![forbid(unsafe_code)]

mod access;
mod added;
mod all_columns;
mod attributes;
mod block;
mod blockwise;
mod candidates;
mod chain;
mod copies;
mod elementwise;
mod error;
mod explain;
mod folded;
mod fragments;
mod grid;
mod io;
mod joint;
mod lane_products;
mod large;
mod layout;
mod matrices;
mod narrow;
mod overrides;
mod padding;
mod panels;
mod parts;
mod product;
mod product_types;
mod products;
mod roofline;
mod shape;
mod staged;
mod tiles;
mod value;

pub use access::{AccessTarget, MatrixInMemory};
pub use added::added_instructions;
pub use blockwise::Blockwise;
pub use chain::ChainProduct;
pub use copies::CopyForm;
pub use error::Error;
pub use explain::{ExplainedProduct, Explanation};
pub use fragments::Fragments;
pub use grid::{Grid, work_group_size};
pub use joint::{JointMatrices, JointTile, JointTiles};
pub use lane_products::{LaneProduct, LaneProducts, LaneWork};
pub use layout::layout;
pub use matrices::{MatrixCode, takes_matrix, takes_product};
pub use padding::PaddedRows;
pub use parts::Parts;
pub use product::ProductShape;
pub use product_types::ProductTypes;
pub use products::ProductTarget;
pub use roofline::{Bound, Roofline};
pub use shape::{FactorSurfaces, Shape};
pub use staged::{STAGED_ITERATIONS, WholeProduct};
pub use tiles::can_share;
pub use value::{Overrides, Schedule};

use crate::analysis::Surfaces;
use crate::device::{CoreFeatures, CoreInfo};
use crate::ir::{Func, FunctionAttributes, IoClass, Ir, Precision, RegisterFile, VerifierError};
use crate::status::Status;
use attributes::Attributes;

impl Schedule {
    /// Chooses the schedule of a function; its attributes have the last word.
    ///
    /// # Errors
    /// If the device, or the compiler, cannot do what an attribute asks for.
    pub fn choose(ir: &Ir, func: Func, info: &CoreInfo) -> Result<Schedule, Error> {
        if ir[func].attributes.precision == Some(Precision::Bf16x3) {
            let detail = "precision \"bf16x3\" is not available; \"ieee\" and \"tf32\" are";
            return Err(VerifierError::new(Status::NotImplemented, ir[func].location, detail).into());
        }
        let surfaces = Surfaces::new(ir, func, info.default_alignment());
        let schedule = Schedule::chosen(ir, func, &surfaces, info)?;
        overrides::check(ir, func, &surfaces, &schedule, info)?;
        Ok(schedule)
    }

    /// Chooses the schedule of a function for a compilation: where no attribute asks for a size, subgroups may be narrower, or fewer,
    /// or have more registers than those that the pass `work-group-size` prints.
    ///
    /// # Errors
    /// As for [`Schedule::choose`].
    pub fn compiled(ir: &Ir, func: Func, info: &CoreInfo) -> Result<Schedule, Error> {
        let chosen = Schedule::choose(ir, func, info)?;
        let Attributes { subgroup_size, work_group_size, .. } = Attributes::of(ir, func);
        if let Some(LaneProducts { lanes, .. }) = LaneProducts::of(ir, func, info) {
            return Ok(Schedule { subgroup_size: lanes, grid: Grid::ONE, ..chosen });
        }
        let is_given = subgroup_size.is_some() || work_group_size.is_some();
        if is_given {
            return Ok(chosen);
        }
        let surfaces = Surfaces::new(ir, func, info.default_alignment());
        let larger = chosen.enlarged(ir, func, &surfaces, info);
        let of_engine = larger.or_else(|| chosen.with_all_columns(ir, func, &surfaces, info));
        Ok(of_engine.unwrap_or_else(|| chosen.narrowed(ir, func, &surfaces, info)))
    }

    fn chosen(ir: &Ir, func: Func, surfaces: &Surfaces, info: &CoreInfo) -> Result<Schedule, Error> {
        let Attributes { subgroup_size, work_group_size, overrides } = Attributes::of(ir, func);
        if let Some(schedule) = tiles::schedule(ir, func, (subgroup_size, work_group_size), overrides, info)?
        {
            return Ok(schedule);
        }
        let overrides = tiles::with_precision(ir, func, overrides);
        let mut shapes = blockwise::all_shapes(ir, func, surfaces);
        if !overrides.allows(IoClass::Block2d) {
            shapes.iter_mut().for_each(|shape| shape.surfaces = None);
        }
        if work_group_size.is_none()
            && let Some(schedule) = large::schedule(&shapes, subgroup_size, overrides, info)
        {
            return Ok(schedule);
        }
        let info = &with_register_file(info, overrides.register_file);
        let engine = info.matrix_engine().map(|&engine| overrides.with_precision(engine));
        let size = subgroup_size.unwrap_or_else(|| grid::choose_subgroup_size(&shapes, engine, info));
        let group =
            work_group_size.unwrap_or_else(|| grid::choose_grid(&shapes, info, size).work_items(size));
        let location = ir[func].location;
        grid::check_work_group_size(info, size, group).map_err(|error| Error::Device { error, location })?;
        let grid = Grid { rows: (group[0] / size).max(1), cols: group[1].max(1) };
        Ok(Schedule { subgroup_size: size, grid, overrides })
    }

    /// The schedule for linear algebra of these shapes, where no attribute pins anything.
    pub fn of_shapes(shapes: &[Shape], info: &CoreInfo) -> Schedule {
        let subgroup_size = grid::choose_subgroup_size(shapes, info.matrix_engine().copied(), info);
        let grid = grid::choose_grid(shapes, info, subgroup_size);
        Schedule { subgroup_size, grid, overrides: Overrides::default() }
    }

    /// The schedule that [`Schedule::write`] left in the attributes.
    ///
    /// # Errors
    /// If the sizes are missing.
    pub fn of(ir: &Ir, func: Func) -> Result<Schedule, Error> {
        let attributes = Attributes::of(ir, func);
        let (subgroup_size, grid) = attributes.grid().ok_or_else(|| {
            missing(ir, func, "subgroup_size and work_group_size must be set; run work-group-size first")
        })?;
        Ok(Schedule { subgroup_size, grid, overrides: attributes.overrides })
    }

    /// The subgroup size in the attributes, for what depends on nothing else.
    ///
    /// # Errors
    /// If the size is missing.
    pub fn subgroup_size(ir: &Ir, func: Func) -> Result<i64, Error> {
        match Attributes::of(ir, func).subgroup_size {
            Some(size) if size > 0 => Ok(i64::from(size)),
            _ => Err(missing(ir, func, "subgroup_size must be set; run work-group-size first")),
        }
    }

    /// The choices that the attributes of a function pin, for what depends on no grid.
    pub fn overrides(ir: &Ir, func: Func) -> Overrides {
        Attributes::of(ir, func).overrides
    }

    /// Leaves the schedule in the attributes of a function. What no attribute overrides is chosen for each product, and stands on its
    /// instruction.
    pub fn write(&self, ir: &mut Ir, func: Func) {
        self.write_to(&mut ir[func].attributes);
    }

    /// The attributes that stand for the schedule.
    pub fn attributes(&self) -> FunctionAttributes {
        let mut attributes = FunctionAttributes::default();
        self.write_to(&mut attributes);
        attributes
    }

    fn write_to(&self, to: &mut FunctionAttributes) {
        let attributes = Attributes {
            subgroup_size: Some(self.subgroup_size),
            work_group_size: Some(self.grid.work_items(self.subgroup_size)),
            overrides: self.overrides,
        };
        attributes.write(to);
    }

    /// Returns whether the device runs the work-group with the large register file, which halves its hardware threads.
    pub fn fits_large_register_file(&self, info: &CoreInfo) -> bool {
        let info = with_register_file(info, Some(RegisterFile::Large));
        let group = self.grid.work_items(self.subgroup_size);
        grid::check_work_group_size(&info, self.subgroup_size, group).is_ok()
    }

    /// Bytes of registers of a subgroup for matrices; the rest is for addresses.
    pub fn matrix_space(&self, info: &CoreInfo) -> i64 {
        i64::from(self.register_space(info)) * 7 / 8
    }

    /// Bytes of registers of a subgroup.
    pub fn register_space(&self, info: &CoreInfo) -> i32 {
        with_register_file(info, self.overrides.register_file).register_space()
    }
}

/// The device with the register file that is asked for.
fn with_register_file(info: &CoreInfo, file: Option<RegisterFile>) -> CoreInfo {
    let mut info = info.clone();
    match file {
        None => {}
        Some(RegisterFile::Small) => info.set_core_features(CoreFeatures::default()),
        Some(RegisterFile::Large) => info.set_core_features(CoreFeatures::LARGE_REGISTER_FILE),
    }
    info
}

fn missing(ir: &Ir, func: Func, detail: &str) -> Error {
    VerifierError::new(Status::InvalidArguments, ir[func].location, detail).into()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]
mod tests;
