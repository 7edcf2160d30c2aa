//! Intel's GPUs by name and by IP version (lowering reference 2.1 and 2.2).

use std::str::FromStr;

use super::block_io::Block2dIo as BlockMessages;
use super::error::Error;
use super::features::{FeatureSet, SpirvFeature};
use super::matrix_engine::MatrixEngine;

macro_rules! architectures {
    ($($(#[$doc:meta])* $variant:ident = $ip:literal, $name:literal $(| $alias:literal)*;)*) => {
        /// A GPU known by name; the value is its IP version with the revision cleared.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u32)]
        pub enum Architecture {
            $($(#[$doc])* $variant = $ip,)*
        }

        impl Architecture {
            /// Every architecture, in ascending order of the IP version.
            pub const ALL: &'static [Architecture] = &[$(Architecture::$variant,)*];

            /// The name that tools and the C interface use.
            pub const fn spelling(self) -> &'static str {
                match self { $(Architecture::$variant => $name,)* }
            }
        }

        impl FromStr for Architecture {
            type Err = Error;

            /// Finds an architecture by its name or one of its other names; case matters.
            fn from_str(name: &str) -> Result<Architecture, Error> {
                match name {
                    $($name $(| $alias)* => Ok(Architecture::$variant),)*
                    _ => Err(Error::UnsupportedDevice { name: name.to_owned() }),
                }
            }
        }
    };
}

architectures! {
    /// Tiger Lake.
    Tgl = 0x0300_0000, "tgl" | "tgllp";
    /// Rocket Lake.
    Rkl = 0x0300_4000, "rkl";
    /// Alder Lake S.
    AdlS = 0x0300_8000, "adl-s";
    /// Alder Lake P.
    AdlP = 0x0300_c000, "adl-p";
    /// DG1.
    Dg1 = 0x0302_8000, "dg1";
    /// Alchemist, the large chip.
    Dg2 = 0x030d_c000, "dg2" | "acm-g10";
    /// Alchemist, the small chip.
    AcmG11 = 0x030e_0000, "acm-g11";
    /// Alchemist, the middle chip.
    AcmG12 = 0x030e_4000, "acm-g12";
    /// Ponte Vecchio.
    Pvc = 0x030f_0000, "pvc";
    /// Ponte Vecchio without matrix engine.
    PvcVg = 0x030f_4000, "pvc-vg";
    /// Meteor Lake U, Arrow Lake S and U.
    MtlU = 0x0311_8000, "mtl-u" | "arl-s" | "arl-u";
    /// Meteor Lake H.
    MtlH = 0x0311_c000, "mtl-h" | "mtl";
    /// Arrow Lake H.
    ArlH = 0x0312_8000, "arl-h";
    /// Battlemage.
    Bmg = 0x0500_4000, "bmg" | "bmg-g21";
    /// Battlemage, the large chip.
    BmgG31 = 0x0500_8000, "bmg-g31";
    /// Lunar Lake.
    Lnl = 0x0501_0000, "lnl";
    /// Panther Lake H.
    Ptl = 0x0780_0000, "ptl" | "ptl-h";
    /// Panther Lake U.
    PtlU = 0x0780_4000, "ptl-u";
    /// Wildcat Lake.
    Wcl = 0x0780_c000, "wcl";
    /// Crescent Island.
    Cri = 0x08c2_c000, "cri";
}

impl Architecture {
    /// The architecture whose IP version is `code`, revision cleared.
    pub fn from_code(code: u32) -> Option<Architecture> {
        Self::ALL.iter().copied().find(|architecture| architecture.ip_version() == code)
    }

    /// The IP version, revision 0.
    pub const fn ip_version(self) -> u32 {
        self as u32
    }
}

/// GPUs of one design; all that matters to the compiler is the same within.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// Tiger Lake to DG1.
    XeLp,
    /// Alchemist.
    XeHpg,
    /// Ponte Vecchio.
    XeHpc,
    /// Ponte Vecchio without matrix engine.
    XeHpcVg,
    /// Meteor Lake, Arrow Lake S and U.
    XeLpg,
    /// Arrow Lake H.
    XeLpgPlus,
    /// Battlemage, Lunar Lake.
    Xe2,
    /// Panther Lake and what follows it.
    Xe3,
}

/// Parameters of a family.
pub(super) struct Parameters {
    pub(super) num_eus_per_subslice: i32,
    pub(super) num_threads_per_eu: i32,
    pub(super) subgroup_sizes: &'static [i32],
    /// Bytes of one general register.
    pub(super) register_size: i32,
    /// Bytes of shared local memory that a work-group may use.
    pub(super) local_memory_size: i64,
    /// Registers of a thread with the large register file; the small one has 128.
    pub(super) large_register_count: i32,
    pub(super) has_float64: bool,
    pub(super) has_bfloat16_conversion: bool,
    /// tiletc's additional features.
    pub(super) extensions: &'static [SpirvFeature],
    pub(super) matrix_engine: Option<MatrixEngine>,
    /// Limits of the 2D block messages, if the extensions have them.
    pub(super) block_2d_io: &'static BlockMessages,
    /// True if Intel's compiler exchanges the halves of a subgroup by plain moves; otherwise it takes each entry by its
    /// address in the registers.
    pub(super) exchanges_halves: bool,
    /// Bytes that memory brings in a cycle to each of the vector engines, if all of them read at once.
    pub(super) memory_rate: Option<f64>,
}

impl Family {
    /// The family of an IP version of any revision.
    pub fn of(ip_version: u32) -> Option<Family> {
        let (architecture, release) = (ip_version >> 22, (ip_version >> 14) & 0xff);
        match (architecture, release) {
            (12, 0..=10) => Some(Family::XeLp),
            (12, 55..=57) => Some(Family::XeHpg),
            (12, 60) => Some(Family::XeHpc),
            (12, 61) => Some(Family::XeHpcVg),
            (12, 70..=73) => Some(Family::XeLpg),
            (12, 74) => Some(Family::XeLpgPlus),
            (20, _) => Some(Family::Xe2),
            (30..=35, _) => Some(Family::Xe3),
            _ => None,
        }
    }

    /// Returns whether tiletc's choices were made for the family, not merely carried over from a relative.
    pub fn is_tuned(self) -> bool {
        matches!(self, Family::XeHpc | Family::Xe2)
    }

    pub(super) fn parameters(self) -> Parameters {
        use SpirvFeature::{
            Block2dIo, BufferPrefetch, CacheControls, CooperativeMatrix, SplitBarrier, SubgroupMma,
            Tf32Rounding,
        };
        let narrow = Parameters {
            num_eus_per_subslice: 8,
            num_threads_per_eu: 8,
            subgroup_sizes: &[8, 16, 32],
            register_size: 32,
            local_memory_size: 64 * 1024,
            large_register_count: 256,
            has_float64: true,
            has_bfloat16_conversion: false,
            extensions: &[SplitBarrier, CacheControls],
            matrix_engine: None,
            block_2d_io: &BlockMessages::XE,
            exchanges_halves: false,
            memory_rate: None,
        };
        let wide = Parameters {
            num_eus_per_subslice: 8,
            num_threads_per_eu: 8,
            subgroup_sizes: &[16, 32],
            register_size: 64,
            local_memory_size: 128 * 1024,
            large_register_count: 256,
            has_float64: true,
            has_bfloat16_conversion: true,
            extensions: &[
                SubgroupMma,
                Block2dIo,
                CooperativeMatrix,
                SplitBarrier,
                BufferPrefetch,
                CacheControls,
                Tf32Rounding,
            ],
            matrix_engine: Some(MatrixEngine::SIXTEEN_LANES),
            block_2d_io: &BlockMessages::XE,
            exchanges_halves: true,
            memory_rate: Some(2.0),
        };
        let half_rate = Parameters { matrix_engine: Some(MatrixEngine::XE2), memory_rate: Some(1.0), ..wide };
        match self {
            Family::XeLp => {
                Parameters { num_threads_per_eu: 7, large_register_count: 128, has_float64: false, ..narrow }
            }
            Family::XeHpg => Parameters {
                has_float64: false,
                has_bfloat16_conversion: true,
                extensions: &[SubgroupMma, CooperativeMatrix, SplitBarrier, CacheControls],
                matrix_engine: Some(MatrixEngine::EIGHT_LANES),
                memory_rate: Some(0.52),
                ..narrow
            },
            Family::XeLpg => narrow,
            Family::XeLpgPlus => Parameters {
                has_bfloat16_conversion: true,
                extensions: &[SubgroupMma, CooperativeMatrix, SplitBarrier, CacheControls],
                matrix_engine: Some(MatrixEngine::EIGHT_LANES),
                ..narrow
            },
            Family::XeHpc => wide,
            Family::XeHpcVg => Parameters {
                extensions: &[Block2dIo, SplitBarrier, BufferPrefetch, CacheControls],
                matrix_engine: None,
                ..wide
            },
            Family::Xe2 => half_rate,
            Family::Xe3 => Parameters { num_threads_per_eu: 10, exchanges_halves: false, ..half_rate },
        }
    }
}

impl Parameters {
    /// Features that the family's drivers take, when no driver can be asked.
    ///
    /// No driver compiles atomic f16 additions.
    pub(super) fn features(&self) -> FeatureSet {
        use SpirvFeature as F;
        let mut features = FeatureSet::of(self.extensions);
        let standard = SpirvFeature::ALL.iter().take(SpirvFeature::STANDARD_COUNT);
        for &feature in standard {
            let available = match feature {
                F::AtomicFloat16AddLocal | F::AtomicFloat16AddGlobal => false,
                F::Float64
                | F::AtomicFloat64AddLocal
                | F::AtomicFloat64AddGlobal
                | F::AtomicFloat64MinMaxLocal
                | F::AtomicFloat64MinMaxGlobal => self.has_float64,
                F::Bfloat16Conversion => self.has_bfloat16_conversion,
                _ => true,
            };
            features.set(feature, available);
        }
        features
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_architectures() {
        for &architecture in Architecture::ALL {
            assert_eq!(architecture.spelling().parse(), Ok(architecture));
            assert_eq!(Architecture::from_code(architecture.ip_version()), Some(architecture));
            assert!(Family::of(architecture.ip_version()).is_some());
        }
        assert_eq!("acm-g10".parse(), Ok(Architecture::Dg2));
        let error = "PVC".parse::<Architecture>().unwrap_err();
        assert_eq!(error.status(), crate::status::Status::UnsupportedDevice);
        assert_eq!(error.to_string(), "unknown device \"PVC\"");
    }

    #[test]
    fn families_ignore_the_revision() {
        let table = [
            (0x0300_0000, Family::XeLp),
            (0x0302_8000, Family::XeLp),
            (0x030d_c008, Family::XeHpg),
            (0x030e_4000, Family::XeHpg),
            (0x030f_0007, Family::XeHpc),
            (0x030f_0fff, Family::XeHpc),
            (0x030f_4007, Family::XeHpcVg),
            (0x0311_8004, Family::XeLpg),
            (0x0311_c004, Family::XeLpg),
            (0x0312_8004, Family::XeLpgPlus),
            (0x0500_4000, Family::Xe2),
            (0x0500_8000, Family::Xe2),
            (0x0501_0004, Family::Xe2),
            (0x0780_0004, Family::Xe3),
            (0x08c2_c001, Family::Xe3),
        ];
        for (ip_version, family) in table {
            assert_eq!(Family::of(ip_version), Some(family), "{ip_version:#x}");
        }
        for unknown in [0, 0x0240_0000, 0x030c_0000, 0xffff_ffff] {
            assert_eq!(Family::of(unknown), None, "{unknown:#x}");
        }
    }
}
