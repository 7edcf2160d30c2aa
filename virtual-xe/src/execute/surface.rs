//! Loads and stores of blocks of matrices in global memory (SPV_INTEL_2d_block_io).

use super::Environment;
use crate::Defect;
use crate::program::{BlockShape, Surface, SurfaceAction};
use crate::report::{Fault, Location, SurfaceRule};
use crate::rows::Rows;

/// The operands that all lanes share.
#[derive(Clone, Copy, PartialEq)]
struct Matrix {
    base: u64,
    width: u32,
    height: u32,
    pitch: u32,
    column: i32,
    row: i32,
}

impl<const S: usize> Environment<'_, S> {
    /// Accesses a block of a matrix; elements outside of the matrix read as zeros and are not written.
    pub fn surface(&mut self, rows: &mut Rows<S>, surface: &Surface, mask: u32) {
        let matrix = self.uniform(rows, surface, mask);
        self.check_surface(surface, &matrix, mask.trailing_zeros());
        let Some(private) = &surface.private else { return };
        self.check_alignment(rows, private, mask);
        let shape = surface.shape;
        let word = Words::of(surface.action, shape);
        let per_lane = word.per_lane(S as u32);
        let pointers: [u64; S] = rows.get(private.pointer);
        let has = |defect| self.defect == Some(defect);
        let exchanges =
            has(Defect::Block2dExchangesBlocks) && surface.action != SurfaceAction::Store && shape.count > 1;
        let (unclipped, as_written) = (has(Defect::Block2dStoreUnclipped), has(Defect::TransposeAsWritten));
        let repeats = has(Defect::Block2dRepeatsEdge);
        let is_transform = surface.action == SurfaceAction::Transform;
        let swap = u32::from(is_transform && has(Defect::TransformExchangesPairs));
        for block in 0..shape.count {
            for row in 0..word.rows {
                for column in 0..word.columns {
                    let (lane, place) = word.place(row, column, S as u32);
                    let Some(&pointer) = pointers.get(lane as usize).filter(|_| mask >> lane & 1 == 1) else {
                        continue;
                    };
                    let target = if exchanges && block < 2 { block ^ 1 } else { block };
                    let offset = (target * per_lane + place) * word.bytes;
                    let pointer = pointer.wrapping_add(offset.into());
                    let first = block * shape.width;
                    if surface.action == SurfaceAction::Store {
                        let bits = self.read_number(private, pointer, word.bytes, lane);
                        let matrix = if unclipped { Matrix { height: u32::MAX, ..matrix } } else { matrix };
                        if let Some(address) = matrix.address(row, first + column, shape.element) {
                            self.write_number(&surface.base, address, shape.element, lane, bits);
                        }
                        continue;
                    }
                    let mut bits = 0;
                    for part in 0..word.packed {
                        let (row, column) = match surface.action {
                            SurfaceAction::Transpose if as_written => (row, column),
                            SurfaceAction::Transpose => (column, row),
                            _ => (row * word.packed + (part ^ swap), column),
                        };
                        let row = if repeats { matrix.clamped(row) } else { row };
                        if let Some(address) = matrix.address(row, first + column, shape.element) {
                            let number = self.read_number(&surface.base, address, shape.element, lane);
                            bits |= number << (part * shape.element * 8);
                        }
                    }
                    self.write_number(private, pointer, word.bytes, lane, bits);
                }
            }
        }
    }

    /// The operands of the first lane; reports others.
    fn uniform(&mut self, rows: &Rows<S>, surface: &Surface, mask: u32) -> Matrix {
        let shared = surface.matrix(rows, mask.trailing_zeros() as usize);
        let other = (0..S).find(|&lane| mask >> lane & 1 == 1 && surface.matrix(rows, lane) != shared);
        if let Some(lane) = other {
            self.fault(Fault::NotUniform, lane as u32, None);
        }
        shared
    }

    /// The rules of the hardware; what happens where they are broken is not defined.
    fn check_surface(&mut self, surface: &Surface, matrix: &Matrix, lane: u32) {
        const LEAST: u32 = 64;
        const MOST: u32 = 1 << 24;
        let element = surface.shape.element;
        let &Matrix { base, width, height, pitch, column, .. } = matrix;
        let rules = [
            (SurfaceRule::Base, base % 64 == 0),
            (SurfaceRule::Width, (LEAST..=MOST).contains(&width) && width.is_multiple_of(element.max(4))),
            (SurfaceRule::Height, (1..=MOST).contains(&height)),
            (
                SurfaceRule::Pitch,
                pitch >= width
                    && (LEAST..=MOST).contains(&pitch)
                    && pitch.is_multiple_of(surface.pitch_alignment),
            ),
            (SurfaceRule::Column, (i64::from(column) * i64::from(element)) % 4 == 0),
        ];
        let location = Location { address: base, size: u64::from(width), allocation: None };
        for (rule, _) in rules.into_iter().filter(|(_, holds)| !holds) {
            self.fault(Fault::Surface(rule), lane, Some(location.clone()));
        }
    }
}

