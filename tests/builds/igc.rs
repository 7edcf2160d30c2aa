//! Statistics of Intel's offline compiler about the instructions that it makes of a module.

#[path = "mod.rs"]
mod kept;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tiletc::runtime::cache::Key;
use tiletc::spirv::Module;

/// The script that runs the offline compiler, if the environment names one.
pub fn script() -> Option<PathBuf> {
    std::env::var_os("TILETC_IGC").map(PathBuf::from).filter(|path| path.exists())
}

/// The statistics that the script prints of a module for a device, or what it says against it. The name is that of
/// the file that it gets.
pub fn statistics(script: &Path, module: &Module, device: &str, name: &str) -> Result<String, String> {
    let options = module.core_features().build_options().and_then(|options| options.to_str().ok());
    let module = module.assemble();
    let build = || compile(script, (&module, options), device, name);
    let (Some(cache), Some(identity)) = (kept::cache(), identity(script)) else { return build() };
    let key = Key::of_module(&[
        identity,
        device.as_bytes(),
        options.unwrap_or_default().as_bytes(),
        module.as_slice(),
    ]);
    let load = |bytes| String::from_utf8(bytes).ok();
    cache.get_or_build(&key, load, build, |text| Some(text.clone().into_bytes()))
}

fn compile(
    script: &Path,
    (module, options): (&[u8], Option<&str>),
    device: &str,
    name: &str,
) -> Result<String, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("igc");
    let file = folder.join(format!("{name}-{device}.spv"));
    fs::create_dir_all(&folder).and_then(|()| fs::write(&file, module)).map_err(|error| error.to_string())?;
    let output = Command::new(script)
        .arg("isa")
        .arg(&file)
        .arg(device)
        .args(options.into_iter().flat_map(|options| ["-options", options]))
        .output()
        .map_err(|error| format!("cannot run {}: {error}", script.display()))?;
    let statistics = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.success() {
        true => Ok(statistics),
        false => Err(format!("{}{statistics}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// Sources of the statistics that the project's own script prints, and of what they take from the module.
const SOURCES: [&str; 11] = [
    include_str!("../../isa/src/assembly.rs"),
    include_str!("../../isa/src/costs.rs"),
    include_str!("../../isa/src/issue.rs"),
    include_str!("../../isa/src/statistics.rs"),
    include_str!("../../isa/src/zeinfo.rs"),
    include_str!("../../src/analysis/main_path.rs"),
    include_str!("../../src/spirv/expectation/code.rs"),
    include_str!("../../src/spirv/expectation/loops.rs"),
    include_str!("../../src/spirv/expectation/mod.rs"),
    include_str!("../../src/spirv/expectation/path.rs"),
    include_str!("../../src/spirv/expectation/vector.rs"),
];

/// The script itself, what makes its statistics, and the version of the compiler that it runs, if it says so.
fn identity(script: &Path) -> Option<&'static [u8]> {
    static IDENTITY: OnceLock<Option<Vec<u8>>> = OnceLock::new();
    let ask = || {
        let output = Command::new(script).args(["ocloc", "--version"]).output().ok()?;
        let version = Some(output.stdout).filter(|version| output.status.success() && !version.is_empty())?;
        Some([fs::read(script).ok()?, version, SOURCES.concat().into_bytes()].concat())
    };
    IDENTITY.get_or_init(ask).as_deref()
}
