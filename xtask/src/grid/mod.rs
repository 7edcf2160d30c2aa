//! `cargo xtask grid`: how near the products of a grid are to the roofline.

mod shapes;
mod sizes;

use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;
use tiletc::device::{CoreInfo, SpirvFeature};
use tiletc::schedule::Roofline;
use tiletc_isa::Statistics;

use crate::isa;
use crate::paths::Paths;
use crate::process;
use shapes::Shape;

/// Shares from which on a kernel counts as near, with data in memory and in the cache.
const NEAR: [f64; 2] = [0.9, 0.7];

#[derive(clap::Args)]
pub struct Options {
    /// Device: pvc, bmg, lnl, ptl, dg2, or another that both compilers know
    #[arg(short = 'd', long, value_name = "DEVICE")]
    device: String,
    /// Only kernels with this in their names
    #[arg(short = 'k', long, value_name = "TEXT", default_value = "")]
    kernel: String,
    /// Write the programs to this folder, too
    #[arg(long, value_name = "FOLDER")]
    save: Option<std::path::PathBuf>,
    /// Compile each kernel with all subgroup and work-group sizes that attributes can ask for, and say which takes least
    #[arg(long)]
    sizes: bool,
}

/// Compiles the grid and prints a line for each kernel, the farthest from the roofline last, and a summary.
pub fn run(paths: &Paths, options: &Options) -> Result<()> {
    let device = &options.device;
    let info = CoreInfo::from_name(device).with_context(|| format!("tiletc knows no device `{device}`"))?;
    let igc = isa::provisioned(paths)?;
    let has_f64 = info.have(SpirvFeature::Float64);
    let mut shapes = shapes::all();
    shapes.retain(|shape| shape.name.contains(&options.kernel) && (has_f64 || !shape.is_wide));
    if shapes.is_empty() {
        bail!("no kernel of the grid has `{}` in its name", options.kernel);
    }
    let folder = options.save.clone().unwrap_or_else(|| paths.target.join("grid").join(device));
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;

    let progress = process::spinner("compiling…");
    if options.sizes {
        return sizes::run(&igc, (device, &info, &folder), &shapes, &progress);
    }
    let measure = |shape: &Shape| {
        let file = folder.join(format!("{}.ir", shape.name.replace(' ', "_")));
        fs::write(&file, &shape.text).with_context(|| format!("cannot write {}", file.display()))?;
        let kernels = isa::measure(&igc, &isa::Options::new(file, device))?;
        Ok(kernels.into_iter().map(|kernel| (shape.name.clone(), kernel)).collect())
    };
    let mut lines: Vec<(String, Statistics)> = for_all(&shapes, &progress, measure)?;
    progress.finish_and_clear();
    lines.sort_by(|(_, a), (_, b)| shares(b).partial_cmp(&shares(a)).unwrap_or(std::cmp::Ordering::Equal));
    for (name, kernel) in &lines {
        println!("{name}: {kernel}");
    }
    for line in summary(&lines.iter().filter_map(|(_, kernel)| kernel.roofline).collect::<Vec<_>>()) {
        println!("{line}");
    }
    let unknown = lines.iter().filter(|(_, kernel)| kernel.roofline.is_none()).count();
    let spilled = lines.iter().filter(|(_, kernel)| kernel.resources.spill > 0).count();
    println!("{} kernels on {device}, {spilled} of them spill, {unknown} of them have no share", lines.len());
    Ok(())
}

/// Shares with data in memory and in the cache; what is not known comes last.
fn shares(kernel: &Statistics) -> (f64, f64) {
    kernel.roofline.map_or((-1.0, -1.0), |it| (it.share(), it.in_cache().share()))
}

/// Measures all kernels on all cores.
fn for_all<T: Send>(
    shapes: &[Shape],
    progress: &ProgressBar,
    measure: impl Fn(&Shape) -> Result<Vec<T>> + Sync,
) -> Result<Vec<T>> {
    let (next, finished, done) = (AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || -> Result<()> {
        while let Some(shape) = shapes.get(next.fetch_add(1, Ordering::Relaxed)) {
            let measured = measure(shape).with_context(|| shape.name.clone())?;
            if let Ok(mut done) = done.lock() {
                done.extend(measured);
            }
            let count = finished.fetch_add(1, Ordering::Relaxed) + 1;
            progress.set_message(format!("compiled {count} of {} kernels…", shapes.len()));
        }
        Ok(())
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(outcome) => outcome,
            Err(_) => bail!("a worker has panicked"),
        })
    })?;
    Ok(done.into_inner().unwrap_or_default())
}

/// Number of kernels near the roofline, and the median share, for both places of the data.
fn summary(rooflines: &[Roofline]) -> [String; 2] {
    let line = |place: &str, near: f64, mut shares: Vec<f64>| {
        shares.sort_by(f64::total_cmp);
        let count = shares.iter().filter(|&&share| share >= near).count();
        let median = shares.get(shares.len() / 2).copied().unwrap_or(0.0);
        format!(
            "data in {place}: {count} of {} have a share of {near} or more, median {median:.2}",
            shares.len()
        )
    };
    [
        line("memory", NEAR[0], rooflines.iter().map(Roofline::share).collect()),
        line("the cache", NEAR[1], rooflines.iter().map(|it| it.in_cache().share()).collect()),
    ]
}
