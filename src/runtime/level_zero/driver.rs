//! Calls to the functions of Level Zero, by purpose.

use std::ffi::{CStr, CString, c_void};
use std::mem;
use std::ptr;
use std::sync::OnceLock;

use level_zero_sys::*;
use libloading::Library;

use crate::device::{CoreInfo, Family, SpirvFeature};
use crate::runtime::{Binary, BundleFormat, Error, SupportLevel, answer, float_atomics, library};

#[cfg(not(windows))]
const LIBRARIES: &[&str] = &["libze_loader.so.1", "libze_loader.so"];
#[cfg(windows)]
const LIBRARIES: &[&str] = &["ze_loader.dll"];

const VENDOR_INTEL: u32 = 0x8086;

/// Asks the driver for the larger register file.
const LARGE_REGISTER_FILE_FLAG: &CStr = c"-ze-opt-large-register-file";

/// The functions of a loader.
pub(super) struct Driver {
    pub(super) api: LevelZero,
}

/// Calls a function; its error if it is missing or fails. To be used in `unsafe`.
macro_rules! call {
    ($driver:expr, $name:ident($($argument:expr),* $(,)?)) => {
        match &$driver.api.$name {
            Ok(function) => {
                $crate::runtime::level_zero::driver::check(stringify!($name), function($($argument),*))
            }
            Err(_) => Err($crate::runtime::Error::FunctionMissing { function: stringify!($name) }),
        }
    };
}
pub(super) use call;

