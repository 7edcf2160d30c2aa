//! Standard output: written whole, or an error.

// Code that runs before `main`, see `CHECK`.
#![allow(unsafe_code)]

use super::Failure;
use std::io::{self, ErrorKind, StdoutLock, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use tiletc::status::Status;

static IS_CLOSED: AtomicBool = AtomicBool::new(false);

extern "C" fn check() {
    IS_CLOSED.store(rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err(), Ordering::Relaxed);
}

/// Looks for closed standard output before Rust's runtime puts `/dev/null` in its place, which it does before
/// `main`.
// SAFETY: `.init_array` holds pointers to functions, of which the C library calls each once. This one takes none
// of the arguments that there are, does not unwind, and needs nothing of the runtime: a system call, an atomic.
#[used]
#[unsafe(link_section = ".init_array")]
static CHECK: extern "C" fn() = check;

/// Standard output, if there is one.
pub fn open() -> io::Result<StdoutLock<'static>> {
    if IS_CLOSED.load(Ordering::Relaxed) {
        return Err(io::Error::other("it is closed"));
    }
    Ok(io::stdout().lock())
}

/// Writes to standard output.
pub fn write(bytes: &[u8]) -> Result<(), Failure> {
    if bytes.is_empty() {
        return Ok(());
    }
    let written = open().and_then(|mut stdout| stdout.write_all(bytes).and_then(|()| stdout.flush()));
    written.map_err(failure)
}

/// The failure to write standard output.
pub fn failure(error: io::Error) -> Failure {
    match error.kind() {
        ErrorKind::BrokenPipe => Failure::OutputClosed,
        _ => Failure::Failed(Status::FileIoError, format!("cannot write standard output: {error}")),
    }
}
