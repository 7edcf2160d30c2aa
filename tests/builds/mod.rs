//! What other compilers have made of our modules, kept for the next run of the tests: they take most of the time of
//! the tests that need them, and of the same module they make the same. Results are computed and judged all the same.
//!
//! The files are in `tmp/driver-builds` in the target folder. With `TILETC_BUILD_ANEW=1` they are not looked at, which
//! is needed after changes of the environment variables of those compilers.

use std::path::Path;

use tiletc::runtime::cache::Cache;

/// Bytes of all files together.
const MAX_BYTES: u64 = 1 << 30;

/// The files, unless everything shall be built. Only tests have them: nothing else is told of the target folder.
pub fn cache() -> Option<Cache> {
    let folder = Path::new(option_env!("CARGO_TARGET_TMPDIR")?).join("driver-builds");
    std::env::var_os("TILETC_BUILD_ANEW").is_none().then(|| Cache::new(folder, MAX_BYTES))
}
