//! Root file systems: Debian as mmdebstrap makes it with the machine's own apt, kept in the target folder.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use tiletc_isa::fetch::{self, Mirror};

use super::kinds::Kind;
use crate::process;

/// The root file system of a machine in `folder`, made unless it is there.
pub fn provision(folder: &Path, kind: &Kind, mirror: &Mirror) -> Result<PathBuf> {
    let release = kind.release(mirror);
    let packages = kind.packages().join(",");
    let stamp = format!("{release}: {packages}\n");
    let place = fetch::ensure(folder, kind.root, &stamp, |partial| {
        let mut make = maker(folder, mirror)?;
        // Nobody reads a manual there, and nothing has to survive a loss of power.
        make.args(["--mode=root", "--variant=minbase", "--dpkgopt=force-unsafe-io"]);
        make.args(["--dpkgopt=path-exclude=/usr/share/man/*", "--dpkgopt=path-exclude=/usr/share/doc/*"]);
        make.arg(format!("--include={packages}")).arg(release).arg(partial.join("root"));
        make.arg(mirror.source(release));
        // Names of users and languages of this machine say nothing there.
        make.env("LC_ALL", "C");
        process::run_quietly(&format!("making the root file system of {}…", kind.root), &mut make)
    });
    Ok(place.with_context(|| format!("cannot make a root file system of Debian's {release}"))?.join("root"))
}

/// mmdebstrap: this machine's, or Debian's package of it, unpacked.
pub fn maker(folder: &Path, mirror: &Mirror) -> Result<Command> {
    if process::answer(Command::new("mmdebstrap").arg("--version")).is_some() {
        return Ok(Command::new("mmdebstrap"));
    }
    let place = fetch::ensure(folder, "mmdebstrap", &format!("{}\n", mirror.release), |partial| {
        let scratch = partial.join("apt");
        mirror.unpack_alone("mmdebstrap", &scratch, &partial.join("root"))?;
        fetch::remove(&scratch)
    })?;
    let programs = place.join("root/usr/bin");
    let program = programs.join("mmdebstrap");
    let mut asked = Command::new(&program);
    let output = asked.arg("--version").stdin(Stdio::null()).output();
    let output = output.with_context(|| format!("cannot run {}", program.display()))?;
    process::check(&asked, output.status).with_context(|| {
        let messages = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
        format!("mmdebstrap does not run here; install its package: {messages}")
    })?;
    // It calls a program of its own package.
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([programs].into_iter().chain(env::split_paths(&path)))?;
    let mut maker = Command::new(&program);
    maker.env("PATH", path);
    Ok(maker)
}

/// An empty folder.
pub fn emptied(folder: PathBuf) -> Result<PathBuf> {
    fetch::remove(&folder)?;
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder)
}
