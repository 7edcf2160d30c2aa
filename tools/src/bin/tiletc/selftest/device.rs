//! The device that is tested.

use std::fmt;
use std::str::FromStr;
use tiletc::runtime::{Session as _, level_zero, opencl};

/// The name of a device, as the other commands take it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceName {
    Virtual(String),
    OpenCl(usize),
    LevelZero(usize),
}

impl DeviceName {
    /// The first device of this machine, above all one of Level Zero.
    pub fn first() -> Option<DeviceName> {
        let has = |devices: Result<Vec<_>, _>| devices.is_ok_and(|devices| !devices.is_empty());
        if has(level_zero::Session::devices()) {
            return Some(DeviceName::LevelZero(0));
        }
        has(opencl::Session::devices()).then_some(DeviceName::OpenCl(0))
    }
}

impl FromStr for DeviceName {
    type Err = String;

    fn from_str(text: &str) -> Result<DeviceName, String> {
        let (kind, which) = text.split_once(':').unwrap_or((text, "0"));
        let number = || which.parse().map_err(|_| format!("`{which}` is no number of a device"));
        match (kind, text.contains(':')) {
            ("virtual", true) => Ok(DeviceName::Virtual(which.to_owned())),
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
        match self {
            DeviceName::Virtual(name) => write!(f, "virtual:{name}"),
            DeviceName::OpenCl(number) => write!(f, "opencl:{number}"),
            DeviceName::LevelZero(number) => write!(f, "level_zero:{number}"),
        }
    }
}
