//! Native binaries: the SPIR-V of a module with the name of the device and the register file it has been built for.

/// Starts of a binary for the usual register file and for the larger one.
const MAGIC: [&[u8; 8]; 2] = [b"VXE\0\x01\0\0\0", b"VXE\0\x01\x01\0\0"];

/// Parts of a binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binary<'a> {
    /// Name of the device.
    pub device: &'a [u8],
    /// True for the larger register file.
    pub has_large_register_file: bool,
    /// The module.
    pub spirv: &'a [u8],
}

/// Makes a binary: the magic, the length of the device's name as four bytes, the name, and the SPIR-V.
pub fn pack(binary: &Binary<'_>) -> Vec<u8> {
    let Binary { device, has_large_register_file, spirv } = *binary;
    let length = u32::try_from(device.len()).unwrap_or(u32::MAX);
    let [small, large] = MAGIC;
    let magic = if has_large_register_file { large } else { small };
    [magic.as_slice(), &length.to_le_bytes(), device, spirv].concat()
}

/// The parts of a binary; `None` if it is none.
pub fn unpack(binary: &[u8]) -> Option<Binary<'_>> {
    let (magic, rest) = binary.split_first_chunk()?;
    let has_large_register_file = MAGIC.iter().position(|known| *known == magic)? == 1;
    let (length, rest) = rest.split_first_chunk()?;
    let (device, spirv) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    Some(Binary { device, has_large_register_file, spirv })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_can_be_unpacked() {
        for has_large_register_file in [false, true] {
            let parts = Binary { device: b"pvc", has_large_register_file, spirv: b"words" };
            let binary = pack(&parts);
            assert_eq!(unpack(&binary), Some(parts));
            for length in 0..15 {
                assert_eq!(binary.get(..length).and_then(unpack), None, "{length} bytes");
            }
        }
        assert_eq!(unpack(b"\x03\x02\x23\x07 is SPIR-V"), None);
    }
}
