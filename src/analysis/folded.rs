//! Matrices whose columns are no rows of a surface of 2D block messages, but several columns together are one (lowering
//! reference 4.4).

use super::extents::Extents;
use super::surface::{PackedBatch, Surfaces};
use crate::ir::{AccessReason, AddressSpace, Ir, PartialSurface, Surface, Value};

/// Columns in a row of the surface at most. More of them leave a message too few rows.
const MAX_COLUMNS: i64 = 4;

/// A matrix that is a surface if a row of it holds several columns: column j lies in the row j / `columns`, as the one of number
/// j % `columns` in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoldedSurface {
    /// Columns in a row, a power of two.
    pub columns: i64,
    /// Elements from column to column.
    pub pitch: i64,
    /// Rows and columns of the matrix.
    pub shape: [i64; 2],
    /// Bytes of an element.
    pub bytes: i64,
}

impl FoldedSurface {
    /// The surface of a memref whose extents are known, if its address is a surface's.
    pub fn of(ir: &Ir, memref: Value) -> Option<FoldedSurface> {
        let ty = ir.ty(memref).memref()?;
        let Extents { shape, stride } = Extents::of(ir, memref)?;
        let (&[Some(rows), Some(cols)], &[Some(1), Some(pitch)]) = (shape.as_slice(), stride.as_slice())
        else {
            return None;
        };
        let bytes = ty.element.bytes();
        let distance = pitch.checked_mul(bytes)?;
        let is_possible = ty.space == AddressSpace::Global
            && Surface::takes_element(ty.element)
            && (1..=pitch).contains(&rows)
            && cols > 0
            && distance % Surface::UNIT_BYTES == 0;
        let legal = |columns: &i64| {
            let (width, pitch) = (Some(distance * columns), Some(distance * columns));
            PartialSurface { width, height: Some(1), pitch }.may_be_legal()
        };
        let columns = [1, 2, MAX_COLUMNS].into_iter().filter(|_| is_possible).find(legal)?;
        let surface = FoldedSurface { columns, pitch, shape: [rows, cols], bytes };
        // Behind the last column there may be no memory, which a message must not read.
        let last = (cols - 1) % columns;
        (surface.width(last) == last * pitch + rows).then_some(surface)
    }

    /// Elements from row to row.
    pub fn row_pitch(&self) -> i64 {
        self.columns * self.pitch
    }

    /// Elements of a row up to the end of a column of this number in it, by which messages clip what lies below that; more if a
    /// surface must be wider.
    pub fn width(&self, column: i64) -> i64 {
        let bytes = (column * self.pitch + self.shape[0]) * self.bytes;
        let rest = bytes.rem_euclid(Surface::UNIT_BYTES);
        let whole = if rest == 0 { bytes } else { bytes + Surface::UNIT_BYTES - rest };
        whole.max(Surface::MIN_BYTES) / self.bytes
    }

    /// Returns whether messages clip what lies below all columns.
    pub fn is_clipped(&self) -> bool {
        (0..self.columns).all(|column| self.width(column) == column * self.pitch + self.shape[0])
    }

    /// Rows that hold a column of this number.
    pub fn height(&self, column: i64) -> i64 {
        (self.shape[1] - column + self.columns - 1).max(0) / self.columns
    }
}

impl Surfaces {
    /// The surface whose rows hold several columns of a memref that is none itself for its extents, and the reason why it
    /// has the address of one.
    pub fn folded(&self, ir: &Ir, memref: Value) -> Option<(FoldedSurface, AccessReason)> {
        let is_surface = self.answer(ir, memref).reason() != AccessReason::Extents;
        let folded = FoldedSurface::of(ir, memref).filter(|_| !is_surface)?;
        if let Some(reason) = self.aligned(ir, memref) {
            return Some((folded, reason));
        }
        let batch = PackedBatch::of(ir, self.divisors(), memref)?;
        let is_legal =
            batch.rows % folded.columns == 0 && batch.shared_height(folded.shape[1]) <= Surface::MAX_EXTENT;
        is_legal.then_some((folded, AccessReason::Batch))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;
    use crate::diagnostics::SourceId;
    use crate::syntax;

    /// The surface of a memref, or of a member of a batch of them.
    fn folded(memref: &str, view: &str) -> Option<(FoldedSurface, AccessReason)> {
        let text = format!("func @f(%A: {memref}, %g: index) {{ %v = {view} }}");
        let mut ir = Ir::default();
        let program = syntax::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).unwrap();
        let func = program.functions[0];
        let inst = ir.insts(ir[func].body).next().unwrap();
        let value = ir[inst].results[0];
        Surfaces::new(&ir, func, 64).folded(&ir, value)
    }

    #[test]
    fn columns_share_a_row_as_their_pitch_demands() {
        let columns = |rows: usize, pitch: usize| {
            let (memref, view) = (format!("memref<bf16x{pitch}x8>"), format!("subview %A[0:{rows},0:8]"));
            let view = format!("{view} : memref<bf16x{rows}x8,strided<1,{pitch}>>");
            folded(&memref, &view).map(|(surface, _)| surface.columns)
        };
        // Of what is a surface nothing is folded, nor where a column does not begin at a multiple of 4 bytes, or where a row would
        // end behind the memory.
        let expected = [
            ((64, 64), None),
            ((100, 100), Some(2)),
            ((98, 98), Some(4)),
            ((57, 57), None),
            ((24, 24), Some(2)),
            ((24, 64), None),
            ((16, 16), Some(2)),
            ((8, 8), Some(4)),
            ((4, 4), None),
            ((1, 32), None),
        ];
        for ((rows, pitch), found) in expected {
            assert_eq!(columns(rows, pitch), found, "{rows} of {pitch}");
        }
    }

    #[test]
    fn surfaces_end_where_columns_do() {
        let surface = FoldedSurface { columns: 4, pitch: 26, shape: [25, 9], bytes: 2 };
        assert_eq!([0, 1, 2, 3].map(|column| surface.height(column)), [3, 2, 2, 2]);
        // 25 elements of the first column take less than 64 bytes, and those of the others no multiple of 4.
        assert_eq!([0, 1, 2, 3].map(|column| surface.width(column)), [32, 52, 78, 104]);
        assert!(!surface.is_clipped());
        let surface = FoldedSurface { columns: 2, pitch: 100, shape: [98, 1], bytes: 2 };
        assert_eq!([0, 1].map(|column| (surface.width(column), surface.height(column))), [(98, 1), (198, 0)]);
        assert!(surface.is_clipped());
    }

    #[test]
    fn members_share_rows_with_their_neighbours() {
        let member = |shape: &str| {
            let sizes: Vec<String> = shape.split('x').map(|size| format!("0:{size}")).collect();
            let view = format!("subview %A[{},%g] : memref<bf16x{shape}>", sizes.join(","));
            folded(&format!("memref<bf16x{shape}x?>"), &view).map(|(_, reason)| reason)
        };
        assert_eq!(member("100x100"), Some(AccessReason::Batch));
        assert_eq!(member("24x24"), Some(AccessReason::Type));
        // Of 50 columns, four in a row, the last row holds two.
        assert_eq!(member("50x50"), None);
        assert_eq!(member("100x25"), None);
    }
}