impl Driver {
    /// The functions of the installed loader, which is looked for until it is found.
    pub(super) fn get() -> Result<&'static Driver, Error> {
        static DRIVER: OnceLock<Driver> = OnceLock::new();
        if let Some(driver) = DRIVER.get() {
            return Ok(driver);
        }
        let driver = Driver::load(library::open("Level Zero", LIBRARIES)?)?;
        Ok(DRIVER.get_or_init(|| driver))
    }

    /// The functions of a library.
    pub(super) fn load(library: Library) -> Result<Driver, Error> {
        // SAFETY: what has the name of a Level Zero function is one.
        let api = unsafe { LevelZero::from_library(library) };
        let missing =
            |error| Error::DriverMissing { interface: "Level Zero", reason: library::explain(&error) };
        Ok(Driver { api: api.map_err(missing)? })
    }

    /// # Safety
    /// `device` is a device of the loader.
    pub(super) unsafe fn support_level(&self, device: ze_device_handle_t) -> Result<SupportLevel, Error> {
        // SAFETY: the device is valid by contract.
        let (properties, ip_version) = unsafe { self.device_properties(device) }?;
        Ok(if properties.vendorId != VENDOR_INTEL {
            SupportLevel::None
        } else if Family::of(ip_version).is_some_and(Family::is_tuned) {
            SupportLevel::Tuned
        } else {
            SupportLevel::Basic
        })
    }

    /// # Safety
    /// `device` is a device of the loader.
    pub(super) unsafe fn core_info(&self, device: ze_device_handle_t) -> Result<CoreInfo, Error> {
        // SAFETY: the device is valid by contract.
        let (properties, ip_version) = unsafe { self.device_properties(device) }?;
        // SAFETY: as before.
        let compute = unsafe { self.compute_properties(device) }?;
        let number = usize::try_from(compute.numSubGroupSizes).unwrap_or(usize::MAX);
        let subgroup_sizes: Vec<i32> =
            compute.subGroupSizes.iter().take(number).copied().map(to_i32).collect();
        let (num_eus, num_threads) =
            (to_i32(properties.numEUsPerSubslice), to_i32(properties.numThreadsPerEU));
        let mut info = CoreInfo::intel(ip_version, num_eus, num_threads, &subgroup_sizes);
        info.limit_work_group_size(to_i32(compute.maxTotalGroupSize));
        info.set_local_memory_size(u64::from(compute.maxSharedLocalMemory));
        // SAFETY: as before.
        unsafe { self.add_features(device, &mut info) }?;
        info.avoid_defects(self.driver_build());
        if let Ok(version) = self.driver_version() {
            info.set_driver(&device_name(&properties), &version);
        }
        Ok(info)
    }

    /// # Safety
    /// `device` is a device of the loader.
    unsafe fn add_features(&self, device: ze_device_handle_t, info: &mut CoreInfo) -> Result<(), Error> {
        let mut atomics: ze_float_atomic_ext_properties_t = zeroed();
        atomics.stype = ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES;
        let mut module: ze_device_module_properties_t = zeroed();
        module.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES;
        module.pNext = (&raw mut atomics).cast::<c_void>();
        // SAFETY: the device is valid by contract; both structures carry their types and outlive the call.
        unsafe { call!(self, zeDeviceGetModuleProperties(device, &mut module)) }?;

        let has = |flag| module.flags & flag != 0;
        let (has_float16, has_float64) = (has(ZE_DEVICE_MODULE_FLAG_FP16), has(ZE_DEVICE_MODULE_FLAG_FP64));
        info.set(SpirvFeature::Float16, has_float16);
        info.set(SpirvFeature::Float64, has_float64);
        info.set(SpirvFeature::Int64Atomics, has(ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS));
        info.set(SpirvFeature::Groups, true);
        info.set(SpirvFeature::SubgroupDispatch, true);
        info.set(SpirvFeature::SubgroupBufferBlockIo, true);
        let capabilities = [
            if has_float16 { atomics.fp16Flags } else { 0 },
            atomics.fp32Flags,
            if has_float64 { atomics.fp64Flags } else { 0 },
        ];
        float_atomics::set_features(info, capabilities.map(u64::from));
        Ok(())
    }

    /// The properties and the IP version, which is 0 if the driver does not know it and nothing else tells it.
    ///
    /// # Safety
    /// `device` is a device of the loader.
    pub(super) unsafe fn device_properties(
        &self,
        device: ze_device_handle_t,
    ) -> Result<(ze_device_properties_t, u32), Error> {
        let mut ip_version: ze_device_ip_version_ext_t = zeroed();
        ip_version.stype = ZE_STRUCTURE_TYPE_DEVICE_IP_VERSION_EXT;
        let mut properties: ze_device_properties_t = zeroed();
        properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
        properties.pNext = (&raw mut ip_version).cast::<c_void>();
        // SAFETY: the device is valid by contract; both structures carry their types and outlive the call.
        unsafe { call!(self, zeDeviceGetProperties(device, &mut properties)) }?;
        properties.pNext = ptr::null_mut();
        let is_intels = properties.vendorId == VENDOR_INTEL;
        let ip_version = match ip_version.ipVersion {
            0 if is_intels => Family::recognise(0, properties.deviceId, &device_name(&properties)),
            known => known,
        };
        Ok((properties, ip_version))
    }

    /// Ticks a second of the device's clock, and the bits of a kernel's timestamps that count.
    ///
    /// # Safety
    /// `device` is a device of the loader.
    pub(super) unsafe fn clock(&self, device: ze_device_handle_t) -> Result<(u64, u32), Error> {
        let mut properties: ze_device_properties_t = zeroed();
        // With the older type the resolution would be in whole nanoseconds.
        properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
        // SAFETY: the device is valid by contract; the structure carries its type and outlives the call.
        unsafe { call!(self, zeDeviceGetProperties(device, &mut properties)) }?;
        if properties.timerResolution == 0 {
            let nonsense = "reports a clock without ticks".to_owned();
            return Err(Error::Answer { function: "zeDeviceGetProperties", nonsense });
        }
        Ok((properties.timerResolution, properties.kernelTimestampValidBits))
    }

    /// # Safety
    /// `device` is a device of the loader.
    unsafe fn compute_properties(
        &self,
        device: ze_device_handle_t,
    ) -> Result<ze_device_compute_properties_t, Error> {
        let mut properties: ze_device_compute_properties_t = zeroed();
        properties.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES;
        // SAFETY: the device is valid by contract; the structure carries its type and outlives the call.
        unsafe { call!(self, zeDeviceGetComputeProperties(device, &mut properties)) }?;
        Ok(properties)
    }

    /// # Safety
    /// `context` is a context of the loader and `device` one of its devices.
    pub(super) unsafe fn create_module(
        &self,
        context: ze_context_handle_t,
        device: ze_device_handle_t,
        binary: &Binary,
    ) -> Result<ze_module_handle_t, Error> {
        let mut description: ze_module_desc_t = zeroed();
        description.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
        description.format = match binary.format() {
            BundleFormat::Spirv => ZE_MODULE_FORMAT_IL_SPIRV,
            BundleFormat::Native => ZE_MODULE_FORMAT_NATIVE,
        };
        description.inputSize = binary.data().len();
        description.pInputModule = binary.data().as_ptr();
        if binary.needs_large_register_file() {
            description.pBuildFlags = LARGE_REGISTER_FILE_FLAG.as_ptr();
        }
        let (mut module, mut log) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the handles are valid by contract; the description carries its type and points to the
        // binary's bytes and a text that ends in NUL.
        let built =
            unsafe { call!(self, zeModuleCreate(context, device, &description, &mut module, &mut log)) };
        // SAFETY: the driver has made the log, or left it null.
        let text = unsafe { self.take_log(log) };
        match built {
            Ok(()) => answer::object("zeModuleCreate", module),
            Err(Error::Call { function, code: ZE_BUILD_FAILURE | ZE_LINK_FAILURE, .. }) if text.is_some() => {
                Err(Error::Build { function, log: text.unwrap_or_default() })
            }
            Err(error) => Err(error),
        }
    }

    /// The text of a build log, which is destroyed; `None` if it is null or empty.
    ///
    /// # Safety
    /// `log` is null or a build log of the loader, and not used again.
    unsafe fn take_log(&self, log: ze_module_build_log_handle_t) -> Option<String> {
        if log.is_null() {
            return None;
        }
        let mut size = 0;
        // SAFETY: the log is valid; its text is stored into memory of the size asked for.
        let text = unsafe {
            let text =
                call!(self, zeModuleBuildLogGetString(log, &mut size, ptr::null_mut())).and_then(|()| {
                    let mut text = answer::buffer("zeModuleBuildLogGetString", size, 0u8)?;
                    call!(self, zeModuleBuildLogGetString(log, &mut size, text.as_mut_ptr().cast()))?;
                    Ok(text)
                });
            call!(self, zeModuleBuildLogDestroy(log)).and(text).ok()?
        };
        answer::log(&text)
    }

    /// Creates the kernel of the name and sets its group size to the one that is fixed in it.
    ///
    /// # Safety
    /// `module` is a module of the loader.
    pub(super) unsafe fn create_kernel(
        &self,
        module: ze_module_handle_t,
        name: &str,
    ) -> Result<(ze_kernel_handle_t, [u32; 3]), Error> {
        let Ok(c_name) = CString::new(name) else {
            return Err(Error::InvalidArguments { what: "kernel name with a NUL" });
        };
        let mut description: ze_kernel_desc_t = zeroed();
        description.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC;
        description.pKernelName = c_name.as_ptr();
        let mut kernel = ptr::null_mut();
        // SAFETY: the module is valid by contract; the description carries its type and a name that ends in NUL.
        let created = unsafe { call!(self, zeKernelCreate(module, &description, &mut kernel)) };
        created.map_err(|error| match error {
            Error::Call { code: ZE_INVALID_KERNEL_NAME, .. } => {
                // SAFETY: the module is valid by contract.
                let kernels = unsafe { self.kernel_names(module) }.unwrap_or_default();
                Error::NoKernel { name: name.to_owned(), kernels }
            }
            other => other,
        })?;
        let kernel = answer::object("zeKernelCreate", kernel)?;
        // SAFETY: the kernel has just been made.
        let sized = unsafe { self.group_size(kernel) }.and_then(|size| {
            let [x, y, z] = size;
            // SAFETY: as before.
            unsafe { call!(self, zeKernelSetGroupSize(kernel, x, y, z)) }.map(|()| size)
        });
        match sized {
            Ok(size) => Ok((kernel, size)),
            Err(error) => {
                // SAFETY: nobody else has the kernel. The error that matters is the first one.
                let _ = unsafe { self.destroy_kernel(kernel) };
                Err(error)
            }
        }
    }

    /// # Safety
    /// `module` is a module of the loader that nobody uses any more.
    pub(super) unsafe fn destroy_module(&self, module: ze_module_handle_t) -> Result<(), Error> {
        // SAFETY: the same contract.
        unsafe { call!(self, zeModuleDestroy(module)) }
    }

    /// # Safety
    /// `kernel` is a kernel of the loader that nobody uses any more.
    pub(super) unsafe fn destroy_kernel(&self, kernel: ze_kernel_handle_t) -> Result<(), Error> {
        // SAFETY: the same contract.
        unsafe { call!(self, zeKernelDestroy(kernel)) }
    }

    /// # Safety
    /// `kernel` is a kernel of the loader.
    pub(super) unsafe fn group_size(&self, kernel: ze_kernel_handle_t) -> Result<[u32; 3], Error> {
        // SAFETY: the same contract.
        let properties = unsafe { self.kernel_properties(kernel) }?;
        Ok([properties.requiredGroupSizeX, properties.requiredGroupSizeY, properties.requiredGroupSizeZ])
    }

    /// # Safety
    /// `kernel` is a kernel of the loader.
    pub(super) unsafe fn kernel_properties(
        &self,
        kernel: ze_kernel_handle_t,
    ) -> Result<ze_kernel_properties_t, Error> {
        let mut properties: ze_kernel_properties_t = zeroed();
        properties.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
        // SAFETY: the kernel is valid by contract; the structure carries its type and outlives the call.
        unsafe { call!(self, zeKernelGetProperties(kernel, &mut properties)) }?;
        Ok(properties)
    }
}

