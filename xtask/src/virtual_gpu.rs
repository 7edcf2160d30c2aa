//! Running programs on a GPU in software: virtual-xe's Level Zero driver in the place of Level Zero's loader.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::paths::Paths;
use crate::toolchain::Toolchain;

/// The name under which programs open the loader.
const LOADER: &str = "libze_loader.so.1";

/// The environment in which SYCL programs run on the virtual GPU of a name. The driver has to be built.
pub fn environment(
    paths: &Paths,
    toolchain: &Toolchain,
    device: &str,
) -> Result<Vec<(&'static str, OsString)>> {
    let mut environment = toolchain.environment();
    let folder = loader(paths)?.into_os_string();
    match environment.iter_mut().find(|(name, _)| *name == "LD_LIBRARY_PATH") {
        Some((_, libraries)) => {
            *libraries = [folder.as_os_str(), ":".as_ref(), libraries].into_iter().collect()
        }
        None => environment.push(("LD_LIBRARY_PATH", folder)),
    }
    environment.push(("ONEAPI_DEVICE_SELECTOR", "level_zero:gpu".into()));
    environment.push(("VIRTUAL_XE_DEVICE", device.into()));
    Ok(environment)
}

/// A folder in which the driver has the loader's name.
fn loader(paths: &Paths) -> Result<PathBuf> {
    let folder = paths.release.join("level-zero");
    fs::create_dir_all(&folder)?;
    let link = folder.join(LOADER);
    // It may lead to a driver of another checkout, or to nothing.
    let driver = paths.level_zero_driver();
    if fs::read_link(&link).ok().as_ref() != Some(&driver) {
        let _ = fs::remove_file(&link);
        symlink(&driver, &link).with_context(|| format!("cannot make {}", link.display()))?;
    }
    Ok(folder)
}
