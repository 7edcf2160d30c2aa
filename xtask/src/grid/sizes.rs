//! Kernels of the grid with all subgroup and work-group sizes that attributes can ask for.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use indicatif::ProgressBar;
use tiletc::device::CoreInfo;
use tiletc_isa::Ocloc;

use super::for_all;
use super::shapes::Shape;
use crate::isa;

/// Subgroups along the rows and along the columns.
const ROWS: [i32; 5] = [1, 2, 3, 4, 8];
const COLS: [i32; 4] = [1, 2, 3, 4];
/// Subgroups of a work-group at most.
const MOST: i32 = 16;
/// Part by which others may take less without being worth a line of the summary.
const NEAR: f64 = 1.05;

/// Sizes, and the cycles in which a vector engine issues what a work-group of the chosen sizes does.
#[derive(Clone, Debug)]
struct Try {
    /// The attributes that ask for the sizes, or nothing.
    attributes: String,
    issue: f64,
    /// The estimate of the same.
    estimate: f64,
}

/// Prints for each kernel the sizes that take fewest cycles by its binary, those by the estimate, and how many times as many those take
/// that tiletc chooses.
pub fn run(
    igc: &Ocloc,
    (device, info, folder): (&str, &CoreInfo, &Path),
    shapes: &[Shape],
    progress: &ProgressBar,
) -> Result<()> {
    let measure = |shape: &Shape| {
        let file = folder.join(format!("{} sizes.ir", shape.name).replace(' ', "_"));
        let mut tries: Vec<Try> = Vec::new();
        let mut seen = HashSet::new();
        let mut bytes = None;
        for attributes in attributes(info) {
            let text = shape.text.replacen(") {", &format!("){attributes} {{"), 1);
            fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
            let kernels = match isa::measure(igc, &isa::Options::new(file.clone(), device)) {
                Ok(kernels) => kernels,
                // Sizes that the device or the product cannot have are refused; those that tiletc chooses must not be.
                Err(error) if attributes.is_empty() => return Err(error),
                Err(_) => continue,
            };
            for kernel in kernels {
                let (Some(issue), Some(estimate), Some(roofline)) =
                    (kernel.issue, kernel.estimate, kernel.roofline)
                else {
                    continue;
                };
                // Work-groups may differ in the members of the batch that they have, and so in their bytes.
                let bytes = *bytes.get_or_insert(roofline.memory);
                let [issue, estimate] = [issue, estimate].map(|cycles| cycles * bytes / roofline.memory);
                if kernel.resources.spill == 0 && seen.insert((issue.to_bits(), estimate.to_bits())) {
                    tries.push(Try { attributes: attributes.clone(), issue, estimate });
                }
            }
        }
        Ok(vec![(shape.name.clone(), tries)])
    };
    let mut all: Vec<(String, Vec<Try>)> = for_all(shapes, progress, measure)?;
    progress.finish_and_clear();
    all.sort_by(|(a, _), (b, _)| a.cmp(b));
    let (mut beaten, mut by_estimate, mut count) = (0, 0, 0);
    for (name, tries) in &all {
        let Some(chosen) = tries.first().filter(|it| it.attributes.is_empty()) else {
            println!("{name}: spills, or its cycles are not known");
            continue;
        };
        let least = |key: fn(&Try) -> f64| tries.iter().min_by(|a, b| key(a).total_cmp(&key(b)));
        let (Some(best), Some(estimated)) = (least(|it| it.issue), least(|it| it.estimate)) else { continue };
        let ratios = [chosen.issue / best.issue, estimated.issue / best.issue];
        println!(
            "{name}: chosen {:.0} (×{:.2}), by the estimate {:.0} (×{:.2}){}, best {:.0}{}",
            chosen.issue,
            ratios[0],
            estimated.issue,
            ratios[1],
            estimated.attributes,
            best.issue,
            best.attributes
        );
        count += 1;
        beaten += usize::from(ratios[0] > NEAR);
        by_estimate += usize::from(ratios[1] > NEAR);
    }
    println!(
        "of {count} kernels on {device}, {beaten} are beaten by more than {:.0} % by other sizes, {by_estimate} of those that the \
         estimate would choose",
        (NEAR - 1.0) * 100.0
    );
    Ok(())
}

/// None, and all combinations of sizes.
fn attributes(info: &CoreInfo) -> Vec<String> {
    let mut all = vec![String::new()];
    for &lanes in info.subgroup_sizes() {
        for rows in ROWS {
            for cols in COLS.into_iter().filter(|cols| rows * cols <= MOST) {
                all.push(format!(
                    " attributes{{subgroup_size={lanes}, work_group_size=[{},{cols}]}}",
                    rows * lanes
                ));
            }
        }
    }
    all
}