const ZE_INVALID_KERNEL_NAME: i32 = ZE_RESULT_ERROR_INVALID_KERNEL_NAME as i32;
const ZE_BUILD_FAILURE: i32 = ZE_RESULT_ERROR_MODULE_BUILD_FAILURE as i32;
const ZE_LINK_FAILURE: i32 = ZE_RESULT_ERROR_MODULE_LINK_FAILURE as i32;

/// Structures of Level Zero, which only hold integers and pointers.
pub(super) trait Structure: Sized {}

impl Structure for ze_device_properties_t {}
impl Structure for ze_device_ip_version_ext_t {}
impl Structure for ze_device_compute_properties_t {}
impl Structure for ze_device_module_properties_t {}
impl Structure for ze_float_atomic_ext_properties_t {}
impl Structure for ze_driver_properties_t {}
impl Structure for ze_context_desc_t {}
impl Structure for ze_command_queue_desc_t {}
impl Structure for ze_command_list_desc_t {}
impl Structure for ze_device_mem_alloc_desc_t {}
impl Structure for ze_host_mem_alloc_desc_t {}
impl Structure for ze_module_desc_t {}
impl Structure for ze_kernel_desc_t {}
impl Structure for ze_kernel_properties_t {}
impl Structure for ze_event_pool_desc_t {}
impl Structure for ze_event_desc_t {}
impl Structure for ze_kernel_timestamp_result_t {}

