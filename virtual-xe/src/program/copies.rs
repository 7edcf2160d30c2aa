//! Steps that copy from memory to memory.

use super::Access;

/// A copy of bytes in memory, for each lane.
pub(crate) struct Copy {
    pub from: Access,
    pub to: Access,
    pub size: u64,
}

/// A copy of elements between global and local memory that a work-group makes together: each work-item takes those
/// whose number is its own, or its own and a multiple of the number of work-items.
pub(crate) struct GroupCopy {
    pub from: Access,
    pub to: Access,
    /// Bytes of an element.
    pub size: u64,
    /// Rows of how many elements there are, and how far apart they are in global memory, in elements.
    pub count: u32,
    pub stride: u32,
    /// True if it is from local to global memory.
    pub is_store: bool,
    /// Rows of the number of the work-item, and of how many there are.
    pub item: u32,
    pub items: u32,
}
