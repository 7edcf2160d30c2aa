//! One device: registers, subgroup sizes, work-group limits, features (lowering reference 2.2 and 2.5).

use super::architecture::{Architecture, Family, Parameters};
use super::avoidance::{Avoidance, Avoidances};
use super::block_io::Block2dIo;
use super::error::Error;
use super::features::{CoreFeatures, FeatureSet, SpirvFeature};
use super::joint_matrix::JointMatrix;
use super::matrix_engine::MatrixEngine;
use super::quirks::{self, Defect, Driven};

/// Alignment in bytes that memref arguments are assumed to have unless told otherwise.
const DEFAULT_ALIGNMENT: i32 = 128;
/// Registers of a thread with the small register file, on every Intel GPU.
const SMALL_REGISTER_COUNT: i32 = 128;
/// Largest work-group that drivers admit whatever the number of threads.
const MAX_WORK_GROUP_SIZE: i32 = 1024;
/// f32 numbers in the widest vector register of a CPU.
const CPU_LANES: i32 = 16;

/// A device as the compiler sees it.
#[derive(Clone, Debug)]
pub struct CoreInfo {
    core: Core,
    subgroup_sizes: Vec<i32>,
    features: FeatureSet,
    avoided: Avoidances,
    default_alignment: i32,
    /// Bytes, if they are known.
    local_memory_size: Option<i64>,
    /// The device and its driver, if that told of it.
    driver: Option<String>,
}

/// Source of registers and work-group limits.
#[derive(Clone, Debug)]
enum Core {
    Generic { register_space: i32, max_work_group_size: i32 },
    Cpu { register_space: i32, max_work_group_size: i32 },
    Intel(IntelCore),
}

/// An Intel GPU: hardware threads share execution units and the register file.
#[derive(Clone, Debug)]
struct IntelCore {
    ip_version: u32,
    num_eus_per_subslice: i32,
    num_threads_per_eu: i32,
    register_size: i32,
    large_register_count: i32,
    max_work_group_size: i32,
    core_features: CoreFeatures,
    matrix_engine: Option<MatrixEngine>,
}

impl CoreInfo {
    /// Bytes of shared local memory that every GPU has.
    pub const MIN_LOCAL_MEMORY: i64 = 64 * 1024;
    /// Bytes of a line of the caches.
    pub const CACHE_LINE_BYTES: i64 = 64;
    /// Banks of local memory, each of which moves a word a cycle (oneAPI optimization guide for GPUs, Shared Local Memory).
    pub const LOCAL_BANKS: u64 = 16;
    /// Bytes of such a word.
    pub const LOCAL_BANK_BYTES: u64 = 4;

    /// A device known only by its numbers: bytes of registers a subgroup has, largest work-group, and
    /// subgroup sizes in the order of preference. No features, no matrix engine, no known limit of local
    /// memory.
    pub fn generic(register_space: i32, max_work_group_size: i32, subgroup_sizes: &[i32]) -> CoreInfo {
        CoreInfo {
            core: Core::Generic { register_space, max_work_group_size },
            subgroup_sizes: subgroup_sizes.to_vec(),
            features: FeatureSet::default(),
            avoided: Avoidances::from_environment(),
            default_alignment: DEFAULT_ALIGNMENT,
            local_memory_size: None,
            driver: None,
        }
    }

    /// A CPU with so many bytes of vector registers: a subgroup runs in one thread, its work-items in the lanes of the
    /// registers. No features, no matrix engine, no known limit of local memory.
    pub fn cpu(register_space: i32, max_work_group_size: i32, subgroup_sizes: &[i32]) -> CoreInfo {
        let core = Core::Cpu { register_space, max_work_group_size };
        let info = CoreInfo::generic(register_space, max_work_group_size, subgroup_sizes);
        let mut info = CoreInfo { core, ..info };
        info.avoid_defects(None);
        info
    }

    /// Returns whether the device is a CPU.
    pub fn is_cpu(&self) -> bool {
        matches!(self.core, Core::Cpu { .. })
    }

