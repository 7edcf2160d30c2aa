//! Tools that the C++ side is built with and run on: Intel's SYCL and OpenCL CPU runtimes, CMake and Ninja.
//!
//! Tools that the machine already offers are used; the rest comes from PyPI into the target folder.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::paths::Paths;
use crate::process::{self, quoted};
use crate::wheel::{Set, Wheel};

/// Intel's runtimes: of half a gigabyte of wheels, the headers and the libraries that are really loaded.
const INTEL: Set = Set {
    name: "intel",
    wheels: &[
        Wheel {
            name: "intel-sycl-rt",
            version: "2026.2.0",
            bytes: 172_457_265,
            root: "intel_sycl_rt-2026.2.0.data/data/",
            keep: &["include/CL/*", "include/sycl/*", "include/unified-runtime/*", "lib/libsycl.so.9"],
            links: &[("lib/libsycl.so", "libsycl.so.9")],
        },
        Wheel {
            name: "intel-cmplr-lib-ur",
            version: "2026.2.0",
            bytes: 33_070_367,
            root: "intel_cmplr_lib_ur-2026.2.0.data/data/",
            keep: &["lib/libur_loader.so.0", "lib/libur_adapter_level_zero*.so.0"],
            links: &[],
        },
        Wheel {
            name: "intel-cmplr-lib-rt",
            version: "2026.2.0",
            bytes: 41_454_395,
            root: "intel_cmplr_lib_rt-2026.2.0.data/data/",
            keep: &["lib/libimf.so", "lib/libintlc.so.5", "lib/libirng.so", "lib/libsvml.so"],
            links: &[],
        },
        Wheel {
            name: "intel-opencl-rt",
            version: "2026.2.0",
            bytes: 224_964_968,
            root: "intel_opencl_rt-2026.2.0.data/data/",
            keep: &[
                "lib/cl.cfg",
                "lib/clbltfn*.rtl",
                "lib/cllibrary*",
                "lib/libOpenCL.so.1",
                "lib/libcommon_clang.so.*",
                "lib/libintelocl.so",
                "lib/libocl_svml_*.so",
            ],
            links: &[("lib/libOpenCL.so", "libOpenCL.so.1")],
        },
        Wheel {
            name: "tbb",
            version: "2023.2.0",
            bytes: 6_864_088,
            root: "tbb-2023.2.0.data/data/",
            keep: &["lib/libtbb.so.12"],
            links: &[],
        },
        // The Level Zero adapter of the SYCL runtime needs these two; without it no GPU is found.
        Wheel {
            name: "umf",
            version: "1.2.0",
            bytes: 429_931,
            root: "umf-1.2.0.data/data/",
            keep: &["lib/libumf.so.1"],
            links: &[],
        },
        Wheel {
            name: "tcmlib",
            version: "1.6.0",
            bytes: 2_802_717,
            root: "tcmlib-1.6.0.data/data/",
            keep: &["lib/libhwloc.so.15"],
            links: &[],
        },
    ],
};

const CMAKE: Set = Set {
    name: "cmake",
    wheels: &[Wheel {
        name: "cmake",
        version: "4.4.4",
        bytes: 30_245_729,
        root: "cmake/data/",
        keep: &[
            "bin/cmake",
            "bin/cpack",
            "bin/ctest",
            "share/cmake-4.4/Modules/*",
            "share/cmake-4.4/Templates/*",
        ],
        links: &[],
    }],
};

const NINJA: Set = Set {
    name: "ninja",
    wheels: &[Wheel {
        name: "ninja",
        version: "1.13.2",
        bytes: 183_365,
        root: "ninja-1.13.2.data/scripts/",
        keep: &["ninja"],
        links: &[],
    }],
};

/// oneDNN, which runs in the queues and with the threads of the SYCL runtime.
pub const ONEDNN: Set = Set {
    name: "onednn",
    wheels: &[
        Wheel {
            name: "onednn",
            version: "2026.1.0",
            bytes: 97_048_451,
            root: "onednn-2026.1.0.data/data/",
            keep: &["lib/libdnnl.so.3"],
            links: &[],
        },
        Wheel {
            name: "onednn-devel",
            version: "2026.1.0",
            bytes: 204_083,
            root: "onednn_devel-2026.1.0.data/data/",
            keep: &["include/*"],
            links: &[],
        },
    ],
};

/// The last releases of the oldest CMake and Ninja that will do, on which these are tried.
const OLDEST: [Set; 2] = [
    Set {
        name: "cmake-oldest",
        wheels: &[Wheel {
            name: "cmake",
            version: "3.22.6",
            bytes: 22_555_703,
            root: "cmake/data/",
            keep: &["bin/cmake", "bin/ctest", "share/cmake-3.22/Modules/*", "share/cmake-3.22/Templates/*"],
            links: &[],
        }],
    },
    Set {
        name: "ninja-oldest",
        wheels: &[Wheel {
            name: "ninja",
            version: "1.10.2.4",
            bytes: 120_718,
            root: "ninja/data/",
            keep: &["bin/ninja"],
            links: &[],
        }],
    },
];

/// The oldest CMake and Ninja that will do, as (major, minor).
const CMAKE_AT_LEAST: (u32, u32) = (3, 22);
const NINJA_AT_LEAST: (u32, u32) = (1, 10);

/// Folders of the runtimes and the build tools.
pub struct Toolchain {
    /// The folder with Intel's `include` and `lib`.
    pub intel: PathBuf,
    pub cmake: PathBuf,
    pub ctest: PathBuf,
    pub ninja: PathBuf,
}

