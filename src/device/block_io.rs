//! Limits of the 2D block messages (SPV_INTEL_2d_block_io).

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
