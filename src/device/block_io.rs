//! Limits of the block messages (SPV_INTEL_2d_block_io and SPV_INTEL_subgroups).

/// Limits of the messages of a device that move two-dimensional blocks of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block2dIo {
    /// Lanes of the subgroups that the messages are defined for.
    pub lanes: i32,
    /// Bytes of a row of a block.
    pub max_row_bytes: i64,
    /// Rows of a block that a message reads.
    pub max_height: i64,
    /// Rows of a block that a message writes.
    pub max_store_height: i64,
    /// Bytes of the elements that a message transposes: a lane's word.
    pub word_bytes: i64,
    /// Elements of a row that a transposing message reads.
    pub max_transposed: i64,
}

impl Block2dIo {
    /// The messages of Ponte Vecchio and everything after it that has them.
    pub const XE: Block2dIo = Block2dIo {
        lanes: 16,
        max_row_bytes: 64,
        max_height: 32,
        max_store_height: 8,
        word_bytes: 4,
        max_transposed: 8,
    };
}

/// Limits of the messages by which the work-items of a subgroup move consecutive elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block1dIo {
    /// Bytes that a message moves.
    pub max_bytes: i64,
    /// Elements of each work-item that a message moves.
    pub max_count: i64,
    /// Divides the addresses of what is read, in bytes.
    pub load_alignment: i64,
    /// Divides the addresses of what is written, in bytes.
    pub store_alignment: i64,
}

impl Block1dIo {
    /// The messages of all devices that have them.
    pub const XE: Block1dIo =
        Block1dIo { max_bytes: 256, max_count: 8, load_alignment: 4, store_alignment: 16 };
}
