//! Messages by which matrices get to and from memory, and the reasons for them (lowering reference 4.2 and 4.4).

use super::types::spelled;
use std::fmt;

spelled! {
    /// Messages that a matrix is loaded, stored or fetched by.
    AccessClass {
        /// 2D blocks, as they lie in memory.
        Block2d = "block_2d",
        /// 2D blocks that put neighbouring rows side by side.
        Block2dTransform = "block_2d_transform",
        /// 2D blocks with columns for rows.
        Block2dTranspose = "block_2d_transpose",
        /// 2D blocks of a surface whose rows hold several columns each.
        Block2dFolded = "block_2d_folded",
        /// The same for both factors of a product, with every second position along K before the ones between.
        Block2dEvenOdd = "block_2d_even_odd",
        /// Blocks of contiguous memory.
        Block1d = "block_1d",
        /// Contiguous columns of panels in local memory.
        Panels = "panels",
        /// A vector of each lane's own, which holds a row.
        Vectors = "vectors",
        /// Whole tiles of SPV_KHR_cooperative_matrix.
        Tiles = "tiles",
        /// An address of each entry for all lanes.
        Uniform = "uniform",
        /// An address of its own for each lane.
        Lanes = "lanes",
    }
}

impl AccessClass {
    /// Returns whether the messages are 2D blocks.
    pub fn is_block_2d(self) -> bool {
        self < AccessClass::Block1d
    }
}

spelled! {
    /// Reason why 2D block messages take a matrix, or why they do not.
    AccessReason {
        /// Sizes, strides and address follow from the types.
        Type = "its type says so",
        /// An attribute of a parameter promises what types leave open.
        Promise = "an attribute promises it",
        /// Neighbours in a packed batch share a surface.
        Batch = "members of a packed batch share a surface",
        /// This version of the code runs if a test says so.
        Test = "a test at run time says so",
        /// The attribute io_class of the function.
        Forbidden = "the attribute io_class rules 2D block messages out",
        /// A defect of the driver, or TILETC_AVOID.
        Avoided = "such messages are avoided on this device",
        /// Device or subgroup size.
        NoMessages = "the device has no 2D block messages for this subgroup size",
        /// Numbers of four bits, which are taken out of their bytes one by one.
        Packed = "numbers share bytes",
        /// Shared local memory.
        Local = "the memory is local",
        /// Columns with gaps, or rows that are contiguous.
        FirstStride = "the first stride is not known to be 1",
        /// Sizes or strides that no type fixes.
        OpenExtents = "shape or stride are known at run time only",
        /// A rule for extents of surfaces.
        Extents = "width, height or pitch are not those of a surface",
        /// Alignment of the memref's first element.
        Address = "the address is not known to be a multiple of 64 bytes",
        /// Alignment of the matrix within a column.
        FirstRow = "the first row is not known to lie at a multiple of 4 bytes",
        /// Rows beyond the end of a member of a batch.
        Neighbour = "what lies beyond the matrix is a neighbour's in the batch",
        /// Transposed factors B of bytes.
        TransposedBytes = "no message transposes bytes for B",
        /// Transposed accumulators.
        TransposedAccumulator = "no message transposes C",
        /// An odd number of columns at the end of a member of a batch.
        OddColumns = "the message for the last of an odd number of columns would read a neighbour's",
        /// Size of elements, or their distribution over the lanes.
        Layout = "no message has the layout of the matrix",
        /// An atomic access for each entry.
        Atomic = "its entries are accessed atomically",
        /// Blocks of contiguous memory are better.
        Contiguous = "its entries follow each other in memory",
    }
}

/// Messages of an access to a matrix in memory, which the pass `access-classes` chooses and back ends obey.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatrixIo {
    /// The messages.
    pub class: AccessClass,
    /// The reason why they are 2D blocks, or why not.
    pub reason: AccessReason,
}

impl fmt::Display for MatrixIo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.class, self.reason)
    }
}
