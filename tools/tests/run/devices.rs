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

/// The cells of a table's row, which have two blanks between them.
fn cells(row: &str) -> Vec<&str> {
    row.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect()
}

fn virtual_devices_are_listed() -> Result<(), Skip> {
    let outcome = tool::run(TILETC, &["info"], "").succeeded();
    let text = outcome.text();
    assert_eq!(cells(text.lines().next().unwrap()), ["device", "name", "subgroup sizes", "register space"]);
    for device in virtual_xe::Device::all() {
        let name = format!("virtual:{} ", device.name());
        assert_eq!(text.lines().filter(|line| line.starts_with(&name)).count(), 1, "{text}");
    }
    let pvc = text.lines().find(|line| line.starts_with("virtual:pvc ")).unwrap();
    assert_eq!(cells(pvc), ["virtual:pvc", "virtual-xe", "16, 32", "8192 bytes"]);
    assert!(!text.contains("float64"), "{text}");

    let outcome = tool::run(TILETC, &["info", "-v"], "").succeeded();
    let text = outcome.text();
    assert!(cells(text.lines().next().unwrap()).ends_with(&["features"]), "{text}");
    let lines: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("virtual:pvc ")).collect();
    let pvc = lines.iter().enumerate().take_while(|(place, line)| *place == 0 || line.starts_with(' '));
    let pvc: Vec<&str> = pvc.filter_map(|(_, line)| cells(line).last().copied()).collect();
    let info = tiletc::device::CoreInfo::from_name("pvc").unwrap();
    let features = tiletc::device::SpirvFeature::ALL.iter().filter(|&&feature| info.have(feature));
    assert_eq!(pvc, features.map(|feature| feature.spelling()).collect::<Vec<_>>());
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
    assert_eq!(cells(outcome.text().lines().nth(1).unwrap())[..2], ["level_zero:0", "fake"]);
    let outcome = called("tiletc", &["info"], &folder).succeeded();
    let row = outcome.text().lines().find(|line| line.starts_with("level_zero:0 "));
    assert_eq!(cells(row.unwrap())[1], "fake", "{}", outcome.text());
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
    let of_text = |text: &str| {
        text.lines().find(|line| line.starts_with("opencl:0 ")).map(|row| cells(row)[1].to_owned())
    };
    assert!(of_text(text).is_some() && text.contains("subgroup sizes"), "{text}");
    assert_eq!(of_text(tool::run(TILETC, &["info"], "").succeeded().text()), of_text(text));
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
