//! The kinds of machines that tiletc is tried on.

use tiletc_isa::fetch::Mirror;

/// Packages that the README asks for, and certificates for pip.
const NEEDED: [&str; 4] = ["g++", "python3", "python3-pip", "ca-certificates"];

/// Packages that a developer for OpenCL and Level Zero has installed; CMake's make is a recommendation to apt.
const LOADERS: [&str; 6] = ["cmake", "make", "ocl-icd-opencl-dev", "libze-dev", "valgrind", "pkg-config"];

/// Open MPI and its compiler.
const MPI: [&str; 2] = ["openmpi-bin", "libopenmpi-dev"];

/// MPICH, its compiler, and METIS.
const MPICH: [&str; 3] = ["mpich", "libmpich-dev", "libmetis-dev"];

/// The Debian after that which the first machines have on a Debian 12.
const TRIXIE: &str = "trixie";

/// A machine to be made.
#[derive(Debug)]
pub struct Kind {
    pub name: &'static str,
    /// Speciality.
    pub about: &'static str,
    /// The name of its root file system, which machines may share.
    pub root: &'static str,
    /// Debian's release; that of this machine if there is none.
    release: Option<&'static str>,
    packages: &'static [&'static [&'static str]],
    /// True if CMake and Ninja of the oldest versions that will do are on the path.
    pub has_oldest_tools: bool,
}

/// All kinds.
pub const KINDS: [Kind; 6] = [
    Kind {
        name: "bare",
        about: "g++ and python3 with pip, no CMake, no library",
        root: "bare",
        release: None,
        packages: &[&NEEDED],
        has_oldest_tools: false,
    },
    Kind {
        name: "loaders",
        about: "CMake, make, valgrind, pkg-config, the loaders of OpenCL and Level Zero",
        root: "loaders",
        release: None,
        packages: &[&NEEDED, &LOADERS],
        has_oldest_tools: false,
    },
    Kind {
        name: "mpi",
        about: "the same with Open MPI",
        root: "mpi",
        release: None,
        packages: &[&NEEDED, &LOADERS, &MPI],
        has_oldest_tools: false,
    },
    Kind {
        name: "mpich",
        about: "the same with MPICH and METIS instead",
        root: "mpich",
        release: None,
        packages: &[&NEEDED, &LOADERS, &MPICH],
        has_oldest_tools: false,
    },
    Kind {
        name: "oldest",
        about: "CMake 3.22 and Ninja 1.10, otherwise bare",
        root: "bare",
        release: None,
        packages: &[&NEEDED],
        has_oldest_tools: true,
    },
    Kind {
        name: "trixie",
        about: "Debian 13 with the packages of `loaders`",
        root: "trixie",
        release: Some(TRIXIE),
        packages: &[&NEEDED, &LOADERS],
        has_oldest_tools: false,
    },
];

impl Kind {
    /// The release that the machine has.
    pub fn release<'a>(&self, mirror: &'a Mirror) -> &'a str {
        self.release.unwrap_or(&mirror.release)
    }

    /// The packages that are installed.
    pub fn packages(&self) -> Vec<&'static str> {
        self.packages.concat()
    }
}
