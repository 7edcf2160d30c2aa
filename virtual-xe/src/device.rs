//! The devices that can be stood in for.

use crate::Defect;
use rspirv::spirv::Capability;

/// Properties of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    name: &'static str,
    ip_version: u32,
    subgroup_sizes: &'static [u32],
    local_memory: u64,
    max_group_size: u32,
    double: bool,
    bfloat: bool,
    matrix: Matrix,
    block_io_2d: bool,
    defect: Option<Defect>,
}

/// Path of kernels to the matrix engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Matrix {
    None,
    /// Through SPV_KHR_cooperative_matrix alone.
    Tiles,
    /// Through SPV_INTEL_subgroup_matrix_multiply_accumulate, too.
    Engine(MatrixEngine),
}

/// A matrix engine that SPV_INTEL_subgroup_matrix_multiply_accumulate reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MatrixEngine {
    /// Lanes of the subgroups that may use it: columns of B and of the result.
    pub lanes: u32,
    /// Rows of A and of the result that an instruction may have.
    pub rows: &'static [usize],
    /// Bits of a row of A.
    pub row_bits: u32,
    /// True if it takes tf32, and adds up in 16 bits.
    pub is_full: bool,
}

const ENGINE: MatrixEngine = MatrixEngine { lanes: 16, rows: &[1, 2, 4, 8], row_bits: 256, is_full: true };

const XE: &[u32] = &[8, 16, 32];
const XE_HPC: &[u32] = &[16, 32];
const KIB: u64 = 1024;

const TGL: Device = Device {
    name: "tgl",
    ip_version: 0x0300_0000,
    subgroup_sizes: XE,
    local_memory: 64 * KIB,
    max_group_size: 512,
    double: false,
    bfloat: false,
    matrix: Matrix::None,
    block_io_2d: false,
    defect: None,
};
const DG2: Device = Device {
    name: "dg2",
    ip_version: 0x030d_c000,
    max_group_size: 1024,
    bfloat: true,
    matrix: Matrix::Engine(MatrixEngine { lanes: 8, is_full: false, ..ENGINE }),
    ..TGL
};
const ARL_H: Device =
    Device { name: "arl-h", ip_version: 0x0312_8000, double: true, matrix: Matrix::Tiles, ..DG2 };
const PVC: Device = Device {
    name: "pvc",
    ip_version: 0x030f_0000,
    subgroup_sizes: XE_HPC,
    local_memory: 128 * KIB,
    max_group_size: 1024,
    double: true,
    bfloat: true,
    matrix: Matrix::Engine(ENGINE),
    block_io_2d: true,
    defect: None,
};
const BMG: Device = Device { name: "bmg", ip_version: 0x0500_4000, ..PVC };
const LNL: Device = Device { name: "lnl", ip_version: 0x0501_0000, ..PVC };
const PTL: Device = Device { name: "ptl", ip_version: 0x0780_0000, ..PVC };
/// Properties of a device on which everything runs, so that modules for any of the others can be tried.
const GENERIC: Device =
    Device { name: "generic", ip_version: 0, subgroup_sizes: XE, max_group_size: 2048, ..PVC };

const ALL: &[Device] = &[PVC, BMG, LNL, PTL, DG2, ARL_H, TGL, GENERIC];

