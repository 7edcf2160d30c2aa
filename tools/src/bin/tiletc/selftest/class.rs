//! Classes of features: what a device claims, and what to set where it does not keep that.

use super::case::Case;
use super::cases;
use tiletc::device::{Avoidance, CoreInfo, SpirvFeature};
use tiletc::runtime::Recording;

macro_rules! classes {
    ($($name:ident = $spelling:literal, $avoidance:expr, $summary:literal;)*) => {
        /// A class of features.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Class {
            $(#[doc = $summary] $name,)*
        }

        impl Class {
            /// Every class, in the order in which they are tested: simple ones, on which the others rely, come first.
            pub const ALL: &'static [Class] = &[$(Class::$name,)*];

            /// Its name.
            pub const fn name(self) -> &'static str {
                match self { $(Class::$name => $spelling,)* }
            }

            /// The class of messages and instructions without which the compiler does not need it; `None` if it always does.
            pub const fn avoidance(self) -> Option<Avoidance> {
                match self { $(Class::$name => $avoidance,)* }
            }

            /// One line about it.
            pub const fn summary(self) -> &'static str {
                match self { $(Class::$name => $summary,)* }
            }
        }
    };
}

classes! {
    Numbers = "numbers", None, "arithmetic and conversions of all types of numbers";
    Bf16 = "bf16_conversion", Some(Avoidance::Bfloat16Conversion), "conversions of f32 to bf16 and back";
    Groups = "groups", None, "numbers of work-groups, subgroups and work-items";
    Subgroups = "subgroup", None, "reductions, scans and broadcasts in subgroups of every size";
    Barrier = "barrier", None, "barriers of a work-group";
    SplitBarrier = "split_barrier", Some(Avoidance::SplitBarrier), "barriers whose halves are apart";
    LocalMemory = "local_memory", None, "memory that a work-group shares";
    Atomics = "atomic", None, "atomic loads, stores and updates of integers";
    FloatAtomics = "atomic_float", None, "atomic sums and extremes of floating-point numbers";
    Offsets = "large_offset", None, "offsets of more than 32 bits";
    Block1d = "block1d", Some(Avoidance::Block1d), "block loads and stores of rows";
    Block2d = "block2d", Some(Avoidance::Block2d), "2D block loads";
    Transpose = "block2d_transpose", Some(Avoidance::Block2dTranspose), "2D block loads that transpose";
    Store = "block2d_store", Some(Avoidance::Block2dStore), "2D block stores";
    Engine = "matrix_engine", Some(Avoidance::MatrixEngine), "products on the matrix engine (DPAS)";
    JointMatrix = "cooperative_matrix", Some(Avoidance::MatrixEngine), "products on the matrix engine as cooperative matrices of SPIR-V";
    Transform = "block2d_transform", Some(Avoidance::Block2dTransform), "2D block loads that pack rows for the matrix engine";
    Prefetch = "block2d_prefetch", Some(Avoidance::Block2dPrefetch), "2D block prefetches";
    Tf32 = "tf32", Some(Avoidance::Tf32Rounding), "rounding to tf32, and its products";
    LargeRegisterFile = "large_register_file", Some(Avoidance::LargeRegisterFile), "256 registers for a hardware thread";
    Variants = "variants", None, "products of sizes and layouts that only the launch knows";
    Graphs = "graph", None, "launches that are recorded and executed twice, as graphs are";
}

impl Class {
    /// The class of a name.
    pub fn named(name: &str) -> Option<Class> {
        Class::ALL.iter().copied().find(|class| class.name() == name)
    }

    /// Returns whether a failure of the other class makes this one fail, too. All rest on numbers of work-items.
    pub fn uses(self, other: Class) -> bool {
        self != Class::Groups && other == Class::Groups || self.rests_on().contains(&other)
    }

