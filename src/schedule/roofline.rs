//! The time that a kernel must take, and the time that it takes.

use super::lane_products::{LaneProducts, LaneWork};
use crate::analysis::NecessaryWork;
use crate::device::CoreInfo;
use crate::ir::{Func, Ir, Precision, Scalar};

/// The cache of the device is so many times faster than its memory.
const CACHE_RATE: f64 = 4.0;

/// Cycles of a vector engine for the work of a work-group, by what they are spent on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roofline {
    /// Issuing instructions.
    pub issue: f64,
    /// Its share of the transfer of the bytes that no code can avoid.
    pub memory: f64,
    /// The multiply-adds that no code can avoid.
    pub arithmetic: f64,
}

/// Part of a roofline that takes longest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Issuing instructions.
    Issue,
    /// Bytes.
    Memory,
    /// Multiply-adds.
    Arithmetic,
}

impl Bound {
    /// Its name.
    pub fn spelling(self) -> &'static str {
        match self {
            Bound::Issue => "issue",
            Bound::Memory => "memory",
            Bound::Arithmetic => "arithmetic",
        }
    }
}

impl Roofline {
    /// The roofline of a function that is not lowered yet, but for the issue of its code, with its data in memory. `None` if it is not
    /// known what it must do, or how fast the device is.
    pub fn of(ir: &Ir, func: Func, info: &CoreInfo) -> Option<Roofline> {
        let NecessaryWork { bytes, multiply_adds, .. } = NecessaryWork::of(ir, func)?;
        let groups = match LaneProducts::of(ir, func, info) {
            Some(LaneProducts { lanes, work: LaneWork::Group(_) }) => lanes,
            Some(LaneProducts { work: LaneWork::Columns, .. }) | None => 1,
        };
        let is_tf32 = ir[func].attributes.precision == Some(Precision::Tf32);
        let engine = info.matrix_engine().map(|engine| if is_tf32 { engine.with_tf32() } else { *engine });
        let rate = |[a, b, sum]: [Scalar; 3]| {
            let sum = a.promote(b).map_or(sum, |factor| factor.sum_type(sum));
            let of_engine = engine.and_then(|engine| engine.rate(a, b, sum));
            of_engine.unwrap_or(info.register_bytes() as f64 / sum.bytes() as f64)
        };
        // The sum of nothing is -0.
        let arithmetic =
            multiply_adds.iter().map(|(&types, &count)| count as f64 / rate(types)).sum::<f64>() + 0.0;
        let memory = bytes as f64 / info.memory_rate()?;
        let [memory, arithmetic] = [memory, arithmetic].map(|cycles| cycles * f64::from(groups));
        Some(Roofline { issue: 0.0, memory, arithmetic })
    }

    /// The same with the data in the cache of the device.
    pub fn in_cache(self) -> Roofline {
        Roofline { memory: self.memory / CACHE_RATE, ..self }
    }

    /// Share of the time that the work must take in the time that it takes, from 0 to 1.
    pub fn share(&self) -> f64 {
        let must = self.memory.max(self.arithmetic);
        must / must.max(self.issue)
    }

    /// Part that takes longest.
    pub fn bound(&self) -> Bound {
        match self.memory.max(self.arithmetic) {
            must if must < self.issue => Bound::Issue,
            _ if self.memory < self.arithmetic => Bound::Arithmetic,
            _ => Bound::Memory,
        }
    }
}
