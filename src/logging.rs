//! Sink of the log, for programs that have none of their own.
//!
//! All modules write to the facade `log`. A Rust program may install any logger. For the others [`install`] prints to
//! standard error what `TILETC_LOG` asks for, and [`set_sink`] hands it to a function.
#![forbid(unsafe_code)]

use log::{Level, LevelFilter, Log, Metadata, Record};
use std::io::Write as _;
use std::sync::{Arc, Once, PoisonError, RwLock};

/// Name of the variable that says how much is logged: error, warn, info or debug.
pub const VARIABLE: &str = "TILETC_LOG";

/// Function that is handed messages.
pub type Sink = dyn Fn(Level, &str) + Send + Sync;

/// Installed logger, unless the program has one.
static LOGGER: Logger = Logger { sink: RwLock::new(None) };

struct Logger {
    sink: RwLock<Option<Arc<Sink>>>,
}

impl Log for Logger {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("tiletc") && metadata.level() <= log::max_level()
    }

    fn log(&self, record: &Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        // The sink may log, too, or be replaced meanwhile.
        let sink = self.sink.read().unwrap_or_else(PoisonError::into_inner).clone();
        let message = record.args().to_string();
        match sink {
            Some(sink) => sink(record.level(), &message),
            // If standard error is closed, nobody wants to know.
            None => drop(writeln!(std::io::stderr().lock(), "{}", line(record.level(), &message))),
        }
    }

    fn flush(&self) {}
}

/// A message as standard error shows it.
fn line(level: Level, message: &str) -> String {
    let level = level.as_str().to_ascii_lowercase();
    format!("tiletc {level}: {}", message.trim_end())
}

/// Makes what `TILETC_LOG` asks for go to standard error, once in a process. A program that has a logger keeps it.
pub fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        if log::set_logger(&LOGGER).is_ok() {
            log::set_max_level(wanted());
        }
    });
}

/// Returns whether somebody hears warnings of the log.
pub fn shows_warnings() -> bool {
    log::log_enabled!(Level::Warn)
}

/// Level of the environment. What is no level is said once, and counts as the one at which that is shown.
fn wanted() -> LevelFilter {
    let Some(value) = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()) else {
        return LevelFilter::Off;
    };
    let text = value.to_string_lossy();
    match text.to_ascii_lowercase().as_str() {
        "off" => LevelFilter::Off,
        "error" => LevelFilter::Error,
        "warn" => LevelFilter::Warn,
        "info" => LevelFilter::Info,
        "debug" => LevelFilter::Debug,
        _ => {
            let message = format!("{VARIABLE} is `{text}`; it may be off, error, warn, info or debug");
            drop(writeln!(std::io::stderr().lock(), "{}", line(Level::Warn, &message)));
            LevelFilter::Warn
        }
    }
}

/// Hands messages up to a level to a function from now on; without one, the environment decides again.
pub fn set_sink(level: LevelFilter, sink: Option<Arc<Sink>>) {
    install();
    let has_sink = sink.is_some();
    *LOGGER.sink.write().unwrap_or_else(PoisonError::into_inner) = sink;
    log::set_max_level(if has_sink { level } else { wanted() });
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn a_sink_gets_what_its_level_admits() {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let sink = {
            let heard = heard.clone();
            move |level: Level, message: &str| {
                if message.starts_with("of the test") {
                    heard.lock().unwrap().push((level, message.to_owned()));
                }
            }
        };
        set_sink(LevelFilter::Info, Some(Arc::new(sink)));
        log::info!("of the test: {}", 1);
        log::debug!("of the test: {}", 2);
        log::warn!(target: "somebody", "of the test: {}", 3);
        set_sink(LevelFilter::Debug, None);
        log::error!("of the test: {}", 4);
        assert_eq!(*heard.lock().unwrap(), [(Level::Info, "of the test: 1".to_owned())]);
    }

    #[test]
    fn lines_name_the_level() {
        assert_eq!(line(Level::Debug, "two\nlines\n"), "tiletc debug: two\nlines");
    }
}
