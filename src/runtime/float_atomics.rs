//! Capability words of floating-point atomics, which OpenCL and Level Zero share bit for bit.

use crate::device::{CoreInfo, SpirvFeature};

/// Addition and minimum/maximum in global memory, then in local memory.
const BITS: [u64; 4] = [1 << 1, 1 << 2, 1 << 17, 1 << 18];

/// The features of the bits for f16, f32 and f64.
const FEATURES: [[SpirvFeature; 4]; 3] = {
    use SpirvFeature::*;
    [
        [AtomicFloat16AddGlobal, AtomicFloat16MinMaxGlobal, AtomicFloat16AddLocal, AtomicFloat16MinMaxLocal],
        [AtomicFloat32AddGlobal, AtomicFloat32MinMaxGlobal, AtomicFloat32AddLocal, AtomicFloat32MinMaxLocal],
        [AtomicFloat64AddGlobal, AtomicFloat64MinMaxGlobal, AtomicFloat64AddLocal, AtomicFloat64MinMaxLocal],
    ]
};

/// Sets the features of the capability words of f16, f32 and f64.
pub(super) fn set_features(info: &mut CoreInfo, capabilities: [u64; 3]) {
    for (features, capabilities) in FEATURES.into_iter().zip(capabilities) {
        for (feature, bit) in features.into_iter().zip(BITS) {
            info.set(feature, capabilities & bit != 0);
        }
    }
}
