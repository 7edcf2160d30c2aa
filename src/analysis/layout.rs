//! The entries of a cooperative matrix that a work-item holds (lowering reference 4.1).

use crate::ir::{Coopmatrix, MatrixUse};

/// The distribution of a matrix over a subgroup. All numbers count rows, columns or components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Number of columns.
    pub cols: i64,
    /// Rows that a stripe of work-items covers.
    pub stripe_rows: i64,
    /// Columns that a stripe of work-items covers.
    pub stripe_cols: i64,
    /// Columns including padding.
    padded_cols: i64,
    /// Stripes one below the other.
    row_blocks: i64,
    /// Row blocks whose components lie next to each other.
    interleaved: i64,
    /// Distance of the rows of neighbouring work-items: 1, or the number of interleaved row blocks.
    lane_rows: i64,
    /// Components of a work-item.
    length: usize,
}

/// A component of a work-item's part of the matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Number of the stripe, from the top.
    pub row_block: i64,
    /// Number of the stripe, from the left.
    pub col_block: i64,
}

impl Layout {
    /// The most components a work-item can hold; far more than there are registers for.
    pub const MAX_COMPONENTS: i64 = 4096;

    /// The layout of a matrix for a subgroup size; `None` if a work-item would hold more than
    /// [`Layout::MAX_COMPONENTS`].
    pub fn new(matrix: Coopmatrix, subgroup_size: i64) -> Option<Layout> {
        let packed = matrix.usage == MatrixUse::B && matrix.component.bytes() == 1;
        let layout = Layout::stripes(matrix, subgroup_size)?;
        Some(if packed && layout.row_blocks > 1 { Layout { interleaved: 2, ..layout } } else { layout })
    }

    /// The layout of a matrix of which every work-item holds so many rows that follow each other, as the second
    /// factor of a matrix engine (lowering reference 4.3); `None` if the rows do not divide so, or as for
    /// [`Layout::new`].
    pub fn with_adjacent_rows(matrix: Coopmatrix, subgroup_size: i64, rows: i64) -> Option<Layout> {
        let layout = Layout::stripes(matrix, subgroup_size)?;
        let divides = rows > 0 && layout.stripe_rows == subgroup_size && layout.row_blocks % rows == 0;
        divides.then_some(Layout { interleaved: rows, lane_rows: rows, ..layout })
    }

    /// The layout of a matrix whose work-items cover at most so many rows side by side, as the second factor of a matrix
    /// engine that takes fewer rows than there are work-items (lowering reference 4.3); `None` as for [`Layout::new`].
    pub fn with_stripes(matrix: Coopmatrix, subgroup_size: i64, rows: i64) -> Option<Layout> {
        Layout::stripes_of(matrix, subgroup_size, rows.min(subgroup_size))
    }

    fn stripes(matrix: Coopmatrix, subgroup_size: i64) -> Option<Layout> {
        Layout::stripes_of(matrix, subgroup_size, subgroup_size)
    }

    fn stripes_of(matrix: Coopmatrix, subgroup_size: i64, most_rows: i64) -> Option<Layout> {
        let stripe_rows = matrix.rows.min(most_rows).max(1);
        let stripe_cols = (subgroup_size / stripe_rows).max(1);
        let row_blocks = (matrix.rows / stripe_rows).max(1);
        let padded_cols = matrix.cols.checked_add(stripe_cols - 1)? / stripe_cols * stripe_cols;
        let components = (padded_cols / stripe_cols).checked_mul(row_blocks)?;
        let length = usize::try_from(components).ok()?;
        (components <= Layout::MAX_COMPONENTS).then_some(Layout {
            cols: matrix.cols,
            stripe_rows,
            stripe_cols,
            padded_cols,
            row_blocks,
            interleaved: 1,
            lane_rows: 1,
            length,
        })
    }

    fn col_blocks(&self) -> i64 {
        self.padded_cols / self.stripe_cols
    }

