//! A sign of life while something takes long.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal as _;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Nothing is shown before that time.
const PATIENCE: Duration = Duration::from_secs(2);

/// Does something, and tells a terminal so if it takes longer than a moment.
pub fn during<T>(what: &str, action: impl FnOnce() -> T) -> T {
    if !std::io::stderr().is_terminal() {
        return action();
    }
    thread::scope(|scope| {
        let (end, is_over) = channel::<()>();
        scope.spawn(move || {
            if is_over.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = ProgressBar::new_spinner().with_message(what.to_owned()).with_elapsed(PATIENCE);
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(100));
            // It ends when the other side is dropped.
            let _ = is_over.recv();
            bar.finish_and_clear();
        });
        let result = action();
        drop(end);
        result
    })
}
