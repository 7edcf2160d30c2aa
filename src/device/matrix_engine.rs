//! The products that XMX engines compute (lowering reference 2.4).

use super::joint_matrix::{JointMatrix, split};
use crate::ir::Scalar;

/// A matrix engine. Rows and columns are those of the language, whose matrices are the transposes of the instruction's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixEngine {
    /// Work-items of the subgroups that it works with: rows of A and of sums.
    subgroup_size: i32,
    /// Columns of B and of sums that an instruction takes, the most first.
    cols: &'static [i64],
    /// Bytes of a row of A and of a column of B that an instruction takes.
    factor_bytes: i64,
    /// Cycles that a column takes.
    column_cycles: i64,
    products: &'static [Products],
    /// Its tiles where cooperative matrices of SPIR-V are the only way to it, if that is one.
    tiles: Option<&'static JointMatrix>,
    /// True if factors of type f32 may be rounded to tf32.
    permits_tf32: bool,
}

/// Products with A and B of type `factor`, and sums of one of `sums`.
#[derive(Debug, PartialEq, Eq)]
struct Products {
    factor: Scalar,
    sums: &'static [Scalar],
}

impl MatrixEngine {
    /// The engine of Ponte Vecchio.
    pub const SIXTEEN_LANES: MatrixEngine = MatrixEngine {
        subgroup_size: 16,
        cols: &[8, 4, 2, 1],
        factor_bytes: 32,
        column_cycles: 1,
        products: &[
            Products { factor: Scalar::I8, sums: &[Scalar::I32] },
            Products { factor: Scalar::F16, sums: &[Scalar::F16, Scalar::F32] },
            Products { factor: Scalar::Bf16, sums: &[Scalar::Bf16, Scalar::F32] },
            Products { factor: Scalar::F32, sums: &[Scalar::F32] },
        ],
        tiles: None,
        permits_tf32: false,
    };

    /// The engine of everything after it, which takes twice as long.
    pub const XE2: MatrixEngine = MatrixEngine { column_cycles: 2, ..MatrixEngine::SIXTEEN_LANES };

    /// The engine of Alchemist and Arrow Lake H: half as wide, sums in 32 bits only.
    pub const EIGHT_LANES: MatrixEngine = MatrixEngine {
        subgroup_size: 8,
        column_cycles: 2,
        products: &[
            Products { factor: Scalar::I8, sums: &[Scalar::I32] },
            Products { factor: Scalar::F16, sums: &[Scalar::F32] },
            Products { factor: Scalar::Bf16, sums: &[Scalar::F32] },
        ],
        tiles: Some(&JointMatrix::EIGHT_LANES),
        ..MatrixEngine::SIXTEEN_LANES
    };

    /// An engine that no device has, by which a test finds those who count on the numbers of the others.
    #[cfg(test)]
    pub const SIXTEEN_COLUMNS: MatrixEngine =
        MatrixEngine { cols: &[16, 8, 4, 2, 1], ..MatrixEngine::SIXTEEN_LANES };

    /// The engine with factors of type f32 rounded to tf32, which has to be asked for; an engine without tf32 as it is.
    pub fn with_tf32(self) -> MatrixEngine {
        MatrixEngine { permits_tf32: true, ..self }
    }

    /// The subgroup size the engine works with.
    pub fn subgroup_size(&self) -> i32 {
        self.subgroup_size
    }

    /// Columns of B and of sums that an instruction takes at most.
    pub fn max_cols(&self) -> i64 {
        self.cols.first().copied().unwrap_or(1)
    }

    /// Returns whether instructions take so many columns of B or of sums.
    pub fn takes_cols(&self, cols: i64) -> bool {
        cols > 0 && self.cols.last().is_some_and(|least| cols % least == 0)
    }

    /// Columns of B or of sums that instructions take one after the other; `None` if they do not divide so.
    pub fn split_cols(&self, cols: i64) -> Option<Vec<i64>> {
        split(cols, self.cols)
    }

