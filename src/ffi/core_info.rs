//! Device descriptions (API reference 3.10).

use super::arg::{Out, array, enumerator, text};
use super::call::{Outcome, call};
use super::enums;
use super::handle::{Handle, Object, release, retain};
use super::last_error::refuse;
use super::types::*;
use crate::device::{self, Architecture, CoreFeatures, SpirvFeature};
use crate::status::Status;
use std::ffi::c_char;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A device description with setters that another thread may race with.
pub(super) struct CoreInfo {
    info: Mutex<device::CoreInfo>,
    /// The subgroup sizes, which no setter changes; C holds pointers to them.
    subgroup_sizes: Box<[i32]>,
}

impl Object for CoreInfo {
    type Opaque = tiletc_core_info;
    const TAG: u64 = u64::from_be_bytes(*b"tiletc:d");
}

impl CoreInfo {
    /// A handle's worth of a device description.
    pub(super) fn new(info: device::CoreInfo) -> Self {
        let subgroup_sizes = info.subgroup_sizes().into();
        CoreInfo { info: Mutex::new(info), subgroup_sizes }
    }

    /// The description as it is now.
    pub(super) fn snapshot(&self) -> device::CoreInfo {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, device::CoreInfo> {
        self.info.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A feature by its number: an enumerator, or one of tiletc's own, which the enumeration of tinytc has no room for.
fn feature(value: tiletc_spirv_feature_t) -> Outcome<SpirvFeature> {
    let own = SpirvFeature::from_code(value).filter(|feature| feature.is_own());
    own.map_or_else(
        || SpirvFeature::from_code(enumerator(&enums::SPIRV_FEATURE, value)?).ok_or(Status::InvalidArguments),
        Ok,
    )
}

/// Describes a device by its registers (bytes per subgroup), largest work-group (work-items) and subgroup
/// sizes (work-items). Whether they make sense shows when something is compiled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_core_info_generic_create(
    info: *mut tiletc_core_info_t,
    register_space: i32,
    max_work_group_size: i32,
    sgs_size: usize,
    sgs: *const i32,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a writable place and `sgs_size` numbers.
        let (out, sizes) = unsafe { (Out::new(info)?, array(sgs, sgs_size)?) };
        let info = device::CoreInfo::generic(register_space, max_work_group_size, sizes);
        out.set(Handle::new(CoreInfo::new(info)).into_raw());
        Ok(())
    })
}

/// Describes an Intel GPU by its architecture; stores NULL if it is unknown.
///
/// Errors: invalid_arguments if the architecture is unknown.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_core_info_intel_create_from_arch(
    info: *mut tiletc_core_info_t,
    arch: tiletc_intel_gpu_architecture_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or a writable place.
        let out = unsafe { Out::new(info)? };
        let known =
            enumerator(&enums::INTEL_GPU_ARCHITECTURE, arch).ok().and_then(|ip| u32::try_from(ip).ok());
        set_or_null(out, known.and_then(Architecture::from_code).map(device::CoreInfo::from_architecture))
    })
}

/// Describes an Intel GPU by name, e.g. "pvc"; stores NULL if it is unknown.
///
/// Errors: invalid_arguments if the name is unknown.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_core_info_intel_create_from_name(
    info: *mut tiletc_core_info_t,
    name: *const c_char,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a writable place and a NUL-terminated text.
        let (out, name) = unsafe { (Out::new(info)?, text(name)?) };
        set_or_null(out, name.to_str().ok().and_then(device::CoreInfo::from_name))
    })
}

fn set_or_null(out: Out<tiletc_core_info_t>, info: Option<device::CoreInfo>) -> Outcome {
    let Some(info) = info else {
        out.set(std::ptr::null_mut());
        return Err(Status::InvalidArguments);
    };
    out.set(Handle::new(CoreInfo::new(info)).into_raw());
    Ok(())
}

/// Describes an Intel GPU by its IP version and what its driver says about it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_core_info_intel_create(
    info: *mut tiletc_core_info_t,
    ip_version: u32,
    num_eus_per_subslice: i32,
    num_threads_per_eu: i32,
    sgs_size: usize,
    sgs: *const i32,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a writable place and `sgs_size` numbers.
        let (out, sizes) = unsafe { (Out::new(info)?, array(sgs, sgs_size)?) };
        let info = device::CoreInfo::intel(ip_version, num_eus_per_subslice, num_threads_per_eu, sizes);
        out.set(Handle::new(CoreInfo::new(info)).into_raw());
        Ok(())
    })
}