    /// Components of a work-item.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The places of the components, in order.
    pub fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let layout = *self;
        (0..layout.row_blocks / layout.interleaved).flat_map(move |outer| {
            (0..layout.col_blocks()).flat_map(move |col_block| {
                (0..layout.interleaved)
                    .map(move |inner| Place { row_block: inner + outer * layout.interleaved, col_block })
            })
        })
    }

    /// Distance of the rows of neighbouring work-items in a stripe.
    pub fn lane_rows(&self) -> i64 {
        self.lane_rows
    }

    /// The row of the first work-item at a place.
    pub fn first_row(&self, place: Place) -> i64 {
        let (outer, inner) = (place.row_block / self.interleaved, place.row_block % self.interleaved);
        if self.lane_rows == 1 {
            place.row_block * self.stripe_rows
        } else {
            inner + outer * self.interleaved * self.stripe_rows
        }
    }

    /// The first column of the stripe at a place.
    pub fn first_col(&self, place: Place) -> i64 {
        place.col_block * self.stripe_cols
    }

    /// The row and the column of a work-item's entry at a place.
    pub fn entry(&self, place: Place, lane: i64) -> (i64, i64) {
        let (row, col) = (lane % self.stripe_rows, lane / self.stripe_rows);
        (self.first_row(place) + row * self.lane_rows, self.first_col(place) + col)
    }

    /// True if some work-items hold padding at a place.
    pub fn has_padding(&self, place: Place) -> bool {
        (place.col_block + 1) * self.stripe_cols > self.cols
    }

    /// True if some work-items hold padding somewhere.
    pub fn is_padded(&self) -> bool {
        self.padded_cols > self.cols
    }

    /// The number of the component at a place.
    pub fn component_at(&self, place: Place) -> usize {
        self.find(self.first_row(place), place.col_block * self.stripe_cols).1
    }

    /// The work-item that holds an entry, and the number of the component. An entry that the matrix does not have
    /// is in a component that it does not have either.
    pub fn find(&self, row: i64, col: i64) -> (i64, usize) {
        let (col_block, lane_col) = (col / self.stripe_cols, col % self.stripe_cols);
        let group = self.interleaved * self.stripe_rows;
        let (outer, row) = (row / group, row % group);
        let (inner, lane_row) = if self.lane_rows == 1 {
            (row / self.stripe_rows, row % self.stripe_rows)
        } else {
            (row % self.interleaved, row / self.interleaved)
        };
        let component = inner + self.interleaved * (col_block + outer * self.col_blocks());
        (lane_row + lane_col * self.stripe_rows, usize::try_from(component).unwrap_or(usize::MAX))
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::expect_used)]
mod tests {
    use super::*;
    use crate::ir::Scalar;

    fn layout(component: Scalar, rows: i64, cols: i64, usage: MatrixUse) -> Layout {
        Layout::new(Coopmatrix { component, rows, cols, usage }, 16).expect("a small matrix")
    }

    #[test]
    fn samples_of_the_specification() {
        let small = layout(Scalar::F32, 4, 6, MatrixUse::Acc);
        assert_eq!(small.length(), 2);
        assert_eq!(small.find(1, 2), (9, 0));
        assert!(!small.has_padding(Place { row_block: 0, col_block: 0 }));
        assert!(small.has_padding(Place { row_block: 0, col_block: 1 }));
        let tall = layout(Scalar::F32, 32, 8, MatrixUse::Acc);
        assert_eq!(tall.length(), 16);
        assert_eq!(tall.find(16, 7), (0, 15));
    }

    #[test]
    fn huge_matrices_have_no_layout() {
        for (rows, cols) in [(1 << 62, 1), (1, i64::MAX), (64, 1_000_000), (1 << 62, i64::MAX)] {
            let matrix = Coopmatrix { component: Scalar::F32, rows, cols, usage: MatrixUse::Acc };
            assert!(Layout::new(matrix, 16).is_none(), "{rows}x{cols}");
        }
    }

    #[test]
    fn work_items_hold_rows_that_follow_each_other() {
        let matrix = Coopmatrix { component: Scalar::I8, rows: 64, cols: 3, usage: MatrixUse::B };
        let layout = Layout::with_adjacent_rows(matrix, 16, 2).expect("a small matrix");
        assert_eq!(layout.find(3, 1), (1, 3));
        let places: Vec<Place> = layout.places().collect();
        for (row, col) in (0..64).flat_map(|row| (0..3).map(move |col| (row, col))) {
            let (lane, component) = layout.find(row, col);
            let place = places[component];
            assert_eq!((layout.first_row(place) + lane * layout.lane_rows(), place.col_block), (row, col));
            assert_eq!(layout.component_at(place), component);
        }
        let odd = Coopmatrix { rows: 16, ..matrix };
        assert!(Layout::with_adjacent_rows(odd, 16, 2).is_none());
    }

    #[test]
    fn every_entry_is_where_it_is_looked_for() {
        for usage in [MatrixUse::A, MatrixUse::B, MatrixUse::Acc] {
            for component in [Scalar::I8, Scalar::F32] {
                for (rows, cols) in [(1, 1), (1, 9), (2, 3), (8, 9), (16, 4), (32, 5), (64, 1), (4, 0)] {
                    let layout = layout(component, rows, cols, usage);
                    let places: Vec<Place> = layout.places().collect();
                    assert_eq!(places.len(), layout.length());
                    for (row, col) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
                        let (lane, component) = layout.find(row, col);
                        let place = places[component];
                        let found_row = lane % layout.stripe_rows + place.row_block * layout.stripe_rows;
                        let found_col = lane / layout.stripe_rows + place.col_block * layout.stripe_cols;
                        assert_eq!((found_row, found_col), (row, col));
                        assert!((0..16).contains(&lane));
                    }
                }
            }
        }
    }
}
