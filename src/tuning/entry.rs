//! A config with the time that it takes.

use super::config::Config;
use crate::device::CoreInfo;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fmt;

/// A function on a device: what configs are compared for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key {
    /// Hash of the function's canonical text, so that types, shapes, layouts, promises about them and attributes are part of it.
    pub program: String,
    /// The design of the device, with what is asked of it and what is avoided.
    pub device: String,
    /// The device's name and the version of its driver, where that takes part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub driver: Option<String>,
    /// The version of tiletc.
    pub tiletc: String,
}

impl Key {
    /// The key of a function by its canonical text.
    pub fn new(text: &[u8], info: &CoreInfo) -> Key {
        Key {
            program: hash(text),
            device: device(info),
            driver: info.driver().map(str::to_owned),
            tiletc: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// The key whatever the driver.
    #[must_use]
    pub fn of_any_driver(&self) -> Key {
        Key { driver: None, ..self.clone() }
    }

    /// The key of the function for one case of its arguments, where configs depend on these.
    #[must_use]
    pub fn of_case(&self, case: &str) -> Key {
        let text = [self.program.as_bytes(), case.as_bytes()].concat();
        Key { program: hash(&text), ..self.clone() }
    }
}

fn hash(text: &[u8]) -> String {
    Sha256::digest(text).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// The device as far as schedules depend on it; what drivers say of one and what the compiler knows of it come to the same.
fn device(info: &CoreInfo) -> String {
    let mut name = match info.family() {
        Some(family) => format!("{family:?}").to_lowercase(),
        None => {
            let kind = if info.is_cpu() { "cpu" } else { "generic" };
            let sizes: Vec<String> = info.subgroup_sizes().iter().map(i32::to_string).collect();
            format!("{kind} {} {}", info.register_space(), sizes.join("-"))
        }
    };
    if info.core_features().bits() != 0 {
        name += &format!(" features {}", info.core_features().bits());
    }
    let avoided = info.avoided().to_string();
    if !avoided.is_empty() {
        name += &format!(" without {avoided}");
    }
    name
}

/// The figure that configs of a key are compared by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// Cycles of a vector engine for all work-groups, with the model's or the offline compiler's count of instructions.
    Estimated {
        /// The cycles.
        cycles: f64,
    },
    /// Time of a launch.
    Measured {
        /// The median in seconds.
        seconds: f64,
        /// The bounds of its 95 % interval.
        interval: [f64; 2],
        /// The device and its driver.
        on: String,
        /// The day, in the form 2026-11-26.
        date: String,
    },
    /// The reason why the config is out of the question.
    Failed(String),
}

impl Figure {
    /// Place of the kind, what is measured first and what has failed last, and the seconds or cycles.
    pub fn rank(&self) -> (u8, f64) {
        match *self {
            Figure::Measured { seconds, .. } => (0, seconds),
            Figure::Estimated { cycles } => (1, cycles),
            Figure::Failed(_) => (2, f64::INFINITY),
        }
    }

    /// Returns whether it was measured, in samples enough for an interval.
    pub fn has_interval(&self) -> bool {
        matches!(self, Figure::Measured { interval: [lower, upper], .. } if lower < upper)
    }

    /// Returns whether the other one was measured, and this one not or in fewer samples than an interval takes.
    pub(super) fn is_less_sure_than(&self, other: &Figure) -> bool {
        match self {
            Figure::Estimated { .. } => matches!(other, Figure::Measured { .. }),
            Figure::Measured { .. } => other.has_interval() && !self.has_interval(),
            Figure::Failed(_) => false,
        }
    }

    /// The time of a launch that was measured today (UTC) on a device with a driver.
    pub fn measured_now(seconds: f64, interval: [f64; 2], on: &str) -> Figure {
        // As RFC 3339 has it, with the day before a T.
        let now = jiff::Timestamp::now().to_string();
        let date = now.split('T').next().unwrap_or_default().to_owned();
        Figure::Measured { seconds, interval, on: on.to_owned(), date }
    }

    /// The time where the same takes so many times as long; what is not measured stays.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Figure {
        match self {
            Figure::Measured { seconds, interval, on, date } => {
                let interval = interval.map(|end| end * factor);
                Figure::Measured { seconds: seconds * factor, interval, on, date }
            }
            Figure::Estimated { .. } | Figure::Failed(_) => self,
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Figure::Estimated { .. } => f.write_str("estimated"),
            Figure::Measured { on, date, .. } => write!(f, "measured on {on}, {date}"),
            Figure::Failed(reason) => write!(f, "failed: {reason}"),
        }
    }
}

/// A config of a key with the time that it takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The function and the device.
    #[serde(flatten)]
    pub key: Key,
    /// Name of the function.
    pub function: String,
    /// Names of the program that were defined, with their values, which its text contains: they are for people.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub definitions: BTreeMap<String, String>,
    /// The launch that its time is of, with where its data is; empty of launches of a program, whichever come.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub launch: String,
    /// The config.
    pub config: Config,
    /// Its time.
    pub figure: Figure,
}

impl Entry {
    /// Returns whether another entry is about the same config.
    pub(super) fn is_same_config(&self, other: &Entry) -> bool {
        (&self.key, &self.config) == (&other.key, &other.config)
    }

    /// Returns whether another entry is about another launch of the function, so that their times say nothing about the configs.
    pub(super) fn is_of_other_launch(&self, other: &Entry) -> bool {
        self.key == other.key && self.launch != other.launch
    }
}
