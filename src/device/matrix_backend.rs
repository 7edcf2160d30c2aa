//! Kinds of code for cooperative matrices.

/// The code that a device gets for cooperative matrices (lowering reference 4.5). Every kind has an implementation
/// in `spirv`, and passes ask here what they may assume of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixBackendKind {
    /// Scalars in the registers of each work-item, for every device.
    Vector,
}

impl MatrixBackendKind {
    /// True if the components of a matrix are those that the language shows (lowering reference 4.1), so that a
    /// pass can tell the entry that a component holds; false if the back end alone knows.
    pub fn has_language_layout(self) -> bool {
        match self {
            MatrixBackendKind::Vector => true,
        }
    }
}
