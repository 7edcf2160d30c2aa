//! Binaries for drivers: SPIR-V as the runtime looks at it, and native ones of the virtual GPU.

use crate::{Mutator, Random, Target, instructions};
use tiletc::device::CoreFeatures;
use tiletc::runtime::{self, BundleFormat};
use virtual_xe::{Device, Program};
use virtual_xe_level_zero::native::{self, Binary};

/// The target.
pub const TARGET: Target = Target { name: "native_binary", run, mutator: Some(Mutator { change, cross }) };

/// A binary with the usual register file.
fn of<'a>(device: &'a [u8], spirv: &'a [u8]) -> Binary<'a> {
    Binary { device, has_large_register_file: false, spirv }
}

fn run(data: &[u8]) {
    let check =
        |format, bytes: &[u8]| runtime::Binary::new(format, bytes.to_vec(), CoreFeatures::default()).check();
    // Only the driver knows its own format.
    assert!(check(BundleFormat::Native, data).is_ok());
    let unpacked = native::unpack(data);
    if let Some(parts) = &unpacked {
        assert!(native::pack(parts) == data, "it is not what was unpacked");
    }
    let Binary { device, spirv, .. } = unpacked.unwrap_or(of(b"generic", data));
    let device = str::from_utf8(device).ok().and_then(Device::named);
    let checked = check(BundleFormat::Spirv, spirv);
    if let Some(device) = device
        && Program::build(device, spirv).is_ok()
        && let Err(error) = checked
    {
        // That is invalid SPIR-V, but the virtual GPU only looks at the ids that it needs.
        assert!(error.to_string().contains("nothing defines id"), "what can be built is refused: {error}");
    }
}

/// A binary whose module is changed.
fn change(data: &[u8], random: &mut Random) -> Vec<u8> {
    let parts = native::unpack(data).unwrap_or(of(b"pvc", data));
    let device = match random.below(8) {
        0 => random.one_of(Device::all()).map_or(parts.device, |device| device.name().as_bytes()),
        _ => parts.device,
    };
    native::pack(&Binary { device, spirv: &instructions::change(parts.spirv, random), ..parts })
}

fn cross(first: &[u8], second: &[u8], random: &mut Random) -> Vec<u8> {
    let first = native::unpack(first).unwrap_or(of(b"pvc", first));
    let second = native::unpack(second).map_or(second, |parts| parts.spirv);
    native::pack(&Binary { spirv: &instructions::cross(first.spirv, second, random), ..first })
}
