//! `cargo xtask demo`: the fused matrix chain, from text to timed steps on a device, in both precisions.

use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::cpp::Build;
use crate::paths::Paths;
use crate::toolchain::Toolchain;
use crate::virtual_gpu;

/// Elements and time steps that a device does in seconds.
const ON_DEVICE: (u64, u64) = (50_000, 20);
/// The same for a virtual GPU, which looks at every access of every lane.
const ON_VIRTUAL_GPU: (u64, u64) = (200, 3);

/// The size of the run, and what it runs on.
#[derive(clap::Args)]
pub struct Options {
    /// Number of elements E; 50000 by default, on a virtual GPU 200
    #[arg(short = 'e', value_name = "N")]
    elements: Option<u64>,
    /// Number of time steps; 20 by default, on a virtual GPU 3
    #[arg(short = 'n', value_name = "STEPS")]
    steps: Option<u64>,
    /// Run on a GPU in software, as `virtual:pvc` or another of pvc, bmg, lnl, ptl, dg2, tgl
    #[arg(long, value_name = "DEVICE", value_parser = virtual_device)]
    device: Option<String>,
}

/// The name of a virtual GPU.
fn virtual_device(text: &str) -> Result<String, String> {
    let name = text.strip_prefix("virtual:").filter(|name| !name.is_empty());
    name.map(str::to_owned).ok_or_else(|| "a device is `virtual:` and a name".to_owned())
}

/// How many elements and time steps: what was asked for, or what the device can do in seconds.
fn size(options: &Options) -> (u64, u64) {
    let (elements, steps) = if options.device.is_some() { ON_VIRTUAL_GPU } else { ON_DEVICE };
    (options.elements.unwrap_or(elements), options.steps.unwrap_or(steps))
}

/// Builds and runs the example; the exit code is the first one of it that is not 0.
pub fn run(paths: &Paths, options: &Options) -> Result<ExitCode> {
    let toolchain = Toolchain::provision(&paths.target)?;
    let program = Build::configure(paths, &toolchain)?.example("matrix_chain")?;

    let (elements, steps) = size(options);
    if options.device.is_some() && (options.elements.is_none() || options.steps.is_none()) {
        println!("on a GPU in software: {elements} elements and {steps} steps; -e and -n set other numbers");
    }
    let (elements, steps) = (elements.to_string(), steps.to_string());
    let environment = match &options.device {
        None => toolchain.environment(),
        Some(name) => virtual_gpu::environment(paths, &toolchain, name)?,
    };

    let mut result = ExitCode::SUCCESS;
    let mut failed = false;
    for precision in ["f32", "f64"] {
        let mut command = Command::new(&program);
        command
            .args(["-e", &elements, "-n", &steps, "-f", precision])
            .envs(environment.iter().map(|(name, value)| (name, value)));
        let status = command.status().with_context(|| format!("cannot run {}", program.display()))?;
        if !status.success() && !failed {
            failed = true;
            // A program ended by a signal has no code of its own.
            result = ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1));
            eprintln!("matrix_chain -f {precision} failed ({status})");
        }
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::{ON_DEVICE, ON_VIRTUAL_GPU, Options, size, virtual_device};

    #[test]
    fn a_device_is_virtual_and_has_a_name() {
        assert_eq!(virtual_device("virtual:bmg").as_deref(), Ok("bmg"));
        assert!(virtual_device("virtual:").is_err());
        assert!(virtual_device("opencl").is_err());
    }

    #[test]
    fn a_virtual_gpu_gets_less_to_do_unless_more_is_asked_for() {
        let options = |device: Option<&str>, elements, steps| Options {
            elements,
            steps,
            device: device.map(str::to_owned),
        };
        assert_eq!(size(&options(None, None, None)), ON_DEVICE);
        assert_eq!(size(&options(Some("pvc"), None, None)), ON_VIRTUAL_GPU);
        assert_eq!(size(&options(Some("pvc"), Some(7), None)), (7, ON_VIRTUAL_GPU.1));
        assert_eq!(size(&options(Some("pvc"), None, Some(9))), (ON_VIRTUAL_GPU.0, 9));
        assert_eq!(size(&options(None, Some(7), Some(9))), (7, 9));
    }
}
