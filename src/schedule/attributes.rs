//! The schedule as attributes of a function.

use super::error::Error;
use super::grid::Grid;
use super::{Pinned, RegisterFile};
use crate::ir::{
    Dictionary, Func, FunctionAttribute, GrfSize, Ir, KStep, Precision, PrefetchDistance, RegisterBlock,
    SubgroupSize, VerifierError, WorkGroupSize,
};
use crate::status::Status;

/// Choices that the attributes of a function pin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Attributes {
    pub subgroup_size: Option<i32>,
    pub work_group_size: Option<[i32; 2]>,
    pub pinned: Pinned,
}

impl Attributes {
    /// The attributes of a function, as far as they are given.
    pub fn of(ir: &Ir, func: Func) -> Result<Attributes, Error> {
        let refuse =
            |(status, detail): (Status, String)| VerifierError::new(status, ir[func].location, detail);
        Attributes::read(ir[func].attributes.as_ref()).map_err(|error| refuse(error).into())
    }

    fn read(attributes: Option<&Dictionary>) -> Result<Attributes, (Status, String)> {
        Ok(Attributes {
            subgroup_size: FunctionAttribute::SUBGROUP_SIZE.read(attributes)?.map(|SubgroupSize(size)| size),
            work_group_size: FunctionAttribute::WORK_GROUP_SIZE
                .read(attributes)?
                .map(|WorkGroupSize(size)| size),
            pinned: Pinned {
                register_block: FunctionAttribute::REGISTER_BLOCK
                    .read(attributes)?
                    .map(|RegisterBlock([rows, cols])| (rows, cols)),
                k_step: FunctionAttribute::K_STEP.read(attributes)?.map(|KStep(step)| step),
                prefetch_distance: FunctionAttribute::PREFETCH_DISTANCE
                    .read(attributes)?
                    .map(|PrefetchDistance(steps)| steps),
                register_file: FunctionAttribute::GRF_SIZE
                    .read(attributes)?
                    .map(register_file)
                    .transpose()?,
                io_class: FunctionAttribute::IO_CLASS.read(attributes)?,
                precision: FunctionAttribute::PRECISION.read(attributes)?.map(available).transpose()?,
            },
        })
    }

    /// The grid of subgroups, once both sizes are given.
    pub fn grid(&self) -> Option<(i32, Grid)> {
        let (size, [x, y]) = (self.subgroup_size.filter(|&size| size > 0)?, self.work_group_size?);
        Some((size, Grid { rows: (x / size).max(1), cols: y.max(1) }))
    }

    /// Writes the attributes that are set.
    pub fn write(&self, ir: &mut Ir, func: Func) {
        let Pinned { register_block, k_step, prefetch_distance, register_file, io_class, precision } =
            self.pinned;
        let to = ir[func].attributes.get_or_insert_default();
        if let Some(size) = self.subgroup_size {
            FunctionAttribute::SUBGROUP_SIZE.write(to, &SubgroupSize(size));
        }
        if let Some(size) = self.work_group_size {
            FunctionAttribute::WORK_GROUP_SIZE.write(to, &WorkGroupSize(size));
        }
        if let Some((rows, cols)) = register_block {
            FunctionAttribute::REGISTER_BLOCK.write(to, &RegisterBlock([rows, cols]));
        }
        if let Some(step) = k_step {
            FunctionAttribute::K_STEP.write(to, &KStep(step));
        }
        if let Some(steps) = prefetch_distance {
            FunctionAttribute::PREFETCH_DISTANCE.write(to, &PrefetchDistance(steps));
        }
        if let Some(file) = register_file {
            FunctionAttribute::GRF_SIZE.write(to, &GrfSize(file.registers()));
        }
        if let Some(class) = io_class {
            FunctionAttribute::IO_CLASS.write(to, &class);
        }
        if let Some(precision) = precision {
            FunctionAttribute::PRECISION.write(to, &precision);
        }
    }
}

fn register_file(GrfSize(registers): GrfSize) -> Result<RegisterFile, (Status, String)> {
    let file = RegisterFile::ALL.into_iter().find(|file| file.registers() == registers);
    file.ok_or_else(|| (Status::InternalCompilerError, format!("no register file has {registers} registers")))
}

fn available(precision: Precision) -> Result<Precision, (Status, String)> {
    if precision == Precision::Bf16x3 {
        let detail = "precision \"bf16x3\" is not available; \"ieee\" and \"tf32\" are";
        return Err((Status::NotImplemented, detail.into()));
    }
    Ok(precision)
}
