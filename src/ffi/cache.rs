//! The kernel cache of a context. tinytc has no counterpart.

use super::arg::{Out, path, text};
use super::call::call;
use super::context::Context;
use super::handle::Handle;
use super::types::*;
use crate::runtime::cache::Cache;
use std::ffi::c_char;
use std::sync::Arc;

/// Keeps the native binaries of kernel bundles in the folder `dir`, for all processes that name the same
/// one; NULL or an empty text for no folder. The files take at most `max_bytes` together; 0 stands for 256
/// MiB. The counters start anew.
///
/// A bundle of the same program (its canonical text), options, device and driver then needs neither
/// compiler nor driver's compiler. Nothing of the cache is ever an error: what cannot be read is built, what
/// cannot be written is not kept. The folder is made when it is needed, for this user alone. Without this
/// call a context uses the folder that the environment variable `TILETC_CACHE_DIR` names when it is created,
/// bounded by `TILETC_CACHE_MAX_BYTES`, and none if there is no such variable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_compiler_context_set_cache(
    ctx: tiletc_compiler_context_t,
    dir: *const c_char,
    max_bytes: u64,
) -> tiletc_status_t {
    call(|| {
        let context = Handle::<Context>::share(ctx)?;
        let dir = if dir.is_null() {
            c""
        } else {
            // SAFETY: the caller passes a NUL-terminated text.
            unsafe { text(dir)? }
        };
        let cache = Cache::new(path(dir).to_owned(), max_bytes);
        context.lock().cache = (!dir.is_empty()).then(|| Arc::new(cache));
        Ok(())
    })
}

/// Gets what the cache of a context has done so far, for all programs and binaries of the context; zeros if
/// it has none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_compiler_context_get_cache_counters(
    ctx: const_tiletc_compiler_context_t,
    counters: *mut tiletc_cache_counters_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle and a writable place.
        let (context, out) = unsafe { (Handle::<Context>::share(ctx)?, Out::new(counters)?) };
        let counters = context.lock().cache.as_ref().map(|cache| cache.counters()).unwrap_or_default();
        out.set(tiletc_cache_counters {
            hits: counters.hits,
            misses: counters.misses,
            stored: counters.stored,
            evicted: counters.evicted,
            rejected: counters.rejected,
        });
        Ok(())
    })
}
