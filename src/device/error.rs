//! Errors of a device or of a choice for it.

use crate::status::Status;

/// Reason why a device cannot be used, or cannot run a kernel of the chosen shape.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The device lists no subgroup size at all.
    #[error("the device description has no subgroup sizes")]
    NoSubgroupSizes,
    /// A subgroup size of the device cannot be one.
    #[error("{subgroup_size} is not a subgroup size: must be a positive power of two")]
    InvalidSubgroupSize {
        /// The size as given.
        subgroup_size: i32,
    },
    /// The register space of the device is not positive.
    #[error("the device description has {register_space} bytes of registers")]
    InvalidRegisterSpace {
        /// The space as given or computed, in bytes.
        register_space: i32,
    },
    /// The device admits no work-group for one of its subgroup sizes.
    #[error("the device description admits no work-groups with subgroup size {subgroup_size}")]
    NoWorkGroups {
        /// A subgroup size the device lists.
        subgroup_size: i32,
    },
    /// The kernel's subgroup size is not one of the device's.
    #[error("the device does not support subgroup size {subgroup_size}, only {}", list(available))]
    UnsupportedSubgroupSize {
        /// Value that the kernel asks for.
        subgroup_size: i32,
        /// Values that the device has.
        available: Vec<i32>,
    },
    /// The kernel's work-group does not consist of whole subgroups.
    #[error(
        "work-group size [{},{}] is not made of whole subgroups of {subgroup_size} along the first mode",
        work_group_size[0], work_group_size[1]
    )]
    RaggedWorkGroup {
        /// Value that the kernel asks for.
        work_group_size: [i32; 2],
        /// The kernel's subgroup size.
        subgroup_size: i32,
    },
    /// The kernel's work-group is larger than the device's largest.
    #[error(
        "work-group size [{},{}] exceeds the device's maximum of {max} work-items for subgroup size \
         {subgroup_size}",
        work_group_size[0], work_group_size[1]
    )]
    WorkGroupTooLarge {
        /// Value that the kernel asks for.
        work_group_size: [i32; 2],
        /// The kernel's subgroup size.
        subgroup_size: i32,
        /// The device's limit.
        max: i32,
    },
    /// The name belongs to no device.
    #[error("unknown device \"{name}\"")]
    UnsupportedDevice {
        /// The name as given.
        name: String,
    },
}

impl Error {
    /// The status code of the failure.
    pub fn status(&self) -> Status {
        match self {
            Error::NoSubgroupSizes => Status::OutOfRange,
            Error::InvalidSubgroupSize { .. }
            | Error::InvalidRegisterSpace { .. }
            | Error::NoWorkGroups { .. } => Status::InvalidCoreInfo,
            Error::UnsupportedSubgroupSize { .. } => Status::UnsupportedSubgroupSize,
            Error::RaggedWorkGroup { .. } | Error::WorkGroupTooLarge { .. } => {
                Status::UnsupportedWorkGroupSize
            }
            Error::UnsupportedDevice { .. } => Status::UnsupportedDevice,
        }
    }
}

fn list(sizes: &[i32]) -> String {
    let sizes: Vec<String> = sizes.iter().map(i32::to_string).collect();
    sizes.join(", ")
}
