//! Options of the translation.

/// Options of the translation of a program.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Keep the names of values and functions.
    pub keep_names: bool,
    /// Keep the lines of the source that instructions come from.
    pub keep_lines: bool,
    /// Note how matrices are loaded and stored.
    pub remarks: bool,
    /// Take the shortest form of arithmetic, whatever becomes of infinities and of numbers near the limits.
    pub unsafe_fp_math: bool,
}
