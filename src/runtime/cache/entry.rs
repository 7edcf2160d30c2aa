//! Format of a file of the cache: a header and a native binary.
//!
//! | bytes | content |
//! | --- | --- |
//! | 8 | [`MAGIC`] |
//! | 4 | [`FORMAT`], little-endian like all numbers here |
//! | 32 | the key |
//! | 8 | length of the binary |
//! | 32 | SHA-256 of the binary |
//! | | the binary |

use sha2::{Digest as _, Sha256};

use super::key::Key;

const MAGIC: [u8; 8] = *b"tiletcKC";

/// Number of this layout; what has another one is read by nobody.
const FORMAT: u32 = 1;

const CHECKSUM_SIZE: usize = 32;

/// The file of a binary.
pub(super) fn encode(key: &Key, binary: &[u8]) -> Vec<u8> {
    let length = u64::try_from(binary.len()).unwrap_or(u64::MAX).to_le_bytes();
    [MAGIC.as_slice(), &FORMAT.to_le_bytes(), key.bytes(), &length, &checksum(binary), binary].concat()
}

/// The binary in a file; `None` if the file is damaged, or of another key or layout.
pub(super) fn decode<'a>(key: &Key, file: &'a [u8]) -> Option<&'a [u8]> {
    let (magic, rest) = file.split_first_chunk()?;
    let (format, rest) = rest.split_first_chunk()?;
    let (stored_key, rest) = rest.split_first_chunk()?;
    let (length, rest) = rest.split_first_chunk()?;
    let (stored_checksum, binary) = rest.split_first_chunk()?;
    let is_sound = *magic == MAGIC
        && *format == FORMAT.to_le_bytes()
        && stored_key == key.bytes()
        && usize::try_from(u64::from_le_bytes(*length)) == Ok(binary.len())
        && *stored_checksum == checksum(binary);
    is_sound.then_some(binary)
}

fn checksum(binary: &[u8]) -> [u8; CHECKSUM_SIZE] {
    Sha256::digest(binary).into()
}
