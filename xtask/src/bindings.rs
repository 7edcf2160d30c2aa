//! `cargo xtask bindings`: renews `level-zero-sys/src/bindings.rs` from the Level Zero header, and what of the header
//! the tests in C are compiled with where it is not installed.
//!
//! bindgen runs as a tool of its own and only here, so that building tiletc needs neither it nor libclang.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::paths::Paths;

/// The release that wrote the committed file; another one may format differently.
const BINDGEN_VERSION: &str = "0.73.2";

/// Folders in which the header is looked for, after the directory that `LEVEL_ZERO_INCLUDE` names.
const INCLUDE_DIRECTORIES: &[&str] = &["/usr/include", "/usr/local/include"];

/// Functions the runtime and its launcher call; the types come along with them.
const FUNCTIONS: &[&str] = &[
    "zeInit",
    "zeDriverGet(Properties|ExtensionProperties)?",
    "zeDeviceGet(Properties|ComputeProperties|ModuleProperties|MemoryProperties)?",
    "zeContext(Create|Destroy)",
    "zeModule(Create|Destroy|GetKernelNames|GetNativeBinary)",
    "zeModuleBuildLog(GetString|Destroy)",
    "zeKernel(Create|Destroy|GetProperties|SetGroupSize|SetArgumentValue|SetIndirectAccess)",
    "zeMem(AllocDevice|AllocHost|AllocShared|Free)",
    "zeCommandList(Create|CreateImmediate|Destroy|Close|Reset)",
    "zeCommandListAppend(LaunchKernel|MemoryCopy|Barrier)",
    "zeCommandQueue(Create|Destroy|ExecuteCommandLists|Synchronize)",
    "zeEventPool(Create|Destroy)",
    "zeEvent(Create|Destroy|HostSynchronize|HostReset|QueryKernelTimestamp)",
];

/// All types: many are reached through `void *` or as bits of an integer and so not through a function, and the
/// driver of virtual-xe needs what the callers of other functions hand in.
const TYPES: &[&str] = &["_?ze_.*_t"];

/// Types that tools which listen to calls are handed; nobody here does.
const NO_TYPES: &[&str] = &["_?ze_.*(params|callbacks)_t", "ze_pfn.*Cb_t"];

/// Writes the bindings anew and returns the path of the file.
///
/// Needs libclang and the Level Zero headers (Debian: `libclang-14-dev`, `libze-dev`); bindgen itself is
/// installed into the folder `tools` of the target folder on first use.
///
/// # Errors
/// If the header or bindgen cannot be found, installed or run.
pub fn renew(paths: &Paths) -> io::Result<PathBuf> {
    let root = &paths.repository;
    let header = find_header()?;
    let bindgen = install_bindgen(&paths.target.join("tools"))?;
    let output = root.join("level-zero-sys/src/bindings.rs");
    let mut command = Command::new(bindgen);
    command.arg(header).arg("--output").arg(&output).args([
        "--dynamic-loading=LevelZero",
        "--rust-target=1.90",
        "--rust-edition=2024",
        "--wrap-unsafe-ops",
        "--use-core",
        "--ctypes-prefix=core::ffi",
        "--default-enum-style=consts",
        "--no-prepend-enum-name",
        "--with-derive-default",
        "--no-doc-comments",
        "--sort-semantically",
        "--merge-extern-blocks",
    ]);
    command.arg(format!("--rustfmt-configuration-file={}", root.join("rustfmt.toml").display()));
    command.args(FUNCTIONS.iter().map(|pattern| format!("--allowlist-function={pattern}")));
    command.args(NO_TYPES.iter().map(|pattern| format!("--blocklist-type={pattern}")));
    command.args(TYPES.iter().map(|pattern| format!("--allowlist-type={pattern}")));
    succeed(&mut command)?;
    let header = std::fs::read_to_string(find_header()?)?;
    std::fs::write(root.join("level-zero-sys/include/level_zero/ze_api.h"), declarations(&header))?;
    Ok(output)
}

/// Declarations of a header, without its comments but the first, and without what listens to calls.
fn declarations(header: &str) -> String {
    let header = header.split_once("#pragma region callbacks").map_or(header, |(before, _)| before);
    let mut lines = header.lines();
    let mut result = String::new();
    for line in lines.by_ref() {
        result += &format!("{}\n", line.trim_end());
        if line.contains("*/") {
            break;
        }
    }
    for line in lines {
        let code = line.split_once("//").map_or(line, |(code, _)| code).trim_end();
        if !code.is_empty() {
            result += &format!("{code}\n");
        }
    }
    // The condition around the region that has been left out, the linkage and the guard
    result + "#endif\n#if defined(__cplusplus)\n}\n#endif\n#endif\n"
}

fn find_header() -> io::Result<PathBuf> {
    let named = std::env::var_os("LEVEL_ZERO_INCLUDE").map(PathBuf::from);
    named
        .into_iter()
        .chain(INCLUDE_DIRECTORIES.iter().map(PathBuf::from))
        .map(|directory| directory.join("level_zero/ze_api.h"))
        .find(|header| header.is_file())
        .ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::NotFound,
                "level_zero/ze_api.h not found: install libze-dev, or set LEVEL_ZERO_INCLUDE to the directory \
                 above level_zero/",
            )
        })
}

fn install_bindgen(tools: &Path) -> io::Result<PathBuf> {
    let bindgen = tools.join("bin/bindgen");
    let wanted = format!("bindgen {BINDGEN_VERSION}");
    let present = Command::new(&bindgen).arg("--version").output();
    if present.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).trim() == wanted) {
        return Ok(bindgen);
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["install", "bindgen-cli", "--locked", "--version", BINDGEN_VERSION, "--root"]).arg(tools);
    succeed(&mut command)?;
    Ok(bindgen)
}

fn succeed(command: &mut Command) -> io::Result<()> {
    let status = command.status().map_err(|error| {
        io::Error::new(error.kind(), format!("{}: {error}", command.get_program().to_string_lossy()))
    })?;
    if status.success() {
        Ok(())
    } else {
        Err(io::Error::other(format!("{} failed: {status}", command.get_program().to_string_lossy())))
    }
}

#[cfg(test)]
mod tests {
    use super::declarations;

    #[test]
    fn comments_and_callbacks_are_left_out() {
        let header = "/* licence\n */\n#ifndef A\n/// what\nint f( ///< [in]\n);\n\n#if !defined(__GNUC__)\n\
                      #pragma region callbacks\nint g();\n#endif";
        let expected = "/* licence\n */\n#ifndef A\nint f(\n);\n#if !defined(__GNUC__)\n#endif\n\
                        #if defined(__cplusplus)\n}\n#endif\n#endif\n";
        assert_eq!(declarations(header), expected);
    }
}
