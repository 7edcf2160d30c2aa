//! The kernel cache, on whatever OpenCL device there is; without one the tests are skipped.

use super::fakes::{Fake, Folder, Interface, scenario};
use super::*;
use libloading::Library;
use opencl_sys::{cl_int, cl_program};
use sha2::{Digest as _, Sha256};
use std::path::{Path, PathBuf};
use std::ptr::{null, without_provenance_mut};
use tiletc::ffi::binary::*;
use tiletc::ffi::cache::*;
use tiletc::ffi::cl::*;
use tiletc::ffi::compile::*;
use tiletc::ffi::ze::*;
use tiletc::runtime::Error;
use tiletc::runtime::opencl::{self, DeviceKind, Session};

const TEXT: &str = "func @twice(%A: memref<f32x16x?>) {
    %0 = group_id.x : index
    %two = constant 2.0 : f32
    %zero = constant 0.0 : f32
    %a = subview %A[0:16,%0] : memref<f32x16>
    axpby.n %two, %a, %zero, %a
}
";

/// Bytes of an entry in front of the checksum, and in front of the binary.
const CHECKSUM_AT: usize = 52;
const BINARY_AT: usize = 84;

/// Names a folder to a process that a test has started.
const CHILD: &str = "TILETC_TEST_CACHE_CHILD";

/// A device and the function that releases what is built for it.
struct Device {
    session: Session,
    opencl: Library,
}

/// The device, if there is one.
fn opencl_device() -> Option<Device> {
    match Session::open(DeviceKind::Any) {
        Ok(session) => {
            let opencl = unsafe { Library::new("libOpenCL.so.1") }.unwrap();
            Some(Device { session, opencl })
        }
        Err(error @ (Error::DriverMissing { .. } | Error::NoDevice { .. })) => {
            skip(error);
            None
        }
        Err(error) => panic!("{error}"),
    }
}

impl Device {
    /// The native binary of the bundle of a text.
    fn build(&self, text: &str, context: tiletc_compiler_context_t) -> Vec<u8> {
        let program = parse(text, context);
        let native = self.build_program(program);
        ok(unsafe { tiletc_prog_release(program) });
        native
    }

    fn build_program(&self, program: tiletc_prog_t) -> Vec<u8> {
        let (context, device) = (self.session.context(), self.session.device());
        let mut bundle = null_mut();
        ok(unsafe {
            tiletc_cl_kernel_bundle_create_with_program(&raw mut bundle, context, device, program, 0)
        });
        self.take(bundle)
    }

    fn build_binary(&self, binary: tiletc_binary_t) -> tiletc_status_t {
        let (context, device) = (self.session.context(), self.session.device());
        let mut bundle = null_mut();
        let status =
            unsafe { tiletc_cl_kernel_bundle_create_with_binary(&raw mut bundle, context, device, binary) };
        if status == 0 {
            self.take(bundle);
        }
        status
    }

    /// Releases a bundle and returns its native binary.
    fn take(&self, bundle: cl_program) -> Vec<u8> {
        unsafe {
            let native = opencl::get_native_binary(bundle, self.session.device()).unwrap();
            let release =
                self.opencl.get::<unsafe extern "C" fn(cl_program) -> cl_int>("clReleaseProgram").unwrap();
            assert_eq!(release(bundle), 0);
            native
        }
    }
}

/// A new silent context with a cache.
fn context_in(folder: &Path) -> tiletc_compiler_context_t {
    let context = new_context();
    set_cache(context, folder, 0);
    context
}

fn set_cache(context: tiletc_compiler_context_t, folder: &Path, max_bytes: u64) {
    let folder = c(folder.to_str().unwrap());
    ok(unsafe { tiletc_compiler_context_set_cache(context, folder.as_ptr(), max_bytes) });
}

fn counters(context: tiletc_compiler_context_t) -> tiletc_cache_counters_t {
    let mut counters = tiletc_cache_counters_t::default();
    ok(unsafe { tiletc_compiler_context_get_cache_counters(context, &raw mut counters) });
    counters
}

