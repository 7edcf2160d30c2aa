//! NumPy's files, written and read by the letter of their format (NEP 1), independently of the tool.

use std::path::Path;

/// A file of version 1.0.
pub fn write(path: &Path, ty: &str, is_fortran: bool, shape: &str, data: &[u8]) {
    let order = if is_fortran { "True" } else { "False" };
    let mut header = format!("{{'descr': '{ty}', 'fortran_order': {order}, 'shape': ({shape}), }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.bytes());
    file.extend(data);
    std::fs::write(path, file).unwrap();
}

/// The header, without blanks, and the data of a file.
pub fn read(path: &Path) -> (String, Vec<u8>) {
    let file = std::fs::read(path).unwrap();
    assert_eq!(&file[..7], b"\x93NUMPY\x01");
    let length = usize::from(u16::from_le_bytes([file[8], file[9]]));
    let header = String::from_utf8(file[10..10 + length].to_vec()).unwrap();
    (header.split_whitespace().collect(), file[10 + length..].to_vec())
}

/// Numbers as they lie in a file.
pub fn bytes<T, const N: usize>(numbers: &[T], bytes: impl Fn(&T) -> [u8; N]) -> Vec<u8> {
    numbers.iter().flat_map(bytes).collect()
}

/// The f32 of a file.
pub fn floats(path: &Path) -> Vec<f32> {
    read(path).1.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
}
