//! Arrays in NumPy's files. The first byte says which numbers are wanted; the file follows.

use crate::Target;
use crate::arrays::npy::{read, write};
use tiletc::ir::Scalar;

/// The target.
pub const TARGET: Target = Target { name: "npy", run, mutator: None };

fn run(data: &[u8]) {
    let [choice, file @ ..] = data else { return };
    let Some(&element) = Scalar::ALL.get(usize::from(*choice) % Scalar::ALL.len()) else { return };
    let Ok(folder) = tempfile::tempdir() else { return };
    let path = folder.path().join("array.npy");
    if std::fs::write(&path, file).is_err() {
        return;
    }
    if let Ok(tensor) = read(&path, element) {
        assert_eq!(tensor.bytes.len() as u64, tensor.len() * element.bytes().unsigned_abs());
        assert!(tensor.bytes.len() <= file.len(), "an array larger than its file");
        write(&path, &tensor).unwrap_or_else(|failure| panic!("{failure:?}"));
        let again = read(&path, element).unwrap_or_else(|failure| panic!("{failure:?}"));
        assert_eq!(again, tensor);
    }
}
