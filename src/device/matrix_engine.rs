//! The products that XMX engines compute (lowering reference 2.4).

use crate::ir::Scalar;

/// Component types of a matrix multiply-accumulate D = A·B + C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatrixTypes {
    /// Component type of A.
    pub a: Scalar,
    /// Component type of B.
    pub b: Scalar,
    /// Component type of C.
    pub c: Scalar,
    /// Component type of D.
    pub d: Scalar,
}

/// The matrix engine of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixEngine {
    subgroup_size: i32,
    entries: &'static [Entry],
    /// True if factors of type f32 may be rounded to tf32.
    permits_tf32: bool,
}

/// Products with A and B of type `factor`, C and D each of one of `results`.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    factor: Scalar,
    results: &'static [Scalar],
    /// Columns of A and rows of B that one instruction takes, 32 bytes of a row of A.
    step_k: i32,
}

impl MatrixEngine {
    /// Columns of D that an instruction computes at most; as many words of 32 bits are a row of a factor.
    pub const MAX_COLUMNS: i32 = 8;
    /// Bytes of a row of a factor that an instruction takes.
    pub const FACTOR_ROW_BYTES: i64 = 32;

    /// The engine of Ponte Vecchio and everything after it.
    pub const SIXTEEN_LANES: MatrixEngine = MatrixEngine {
        subgroup_size: 16,
        permits_tf32: false,
        entries: &[
            Entry { factor: Scalar::I8, results: &[Scalar::I32], step_k: 32 },
            Entry { factor: Scalar::F16, results: &[Scalar::F16, Scalar::F32], step_k: 16 },
            Entry { factor: Scalar::Bf16, results: &[Scalar::Bf16, Scalar::F32], step_k: 16 },
            Entry { factor: Scalar::F32, results: &[Scalar::F32], step_k: 8 },
        ],
    };

    /// The engine of Alchemist and Arrow Lake H: half as wide, sums in 32 bits only.
    pub const EIGHT_LANES: MatrixEngine = MatrixEngine {
        subgroup_size: 8,
        permits_tf32: false,
        entries: &[
            Entry { factor: Scalar::I8, results: &[Scalar::I32], step_k: 32 },
            Entry { factor: Scalar::F16, results: &[Scalar::F32], step_k: 16 },
            Entry { factor: Scalar::Bf16, results: &[Scalar::F32], step_k: 16 },
        ],
    };

    /// The engine with factors of type f32 rounded to tf32, which has to be asked for; an engine without tf32 as it is.
    pub fn with_tf32(self) -> MatrixEngine {
        MatrixEngine { permits_tf32: true, ..self }
    }

    /// The subgroup size the engine works with.
    pub fn subgroup_size(&self) -> i32 {
        self.subgroup_size
    }

    /// Returns whether the engine adds up numbers of this type.
    pub fn accumulates(&self, sum: Scalar) -> bool {
        self.entries().any(|entry| entry.results.contains(&sum))
    }

    /// Columns of A and rows of B that one instruction takes if both have this component type; `None` if the engine
    /// does not take the type.
    pub fn depth(&self, factor: Scalar) -> Option<i32> {
        self.entries().find(|entry| entry.factor == factor).map(|entry| entry.step_k)
    }

    /// Columns of A and rows of B that one instruction takes for these types; `None` if the engine does not take the
    /// types.
    pub fn step_k(&self, types: MatrixTypes) -> Option<i32> {
        self.entry(types).map(|entry| entry.step_k)
    }

    /// Returns whether D = A·B + C of these types runs on the engine.
    pub fn supports(&self, types: MatrixTypes) -> bool {
        self.entry(types).is_some()
    }

    /// Returns whether a gemm with these operand types runs on the engine.
    pub fn supports_gemm(&self, a: Scalar, b: Scalar, c: Scalar) -> bool {
        self.supports(MatrixTypes { a, b, c, d: c })
    }

    /// Products that the engine computes. Factors of type f32 can only be meant as tf32.
    fn entries(&self) -> impl Iterator<Item = &'static Entry> + use<> {
        let permits_tf32 = self.permits_tf32;
        self.entries.iter().filter(move |entry| permits_tf32 || entry.factor != Scalar::F32)
    }

    fn entry(&self, types: MatrixTypes) -> Option<&'static Entry> {
        self.entries().find(|entry| {
            entry.factor == types.a
                && entry.factor == types.b
                && entry.results.contains(&types.c)
                && entry.results.contains(&types.d)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Scalar::{Bf16, F16, F32, F64, I8, I32};

    fn types(factor: Scalar, result: Scalar) -> MatrixTypes {
        MatrixTypes { a: factor, b: factor, c: result, d: result }
    }

    #[test]
    fn sixteen_lanes_take_the_types_of_the_table() {
        let engine = MatrixEngine::SIXTEEN_LANES;
        for (factor, result) in [(I8, I32), (F16, F16), (F16, F32), (Bf16, Bf16), (Bf16, F32)] {
            assert!(engine.supports(types(factor, result)), "{factor:?} -> {result:?}");
        }
        assert!(engine.supports(MatrixTypes { a: F16, b: F16, c: F32, d: F16 }));
        for (factor, result) in [(I8, I8), (F16, Bf16), (Bf16, F16), (F32, F32), (F64, F64), (F16, F64)] {
            assert!(!engine.supports(types(factor, result)), "{factor:?} -> {result:?}");
        }
        assert!(!engine.supports(MatrixTypes { a: F16, b: Bf16, c: F32, d: F32 }));
    }

    #[test]
    fn eight_lanes_sum_in_32_bits_only() {
        let engine = MatrixEngine::EIGHT_LANES;
        assert!(engine.supports(types(Bf16, F32)) && engine.supports(types(I8, I32)));
        assert!(!engine.supports(types(Bf16, Bf16)) && !engine.supports(types(F16, F16)));
    }

    #[test]
    fn tf32_has_to_be_asked_for() {
        let engine = MatrixEngine::SIXTEEN_LANES;
        assert!(!engine.supports(types(F32, F32)) && engine.with_tf32().supports(types(F32, F32)));
        assert_eq!((engine.depth(F32), engine.with_tf32().depth(F32)), (None, Some(8)));
        assert!(!MatrixEngine::EIGHT_LANES.with_tf32().supports(types(F32, F32)));
    }

    #[test]
    fn instructions_take_32_bytes_of_a_row() {
        for entry in
            [MatrixEngine::SIXTEEN_LANES, MatrixEngine::EIGHT_LANES].iter().flat_map(|engine| engine.entries)
        {
            assert_eq!(i64::from(entry.step_k) * entry.factor.bytes(), 32, "{entry:?}");
        }
    }
}
