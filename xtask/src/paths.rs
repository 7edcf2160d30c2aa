//! Paths of things: the checkout and the folders Cargo builds into.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;

/// The profile of what users get.
const PROFILE: &str = "dist";

/// The folders every task works with, all absolute.
pub struct Paths {
    /// The checkout.
    pub repository: PathBuf,
    /// Cargo's target folder, which also holds what xtask downloads and builds.
    pub target: PathBuf,
    /// Folder in which [`Self::build_release`] puts libtiletc and the tools.
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
        Ok(Self { repository, target, release: profiles.join(PROFILE) })
    }

    /// Builds libtiletc and the tools as users get them, and the driver of the virtual GPU.
    pub fn build_release(&self) -> Result<()> {
        let packages =
            ["--package", "tiletc", "--package", "tiletc-tools", "--package", "virtual-xe-level-zero"];
        let mut cargo = self.cargo(&[["build", "--profile", PROFILE].as_slice(), &packages].concat());
        cargo.arg("--config").arg(format!("build.rustflags=[{}]", self.remapped().join(",")));
        process::run(&mut cargo)
    }

    /// The flags that keep folders of this machine out of what is built, as TOML; `cmake/TiletcCargo.cmake` has the
    /// same. Of those that match, the last counts.
    fn remapped(&self) -> Vec<String> {
        let home = env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
        let cargo = env::var_os("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from);
        let folders = [(&self.repository, "/tiletc"), (&cargo, "/cargo"), (&self.target, "/target")];
        folders.iter().map(|(from, to)| format!("'--remap-path-prefix={}={to}'", from.display())).collect()
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
