//! Time that suites and tests take, so that whoever runs them sees what has become slow.

/// Number of lines that are shown of each kind.
const SHOWN: usize = 8;

/// Durations in seconds.
#[derive(Default)]
pub struct Durations {
    /// Suites of Rust tests; cargo names each before it runs.
    suites: Vec<(String, f64)>,
    suite: Option<String>,
    /// Tests of CTest.
    tests: Vec<(String, f64)>,
}

impl Durations {
    /// Looks at a line of `cargo test`.
    pub fn line_of_cargo(&mut self, line: &str) {
        if let Some(suite) = suite(line) {
            self.suite = Some(suite);
        } else if let Some((_, time)) =
            line.strip_prefix("test result: ").and_then(|line| line.rsplit_once(' '))
            && let Some(seconds) = time.strip_suffix('s').and_then(|time| time.parse().ok())
        {
            self.suites.push((self.suite.clone().unwrap_or_default(), seconds));
        }
    }

    /// Looks at a report of CTest.
    pub fn report_of_ctest(&mut self, report: &str) {
        self.tests.extend(report.split("<testcase ").skip(1).filter_map(|test| {
            let attribute = |name: &str| {
                let (_, rest) = test.split_once(&format!("{name}=\""))?;
                Some(rest.split_once('"')?.0)
            };
            Some((attribute("name")?.to_owned(), attribute("time")?.parse().ok()?))
        }));
    }

    /// Those that took longest, as lines.
    pub fn slowest(&self) -> String {
        [("Rust suites", &self.suites), ("C++ tests", &self.tests)]
            .into_iter()
            .filter(|(_, durations)| !durations.is_empty())
            .map(|(title, durations)| {
                let total: f64 = durations.iter().map(|(_, seconds)| seconds).sum();
                let mut sorted: Vec<&(String, f64)> = durations.iter().collect();
                sorted.sort_by(|a, b| b.1.total_cmp(&a.1));
                let lines: Vec<String> = sorted
                    .iter()
                    .take(SHOWN)
                    .map(|(name, seconds)| format!("{seconds:>8.1} s  {name}\n"))
                    .collect();
                format!("slowest of {} {title}, which take {total:.1} s\n{}", durations.len(), lines.concat())
            })
            .collect()
    }
}

/// Name of the suite that cargo says it runs: `Running tests/ffi/main.rs (target/debug/deps/ffi-0123456789abcdef)` or
/// `Doc-tests tiletc`.
fn suite(line: &str) -> Option<String> {
    if let Some((_, package)) = line.split_once("Doc-tests") {
        return Some(format!("{} (documentation)", package.split(' ').next_back()?));
    }
    let (_, run) = line.split_once("Running")?;
    let program = run.rsplit_once('(')?.1.split(')').next()?;
    let name = program.rsplit('/').next()?;
    let name = name.rsplit_once('-').map_or(name, |(name, _)| name);
    Some(if run.contains("unittests ") { format!("{name} (unit tests)") } else { name.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::Durations;

    #[test]
    fn the_slowest_come_first() {
        let mut durations = Durations::default();
        for line in [
            "     Running unittests src/lib.rs (target/debug/deps/tiletc-0123)",
            "test result: ok. 10 passed; 0 failed; 2 ignored; 0 measured; 3 filtered out; finished in 0.10s",
            "\u{1b}[1m\u{1b}[92m     Running\u{1b}[0m tests/ffi/main.rs (/t/debug/deps/ffi-4567)",
            "test a ... ok",
            "test result: FAILED. 1 passed; 4 failed; 0 ignored; 0 measured; 0 filtered out; finished in 12.50s",
            "   Doc-tests tiletc",
            "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s",
        ] {
            durations.line_of_cargo(line);
        }
        let report = "<testsuite name=\"Linux\"\n\ttests=\"1\">\n\t<testcase name=\"core17\" classname=\"core17\" \
                      time=\"0.25\" status=\"run\">\n</testcase></testsuite>";
        durations.report_of_ctest(report);
        assert_eq!(
            durations.slowest(),
            "slowest of 3 Rust suites, which take 13.6 s\n    12.5 s  ffi\n     1.0 s  tiletc (documentation)\n     \
             0.1 s  tiletc (unit tests)\nslowest of 1 C++ tests, which take 0.2 s\n     0.2 s  core17\n"
        );
    }
}
