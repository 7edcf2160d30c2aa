//! Queries of an OpenCL device, and the description that follows from them.

use std::ffi::{CStr, c_void};
use std::ptr;

use opencl_sys::*;
use rspirv::spirv::Capability;

use super::amx;
use super::api::{Api, call};
use crate::device::{CoreInfo, Family, SpirvFeature};
use crate::runtime::{Error, SupportLevel, answer, float_atomics};

const VENDOR_INTEL: cl_uint = 0x8086;
const VENDOR_AMD: cl_uint = 0x1002;

/// The register file of an AMD compute unit over the subgroups that share it.
const AMD_REGISTER_SPACE: i32 = 512 * 1024 / 32;
/// The smallest register file of an Intel GPU, for those whose driver does not say which one it is.
const UNKNOWN_GPU_REGISTER_SPACE: i32 = 32 * 128;

// Queries of cl_ext_float_atomics, which opencl-sys lacks.
const CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT: cl_device_info = 0x4231;
const CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT: cl_device_info = 0x4232;
const CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT: cl_device_info = 0x4233;
/// Query of cl_khr_spirv_queries, which opencl-sys lacks, too.
const CL_DEVICE_SPIRV_CAPABILITIES_KHR: cl_device_info = 0x12bb;

/// Bytes of the vector registers of this machine's CPU: 32 registers of 64 bytes with AVX-512, else 16 of 32.
fn cpu_register_space() -> i32 {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx512f") {
        return 32 * 64;
    }
    16 * 32
}

/// A device of the loader.
#[derive(Clone, Copy)]
pub(super) struct DeviceInfo<'a> {
    api: &'a Api,
    id: cl_device_id,
}

/// Types that a driver may fill in byte by byte.
///
/// # Safety
/// Every bit pattern is a value of the type.
unsafe trait Answer: Copy + Default {}

// SAFETY: integers.
unsafe impl Answer for u8 {}
// SAFETY: integers.
unsafe impl Answer for u32 {}
// SAFETY: integers.
unsafe impl Answer for u64 {}
// SAFETY: integers.
unsafe impl Answer for usize {}
// SAFETY: an integer and an array of bytes.
unsafe impl Answer for NameVersion {}

/// `cl_name_version`, with a default.
#[repr(C)]
#[derive(Clone, Copy)]
struct NameVersion {
    version: cl_version,
    name: [u8; CL_NAME_VERSION_MAX_NAME_SIZE],
}

impl Default for NameVersion {
    fn default() -> Self {
        NameVersion { version: 0, name: [0; CL_NAME_VERSION_MAX_NAME_SIZE] }
    }
}

