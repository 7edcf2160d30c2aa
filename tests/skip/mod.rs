//! Skipping: a test says that it cannot run here, where the test harness knows no such outcome.

use std::fmt::Display;
use std::io::Write as _;

/// Says why the test that calls this returns without testing anything. The line passes by the harness, which hides
/// what tests print that pass, and `cargo xtask test` counts it as a test that was skipped.
pub fn skip(reason: impl Display) {
    let thread = std::thread::current();
    let name = thread.name().unwrap_or("a test");
    // The harness may be in the middle of a line. A closed output is not the test's concern.
    let _ = writeln!(std::io::stdout(), "\ntest skipped: {name}: {reason}");
}
