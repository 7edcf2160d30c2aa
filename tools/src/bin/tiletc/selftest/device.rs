//! The device that is tested.

use crate::common::Failure;
use std::fmt;
use std::str::FromStr;
use tiletc::runtime::{Error, Session as _, level_zero, opencl};

/// The name of a device, as the other commands take it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceName {
    /// A device of virtual-xe.
    Virtual(String),
    /// One of OpenCL's by number, or the first that runs kernels.
    OpenCl(Option<usize>),
    /// One of Level Zero's by number, or the first.
    LevelZero(Option<usize>),
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

impl FromStr for DeviceName {
    type Err = String;

    fn from_str(text: &str) -> Result<DeviceName, String> {
        let (kind, which) = text.split_once(':').map_or((text, None), |(kind, which)| (kind, Some(which)));
        let number = || {
            let number =
                which.map(|which| which.parse().map_err(|_| format!("`{which}` is no number of a device")));
            number.transpose()
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

/// The failure that an error of a device is.
pub fn failed(error: Error) -> Failure {
    Failure::Failed(error.status(), error.to_string())
}
