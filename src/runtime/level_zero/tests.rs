//! Runs against a fake driver that the C compiler makes on the spot; without one the tests are skipped.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::print_stderr)]

mod session;

use std::process::Command;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use libloading::Library;

use level_zero_sys::ze_event_handle_t;

use super::driver::Driver;
use super::*;
use crate::device::{CoreFeatures, Family, SpirvFeature};
use crate::runtime::skip::skip;
use crate::runtime::{self, Binary, Bundle as _, BundleFormat, Device as _, Kernel as _, MemoryKind};
use crate::status::Status;

/// The fake driver, one test at a time since it keeps state.
struct Fake {
    /// Never unloaded, since drivers are not.
    driver: &'static Driver,
    state: Library,
    _alone: MutexGuard<'static, ()>,
}

impl Fake {
    fn new() -> Option<Fake> {
        static ALONE: Mutex<()> = Mutex::new(());
        let alone = ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fakes/level_zero.c");
        // A loader that has not unloaded a library takes another one of the name for the same.
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("tiletc-fake-level-zero-{}-{number}.so", std::process::id());
        let path = std::env::temp_dir().join(name);
        let compiled = Command::new("cc")
            .args(["-shared", "-fPIC", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-o"])
            .arg(&path)
            .arg(source)
            .status();
        if let Err(error) = compiled {
            skip(format!("no C compiler: {error}"));
            return None;
        }
        assert!(compiled.unwrap().success());
        // SAFETY: the library has no initialisers.
        let open = || unsafe { Library::new(&path) }.unwrap();
        let (library, state) = (open(), open());
        std::fs::remove_file(&path).unwrap();
        Some(Fake { driver: Box::leak(Box::new(Driver::load(library).unwrap())), state, _alone: alone })
    }

    fn get(&self, variable: &str) -> i32 {
        // SAFETY: the variable is an int, and only one test looks at it at a time.
        unsafe { **self.state.get::<*const i32>(variable).unwrap() }
    }

    fn set(&self, variable: &str, value: i32) {
        // SAFETY: as for `get`.
        unsafe { **self.state.get::<*mut i32>(variable).unwrap() = value }
    }
}

fn handle<T>(number: usize) -> *mut T {
    ptr::without_provenance_mut(number)
}

fn binary(data: &[u8]) -> Binary {
    Binary::new(BundleFormat::Spirv, data.to_vec(), CoreFeatures::LARGE_REGISTER_FILE)
}

#[test]
fn the_device_is_described() {
    let Some(fake) = Fake::new() else { return };
    // SAFETY: 2 is the fake's device.
    let (info, level) =
        unsafe { (fake.driver.core_info(handle(2)).unwrap(), fake.driver.support_level(handle(2)).unwrap()) };
    assert_eq!(level, SupportLevel::Tuned);
    assert_eq!(info.family(), Some(Family::XeHpc));
    assert_eq!(info.subgroup_sizes(), [16, 32]);
    assert_eq!((info.register_space(), info.max_work_group_size(16)), (8192, 1024));
    assert_eq!(info.default_alignment(), 128);
    use SpirvFeature as F;
    let standard = F::ALL.iter().copied().take(F::STANDARD_COUNT);
    assert_eq!(
        standard.filter(|&feature| info.have(feature)).collect::<Vec<_>>(),
        [
            F::Float16,
            F::Int64Atomics,
            F::Groups,
            F::SubgroupDispatch,
            F::AtomicFloat32AddGlobal,
            F::AtomicFloat16MinMaxGlobal,
            F::AtomicFloat32MinMaxLocal,
            F::Bfloat16Conversion,
            F::SubgroupBufferBlockIo,
        ]
    );

    fake.set("fake_ip_version", 0x0300_0000);
    // SAFETY: as before.
    assert_eq!(unsafe { fake.driver.support_level(handle(2)) }, Ok(SupportLevel::Basic));
    // SAFETY: the fake refuses handles it does not know.
    let error = unsafe { fake.driver.core_info(handle(7)) }.unwrap_err();
    assert_eq!(
        error.to_string(),
        "zeDeviceGetProperties failed: ZE_RESULT_ERROR_INVALID_ARGUMENT (0x78000004)"
    );
    assert_eq!(error.status(), Status::ComputeRuntimeError);
}

#[test]
fn what_the_driver_forgets_is_recognised() {
    let Some(fake) = Fake::new() else { return };
    // SAFETY: 2 is the fake's device.
    let info = || unsafe { fake.driver.core_info(handle(2)) }.unwrap();
    fake.set("fake_ip_version", 0);
    assert_eq!(info().family(), None);
    for (name, id, family) in [
        (0, 0xb080, Family::Xe3),
        (0, 0x7d51, Family::XeLpgPlus),
        (1, 0, Family::Xe2),
        (2, 0, Family::Xe2),
        // The id is surer than the name.
        (1, 0x0bd5, Family::XeHpc),
    ] {
        fake.set("fake_name", name);
        fake.set("fake_device_id", id);
        let info = info();
        assert_eq!(info.family(), Some(family), "{name} {id:#x}");
        assert_eq!(info.have(SpirvFeature::SubgroupMma), family != Family::XeLpgPlus);
        assert_eq!(info.dpas_engine().is_some(), family != Family::XeLpgPlus);
    }
}

#[test]
fn modules_are_built_or_explained() {
    let Some(fake) = Fake::new() else { return };
    // SAFETY: 1 and 2 are the fake's context and device.
    let build = |data: &[u8]| unsafe { fake.driver.create_module(handle(1), handle(2), &binary(data)) };
    assert_eq!(build(b"good").unwrap().addr(), 3);
    assert_eq!(fake.get("fake_large_register_file"), 1);
    fake.set("fake_refuses", 1);
    let error = build(b"evil").unwrap_err();
    assert_eq!(error.build_log(), Some("error: not good"));
    assert_eq!(error.status(), Status::ComputeRuntimeError);
    // The module, and no logs.
    assert_eq!(fake.get("fake_live"), 1);
}

#[test]
fn what_spills_is_built_again_with_the_larger_register_file() {
    let Some(fake) = Fake::new() else { return };
    let target = BuildTarget::of(fake.driver, handle(1), handle(2));
    let small = || Binary::new(BundleFormat::Spirv, spirv().data().to_vec(), CoreFeatures::default());
    // Spills of the small and the large file, work-items that fit with the large one; builds, and which one is kept.
    for (spills, in_large, fit, builds, spilled) in [
        (0, 0, 1024, 1, 0),
        (448, 0, 1024, 2, 0),
        (448, 64, 1024, 2, 64),
        // Nothing is won.
        (448, 448, 1024, 2, 448),
        // It could not be launched: a work-group has 128 work-items.
        (448, 0, 64, 2, 448),
    ] {
        fake.set("fake_spills", spills);
        fake.set("fake_spills_in_large", in_large);
        fake.set("fake_fit_in_large", fit);
        fake.set("fake_builds", 0);
        let bundle = runtime::build(&target, None, &mut &small()).unwrap();
        assert_eq!(fake.get("fake_builds"), builds, "{spills} {in_large} {fit}");
        assert_eq!(fake.get("fake_live"), 1);
        // The fake answers for the module that was made last; the one that is kept must have been that, or not.
        let is_large = builds == 2 && spilled == in_large && spills != in_large;
        assert_eq!(fake.get("fake_large_register_file") == 1, builds == 2);
        if is_large {
            assert_eq!(bundle.spilled_bytes(), Ok(u64::try_from(spilled).unwrap()));
        }
        drop(bundle);
        assert_eq!(fake.get("fake_live"), 0);
    }
    fake.set("fake_fit_in_large", 1024);
    // What was asked for, or is fixed, stays; and so does what cannot be built anew.
    let asked = spirv();
    let native = Binary::new(BundleFormat::Native, b"native".to_vec(), CoreFeatures::default());
    for binary in [&asked, &native] {
        fake.set("fake_builds", 0);
        runtime::build(&target, None, &mut &*binary).unwrap();
        assert_eq!(fake.get("fake_builds"), 1);
    }
}

#[test]
fn native_binaries_come_and_go() {
    let Some(fake) = Fake::new() else { return };
    // SAFETY: 3 is the fake's module.
    assert_eq!(unsafe { fake.driver.native_binary(handle(3)) }, Ok(b"native".to_vec()));
    // SAFETY: the fake refuses handles it does not know.
    assert!(unsafe { fake.driver.native_binary(handle(7)) }.is_err());
    for (format, number) in [(BundleFormat::Spirv, 0), (BundleFormat::Native, 1)] {
        let binary = Binary::new(format, b"native".to_vec(), CoreFeatures::default());
        // SAFETY: 1 and 2 are the fake's context and device.
        assert!(unsafe { fake.driver.create_module(handle(1), handle(2), &binary) }.is_ok());
        assert_eq!(fake.get("fake_format"), number);
    }
}

#[test]
fn another_driver_or_device_has_another_identity() {
    let Some(fake) = Fake::new() else { return };
    // SAFETY: 2 is the fake's device.
    let identity = || unsafe { fake.driver.identity(handle(2)) }.unwrap();
    let first = identity();
    assert!(first.contains("fake") && first.contains("[171, 0"), "{first}");
    assert_eq!(identity(), first);
    fake.set("fake_driver_version", 0x0103_0001);
    let second = identity();
    assert_ne!(second, first);
    let version = fake.driver.driver_version().unwrap();
    assert_eq!(version, "1.3.1");
    fake.set("fake_ip_version", 0x0300_0000);
    assert_ne!(identity(), second);
    // SAFETY: the fake refuses handles it does not know.
    assert!(unsafe { fake.driver.identity(handle(7)) }.is_err());
}

#[test]
fn kernels_know_their_group_size() {
    let Some(fake) = Fake::new() else { return };
    // SAFETY: 3 is the fake's module.
    let create = |name| unsafe { fake.driver.create_kernel(handle(3), name) };
    let (kernel, size) = create("fused_kernel").unwrap();
    assert_eq!(size, [64, 2, 1]);
    // SAFETY: the kernel has just been made.
    assert_eq!(unsafe { fake.driver.group_size(kernel) }, Ok(size));
    assert_eq!(fake.get("fake_group_size"), 64);
    let error = create("no_such_kernel").unwrap_err();
    assert_eq!(error.to_string(), "there is no kernel `no_such_kernel`; the bundle has gemm");
    assert_eq!(create("a\0b").unwrap_err().status(), Status::InvalidArguments);
    assert_eq!(fake.get("fake_live"), 1);
}

impl Fake {
    fn argument(&self, index: usize) -> u64 {
        // SAFETY: the variable is an array of four, and only one test looks at it at a time.
        unsafe { (**self.state.get::<*const [u64; 21]>("fake_arguments").unwrap())[index] }
    }

    /// Kernels of a new module, of the user's context.
    fn kernels(&self, names: &[&str]) -> Result<Vec<Kernel>, Error> {
        let bundle = Arc::new(BuildTarget::of(self.driver, handle(1), handle(2)).build(&spirv())?);
        names.iter().map(|name| bundle.kernel(name)).collect()
    }
}

/// A module that passes the check of its form.
fn spirv() -> Binary {
    let words = [0x0723_0203u32, 0x0001_0400, 0, 1, 0];
    binary(&words.iter().flat_map(|word| word.to_ne_bytes()).collect::<Vec<u8>>())
}

#[test]
fn kernels_keep_their_arguments_and_go_with_their_module() {
    let Some(fake) = Fake::new() else { return };
    let mut kernels = fake.kernels(&["gemm", "gemm_beta0"]).unwrap();
    assert_eq!(fake.get("fake_live"), 3);
    assert_eq!(kernels[0].group_size(), [64, 2, 1]);
    kernels[1].set_value(0, &2.5f32.to_ne_bytes()).unwrap();
    kernels[1].set_value(2, &(-7i64).to_ne_bytes()).unwrap();
    // SAFETY: the fake does not look behind addresses.
    unsafe {
        kernels[0].set_memory(1, MemoryKind::Usm, ptr::without_provenance(4096)).unwrap();
        kernels[0].set_memory(3, MemoryKind::Buffer, ptr::null()).unwrap();
    }
    let arguments = [0, 1, 2, 3].map(|index| fake.argument(index));
    assert_eq!(arguments, [u64::from(2.5f32.to_bits()), 4096, (-7i64).cast_unsigned(), 0]);
    let error = kernels[0].set_value(21, &[0]).unwrap_err();
    assert!(error.to_string().contains("ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX"), "{error}");
    let error = kernels[0].set_value(0, &[0; 16]).unwrap_err();
    assert!(error.to_string().contains("ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE"), "{error}");
    drop(kernels);
    assert_eq!(fake.get("fake_live"), 0);

    // What was made before a failure does not stay.
    assert!(fake.kernels(&["gemm", "no_such_kernel"]).is_err());
    assert_eq!(fake.get("fake_live"), 0);
}

#[test]
fn modules_that_are_given_away_stay() {
    let Some(fake) = Fake::new() else { return };
    let bundle = BuildTarget::of(fake.driver, handle(1), handle(2)).build(&spirv()).unwrap();
    assert_eq!(bundle.into_raw(), handle(3));
    assert_eq!(fake.get("fake_live"), 1);
}

#[test]
fn launches_are_appended_with_their_events() {
    let Some(fake) = Fake::new() else { return };
    let mut kernels = fake.kernels(&["gemm"]).unwrap();
    let mut launch = |list, groups, signal, waits: &[usize]| {
        let mut waits: Vec<ze_event_handle_t> = waits.iter().map(|&event| handle(event)).collect();
        // SAFETY: the fake refuses handles it does not know.
        unsafe { kernels[0].append(handle(list), [groups, 1, 1], handle(signal), &mut waits) }
    };
    let state = || {
        ["fake_launches", "fake_barriers", "fake_groups", "fake_signal", "fake_waits"]
            .map(|name| fake.get(name))
    };
    launch(6, 5, 0, &[]).unwrap();
    assert_eq!(state(), [1, 0, 5, 0, 0]);
    launch(6, 1000, 7, &[8, 8]).unwrap();
    assert_eq!(state(), [2, 0, 1000, 7, 2]);
    // Nothing to launch: events keep their order, and without any there is nothing to do.
    launch(6, 0, 0, &[]).unwrap();
    assert_eq!(state(), [2, 0, 1000, 7, 2]);
    launch(6, 0, 7, &[]).unwrap();
    assert_eq!(state(), [2, 1, 1000, 7, 0]);
    launch(6, 0, 0, &[8]).unwrap();
    assert_eq!(state(), [2, 2, 1000, 0, 1]);

    assert_eq!(launch(0, 1, 0, &[]).unwrap_err().status(), Status::InvalidArguments);
    assert_eq!(launch(9, 1, 0, &[]).unwrap_err().status(), Status::ComputeRuntimeError);
    assert_eq!(launch(6, 1 << 32, 0, &[]).unwrap_err().status(), Status::InvalidArguments);
}

#[test]
fn null_handles_are_refused() {
    // SAFETY: null is allowed.
    let errors = unsafe {
        [
            get_support_level(ptr::null_mut()).unwrap_err(),
            core_info_create(ptr::null_mut()).unwrap_err(),
            BuildTarget::new(ptr::null_mut(), handle(2)).err().unwrap(),
            BuildTarget::new(handle(1), ptr::null_mut()).err().unwrap(),
            kernel_create(ptr::null_mut(), "kernel").unwrap_err(),
            get_group_size(ptr::null_mut()).unwrap_err(),
        ]
    };
    assert!(errors.iter().all(|error| error.status() == Status::InvalidArguments));
}
