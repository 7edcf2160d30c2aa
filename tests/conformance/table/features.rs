//! Features that a kernel needs of a device.

use tiletc::device::SpirvFeature;
use tiletc::ir::Scalar;

/// Requirement of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Without it the compiler must refuse the kernel.
    Feature(SpirvFeature),
    /// Atomic loads and stores of half precision, which Intel's OpenCL CPU runtime compiles and then cannot link;
    /// there is no other form of them in SPIR-V for OpenCL, which has no atomics of 16-bit integers.
    HalfMoves,
}

/// Atomic update of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atomic {
    /// Loaded or stored.
    Move,
    Add,
    MinMax,
}

/// The features of kernels that compute with the types and access an element of a type atomically, in local
/// memory or else in global.
pub fn required(types: &[Scalar], atomic: Option<(Scalar, Atomic, bool)>) -> Vec<Need> {
    use SpirvFeature::*;
    let mut features = Vec::new();
    for ty in types {
        match ty.component() {
            Scalar::F16 => features.push(Need::Feature(Float16)),
            Scalar::F64 => features.push(Need::Feature(Float64)),
            _ => {}
        }
    }
    let Some((ty, access, local)) = atomic else { return features };
    let pick = |in_local, in_global| if local { in_local } else { in_global };
    if (ty, access) == (Scalar::F16, Atomic::Move) {
        features.push(Need::HalfMoves);
    }
    let feature = match (ty.component(), access) {
        (Scalar::I64 | Scalar::Index, _) => Some(Int64Atomics),
        (Scalar::F16, Atomic::Add) => Some(pick(AtomicFloat16AddLocal, AtomicFloat16AddGlobal)),
        (Scalar::F32, Atomic::Add) => Some(pick(AtomicFloat32AddLocal, AtomicFloat32AddGlobal)),
        (Scalar::F64, Atomic::Add) => Some(pick(AtomicFloat64AddLocal, AtomicFloat64AddGlobal)),
        (Scalar::F16, Atomic::MinMax) => Some(pick(AtomicFloat16MinMaxLocal, AtomicFloat16MinMaxGlobal)),
        (Scalar::F32, Atomic::MinMax) => Some(pick(AtomicFloat32MinMaxLocal, AtomicFloat32MinMaxGlobal)),
        (Scalar::F64, Atomic::MinMax) => Some(pick(AtomicFloat64MinMaxLocal, AtomicFloat64MinMaxGlobal)),
        _ => None,
    };
    features.extend(feature.map(Need::Feature));
    features
}
