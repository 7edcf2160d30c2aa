//! Native binaries that a driver has made of a module.

use std::ffi::{CStr, c_char};
use std::ptr;

use level_zero_sys::*;

use super::driver::{Driver, call, device_name, zeroed};
use crate::runtime::{Error, KernelReport, answer};

impl Driver {
    /// Names device and driver. No function tells the driver of a device, so all of them are named; the driver's
    /// own word for which binaries it takes is the identifier of the native format.
    ///
    /// # Safety
    /// `device` is a device of the loader.
    pub(super) unsafe fn identity(&self, device: ze_device_handle_t) -> Result<String, Error> {
        // SAFETY: the device is valid by contract.
        let (properties, ip_version) = unsafe { self.device_properties(device) }?;
        let mut module: ze_device_module_properties_t = zeroed();
        module.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES;
        // SAFETY: as before; the structure carries its type and outlives the call.
        unsafe { call!(self, zeDeviceGetModuleProperties(device, &mut module)) }?;
        let ze_device_properties_t { vendorId: vendor, deviceId: id, flags, .. } = properties;
        Ok(format!(
            "Level Zero {:?} {} {vendor:#x} {id:#x} {flags:#x} {ip_version:#x} {:?}",
            self.driver_versions()?,
            device_name(&properties).escape_default(),
            module.nativeKernelSupported.id,
        ))
    }

    /// The build of the driver, as its version `1.3.30872` has it in the lower half; `None` if there are several drivers, or the one
    /// does not tell.
    pub(super) fn driver_build(&self) -> Option<u32> {
        match self.driver_versions().ok()?.as_slice() {
            [version] => Some(version & 0xffff),
            _ => None,
        }
    }

    /// The versions of the drivers, as in `1.3.30872`.
    pub(super) fn driver_version(&self) -> Result<String, Error> {
        let shown = |version: u32| format!("{}.{}.{}", version >> 24, version >> 16 & 0xff, version & 0xffff);
        Ok(self.driver_versions()?.into_iter().map(shown).collect::<Vec<_>>().join(" and "))
    }

    fn driver_versions(&self) -> Result<Vec<u32>, Error> {
        let mut count = 0;
        // SAFETY: only the number is stored.
        unsafe { call!(self, zeDriverGet(&mut count, ptr::null_mut())) }?;
        let length = usize::try_from(count).unwrap_or(usize::MAX);
        let mut drivers: Vec<ze_driver_handle_t> = answer::buffer("zeDriverGet", length, ptr::null_mut())?;
        // SAFETY: the list has room for that many.
        unsafe { call!(self, zeDriverGet(&mut count, drivers.as_mut_ptr())) }?;
        let version = |driver| {
            let driver = answer::object("zeDriverGet", driver)?;
            let mut properties: ze_driver_properties_t = zeroed();
            properties.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES;
            // SAFETY: the loader has just listed the driver; the structure carries its type and outlives the call.
            unsafe { call!(self, zeDriverGetProperties(driver, &mut properties)) }?;
            Ok(properties.driverVersion)
        };
        drivers.into_iter().map(version).collect()
    }

    /// Reports on the kernels of a module, but for their registers.
    ///
    /// # Safety
    /// `module` is a module of the loader.
    pub(super) unsafe fn kernel_reports(
        &self,
        module: ze_module_handle_t,
    ) -> Result<Vec<KernelReport>, Error> {
        // SAFETY: the same contract.
        let names = unsafe { self.kernel_names(module) }?;
        let report = |name: String| {
            // SAFETY: the module is valid by contract; the kernel is not used after its end.
            let properties = unsafe {
                let (kernel, _) = self.create_kernel(module, &name)?;
                let properties = self.kernel_properties(kernel);
                self.destroy_kernel(kernel).and(properties)?
            };
            let [x, y, z] =
                [properties.requiredGroupSizeX, properties.requiredGroupSizeY, properties.requiredGroupSizeZ];
            Ok(KernelReport {
                name,
                group_size: [x, y, z].map(u64::from),
                local_bytes: properties.localMemSize.into(),
                private_bytes: properties.privateMemSize.into(),
                spilled_bytes: Some(properties.spillMemSize.into()),
                registers: None,
            })
        };
        names.into_iter().map(report).collect()
    }

    /// The names of a module's kernels.
    ///
    /// # Safety
    /// `module` is a module of the loader.
    pub(super) unsafe fn kernel_names(&self, module: ze_module_handle_t) -> Result<Vec<String>, Error> {
        let mut count = 0;
        // SAFETY: the module is valid by contract; only the number is stored.
        unsafe { call!(self, zeModuleGetKernelNames(module, &mut count, ptr::null_mut())) }?;
        let length = usize::try_from(count).unwrap_or(usize::MAX);
        let mut names: Vec<*const c_char> = answer::buffer("zeModuleGetKernelNames", length, ptr::null())?;
        // SAFETY: as before; the list has room for that many.
        unsafe { call!(self, zeModuleGetKernelNames(module, &mut count, names.as_mut_ptr())) }?;
        let text = |name: *const c_char| {
            let name = answer::object("zeModuleGetKernelNames", name.cast_mut())?;
            // SAFETY: the driver has just stored the name, which ends in NUL and lives as long as the module.
            Ok(unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
        };
        names.into_iter().map(text).collect()
    }

    /// The native binary of a module.
    ///
    /// # Safety
    /// `module` is a module of the loader.
    pub(super) unsafe fn native_binary(&self, module: ze_module_handle_t) -> Result<Vec<u8>, Error> {
        let mut size = 0;
        // SAFETY: the module is valid by contract; only the size is stored.
        unsafe { call!(self, zeModuleGetNativeBinary(module, &mut size, ptr::null_mut())) }?;
        let mut binary = answer::buffer("zeModuleGetNativeBinary", size, 0u8)?;
        // SAFETY: as before; the binary is stored into memory of the size asked for.
        unsafe { call!(self, zeModuleGetNativeBinary(module, &mut size, binary.as_mut_ptr())) }?;
        Ok(binary)
    }
}
