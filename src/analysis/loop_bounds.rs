//! Facts about the bounds of a counted loop (language reference 5.10).

use super::constants::{Interval, integer_of};
use crate::ir::{For, Ir, Scalar};

/// The bounds of a `for`, as far as they are known before the program runs.
#[derive(Clone, Copy, Debug)]
pub struct LoopBounds {
    ty: Interval,
    from: Interval,
    to: Interval,
    steps: Interval,
    /// The step, if it is known.
    pub step: Option<i64>,
}

impl LoopBounds {
    /// Looks at the bounds of a loop.
    pub fn of(ir: &Ir, op: &For) -> LoopBounds {
        LoopBounds {
            ty: Interval::of_type(ir.ty(op.from).scalar().unwrap_or(Scalar::Index)),
            from: Interval::of(ir, op.from),
            to: Interval::of(ir, op.to),
            steps: op.step.map_or(Interval { min: 1, max: 1 }, |step| Interval::of(ir, step)),
            step: op.step.map_or(Some(1), |step| integer_of(ir, step)),
        }
    }

    /// Returns whether the loop has no iteration, whatever the rest of the program does.
    pub fn is_empty(&self) -> bool {
        self.from.min >= self.to.max || self.steps.max <= 0
    }

    /// Returns whether the loop has an iteration, whatever the rest of the program does.
    pub fn has_iteration(&self) -> bool {
        self.from.max < self.to.min && self.steps.min > 0
    }

    /// The smallest distance of the counters of two iterations, 0 if it is not known to be positive.
    pub fn least_step(&self) -> i64 {
        self.steps.min.max(0)
    }

    /// Returns whether the loop may count on until the counter has reached its bound: the step is positive, and the
    /// counter is in the range of its type even behind the last iteration.
    pub fn counter_stays_in_range(&self) -> bool {
        self.counter_stays_in(self.ty)
    }

    /// Returns whether the counter is a number of 32 bits, whatever its type, even behind the last iteration.
    pub fn counter_is_narrow(&self) -> bool {
        let narrow = Interval::of_type(Scalar::I32);
        let bounds = [self.from.min, self.from.max, self.to.min, self.to.max];
        bounds.iter().all(|bound| (narrow.min..=narrow.max).contains(bound)) && self.counter_stays_in(narrow)
    }

    fn counter_stays_in(&self, range: Interval) -> bool {
        if self.steps.min <= 0 {
            return false;
        }
        let [first, end, max, step] = [self.from.min, self.to.max, range.max, self.steps.max].map(i128::from);
        let is_known = [self.from, self.to, self.steps].iter().all(|bound| bound.min == bound.max);
        let behind = if is_known && first < end {
            first + (end - first + step - 1) / step * step
        } else {
            end - 1 + step
        };
        self.is_empty() || behind <= max
    }

    /// Returns whether `to - step` is in the range of the type wherever the loop has an iteration.
    pub fn difference_stays_in_range(&self) -> bool {
        let min = self.from.min.max(self.to.min.saturating_sub(1));
        self.step
            .is_some_and(|step| step > 0 && i128::from(min) + 1 - i128::from(step) >= i128::from(self.ty.min))
    }

    /// The last value of the counter that another iteration may follow is less than this number, if it is known.
    pub fn last_but_one(&self) -> Option<i64> {
        let step = self.step.filter(|&step| step > 0)?;
        (self.to.min == self.to.max).then(|| self.to.min.saturating_sub(step).max(self.ty.min))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(from: [i64; 2], to: [i64; 2], step: Option<i64>) -> LoopBounds {
        let ty = Interval::of_type(Scalar::I8);
        let interval = |[min, max]: [i64; 2]| Interval { min, max };
        let steps = step.map_or(ty, |step| interval([step, step]));
        LoopBounds { ty, from: interval(from), to: interval(to), steps, step }
    }

    #[test]
    fn counters_that_pass_the_largest_value() {
        let fixed = |from, to, step| bounds([from, from], [to, to], Some(step)).counter_stays_in_range();
        assert!(fixed(0, 127, 1));
        assert!(!fixed(0, 127, 100));
        assert!(!fixed(-128, 127, 127));
        assert!(fixed(0, 100, 100));
        // The counter ends at 120, though another start would take it beyond 127.
        assert!(fixed(0, 120, 60));
        assert!(!fixed(8, 120, 60));
        assert!(fixed(5, 3, 127));
        let any = [-128, 127];
        assert!(bounds(any, any, Some(1)).counter_stays_in_range());
        assert!(!bounds(any, any, Some(2)).counter_stays_in_range());
        assert!(bounds(any, [0, 100], Some(28)).counter_stays_in_range());
        assert!(!bounds(any, [0, 100], None).counter_stays_in_range());
    }

    #[test]
    fn steps_of_which_the_range_is_known() {
        let of = |to, steps: [i64; 2]| {
            let [min, max] = steps;
            LoopBounds { steps: Interval { min, max }, ..bounds([0, 0], [to, to], None) }
        };
        assert!(of(100, [1, 28]).counter_stays_in_range());
        assert!(!of(100, [1, 29]).counter_stays_in_range());
        assert!(!of(100, [0, 28]).counter_stays_in_range());
        assert_eq!(of(100, [3, 28]).least_step(), 3);
        assert_eq!(of(100, [-3, 28]).least_step(), 0);
        assert!(of(100, [-3, 0]).is_empty() && !of(100, [-3, 1]).is_empty());
    }

    #[test]
    fn loops_that_have_a_turn() {
        let any = [-128, 127];
        assert!(bounds([0, 3], [4, 127], Some(1)).has_iteration());
        assert!(!bounds([0, 4], [4, 127], Some(1)).has_iteration());
        assert!(!bounds([0, 0], any, Some(1)).has_iteration());
        assert!(!bounds([0, 0], [9, 9], None).has_iteration());
    }

    #[test]
    fn steps_that_are_not_positive() {
        assert!(bounds([0, 0], [9, 9], Some(0)).is_empty());
        assert!(bounds([0, 0], [9, 9], Some(-1)).is_empty());
        assert!(!bounds([0, 0], [9, 9], Some(-1)).counter_stays_in_range());
        assert!(!bounds([0, 0], [9, 9], None).is_empty());
    }

    #[test]
    fn differences_that_pass_the_smallest_value() {
        let any = [-128, 127];
        assert!(bounds([0, 127], any, Some(100)).difference_stays_in_range());
        assert!(!bounds(any, any, Some(2)).difference_stays_in_range());
        assert!(bounds(any, [0, 127], Some(128 - 1)).difference_stays_in_range());
        assert_eq!(bounds(any, [-100, -100], Some(100)).last_but_one(), Some(-128));
    }
}