    fn rests_on(self) -> &'static [Class] {
        match self {
            Class::Numbers
            | Class::Bf16
            | Class::Groups
            | Class::Subgroups
            | Class::Barrier
            | Class::Block1d => &[],
            Class::LocalMemory | Class::Atomics => &[Class::Barrier],
            Class::Graphs => &[Class::Numbers],
            Class::Block2d | Class::Transpose | Class::Store => &[Class::Atomics],
            Class::SplitBarrier | Class::FloatAtomics => &[Class::Barrier, Class::Atomics],
            Class::Offsets | Class::Engine | Class::JointMatrix => &[],
            Class::Tf32 => &[Class::Engine],
            Class::Transform => &[Class::Engine, Class::Block2d, Class::Store],
            Class::Prefetch => &[Class::Engine, Class::Transform, Class::Block2d, Class::Store],
            Class::LargeRegisterFile => &[Class::Engine, Class::Subgroups],
            Class::Variants => &[
                Class::Numbers,
                Class::Bf16,
                Class::Subgroups,
                Class::Barrier,
                Class::LocalMemory,
                Class::Block1d,
                Class::Block2d,
                Class::Transpose,
                Class::Store,
                Class::Engine,
                Class::JointMatrix,
                Class::Transform,
                Class::Prefetch,
                Class::LargeRegisterFile,
            ],
        }
    }

    /// The way in which its cases are launched, if not once.
    pub fn recording(self) -> Option<Recording> {
        (self == Class::Graphs).then_some(cases::graphs::RECORDING)
    }

    /// Returns whether the device of the description, whose driver can record launches or not, claims to have it: also if kernels do without, or have it because
    /// they do without something else.
    pub fn is_claimed(self, info: &CoreInfo, can_record: bool) -> bool {
        [info, &info.as_claimed()].into_iter().any(|info| self.is_had(info, can_record))
    }

    fn is_had(self, info: &CoreInfo, can_record: bool) -> bool {
        let have = |feature| info.have(feature);
        let has_engine = info.dpas_engine().is_some();
        match self {
            Class::Numbers
            | Class::Barrier
            | Class::LocalMemory
            | Class::Atomics
            | Class::Offsets
            | Class::Groups
            | Class::Variants => true,
            Class::Graphs => can_record,
            Class::Bf16 => have(SpirvFeature::Bfloat16Conversion),
            Class::Subgroups => have(SpirvFeature::Groups),
            Class::SplitBarrier => have(SpirvFeature::SplitBarrier),
            Class::FloatAtomics => {
                have(SpirvFeature::AtomicFloat32AddGlobal) || have(SpirvFeature::AtomicFloat32AddLocal)
            }
            Class::Block1d => have(SpirvFeature::SubgroupBufferBlockIo),
            Class::Block2d | Class::Transpose | Class::Store => info.block_2d_io().is_some(),
            Class::Transform | Class::Prefetch => info.block_2d_io().is_some() && has_engine,
            Class::Engine => has_engine,
            Class::JointMatrix => info.joint_matrix().is_some(),
            Class::Tf32 => have(SpirvFeature::Tf32Rounding) && has_engine,
            Class::LargeRegisterFile => info.has_large_register_file(),
        }
    }

    /// The cases that a device of the description shall pass.
    pub fn cases(self, info: &CoreInfo) -> Vec<Case> {
        match self {
            Class::Numbers => cases::numbers::arithmetic(info),
            Class::Bf16 => cases::numbers::bf16(info),
            Class::Groups => cases::groups::numbers(info),
            Class::Subgroups => cases::subgroups::all(info),
            Class::Barrier => cases::groups::barriers(info),
            Class::SplitBarrier => cases::groups::split_barriers(info),
            Class::LocalMemory => cases::groups::local_memory(info),
            Class::Atomics => cases::atomics::integers(info),
            Class::FloatAtomics => cases::atomics::floats(info),
            Class::Offsets => cases::offsets::all(info),
            Class::Block1d => cases::blocks::rows(info),
            Class::Block2d => cases::blocks::loads(info),
            Class::Transpose => cases::blocks::transposes(info),
            Class::Store => cases::blocks::stores(info),
            Class::Prefetch => cases::products::prefetches(info),
            Class::Engine => cases::products::engine(info),
            Class::JointMatrix => cases::products::joint_matrix(info),
            Class::Transform => cases::products::transforms(info),
            Class::Tf32 => cases::products::tf32(info),
            Class::LargeRegisterFile => cases::products::large_register_file(info),
            Class::Variants => cases::variants::all(info),
            Class::Graphs => cases::graphs::all(info),
        }
    }
}
