//! Native binaries: the SPIR-V of a module with the name of the device it has been built for.

/// Start of a binary.
const MAGIC: &[u8; 8] = b"VXE\0\x01\0\0\0";

/// Makes a binary: the magic, the length of the device's name as four bytes, the name, and the SPIR-V.
pub fn pack(device: &[u8], spirv: &[u8]) -> Vec<u8> {
    let length = u32::try_from(device.len()).unwrap_or(u32::MAX);
    [MAGIC.as_slice(), &length.to_le_bytes(), device, spirv].concat()
}

/// The device and the SPIR-V of a binary; `None` if it is none.
pub fn unpack(binary: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = binary.strip_prefix(MAGIC)?;
    let (length, rest) = rest.split_first_chunk()?;
    rest.split_at_checked(u32::from_le_bytes(*length) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_can_be_unpacked() {
        let binary = pack(b"pvc", b"words");
        assert_eq!(unpack(&binary), Some((b"pvc".as_slice(), b"words".as_slice())));
        for length in 0..15 {
            assert_eq!(binary.get(..length).and_then(unpack), None, "{length} bytes");
        }
        assert_eq!(unpack(b"\x03\x02\x23\x07 is SPIR-V"), None);
    }
}
