//! The devices that kernels are run on, by name.

use crate::common::Failure;
use std::fmt;
use std::str::FromStr;
use tiletc::device::CoreInfo;
use tiletc::runtime::opencl::{self, DeviceKind};
use tiletc::runtime::{self, Error, Session as _, level_zero};
use tiletc::status::Status;
use virtual_xe::Device;

/// The name of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceName {
    /// A device of virtual-xe.
    Virtual(String),
    /// One of OpenCL's by number, or the first that runs kernels.
    OpenCl(Option<usize>),
    /// One of Level Zero's by number, or the first.
    LevelZero(Option<usize>),
}

impl FromStr for DeviceName {
    type Err = String;

    fn from_str(text: &str) -> Result<DeviceName, String> {
        let (kind, which) = text.split_once(':').map_or((text, None), |(kind, which)| (kind, Some(which)));
        let number = || match which.map(str::parse) {
            None => Ok(None),
            Some(Ok(number)) => Ok(Some(number)),
            Some(Err(_)) => Err(format!("`{}` is no number of a device", which.unwrap_or_default())),
        };
        match (kind, which) {
            ("virtual", Some(name)) => Ok(DeviceName::Virtual(name.to_owned())),
            ("opencl", _) => Ok(DeviceName::OpenCl(number()?)),
            ("level_zero", _) => Ok(DeviceName::LevelZero(number()?)),
            _ => {
                Err("a device is virtual:NAME, opencl[:N] or level_zero[:N]; `tiletc info` lists them"
                    .to_owned())
            }
        }
    }
}

impl fmt::Display for DeviceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, number) = match self {
            DeviceName::Virtual(name) => return write!(f, "virtual:{name}"),
            DeviceName::OpenCl(number) => ("opencl", number),
            DeviceName::LevelZero(number) => ("level_zero", number),
        };
        f.write_str(kind)?;
        number.map_or(Ok(()), |number| write!(f, ":{number}"))
    }
}

impl DeviceName {
    /// The first device of this machine, above all one of Level Zero.
    pub fn first() -> Option<DeviceName> {
        let has = |devices: Result<Vec<_>, _>| devices.is_ok_and(|devices| !devices.is_empty());
        if has(level_zero::Session::devices()) {
            return Some(DeviceName::LevelZero(None));
        }
        has(opencl::Session::devices()).then_some(DeviceName::OpenCl(None))
    }
}

/// A device that is open.
pub enum Opened {
    /// The device of virtual-xe that has the name.
    Virtual(String, virtual_xe_runtime::Session),
    /// A device of OpenCL's.
    OpenCl(opencl::Session),
    /// A device of Level Zero's.
    LevelZero(level_zero::Session),
}

impl DeviceName {
    /// Opens the device.
    pub fn open(&self) -> Result<Opened, Failure> {
        Ok(match self {
            DeviceName::Virtual(name) => {
                let session = virtual_xe_runtime::Session::open(name);
                Opened::Virtual(name.clone(), session.map_err(|error| Failure::usage(error.to_string()))?)
            }
            DeviceName::OpenCl(None) => {
                Opened::OpenCl(opencl::Session::open(DeviceKind::Any).map_err(failed)?)
            }
            DeviceName::OpenCl(Some(number)) => Opened::OpenCl(listed(*number)?),
            DeviceName::LevelZero(None) => Opened::LevelZero(level_zero::Session::open().map_err(failed)?),
            DeviceName::LevelZero(Some(number)) => Opened::LevelZero(listed(*number)?),
        })
    }
}

/// The device of a number in the list of `tiletc info`.
fn listed<S: runtime::Session>(number: usize) -> Result<S, Failure> {
    S::open_listed(number).map_err(|error| match error.status() {
        status @ Status::InvalidArguments => Failure::Usage(status, error.to_string()),
        _ => failed(error),
    })
}

/// The failure that an error of the runtime is.
pub fn failed(error: Error) -> Failure {
    Failure::Failed(error.status(), error.to_string())
}

/// The virtual device of the same design, if there is one.
pub fn twin(info: &CoreInfo) -> Option<virtual_xe_runtime::Session> {
    let family = info.family()?;
    let is_twin =
        |device: &&Device| CoreInfo::from_name(device.name()).and_then(|info| info.family()) == Some(family);
    Device::all().iter().find(is_twin).map(virtual_xe_runtime::Session::new)
}
