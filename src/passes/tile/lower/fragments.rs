//! `parallel` regions, which become part of the run, and the fragments of tiles in them (tile reference 2.4.4).

use super::super::super::error::{Error, internal};
use super::{Lowered, Lowering};
use crate::ir::{Builder, Inst, Op, TileFragment, TileWithFragment, Yield};

impl Lowering<'_> {
    /// Moves the instructions of a `parallel` region into the run; the tiles that it yields are its results from then on.
    pub(super) fn parallel(&mut self, builder: &mut Builder<'_>, inst: Inst) -> Result<(), Error> {
        let Some(&region) = builder.ir[inst].regions.first() else { return Ok(()) };
        let mut insts = Vec::new();
        builder.ir.walk(region, &mut |inner| insts.push(inner));
        let mut replaced = Vec::new();
        for inner in insts {
            if self.fragment(builder, inner)? {
                replaced.push(inner);
            }
        }
        let results = builder.ir[inst].results.clone();
        if let (Some(end), false) = (builder.ir.last_inst(region), results.is_empty())
            && let Op::Yield(Yield { values }) = builder.ir[end].op.clone()
        {
            let shares = self.all_expanded(builder, &values)?;
            self.bind(builder, &results, &shares)?;
            replaced.push(end);
        }
        // Users before what they use.
        replaced.into_iter().rev().for_each(|inner| builder.ir.erase(inner));
        builder.ir.move_insts(region, builder.cursor);
        Ok(())
    }

    /// Takes a fragment out of the share of a tile, or puts one into it; `false` if the instruction does neither.
    fn fragment(&mut self, builder: &mut Builder<'_>, inst: Inst) -> Result<bool, Error> {
        let op = &builder.ir[inst].op;
        let (tile, at, new) = if let &Op::TileFragment(TileFragment { tile, row, col }) = op {
            (tile, [row, col], None)
        } else if let &Op::TileWithFragment(TileWithFragment { fragment, tile, row, col }) = op {
            (tile, [row, col], Some(fragment))
        } else {
            return Ok(false);
        };
        let location = builder.ir[inst].location;
        let missing = || internal(location, "a fragment outside of the share");
        let result = builder.ir[inst].results.first().copied().ok_or_else(missing)?;
        let of = builder.ir.ty(tile).tile().ok_or_else(missing)?;
        let [row, col] = at.map(|at| usize::try_from(at).unwrap_or(usize::MAX));
        let place = row.saturating_mul(self.share(of).cols.len()).saturating_add(col);
        let mut matrices = self.matrices(builder, tile)?;
        let matrix = matrices.get_mut(place).ok_or_else(missing)?;
        match new {
            None => builder.ir.replace_all_uses(result, *matrix),
            Some(new) => {
                *matrix = new;
                self.values.insert(result, Lowered::Matrices(matrices));
            }
        }
        Ok(true)
    }
}
