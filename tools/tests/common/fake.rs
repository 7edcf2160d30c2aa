//! A fake driver of Level Zero, whose launches all take 8 µs.

use std::io;
use std::path::Path;
use std::process::Command;

/// C text before and behind the driver's own that takes its timestamps.
pub const TIMELESS: (&str, &str) = (
    // The fake's own answer gets another name in front of it.
    "#define zeEventQueryKernelTimestamp own_answer",
    "#undef zeEventQueryKernelTimestamp
        uint32_t zeEventQueryKernelTimestamp(void *event, kernel_timestamps *times) {
            (void)event;
            *times = (kernel_timestamps){0};
            return 0;
        }",
);

/// Builds the driver in a folder, which `LD_LIBRARY_PATH` is to name, with C text before and behind its own.
///
/// # Errors
/// If there is no C compiler.
pub fn level_zero(folder: &Path, (before, behind): (&str, &str)) -> io::Result<()> {
    let fakes = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fakes");
    // The kernels of the tool itself are none that the fake knows.
    let names = format!(
        "#define fake_is_kernel known\n#include \"{fakes}/fake.h\"\n#undef fake_is_kernel\n\
         #define fake_is_kernel(name) ((name) != NULL)"
    );
    let text = format!("{names}\n{before}\n#include \"{fakes}/level_zero.c\"\n{behind}\n");
    std::fs::write(folder.join("fake.c"), text)?;
    let mut compile = Command::new("cc");
    compile.args(["-shared", "-fPIC", "-std=gnu11", "-o"]).arg(folder.join("libze_loader.so.1"));
    assert!(compile.arg(folder.join("fake.c")).status()?.success());
    Ok(())
}
