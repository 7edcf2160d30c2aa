//! Rows of a factor A, or columns of B, that become nothing but rows or columns of accumulators that nobody stores.

use super::accesses::Access;
use crate::ir::{For, Inst, Ir, MatrixUse, Op, Region, Transpose, Value, Yield};

/// The size of what is stored of the rows that a load reads, or of its columns: a memref and its mode. `None` unless every store
/// begins at the same position, so that whatever is read from outside of that memref has no effect.
pub(super) fn stored_size(ir: &Ir, access: &Access, mode: usize) -> Option<(Value, i64)> {
    if access.outer_mode != Some(mode) || access.has_other {
        return None;
    }
    let &factor = ir[access.inst].results.first()?;
    let usage = ir.ty(factor).tile()?.usage;
    let mut found = None;
    for store in stores(ir, factor)? {
        let Op::TileStore(op) = &ir[store].op else { return None };
        let stored_mode = usize::from((usage == MatrixUse::A) != (op.transpose == Transpose::N));
        let is_same = [op.x, op.y].get(stored_mode) == access.at.get(mode);
        let stored = (op.to, i64::from(stored_mode == 1));
        if !is_same || found.is_some_and(|found| found != stored) {
            return None;
        }
        found = Some(stored);
    }
    found
}

/// The stores of all that is computed of a factor, if its rows, of A, or columns, of B, stay apart until then.
pub(super) fn stores(ir: &Ir, factor: Value) -> Option<Vec<Inst>> {
    let (mut stores, mut values, mut next) = (Vec::new(), vec![factor], 0);
    while let Some(&value) = values.get(next) {
        next += 1;
        for found in ir.uses(value) {
            if let Op::TileStore(_) = ir[found.user].op {
                stores.push(found.user);
                continue;
            }
            let reached = reached(ir, found.user, value)?;
            values.extend(reached.into_iter().filter(|value| !values.contains(value)).collect::<Vec<_>>());
        }
    }
    Some(stores)
}

/// The values that an instruction which is no store makes of a tile, if its rows, of A, or columns, of B, or both, of an accumulator, stay apart.
fn reached(ir: &Ir, user: Inst, value: Value) -> Option<Vec<Value>> {
    let tile = ir.ty(value).tile()?;
    let results = ir[user].results.to_vec();
    match &ir[user].op {
        Op::TileDot(dot) => {
            let [in_a, in_b] = [dot.a, dot.b].map(|factor| factor == value);
            let is_apart = !(in_a && tile.usage == MatrixUse::B || in_b && tile.usage == MatrixUse::A);
            is_apart.then_some(results)
        }
        Op::For(For { init, .. }) => {
            let carried = places(init, value);
            let &region = ir[user].regions.first()?;
            Some(carried.flat_map(|place| carried_at(ir, region, &results, place)).collect())
        }
        Op::Yield(Yield { values }) => {
            let region = ir.parent(user)?;
            let owner = ir.owner(region).filter(|&owner| matches!(ir[owner].op, Op::For(_) | Op::If(_)))?;
            let results = &ir[owner].results;
            Some(places(values, value).flat_map(|place| carried_at(ir, region, results, place)).collect())
        }
        Op::Cast(_) | Op::Unary(_) | Op::Binary(_) | Op::Math(_) | Op::TileScale(_) | Op::TileApply(_) => {
            let is_alike = |&result: &Value| {
                let of = ir.ty(result).tile().map(|other| (other.usage, other.rows, other.cols));
                of == Some((tile.usage, tile.rows, tile.cols))
            };
            results.iter().all(is_alike).then_some(results)
        }
        _ => None,
    }
}

fn places(values: &[Value], value: Value) -> impl Iterator<Item = usize> + '_ {
    values.iter().enumerate().filter(move |&(_, &other)| other == value).map(|(place, _)| place)
}

/// The parameter and the result of a loop or branch that stand for a value that it carries.
fn carried_at(ir: &Ir, region: Region, results: &[Value], place: usize) -> Vec<Value> {
    let parameter = ir[region].parameters.get(place + 1);
    parameter.into_iter().chain(results.get(place)).copied().collect()
}