/// Tools that build what needs no runtime of Intel's.
pub struct CMakeAndNinja {
    pub cmake: PathBuf,
    pub ctest: PathBuf,
    pub ninja: PathBuf,
}

impl CMakeAndNinja {
    /// Finds the tools on this machine, and fetches those that are missing.
    pub fn provision(target: &Path) -> Result<Self> {
        let (cmake, ctest) = if has("cmake", CMAKE_AT_LEAST) && has("ctest", CMAKE_AT_LEAST) {
            ("cmake".into(), "ctest".into())
        } else {
            let folder = CMAKE.provision(target)?.join("bin");
            (folder.join("cmake"), folder.join("ctest"))
        };
        let ninja = match has("ninja", NINJA_AT_LEAST) {
            true => "ninja".into(),
            false => NINJA.provision(target)?.join("ninja"),
        };
        Ok(Self { cmake, ctest, ninja })
    }
}

impl Toolchain {
    /// Finds the tools on this machine, and fetches those that are missing.
    pub fn provision(target: &Path) -> Result<Self> {
        let intel = match active_oneapi() {
            Some(root) => root,
            None => INTEL.provision(target)?,
        };
        let CMakeAndNinja { cmake, ctest, ninja } = CMakeAndNinja::provision(target)?;
        Ok(Self { intel, cmake, ctest, ninja })
    }

    /// The variables under which programs find the runtimes, with the folders or files to put before what
    /// each holds already.
    fn additions(&self) -> Vec<(&'static str, PathBuf)> {
        let libraries = self.intel.join("lib");
        let driver = libraries.join("libintelocl.so");
        let mut additions = vec![("LD_LIBRARY_PATH", libraries)];

        // The OpenCL loader adds these drivers to those the system registers, so a GPU's stays visible.
        // An active oneAPI installation has named its CPU driver already.
        let named = env::var("OCL_ICD_FILENAMES").unwrap_or_default();
        if driver.exists() && !named.contains("libintelocl.so") {
            additions.push(("OCL_ICD_FILENAMES", driver));
        }
        additions
    }

    /// The environment in which programs find the runtimes.
    pub fn environment(&self) -> Vec<(&'static str, OsString)> {
        let mut variables = Vec::new();
        for (name, addition) in self.additions() {
            let mut value = addition.into_os_string();
            let present = env::var_os(name).unwrap_or_default();
            for present in env::split_paths(&present).filter(|present| !is_of_cargo(present)) {
                value.push(":");
                value.push(present);
            }
            variables.push((name, value));
        }
        variables
    }
}

/// Returns whether a folder is one that `cargo run` has libraries looked for in, beside this program: a libtiletc that was
/// built there would take the place of the one that C++ programs were linked to.
fn is_of_cargo(folder: &Path) -> bool {
    let own = env::current_exe().ok().and_then(|program| program.parent().map(Path::to_path_buf));
    folder.as_os_str().is_empty() || own.is_some_and(|own| folder.starts_with(own))
}

/// The folders with the oldest CMake and Ninja that will do.
pub fn oldest(target: &Path) -> Result<Vec<PathBuf>> {
    OLDEST.iter().map(|set| Ok(set.provision(target)?.join("bin"))).collect()
}

/// Prints what a shell has to `eval` so that programs find libtiletc, its tools and the runtimes; all of them are there
/// then.
pub fn print_environment(paths: &Paths) -> Result<()> {
    let toolchain = Toolchain::provision(&paths.target)?;
    paths.build_release()?;
    let mut additions = toolchain.additions();
    additions.push(("LD_LIBRARY_PATH", paths.release.clone()));
    additions.push(("PATH", paths.release.clone()));
    for tool in [&toolchain.cmake, &toolchain.ninja] {
        if let Some(folder) = tool.parent().filter(|folder| folder.is_absolute()) {
            additions.push(("PATH", folder.to_path_buf()));
        }
    }
    println!("export TILETC_INTEL_ROOT={}", quoted(&toolchain.intel));
    println!("export TILETC_LIBRARY_DIR={}", quoted(&paths.release));
    for (name, addition) in additions {
        println!("export {name}={}\"${{{name}:+:${name}}}\"", quoted(&addition));
    }
    Ok(())
}

/// The compiler folder of the oneAPI installation whose environment is active, if it has SYCL.
fn active_oneapi() -> Option<PathBuf> {
    let compiler = env::var_os("CMPLR_ROOT").map(PathBuf::from);
    let all = env::var_os("ONEAPI_ROOT").map(|root| Path::new(&root).join("compiler/latest"));
    [compiler, all].into_iter().flatten().find(|root| root.join("include/sycl/sycl.hpp").exists())
}

/// Returns whether a program of at least this version is on the path.
fn has(program: &str, at_least: (u32, u32)) -> bool {
    let answer = process::answer(Command::new(program).arg("--version"));
    answer.as_deref().and_then(version).is_some_and(|version| version >= at_least)
}

/// The first word of the form `1.13…` in what a program says of its version.
fn version(answer: &str) -> Option<(u32, u32)> {
    answer.split_whitespace().find_map(|word| {
        let mut numbers = word.split('.').map(str::parse);
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn versions_are_found_in_the_answers_of_both_tools() {
        assert_eq!(version("cmake version 3.25.1\n\nCMake suite maintained by …"), Some((3, 25)));
        assert_eq!(version("1.13.2.git.kitware.jobserver-pipe-1\n"), Some((1, 13)));
        assert_eq!(version("no version"), None);
    }
}
