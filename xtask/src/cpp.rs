//! The C++ side: examples and tests, built by CMake against libtiletc and Intel's SYCL runtime.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::paths::Paths;
use crate::process;
use crate::toolchain::Toolchain;

/// A configured build of the C++ side.
pub struct Build<'a> {
    toolchain: &'a Toolchain,
    pub folder: PathBuf,
}

impl<'a> Build<'a> {
    /// Builds libtiletc and configures the C++ side against it.
    pub fn configure(paths: &Paths, toolchain: &'a Toolchain) -> Result<Self> {
        process::run(&mut paths.cargo(&["build", "--release", "--package", "tiletc"]))?;

        let folder = paths.target.join("cpp");
        leave_to_this_checkout(&folder, &paths.repository)?;
        let mut cmake = Command::new(&toolchain.cmake);
        cmake.arg("-S").arg(&paths.repository).arg("-B").arg(&folder).args(["-G", "Ninja"]);
        let programs = folder.join("bin");
        for (variable, path) in [
            ("CMAKE_MAKE_PROGRAM", &toolchain.ninja),
            ("CMAKE_RUNTIME_OUTPUT_DIRECTORY", &programs),
            ("TILETC_LIBRARY_DIR", &paths.release),
            ("TILETC_INTEL_ROOT", &toolchain.intel),
        ] {
            cmake.arg(format!("-D{variable}={}", path.display()));
        }
        cmake.args(["-DCMAKE_BUILD_TYPE=Release", "-DTILETC_BUILD_EXAMPLES=ON", "-DTILETC_BUILD_TESTS=ON"]);
        process::run_quietly("configuring the C++ programs…", &mut cmake)?;
        Ok(Self { toolchain, folder })
    }

    /// Builds one program and returns its place.
    pub fn program(&self, name: &str) -> Result<PathBuf> {
        self.make(&format!("building {name}…"), &["--target", name])?;
        Ok(self.folder.join("bin").join(name))
    }

    /// Builds all examples and tests.
    pub fn everything(&self) -> Result<()> {
        self.make("building the C++ programs…", &[])
    }

    fn make(&self, message: &str, arguments: &[&str]) -> Result<()> {
        let mut cmake = Command::new(&self.toolchain.cmake);
        process::run_quietly(message, cmake.arg("--build").arg(&self.folder).args(arguments))
    }
}

/// Removes a build of another checkout: two may share a target folder, but CMake refuses to.
fn leave_to_this_checkout(folder: &Path, repository: &Path) -> Result<()> {
    let Ok(cache) = fs::read_to_string(folder.join("CMakeCache.txt")) else { return Ok(()) };
    let home = format!("CMAKE_HOME_DIRECTORY:INTERNAL={}", repository.display());
    if cache.lines().any(|line| line == home) {
        return Ok(());
    }
    fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))
}
