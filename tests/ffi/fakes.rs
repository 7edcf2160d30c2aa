//! The fake drivers of `tests/fakes`, which take the places of the installed ones in a process of its own.

use super::*;
use libloading::Library;
use std::path::{Path, PathBuf};

/// An interface with a fake driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    OpenCl,
    LevelZero,
}

impl Interface {
    pub const ALL: [Interface; 2] = [Interface::OpenCl, Interface::LevelZero];

    /// The name under which the interface's loader is looked for.
    fn library(self) -> &'static str {
        match self {
            Interface::OpenCl => "libOpenCL.so.1",
            Interface::LevelZero => "libze_loader.so.1",
        }
    }

    fn source(self) -> PathBuf {
        let file = match self {
            Interface::OpenCl => "opencl.c",
            Interface::LevelZero => "level_zero.c",
        };
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join("fakes").join(file)
    }

    /// The functions that the fake has.
    pub fn functions(self) -> Vec<String> {
        let text = std::fs::read_to_string(self.source()).unwrap();
        let name = |line: &str| {
            let (head, _) = line.split_once('(')?;
            let name = head.rsplit([' ', '*']).next()?;
            let is_definition = !line.starts_with([' ', '#', '/']) && !line.starts_with("static");
            (is_definition && name.starts_with(['c', 'z'])).then(|| name.to_owned())
        };
        text.lines().filter_map(name).collect()
    }
}

/// A folder in which the dynamic linker finds drivers.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("drivers-{name}"));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    /// Puts the fake there, without one of its functions if `missing` names one; false, with a message, if
    /// there is no C compiler.
    pub fn add_fake(&self, interface: Interface, missing: Option<&str>) -> bool {
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-o"]);
        compiler.arg(self.0.join(interface.library())).arg(interface.source());
        compiler.args(missing.map(|name| format!("-D{name}=no_{name}")));
        match compiler.status() {
            Ok(status) => assert!(status.success()),
            Err(error) => {
                skip(format!("no C compiler: {error}"));
                return false;
            }
        }
        true
    }

    /// Puts something there that is no library, under every name that the interface's loader may have: otherwise one that
    /// is installed would be found in the end.
    pub fn add_nonsense(&self, interface: Interface) {
        let name = interface.library();
        for name in [name, name.trim_end_matches(".1")] {
            std::fs::write(self.0.join(name), "this is no library").unwrap();
        }
    }

    /// Runs one test again in a process that finds the drivers of the folder; `scenario` tells it what for.
    pub fn run(&self, test: &str, scenario: &str) {
        let library_path = self.0.to_str().unwrap();
        let variables = [("LD_LIBRARY_PATH", library_path), (SCENARIO, scenario)];
        assert!(in_own_process_with(test, "", &variables).is_some());
    }
}

const SCENARIO: &str = "TILETC_TEST_SCENARIO";

/// Scenario that [`Folder::run`] was told, in the process it made.
pub fn scenario() -> Option<String> {
    std::env::var(SCENARIO).ok()
}

/// A fake that this process has loaded in the place of the driver.
pub struct Fake(Library);

impl Fake {
    pub fn new(interface: Interface) -> Fake {
        // SAFETY: the fakes have no initialisers.
        Fake(unsafe { Library::new(interface.library()) }.unwrap())
    }

    pub fn get(&self, variable: &str) -> i32 {
        // SAFETY: the variable is an int, and one thread at a time uses the fake.
        unsafe { **self.0.get::<*const i32>(variable).unwrap() }
    }

    pub fn set(&self, variable: &str, value: i32) {
        // SAFETY: as for `get`.
        unsafe { **self.0.get::<*mut i32>(variable).unwrap() = value }
    }

    pub fn set_size(&self, variable: &str, value: usize) {
        // SAFETY: the variable is a size_t, and one thread at a time uses the fake.
        unsafe { **self.0.get::<*mut usize>(variable).unwrap() = value }
    }

    /// The function that went wrong last.
    pub fn faulty(&self) -> String {
        // SAFETY: the variable is an array with a NUL at its end.
        unsafe { CStr::from_ptr(*self.0.get::<*const c_char>("fake_faulty").unwrap()) }
            .to_str()
            .unwrap()
            .to_owned()
    }

    /// Lets the call of that number return the code from now on, and forgets what was before.
    pub fn fail(&self, call: i32, code: i32) {
        self.set("fake_calls", 0);
        self.set("fake_live", 0);
        self.set("fake_fault_at", call);
        self.set("fake_fault_code", code);
    }
}
