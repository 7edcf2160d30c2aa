//! Runs on tiles and whole matrices whose sizes nothing divides evenly, or which are known at run time only: the subgroups take
//! them in blocks (lowering reference 1.13).

use super::super::super::emit::Emit as _;
use super::super::super::error::{Error, internal};
use super::super::super::partition::{Overlap, Part, Partition, by_blocks_in, uniform, whole_blocks};
use super::block::{Block, OwnRows, Rows, Run};
use super::share::Piece;
use super::{Lowered, Lowering, Place, Settings};
use crate::analysis::integer_of;
use crate::ir::{
    Atomic, Builder, Built, Checked, CompareOp, Component, Inst, IoClass, Ir, MatrixBackendKind, MatrixUse,
    Op, Scalar, SideEffect, StoreMode, Transpose, Value, ValueMap,
};

/// Code for whole blocks, and code for the rest.
const WHOLE_AND_REST: &[Part] = &[Part::Whole, Part::Rest];

/// Blocks of a subgroup up to which copies of a factor in each of them cost no more than in front of them.
const FEW_BLOCKS: i64 = 2;

/// Lowers a run, whose subgroups each take some blocks of what it stores.
pub(in super::super::super) fn lower_in_blocks(
    builder: &mut Builder<'_>,
    run: &Run<'_>,
    settings: Settings<'_>,
) -> Result<(), Error> {
    let [m, n] = extents(builder, run)?;
    let product = run.schedule(builder.ir);
    let has_product = product.is_some();
    let on_engine = product.as_ref().is_some_and(|product| product.backend != MatrixBackendKind::Vector);
    let Some(block) = run.block.or(product.map(|product| product.block)) else {
        return Err(internal(builder.location, "a run without a product"));
    };
    let grid = settings.schedule.grid;
    let m_partition = partition(builder, grid.rows.into(), Component::X)?;
    let n_partition = partition(builder, grid.cols.into(), Component::Y)?;
    let lanes = i64::from(settings.schedule.subgroup_size);
    let (rows, cols) = (i64::from(block.rows), i64::from(block.cols));
    let overlap = match integer_of(builder.ir, m) {
        Some(m) if has_product && !on_engine && !settings.info.is_cpu() && reads_late(builder.ir, run) => {
            Overlap::new(m, rows, m_partition)
        }
        _ => None,
    };
    let parts = |builder: &Builder<'_>, extent: Value| {
        let is_known = integer_of(builder.ir, extent).is_some();
        if is_known || settings.info.is_cpu() || !has_product { None } else { Some(&[Part::All] as &[Part]) }
    };
    let parts_of_rows = match parts(builder, m) {
        Some(parts) => parts,
        None if on_engine
            && integer_of(builder.ir, m).is_some_and(|m| rows_for(m % rows, lanes) == rows)
            && clips_rows(builder.ir, run, settings) =>
        {
            &[Part::All]
        }
        None => order_of_rows(builder.ir, run, (m, rows), m_partition),
    };
    let partitions = [m_partition, n_partition];
    let columns = |builder: &mut Builder<'_>, column: Value, cols: i64, check_cols: bool| {
        let block = |rows, row, check_rows| {
            let check = Checked::new(check_rows, check_cols);
            Block { run, partitions, row, own_row: None, column, rows, cols, pieces: None, check }
        };
        if let Some(overlap) = &overlap {
            return overlap.block(builder, &mut |builder, row, own_row| {
                lower_block(builder, Block { own_row: Some(own_row), ..block(rows, row, false) }, settings)
            });
        }
        by_blocks_in(parts_of_rows, builder, (m, rows), m_partition, &mut |builder, row, is_rest| {
            let rest = integer_of(builder.ir, m).filter(|_| is_rest && !on_engine).map(|m| m % rows);
            if let Some(m) = integer_of(builder.ir, m)
                && is_rest
                && run.held.is_some()
                && m > rows
            {
                // What is read only is not checked, if the block ends with the matrix.
                let first = builder.index(m - rows)?;
                let block = Block { own_row: Some(row), ..block(rows, first, false) };
                return lower_block(builder, block, settings);
            }
            let rows = rest.map_or(rows, |rest| rows_for(rest, lanes));
            lower_block(builder, block(rows, row, is_rest), settings)
        })
    };
    match integer_of(builder.ir, n) {
        Some(n) if on_engine => whole_blocks(builder, n, cols, n_partition, &mut |builder, at, size| {
            columns(builder, at, size, false)
        }),
        Some(n) => {
            uniform(builder, n, cols, n_partition, &mut |builder, at, size| columns(builder, at, size, false))
        }
        None => {
            let parts = parts(builder, n).unwrap_or(WHOLE_AND_REST);
            by_blocks_in(parts, builder, (n, cols), n_partition, &mut |builder, at, rest| {
                columns(builder, at, cols, rest)
            })
        }
    }?;
    run.insts.iter().rev().for_each(|&inst| builder.ir.erase(inst));
    Ok(())
}