impl<'a> DeviceInfo<'a> {
    /// # Safety
    /// `id` is null or a device of the loader.
    pub(super) unsafe fn new(api: &'a Api, id: cl_device_id) -> Result<DeviceInfo<'a>, Error> {
        Error::unless_null(id, "null device")?;
        Ok(DeviceInfo { api, id })
    }

    pub(super) fn id(&self) -> cl_device_id {
        self.id
    }

    pub(super) fn name(&self) -> Result<String, Error> {
        self.text(CL_DEVICE_NAME)
    }

    pub(super) fn driver_version(&self) -> Result<String, Error> {
        self.text(CL_DRIVER_VERSION)
    }

    /// Names device and driver. The extensions tell apart CPUs of one name that a virtual machine shows in
    /// different ways.
    pub(super) fn identity(&self) -> Result<String, Error> {
        let platform = [CL_PLATFORM_NAME, CL_PLATFORM_VERSION].map(|query| self.platform_text(query));
        let device =
            [CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DEVICE_VERSION, CL_DRIVER_VERSION, CL_DEVICE_EXTENSIONS]
                .map(|query| self.text(query));
        let texts: Vec<String> = platform.into_iter().chain(device).collect::<Result<_, _>>()?;
        Ok(format!("OpenCL {texts:?} {:#x}", self.ip_version()?))
    }

    pub(super) fn is_gpu(&self) -> Result<bool, Error> {
        Ok(self.value::<cl_device_type>(CL_DEVICE_TYPE)? & CL_DEVICE_TYPE_GPU != 0)
    }

    fn is_cpu(&self) -> Result<bool, Error> {
        Ok(self.value::<cl_device_type>(CL_DEVICE_TYPE)? & CL_DEVICE_TYPE_CPU != 0)
    }

    pub(super) fn platform(&self) -> Result<cl_platform_id, Error> {
        let address: usize = self.value(CL_DEVICE_PLATFORM)?;
        Ok(ptr::with_exposed_provenance_mut(address))
    }

    /// The address of a function of an extension; null if the platform lacks it.
    pub(super) fn extension_function(&self, name: &CStr) -> Result<*mut c_void, Error> {
        let platform = self.platform()?;
        let function = "clGetExtensionFunctionAddressForPlatform";
        let get = self.api.clGetExtensionFunctionAddressForPlatform;
        let get = get.ok_or(Error::FunctionMissing { function })?;
        // SAFETY: the platform is valid, the name ends in NUL.
        Ok(unsafe { get(platform, name.as_ptr()) })
    }

    pub(super) fn has_extension(&self, name: &str) -> Result<bool, Error> {
        Ok(self.text(CL_DEVICE_EXTENSIONS)?.split_ascii_whitespace().any(|extension| extension == name))
    }

    /// Returns whether the device can allocate memory that host and device share.
    pub(super) fn has_shared_memory(&self) -> Result<bool, Error> {
        Ok(self.known::<cl_bitfield>(CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL)? != 0)
    }

    pub(super) fn support_level(&self) -> Result<SupportLevel, Error> {
        if !self.has_subgroups()? {
            return Ok(SupportLevel::None);
        }
        let is_intel_gpu = self.value::<cl_uint>(CL_DEVICE_VENDOR_ID)? == VENDOR_INTEL && self.is_gpu()?;
        let is_tuned =
            is_intel_gpu && Family::of(self.recognised_ip_version()?).is_some_and(Family::is_tuned);
        Ok(if is_tuned { SupportLevel::Tuned } else { SupportLevel::Basic })
    }

    pub(super) fn core_info(&self) -> Result<CoreInfo, Error> {
        let vendor: cl_uint = self.value(CL_DEVICE_VENDOR_ID)?;
        let mut info = match vendor {
            VENDOR_INTEL if self.is_gpu()? => self.intel_gpu()?,
            VENDOR_INTEL if self.is_cpu()? => {
                CoreInfo::cpu(cpu_register_space(), self.max_work_group_size()?, &self.subgroup_sizes()?)
            }
            VENDOR_AMD => {
                let width: cl_uint = self.value(CL_DEVICE_WAVEFRONT_WIDTH_AMD)?;
                CoreInfo::generic(AMD_REGISTER_SPACE, self.max_work_group_size()?, &[to_i32(width)])
            }
            _ => {
                let reason = format!("{} (vendor {vendor:#x}) is no GPU or CPU of Intel", self.name()?);
                return Err(Error::UnsupportedDevice { reason });
            }
        };
        let alignment: cl_uint = self.value(CL_DEVICE_MEM_BASE_ADDR_ALIGN)?;
        info.set_default_alignment(to_i32(alignment / 8));
        info.set_local_memory_size(self.value(CL_DEVICE_LOCAL_MEM_SIZE)?);
        self.add_features(&mut info)?;
        let version = to_text(if_known(self.list(CL_DRIVER_VERSION))?);
        info.avoid_defects(driver_build(&version));
        info.set_driver(&self.name()?, &version);
        Ok(info)
    }

    fn intel_gpu(&self) -> Result<CoreInfo, Error> {
        let subgroup_sizes = self.subgroup_sizes()?;
        let max_work_group_size = self.max_work_group_size()?;
        let ip_version = self.recognised_ip_version()?;
        let mut info = if self.has_extension("cl_intel_device_attribute_query")? {
            let num_eus: cl_uint = self.value(CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL)?;
            let num_threads: cl_uint = self.value(CL_DEVICE_NUM_THREADS_PER_EU_INTEL)?;
            CoreInfo::intel(ip_version, to_i32(num_eus), to_i32(num_threads), &subgroup_sizes)
        } else if let Some(info) = CoreInfo::of_family(ip_version, &subgroup_sizes) {
            info
        } else {
            return Ok(CoreInfo::generic(UNKNOWN_GPU_REGISTER_SPACE, max_work_group_size, &subgroup_sizes));
        };
        info.limit_work_group_size(max_work_group_size);
        // The engine and the ways to memory are the family's, not those of the list of extensions, which drivers
        // forget to complete (decision 0014).
        Ok(info)
    }

    fn add_features(&self, info: &mut CoreInfo) -> Result<(), Error> {
        let has_subgroups =
            self.major_version()? >= 2 && self.known::<cl_uint>(CL_DEVICE_MAX_NUM_SUB_GROUPS)? != 0;
        let float64_config: cl_bitfield = self.known(CL_DEVICE_DOUBLE_FP_CONFIG)?;
        let has_int64_atomics = self.has_extension("cl_khr_int64_base_atomics")?
            || self.has_extension("cl_khr_int64_extended_atomics")?;
        info.set(SpirvFeature::Float16, self.has_extension("cl_khr_fp16")?);
        info.set(SpirvFeature::Float64, float64_config != 0 || self.has_extension("cl_khr_fp64")?);
        info.set(SpirvFeature::Groups, has_subgroups);
        info.set(SpirvFeature::SubgroupDispatch, has_subgroups);
        info.set(SpirvFeature::SubgroupBufferBlockIo, self.has_extension("cl_intel_spirv_subgroups")?);
        info.set(SpirvFeature::Int64Atomics, has_int64_atomics);
        if self.has_extension("cl_intel_bfloat16_conversions")? {
            info.set(SpirvFeature::Bfloat16Conversion, true);
        }
        if self.has_extension("cl_ext_float_atomics")? {
            let capabilities = [
                self.known::<cl_bitfield>(CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT)?,
                self.known::<cl_bitfield>(CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT)?,
                self.known::<cl_bitfield>(CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT)?,
            ];
            float_atomics::set_features(info, capabilities);
        }
        if self.is_cpu()? {
            // SAFETY: the device is valid since this was made.
            let has_amx = unsafe { amx::is_usable(self.api, self.id, self.identity()?, info) };
            info.set(SpirvFeature::CooperativeMatrix, has_amx);
        } else if info.family().is_none() {
            let capabilities: Vec<cl_uint> = if_known(self.list(CL_DEVICE_SPIRV_CAPABILITIES_KHR))?;
            let has_matrices = capabilities.contains(&(Capability::CooperativeMatrixKHR as cl_uint));
            info.set(SpirvFeature::CooperativeMatrix, has_matrices);
        }
        Ok(())
    }

    fn has_subgroups(&self) -> Result<bool, Error> {
        if self.has_extension("cl_khr_subgroups")? || self.has_extension("cl_intel_subgroups")? {
            return Ok(true);
        }
        Ok(self.major_version()? >= 3 && self.has_language_feature("__opencl_c_subgroups")?)
    }

    fn has_language_feature(&self, name: &str) -> Result<bool, Error> {
        let features: Vec<NameVersion> = if_known(self.list(CL_DEVICE_OPENCL_C_FEATURES))?;
        Ok(features.iter().any(|feature| {
            let mut text = feature.name.split(|&byte| byte == 0);
            text.next() == Some(name.as_bytes())
        }))
    }

    /// The IP version of a GPU of Intel's, 0 if nothing tells it.
    fn recognised_ip_version(&self) -> Result<u32, Error> {
        let pci_id: cl_uint = self.known(CL_DEVICE_ID_INTEL)?;
        Ok(Family::recognise(self.ip_version()?, pci_id, &self.name()?))
    }

    /// The IP version, 0 if the driver does not know.
    fn ip_version(&self) -> Result<u32, Error> {
        self.known(CL_DEVICE_IP_VERSION_INTEL)
    }

    fn subgroup_sizes(&self) -> Result<Vec<i32>, Error> {
        let sizes: Vec<usize> = self.list(CL_DEVICE_SUB_GROUP_SIZES_INTEL)?;
        Ok(sizes.into_iter().map(to_i32).collect())
    }

    fn max_work_group_size(&self) -> Result<i32, Error> {
        self.value::<usize>(CL_DEVICE_MAX_WORK_GROUP_SIZE).map(to_i32)
    }

    /// Major number out of `OpenCL 3.0 …`.
    fn major_version(&self) -> Result<u32, Error> {
        let text = self.text(CL_DEVICE_VERSION)?;
        let number = text.split_ascii_whitespace().nth(1).unwrap_or_default();
        Ok(number.split('.').next().and_then(|major| major.parse().ok()).unwrap_or(0))
    }

    fn text(&self, query: cl_device_info) -> Result<String, Error> {
        self.list(query).map(to_text)
    }

    fn platform_text(&self, query: cl_platform_info) -> Result<String, Error> {
        let platform = self.platform()?;
        let mut size = 0;
        // SAFETY: the platform is that of the device; only the size is stored.
        unsafe { call!(self.api, clGetPlatformInfo(platform, query, 0, ptr::null_mut(), &mut size)) }?;
        let mut bytes = answer::buffer("clGetPlatformInfo", size, 0u8)?;
        let result = bytes.as_mut_ptr().cast();
        // SAFETY: as before; the text is stored into memory of its size.
        unsafe { call!(self.api, clGetPlatformInfo(platform, query, size, result, ptr::null_mut())) }?;
        Ok(to_text(bytes))
    }

    fn value<T: Answer>(&self, query: cl_device_info) -> Result<T, Error> {
        let mut value = T::default();
        let result = (&raw mut value).cast();
        // SAFETY: the device is valid since it was made; the value is stored into memory of its size, and
        // whatever is stored is a value of the type.
        unsafe {
            call!(self.api, clGetDeviceInfo(self.id, query, size_of::<T>(), result, ptr::null_mut()))?;
        }
        Ok(value)
    }

    /// The same, and 0 if the driver has never heard of the query.
    fn known<T: Answer>(&self, query: cl_device_info) -> Result<T, Error> {
        if_known(self.value(query))
    }

    fn list<T: Answer>(&self, query: cl_device_info) -> Result<Vec<T>, Error> {
        let mut size = 0;
        // SAFETY: the device is valid since it was made; only the size is stored.
        unsafe { call!(self.api, clGetDeviceInfo(self.id, query, 0, ptr::null_mut(), &mut size)) }?;
        let mut list = answer::buffer("clGetDeviceInfo", size / size_of::<T>(), T::default())?;
        let (size, result) = (size_of_val(list.as_slice()), list.as_mut_ptr().cast());
        // SAFETY: the list is stored into memory of its size, and whatever is stored are values of the type.
        unsafe { call!(self.api, clGetDeviceInfo(self.id, query, size, result, ptr::null_mut())) }?;
        Ok(list)
    }
}

/// A text that a driver reports, without the NUL at its end.
fn to_text(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).trim_end_matches('\0').to_owned()
}

/// Nothing instead of the error of a driver that is older than the query.
fn if_known<T: Default>(answer: Result<T, Error>) -> Result<T, Error> {
    match answer {
        Err(Error::Call { code: CL_INVALID_VALUE, .. }) => Ok(T::default()),
        answer => answer,
    }
}

/// The build in a version of Intel's driver, `24.35.30872.22`.
fn driver_build(version: &str) -> Option<u32> {
    version.split('.').nth(2)?.parse().ok()
}

/// Sizes that a driver reports; what does not fit is as good as unlimited.
fn to_i32(value: impl TryInto<i32>) -> i32 {
    value.try_into().unwrap_or(i32::MAX)
}
