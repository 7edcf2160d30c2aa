//! `tiletc info`, and the names of tinytc's viewers of devices.

use crate::tool::{self, Outcome};
use crate::{Skip, TILETC, path};
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

crate::tests! {
    virtual_devices_are_listed,
    interfaces_without_loader_say_why,
    level_zero_devices_are_listed,
    opencl_devices_are_listed,
    help_has_examples,
}

/// A folder that is looked for libraries first.
pub fn libraries(name: &str) -> PathBuf {
    let folder = path(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs the tool under a name, with libraries from a folder.
pub fn called(name: &str, arguments: &[&str], libraries: &PathBuf) -> Outcome {
    let link = libraries.join(name);
    let _ = std::fs::remove_file(&link);
    symlink(TILETC, &link).unwrap();
    tool::outcome(Command::new(link).args(arguments).env("LD_LIBRARY_PATH", libraries), "")
}

/// Loaders that no linker takes.
pub fn broken(name: &str) -> PathBuf {
    let folder = libraries(name);
    for library in ["libOpenCL.so.1", "libOpenCL.so", "libze_loader.so.1", "libze_loader.so"] {
        std::fs::write(folder.join(library), "no library").unwrap();
    }
    folder
}

fn virtual_devices_are_listed() -> Result<(), Skip> {
    let outcome = tool::run(TILETC, &["info"], "").succeeded();
    let text = outcome.text();
    for device in virtual_xe::Device::all() {
        assert!(text.contains(&format!("virtual:{}: ", device.name())), "{text}");
    }
    for feature in tiletc::device::SpirvFeature::ALL {
        let line = format!("    {:<32}", feature.spelling());
        assert!(text.contains(&(line.clone() + "yes\n")) || text.contains(&(line + "no\n")), "{text}");
    }
    let pvc = text.split("virtual:").nth(1).unwrap();
    for line in [("subgroup sizes", "16, 32"), ("register space", "8192 bytes"), ("float64", "yes")] {
        assert!(pvc.contains(&format!("    {:<32}{}\n", line.0, line.1)), "{pvc}");
    }
    Ok(())
}

fn interfaces_without_loader_say_why() -> Result<(), Skip> {
    let folder = broken("broken");
    let outcome = called("tiletc", &["info"], &folder).succeeded();
    for line in ["opencl: none (OpenCL is not available: ", "level_zero: none (Level Zero is not available: "]
    {
        assert!(outcome.text().contains(line), "{}", outcome.text());
    }
    called("tinytc-cl-info", &[], &folder).failed(1, &["OpenCL is not available", "Error (18): "]);
    called("tinytc-ze-info", &[], &folder).failed(1, &["Level Zero is not available", "Error (18): "]);
    for name in ["tinytc-cl-info", "tinytc-ze-info"] {
        called(name, &["--nonsense"], &folder).failed(255, &[]);
        called(name, &["file"], &folder).failed(255, &[]);
        called(name, &["--help"], &folder).succeeded();
    }
    let arguments = ["run", crate::FUSED, "--device", "opencl"];
    called("tiletc", &arguments, &folder).failed(1, &["OpenCL is not available", "Error (18): "]);
    Ok(())
}

/// A folder with the fake driver in the place of Level Zero's loader.
pub fn fake_level_zero(name: &str) -> Result<PathBuf, Skip> {
    let folder = libraries(name);
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fakes/level_zero.c");
    let mut compile = Command::new("cc");
    compile.args(["-shared", "-fPIC", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-o"]);
    let compiled = compile.arg(folder.join("libze_loader.so.1")).arg(source).status();
    let compiled = compiled.map_err(|error| Skip(format!("no C compiler: {error}")))?;
    assert!(compiled.success());
    Ok(folder)
}

fn level_zero_devices_are_listed() -> Result<(), Skip> {
    let folder = fake_level_zero("fake-level-zero")?;
    let outcome = called("tinytc-ze-info", &[], &folder).succeeded();
    assert!(outcome.text().starts_with("level_zero:0: fake\n    subgroup sizes"), "{}", outcome.text());
    let outcome = called("tiletc", &["info"], &folder).succeeded();
    assert!(outcome.text().contains("\nlevel_zero:0: fake\n"), "{}", outcome.text());
    Ok(())
}

fn opencl_devices_are_listed() -> Result<(), Skip> {
    let link = libraries("cl-info").join("tinytc-cl-info");
    symlink(TILETC, &link).unwrap();
    let outcome = tool::run(&link, &[], "");
    if outcome.code == 1 && outcome.errors.contains("Error (18)") {
        return Err(Skip(outcome.errors));
    }
    let outcome = outcome.succeeded();
    let text = outcome.text();
    assert!(text.starts_with("opencl:0: ") && text.contains("subgroup sizes"), "{text}");
    assert!(tool::run(TILETC, &["info"], "").succeeded().text().contains(text));
    Ok(())
}

fn help_has_examples() -> Result<(), Skip> {
    let outcome = tool::run(TILETC, &["run", "--help"], "").succeeded();
    for word in [
        "Examples:",
        "--arg",
        "--save",
        "--check",
        "--count",
        "--groups",
        "virtual:pvc",
        "FILE.npy",
        "offset=2",
    ] {
        assert!(outcome.text().contains(word), "{word} is not in {}", outcome.text());
    }
    assert!(tool::run(TILETC, &["--help"], "").succeeded().text().contains("info"));
    Ok(())
}