    /// Bytes of a row of A and of a column of B that an instruction takes.
    pub fn factor_bytes(&self) -> i64 {
        self.factor_bytes
    }

    /// Cycles that a column of B and of sums takes, whatever the types.
    pub fn column_cycles(&self) -> i64 {
        self.column_cycles
    }

    /// Multiply-adds of a cycle; `None` if the engine does not take the types.
    pub fn rate(&self, a: Scalar, b: Scalar, sum: Scalar) -> Option<f64> {
        let column = i64::from(self.subgroup_size) * self.step_k(a, b, sum)?;
        Some(column as f64 / self.column_cycles as f64)
    }

    /// Its tiles where cooperative matrices of SPIR-V are the only way to it.
    pub fn tiles(&self) -> Option<&'static JointMatrix> {
        self.tiles
    }

    /// Returns whether the engine adds up numbers of this type.
    pub fn accumulates(&self, sum: Scalar) -> bool {
        self.products().any(|products| products.sums.contains(&sum))
    }

    /// Columns of A and rows of B that one instruction takes if both have this component type; `None` if the engine
    /// does not take the type.
    pub fn depth(&self, factor: Scalar) -> Option<i64> {
        self.products().any(|products| products.factor == factor).then(|| self.factor_bytes / factor.bytes())
    }

    /// Columns of A and rows of B that one instruction takes for these types; `None` if the engine does not take the
    /// types.
    pub fn step_k(&self, a: Scalar, b: Scalar, sum: Scalar) -> Option<i64> {
        self.depth(a).filter(|_| self.supports_gemm(a, b, sum))
    }

    /// Returns whether a product with factors and sums of these types runs on the engine.
    pub fn supports_gemm(&self, a: Scalar, b: Scalar, sum: Scalar) -> bool {
        a == b && self.products().any(|products| products.factor == a && products.sums.contains(&sum))
    }

    /// Products that the engine computes. Factors of type f32 can only be meant as tf32.
    fn products(&self) -> impl Iterator<Item = &'static Products> + use<> {
        let permits_tf32 = self.permits_tf32;
        self.products.iter().filter(move |products| permits_tf32 || products.factor != Scalar::F32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Scalar::{Bf16, F16, F32, F64, I8, I32};

    #[test]
    fn sixteen_lanes_take_the_types_of_the_table() {
        let engine = MatrixEngine::SIXTEEN_LANES;
        for (factor, sum) in [(I8, I32), (F16, F16), (F16, F32), (Bf16, Bf16), (Bf16, F32)] {
            assert!(engine.supports_gemm(factor, factor, sum), "{factor:?} -> {sum:?}");
        }
        for (factor, sum) in [(I8, I8), (F16, Bf16), (Bf16, F16), (F32, F32), (F64, F64), (F16, F64)] {
            assert!(!engine.supports_gemm(factor, factor, sum), "{factor:?} -> {sum:?}");
        }
        assert!(!engine.supports_gemm(F16, Bf16, F32));
        assert_eq!((engine.depth(I8), engine.depth(Bf16), engine.depth(F64)), (Some(32), Some(16), None));
        assert_eq!(engine.split_cols(23), Some(vec![8, 8, 4, 2, 1]));
    }

    #[test]
    fn eight_lanes_sum_in_32_bits_only() {
        let engine = MatrixEngine::EIGHT_LANES;
        assert!(engine.supports_gemm(Bf16, Bf16, F32) && engine.supports_gemm(I8, I8, I32));
        assert!(!engine.supports_gemm(Bf16, Bf16, Bf16) && !engine.supports_gemm(F16, F16, F16));
    }

    #[test]
    fn tf32_has_to_be_asked_for() {
        let engine = MatrixEngine::SIXTEEN_LANES;
        assert!(!engine.supports_gemm(F32, F32, F32) && engine.with_tf32().supports_gemm(F32, F32, F32));
        assert_eq!((engine.depth(F32), engine.with_tf32().depth(F32)), (None, Some(8)));
        assert!(!MatrixEngine::EIGHT_LANES.with_tf32().supports_gemm(F32, F32, F32));
    }
}
