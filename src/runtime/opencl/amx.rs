//! AMX: whether the processor has it, and whether the driver's code for it computes what it should.
//!
//! No query tells. Drivers list no feature, and Intel's ends the process on tiles that the code it makes cannot have; so
//! the processor is asked first, as what the driver makes code for, and then a small product is built and run, once for each
//! device and driver in a process.

use std::collections::BTreeMap;
use std::ptr;
use std::sync::{Mutex, PoisonError};

use opencl_sys::*;

use super::api::{Api, call, create};
use crate::device::{CoreInfo, SpirvFeature};
use crate::driver::{Options, Specialized};
use crate::environment;
use crate::runtime::Error;

/// Rows, columns and depth of the product.
const SIZE: usize = 32;
const PROGRAM: &str = "func @probe(%A: memref<bf16x32x32>, %B: memref<bf16x32x32>, %C: memref<f32x32x32>) {
    %one = constant 1.0 : bf16
    %zero = constant 0.0 : bf16
    gemm.n.n %one, %A, %B, %zero, %C
}";

/// Returns whether kernels for a CPU device may multiply by AMX. `identity` names the device and its driver.
///
/// # Safety
/// `device` is a device of the loader.
pub(super) unsafe fn is_usable(api: &Api, device: cl_device_id, identity: String, info: &CoreInfo) -> bool {
    remembered(identity, || {
        let is_right = || {
            // SAFETY: this function's contract.
            unsafe { multiplies(api, device, &with_tiles(info)) }
        };
        let is_usable = is_permitted() && driver_targets_amx() && is_right() == Some(true);
        log::debug!("AMX is {}", if is_usable { "used" } else { "not used" });
        is_usable
    })
}

/// The variable that permits AMX. Not by default: with more tiles than the eight that there are Intel's compiler (2026.2)
/// ends processes, or computes wrong sums, which no small product shows (lowering reference 4.7).
const PERMISSION_VARIABLE: &str = "TILETC_AMX";

fn is_permitted() -> bool {
    environment::switch(PERMISSION_VARIABLE) == Some(true)
}

/// The answer for a device and driver, which is kept for the process. Nothing is locked while it is looked for, since
/// drivers and receivers of the log may call back.
fn remembered(identity: String, find: impl FnOnce() -> bool) -> bool {
    static ANSWERS: Mutex<BTreeMap<String, bool>> = Mutex::new(BTreeMap::new());
    let answers = || ANSWERS.lock().unwrap_or_else(PoisonError::into_inner);
    let known = answers().get(&identity).copied();
    known.unwrap_or_else(|| {
        let found = find();
        answers().insert(identity, found);
        found
    })
}

/// The device with a way to its engine.
fn with_tiles(info: &CoreInfo) -> CoreInfo {
    let mut info = info.clone();
    info.set(SpirvFeature::CooperativeMatrix, true);
    info
}

/// Returns whether a product of small numbers is right; `None` if it could not be had.
///
/// # Safety
/// `device` is a device of the loader.
unsafe fn multiplies(api: &Api, device: cl_device_id, info: &CoreInfo) -> Option<bool> {
    let mut program = Specialized::parse(PROGRAM, "probe", &[]).ok()?;
    let module = program.compilation(info, &Options::default()).compile().ok()?;
    let numbers = |seed: usize| (0..SIZE * SIZE).map(move |place| (place * seed % 7) as f32 - 3.0);
    // The upper half of such a number is the whole of it.
    let factor = |seed| -> Vec<u16> { numbers(seed).map(|number| (number.to_bits() >> 16) as u16).collect() };
    // SAFETY: the device is valid by contract, and the program's kernel is of this size.
    let sums = unsafe { Probe::new(api).run(device, &module.assemble(), [&factor(3), &factor(5)]) };
    let sums = sums.inspect_err(|error| log::debug!("a product by AMX fails: {error}")).ok()?;
    let (a, b): (Vec<f32>, Vec<f32>) = (numbers(3).collect(), numbers(5).collect());
    let entry = |row: usize, col: usize| -> f32 {
        let (row_of_a, col_of_b) = (a.iter().skip(row).step_by(SIZE), b.iter().skip(col * SIZE));
        row_of_a.zip(col_of_b).map(|(a, b)| a * b).sum()
    };
    let expected = (0..SIZE * SIZE).map(|place| entry(place % SIZE, place / SIZE));
    Some(sums.into_iter().eq(expected))
}

