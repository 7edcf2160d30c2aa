//! What drivers hand out, which need not make sense.

use super::error::Error;

/// The longest answer that is believed; build logs have been seen with some megabytes.
const MAX_BYTES: usize = 1 << 28;

/// A buffer for an answer of `length` elements, which are `empty` until the driver fills them in.
pub(super) fn buffer<T: Copy>(function: &'static str, length: usize, empty: T) -> Result<Vec<T>, Error> {
    let mut buffer = Vec::new();
    let is_believed = length.checked_mul(size_of::<T>()).is_some_and(|bytes| bytes <= MAX_BYTES);
    if !is_believed || buffer.try_reserve_exact(length).is_err() {
        let nonsense = format!("has an answer of {length} elements, for which there is no memory");
        return Err(Error::Answer { function, nonsense });
    }
    buffer.resize(length, empty);
    Ok(buffer)
}

/// The object that a function has made.
pub(super) fn object<T>(function: &'static str, object: *mut T) -> Result<*mut T, Error> {
    if object.is_null() {
        return Err(Error::Answer { function, nonsense: "returned a null object".to_owned() });
    }
    Ok(object)
}

/// The text of a build log; `None` if it says nothing.
pub(super) fn log(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_matches(['\0', ' ', '\n', '\r']);
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn endless_answers_are_refused() {
        assert_eq!(buffer("clGetDeviceInfo", 3, 7u8).unwrap(), [7; 3]);
        for length in [MAX_BYTES / 8 + 1, usize::MAX / 8, usize::MAX] {
            let error = buffer("clGetDeviceInfo", length, 0u64).unwrap_err();
            assert!(error.to_string().starts_with("clGetDeviceInfo has an answer of "), "{error}");
        }
    }

    #[test]
    fn logs_are_any_bytes() {
        assert_eq!(log(b""), None);
        assert_eq!(log(b" \n\0"), None);
        assert_eq!(log(b"error\n\0").unwrap(), "error");
        assert_eq!(log(b"\xff evil").unwrap(), "\u{fffd} evil");
    }
}