/// Lowers a run so that each subgroup computes all rows of what it stores, as many at a time as the schedule says; returns them.
pub(in super::super::super) fn lower_all_rows(
    builder: &mut Builder<'_>,
    run: &Run<'_>,
    settings: Settings<'_>,
) -> Result<Rows, Error> {
    let [m, n] = extents(builder, run)?;
    let product = run.schedule(builder.ir);
    let (Some(product), Some(m), Some(cols), Some(&stored)) =
        (product, integer_of(builder.ir, m), integer_of(builder.ir, n), run.forwarded.last())
    else {
        return Err(internal(builder.location, "a run of which a subgroup cannot have all rows"));
    };
    let lanes = i64::from(settings.schedule.subgroup_size).max(1);
    let pieces = pieces_of(m, lanes);
    let check = Checked::new(m < lanes, false);
    let zero = builder.index(0)?;
    let partitions = [Partition { subgroups: 1, id: zero }; 2];
    let whole = Block {
        run,
        partitions,
        row: zero,
        own_row: None,
        column: zero,
        rows: pieces.iter().map(|piece| piece.size).sum(),
        cols,
        pieces: Some(&pieces),
        check,
    };
    let mut blocks = vec![whole];
    if i64::from(product.block.rows) < whole.rows {
        blocks.clear();
        for pieces in pieces.chunks(1) {
            let rows = pieces.iter().map(|piece| piece.size).sum();
            blocks.push(Block { rows, pieces: Some(pieces), ..whole });
        }
    }
    let mut found = Vec::new();
    for block in blocks {
        let mut lowering = Lowering::new(settings, Place::Block(block));
        let location = builder.location;
        let copies = copied(builder, run.insts, &mut ValueMap::new())?;
        lowering.insts(builder, &copies, None)?;
        builder.location = location;
        let Some(Lowered::Rows(rows)) = lowering.values.remove(&stored) else {
            return Err(internal(builder.location, "rows that are not in registers"));
        };
        found.extend(rows);
    }
    run.insts.iter().rev().for_each(|&inst| builder.ir.erase(inst));
    Ok(found)
}

/// Matrices of a row in each work-item for so many rows. The last one begins early enough to end with them, if there are as many.
fn pieces_of(rows: i64, lanes: i64) -> Vec<Piece> {
    let last = (rows - 1) / lanes;
    (0..=last).map(|place| Piece { start: (place * lanes).min(rows - lanes).max(0), size: lanes }).collect()
}

/// Rows and columns of what a run stores.
fn extents(builder: &mut Builder<'_>, run: &Run<'_>) -> Result<[Value; 2], Error> {
    if let Some([rows, cols]) = run.extents {
        return Ok([builder.index(rows)?, builder.index(cols)?]);
    }
    let Some(Op::TileStore(store)) = run.insts.last().map(|&last| builder.ir[last].op.clone()) else {
        return Err(internal(builder.location, "a run without a store"));
    };
    let mut extents = [builder.size(store.to, 0)?, builder.size(store.to, 1)?];
    if store.transpose == Transpose::T {
        extents.reverse();
    }
    Ok(extents)
}

