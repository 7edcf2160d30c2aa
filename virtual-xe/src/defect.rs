//! Defects: wrong behaviours that a device can be given on purpose, so that tests show what finds them.
//!
//! Each acts at one place of the machine, which asks for it there: [`Device::has`](crate::Device::has) and the
//! translation ask the device, execution asks its environment.

macro_rules! defects {
    ($($(#[$doc:meta])* $name:ident = $spelling:literal;)*) => {
        /// A wrong behaviour of a device.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Defect {
            $($(#[$doc])* $name,)*
        }

        impl Defect {
            /// Every defect.
            pub const ALL: &'static [Defect] = &[$(Defect::$name,)*];

            /// The name of the defect.
            pub const fn name(self) -> &'static str {
                match self { $(Defect::$name => $spelling,)* }
            }
        }
    };
}

defects! {
    /// 2D block messages are refused, although whoever knows the device counts on them.
    MissingBlock2d = "missing-2d-blocks";
    /// Atomic sums of f32 are refused, likewise.
    MissingFloatAtomics = "missing-float-atomics";
    /// 2D block loads repeat the last row instead of zeros below the matrix.
    Block2dRepeatsEdge = "2d-load-repeats-edge";
    /// 2D block loads of several blocks exchange the first two.
    Block2dExchangesBlocks = "2d-load-exchanges-blocks";
    /// 2D block loads that transpose leave rows and columns as they are.
    TransposeAsWritten = "transpose-as-written";
    /// 2D block loads that transform exchange the rows of each pair.
    TransformExchangesPairs = "transform-exchanges-pairs";
    /// 2D block stores write below the matrix, too.
    Block2dStoreUnclipped = "2d-store-unclipped";
    /// The driver's compiler refuses 2D prefetches.
    PrefetchRefused = "2d-prefetch-refused";
    /// 1D block loads begin one number later.
    Block1dMisplaced = "1d-load-misplaced";
    /// Barriers of the work-group do not wait.
    BarrierIgnored = "barrier-ignored";
    /// The second half of a split barrier does not wait.
    SplitBarrierIgnored = "split-barrier-ignored";
    /// The engine takes neighbouring rows of A for each other.
    EngineRowsExchanged = "engine-rows-exchanged";
    /// The engine repeats at most four times, and takes the first rows of A for the rest, too.
    EngineRepeatsFour = "engine-repeats-four";
    /// The engine takes signed bytes for unsigned ones.
    EngineBytesUnsigned = "engine-bytes-unsigned";
    /// The engine forms sums of f16 and bf16 in their own precision, although the result is f32.
    EngineSumsNarrow = "engine-sums-narrow";
    /// Roundings to tf32 cut off.
    Tf32Truncated = "tf32-truncated";
    /// Conversions to bf16 cut off.
    Bf16Truncated = "bf16-truncated";
    /// Local memory begins anew after 512 bytes.
    LocalMemoryWraps = "local-memory-wraps";
    /// Of an atomic access, the update of the last lane is lost.
    AtomicUpdateLost = "atomic-update-lost";
    /// Offsets of pointers have 32 bits.
    Offsets32 = "offsets-32";
    /// Reductions and scans of a subgroup leave out the last lane.
    ReduceLosesLane = "reduce-loses-lane";
    /// Broadcasts from a constant lane take the number of its neighbour.
    BroadcastFromNext = "broadcast-from-next";
    /// Subgroups have the largest size that there is, whatever kernels ask for.
    SubgroupSizeIgnored = "subgroup-size-ignored";
    /// Work-groups are told the number of the first one in the second direction.
    GroupIdFlat = "group-id-flat";
    /// The driver's compiler refuses 256 registers.
    LargeRegisterFileRefused = "large-register-file-refused";
    /// Recorded launches that are executed again are lost.
    ReplayLost = "replay-lost";
}

impl Defect {
    /// The defect of a name.
    pub fn named(name: &str) -> Option<Defect> {
        Defect::ALL.iter().copied().find(|defect| defect.name() == name)
    }
}