/// Hits, misses, and binaries that were stored.
#[track_caller]
fn expect_counters(context: tiletc_compiler_context_t, [hits, misses, stored]: [u64; 3]) {
    let expected = tiletc_cache_counters { hits, misses, stored, ..Default::default() };
    assert_eq!(counters(context), expected);
}

fn release(context: tiletc_compiler_context_t) {
    ok(unsafe { tiletc_compiler_context_release(context) });
}

fn print(program: tiletc_prog_t) -> String {
    let mut text = null_mut();
    ok(unsafe { tiletc_prog_print_to_string(program, &raw mut text) });
    take_string(text)
}

/// The entries of a cache.
fn entries(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// The test's own program, to run one test of it in a folder.
fn child(test: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([test, "--exact", "--nocapture"]).env(CHILD, folder);
    command
}

#[test]
fn arguments_are_checked() {
    let (context, info) = (new_context(), device("pvc"));
    let folder = tempfile::tempdir().unwrap();
    let name = c(folder.path().join("cache").to_str().unwrap());
    let mut counters = tiletc_cache_counters { hits: 7, ..Default::default() };
    unsafe {
        refused(tiletc_compiler_context_set_cache(null_mut(), name.as_ptr(), 0));
        refused(tiletc_compiler_context_set_cache(info.cast(), name.as_ptr(), 0));
        refused(tiletc_compiler_context_get_cache_counters(null(), &raw mut counters));
        refused(tiletc_compiler_context_get_cache_counters(context, null_mut()));
        assert_eq!(counters.hits, 7);
        for (dir, max_bytes) in [(name.as_ptr(), u64::MAX), (c"".as_ptr(), 1), (null(), 0), (null(), 1)] {
            ok(tiletc_compiler_context_set_cache(context, dir, max_bytes));
            ok(tiletc_compiler_context_get_cache_counters(context, &raw mut counters));
            assert_eq!(counters, tiletc_cache_counters_t::default());
        }
        ok(tiletc_core_info_release(info));
    }
    release(context);
    // Nothing was kept, so there is no folder.
    assert!(entries(folder.path()).is_empty());
}

#[test]
fn a_program_is_built_once() {
    let Some(device) = opencl_device() else { return };
    let folder = tempfile::tempdir().unwrap();
    let context = context_in(folder.path());
    // The places of the text are not part of a program whose lines nobody wants.
    ok(unsafe { tiletc_compiler_context_set_keep_lines(context, 0) });
    let native = device.build(TEXT, context);
    expect_counters(context, [0, 1, 1]);
    assert!(device.build(TEXT, context) == native);
    expect_counters(context, [1, 1, 1]);
    release(context);

    let other = context_in(folder.path());
    ok(unsafe { tiletc_compiler_context_set_keep_lines(other, 0) });
    assert!(device.build(TEXT, other) == native);
    // Comments, blanks and the numbers of unnamed values are not part of the program.
    let spaced = format!("; a comment\n{}", TEXT.replace("%0", "%23").replace(", ", " ,\n  "));
    assert!(device.build(&spaced, other) == native);
    expect_counters(other, [2, 0, 0]);
    // Without the cache everything is as it always was.
    set_cache(other, Path::new(""), 0);
    device.build(TEXT, other);
    expect_counters(other, [0, 0, 0]);
    release(other);
}

#[test]
fn whatever_changes_the_binary_is_a_miss() {
    let Some(device) = opencl_device() else { return };
    let folder = tempfile::tempdir().unwrap();
    let context = context_in(folder.path());
    let mut misses = 0;
    let mut miss = |text: &str| {
        device.build(text, context);
        misses += 1;
        expect_counters(context, [0, misses, misses]);
    };
    miss(TEXT);
    miss(&TEXT.replace("2.0", "4.0"));
    miss(&TEXT.replace("@twice", "@double"));
    miss(&TEXT.replace("memref<f32x16x?>", "memref<f32x16x?> {alignment=64}"));
    ok(unsafe { tiletc_compiler_context_set_optimization_level(context, 1) });
    miss(TEXT);
    ok(unsafe { tiletc_compiler_context_set_optimization_flag(context, 0, 1) });
    miss(TEXT);
    ok(unsafe { tiletc_compiler_context_set_keep_names(context, 1) });
    miss(TEXT);
    // The lines of the text are part of the module, unless nobody wants them.
    let commented = format!("; A comment\n{TEXT}");
    miss(&commented);
    ok(unsafe { tiletc_compiler_context_set_keep_lines(context, 0) });
    miss(TEXT);
    device.build(&commented, context);
    expect_counters(context, [1, 9, 9]);
    release(context);
    assert_eq!(entries(folder.path()).len(), 9);
}

#[test]
fn hits_and_misses_leave_the_program_as_it_is() {
    let Some(device) = opencl_device() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut modules = Vec::new();
    // Without a cache, with an empty one, with a full one.
    for cache in [None, Some(folder.path()), Some(folder.path())] {
        let context = new_context();
        if let Some(folder) = cache {
            set_cache(context, folder, 0);
        }
        let program = parse(TEXT, context);
        let text = print(program);
        device.build_program(program);
        assert_eq!(print(program), text);
        device.build_program(program);
        let (mut module, info) = (null_mut(), super::device("pvc"));
        ok(unsafe { tiletc_prog_compile_to_spirv_and_assemble(&raw mut module, program, info) });
        assert_ne!(print(program), text);
        let (mut format, mut size, mut data) = (-1, 0, null());
        ok(unsafe { tiletc_binary_get_raw(module, &raw mut format, &raw mut size, &raw mut data) });
        modules.push(unsafe { std::slice::from_raw_parts(data, size) }.to_vec());
        unsafe {
            ok(tiletc_binary_release(module));
            ok(tiletc_core_info_release(info));
            ok(tiletc_prog_release(program));
        }
        release(context);
    }
    assert!(modules[0] == modules[1] && modules[0] == modules[2]);
}

#[test]
fn binaries_are_cached_as_well() {
    let Some(device) = opencl_device() else { return };
    let folder = tempfile::tempdir().unwrap();
    let context = context_in(folder.path());
    let program = parse(TEXT, context);
    let mut info = null_mut();
    ok(unsafe { tiletc_cl_core_info_create(&raw mut info, device.session.device()) });
    let mut binary = null_mut();
    ok(unsafe { tiletc_prog_compile_to_spirv_and_assemble(&raw mut binary, program, info) });
    ok(device.build_binary(binary));
    ok(device.build_binary(binary));
    expect_counters(context, [1, 1, 1]);

    // What is native already is built without the cache.
    let native = device.build(TEXT, context);
    expect_counters(context, [1, 2, 2]);
    let mut bin = null_mut();
    ok(unsafe { tiletc_binary_create(&raw mut bin, context, 1, native.len(), native.as_ptr(), 0) });
    ok(device.build_binary(bin));
    expect_counters(context, [1, 2, 2]);
    unsafe {
        ok(tiletc_binary_release(bin));
        ok(tiletc_binary_release(binary));
        ok(tiletc_core_info_release(info));
        ok(tiletc_prog_release(program));
    }
    release(context);
}

#[test]
fn errors_are_the_same_and_are_not_cached() {
    let Some(device) = opencl_device() else { return };
    let folder = tempfile::tempdir().unwrap();
    let heard = Heard::default();
    let context = context_with(&heard);
    set_cache(context, folder.path(), 0);
    // No device has a subgroup of 12.
    let program = parse("func @f() attributes{subgroup_size=12} {\n}\n", context);
    let noise = [3u8; 64];
    let mut binary = null_mut();
    ok(unsafe { tiletc_binary_create(&raw mut binary, context, 0, noise.len(), noise.as_ptr(), 0) });
    for round in 1..=2 {
        let mut bundle = null_mut();
        let (cl_context, cl_device) = (device.session.context(), device.session.device());
        let status = unsafe {
            tiletc_cl_kernel_bundle_create_with_program(&raw mut bundle, cl_context, cl_device, program, 0)
        };
        expect(status, Status::UnsupportedSubgroupSize);
        assert!(bundle.is_null());
        expect(device.build_binary(binary), Status::ComputeRuntimeError);
        assert_eq!(heard.0.lock().unwrap().len(), 2 * round, "{}", heard.text());
        expect_counters(context, [0, 2 * round as u64, 0]);
    }
    ok(unsafe { tiletc_binary_release(binary) });
    ok(unsafe { tiletc_prog_release(program) });
    release(context);
    assert!(entries(folder.path()).is_empty());
}

#[test]
fn a_warning_is_reported_whether_or_not_the_program_is_built() {
    let Some(device) = opencl_device() else { return };
    let folder = tempfile::tempdir().unwrap();
    let heard = Heard::default();
    let context = context_with(&heard);
    set_cache(context, folder.path(), 0);
    // With its lines it would be another module.
    ok(unsafe { tiletc_compiler_context_set_keep_lines(context, 0) });
    for (round, counters) in [[0, 1, 1], [1, 1, 1]].into_iter().enumerate() {
        // The same program, whose warning is one line further down the second time.
        device.build(&format!("{}{OPEN_STRIDES}", "; again\n".repeat(round)), context);
        expect_counters(context, counters);
        assert_eq!(heard.text().matches("warning: local memory is allocated packed, ").count(), round + 1);
        assert!(heard.text().contains(&format!(":{}.10-52: warning: ", 2 + round)), "{}", heard.text());
    }
    release(context);
}

#[test]
fn bad_entries_are_built_anew() {
    let Some(device) = opencl_device() else { return };
    let folder = tempfile::tempdir().unwrap();
    let heard = Heard::default();
    let context = context_with(&heard);
    set_cache(context, folder.path(), 0);
    let native = device.build(TEXT, context);
    let path = entries(folder.path()).remove(0);
    let sound = std::fs::read(&path).unwrap();
    // Behind the binary stands what there was to warn of.
    let code = BINARY_AT..BINARY_AT + native.len();
    assert!(sound.get(code.clone()) == Some(&native));

    let changed = |at: usize| {
        let mut file = sound.clone();
        file[at] ^= 0x10;
        file
    };
    // Sound in all but that no driver takes it.
    let mut refused = sound.clone();
    refused[code].fill(0x55);
    let checksum = Sha256::digest(&refused[BINARY_AT..]);
    refused[CHECKSUM_AT..BINARY_AT].copy_from_slice(&checksum);

    std::fs::write(folder.path().join("foreign"), "of somebody else").unwrap();
    // Sound in all but that the end is no number of bytes.
    let mut odd = sound.clone();
    odd.truncate(sound.len() - 8);
    odd.extend([0xff; 8]);
    let checksum = Sha256::digest(&odd[BINARY_AT..]);
    odd[CHECKSUM_AT..BINARY_AT].copy_from_slice(&checksum);
    let bad = [
        vec![],
        sound[..BINARY_AT - 1].to_vec(),
        sound[..sound.len() - 1].to_vec(),
        changed(0),
        changed(8),
        changed(12),
        changed(44),
        changed(CHECKSUM_AT),
        changed(BINARY_AT),
        changed(sound.len() - 1),
        refused,
        odd,
    ];
    for (round, file) in (1..).zip(&bad) {
        std::fs::write(&path, file).unwrap();
        assert!(device.build(TEXT, context) == native);
        assert!(std::fs::read(&path).unwrap() == sound);
        assert!(device.build(TEXT, context) == native);
        let expected = tiletc_cache_counters {
            hits: round,
            misses: round + 1,
            stored: round + 1,
            evicted: 0,
            rejected: round,
        };
        assert_eq!(counters(context), expected);
    }
    release(context);
    assert_eq!(entries(folder.path()).len(), 2);
    assert_eq!(heard.text(), "");
}

#[test]
fn the_bound_is_kept() {
    let Some(device) = opencl_device() else { return };
    let folder = tempfile::tempdir().unwrap();
    let context = context_in(folder.path());
    device.build(TEXT, context);
    let size = entries(folder.path()).remove(0).metadata().unwrap().len();
    // Room for two of about the same size.
    let bound = 2 * size + size / 2;
    set_cache(context, folder.path(), bound);
    for factor in ["3.0", "4.0", "5.0"] {
        device.build(&TEXT.replace("2.0", factor), context);
        let total: u64 = entries(folder.path()).iter().map(|path| path.metadata().unwrap().len()).sum();
        assert!(total <= bound, "{total} > {bound}");
    }
    assert_eq!((counters(context).stored, counters(context).evicted), (3, 2));
    device.build(&TEXT.replace("2.0", "5.0"), context);
    assert_eq!(counters(context).hits, 1);
    set_cache(context, folder.path(), 1);
    device.build(TEXT, context);
    expect_counters(context, [0, 1, 0]);
    release(context);
}

#[test]
fn a_folder_that_cannot_be_written_is_no_error() {
    let Some(device) = opencl_device() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    for place in [&file, &file.join("cache"), Path::new("/proc/self/fdinfo")] {
        let heard = Heard::default();
        let context = context_with(&heard);
        set_cache(context, place, 0);
        device.build(TEXT, context);
        expect_counters(context, [0, 1, 0]);
        assert_eq!(heard.text(), "");
        release(context);
    }
}

#[test]
fn the_environment_names_a_cache() {
    const TEST: &str = "cache::the_environment_names_a_cache";
    let Some(device) = opencl_device() else { return };
    if std::env::var_os(CHILD).is_some() {
        let context = new_context();
        device.build(TEXT, context);
        let counters = counters(context);
        println!("{} {} {}", counters.hits, counters.misses, counters.stored);
        release(context);
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let run = |dir: &str, max_bytes: &str| {
        let mut command = child(TEST, folder.path());
        command.env("TILETC_CACHE_DIR", dir).env("TILETC_CACHE_MAX_BYTES", max_bytes);
        let output = command.current_dir(folder.path()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{text}");
        text.lines().find(|line| line.split(' ').all(|word| word.parse::<u64>().is_ok())).unwrap().to_owned()
    };
    assert_eq!(run("", ""), "0 0 0");
    assert_eq!(run("cache", ""), "0 1 1");
    assert_eq!(run(folder.path().join("cache").to_str().unwrap(), "many"), "1 0 0");
    assert_eq!(run("other", "10"), "0 1 0");
    assert_eq!(entries(folder.path()), [folder.path().join("cache")]);
}

#[test]
fn threads_share_a_context_and_a_folder() {
    let Some(device) = &opencl_device() else { return };
    /// A handle that crosses threads as it may in C.
    #[derive(Clone, Copy)]
    struct Shared(tiletc_compiler_context_t);
    unsafe impl Send for Shared {}

    let folder = tempfile::tempdir().unwrap();
    let shared = Shared(context_in(folder.path()));
    let natives: Vec<Vec<u8>> = std::thread::scope(|scope| {
        let folder = folder.path();
        let threads: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(move || {
                    let Shared(shared) = { shared };
                    let own = context_in(folder);
                    let natives: Vec<_> = (0..4)
                        .flat_map(|_| [shared, own])
                        .map(|context| device.build(TEXT, context))
                        .collect();
                    release(own);
                    natives
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(natives.iter().all(|native| *native == natives[0]));
    let counters = counters(shared.0);
    assert_eq!((counters.hits + counters.misses, counters.rejected), (8, 0));
    assert!(counters.hits >= 6, "{counters:?}");
    release(shared.0);
}

#[test]
fn processes_share_a_folder() {
    const TEST: &str = "cache::processes_share_a_folder";
    const PROCESSES: u64 = 8;
    let Some(device) = opencl_device() else { return };
    let texts = ["2.0", "3.0", "4.0"].map(|factor| TEXT.replace("2.0", factor));
    if let Some(folder) = std::env::var_os(CHILD) {
        let context = context_in(Path::new(&folder));
        for text in texts.iter().cycle().take(9) {
            device.build(text, context);
        }
        let counters = counters(context);
        println!("{} {} {}", counters.hits, counters.misses, counters.rejected);
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let children: Vec<_> =
        (0..PROCESSES).map(|_| child(TEST, folder.path()).stdout(Stdio::piped()).spawn().unwrap()).collect();
    let mut hits = 0;
    for child in children {
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{text}");
        let numbers = |line: &str| -> Option<Vec<u64>> { line.split(' ').map(|n| n.parse().ok()).collect() };
        let numbers = text.lines().find_map(numbers).unwrap();
        assert_eq!((numbers[0] + numbers[1], numbers[2]), (9, 0), "{text}");
        hits += numbers[0];
    }
    // A process builds a program once at most.
    assert!(hits >= PROCESSES * 6, "{hits}");
    assert_eq!(entries(folder.path()).len(), 3);
}

/// Builds a program with the fake driver of Level Zero.
fn build_with_fake(context: tiletc_compiler_context_t) -> tiletc_status_t {
    let program = parse(KERNEL, context);
    let (ze_context, device) = (without_provenance_mut(1), without_provenance_mut(2));
    let mut module = null_mut();
    let status = unsafe {
        tiletc_ze_kernel_bundle_create_with_program(&raw mut module, ze_context, device, program, 0)
    };
    assert_eq!(module.is_null(), status != 0);
    ok(unsafe { tiletc_prog_release(program) });
    status
}

#[test]
fn level_zero_modules_are_cached_whatever_the_driver_refuses() {
    const TEST: &str = "cache::level_zero_modules_are_cached_whatever_the_driver_refuses";
    if scenario().is_none() {
        let folder = Folder::new("cache");
        if folder.add_fake(Interface::LevelZero, None) {
            folder.run(TEST, "cache");
        }
        return;
    }
    let fake = Fake::new(Interface::LevelZero);
    let folder = tempfile::tempdir().unwrap();
    let context = context_in(folder.path());
    // The fake tells in which format the module came last, SPIR-V (0) or native (1).
    for (round, format) in [0, 1, 1].into_iter().enumerate() {
        ok(build_with_fake(context));
        assert_eq!(fake.get("fake_format"), format);
        expect_counters(context, [round as u64, 1, 1]);
    }
    fake.set("fake_driver_version", 7);
    ok(build_with_fake(context));
    assert_eq!(fake.get("fake_format"), 0);
    expect_counters(context, [2, 2, 2]);

    // Only what a program needs without a cache may fail; the calls for the cache may not. With a hit there
    // is no compilation to fall back on but one that works.
    const FAILURE: i32 = 0x7fff_fffe;
    let mut failed = std::collections::BTreeSet::new();
    for is_cold in [false, true] {
        for call in 1.. {
            if is_cold {
                entries(folder.path()).into_iter().for_each(|path| std::fs::remove_file(path).unwrap());
            }
            fake.fail(call, FAILURE);
            let status = build_with_fake(context);
            if fake.get("fake_calls") < call {
                break;
            }
            if status != 0 {
                failed.insert(fake.faulty());
            }
        }
    }
    println!("{failed:?}");
    for name in ["zeDriverGet", "zeDriverGetProperties", "zeModuleGetNativeBinary"] {
        assert!(!failed.contains(name), "{failed:?}");
    }
    assert!(failed.contains("zeModuleCreate") && failed.contains("zeDeviceGetProperties"), "{failed:?}");
    fake.fail(0, 0);
    ok(build_with_fake(context));
    release(context);
}
