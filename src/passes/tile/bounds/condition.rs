//! Conditions that are tested in front of tile code.

use super::super::super::emit::Emit as _;
use super::super::super::error::Error;
use super::super::coordinate::Coordinate;
use super::accesses::Access;
use super::plan::Plan;
use crate::analysis::Interval;
use crate::ir::{Binary, BinaryOp, Builder, CompareOp, IsSurface, Type, Value};

/// Conditions of the fast version.
#[derive(Default)]
pub(super) struct Condition {
    pub value: Option<Value>,
    pub surfaces: Vec<Value>,
}

impl Condition {
    pub fn require(&mut self, builder: &mut Builder<'_>, holds: Value) -> Result<(), Error> {
        self.value = Some(match self.value {
            Some(a) => builder.folded(Binary { op: BinaryOp::And, a, b: holds }, Type::Bool)?,
            None => holds,
        });
        Ok(())
    }

    pub fn surface(&mut self, builder: &mut Builder<'_>, memref: Value) -> Result<(), Error> {
        if self.surfaces.contains(&memref) {
            return Ok(());
        }
        self.surfaces.push(memref);
        let holds = builder.value(IsSurface { of: memref }, Type::Bool)?;
        self.require(builder, holds)
    }

    pub fn not_negative(&mut self, builder: &mut Builder<'_>, value: Value) -> Result<(), Error> {
        if Interval::of(builder.ir, value).min >= 0 {
            return Ok(());
        }
        let zero = builder.index(0)?;
        let holds = builder.compare(CompareOp::GreaterThanEqual, value, zero)?;
        self.require(builder, holds)
    }

    /// Requires that the modes of an access that are to be tested are inside.
    pub fn tested(&mut self, builder: &mut Builder<'_>, access: &Access, plan: &Plan) -> Result<(), Error> {
        for (mode, tested) in plan.tested.iter().enumerate() {
            let (Some(coordinate), Some(&extent)) = (tested, access.extent.get(mode)) else { continue };
            self.inside(builder, coordinate, access.memref, mode, extent)?;
        }
        Ok(())
    }

    fn inside(
        &mut self,
        builder: &mut Builder<'_>,
        coordinate: &Coordinate,
        memref: Value,
        mode: usize,
        extent: i64,
    ) -> Result<(), Error> {
        let zero = builder.index(0)?;
        let at = coordinate.at(builder, zero)?;
        self.not_negative(builder, at)?;
        let extent = builder.index(extent)?;
        let end = builder.binary(BinaryOp::Add, at, extent)?;
        let size = builder.size(memref, i64::from(mode == 1))?;
        let holds = builder.compare(CompareOp::LessThanEqual, end, size)?;
        self.require(builder, holds)
    }
}
