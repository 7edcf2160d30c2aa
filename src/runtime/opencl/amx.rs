//! AMX: whether the processor has it, and whether the driver's code for it computes what it should.
//!
//! No query tells. Drivers list no feature, and Intel's ends the process on tiles that a processor does not take; so the
//! processor is asked first, and then a small product is built and run, once in a process.

use std::sync::OnceLock;

use super::api::Api;
use super::device::DeviceInfo;
use super::session::Session;
use crate::device::{CoreInfo, SpirvFeature};
use crate::driver::{Options, Specialized};
use crate::runtime::{Binary, Bundle as _, Device as _, Session as _};
use std::sync::Arc;

/// Rows, columns and depth of the product.
const SIZE: usize = 32;
const PROGRAM: &str = "func @probe(%A: memref<bf16x32x32>, %B: memref<bf16x32x32>, %C: memref<f32x32x32>) {
    %one = constant 1.0 : bf16
    %zero = constant 0.0 : bf16
    gemm.n.n %one, %A, %B, %zero, %C
}";

/// Returns whether kernels for a CPU device may multiply by AMX.
pub(super) fn is_usable(device: DeviceInfo<'_>, info: &CoreInfo) -> bool {
    static ANSWER: OnceLock<bool> = OnceLock::new();
    let Some(api) = Api::get().ok().filter(|&api| device.is_of(api)) else { return false };
    *ANSWER.get_or_init(|| {
        let is_usable = processor_has_amx() && multiplies(api, device, &with_tiles(info)) == Some(true);
        log::debug!("AMX is {}", if is_usable { "used" } else { "not used" });
        is_usable
    })
}

/// The device with a way to its engine.
fn with_tiles(info: &CoreInfo) -> CoreInfo {
    let mut info = info.clone();
    info.set(SpirvFeature::CooperativeMatrix, true);
    info
}

/// Returns whether a product of small numbers is right; `None` if it could not be had.
fn multiplies(api: &'static Api, device: DeviceInfo<'_>, info: &CoreInfo) -> Option<bool> {
    let mut program = Specialized::parse(PROGRAM, "probe", &[]).ok()?;
    let module = program.compilation(info, &Options::default()).compile().ok()?;
    let session = Session::on(api, device).ok()?;
    let bundle = Arc::new(session.build(&Binary::from(&module)).ok()?);
    let mut kernel = bundle.kernel("probe").ok()?;
    let numbers = |seed: usize| (0..SIZE * SIZE).map(move |place| (place * seed % 7) as f32 - 3.0);
    // The upper half of such a number is the whole of it.
    let factor = |seed| -> Vec<u16> { numbers(seed).map(|number| (number.to_bits() >> 16) as u16).collect() };
    let (a, b) = (session.memory(&factor(3)).ok()?, session.memory(&factor(5)).ok()?);
    let c = session.memory(&[0.0f32; SIZE * SIZE]).ok()?;
    // SAFETY: the kernel reads and writes matrices of this size, which are not borrowed.
    unsafe { session.run(&mut kernel, [1, 1, 1], &[(&a).into(), (&b).into(), (&c).into()]) }.ok()?;
    let (a, b): (Vec<f32>, Vec<f32>) = (numbers(3).collect(), numbers(5).collect());
    let entry = |row: usize, col: usize| -> f32 {
        let (row_of_a, col_of_b) = (a.iter().skip(row).step_by(SIZE), b.iter().skip(col * SIZE));
        row_of_a.zip(col_of_b).map(|(a, b)| a * b).sum()
    };
    let expected = (0..SIZE * SIZE).map(|place| entry(place % SIZE, place / SIZE));
    Some(c.iter().copied().eq(expected))
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
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Runs the product in vector code, too. For a processor without AMX the driver refuses to build the other.
    #[test]
    fn the_product_is_right_where_the_processor_has_amx() {
        let Some(session) = crate::runtime::opencl::tests::session() else { return };
        let target = session.target();
        let device = target.info().unwrap();
        let info = session.core_info().unwrap();
        if !info.is_cpu() {
            return;
        }
        let mut plain = info.clone();
        plain.set(SpirvFeature::CooperativeMatrix, false);
        assert_eq!(multiplies(target.api(), device, &plain), Some(true));
        let outcome = multiplies(target.api(), device, &with_tiles(&info));
        assert_eq!(outcome, processor_has_amx().then_some(true));
        assert_eq!(info.have(SpirvFeature::CooperativeMatrix), processor_has_amx());
    }
}