impl Device {
    /// All devices.
    pub fn all() -> &'static [Device] {
        ALL
    }

    /// The device of a name, as `pvc` or `generic`.
    pub fn named(name: &str) -> Option<&'static Device> {
        ALL.iter().find(|device| device.name == name)
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The version of its architecture, as Level Zero gives it (`ze_device_ip_version_ext_t`); zero for the generic
    /// device.
    pub fn ip_version(&self) -> u32 {
        self.ip_version
    }

    /// The sizes that subgroups may have, ascending.
    pub fn subgroup_sizes(&self) -> &'static [u32] {
        self.subgroup_sizes
    }

    /// The size of subgroups in kernels that do not ask for one.
    pub fn default_subgroup_size(&self) -> u32 {
        if self.subgroup_sizes.contains(&16) { 16 } else { 8 }
    }

    /// Bytes of local memory that a work-group may have.
    pub fn local_memory(&self) -> u64 {
        self.local_memory
    }

    /// Work-items that a work-group may have.
    pub fn max_group_size(&self) -> u32 {
        self.max_group_size
    }

    /// Returns whether it computes in double precision.
    pub fn has_double(&self) -> bool {
        self.double
    }

    /// Lanes of the subgroups that may use the matrix engine by an instruction of its own, if there is one.
    pub fn matrix_lanes(&self) -> Option<u32> {
        self.matrix_engine().map(|engine| engine.lanes)
    }

    /// The matrix engine, if kernels reach it by an instruction of its own.
    pub(crate) fn matrix_engine(&self) -> Option<MatrixEngine> {
        match self.matrix {
            Matrix::None | Matrix::Tiles => None,
            Matrix::Engine(engine) => Some(engine),
        }
    }

    /// The device with an engine whose instructions may have so many rows, as no hardware has it.
    pub fn with_engine_rows(mut self, rows: &'static [usize]) -> Device {
        if let Matrix::Engine(engine) = &mut self.matrix {
            engine.rows = rows;
        }
        self
    }

    /// The device with a defect.
    pub fn with_defect(self, defect: Defect) -> Device {
        Device { defect: Some(defect), ..self }
    }

    /// The defect that it was given, if any.
    pub fn defect(&self) -> Option<Defect> {
        self.defect
    }

    /// Divisor of the bytes from one row to the next of a matrix in a 2D block access.
    pub(crate) fn pitch_alignment(&self) -> u32 {
        // Xe2 and later want more than Xe-HPC; the generic device takes what any of them does.
        if matches!(self.ip_version, 0 | 0x030f_0000) { 8 } else { 16 }
    }

    /// Returns whether modules may declare a capability.
    pub fn has(&self, capability: Capability) -> bool {
        use Capability as C;
        match capability {
            C::Subgroup2DBlockIOINTEL if self.defect == Some(Defect::MissingBlock2d) => false,
            C::AtomicFloat32AddEXT if self.defect == Some(Defect::MissingFloatAtomics) => false,
            C::Float64 | C::AtomicFloat64AddEXT | C::AtomicFloat64MinMaxEXT => self.double,
            C::BFloat16TypeKHR | C::BFloat16DotProductKHR => self.bfloat,
            C::CooperativeMatrixKHR => self.matrix != Matrix::None,
            C::SubgroupMatrixMultiplyAccumulateINTEL => self.matrix_engine().is_some(),
            C::TensorFloat32RoundingINTEL => self.matrix_engine().is_some_and(|engine| engine.is_full),
            C::Subgroup2DBlockIOINTEL
            | C::Subgroup2DBlockTransformINTEL
            | C::Subgroup2DBlockTransposeINTEL
            | C::SubgroupBufferPrefetchINTEL => self.block_io_2d,
            C::Addresses
            | C::AtomicFloat32AddEXT
            | C::AtomicFloat32MinMaxEXT
            | C::AtomicFloat16MinMaxEXT
            | C::BFloat16ConversionINTEL
            | C::BitInstructions
            | C::CacheControlsINTEL
            | C::DenormFlushToZero
            | C::DenormPreserve
            | C::ExpectAssumeKHR
            | C::Float16
            | C::Float16Buffer
            | C::GenericPointer
            | C::GroupNonUniform
            | C::GroupNonUniformArithmetic
            | C::GroupNonUniformBallot
            | C::GroupNonUniformClustered
            | C::GroupNonUniformShuffle
            | C::GroupNonUniformShuffleRelative
            | C::GroupNonUniformVote
            | C::GroupUniformArithmeticKHR
            | C::Groups
            | C::Int16
            | C::Int64
            | C::Int64Atomics
            | C::Int8
            | C::Kernel
            | C::Linkage
            | C::RoundingModeRTE
            | C::RoundingModeRTZ
            | C::SignedZeroInfNanPreserve
            | C::SplitBarrierINTEL
            | C::SubgroupBufferBlockIOINTEL
            | C::SubgroupDispatch
            | C::SubgroupShuffleINTEL
            | C::Vector16 => true,
            _ => false,
        }
    }
}
