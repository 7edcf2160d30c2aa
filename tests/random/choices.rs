//! Source of a generator's decisions.

/// A list of numbers, one taken for each decision. When it is used up every decision is the first of its
/// kind, so that a shorter list, or one of smaller numbers, makes a simpler program: that is how a failing
/// program gets small.
pub struct Choices<'a>(std::slice::Iter<'a, u32>);

impl<'a> Choices<'a> {
    pub fn new(numbers: &'a [u32]) -> Choices<'a> {
        Choices(numbers.iter())
    }

    /// Returns whether decisions are left.
    pub fn is_over(&self) -> bool {
        self.0.len() == 0
    }

    /// A number below `limit`, 0 if in doubt.
    pub fn below(&mut self, limit: usize) -> usize {
        let number = self.0.next().copied().unwrap_or(0);
        usize::try_from(number).unwrap_or(0) % limit.max(1)
    }

    /// True once in so many times, false if in doubt.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 1
    }

    /// One of several, the first if in doubt.
    pub fn of<T: Clone>(&mut self, options: &[T]) -> T {
        options[self.below(options.len())].clone()
    }
}
