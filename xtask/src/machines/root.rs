//! Root file systems: Debian as mmdebstrap makes it with the machine's own apt, kept in the target folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::kinds::Kind;
use crate::apt::Mirror;
use crate::{process, provision};

/// The root file system of a machine in `folder`, made unless it is there.
pub fn bring(folder: &Path, kind: &Kind, mirror: &Mirror) -> Result<PathBuf> {
    let release = kind.release(mirror);
    let packages = kind.packages().join(",");
    let stamp = format!("{release}: {packages}\n");
    let place = provision::bring(folder, kind.name, &stamp, |partial| {
        let maker = maker(folder, mirror)?;
        let mut make = Command::new(maker);
        // Nobody reads a manual there, and nothing has to survive a loss of power.
        make.args(["--mode=root", "--variant=minbase", "--dpkgopt=force-unsafe-io"]);
        make.args(["--dpkgopt=path-exclude=/usr/share/man/*", "--dpkgopt=path-exclude=/usr/share/doc/*"]);
        make.arg(format!("--include={packages}")).arg(release).arg(partial.join("root"));
        make.arg(mirror.source(release));
        // Names of users and languages of this machine say nothing there.
        make.env("LC_ALL", "C");
        process::run_quietly(&format!("making the root file system of {}…", kind.name), &mut make)
    });
    Ok(place.with_context(|| format!("cannot make a root file system of Debian's {release}"))?.join("root"))
}

/// mmdebstrap: this machine's, or Debian's package of it, unpacked.
fn maker(folder: &Path, mirror: &Mirror) -> Result<PathBuf> {
    if process::answer(Command::new("mmdebstrap").arg("--version")).is_some() {
        return Ok("mmdebstrap".into());
    }
    let place = provision::bring(folder, "mmdebstrap", &format!("{}\n", mirror.release), |partial| {
        let scratch = partial.join("apt");
        mirror.unpack_alone("mmdebstrap", &scratch, &partial.join("root"))?;
        provision::remove(&scratch)
    })?;
    let program = place.join("root/usr/bin/mmdebstrap");
    let mut asked = Command::new(&program);
    let output = asked.arg("--version").stdin(Stdio::null()).output();
    let output = output.with_context(|| format!("cannot run {}", program.display()))?;
    process::check(&asked, output.status).with_context(|| {
        let messages = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
        format!("mmdebstrap does not run here; install its package: {messages}")
    })?;
    Ok(program)
}

/// An empty folder.
pub fn emptied(folder: PathBuf) -> Result<PathBuf> {
    provision::remove(&folder)?;
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder)
}
