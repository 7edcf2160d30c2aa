//! Kinds of code for cooperative matrices.

/// The code that a device gets for cooperative matrices (lowering reference 4.5). Every kind has an implementation
/// in `spirv`, and passes ask here what they may assume of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixBackendKind {
    /// Scalars in the registers of each work-item, for every device.
    Vector,
    /// Fragments that the XMX engine multiplies by DPAS.
    Dpas,
    /// Tiles of SPV_KHR_cooperative_matrix, for engines that no other instruction reaches.
    JointMatrix,
}

impl MatrixBackendKind {
    /// The name.
    pub fn spelling(self) -> &'static str {
        match self {
            MatrixBackendKind::Vector => "vector",
            MatrixBackendKind::Dpas => "dpas",
            MatrixBackendKind::JointMatrix => "joint_matrix",
        }
    }
}
