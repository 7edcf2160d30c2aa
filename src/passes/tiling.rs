//! The arrangement of a kernel's subgroups, as its attributes say.

use super::error::Error;
use crate::ir::{Attribute, Func, Ir, VerifierError};
use crate::status::Status;

pub(super) const SUBGROUP_SIZE: &str = "subgroup_size";
pub(super) const WORK_GROUP_SIZE: &str = "work_group_size";

/// The subgroups of a work-group: `m_tiles` along rows, `n_tiles` along columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tiling {
    pub subgroup_size: i64,
    pub m_tiles: i64,
    pub n_tiles: i64,
}

impl Tiling {
    /// The tiling that the pass `work-group-size` left in the attributes.
    pub fn of(ir: &Ir, func: Func) -> Result<Tiling, Error> {
        match Tiling::attributes(ir, func)? {
            (Some(size), Some([x, y])) if size > 0 => Ok(Tiling {
                subgroup_size: i64::from(size),
                m_tiles: i64::from(x / size).max(1),
                n_tiles: i64::from(y).max(1),
            }),
            _ => {
                let detail = "subgroup_size and work_group_size must be set; run work-group-size first";
                Err(VerifierError::new(Status::InvalidArguments, ir[func].location, detail).into())
            }
        }
    }

    /// The subgroup size in the attributes.
    pub fn subgroup_size(ir: &Ir, func: Func) -> Result<i64, Error> {
        match Tiling::attributes(ir, func)? {
            (Some(size), _) if size > 0 => Ok(i64::from(size)),
            _ => {
                let detail = "subgroup_size must be set; run work-group-size first";
                Err(VerifierError::new(Status::InvalidArguments, ir[func].location, detail).into())
            }
        }
    }

    /// Subgroup size and work-group size as far as they are given.
    pub fn attributes(ir: &Ir, func: Func) -> Result<(Option<i32>, Option<[i32; 2]>), Error> {
        let Some(attributes) = &ir[func].attributes else { return Ok((None, None)) };
        let fail =
            |status, detail: String| Error::from(VerifierError::new(status, ir[func].location, detail));
        let integer = |attribute: &Attribute, key: &str| {
            let value = attribute.integer().ok_or_else(|| {
                let entry = if key == WORK_GROUP_SIZE { "an entry of " } else { "" };
                let detail = format!("{entry}{key} is {}, {attribute}", attribute.kind());
                fail(Status::IrExpectedIntegerAttribute, detail)
            })?;
            // No device has sizes beyond 32 bits.
            let status = match key {
                SUBGROUP_SIZE => Status::UnsupportedSubgroupSize,
                _ => Status::UnsupportedWorkGroupSize,
            };
            i32::try_from(value).map_err(|_| fail(status, format!("{key} is {value}")))
        };
        let size = attributes.get(SUBGROUP_SIZE).map(|value| integer(value, SUBGROUP_SIZE)).transpose()?;
        let group = match attributes.get(WORK_GROUP_SIZE) {
            None => None,
            Some(Attribute::Array(items)) => match items.as_slice() {
                [x, y] => Some([integer(x, WORK_GROUP_SIZE)?, integer(y, WORK_GROUP_SIZE)?]),
                other => {
                    let detail = format!("{WORK_GROUP_SIZE} has {} entries instead of 2", other.len());
                    return Err(fail(Status::IrUnexpectedArrayAttributeSize, detail));
                }
            },
            Some(other) => {
                let detail = format!("{WORK_GROUP_SIZE} is {}, {other}; write [x,y]", other.kind());
                return Err(fail(Status::IrExpectedArrayAttribute, detail));
            }
        };
        Ok((size, group))
    }
}
