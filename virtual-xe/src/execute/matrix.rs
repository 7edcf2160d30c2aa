//! Loads and stores of cooperative matrices.

use super::Environment;
use crate::program::{MatrixAccess, MatrixLayout};
use crate::report::Fault;
use crate::rows::Rows;

impl<const S: usize> Environment<'_, S> {
    /// Reads or writes a matrix.
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
        let size = access.scalar.bytes();
        if !access.is_store {
            for &value in &access.values {
                (0..S)
                    .filter(|lane| mask >> lane & 1 == 1)
                    .for_each(|lane| rows.set_bits(value, size, lane, 0));
            }
        }
        let numbers: Vec<_> = access.numbers(rows, mask).collect();
        for (value, lane, address) in numbers {
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

impl MatrixAccess {
    /// The numbers, which are distributed row by row, lane after lane: row and lane in the register file, and address.
    pub fn numbers<const S: usize>(
        &self,
        rows: &Rows<S>,
        mask: u32,
    ) -> impl Iterator<Item = (u32, usize, u64)> {
        let (stride, bytes) = self.stride;
        let first = mask.trailing_zeros() as usize;
        let base: u64 = rows.lane(self.pointer.pointer, first);
        let stride = rows.bits(stride, bytes, first).wrapping_mul(self.unit);
        let columns = u64::from(self.columns);
        let numbers = 0..u64::from(self.rows) * columns;
        numbers.filter_map(move |number| {
            let lane = (number % S as u64) as usize;
            let &value = self.values.get((number / S as u64) as usize)?;
            let bytes = self.scalar.bytes().into();
            let offset = self.layout.offset(number / columns, number % columns, stride, bytes);
            (mask >> lane & 1 == 1).then(|| (value, lane, base.wrapping_add(offset)))
        })
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
