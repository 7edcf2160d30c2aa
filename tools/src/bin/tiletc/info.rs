//! `tiletc info`: the devices that kernels can be compiled for and run on.

use crate::common::{self, Failure};
use std::fmt::Write as _;
use tiletc::device::{CoreInfo, SpirvFeature};
use tiletc::runtime::{DeviceSummary, Error, level_zero, opencl};
use tiletc::status::Status;
use virtual_xe::Device;

/// Lists all devices; interfaces without a driver say so.
pub fn all() -> Result<(), Failure> {
    let mut text = String::new();
    for device in Device::all() {
        let _ = write!(text, "virtual:{}: virtual-xe", device.name());
        match CoreInfo::from_name(device.name()) {
            Some(info) => {
                text.push('\n');
                describe(&info, &mut text);
            }
            None => text.push_str(", runs the modules of all others\n"),
        }
    }
    for (interface, devices) in [("opencl", opencl::devices()), ("level_zero", level_zero::devices())] {
        match devices {
            Ok(devices) => list(interface, &devices, &mut text),
            Err(error) => {
                let _ = writeln!(text, "{interface}: none ({error})");
            }
        }
    }
    common::write_output(text.as_bytes())
}

/// Lists the devices of an interface, of which there must be one.
pub fn of(interface: &str, devices: Result<Vec<DeviceSummary>, Error>) -> Result<(), Failure> {
    let devices = devices.map_err(|error| Failure::Failed(error.status(), error.to_string()))?;
    if devices.is_empty() {
        return Err(Failure::Failed(Status::ComputeRuntimeError, format!("{interface} has no driver")));
    }
    let mut text = String::new();
    list(interface, &devices, &mut text);
    common::write_output(text.as_bytes())
}

fn list(interface: &str, devices: &[DeviceSummary], text: &mut String) {
    if devices.is_empty() {
        let _ = writeln!(text, "{interface}: none (it has no driver)");
    }
    for (number, device) in devices.iter().enumerate() {
        let _ = writeln!(text, "{interface}:{number}: {}", device.name);
        match &device.core_info {
            Ok(info) => describe(info, text),
            Err(error) => {
                let _ = writeln!(text, "    {error}");
            }
        }
    }
}

fn describe(info: &CoreInfo, text: &mut String) {
    let sizes: Vec<String> = info.subgroup_sizes().iter().map(i32::to_string).collect();
    let _ = writeln!(text, "    {:<32}{}", "subgroup sizes", sizes.join(", "));
    let _ = writeln!(text, "    {:<32}{} bytes", "register space", info.register_space());
    for &feature in SpirvFeature::ALL {
        let answer = if info.have(feature) { "yes" } else { "no" };
        let _ = writeln!(text, "    {:<32}{answer}", feature.spelling());
    }
}