/// Objects of a driver, which are released in the end.
struct Probe<'a> {
    api: &'a Api,
    context: cl_context,
    queue: cl_command_queue,
    program: cl_program,
    kernel: cl_kernel,
    buffers: Vec<cl_mem>,
}

impl<'a> Probe<'a> {
    fn new(api: &'a Api) -> Probe<'a> {
        let null = ptr::null_mut();
        Probe { api, context: null, queue: null, program: null, kernel: null, buffers: Vec::new() }
    }

    /// Builds a module, and runs its kernel on two factors; returns the product.
    ///
    /// # Safety
    /// `device` is a device of the loader, and the module's kernel takes matrices of the probe's size.
    unsafe fn run(
        &mut self,
        device: cl_device_id,
        module: &[u8],
        factors: [&[u16]; 2],
    ) -> Result<Vec<f32>, Error> {
        let api = self.api;
        let mut sums = vec![0.0f32; SIZE * SIZE];
        // SAFETY: the device is valid by contract, and each object has been made by the calls before. What is copied and
        // read has the sizes given, the name ends in NUL, and calls wait, where they are told to, or are told nothing.
        unsafe {
            self.context = create!(api, clCreateContext(ptr::null(), 1, &device, None, ptr::null_mut()))?;
            self.queue = create!(api, clCreateCommandQueueWithProperties(self.context, device, ptr::null()))?;
            self.program =
                create!(api, clCreateProgramWithIL(self.context, module.as_ptr().cast(), module.len()))?;
            call!(api, clBuildProgram(self.program, 1, &device, ptr::null(), None, ptr::null_mut()))?;
            self.kernel = create!(api, clCreateKernel(self.program, c"probe".as_ptr()))?;
            for factor in factors {
                self.add_buffer(factor)?;
            }
            self.add_buffer(&sums)?;
            let mut group = [0usize; 3];
            let (query, size) = (CL_KERNEL_COMPILE_WORK_GROUP_SIZE, size_of_val(&group));
            let result = group.as_mut_ptr().cast();
            call!(api, clGetKernelWorkGroupInfo(self.kernel, device, query, size, result, ptr::null_mut()))?;
            let (group, nothing) = (group.as_ptr(), ptr::null_mut());
            call!(
                api,
                clEnqueueNDRangeKernel(
                    self.queue,
                    self.kernel,
                    3,
                    ptr::null(),
                    group,
                    group,
                    0,
                    ptr::null(),
                    nothing
                )
            )?;
            let from = self.buffers.last().copied().unwrap_or(ptr::null_mut());
            let (size, to) = (size_of_val(sums.as_slice()), sums.as_mut_ptr().cast());
            call!(api, clEnqueueReadBuffer(self.queue, from, CL_TRUE, 0, size, to, 0, ptr::null(), nothing))?;
        }
        Ok(sums)
    }

    /// Makes a copy of numbers the kernel's next argument.
    ///
    /// # Safety
    /// Context and kernel have been made.
    unsafe fn add_buffer<T>(&mut self, numbers: &[T]) -> Result<(), Error> {
        let api = self.api;
        let place = cl_uint::try_from(self.buffers.len()).unwrap_or(cl_uint::MAX);
        let flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
        let (size, from) = (size_of_val(numbers), numbers.as_ptr().cast_mut().cast());
        // SAFETY: the objects are valid by contract; the driver copies numbers of the size, and the argument.
        unsafe {
            let buffer = create!(api, clCreateBuffer(self.context, flags, size, from))?;
            self.buffers.push(buffer);
            call!(api, clSetKernelArg(self.kernel, place, size_of::<cl_mem>(), (&raw const buffer).cast()))
        }
    }
}

impl Drop for Probe<'_> {
    fn drop(&mut self) {
        let api = self.api;
        // SAFETY: each was made for this object and is not used again. That a driver refuses to release it is nothing to
        // act upon.
        unsafe {
            for &buffer in &self.buffers {
                let _ = call!(api, clReleaseMemObject(buffer));
            }
            if !self.kernel.is_null() {
                let _ = call!(api, clReleaseKernel(self.kernel));
            }
            if !self.program.is_null() {
                let _ = call!(api, clReleaseProgram(self.program));
            }
            if !self.queue.is_null() {
                let _ = call!(api, clReleaseCommandQueue(self.queue));
            }
            if !self.context.is_null() {
                let _ = call!(api, clReleaseContext(self.context));
            }
        }
    }
}

/// The variable by which the driver is told what processor to make code for.
const TARGET_VARIABLE: &str = "CL_CONFIG_CPU_TARGET_ARCH";

