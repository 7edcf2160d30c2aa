//! Binaries for drivers: SPIR-V as the runtime looks at it, and native ones of the virtual GPU.

use crate::{Mutator, Random, Target, instructions};
use tiletc::device::CoreFeatures;
use tiletc::runtime::{Binary, BundleFormat};
use virtual_xe::{Device, Program};
use virtual_xe_level_zero::native;

/// The target.
pub const TARGET: Target = Target { name: "native_binary", run, mutator: Some(Mutator { change, cross }) };

fn run(data: &[u8]) {
    let check = |format, bytes: &[u8]| Binary::new(format, bytes.to_vec(), CoreFeatures::default()).check();
    // Only the driver knows its own format.
    assert!(check(BundleFormat::Native, data).is_ok());
    let unpacked = native::unpack(data);
    if let Some((name, spirv)) = unpacked {
        assert!(native::pack(name, spirv) == data, "it is not what was unpacked");
    }
    let (name, spirv) = unpacked.unwrap_or((b"generic", data));
    let device = str::from_utf8(name).ok().and_then(Device::named);
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
    let (name, spirv) = native::unpack(data).unwrap_or((b"pvc", data));
    let name = match random.below(8) {
        0 => random.one_of(Device::all()).map_or(name, |device| device.name().as_bytes()),
        _ => name,
    };
    native::pack(name, &instructions::change(spirv, random))
}

fn cross(first: &[u8], second: &[u8], random: &mut Random) -> Vec<u8> {
    let (name, first) = native::unpack(first).unwrap_or((b"pvc", first));
    let (_, second) = native::unpack(second).unwrap_or((b"pvc", second));
    native::pack(name, &instructions::cross(first, second, random))
}