    /// An Intel GPU of any IP version, as a driver describes it.
    ///
    /// All features are off but those that no driver can be asked about, which follow the family. A GPU of
    /// no known family has narrow registers, a register file of one size, no matrix engine and as much local
    /// memory as the smallest GPUs.
    pub fn intel(
        ip_version: u32,
        num_eus_per_subslice: i32,
        num_threads_per_eu: i32,
        subgroup_sizes: &[i32],
    ) -> CoreInfo {
        let family = Family::of(ip_version).map(Family::parameters);
        let mut features = FeatureSet::of(family.as_ref().map_or(&[], |family| family.extensions));
        let has_bfloat16 = family.as_ref().is_some_and(|family| family.has_bfloat16_conversion);
        features.set(SpirvFeature::Bfloat16Conversion, has_bfloat16);
        let local_memory_size =
            family.as_ref().map_or(CoreInfo::MIN_LOCAL_MEMORY, |family| family.local_memory_size);
        let mut subgroup_sizes = subgroup_sizes.to_vec();
        subgroup_sizes.sort_unstable();
        let core = IntelCore {
            ip_version,
            num_eus_per_subslice,
            num_threads_per_eu,
            register_size: family.as_ref().map_or(32, |family| family.register_size),
            large_register_count: family
                .as_ref()
                .map_or(SMALL_REGISTER_COUNT, |family| family.large_register_count),
            max_work_group_size: MAX_WORK_GROUP_SIZE,
            core_features: CoreFeatures::default(),
            matrix_engine: family.and_then(|family| family.matrix_engine),
        };
        let mut info = CoreInfo {
            core: Core::Intel(core),
            subgroup_sizes,
            features,
            avoided: Avoidances::from_environment(),
            default_alignment: DEFAULT_ALIGNMENT,
            local_memory_size: Some(local_memory_size),
            driver: None,
        };
        info.avoid_defects(None);
        info
    }

    /// An Intel GPU of which the driver tells the subgroup sizes only; the rest is its family's. `None` if the family
    /// is not known.
    pub fn of_family(ip_version: u32, subgroup_sizes: &[i32]) -> Option<CoreInfo> {
        let Parameters { num_eus_per_subslice, num_threads_per_eu, .. } =
            Family::of(ip_version)?.parameters();
        Some(CoreInfo::intel(ip_version, num_eus_per_subslice, num_threads_per_eu, subgroup_sizes))
    }

    /// A known Intel GPU, with all the features its drivers have.
    pub fn from_architecture(architecture: Architecture) -> CoreInfo {
        let ip_version = architecture.ip_version();
        let Some(parameters) = Family::of(ip_version).map(Family::parameters) else {
            return CoreInfo::intel(ip_version, 0, 0, &[]);
        };
        let Parameters { num_eus_per_subslice, num_threads_per_eu, subgroup_sizes, .. } = parameters;
        CoreInfo {
            features: parameters.features(),
            ..CoreInfo::intel(ip_version, num_eus_per_subslice, num_threads_per_eu, subgroup_sizes)
        }
    }

    /// A known Intel GPU by its name (`pvc`, `bmg`, …); `None` if there is none of that name.
    pub fn from_name(name: &str) -> Option<CoreInfo> {
        name.parse().ok().map(CoreInfo::from_architecture)
    }

    /// The device with another matrix engine.
    #[cfg(test)]
    pub fn with_matrix_engine(mut self, engine: MatrixEngine) -> CoreInfo {
        if let Core::Intel(core) = &mut self.core {
            core.matrix_engine = Some(engine);
        }
        self
    }

    /// Subgroup sizes of the device; ascending for Intel GPUs.
    pub fn subgroup_sizes(&self) -> &[i32] {
        &self.subgroup_sizes
    }

    /// Bytes of registers that a subgroup has, with the core features as they are set.
    pub fn register_space(&self) -> i32 {
        match &self.core {
            Core::Generic { register_space, .. } | Core::Cpu { register_space, .. } => *register_space,
            Core::Intel(core) => core.register_size.saturating_mul(core.register_count()),
        }
    }

    /// Bytes of a register; 0 for CPUs and generic devices.
    pub fn register_bytes(&self) -> i64 {
        match &self.core {
            Core::Generic { .. } | Core::Cpu { .. } => 0,
            Core::Intel(core) => i64::from(core.register_size),
        }
    }

    /// Vector engines of a core, if there is a driver that says so or the architecture is known.
    pub fn engines_of_core(&self) -> Option<u64> {
        match &self.core {
            Core::Generic { .. } | Core::Cpu { .. } => None,
            Core::Intel(core) => u64::try_from(core.num_eus_per_subslice).ok().filter(|&count| count > 0),
        }
    }

    /// Lanes of the widest subgroups with 1D block messages. Intel's compiler has none for 32 lanes where registers have 32 bytes: "Block reads
    /// not supported in SIMD32".
    pub fn max_block_1d_lanes(&self) -> i32 {
        if self.register_bytes() == 32 { 16 } else { 32 }
    }

