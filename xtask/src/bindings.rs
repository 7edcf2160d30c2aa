//! Placeholder.
use std::io;
use std::path::{Path, PathBuf};

pub fn renew(root: &Path) -> io::Result<PathBuf> {
    Ok(root.to_path_buf())
}