impl Surface {
    /// The operands of a lane.
    fn matrix<const S: usize>(&self, rows: &Rows<S>, lane: usize) -> Matrix {
        let number = |row| rows.lane::<u32>(row, lane);
        Matrix {
            base: rows.lane(self.base.pointer, lane),
            width: number(self.width),
            height: number(self.height),
            pitch: number(self.pitch),
            column: number(self.column) as i32,
            row: number(self.row) as i32,
        }
    }

    /// Calls back with address and bytes of what of each row of the blocks lies within the matrix.
    pub fn spans<const S: usize>(&self, rows: &Rows<S>, mask: u32, mut each: impl FnMut(u64, u64)) {
        let matrix = self.matrix(rows, mask.trailing_zeros() as usize);
        let BlockShape { element, width, height, count } = self.shape;
        for row in 0..height {
            let within = (0..width * count).filter_map(|column| matrix.address(row, column, element));
            // They follow each other.
            let size = within.clone().count() as u64 * u64::from(element);
            if let Some(start) = within.min() {
                each(start, size);
            }
        }
    }
}

impl Matrix {
    /// The row of a block, or the last one that is in the matrix.
    fn clamped(&self, row: u32) -> u32 {
        let last = i64::from(self.height) - 1 - i64::from(self.row);
        u32::try_from(last).map_or(row, |last| row.min(last))
    }

    /// Address of an element of the block; none if it is not in the matrix.
    fn address(&self, row: u32, column: u32, element: u32) -> Option<u64> {
        let row = u64::try_from(i64::from(self.row) + i64::from(row)).ok()?;
        let column = u64::try_from(i64::from(self.column) + i64::from(column)).ok()?;
        let start = column * u64::from(element);
        let is_within = row < self.height.into() && start + u64::from(element) <= self.width.into();
        is_within.then(|| self.base.wrapping_add(row * u64::from(self.pitch) + start))
    }
}

/// A block as it is distributed over the lanes: row by row, or, if a row has more words than there are lanes,
/// neighbouring words of it to each.
struct Words {
    rows: u32,
    columns: u32,
    bytes: u32,
    /// Elements in a word.
    packed: u32,
}

impl Words {
    fn of(action: SurfaceAction, shape: BlockShape) -> Words {
        let BlockShape { element, width, height, .. } = shape;
        match action {
            SurfaceAction::Transform => {
                let packed = 4 / element;
                Words { rows: height / packed, columns: width, bytes: 4, packed }
            }
            SurfaceAction::Transpose => Words { rows: width, columns: height, bytes: element, packed: 1 },
            _ => Words { rows: height, columns: width, bytes: element, packed: 1 },
        }
    }

    /// Words of a block that each lane has.
    fn per_lane(&self, lanes: u32) -> u32 {
        if self.columns <= lanes {
            (self.rows * self.columns).div_ceil(lanes)
        } else {
            self.columns / lanes * self.rows
        }
    }

    /// The lane that has a word, and its place among the lane's.
    fn place(&self, row: u32, column: u32, lanes: u32) -> (u32, u32) {
        if self.columns <= lanes {
            let number = row * self.columns + column;
            (number % lanes, number / lanes)
        } else {
            let each = self.columns / lanes;
            (column / each, row * each + column % each)
        }
    }
}