/// Processors with AMX, as LLVM knows them: names, and family and model.
const TARGETS: [(&str, [u32; 2]); 5] = [
    ("sapphirerapids", [6, 0x8f]),
    ("emeraldrapids", [6, 0xcf]),
    ("graniterapids", [6, 0xad]),
    ("graniterapids-d", [6, 0xae]),
    ("diamondrapids", [19, 1]),
];

/// Returns whether processor and operating system have AMX, and the driver makes code for such a processor. It goes by
/// family and model, as LLVM does, not by what else the processor says of itself: a virtual machine that shows AMX under the
/// model of an older processor gets code without.
fn driver_targets_amx() -> bool {
    let is_target = match std::env::var(TARGET_VARIABLE) {
        Ok(named) => TARGETS.iter().any(|&(name, _)| name == named),
        Err(_) => TARGETS.iter().any(|&(_, model)| model == family_and_model()),
    };
    is_target && processor_has_amx()
}

/// Family and model of the processor (Intel SDM 2, CPUID leaf 1).
#[cfg(target_arch = "x86_64")]
fn family_and_model() -> [u32; 2] {
    const EXTENDED_FAMILY: u32 = 15;
    let signature = std::arch::x86_64::__cpuid(1).eax;
    let part = |from: u32, bits: u32| signature >> from & ((1 << bits) - 1);
    let (family, model) = (part(8, 4), part(4, 4) | part(16, 4) << 4);
    [if family == EXTENDED_FAMILY { family + part(20, 8) } else { family }, model]
}

#[cfg(not(target_arch = "x86_64"))]
fn family_and_model() -> [u32; 2] {
    [0; 2]
}

/// Returns whether processor and operating system have tiles of bf16 and of bytes.
#[cfg(target_arch = "x86_64")]
fn processor_has_amx() -> bool {
    use std::arch::x86_64::{__cpuid, __cpuid_count, __get_cpuid_max, _xgetbv};

    // Bits of CPUID leaves 1 and 7, and of the state that the system saves (Intel SDM 1, 13 and 18).
    const OSXSAVE: u32 = 1 << 27;
    const AMX_BF16: u32 = 1 << 22;
    const AMX_TILE: u32 = 1 << 24;
    const AMX_INT8: u32 = 1 << 25;
    const TILES: u64 = 0b11 << 17;

    #[target_feature(enable = "xsave")]
    unsafe fn saved_state() -> u64 {
        // SAFETY: the caller has found the instruction enabled.
        unsafe { _xgetbv(0) }
    }

    let all = AMX_BF16 | AMX_TILE | AMX_INT8;
    if __get_cpuid_max(0).0 < 7 || __cpuid(1).ecx & OSXSAVE == 0 || __cpuid_count(7, 0).edx & all != all {
        return false;
    }
    // SAFETY: OSXSAVE says that the system has enabled the instruction.
    unsafe { saved_state() & TILES == TILES }
}

#[cfg(not(target_arch = "x86_64"))]
fn processor_has_amx() -> bool {
    false
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::runtime::Device as _;

    #[test]
    fn each_device_and_driver_has_an_answer_of_its_own() {
        for (identity, is_usable) in [("first", true), ("second", false), ("third", true)] {
            assert_eq!(remembered(identity.to_owned(), || is_usable), is_usable, "{identity}");
            assert_eq!(remembered(identity.to_owned(), || panic!("asked twice")), is_usable, "{identity}");
        }
    }

    /// Runs the product in vector code, too. For a processor without AMX the driver refuses to build the other, or ends the
    /// process where it makes code for another processor than there is.
    #[test]
    fn the_product_is_right_where_the_driver_makes_code_for_amx() {
        let Some(session) = crate::runtime::opencl::tests::session() else { return };
        let (api, device) = (Api::get().unwrap(), session.device());
        let info = session.core_info().unwrap();
        if !info.is_cpu() {
            return;
        }
        let mut plain = info.clone();
        plain.set(SpirvFeature::CooperativeMatrix, false);
        let multiplies = |info: &CoreInfo| {
            // SAFETY: the device is the session's.
            unsafe { multiplies(api, device, info) }
        };
        assert_eq!(multiplies(&plain), Some(true));
        if driver_targets_amx() || !processor_has_amx() {
            assert_eq!(multiplies(&with_tiles(&info)), driver_targets_amx().then_some(true));
        }
        assert_eq!(info.have(SpirvFeature::CooperativeMatrix), is_permitted() && driver_targets_amx());
    }
}
