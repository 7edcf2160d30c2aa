//! The table that is shipped.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use tiletc::device::CoreInfo;
use tiletc::driver::{self, Candidate};
use tiletc::ir::Ir;
use tiletc::tuning::{Entry, Key, NOISE, Table};
use tiletc_isa::Ocloc;
use tiletc_isa::tuning;

use super::Options;
use super::recipes::{self, Kernel};
use crate::igc;
use crate::paths::Paths;
use crate::process;

/// Configs of a kernel that the offline compiler compiles.
const COMPILED: usize = 6;
/// Products of the batch of which configs are estimated.
const PRODUCTS: u64 = 1 << 16;

/// The file of the table.
pub fn file(paths: &Paths) -> PathBuf {
    paths.repository.join("tuning").join("recipes.json")
}

/// Tunes the kernels of the recipes, says what it finds, and writes the table unless it is a part only.
pub fn rebuild(paths: &Paths, options: &Options) -> Result<()> {
    let ocloc = match igc::provision(paths)? {
        igc::Outcome::There(ocloc) => Some(ocloc),
        igc::Outcome::Unavailable(reason) => {
            println!("estimates are the model's, for want of Intel's offline compiler: {reason}");
            None
        }
    };
    let most = options.most.unwrap_or(COMPILED);
    let (mut table, mut seen, mut count) = (Table::default(), HashSet::new(), 0);
    let progress = process::spinner("tuning…");
    for device in options.devices() {
        let info = CoreInfo::from_name(device).with_context(|| format!("tiletc knows no `{device}`"))?;
        for kernel in recipes::all(&info).into_iter().filter(|it| it.name().contains(&options.kernel)) {
            let name = kernel.name();
            progress.set_message(format!("{device}: {name}"));
            let key = key(&kernel, &info).with_context(|| format!("{name} on {device}"))?;
            // Devices of a family are one to the table.
            if !seen.insert(key.clone()) {
                continue;
            }
            let candidates = tune(&kernel, (device, &info), ocloc.as_ref(), most)
                .with_context(|| format!("{name} on {device}"))?;
            let entries = entries(&key, &candidates);
            if let [_, best] = entries.as_slice() {
                let gain = candidates.iter().find(|it| it.place == 0).map_or(f64::INFINITY, Candidate::time)
                    / candidates.first().map_or(f64::INFINITY, Candidate::time);
                progress.suspend(|| println!("{device}: {name}: ×{gain:.3} by {}", best.config));
            }
            entries.into_iter().for_each(|entry| table.insert(entry));
            count += 1;
        }
        if options.is_complete() {
            write(&file(paths), &table)?;
        }
    }
    progress.finish_and_clear();
    ensure!(count > 0, "no kernel has `{}` in its name", options.kernel);
    println!(
        "{} of {count} kernels have a config that beats the compiler's own choice",
        table.entries().len() / 2
    );
    Ok(())
}

/// Replaces the file.
fn write(file: &Path, table: &Table) -> Result<()> {
    fs::create_dir_all(file.parent().context("a file in a folder")?)?;
    fs::write(file, table.text()).with_context(|| format!("cannot write {}", file.display()))
}

/// The key that the compiler looks a kernel up by.
pub fn key(kernel: &Kernel, info: &CoreInfo) -> Result<Key> {
    let mut ir = Ir::default();
    let (_, func) = kernel.function(kernel.shape, &mut ir, info).map_err(anyhow::Error::msg)?;
    Ok(driver::tuning_key(&ir, func, info, &driver::Options::default()))
}

