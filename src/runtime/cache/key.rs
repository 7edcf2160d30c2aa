//! Identity of a native binary.

use std::fmt;

use sha2::{Digest as _, Sha256};

/// The compiler that this library is: another one may make something else of the same program.
const COMPILER: &str = concat!(env!("CARGO_PKG_VERSION"), "-", env!("TILETC_SOURCES"));

/// The digest of everything that decides what a native binary is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key([u8; Key::SIZE]);

impl Key {
    /// Bytes of a key.
    pub(super) const SIZE: usize = 32;

    /// The key of the parts, for this version of tiletc. Where a part ends is part of the key.
    pub fn new(parts: &[&[u8]]) -> Key {
        Key::of_module(&[&[COMPILER.as_bytes()], parts].concat())
    }

    /// The key of the parts for every version of tiletc: one of them is the module, of which the driver makes the
    /// same whoever has made it.
    pub fn of_module(parts: &[&[u8]]) -> Key {
        let mut digest = Sha256::new();
        for part in parts {
            digest.update(part.len().to_le_bytes());
            digest.update(part);
        }
        Key(digest.finalize().into())
    }

    /// The bytes of the key.
    pub(super) fn bytes(&self) -> &[u8; Key::SIZE] {
        &self.0
    }
}

/// The key in hexadecimal digits.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