/// Adds a reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_core_info_retain(obj: tiletc_core_info_t) -> tiletc_status_t {
    retain::<CoreInfo>(obj)
}

/// Drops a reference and frees the description with the last one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_core_info_release(obj: tiletc_core_info_t) -> tiletc_status_t {
    release::<CoreInfo>(obj)
}

/// Gets the subgroup sizes, which are valid while the description lives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_core_info_get_subgroup_sizes(
    info: const_tiletc_core_info_t,
    sgs_size: *mut usize,
    sgs: *mut *const i32,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle and two writable places.
        let (info, size, list) =
            unsafe { (Handle::<CoreInfo>::share(info)?, Out::new(sgs_size)?, Out::new(sgs)?) };
        size.set(info.subgroup_sizes.len());
        list.set(info.subgroup_sizes.as_ptr());
        Ok(())
    })
}

/// Gets the bytes of registers per subgroup.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_core_info_get_register_space(
    info: const_tiletc_core_info_t,
    space: *mut i32,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle and a writable place.
        let (info, out) = unsafe { (Handle::<CoreInfo>::share(info)?, Out::new(space)?) };
        out.set(info.lock().register_space());
        Ok(())
    })
}

/// Requests device options, a bit set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_core_info_set_core_features(
    info: tiletc_core_info_t,
    flags: tiletc_core_feature_flags_t,
) -> tiletc_status_t {
    call(|| {
        let info = Handle::<CoreInfo>::share(info)?;
        info.lock().set_core_features(CoreFeatures::from_bits(flags));
        Ok(())
    })
}

/// Gets the requested device options.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_core_info_get_core_features(
    info: const_tiletc_core_info_t,
    flags: *mut tiletc_core_feature_flags_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle and a writable place.
        let (info, out) = unsafe { (Handle::<CoreInfo>::share(info)?, Out::new(flags)?) };
        out.set(info.lock().core_features().bits());
        Ok(())
    })
}

/// Says whether a SPIR-V feature is available. Besides the enumerators, features take the numbers of tiletc's own ones, see the
/// manual on devices.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_core_info_set_spirv_feature(
    info: tiletc_core_info_t,
    feature: tiletc_spirv_feature_t,
    available: tiletc_bool_t,
) -> tiletc_status_t {
    call(|| {
        let info = Handle::<CoreInfo>::share(info)?;
        info.lock().set(self::feature(feature)?, available != 0);
        Ok(())
    })
}

/// Asks whether a SPIR-V feature is available.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_core_info_have_spirv_feature(
    info: const_tiletc_core_info_t,
    feature: tiletc_spirv_feature_t,
    available: *mut tiletc_bool_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle and a writable place.
        let (info, out) = unsafe { (Handle::<CoreInfo>::share(info)?, Out::new(available)?) };
        out.set(u8::from(info.lock().have(self::feature(feature)?)));
        Ok(())
    })
}

/// Tests whether two devices are Intel GPUs of one family, so that a SPIR-V module for one is good for the other.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_core_info_is_same_family(
    info: const_tiletc_core_info_t,
    other: const_tiletc_core_info_t,
    is_same: *mut tiletc_bool_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, live handles and a writable place.
        let (info, other, out) = unsafe {
            (Handle::<CoreInfo>::share(info)?, Handle::<CoreInfo>::share(other)?, Out::new(is_same)?)
        };
        // One lock at a time: the handles may be the same.
        let family = info.lock().family();
        out.set(u8::from(family.is_some() && family == other.lock().family()));
        Ok(())
    })
}

/// Gets the bytes that base pointers without an alignment attribute are assumed to be aligned to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_core_info_get_default_alignment(
    info: const_tiletc_core_info_t,
    alignment: *mut i32,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle and a writable place.
        let (info, out) = unsafe { (Handle::<CoreInfo>::share(info)?, Out::new(alignment)?) };
        out.set(info.lock().default_alignment());
        Ok(())
    })
}

/// Sets the bytes that base pointers without an alignment attribute are assumed to be aligned to, a power of two.
///
/// Errors: invalid_arguments for any other number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_core_info_set_default_alignment(
    info: tiletc_core_info_t,
    alignment: i32,
) -> tiletc_status_t {
    call(|| {
        let info = Handle::<CoreInfo>::share(info)?;
        if !u32::try_from(alignment).is_ok_and(u32::is_power_of_two) {
            let message = format!("a default alignment of {alignment} bytes, which is no power of two");
            return Err(refuse(Status::InvalidArguments, message));
        }
        info.lock().set_default_alignment(alignment);
        Ok(())
    })
}
