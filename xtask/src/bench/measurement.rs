//! The lines that `benches/suite.cpp` writes.

use anyhow::{Context, Result};
use serde_json::Value;

/// A program's times for one problem, in milliseconds, and what it did in that time.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// Group of problems: `roofline`, `gemm`, `chain`, `tiles`, `bf16` or `compile`.
    pub suite: String,
    pub name: String,
    /// Type of the numbers.
    pub precision: String,
    /// Place of the data: `beyond` the cache, or `within`.
    pub data: String,
    pub program: String,
    pub median: f64,
    pub least: f64,
    pub most: f64,
    pub flops: f64,
    pub bytes: f64,
    /// Largest error in terms of what rounding allows; 1 is still right.
    pub error: f64,
}

/// The machine and all measurements on it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    pub device: String,
    /// True if the host, whose roofline this is, is the device.
    pub is_cpu: bool,
    pub processors: u64,
    pub cache_bytes: f64,
    pub runs: u64,
    pub measurements: Vec<Measurement>,
    /// Groups that were not measured, and why.
    pub skipped: Vec<String>,
}

/// Meaning of a line.
#[derive(Debug, PartialEq)]
pub enum Line {
    /// Name of the next measurement.
    Next(String),
    Measured(Measurement),
    Device(Run),
    /// Something that is not measured here, and why.
    Skipped(String),
    /// True if all results are right.
    End(bool),
    /// Text for people.
    Other,
}

impl Line {
    /// Understands a line of the output.
    ///
    /// # Errors
    /// If an object lacks something.
    pub fn parse(line: &str) -> Result<Line> {
        let Ok(object @ Value::Object(_)) = serde_json::from_str::<Value>(line) else {
            return Ok(Line::Other);
        };
        let text = |key: &str| object.get(key).and_then(Value::as_str).map(str::to_owned);
        let number = |key: &str| object.get(key).and_then(Value::as_f64);
        let lacks = |key: &str| format!("a line of the benchmark lacks {key}: {line}");
        if let Some(what) = text("next") {
            return Ok(Line::Next(what));
        }
        if let Some(what) = text("skipped") {
            return Ok(Line::Skipped(what));
        }
        if let Some(right) = object.get("right").and_then(Value::as_bool) {
            return Ok(Line::End(right));
        }
        let text = |key: &str| text(key).with_context(|| lacks(key));
        // What is not a number is no measurement, and an error of that kind is larger than any.
        let time = |key: &str| number(key).with_context(|| lacks(key));
        if object.get("device").is_some() {
            let whole = |key: &str| object.get(key).and_then(Value::as_u64).with_context(|| lacks(key));
            return Ok(Line::Device(Run {
                device: text("device")?,
                is_cpu: object.get("is_cpu").and_then(Value::as_bool).with_context(|| lacks("is_cpu"))?,
                processors: whole("processors")?,
                cache_bytes: time("cache_bytes")?,
                runs: whole("runs")?,
                measurements: Vec::new(),
                skipped: Vec::new(),
            }));
        }
        Ok(Line::Measured(Measurement {
            suite: text("suite")?,
            name: text("name")?,
            precision: text("type")?,
            data: text("data")?,
            program: text("program")?,
            median: time("median_ms")?,
            least: time("least_ms")?,
            most: time("most_ms")?,
            flops: time("flops")?,
            bytes: time("bytes")?,
            error: time("error")?,
        }))
    }
}

impl Measurement {
    /// Arithmetic per second, in GFLOP/s.
    pub fn gflops(&self) -> f64 {
        self.flops / self.median * 1e-6
    }

    /// Bytes per second, in GB/s.
    pub fn bandwidth(&self) -> f64 {
        self.bytes / self.median * 1e-6
    }

    /// Width of all runs about the median, as a share of it.
    pub fn spread(&self) -> f64 {
        (self.most - self.least) / self.median
    }

    /// Operations for each byte.
    pub fn intensity(&self) -> f64 {
        self.flops / self.bytes
    }

    /// Returns whether both are about the same problem.
    pub fn is_beside(&self, other: &Measurement) -> bool {
        (&self.suite, &self.name, &self.precision, &self.data)
            == (&other.suite, &other.name, &other.precision, &other.data)
    }
}

impl Run {
    /// The measurements of a suite.
    pub fn of<'a>(&'a self, suite: &'a str) -> impl Iterator<Item = &'a Measurement> {
        self.measurements.iter().filter(move |measurement| measurement.suite == suite)
    }

    /// The peak of a precision in GFLOP/s, and of memory in GB/s.
    pub fn roofline(&self, precision: &str) -> Option<(f64, f64)> {
        let find = |name: &str, precision: &str| {
            self.of("roofline").find(|found| found.name == name && found.precision == precision)
        };
        Some((find("multiply-adds", precision)?.gflops(), find("stream triad", "f64")?.bandwidth()))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{Line, Measurement};

    #[test]
    fn lines_are_told_apart() {
        assert_eq!(Line::parse("device          a CPU (opencl)").unwrap(), Line::Other);
        assert_eq!(Line::parse("{\"next\": \"a thing\"}").unwrap(), Line::Next("a thing".to_owned()));
        assert_eq!(Line::parse("{\"right\": false}").unwrap(), Line::End(false));
        assert_eq!(Line::parse("{\"skipped\": \"this\"}").unwrap(), Line::Skipped("this".to_owned()));
        let line = "{\"suite\": \"gemm\", \"name\": \"8x8x8\", \"type\": \"f32\", \"data\": \"within\", \
                    \"program\": \"tiletc\", \"median_ms\": 2, \"least_ms\": 1.5, \"most_ms\": 2.5, \
                    \"flops\": 4e6, \"bytes\": 1e6, \"error\": 0.25}";
        let Line::Measured(measurement) = Line::parse(line).unwrap() else { unreachable!() };
        let Measurement { median, error, .. } = measurement;
        assert_eq!((median, error), (2.0, 0.25));
        assert_eq!((measurement.gflops(), measurement.bandwidth(), measurement.spread()), (2.0, 0.5, 0.5));
        assert!((measurement.intensity() - 4.0).abs() < 1e-12);
        // A result that is not a number is written as such, which is no JSON.
        assert_eq!(Line::parse(&line.replace("0.25", "nan")).unwrap(), Line::Other);
        assert!(Line::parse("{\"suite\": \"gemm\"}").unwrap_err().to_string().contains("lacks name"));
    }
}