    /// Returns whether the device has a register file larger than the usual one.
    pub fn has_large_register_file(&self) -> bool {
        match &self.core {
            Core::Generic { .. } | Core::Cpu { .. } => false,
            Core::Intel(core) => {
                core.large_register_count > SMALL_REGISTER_COUNT && !self.avoids(Avoidance::LargeRegisterFile)
            }
        }
    }

    /// Options requested of the device; always empty for CPUs and generic devices.
    pub fn core_features(&self) -> CoreFeatures {
        match &self.core {
            Core::Generic { .. } | Core::Cpu { .. } => CoreFeatures::default(),
            Core::Intel(core) => core.core_features,
        }
    }

    /// Requests options of the device; generic devices have none and ignore the request, as all do that for what is avoided.
    pub fn set_core_features(&mut self, core_features: CoreFeatures) {
        let is_avoided =
            core_features == CoreFeatures::LARGE_REGISTER_FILE && self.avoids(Avoidance::LargeRegisterFile);
        if let Core::Intel(core) = &mut self.core {
            core.core_features = if is_avoided { CoreFeatures::default() } else { core_features };
        }
    }

    /// Returns whether the device's SPIR-V consumer supports the feature, and nothing that is avoided needs it.
    pub fn have(&self, feature: SpirvFeature) -> bool {
        self.features.contains(feature) && !self.avoided.cover(feature)
    }

    /// The device as its driver claims it to be, with nothing that kernels do without.
    #[must_use]
    pub fn as_claimed(&self) -> CoreInfo {
        CoreInfo { avoided: Avoidances::default(), ..self.clone() }
    }

    /// Classes that kernels for the device do without: those of `TILETC_AVOID`, and known defects of its driver.
    pub fn avoided(&self) -> Avoidances {
        self.avoided
    }

    /// Returns whether kernels do without a class.
    pub fn avoids(&self, class: Avoidance) -> bool {
        self.avoided.contains(class)
    }

    /// Makes kernels do without these classes, too.
    pub fn avoid(&mut self, classes: Avoidances) {
        self.avoided = self.avoided.and(classes);
    }

    /// Makes kernels do without what the device's driver is known to get wrong in the build; if that is not known, without what all builds get
    /// wrong.
    pub fn avoid_defects(&mut self, build: Option<u32>) {
        let device = match &self.core {
            Core::Generic { .. } => return,
            Core::Cpu { .. } => Driven::Cpu,
            Core::Intel(core) => Driven::Gpu(Family::of(core.ip_version)),
        };
        let defects = quirks::known(device, build);
        for Defect { avoid, reason } in &defects {
            if !self.avoids(*avoid) {
                log::debug!("driver: {reason}; avoided: {}", avoid.spelling());
            }
        }
        self.avoid(defects.into_iter().map(|defect| defect.avoid).collect());
    }

