//! Figures of a kernel, one row of the table.

use super::timing::{Measurement, Mode};
use super::work::Work;
use crate::peaks::Peak;
use serde_json::{Map, Value, json};
use tiletc::runtime::KernelReport;
use tiletc::statistics::Summary;

/// Figures of a kernel.
#[derive(Clone, Debug)]
pub struct Row {
    /// The program's file, without folders.
    pub program: String,
    /// The kernel.
    pub kernel: String,
    /// Names that were defined, with their values.
    pub definitions: Vec<(String, String)>,
    /// The device.
    pub device: String,
    /// State of the caches.
    pub mode: Mode,
    /// Times.
    pub measurement: Measurement,
    /// Work of a launch.
    pub work: Work,
    /// Peak numbers of the device, if it is a product that has some.
    pub peak: Option<&'static Peak>,
    /// Report of the driver on the kernel, if it has one.
    pub report: Option<KernelReport>,
    /// The kernel that it is compared with.
    pub against: Option<Against>,
    /// Doubts about the figures, besides those of the measurement.
    pub notes: Vec<String>,
}

/// Another kernel that was measured in turn.
#[derive(Clone, Debug)]
pub struct Against {
    /// Its program's file, without folders.
    pub program: String,
    /// Times.
    pub measurement: Measurement,
}

impl Against {
    /// Its time as a multiple of that of another kernel: the medians, and the ends of their intervals that are apart most.
    pub fn ratio(&self, to: &Summary) -> (f64, Option<(f64, f64)>) {
        let intervals = self.measurement.times.interval.zip(to.interval);
        let ends = intervals.map(|((low, high), (to_low, to_high))| (low / to_high, high / to_low));
        (self.measurement.times.median / to.median, ends)
    }
}

impl Row {
    /// Operations a second.
    pub fn rate(&self) -> Option<f64> {
        Some(self.work.operations()? / self.measurement.times.median)
    }

    /// Compulsory bytes a second.
    pub fn bandwidth(&self) -> f64 {
        self.work.bytes / self.measurement.times.median
    }

    /// The least time that peak numbers leave as a share of the median.
    pub fn roofline(&self) -> Option<f64> {
        Some(self.work.least_time(self.peak?, self.mode)? / self.measurement.times.median)
    }

    /// Name in pictures.
    pub fn name(&self) -> String {
        let definitions: String =
            self.definitions.iter().map(|(name, value)| format!(" {name}={value}")).collect();
        format!("{}{definitions}, {}, {}, {}", self.program, self.kernel, self.device, self.mode)
    }

    /// All that is doubtful about it.
    pub fn all_notes(&self) -> Vec<String> {
        let of_other = self.against.iter().flat_map(|against| {
            against.measurement.notes.iter().map(move |note| format!("{}: {note}", against.program))
        });
        self.notes.iter().chain(&self.measurement.notes).cloned().chain(of_other).collect()
    }

    /// The figures for programs, in seconds, operations and bytes.
    pub fn json(&self) -> Value {
        let times = |measurement: &Measurement| {
            json!({
                "median": measurement.times.median,
                "interval": measurement.times.interval.map(|(lower, upper)| [lower, upper]),
                "min": measurement.times.min,
                "deviation": measurement.times.deviation,
                "samples": measurement.times.samples,
                "spread": measurement.times.spread,
                "latency": measurement.latency,
            })
        };
        let definitions: Map<String, Value> =
            self.definitions.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        let against = self.against.as_ref().map(|against| {
            let (ratio, interval) = against.ratio(&self.measurement.times);
            json!({
                "program": against.program,
                "time": times(&against.measurement),
                "ratio": ratio,
                "ratio_interval": interval.map(|(lower, upper)| [lower, upper]),
            })
        });
        let report = self.report.as_ref();
        json!({
            "program": self.program,
            "kernel": self.kernel,
            "definitions": definitions,
            "device": self.device,
            "caches": self.mode.to_string(),
            "time": times(&self.measurement),
            "operations": self.work.operations(),
            "operations_per_second": self.rate(),
            "compulsory_bytes": self.work.bytes,
            "bytes_per_second": self.bandwidth(),
            "roofline": self.roofline(),
            "product": self.peak.map(|peak| peak.product),
            "spilled_bytes": report.and_then(|report| report.spilled_bytes),
            "registers": report.and_then(|report| report.registers),
            "local_bytes": report.map(|report| report.local_bytes),
            "against": against,
            "notes": self.all_notes(),
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub mod tests {
    use super::*;
    use crate::bench::timing::Sample;

    /// A row with 20 samples around so many seconds, for the tests of tables and pictures.
    pub fn row(seconds: f64, work: Work, product: Option<&str>) -> Row {
        let sample =
            |place: u8| Sample { kernel: seconds * (1.0 + f64::from(place) / 1000.0), wall: seconds * 2.0 };
        Row {
            program: "a,b.ir".to_owned(),
            kernel: "f".to_owned(),
            definitions: vec![("BM".to_owned(), "32".to_owned())],
            device: "opencl".to_owned(),
            mode: Mode::Cold,
            measurement: Measurement::of(&(0..20).map(sample).collect::<Vec<_>>()).unwrap(),
            work,
            peak: product.and_then(Peak::of_product),
            report: None,
            against: None,
            notes: vec!["a | b".to_owned()],
        }
    }

    #[test]
    fn ratios_have_the_ends_that_are_apart_most() {
        let measurement = row(1.0, Work::known(1e9, 1e9), None).measurement;
        let times = |median, interval| Summary { median, interval, ..measurement.times };
        let other = Measurement { times: times(3.0, Some((2.0, 4.0))), ..measurement.clone() };
        let against = Against { program: "o.ir".to_owned(), measurement: other };
        assert_eq!(against.ratio(&times(1.5, Some((1.0, 2.0)))), (2.0, Some((1.0, 4.0))));
        assert_eq!(against.ratio(&times(1.5, None)), (2.0, None));
    }

    #[test]
    fn shares_of_the_roofline_are_those_of_the_product() {
        let work = Work::known(1.0, 1638.4e9);
        let found = row(4.0, work.clone(), Some("Max 1550")).roofline().unwrap();
        assert!((found - 0.25).abs() < 0.01, "{found}");
        assert_eq!(row(4.0, work, None).roofline(), None);
    }
}
