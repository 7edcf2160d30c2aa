//! The matrix shapes that XMX engines compute (lowering reference 2.4).
//!
//! Two views of one engine: the [`Step`]s are what one hardware instruction does; the [`MatrixShapes`] are
//! what the language's cooperative matrices may look like, which the compiler takes apart into steps.

use crate::ir::Scalar;

/// Component type of a factor, as the hardware distinguishes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OperandType {
    /// Upper half of an f32.
    Bf16,
    /// IEEE half precision.
    F16,
    /// f32 with a mantissa of 10 bits.
    Tf32,
    /// Signed 8-bit integer.
    S8,
    /// Unsigned 8-bit integer.
    U8,
    /// Signed 4-bit integer.
    S4,
    /// Unsigned 4-bit integer.
    U4,
}

/// One multiply-accumulate instruction D = A·B + C: 1, 2, 4 or 8 rows, one column a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// Component type of A.
    pub a: OperandType,
    /// Component type of B.
    pub b: OperandType,
    /// Component type of both C and D.
    pub result: Scalar,
    /// Columns of A and rows of B.
    pub k: i32,
}

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

/// Shapes to prefer for some [`MatrixTypes`]; each list ascends, and all combinations are good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixShapes {
    /// Rows of A, C and D.
    pub m: &'static [i32],
    /// Columns of B, C and D.
    pub n: &'static [i32],
    /// Columns of A and rows of B.
    pub k: &'static [i32],
}

/// The matrix engine of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixEngine {
    subgroup_size: i32,
    steps: &'static [Step],
    entries: &'static [Entry],
    /// True if factors of type f32 may be rounded to tf32.
    permits_tf32: bool,
}

/// A row of the shape table: A and B of type `factor`, C and D each of one of `results`.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    factor: Scalar,
    results: &'static [Scalar],
    shapes: MatrixShapes,
    /// Columns of A that one step takes.
    step_k: i32,
}

const fn step(a: OperandType, b: OperandType, result: Scalar, k: i32) -> Step {
    Step { a, b, result, k }
}

/// Columns of D that a full step computes when it is fed the transposed product.
const STEP_N: i64 = 8;

impl MatrixEngine {
    /// The engine of Ponte Vecchio and everything after it.
    pub const SIXTEEN_LANES: MatrixEngine = MatrixEngine {
        subgroup_size: 16,
        permits_tf32: false,
        steps: &[
            step(OperandType::Bf16, OperandType::Bf16, Scalar::F32, 16),
            step(OperandType::Bf16, OperandType::Bf16, Scalar::Bf16, 16),
            step(OperandType::F16, OperandType::F16, Scalar::F32, 16),
            step(OperandType::F16, OperandType::F16, Scalar::F16, 16),
            step(OperandType::S8, OperandType::S8, Scalar::I32, 32),
            step(OperandType::S8, OperandType::U8, Scalar::I32, 32),
            step(OperandType::U8, OperandType::S8, Scalar::I32, 32),
            step(OperandType::U8, OperandType::U8, Scalar::I32, 32),
            step(OperandType::S4, OperandType::S4, Scalar::I32, 64),
            step(OperandType::S4, OperandType::U4, Scalar::I32, 64),
            step(OperandType::U4, OperandType::S4, Scalar::I32, 64),
            step(OperandType::U4, OperandType::U4, Scalar::I32, 64),
            step(OperandType::Tf32, OperandType::Tf32, Scalar::F32, 8),
        ],
        entries: &[
            Entry {
                factor: Scalar::I8,
                results: &[Scalar::I32],
                shapes: MatrixShapes { m: &[16, 32, 64], n: &[8, 16, 32], k: &[32, 64] },
                step_k: 32,
            },
            Entry {
                factor: Scalar::F16,
                results: &[Scalar::F16, Scalar::F32],
                shapes: MatrixShapes { m: &[16, 32], n: &[8, 16, 24, 32], k: &[16, 32] },
                step_k: 16,
            },
            Entry {
                factor: Scalar::Bf16,
                results: &[Scalar::Bf16, Scalar::F32],
                shapes: MatrixShapes { m: &[16, 32], n: &[8, 16, 32], k: &[16, 32] },
                step_k: 16,
            },
            Entry {
                factor: Scalar::F32,
                results: &[Scalar::F32],
                shapes: MatrixShapes { m: &[16, 32], n: &[8, 16, 32], k: &[8, 16] },
                step_k: 8,
            },
        ],
    };

