//! Record of a run of the tests: the tests that failed, and the time that suites and tests take.

/// Number of lines that are shown of each kind of duration.
const SHOWN: usize = 8;

/// Number of lines that are shown of the output of a test that failed.
const LINES: usize = 12;

/// Failed tests, and durations in seconds.
#[derive(Default)]
pub struct Record {
    /// Suites of Rust tests; cargo names each before it runs.
    suites: Vec<(String, f64)>,
    suite: Option<String>,
    /// Tests of CTest.
    tests: Vec<(String, f64)>,
    /// Names of failed tests, and the first lines of what they printed.
    failures: Vec<(String, Vec<String>)>,
    /// True if the lines that follow are output of the last failed test.
    in_failure: bool,
}

impl Record {
    /// Looks at a line of `cargo test`.
    pub fn line_of_cargo(&mut self, line: &str) {
        if let Some(test) = line.strip_prefix("---- ").and_then(|line| line.strip_suffix(" ----")) {
            let test = test.strip_suffix(" stdout").unwrap_or(test);
            let suite = self.suite.as_deref().unwrap_or_default();
            self.failures.push((format!("{suite}: {test}"), Vec::new()));
            self.in_failure = true;
        } else if line == "failures:" {
            self.in_failure = false;
        } else if line.starts_with("test result: ") {
            self.in_failure = false;
            self.closing_line_of_suite(line);
        } else if self.in_failure {
            if let Some((_, lines)) = self.failures.last_mut()
                && lines.len() < LINES
                && !line.trim().is_empty()
            {
                lines.push(line.to_owned());
            }
        } else if let Some(suite) = suite(line) {
            self.suite = Some(suite);
        }
    }

    fn closing_line_of_suite(&mut self, line: &str) {
        if let Some((_, time)) = line.rsplit_once(' ')
            && let Some(seconds) = time.strip_suffix('s').and_then(|time| time.parse().ok())
        {
            self.suites.push((self.suite.clone().unwrap_or_default(), seconds));
        }
    }

    /// Looks at a report of CTest.
    pub fn report_of_ctest(&mut self, report: &str) {
        for test in report.split("<testcase ").skip(1) {
            let attribute = |name: &str| {
                let (_, rest) = test.split_once(&format!("{name}=\""))?;
                Some(rest.split_once('"')?.0)
            };
            let Some(name) = attribute("name") else { continue };
            if let Some(seconds) = attribute("time").and_then(|time| time.parse().ok()) {
                self.tests.push((name.to_owned(), seconds));
            }
            if attribute("status") == Some("fail") {
                self.failures.push((format!("C++: {name}"), Vec::new()));
            }
        }
    }

    /// The tests that failed, with the first lines of their output.
    pub fn failed(&self) -> String {
        let failures = self.failures.iter().map(|(name, lines)| {
            let lines: String = lines.iter().map(|line| format!("    {line}\n")).collect();
            format!("failed: {name}\n{lines}")
        });
        failures.collect()
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
    use super::Record;

    #[test]
    fn the_slowest_come_first() {
        let mut record = Record::default();
        for line in [
            "     Running unittests src/lib.rs (target/debug/deps/tiletc-0123)",
            "test result: ok. 10 passed; 0 failed; 2 ignored; 0 measured; 3 filtered out; finished in 0.10s",
            "\u{1b}[1m\u{1b}[92m     Running\u{1b}[0m tests/ffi/main.rs (/t/debug/deps/ffi-4567)",
            "test a ... ok",
            "test result: FAILED. 1 passed; 4 failed; 0 ignored; 0 measured; 0 filtered out; finished in 12.50s",
            "   Doc-tests tiletc",
            "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s",
        ] {
            record.line_of_cargo(line);
        }
        let report = "<testsuite name=\"Linux\"\n\ttests=\"1\">\n\t<testcase name=\"core17\" classname=\"core17\" \
                      time=\"0.25\" status=\"run\">\n</testcase></testsuite>";
        record.report_of_ctest(report);
        assert_eq!(
            record.slowest(),
            "slowest of 3 Rust suites, which take 13.6 s\n    12.5 s  ffi\n     1.0 s  tiletc (documentation)\n     \
             0.1 s  tiletc (unit tests)\nslowest of 1 C++ tests, which take 0.2 s\n     0.2 s  core17\n"
        );
    }

    #[test]
    fn failed_tests_are_named_with_the_first_lines_of_their_output() {
        let mut record = Record::default();
        for line in [
            "     Running tests/ffi/main.rs (target/debug/deps/ffi-4567)",
            "test abi ... FAILED",
            "",
            "failures:",
            "",
            "---- abi stdout ----",
            "",
            "thread 'abi' panicked at tests/ffi/abi.rs:7:5:",
            "left is not right",
            "",
            "failures:",
            "    abi",
            "",
            "test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 12.50s",
            "     Running tests/filetests.rs (target/debug/deps/filetests-0123)",
            "---- passes/dce.ir ----",
            "line 3 differs",
            "test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s",
        ] {
            record.line_of_cargo(line);
        }
        record.report_of_ctest(
            "<testcase name=\"core17\" time=\"0.25\" status=\"run\"></testcase>\
             <testcase name=\"arguments\" time=\"0.50\" status=\"fail\"></testcase>",
        );
        assert_eq!(
            record.failed(),
            "failed: ffi: abi\n    thread 'abi' panicked at tests/ffi/abi.rs:7:5:\n    left is not right\n\
             failed: filetests: passes/dce.ir\n    line 3 differs\nfailed: C++: arguments\n"
        );
        assert_eq!(record.suites.len(), 2);
    }
}