/// The order of whole blocks of rows and the rest.
///
/// Of a factor in f32 that is in registers, Intel's compiler (2.40) copies each entry that several pieces of code read in the first of them: for
/// a rest that follows a loop over blocks, in each iteration.
fn order_of_rows(ir: &Ir, run: &Run<'_>, (m, rows): (Value, i64), partition: Partition) -> &'static [Part] {
    let is_many = integer_of(ir, m).is_some_and(|m| m / rows > FEW_BLOCKS * partition.subgroups);
    let memref = run.held.as_ref().and_then(|&(factor, _)| ir.ty(factor).memref());
    let is_copied = memref.is_some_and(|memref| memref.element == Scalar::F32);
    if is_many && is_copied { &[Part::Rest, Part::Whole] } else { WHOLE_AND_REST }
}

/// Returns whether nothing is to be checked for rows that a matrix does not have: 2D blocks clip them, of all that subgroups divide.
fn clips_rows(ir: &Ir, run: &Run<'_>, settings: Settings<'_>) -> bool {
    let Settings { schedule, info, surfaces } = settings;
    let is_surface = |memref: Value| surfaces.answer(ir, memref).is_known();
    let is_clipped = |inst: Inst| match &ir[inst].op {
        Op::TileLoad(load) => is_surface(load.from),
        Op::TileStore(store) => store.mode == StoreMode::Overwrite && is_surface(store.to),
        Op::For(_) | Op::If(_) | Op::TilePrefetch(_) => true,
        op => op.info().side_effect == SideEffect::Pure,
    };
    let mut are_clipped = schedule.has_io(IoClass::Block2d, info) && run.atomic == Atomic::No;
    for &inst in run.insts {
        ir.walk_inst(inst, &mut |inner| are_clipped &= is_clipped(inner));
    }
    are_clipped
}

/// Returns whether a run reads what it may write behind its products only, where it is known whose the rows are.
fn reads_late(ir: &Ir, run: &Run<'_>) -> bool {
    let (head, _) = split(ir, run.insts);
    let mut found = false;
    let mut look = |inst: Inst| {
        let data = &ir[inst];
        let is_sum = |value: &Value| ir.ty(*value).tile().is_some_and(|tile| tile.usage == MatrixUse::Acc);
        let reads = matches!(data.op, Op::TileLoad(_)) && data.results.iter().any(is_sum);
        found |= reads || matches!(data.op, Op::TileStore(_));
    };
    head.iter().for_each(|&inst| ir.walk_inst(inst, &mut look));
    !found || run.extents.is_none()
}

/// The subgroups along a direction.
fn partition(builder: &mut Builder<'_>, subgroups: i64, component: Component) -> Built<Partition> {
    Ok(Partition { subgroups, id: builder.subgroup_id(component, subgroups)? })
}

/// Rows of the smallest matrix for what is left: a power of two, and no fewer than there are lanes.
fn rows_for(rest: i64, lanes: i64) -> i64 {
    let blocks = u64::try_from((rest + lanes - 1) / lanes).unwrap_or(1).next_power_of_two();
    lanes.saturating_mul(i64::try_from(blocks).unwrap_or(1))
}

/// Lowers a copy of a run for one block.
fn lower_block(builder: &mut Builder<'_>, block: Block<'_>, settings: Settings<'_>) -> Result<(), Error> {
    let mut values = ValueMap::new();
    let location = builder.location;
    let mut lowering = Lowering::new(settings, Place::Block(block));
    let Some(own_row) = block.own_row else {
        lowering.own_rows =
            block.run.extents.filter(|_| block.check.rows()).map(|[rows, _]| OwnRows::Below(rows));
        let copies = copied(builder, block.run.insts, &mut values)?;
        lowering.insts(builder, &copies, None)?;
        builder.location = location;
        return Ok(());
    };
    // What is written, and what it is made of, depends on whose the rows are.
    let (head, tail) = split(builder.ir, block.run.insts);
    let head = copied(builder, head, &mut values)?;
    let replaced = lowering.lower(builder, &head)?;
    builder.location = location;
    let places = [block.row, own_row].map(|row| integer_of(builder.ir, row));
    let is_known = places.iter().all(Option::is_some);
    let finish = |builder: &mut Builder<'_>, row: Value, own_rows: Option<OwnRows>| {
        let place = Place::Block(Block { row, ..block });
        let mut lowering = Lowering { place, own_rows, ..lowering.clone() };
        let copies = copied(builder, tail, &mut values.clone())?;
        lowering.insts(builder, &copies, None).map(|_| Vec::new())
    };
    if is_known {
        let [row, own] = places;
        let own_rows = (row != own).then_some(OwnRows::From(own_row));
        finish(builder, block.row, own_rows)?;
    } else {
        let is_whole = builder.compare(CompareOp::Equal, block.row, own_row)?;
        builder.branch::<Error>(
            is_whole,
            &[],
            |builder| finish(builder, own_row, None),
            |builder| finish(builder, block.row, Some(OwnRows::From(own_row))),
        )?;
    }
    replaced.into_iter().rev().for_each(|inst| builder.ir.erase(inst));
    Ok(())
}

/// Copies of instructions at the place of the builder.
fn copied(builder: &mut Builder<'_>, insts: &[Inst], values: &mut ValueMap) -> Result<Vec<Inst>, Error> {
    let last = builder.cursor.previous(builder.ir);
    builder.ir.copy_insts(insts, builder.cursor, values)?;
    let mut next = match last {
        Some(last) => builder.ir.next_inst(last),
        None => builder.ir.insts(builder.cursor.region()).next(),
    };
    let mut copies = Vec::new();
    while let Some(inst) = next.filter(|_| copies.len() < insts.len()) {
        copies.push(inst);
        next = builder.ir.next_inst(inst);
    }
    Ok(copies)
}

/// The instructions up to the last product, and those behind it.
fn split<'a>(ir: &Ir, insts: &'a [Inst]) -> (&'a [Inst], &'a [Inst]) {
    let last = insts.iter().rposition(|&inst| {
        let mut has_product = false;
        ir.walk_inst(inst, &mut |inner| has_product |= matches!(ir[inner].op, Op::TileDot(_)));
        has_product
    });
    insts.split_at(last.map_or(0, |last| last + 1))
}
