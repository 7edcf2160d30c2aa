//! Signs of life while something is fetched, for terminals and for logs.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::Write as _;
use std::time::Duration;

/// A line that turns on a terminal, and a plain line elsewhere.
pub fn spinner(message: &str) -> ProgressBar {
    let spinner = ProgressBar::new_spinner().with_message(message.to_owned());
    if spinner.is_hidden() {
        tell(message);
    } else {
        spinner.enable_steady_tick(Duration::from_millis(100));
    }
    spinner
}

/// A bar on a terminal that fills with bytes, and a plain line elsewhere.
pub fn bar(title: &str, bytes: u64) -> ProgressBar {
    let bar = ProgressBar::new(bytes).with_message(title.to_owned());
    if bar.is_hidden() {
        tell(title);
    }
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {percent:>3} % {bytes_per_sec}") {
        bar.set_style(style);
    }
    bar
}

/// Writes a line to standard error.
pub fn tell(message: &str) {
    // If that is closed, nobody wants to know.
    let _ = writeln!(std::io::stderr(), "{message}");
}