/// The configs of a kernel, the best first, of which all that are not out have figures of one kind.
fn tune(
    kernel: &Kernel,
    (device, info): (&str, &CoreInfo),
    ocloc: Option<&Ocloc>,
    most: usize,
) -> Result<Vec<Candidate>> {
    let options = driver::Options::default();
    let of = |shape| move |ir: &mut Ir| kernel.function(shape, ir, info);
    let (estimated, made) = (of(kernel.estimated), of(kernel.shape));
    let on = |make| driver::Kernel {
        make,
        target: driver::Target { info, options: &options, groups: PRODUCTS, cores: None, is_hot: true },
    };
    let (estimated, made) = (on(&estimated), on(&made));
    let mut candidates = estimated.candidates().map_err(anyhow::Error::msg)?;
    estimated.compile_all(&mut candidates);
    driver::rank(&mut candidates, |it| it);
    if let Some(ocloc) = ocloc {
        // The compiler's own choice is what the others are compared with.
        let others = candidates.iter().filter(|it| !it.is_out() && it.place > 0).take(most);
        let kept: HashSet<usize> = others.map(|it| it.place).chain([0]).collect();
        candidates.retain(|it| kept.contains(&it.place));
        tuning::count(ocloc, device, candidates.iter_mut(), |_, _| true);
        driver::rank(&mut candidates, |it| it);
    }
    // What only the product by itself can be compiled with is of no use.
    while let Some(best) = candidates.first_mut().filter(|it| it.place > 0 && !it.is_out()) {
        let mut of_recipe = [Candidate { built: None, ..best.clone() }];
        made.compile_all(&mut of_recipe);
        match of_recipe {
            [Candidate { built: Some(_), .. }] => break,
            [failed] => best.figure = failed.figure,
        }
        driver::rank(&mut candidates, |it| it);
    }
    Ok(candidates)
}

/// The entries of the compiler's own choice and of the best config, if that is better.
fn entries(key: &Key, candidates: &[Candidate]) -> Vec<Entry> {
    let own = candidates.iter().find(|it| it.place == 0 && !it.is_out());
    let (Some(own), Some(best)) = (own, candidates.first()) else { return Vec::new() };
    // Where nothing is known of the one, nothing says that the other is better.
    if best.time() * (1.0 + NOISE) >= own.time() || own.time() == f64::MAX {
        return Vec::new();
    }
    let entry = |candidate: &Candidate| Entry {
        key: key.clone(),
        function: candidate.built.as_ref().map(|built| built.kernel.clone()).unwrap_or_default(),
        definitions: BTreeMap::new(),
        launch: String::new(),
        config: candidate.config.clone(),
        figure: candidate.figure.clone(),
    };
    vec![entry(own), entry(best)]
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use std::collections::HashMap;

    use anyhow::Context as _;
    use tiletc::device::CoreInfo;
    use tiletc::tuning::{Figure, Table};

    use super::super::{DEVICES, recipes};
    use super::{Kernel, driver, file, key};
    use crate::paths::Paths;

    /// Entries of the sample that are compiled of each device.
    const SAMPLE: usize = 6;

    #[test]
    fn every_entry_is_of_a_kernel_and_a_sample_compiles() {
        let paths = Paths::find().unwrap();
        let table = Table::read(&file(&paths)).unwrap();
        let mut kernels: HashMap<_, (Kernel, CoreInfo)> = HashMap::new();
        for device in DEVICES {
            let info = CoreInfo::from_name(device).unwrap();
            for kernel in recipes::all(&info) {
                kernels.insert(key(&kernel, &info).unwrap(), (kernel, info.clone()));
            }
        }
        let of_key = |entry: &tiletc::tuning::Entry| {
            kernels
                .get(&entry.key)
                .with_context(|| format!("run `cargo xtask tune`: no kernel has {:?}", entry.key))
        };
        let mut count: HashMap<String, usize> = HashMap::new();
        let entries = table.entries();
        assert!(entries.len() > 20 && entries.len().is_multiple_of(2), "{} entries", entries.len());
        for entry in entries {
            let (kernel, info) = of_key(entry).unwrap();
            assert!(matches!(entry.figure, Figure::Estimated { .. }));
            assert!(!table.best(&entry.key).unwrap().config.is_empty(), "{}", kernel.name());
            if entry.config.is_empty() {
                continue;
            }
            let seen = count.entry(entry.key.device.clone()).or_default();
            *seen += 1;
            // Each so many of them, so that all types take part.
            if !seen.is_multiple_of((entries.len() / 2 / DEVICES.len() / SAMPLE).max(1)) {
                continue;
            }
            let make = |ir: &mut _| kernel.function(kernel.shape, ir, info);
            let options = driver::Options::default();
            let of = driver::Kernel {
                make: &make,
                target: driver::Target { info, options: &options, groups: 1, cores: None, is_hot: false },
            };
            let mut candidates = of.candidates().unwrap();
            candidates.truncate(2);
            candidates[1].config = entry.config.clone();
            of.compile_all(&mut candidates);
            assert!(candidates[1].built.is_some(), "{}: {:?}", kernel.name(), candidates[1].figure);
        }
        assert!(count.len() >= 3, "{count:?}");
    }
}
