//! Loads and stores of cooperative matrices.

use super::Environment;
use crate::program::{MatrixAccess, MatrixLayout};
use crate::report::Fault;
use crate::rows::Rows;

impl<const S: usize> Environment<'_, S> {
    /// Reads or writes a matrix whose numbers are dealt out row by row, lane after lane.
    pub fn matrix(&mut self, rows: &mut Rows<S>, access: &MatrixAccess, mask: u32) {
        let (stride, bytes) = access.stride;
        let shared =
            |lane: usize| (rows.lane::<u64>(access.pointer.pointer, lane), rows.bits(stride, bytes, lane));
        let first = shared(mask.trailing_zeros() as usize);
        let other = (0..S).find(|&lane| mask >> lane & 1 == 1 && shared(lane) != first);
        if let Some(lane) = other {
            self.fault(Fault::NotUniform, lane as u32, None);
        }
        self.check_alignment(rows, &access.pointer, mask);
        let (base, stride) = (first.0, first.1.wrapping_mul(access.unit));
        let size = access.scalar.bytes();
        let columns = u64::from(access.columns);
        let numbers = u64::from(access.rows) * columns;
        for (component, &value) in (0u64..).zip(&access.values) {
            for lane in (0..S).filter(|lane| mask >> lane & 1 == 1) {
                let number = component * S as u64 + lane as u64;
                if number >= numbers {
                    if !access.is_store {
                        rows.set_bits(value, size, lane, 0);
                    }
                    continue;
                }
                let offset = access.layout.offset(number / columns, number % columns, stride, size.into());
                let address = base.wrapping_add(offset);
                if access.is_store {
                    let bits = rows.bits(value, size, lane);
                    self.write_number(&access.pointer, address, size, lane as u32, bits);
                } else {
                    let bits = self.read_number(&access.pointer, address, size, lane as u32);
                    rows.set_bits(value, size, lane, bits);
                }
            }
        }
    }
}

impl MatrixLayout {
    /// Bytes from the start of the matrix to a number of so many bytes.
    fn offset(self, row: u64, column: u64, stride: u64, bytes: u64) -> u64 {
        let (line, place) = match self {
            MatrixLayout::RowMajor => (row, column),
            MatrixLayout::ColumnMajor => (column, row),
            MatrixLayout::Packed(rows) => {
                let rows = u64::from(rows);
                (row / rows, column * rows + row % rows)
            }
        };
        line.wrapping_mul(stride).wrapping_add(place * bytes)
    }
}
