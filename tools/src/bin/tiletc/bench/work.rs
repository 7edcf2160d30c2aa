//! Work of a launch, and the least time that peak numbers leave for it.

use super::timing::Mode;
use crate::launch::{Arguments, Prepared};
use crate::peaks::Peak;
use std::collections::BTreeMap;
use tiletc::ir::Scalar;
use tiletc::runtime::Session;

/// Work of a launch that no code for its program can avoid.
#[derive(Clone, Debug, PartialEq)]
pub struct Work {
    /// Operations by the types of both factors and of the sum; none if the program does not tell.
    operations: BTreeMap<[Scalar; 3], f64>,
    /// Bytes to and from memory.
    pub bytes: f64,
    groups: u64,
}

impl Work {
    /// The work of a kernel with its arguments. `is_whole` says that the launch has all work-groups that the arguments need.
    // Rates need no exact numbers.
    #[allow(clippy::cast_precision_loss)]
    pub fn of<S: Session>(prepared: &Prepared<S>, arguments: &Arguments, is_whole: bool) -> Work {
        let groups = prepared.groups.iter().map(|&count| u64::from(count)).product::<u64>();
        let of_arguments = arguments.bytes() as f64;
        let Some(work) = &prepared.work else {
            return Work { operations: BTreeMap::new(), bytes: of_arguments, groups };
        };
        let of_groups = work.bytes as f64 * groups as f64;
        // What work-groups share is in none of them, but in the arguments.
        let bytes = if is_whole { of_groups.max(of_arguments) } else { of_groups };
        let all = work.operations.iter().map(|(&types, &count)| (types, count as f64 * groups as f64));
        Work { operations: all.filter(|(_, count)| *count > 0.0).collect(), bytes, groups }
    }

    /// So many multiply-adds of f32 and bytes, in as many work-groups as cores.
    #[cfg(test)]
    pub fn known(multiply_adds: f64, bytes: f64) -> Work {
        Work { operations: [([Scalar::F32; 3], 2.0 * multiply_adds)].into(), bytes, groups: 64 }
    }

    /// Floating-point or integer operations; `None` if they are not known.
    pub fn operations(&self) -> Option<f64> {
        let all: f64 = self.operations.values().sum();
        (all > 0.0).then_some(all)
    }

    /// The least seconds that the peak numbers leave for the arithmetic and, with cold caches, for the bytes. `None` if a peak
    /// is not published, or nothing is known of what hot caches do.
    pub fn least_time(&self, peak: &Peak, mode: Mode) -> Option<f64> {
        // A work-group does not leave its core.
        let cores = u32::try_from(self.groups).unwrap_or(u32::MAX).min(peak.cores);
        let clocks = f64::from(cores) * peak.gigahertz * 1e9;
        let time = |(types, count): (&[Scalar; 3], &f64)| Some(count / (peak_of(peak, *types)? * clocks));
        let arithmetic: f64 = self.operations.iter().map(time).sum::<Option<f64>>()?;
        let least = match mode {
            Mode::Cold => arithmetic.max(self.bytes / (peak.memory * 1e9)),
            Mode::Hot => arithmetic,
        };
        (least > 0.0).then_some(least)
    }

    /// The peak of the whole device for the types that most of the work is in, in operations a second.
    pub fn peak(&self, peak: &Peak) -> Option<f64> {
        let most = self.operations.iter().max_by(|a, b| a.1.total_cmp(b.1));
        let (types, _) = most?;
        Some(peak_of(peak, *types)? * f64::from(peak.cores) * peak.gigahertz * 1e9)
    }
}

/// Operations of a core in a clock: those of the matrix engine for factors of up to 16 bits, else those of the vector engine.
fn peak_of(peak: &Peak, [a, b, sum]: [Scalar; 3]) -> Option<f64> {
    let bits = |scalar: Scalar| u32::try_from(8 * scalar.component().bytes()).unwrap_or(u32::MAX);
    let factor = bits(a).max(bits(b));
    match peak.matrix {
        Some(rate) if factor <= 16 => Some(rate * 16.0 / f64::from(factor)),
        _ => peak.vector(factor.max(bits(sum))),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn work(types: [Scalar; 3], count: f64, bytes: f64, groups: u64) -> Work {
        Work { operations: [(types, 2.0 * count)].into(), bytes, groups }
    }

    #[test]
    fn least_times_are_those_of_the_limit_that_binds() {
        let peak = Peak::of_product("Intel(R) Data Center GPU Max 1550").unwrap();
        assert!(Peak::of_product("Intel(R) Data Center GPU Max 1100").is_none());
        let near = |found: Option<f64>, wanted: f64| {
            let found = found.unwrap();
            assert!((found / wanted - 1.0).abs() < 1e-9, "{found} is not {wanted}");
        };
        // 64 cores with 256 operations in each of 1.6e9 clocks a second; 1638.4 GB/s.
        let f32s = [Scalar::F32; 3];
        near(work(f32s, 0.5e12, 1.0, 64).least_time(peak, Mode::Cold), 1e12 / (64.0 * 256.0 * 1.6e9));
        near(work(f32s, 0.5e12, 1.0, 32).least_time(peak, Mode::Hot), 1e12 / (32.0 * 256.0 * 1.6e9));
        near(work(f32s, 1.0, 1638.4e9, 64).least_time(peak, Mode::Cold), 1.0);
        near(work(f32s, 1.0, 1638.4e9, 64).peak(peak), 64.0 * 256.0 * 1.6e9);
        let bf16s = [Scalar::Bf16, Scalar::Bf16, Scalar::F32];
        near(work(bf16s, 1.0, 1.0, 64).peak(peak), 64.0 * 4096.0 * 1.6e9);
        let i8s = [Scalar::I8, Scalar::I8, Scalar::I32];
        near(work(i8s, 1.0, 1.0, 64).peak(peak), 64.0 * 8192.0 * 1.6e9);
        let bytes_only = Work { operations: BTreeMap::new(), bytes: 1638.4e9, groups: 64 };
        near(bytes_only.least_time(peak, Mode::Cold), 1.0);
        assert_eq!((bytes_only.least_time(peak, Mode::Hot), bytes_only.operations()), (None, None));
        // No peak of f64 is published for this one.
        let arc = Peak::of_product("Intel(R) Arc(TM) A770 Graphics").unwrap();
        assert_eq!(work([Scalar::F64; 3], 1.0, 1.0, 64).least_time(arc, Mode::Cold), None);
    }
}