    /// Limits of the device's 2D block messages; `None` if it has none.
    pub fn block_2d_io(&self) -> Option<&'static Block2dIo> {
        let io = self.family().map_or(&Block2dIo::XE, |family| family.parameters().block_2d_io);
        self.have(SpirvFeature::Block2dIo).then_some(io)
    }

    /// Work-items that subgroups without a product for an engine best have at most: those of the 2D block messages where there
    /// are any. More of them than a CPU's registers hold take several registers for each value, fewer leave lanes idle.
    pub fn preferred_lanes(&self) -> i32 {
        self.block_2d_io().map_or(CPU_LANES, |io| io.lanes)
    }

    /// Declares the feature available or not.
    pub fn set(&mut self, feature: SpirvFeature, available: bool) {
        self.features.set(feature, available);
    }

    /// Alignment in bytes of every memref argument that has no `alignment` attribute.
    pub fn default_alignment(&self) -> i32 {
        self.default_alignment
    }

    /// Alignment in bytes that code for the device relies on where a memref argument has no `alignment` attribute. Processors
    /// load from any address, and their runtimes allocate numbers that are no more aligned than a vector of four.
    pub fn relied_alignment(&self) -> i32 {
        if self.is_cpu() { self.default_alignment.min(16) } else { self.default_alignment }
    }

    /// Changes the alignment in bytes of memref arguments that have no `alignment` attribute.
    pub fn set_default_alignment(&mut self, alignment: i32) {
        self.default_alignment = alignment;
    }

    /// The device and the version of its driver, if that told of the device.
    pub fn driver(&self) -> Option<&str> {
        self.driver.as_deref()
    }

    /// Takes the name of the device and the version of its driver from that.
    pub fn set_driver(&mut self, device: &str, version: &str) {
        self.driver = Some(format!("{device}, {version}"));
    }

    /// Bytes of shared local memory that a work-group may use; `None` if nobody knows.
    pub fn local_memory_size(&self) -> Option<i64> {
        self.local_memory_size
    }

    /// Takes the bytes of shared local memory from a driver; 0 says nothing.
    pub fn set_local_memory_size(&mut self, bytes: u64) {
        if bytes > 0 {
            self.local_memory_size = Some(i64::try_from(bytes).unwrap_or(i64::MAX));
        }
    }

    /// Largest work-group, in work-items, of kernels with the subgroup size.
    pub fn max_work_group_size(&self, subgroup_size: i32) -> i32 {
        match &self.core {
            Core::Generic { max_work_group_size, .. } | Core::Cpu { max_work_group_size, .. } => {
                *max_work_group_size
            }
            Core::Intel(core) => {
                let smallest = self.subgroup_sizes.iter().copied().min().unwrap_or(0);
                core.max_work_group_size(subgroup_size, smallest)
            }
        }
    }

    /// The largest work-group that every subgroup size admits; 0 if there is no subgroup size.
    pub fn minmax_work_group_size(&self) -> i32 {
        self.subgroup_sizes.iter().map(|&size| self.max_work_group_size(size)).min().unwrap_or(0)
    }

    /// Lowers the largest work-group to what a driver reports.
    pub fn limit_work_group_size(&mut self, limit: i32) {
        let size = match &mut self.core {
            Core::Generic { max_work_group_size, .. } | Core::Cpu { max_work_group_size, .. } => {
                max_work_group_size
            }
            Core::Intel(core) => &mut core.max_work_group_size,
        };
        *size = limit.min(*size);
    }

    /// The matrix engine, if the device has one and the subgroup size that it works with.
    pub fn matrix_engine(&self) -> Option<&MatrixEngine> {
        match &self.core {
            Core::Generic { .. } | Core::Cpu { .. } => None,
            Core::Intel(core) => core
                .matrix_engine
                .as_ref()
                .filter(|engine| self.subgroup_sizes.contains(&engine.subgroup_size())),
        }
    }

    /// Bytes that memory brings in a cycle to each vector engine if all read at once, from published bandwidths and clocks; `None`
    /// where nobody has looked them up.
    pub fn memory_rate(&self) -> Option<f64> {
        self.family()?.parameters().memory_rate
    }

    /// The matrix engine, if subgroups reach it by an instruction of its own.
    pub fn dpas_engine(&self) -> Option<&MatrixEngine> {
        self.matrix_engine().filter(|_| self.have(SpirvFeature::SubgroupMma))
    }

    /// The tiles of the matrix engine, if cooperative matrices of SPIR-V are the only way to it.
    pub fn joint_matrix(&self) -> Option<&'static JointMatrix> {
        if !self.have(SpirvFeature::CooperativeMatrix) || self.dpas_engine().is_some() {
            return None;
        }
        match &self.core {
            Core::Generic { .. } => Some(&JointMatrix::PORTABLE),
            Core::Cpu { .. } => Some(&JointMatrix::AMX),
            Core::Intel(_) => self.matrix_engine()?.tiles(),
        }
    }

    /// Returns whether Intel's compiler exchanges the halves of a subgroup by plain moves.
    pub fn exchanges_halves(&self) -> bool {
        self.family().is_some_and(|family| family.parameters().exchanges_halves)
    }

    /// The design the device belongs to; `None` for generic devices and unknown GPUs.
    pub fn family(&self) -> Option<Family> {
        match &self.core {
            Core::Generic { .. } | Core::Cpu { .. } => None,
            Core::Intel(core) => Family::of(core.ip_version),
        }
    }

    /// Checks that kernels can be made for the device at all.
    ///
    /// # Errors
    /// If there is no subgroup size, or one that is no power of two, or no registers, or no room for a
    /// work-item.
    pub fn validate(&self) -> Result<(), Error> {
        if self.subgroup_sizes.is_empty() {
            return Err(Error::NoSubgroupSizes);
        }
        let register_space = self.register_space();
        if register_space <= 0 {
            return Err(Error::InvalidRegisterSpace { register_space });
        }
        for &subgroup_size in &self.subgroup_sizes {
            if subgroup_size.count_ones() != 1 || subgroup_size < 0 {
                return Err(Error::InvalidSubgroupSize { subgroup_size });
            }
            if self.max_work_group_size(subgroup_size) <= 0 {
                return Err(Error::NoWorkGroups { subgroup_size });
            }
        }
        Ok(())
    }
}

