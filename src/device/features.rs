//! Features of a device's SPIR-V consumer, and features that a user may ask of the device.

use std::ffi::CStr;

macro_rules! features {
    ($($(#[$doc:meta])* $name:ident = $value:literal, $spelling:literal;)*) => {
        /// One thing a device's SPIR-V consumer may or may not support (lowering reference 2.3).
        ///
        /// Codes up to 18 are those of the C interface; the ones from 8192 on are tiletc's own.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(i32)]
        pub enum SpirvFeature {
            $($(#[$doc])* $name = $value,)*
        }

        impl SpirvFeature {
            /// Every feature, in ascending order of the code.
            pub const ALL: &'static [SpirvFeature] = &[$(SpirvFeature::$name,)*];

            /// The name as in the C enumerator, without the prefix `tiletc_spirv_feature_`.
            pub const fn spelling(self) -> &'static str {
                match self { $(SpirvFeature::$name => $spelling,)* }
            }
        }
    };
}

features! {
    /// Half-precision arithmetic.
    Float16 = 0, "float16";
    /// Double-precision arithmetic.
    Float64 = 1, "float64";
    /// Atomic operations on 64-bit integers.
    Int64Atomics = 2, "int64_atomics";
    /// Group operations: reduce, scan, broadcast.
    Groups = 3, "groups";
    /// The subgroup size can be fixed.
    SubgroupDispatch = 4, "subgroup_dispatch";
    /// Atomic f16 addition in local memory.
    AtomicFloat16AddLocal = 5, "atomic_float16_add_local";
    /// Atomic f16 addition in global memory.
    AtomicFloat16AddGlobal = 6, "atomic_float16_add_global";
    /// Atomic f32 addition in local memory.
    AtomicFloat32AddLocal = 7, "atomic_float32_add_local";
    /// Atomic f32 addition in global memory.
    AtomicFloat32AddGlobal = 8, "atomic_float32_add_global";
    /// Atomic f64 addition in local memory.
    AtomicFloat64AddLocal = 9, "atomic_float64_add_local";
    /// Atomic f64 addition in global memory.
    AtomicFloat64AddGlobal = 10, "atomic_float64_add_global";
    /// Atomic f16 minimum and maximum in local memory.
    AtomicFloat16MinMaxLocal = 11, "atomic_float16_min_max_local";
    /// Atomic f16 minimum and maximum in global memory.
    AtomicFloat16MinMaxGlobal = 12, "atomic_float16_min_max_global";
    /// Atomic f32 minimum and maximum in local memory.
    AtomicFloat32MinMaxLocal = 13, "atomic_float32_min_max_local";
    /// Atomic f32 minimum and maximum in global memory.
    AtomicFloat32MinMaxGlobal = 14, "atomic_float32_min_max_global";
    /// Atomic f64 minimum and maximum in local memory.
    AtomicFloat64MinMaxLocal = 15, "atomic_float64_min_max_local";
    /// Atomic f64 minimum and maximum in global memory.
    AtomicFloat64MinMaxGlobal = 16, "atomic_float64_min_max_global";
    /// Conversion between f32 and bf16.
    Bfloat16Conversion = 17, "bfloat16_conversion";
    /// One-dimensional subgroup block reads and writes.
    SubgroupBufferBlockIo = 18, "subgroup_buffer_block_io";
    /// Subgroup matrix multiply-accumulate.
    SubgroupMma = 8192, "subgroup_mma";
    /// Two-dimensional block reads and writes.
    Block2dIo = 8193, "block2d_io";
    /// Cooperative matrices with Intel's joint-matrix capabilities.
    CooperativeMatrix = 8194, "cooperative_matrix";
    /// Work-group barriers split in arrive and wait.
    SplitBarrier = 8195, "split_barrier";
    /// One-dimensional subgroup prefetch.
    BufferPrefetch = 8196, "buffer_prefetch";
    /// Cache hints on loads and stores.
    CacheControls = 8197, "cache_controls";
    /// Rounding of f32 to tf32.
    Tf32Rounding = 8198, "tf32_rounding";
}

impl SpirvFeature {
    /// Number of [`SpirvFeature::ALL`], from the first on, that belong to the C interface.
    pub const STANDARD_COUNT: usize = 19;

    /// The feature of a code, if there is one.
    pub fn from_code(code: i32) -> Option<SpirvFeature> {
        Self::ALL.iter().copied().find(|feature| feature.code() == code)
    }

    /// Returns whether it is one of tiletc's own, and so no enumerator of the C interface.
    pub const fn is_own(self) -> bool {
        self as usize >= SpirvFeature::STANDARD_COUNT
    }

    /// The number that crosses the C ABI.
    pub const fn code(self) -> i32 {
        self as i32
    }
}

/// A set of [`SpirvFeature`]s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FeatureSet(u64);

impl FeatureSet {
    /// The features of the list.
    pub(super) fn of(features: &[SpirvFeature]) -> FeatureSet {
        let mut set = FeatureSet::default();
        for &feature in features {
            set.set(feature, true);
        }
        set
    }

    pub(super) const fn contains(self, feature: SpirvFeature) -> bool {
        self.0 & bit(feature) != 0
    }

    pub(super) const fn set(&mut self, feature: SpirvFeature, available: bool) {
        if available {
            self.0 |= bit(feature);
        } else {
            self.0 &= !bit(feature);
        }
    }
}

/// Standard features take the lower half of the word, tiletc's own the upper.
const fn bit(feature: SpirvFeature) -> u64 {
    let code = feature as u32;
    1 << if code < 8192 { code } else { code - 8192 + 32 }
}

/// Options a user requests of a device; a set of bits of the C interface, kept as given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CoreFeatures(u32);

impl CoreFeatures {
    /// Compile for the larger register file: twice the registers, half the hardware threads.
    pub const LARGE_REGISTER_FILE: CoreFeatures = CoreFeatures(1);

    /// The set of these bits.
    pub const fn from_bits(bits: u32) -> CoreFeatures {
        CoreFeatures(bits)
    }

    /// The set as bits.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Options for a driver that builds a module which was compiled with these features, as OpenCL's build
    /// options; `None` if nothing. OpenCL, Level Zero and ocloc on GPUs take it.
    pub const fn build_options(self) -> Option<&'static CStr> {
        if self.contains(CoreFeatures::LARGE_REGISTER_FILE) {
            Some(c"-cl-intel-256-GRF-per-thread")
        } else {
            None
        }
    }

    /// The features of both sets.
    pub const fn union(self, other: CoreFeatures) -> CoreFeatures {
        CoreFeatures(self.0 | other.0)
    }

    /// Returns whether all features of `other` are in the set.
    pub const fn contains(self, other: CoreFeatures) -> bool {
        self.0 & other.0 == other.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_spellings_lead_back() {
        for (i, &feature) in SpirvFeature::ALL.iter().enumerate() {
            assert_eq!(SpirvFeature::from_code(feature.code()), Some(feature));
            assert_eq!(feature.code() < 8192, i < SpirvFeature::STANDARD_COUNT);
            assert_eq!(feature.is_own(), feature.code() >= 8192);
            let mut set = FeatureSet::default();
            set.set(feature, true);
            assert!(SpirvFeature::ALL.iter().all(|&other| set.contains(other) == (other == feature)));
            set.set(feature, false);
            assert_eq!(set, FeatureSet::default());
        }
        assert_eq!(SpirvFeature::from_code(19), None);
        assert_eq!(SpirvFeature::from_code(-1), None);
        assert_eq!(SpirvFeature::AtomicFloat64AddLocal.spelling(), "atomic_float64_add_local");
    }
}
