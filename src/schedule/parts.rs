//! Tiles that exceed the registers of a work-group, in parts that do not.

use super::Schedule;
use super::attributes::Attributes;
use super::blockwise::Blockwise;
use super::tiles::Tiles;
use crate::analysis::{AliasSets, integer_of};
use crate::device::CoreInfo;
use crate::ir::{Access, Func, Inst, Ir, MatrixUse, Op, Tile, Transpose, Value};
use std::cmp::Reverse;

/// Parts of the accumulators of a function, which a work-group computes one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Rows and columns of all accumulators.
    pub whole: [i64; 2],
    /// Rows and columns of a part, divisors of these.
    pub part: [i64; 2],
    /// The schedule of a part.
    pub schedule: Schedule,
}

impl Parts {
    /// The largest parts that fit into registers, if the accumulators as a whole do not, and blocks of them do not depend on each other; `None`
    /// if a grid is asked for, which then says what a subgroup has, and without a loop, as subgroups then take blocks anyway.
    pub fn of(ir: &Ir, func: Func, info: &CoreInfo) -> Option<Parts> {
        let Attributes { subgroup_size, work_group_size: None, overrides } = Attributes::of(ir, func) else {
            return None;
        };
        let blockwise =
            Blockwise::of(ir, func).filter(|blockwise| blockwise.has_loop && are_apart(ir, func))?;
        let whole = blockwise.extents;
        let mut tiles = Tiles::of(ir, func);
        tiles.pin(overrides);
        let size = subgroup_size.unwrap_or_else(|| tiles.subgroup_size(info));
        if info.is_cpu() || tiles.fitting(size, info).is_some() {
            return None;
        }
        let mut parts: Vec<[i64; 2]> = divisors(whole[0])
            .flat_map(|rows| divisors(whole[1]).map(move |cols| [rows, cols]))
            .filter(|part| *part != whole)
            .collect();
        // Of as many accumulators, those of a square take the fewest elements of the factors, and a long side along the columns fewer messages.
        parts.sort_by_key(|&[rows, cols]| Reverse((rows * cols, rows.min(cols), cols)));
        parts.into_iter().find_map(|part| {
            let tiles = tiles.in_parts(|tile| Parts::of_tile(part, tile));
            let schedule = tiles.are_shared(size).then(|| tiles.fitting(size, info))??;
            Some(Parts { whole, part, schedule })
        })
    }

    /// Rows and columns that a part of the accumulators takes of a tile.
    pub fn of_tile([rows, cols]: [i64; 2], tile: Tile) -> Tile {
        match tile.usage {
            MatrixUse::A => Tile { rows, ..tile },
            MatrixUse::B => Tile { cols, ..tile },
            MatrixUse::Acc => Tile { rows, cols, ..tile },
        }
    }
}

/// Returns whether no part reads or writes what another one writes: what is stored is read as accumulators of the same place at most.
fn are_apart(ir: &Ir, func: Func) -> bool {
    let body = ir[func].body;
    let mut sets = AliasSets::new(ir, body);
    let mut accesses = Vec::new();
    ir.walk(body, &mut |inst| {
        ir[inst].op.visit_accesses(&mut |value, access| match access {
            Access::Read => accesses.push((inst, sets.of(ir, value), false)),
            Access::Write | Access::ReadWrite => accesses.push((inst, sets.of(ir, value), true)),
            Access::Value | Access::Alias => {}
        });
    });
    let writes = accesses.iter().filter(|(_, _, writes)| *writes);
    writes.flat_map(|write| accesses.iter().map(move |other| (write, other))).all(|(write, other)| {
        let meet = write.1.start < other.1.end && other.1.start < write.1.end;
        write.0 == other.0 || !meet || have_same_place(ir, [write.0, other.0])
    })
}

/// Returns whether two instructions load or store accumulators of the same place.
fn have_same_place(ir: &Ir, insts: [Inst; 2]) -> bool {
    let [Some(a), Some(b)] = insts.map(|inst| place_of_accumulators(ir, inst)) else { return false };
    let is_same =
        |(a, b): (Value, Value)| a == b || integer_of(ir, a).is_some_and(|at| integer_of(ir, b) == Some(at));
    (a.0, a.2) == (b.0, b.2) && a.1.into_iter().zip(b.1).all(is_same)
}

/// The place in memory where an instruction loads or stores accumulators.
fn place_of_accumulators(ir: &Ir, inst: Inst) -> Option<(Value, [Value; 2], Transpose)> {
    if let Op::TileLoad(load) = &ir[inst].op {
        let tile = ir.ty(*ir[inst].results.first()?).tile()?;
        (tile.usage == MatrixUse::Acc).then_some((load.from, [load.x, load.y], load.transpose))
    } else if let Op::TileStore(store) = &ir[inst].op {
        Some((store.to, [store.x, store.y], store.transpose))
    } else {
        None
    }
}

fn divisors(number: i64) -> impl Iterator<Item = i64> {
    (1..=number).filter(move |divisor| number % divisor == 0)
}
