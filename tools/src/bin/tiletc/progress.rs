//! A sign of life while something takes long.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Nothing is shown before that time.
const PATIENCE: Duration = Duration::from_secs(2);
/// Time between two pictures.
const TICK: Duration = Duration::from_millis(100);

/// The share of something that is done.
pub struct Progress {
    start: Instant,
    /// The bits of the share, from 0 to 1.
    share: AtomicU64,
}

impl Progress {
    /// Says that a share is done, from 0 to 1.
    pub fn set(&self, share: f64) {
        self.share.store(share.to_bits(), Ordering::Relaxed);
    }

    /// Says how many of so many are done.
    // For people.
    #[allow(clippy::cast_precision_loss)]
    pub fn count(&self, done: usize, of: usize) {
        self.set(done as f64 / of.max(1) as f64);
    }

    /// The time that is left, behind a comma.
    fn left(&self) -> String {
        let share = f64::from_bits(self.share.load(Ordering::Relaxed));
        left(self.start.elapsed(), share).map_or_else(String::new, |left| format!(", {left}"))
    }
}

/// The time left for the rest if a share took so long, for people. Of little nothing follows.
fn left(elapsed: Duration, share: f64) -> Option<String> {
    const LITTLE: f64 = 0.02;
    if !(LITTLE..=1.0).contains(&share) {
        return None;
    }
    let seconds = elapsed.as_secs_f64() * (1.0 - share) / share;
    Some(if seconds < 100.0 {
        format!("about {seconds:.0} s left")
    } else {
        format!("about {:.0} min left", seconds / 60.0)
    })
}

/// Does something, and tells a terminal so if it takes longer than a moment.
pub fn during<T>(what: &str, action: impl FnOnce() -> T) -> T {
    measured(what, |_| action())
}

/// The same for what knows its progress, with an estimate of the time that is left.
pub fn measured<T>(what: &str, action: impl FnOnce(&Progress) -> T) -> T {
    let progress = Progress { start: Instant::now(), share: AtomicU64::new(0) };
    if !std::io::stderr().is_terminal() {
        return action(&progress);
    }
    thread::scope(|scope| {
        let (end, is_over) = channel::<()>();
        scope.spawn(|| {
            // It ends when the other side is dropped.
            let is_over = is_over;
            if is_over.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = ProgressBar::new_spinner().with_message(what.to_owned()).with_elapsed(PATIENCE);
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}{prefix}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(TICK);
            while is_over.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                bar.set_prefix(progress.left());
            }
            bar.finish_and_clear();
        });
        let result = action(&progress);
        drop(end);
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_from_the_time_taken() {
        let left = |seconds, share| left(Duration::from_secs(seconds), share);
        assert_eq!(left(10, 0.25).as_deref(), Some("about 30 s left"));
        assert_eq!(left(60, 0.2).as_deref(), Some("about 4 min left"));
        assert_eq!(left(60, 1.0).as_deref(), Some("about 0 s left"));
        for nothing in [0.0, 0.01, 1.5, f64::NAN] {
            assert_eq!(left(10, nothing), None);
        }
    }

    #[test]
    fn counts_are_shares() {
        let progress = Progress { start: Instant::now(), share: AtomicU64::new(0) };
        assert_eq!(progress.left(), "");
        progress.count(3, 3);
        assert_eq!(progress.left(), ", about 0 s left");
    }
}
