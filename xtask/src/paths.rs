//! Where things are: the checkout and the folders Cargo builds into.

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;

/// The folders every task works with, all absolute.
pub struct Paths {
    /// The checkout.
    pub repository: PathBuf,
    /// Cargo's target folder, which also holds what xtask downloads and builds.
    pub target: PathBuf,
    /// Where `cargo build --release` puts libtiletc and the tools.
    pub release: PathBuf,
}

impl Paths {
    /// Finds the folders from where this program itself was built.
    pub fn find() -> Result<Self> {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
        let repository = manifest.parent().context("xtask does not lie in a checkout")?.to_path_buf();

        // The program is <target>[/<triple>]/<profile>/xtask, and Cargo marks its target folder with a tag.
        let program = env::current_exe().context("cannot tell where xtask was built")?;
        let profiles = program.ancestors().nth(2).context("xtask does not lie in a target folder")?;
        let tagged = profiles.ancestors().find(|folder| folder.join("CACHEDIR.TAG").exists());
        let target = tagged.unwrap_or(profiles).to_path_buf();
        Ok(Self { repository, target, release: profiles.join("release") })
    }

    /// Builds libtiletc and the tools as users get them, and the driver of the virtual GPU.
    pub fn build_release(&self) -> Result<()> {
        let packages =
            ["--package", "tiletc", "--package", "tiletc-tools", "--package", "virtual-xe-level-zero"];
        process::run(&mut self.cargo(&[["build", "--release"].as_slice(), &packages].concat()))?;
        // Cargo names the library without its version, and programs look for it by its soname.
        let soname = self.release.join(concat!("libtiletc.so.", env!("CARGO_PKG_VERSION_MAJOR")));
        if fs::read_link(&soname).ok().as_deref() != Some(Path::new("libtiletc.so")) {
            let _ = fs::remove_file(&soname);
            symlink("libtiletc.so", &soname).with_context(|| format!("cannot make {}", soname.display()))?;
        }
        Ok(())
    }

    /// The Level Zero driver of the virtual GPU, where [`Self::build_release`] puts it.
    pub fn level_zero_driver(&self) -> PathBuf {
        self.release.join("libvirtual_xe_level_zero.so")
    }

    /// A Cargo command in the checkout that builds into the same target folder.
    pub fn cargo(&self, arguments: &[&str]) -> Command {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(arguments).current_dir(&self.repository).env("CARGO_TARGET_DIR", &self.target);
        command
    }
}
