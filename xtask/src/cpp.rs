//! The C++ side: examples and tests, built by CMake against libtiletc and Intel's SYCL runtime.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use tiletc_isa::fetch;

use crate::paths::Paths;
use crate::process;
use crate::toolchain::{ONEDNN, Toolchain};

/// A configured build of the C++ side.
pub struct Build<'a> {
    toolchain: &'a Toolchain,
    pub folder: PathBuf,
}

impl<'a> Build<'a> {
    /// Builds libtiletc and configures the C++ side against it.
    pub fn configure(paths: &Paths, toolchain: &'a Toolchain) -> Result<Self> {
        paths.build_release()?;

        let folder = paths.target.join("cpp");
        let mut cmake = Command::new(&toolchain.cmake);
        cmake.arg("-S").arg(&paths.repository).arg("-B").arg(&folder).args(["-G", "Ninja"]);
        cmake.arg(definition("CMAKE_MAKE_PROGRAM", &toolchain.ninja));
        cmake.arg(definition("TILETC_LIBRARY_DIR", &paths.release));
        cmake.arg(definition("TILETC_INTEL_ROOT", &toolchain.intel));
        cmake.arg(definition("TILETC_ONEDNN_ROOT", &paths.target.join(ONEDNN.name)));
        cmake.arg(definition("TILETC_LEVEL_ZERO_DRIVER", &paths.level_zero_driver()));
        cmake.args(["-DCMAKE_BUILD_TYPE=Release", "-DTILETC_BUILD_EXAMPLES=ON", "-DTILETC_BUILD_TESTS=ON"]);

        // CMake holds on to what it has found, and to its checkout: other arguments need a new folder.
        let stamp = folder.join("xtask-arguments");
        let arguments = format!("{cmake:?}\n");
        if folder.exists() && fs::read_to_string(&stamp).ok().as_ref() != Some(&arguments) {
            fetch::clear(&folder)?;
        }
        process::run_quietly("configuring the C++ programs…", &mut cmake)?;
        fs::write(stamp, arguments)?;
        Ok(Self { toolchain, folder })
    }

    /// Builds one example and returns its place.
    pub fn example(&self, name: &str) -> Result<PathBuf> {
        self.make(&format!("building {name}…"), &["--target", name])?;
        Ok(self.folder.join("cpp-examples").join(name).join(name))
    }

    /// Builds one program of the folder `benches` and returns its place.
    pub fn bench(&self, name: &str) -> Result<PathBuf> {
        self.make(&format!("building {name}…"), &["--target", name])?;
        Ok(self.folder.join("benches").join(name))
    }

    /// Builds the program of one test.
    pub fn test(&self, name: &str) -> Result<()> {
        self.make(&format!("building {name}…"), &["--target", &format!("test_{name}")])
    }

    /// Builds all examples and tests, as many as can be built.
    pub fn everything(&self) -> Result<()> {
        self.make("building the C++ programs…", &["--", "-k", "0"])
    }

    /// The pattern of the names of the tests that depend on what the machine has installed.
    pub fn machine_tests(&self) -> Result<String> {
        let file = self.folder.join("machine_tests.txt");
        fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))
    }

    /// Builds the programs of [`Self::machine_tests`], as many as can be built.
    pub fn for_machine_tests(&self) -> Result<()> {
        self.make("building the C++ programs…", &["--target", "machine_tests", "--", "-k", "0"])
    }

    fn make(&self, message: &str, arguments: &[&str]) -> Result<()> {
        let mut cmake = Command::new(&self.toolchain.cmake);
        process::run_quietly(message, cmake.arg("--build").arg(&self.folder).args(arguments))
    }
}

fn definition(variable: &str, path: &Path) -> String {
    format!("-D{variable}={}", path.display())
}