/// Makes what the interface calls an empty structure.
pub(super) fn zeroed<T: Structure>() -> T {
    // SAFETY: integers may be zero and raw pointers null.
    unsafe { mem::zeroed() }
}

/// Turns a result code into a result.
pub(super) fn check(function: &'static str, code: ze_result_t) -> Result<(), Error> {
    if code == ZE_RESULT_SUCCESS {
        return Ok(());
    }
    Err(Error::Call { function, code: i32::try_from(code).unwrap_or(i32::MAX), name: code_name(code) })
}

fn code_name(code: ze_result_t) -> Option<&'static str> {
    macro_rules! names {
        ($($name:ident)*) => {
            match code { $($name => Some(stringify!($name)),)* _ => None }
        };
    }
    names! {
        ZE_RESULT_NOT_READY ZE_RESULT_ERROR_DEVICE_LOST ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY
        ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY ZE_RESULT_ERROR_MODULE_BUILD_FAILURE
        ZE_RESULT_ERROR_MODULE_LINK_FAILURE ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET
        ZE_RESULT_ERROR_DEVICE_IN_LOW_POWER_STATE ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS
        ZE_RESULT_ERROR_NOT_AVAILABLE ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE ZE_RESULT_ERROR_UNINITIALIZED
        ZE_RESULT_ERROR_UNSUPPORTED_VERSION ZE_RESULT_ERROR_UNSUPPORTED_FEATURE
        ZE_RESULT_ERROR_INVALID_ARGUMENT ZE_RESULT_ERROR_INVALID_NULL_HANDLE
        ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE ZE_RESULT_ERROR_INVALID_NULL_POINTER
        ZE_RESULT_ERROR_INVALID_SIZE ZE_RESULT_ERROR_UNSUPPORTED_SIZE ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT
        ZE_RESULT_ERROR_INVALID_ENUMERATION ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION
        ZE_RESULT_ERROR_INVALID_NATIVE_BINARY ZE_RESULT_ERROR_INVALID_KERNEL_NAME
        ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX
        ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED
        ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT ZE_RESULT_ERROR_INVALID_KERNEL_ATTRIBUTE_VALUE
        ZE_RESULT_ERROR_OVERLAPPING_REGIONS ZE_RESULT_ERROR_UNKNOWN
    }
}

/// The name of a device, up to its NUL.
pub(super) fn device_name(properties: &ze_device_properties_t) -> String {
    let name = properties.name.iter().map(|character| character.cast_unsigned());
    let name: Vec<u8> = name.take_while(|&byte| byte != 0).collect();
    String::from_utf8_lossy(&name).into_owned()
}

/// Sizes that a driver reports; what does not fit is as good as unlimited.
fn to_i32(value: u32) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}
