//! Statistics of times, by their order: no distribution is assumed, and single outliers change nothing.

mod measurement;

pub use measurement::{BATCH, Measured, Purpose, Until, measure, warm_up};

/// Probability that an interval of the median leaves out at each end.
const TAIL: f64 = 0.025;
/// Number of times from which on the binomial distribution is taken for a normal one.
const MANY: usize = 1000;
/// Half of the interval of a median that is good enough, as a share of it.
pub const PRECISION: f64 = 0.01;
/// Number of times from which on an interval counts, because it is narrow by chance if there are few.
pub const ENOUGH: usize = 20;

/// Times in a few numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Median.
    pub median: f64,
    /// Lower and upper end of the 95 % interval of the median; `None` below six times.
    pub interval: Option<(f64, f64)>,
    /// The least.
    pub min: f64,
    /// Median of the distances from the median.
    pub deviation: f64,
    /// The range of the middle half of the times as a share of the median.
    pub spread: f64,
    /// Number of times.
    pub samples: usize,
}

impl Summary {
    /// The statistics of times in any order; `None` of no times.
    pub fn of(times: impl IntoIterator<Item = f64>) -> Option<Summary> {
        let times = sorted(times);
        let middle = median(&times)?;
        let range = quantile(&times, 0.75)? - quantile(&times, 0.25)?;
        Some(Summary {
            median: middle,
            interval: median_interval(&times),
            min: *times.first()?,
            deviation: median_deviation(&times)?,
            spread: if middle > 0.0 { range / middle } else { 0.0 },
            samples: times.len(),
        })
    }

    /// Larger distance of the median from an end of its interval, as a share of it.
    pub fn precision(&self) -> Option<f64> {
        let (lower, upper) = self.interval.filter(|_| self.median > 0.0)?;
        Some((self.median - lower).max(upper - self.median) / self.median)
    }

    /// Returns whether there are enough times, and the median is known within 1 %.
    pub fn is_precise(&self) -> bool {
        self.is_within(PRECISION)
    }

    /// Returns whether there are enough times, and the median is known within that share of it.
    pub fn is_within(&self, share: f64) -> bool {
        self.samples >= ENOUGH && self.precision().is_some_and(|precision| precision <= share)
    }
}

/// The value below which the share of sorted values lies, between two of them in proportion.
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = share.clamp(0.0, 1.0) * number(last);
    let below = (0..=last).take_while(|&at| number(at) <= place).last().unwrap_or(0);
    let (low, high) = (*sorted.get(below)?, *sorted.get((below + 1).min(last))?);
    Some(low + (high - low) * (place - number(below)))
}

/// The median of sorted values.
pub fn median(sorted: &[f64]) -> Option<f64> {
    let half = sorted.len() / 2;
    let upper = *sorted.get(half)?;
    match sorted.len() % 2 {
        0 => Some(f64::midpoint(*sorted.get(half.checked_sub(1)?)?, upper)),
        _ => Some(upper),
    }
}

/// The values in order.
pub fn sorted(values: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values
}

/// The median of the distances from the median.
fn median_deviation(sorted_values: &[f64]) -> Option<f64> {
    let middle = median(sorted_values)?;
    median(&sorted(sorted_values.iter().map(|value| (value - middle).abs())))
}

/// The values between which the median of all that could have been measured lies with a probability of 95 % at least; `None` if
/// there are too few values to tell, which are less than six.
fn median_interval(sorted: &[f64]) -> Option<(f64, f64)> {
    let rank = interval_rank(sorted.len())?;
    let from_end = sorted.len().checked_sub(rank + 1)?;
    Some((*sorted.get(rank)?, *sorted.get(from_end)?))
}

/// The number of values that lie outside of the interval of the median, at each end.
fn interval_rank(count: usize) -> Option<usize> {
    if count >= MANY {
        let n = number(count);
        let rank = (n / 2.0 - 0.98 * n.sqrt()).floor();
        return (0..count).take_while(|&at| number(at) < rank).last();
    }
    // The median is above k values or fewer as often as a coin that is thrown for each shows heads k times or fewer.
    let n = number(count);
    let mut probability = 0.5f64.powf(n);
    let mut tail = probability;
    let mut rank = None;
    for k in 0..count {
        if tail > TAIL {
            break;
        }
        rank = Some(k);
        probability *= (n - number(k)) / (number(k) + 1.0);
        tail += probability;
    }
    rank
}

/// The relative distance of the last third of the values from the first, in the order of measurement; `None` if they are few.
pub fn drift(in_order: &[f64]) -> Option<f64> {
    let third = in_order.len() / 3;
    if third < 4 {
        return None;
    }
    let first = median(&sorted(in_order.iter().copied().take(third)))?;
    let last = median(&sorted(in_order.iter().rev().copied().take(third)))?;
    (first > 0.0).then(|| last / first - 1.0)
}

// Numbers of values are small.
#[allow(clippy::cast_precision_loss)]
fn number(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn first(count: u32) -> Vec<f64> {
        (1..=count).map(f64::from).collect()
    }

    #[test]
    fn medians_and_quantiles_lie_between_values() {
        assert_eq!(median(&first(5)), Some(3.0));
        assert_eq!(median(&first(4)), Some(2.5));
        assert_eq!(median(&[]), None);
        assert_eq!(quantile(&first(5), 0.25), Some(2.0));
        assert_eq!(quantile(&first(4), 0.25), Some(1.75));
        assert_eq!(quantile(&first(4), 1.0), Some(4.0));
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(median_deviation(&[1.0, 2.0, 3.0, 4.0, 100.0]), Some(1.0));
    }

    /// The ranks are those of the tables for the sign test.
    #[test]
    fn intervals_are_those_of_the_binomial_distribution() {
        assert_eq!(median_interval(&first(5)), None);
        for (count, interval) in [
            (6, (1.0, 6.0)),
            (8, (1.0, 8.0)),
            (9, (2.0, 8.0)),
            (10, (2.0, 9.0)),
            (20, (6.0, 15.0)),
            (25, (8.0, 18.0)),
            (100, (40.0, 61.0)),
            (999, (469.0, 531.0)),
            (1000, (469.0, 532.0)),
        ] {
            assert_eq!(median_interval(&first(count)), Some(interval), "{count}");
        }
    }

    #[test]
    fn drift_compares_the_ends() {
        assert_eq!(drift(&[1.0; 11]), None);
        let slower: Vec<f64> = [[1.0; 10], [1.1; 10], [1.25; 10]].concat();
        assert_eq!(drift(&slower), Some(0.25));
        assert_eq!(drift(&slower.iter().rev().copied().collect::<Vec<_>>()).unwrap(), 1.0 / 1.25 - 1.0);
    }
}
