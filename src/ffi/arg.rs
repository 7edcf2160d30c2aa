//! Checks of arguments other than handles: output pointers, texts, arrays, enumerators.

use super::call::Outcome;
use super::enums::Enumeration;
use crate::status::Status;
use std::ffi::{CStr, CString, OsStr, c_char, c_int};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::ptr::NonNull;

/// A place the caller wants a result in.
pub(super) struct Out<T>(NonNull<T>);

impl<T> Out<T> {
    /// Refuses NULL.
    ///
    /// # Safety
    /// `pointer` is NULL or valid for a write of `T` until the entry point returns.
    pub(super) unsafe fn new(pointer: *mut T) -> Outcome<Self> {
        NonNull::new(pointer).map(Out).ok_or(Status::InvalidArguments)
    }

    /// Stores the result; the old value is not looked at.
    pub(super) fn set(self, value: T) {
        // SAFETY: `new` was promised a pointer valid for this write, and nothing frees it in between.
        unsafe { self.0.write(value) }
    }
}

/// A handle of another library; NULL is refused.
pub(super) fn foreign<T>(handle: *mut T) -> Outcome<*mut T> {
    if handle.is_null() { Err(Status::InvalidArguments) } else { Ok(handle) }
}

/// A NUL-terminated text; NULL is refused.
///
/// # Safety
/// `pointer` is NULL or points to a NUL-terminated text that stays unchanged for `'a`.
pub(super) unsafe fn text<'a>(pointer: *const c_char) -> Outcome<&'a CStr> {
    if pointer.is_null() {
        return Err(Status::InvalidArguments);
    }
    // SAFETY: not NULL, hence NUL-terminated and unchanged for `'a` by this function's contract.
    Ok(unsafe { CStr::from_ptr(pointer) })
}

/// The path a text names; any bytes are a path.
pub(super) fn path(text: &CStr) -> &Path {
    Path::new(OsStr::from_bytes(text.to_bytes()))
}

/// An array of `length` elements; NULL is an empty array if `length` is 0 and refused otherwise.
///
/// # Safety
/// `pointer` is NULL or points to `length` elements that stay unchanged for `'a`.
pub(super) unsafe fn array<'a, T>(pointer: *const T, length: usize) -> Outcome<&'a [T]> {
    if length == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() || !pointer.is_aligned() {
        return Err(Status::InvalidArguments);
    }
    // No object is larger than that, so the length is wrong whatever the pointer is.
    if length.checked_mul(size_of::<T>()).is_none_or(|size| isize::try_from(size).is_err()) {
        return Err(Status::OutOfRange);
    }
    // SAFETY: not NULL, aligned, of possible size, and by contract valid and unchanged for `'a`.
    Ok(unsafe { std::slice::from_raw_parts(pointer, length) })
}

/// A copy of bytes, of which the caller may have more than there is memory for twice.
pub(super) fn copy(bytes: &[u8]) -> Outcome<Vec<u8>> {
    let mut copy = Vec::new();
    copy.try_reserve_exact(bytes.len()).map_err(|_| Status::BadAlloc)?;
    copy.extend_from_slice(bytes);
    Ok(copy)
}

/// The same, for an array that the callee may change.
///
/// # Safety
/// `pointer` is NULL or points to `length` elements that nobody else looks at for `'a`.
pub(super) unsafe fn array_mut<'a, T>(pointer: *mut T, length: usize) -> Outcome<&'a mut [T]> {
    // SAFETY: what nobody else looks at stays unchanged, too.
    unsafe { array::<T>(pointer, length)? };
    if length == 0 {
        return Ok(&mut []);
    }
    // SAFETY: `array` has looked at pointer and length; the rest is this function's contract.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer, length) })
}

/// An enumerator; any other number is refused.
pub(super) fn enumerator(enumeration: &Enumeration, value: c_int) -> Outcome<c_int> {
    if enumeration.contains(value) { Ok(value) } else { Err(Status::InvalidArguments) }
}

/// A text as C gets it: cut at the first NUL.
pub(super) fn c_string(text: impl AsRef<[u8]>) -> CString {
    let text = text.as_ref().split(|&byte| byte == 0).next().unwrap_or_default();
    CString::new(text).unwrap_or_default()
}