    /// The engine of Alchemist and Arrow Lake H: half as wide, sums in 32 bits only.
    pub const EIGHT_LANES: MatrixEngine = MatrixEngine {
        subgroup_size: 8,
        permits_tf32: false,
        steps: &[
            step(OperandType::Bf16, OperandType::Bf16, Scalar::F32, 16),
            step(OperandType::F16, OperandType::F16, Scalar::F32, 16),
            step(OperandType::S8, OperandType::S8, Scalar::I32, 32),
            step(OperandType::S8, OperandType::U8, Scalar::I32, 32),
            step(OperandType::U8, OperandType::S8, Scalar::I32, 32),
            step(OperandType::U8, OperandType::U8, Scalar::I32, 32),
        ],
        entries: &[
            Entry {
                factor: Scalar::I8,
                results: &[Scalar::I32],
                shapes: MatrixShapes { m: &[8, 16, 32], n: &[8, 16, 32], k: &[32, 64] },
                step_k: 32,
            },
            Entry {
                factor: Scalar::F16,
                results: &[Scalar::F32],
                shapes: MatrixShapes { m: &[8, 16], n: &[8, 16, 24, 32], k: &[16, 32] },
                step_k: 16,
            },
            Entry {
                factor: Scalar::Bf16,
                results: &[Scalar::F32],
                shapes: MatrixShapes { m: &[8, 16], n: &[8, 16, 32], k: &[16, 32] },
                step_k: 16,
            },
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

    /// The instructions of the engine.
    pub fn steps(&self) -> &'static [Step] {
        self.steps
    }

    /// The instruction for these component types.
    pub fn find_step(&self, a: OperandType, b: OperandType, result: Scalar) -> Option<Step> {
        self.steps.iter().copied().find(|step| step.a == a && step.b == b && step.result == result)
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

    /// The shapes to prefer for these types; `None` if the engine does not take the types.
    pub fn shapes(&self, types: MatrixTypes) -> Option<&'static MatrixShapes> {
        self.entry(types).map(|entry| &entry.shapes)
    }

    /// Returns whether D = A·B + C of these types runs on the engine.
    pub fn supports(&self, types: MatrixTypes) -> bool {
        self.entry(types).is_some()
    }

    /// Returns whether a gemm with these operand types runs on the engine.
    pub fn supports_gemm(&self, a: Scalar, b: Scalar, c: Scalar) -> bool {
        self.supports(MatrixTypes { a, b, c, d: c })
    }

    /// Returns whether an M×N×K product of these types divides into steps.
    ///
    /// Rows fill whole subgroups; columns come in eights, or are 1, 2 or 4.
    pub fn supports_shape(&self, types: MatrixTypes, m: i64, n: i64, k: i64) -> bool {
        self.entry(types).is_some_and(|entry| {
            let is_multiple = |size: i64, of: i64| size > 0 && size % of == 0;
            is_multiple(m, i64::from(self.subgroup_size))
                && (matches!(n, 1 | 2 | 4) || is_multiple(n, STEP_N))
                && is_multiple(k, i64::from(entry.step_k))
        })
    }

    /// The rows of the shape table. Factors of type f32 can only be meant as tf32.
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
        assert_eq!(
            engine.shapes(types(F16, F32)),
            Some(&MatrixShapes { m: &[16, 32], n: &[8, 16, 24, 32], k: &[16, 32] })
        );
    }

    #[test]
    fn eight_lanes_sum_in_32_bits_only() {
        let engine = MatrixEngine::EIGHT_LANES;
        assert!(engine.supports(types(Bf16, F32)) && engine.supports(types(I8, I32)));
        assert!(!engine.supports(types(Bf16, Bf16)) && !engine.supports(types(F16, F16)));
        assert_eq!(engine.find_step(OperandType::Tf32, OperandType::Tf32, F32), None);
    }

    #[test]
    fn tf32_has_to_be_asked_for() {
        let engine = MatrixEngine::SIXTEEN_LANES;
        assert!(!engine.supports(types(F32, F32)) && engine.with_tf32().supports(types(F32, F32)));
        assert_eq!((engine.depth(F32), engine.with_tf32().depth(F32)), (None, Some(8)));
        assert!(!MatrixEngine::EIGHT_LANES.with_tf32().supports(types(F32, F32)));
    }

    #[test]
    fn steps_consume_32_bytes_of_a_row() {
        for engine in [MatrixEngine::SIXTEEN_LANES, MatrixEngine::EIGHT_LANES] {
            for step in engine.steps() {
                let bits = match step.a {
                    OperandType::Tf32 => 32,
                    OperandType::Bf16 | OperandType::F16 => 16,
                    OperandType::S8 | OperandType::U8 => 8,
                    OperandType::S4 | OperandType::U4 => 4,
                };
                assert_eq!(step.k * bits, 256, "{step:?}");
                assert_eq!(engine.find_step(step.a, step.b, step.result), Some(*step));
            }
        }
    }

    #[test]
    fn preferred_shapes_divide_into_steps() {
        for engine in [MatrixEngine::SIXTEEN_LANES, MatrixEngine::EIGHT_LANES] {
            for entry in engine.entries {
                let types = MatrixTypes { c: F32, ..types(entry.factor, F32) };
                let types = if entry.factor == I8 { MatrixTypes { c: I32, d: I32, ..types } } else { types };
                for (&m, (&n, &k)) in entry.shapes.m.iter().flat_map(|m| {
                    let rest = entry.shapes.n.iter().flat_map(|n| entry.shapes.k.iter().map(move |k| (n, k)));
                    rest.map(move |rest| (m, rest))
                }) {
                    let engine = engine.with_tf32();
                    assert!(engine.supports_shape(types, m.into(), n.into(), k.into()), "{m}x{n}x{k}");
                }
            }
        }
        let engine = MatrixEngine::SIXTEEN_LANES;
        let bf16 = types(Bf16, F32);
        assert!(engine.supports_shape(bf16, 48, 40, 48) && engine.supports_shape(bf16, 16, 4, 16));
        assert!(!engine.supports_shape(bf16, 8, 8, 16) && !engine.supports_shape(bf16, 16, 3, 16));
        assert!(!engine.supports_shape(bf16, 16, 8, 8) && !engine.supports_shape(bf16, 0, 8, 16));
    }
}