impl IntelCore {
    fn register_count(&self) -> i32 {
        if self.core_features.contains(CoreFeatures::LARGE_REGISTER_FILE) {
            self.large_register_count
        } else {
            SMALL_REGISTER_COUNT
        }
    }

    /// A work-group occupies one subslice; wide subgroups and many registers take more than one thread's share.
    fn max_work_group_size(&self, subgroup_size: i32, smallest_subgroup_size: i32) -> i32 {
        if subgroup_size <= 0 {
            return 0;
        }
        let threads = i64::from(self.num_threads_per_eu);
        let by_registers = threads * i64::from(SMALL_REGISTER_COUNT) / i64::from(self.register_count());
        let by_width = threads * i64::from(smallest_subgroup_size) / i64::from(subgroup_size);
        let size = i64::from(self.num_eus_per_subslice)
            .saturating_mul(i64::from(subgroup_size))
            .saturating_mul(by_registers.min(by_width));
        // A driver may report nonsense; then the limit is 0 and validation says so.
        i32::try_from(size.clamp(0, i64::from(self.max_work_group_size.max(0)))).unwrap_or(0)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::status::Status;

    fn device(name: &str, large_register_file: bool) -> CoreInfo {
        let mut info = CoreInfo::from_name(name).unwrap();
        if large_register_file {
            info.set_core_features(CoreFeatures::LARGE_REGISTER_FILE);
        }
        info
    }

    #[test]
    fn work_group_limits_follow_threads_and_registers() {
        type Row = (&'static str, bool, &'static [(i32, i32)], i32);
        let table: &[Row] = &[
            ("tgl", false, &[(8, 448), (16, 384), (32, 256)], 256),
            ("tgl", true, &[(8, 448), (16, 384), (32, 256)], 256),
            ("pvc", false, &[(16, 1024), (32, 1024)], 1024),
            ("pvc", true, &[(16, 512), (32, 1024)], 512),
            ("bmg", false, &[(16, 1024), (32, 1024)], 1024),
            ("bmg", true, &[(16, 512), (32, 1024)], 512),
            ("lnl", false, &[(16, 1024), (32, 1024)], 1024),
            ("ptl", false, &[(16, 1024), (32, 1024)], 1024),
            ("dg2", false, &[(8, 512), (16, 512), (32, 512)], 512),
            ("dg2", true, &[(8, 256), (16, 512), (32, 512)], 256),
        ];
        for &(name, large, limits, minimum) in table {
            let info = device(name, large);
            for &(subgroup_size, limit) in limits {
                assert_eq!(info.max_work_group_size(subgroup_size), limit, "{name} {subgroup_size}");
            }
            assert_eq!(info.minmax_work_group_size(), minimum, "{name}");
            assert_eq!(info.validate(), Ok(()));
        }
        let mut info = device("pvc", false);
        info.limit_work_group_size(512);
        assert_eq!(info.max_work_group_size(32), 512);
    }

    #[test]
    fn register_space_follows_the_register_file() {
        let table = [
            ("tgl", 4096, 4096),
            ("dg2", 4096, 8192),
            ("mtl", 4096, 8192),
            ("arl-h", 4096, 8192),
            ("pvc", 8192, 16384),
            ("bmg", 8192, 16384),
            ("lnl", 8192, 16384),
            ("ptl", 8192, 16384),
        ];
        for (name, small, large) in table {
            assert_eq!(device(name, false).register_space(), small, "{name}");
            assert_eq!(device(name, true).register_space(), large, "{name}");
        }
    }

    #[test]
    fn features_of_known_devices() {
        use SpirvFeature as F;
        let off = |info: &CoreInfo| -> Vec<F> {
            let standard = F::ALL.iter().copied().take(F::STANDARD_COUNT);
            standard.filter(|&feature| !info.have(feature)).collect()
        };
        assert_eq!(off(&device("pvc", false)), [F::AtomicFloat16AddLocal, F::AtomicFloat16AddGlobal]);
        assert_eq!(off(&device("bmg", false)), off(&device("pvc", false)));
        assert_eq!(
            off(&device("tgl", false)),
            [
                F::Float64,
                F::AtomicFloat16AddLocal,
                F::AtomicFloat16AddGlobal,
                F::AtomicFloat64AddLocal,
                F::AtomicFloat64AddGlobal,
                F::AtomicFloat64MinMaxLocal,
                F::AtomicFloat64MinMaxGlobal,
                F::Bfloat16Conversion,
            ]
        );
        for (name, mma, block2d) in [
            ("tgl", false, false),
            ("mtl-h", false, false),
            ("arl-h", false, false),
            ("dg2", true, false),
            ("pvc-vg", false, true),
            ("pvc", true, true),
            ("lnl", true, true),
            ("ptl", true, true),
        ] {
            let info = device(name, false);
            assert_eq!(info.have(F::SubgroupMma), mma, "{name}");
            assert_eq!(info.have(F::Block2dIo), block2d, "{name}");
        }
    }

    #[test]
    fn local_memory_follows_the_family_until_a_driver_is_asked() {
        for (name, kibibytes) in
            [("tgl", 64), ("dg2", 64), ("arl-h", 64), ("pvc", 128), ("bmg", 128), ("ptl", 128)]
        {
            assert_eq!(device(name, false).local_memory_size(), Some(1024 * kibibytes), "{name}");
        }
        let mut info = CoreInfo::generic(2048, 8192, &[16]);
        assert_eq!(info.local_memory_size(), None);
        info.set_local_memory_size(0);
        assert_eq!(info.local_memory_size(), None);
        info.set_local_memory_size(256 * 1024);
        assert_eq!(info.local_memory_size(), Some(256 * 1024));
    }

    #[test]
    fn engines_follow_the_family() {
        let engine_size = |info: &CoreInfo| info.matrix_engine().map(|engine| engine.subgroup_size());
        for (name, size) in [
            ("tgl", None),
            ("mtl", None),
            ("pvc-vg", None),
            ("dg2", Some(8)),
            ("arl-h", Some(8)),
            ("pvc", Some(16)),
            ("bmg-g31", Some(16)),
            ("lnl", Some(16)),
            ("ptl", Some(16)),
        ] {
            assert_eq!(engine_size(&device(name, false)), size, "{name}");
        }
        assert_eq!(engine_size(&CoreInfo::intel(0x030f_0007, 8, 8, &[32])), None);
    }

    #[test]
    fn intel_gpus_start_without_queried_features() {
        let info = CoreInfo::intel(0x030f_0007, 8, 8, &[32, 16]);
        assert_eq!(info.subgroup_sizes(), [16, 32]);
        assert!(info.have(SpirvFeature::Bfloat16Conversion) && !info.have(SpirvFeature::Float16));
        let unknown = CoreInfo::intel(0, 8, 7, &[8, 16]);
        assert_eq!((unknown.register_space(), unknown.family()), (4096, None));
        assert!(SpirvFeature::ALL.iter().all(|&feature| !unknown.have(feature)));
    }

    #[test]
    fn generic_devices_are_taken_at_their_word() {
        let mut info = CoreInfo::generic(2048, 8192, &[16, 4]);
        info.set_core_features(CoreFeatures::LARGE_REGISTER_FILE);
        assert_eq!(info.core_features(), CoreFeatures::default());
        assert_eq!(info.subgroup_sizes(), [16, 4]);
        assert_eq!((info.register_space(), info.max_work_group_size(4)), (2048, 8192));
        assert!(info.matrix_engine().is_none());
        assert_eq!(info.default_alignment(), 128);
        info.set_default_alignment(64);
        assert_eq!(info.default_alignment(), 64);
    }

    #[test]
    fn unusable_descriptions_are_refused() {
        let status = |info: CoreInfo| info.validate().unwrap_err().status();
        assert_eq!(status(CoreInfo::generic(2048, 8192, &[])), Status::OutOfRange);
        assert_eq!(status(CoreInfo::generic(2048, 0, &[16])), Status::InvalidCoreInfo);
        assert_eq!(status(CoreInfo::generic(0, 8192, &[16])), Status::InvalidCoreInfo);
        assert_eq!(status(CoreInfo::generic(2048, 8192, &[16, 24])), Status::InvalidCoreInfo);
        assert_eq!(status(CoreInfo::generic(2048, 8192, &[i32::MIN])), Status::InvalidCoreInfo);
        for n in [i32::MIN, -1, 0] {
            assert_eq!(status(CoreInfo::intel(0x030f_0000, n, 8, &[16])), Status::InvalidCoreInfo);
        }
        let huge = CoreInfo::intel(0x030f_0000, i32::MAX, i32::MAX, &[16, 1 << 30]);
        assert_eq!(huge.max_work_group_size(1 << 30), 1024);
    }
}
