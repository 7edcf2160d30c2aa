//! Block messages: rows, and 2D blocks at and beyond the edges of a matrix.

use super::lanes;
use crate::selftest::case::{Buffer, Case, Evidence};
use crate::selftest::element::{Element, integers};
use tiletc::device::CoreInfo;

/// Size of the matrix whose edges are met.
const ROWS: usize = 40;
const COLUMNS: usize = 24;
/// Columns behind it, which must stay as they are.
const BEHIND: usize = 16;

/// Places of blocks: inside, and beyond each of the edges.
const PLACES: [(i64, i64); 6] = [(0, 0), (8, 5), (32, 4), (4, 19), (36, 21), (40, 24)];

/// A matrix of 32-bit numbers, and a block of it.
#[derive(Clone, Copy)]
struct Block {
    lanes: usize,
    element: Element,
    rows: usize,
    columns: usize,
    place: (i64, i64),
}

impl Block {
    /// Place in memory of an entry of the block, or with `transposed` of its mirror image; none beyond the matrix.
    fn address(&self, row: usize, column: usize, transposed: bool) -> Option<usize> {
        let (row, column) = if transposed { (column, row) } else { (row, column) };
        let (x, y) = self.place;
        let row = usize::try_from(x).ok()? + row;
        let column = usize::try_from(y).ok()? + column;
        (row < ROWS && column < COLUMNS).then_some(row + column * ROWS)
    }

    fn text(&self, source: &str, target: &str, body: &str) -> String {
        let (lanes, ty) = (self.lanes, self.element.spelling());
        let (x, y) = self.place;
        format!(
            "func @main(%A: memref<{ty}x{source}>, %B: memref<{ty}x{target}>)
          attributes{{subgroup_size={lanes}, work_group_size=[{lanes},1]}} {{
    parallel {{
        %x = constant {x} : index
        %y = constant {y} : index
        {body}
    }}
}}
"
        )
    }

    fn type_of(&self) -> String {
        format!("coopmatrix<{}x{}x{},matrix_acc>", self.element.spelling(), self.rows, self.columns)
    }

    fn name(&self) -> String {
        let (x, y) = self.place;
        format!("{} {}x{} at ({x}, {y})", self.element.spelling(), self.rows, self.columns)
    }

    /// Loads the block, with zeros for what is beyond the matrix, and stores it elsewhere entry by entry.
    fn load(self, transposed: bool, evidence: &'static str) -> Case {
        let Block { rows, columns, element, .. } = self;
        let source = integers(ROWS * COLUMNS, 100, 4);
        let entry = |number: usize| {
            let address = self.address(number % rows, number / rows, transposed)?;
            source.get(address).copied()
        };
        let result: Vec<f64> = (0..rows * columns).map(|number| entry(number).unwrap_or(0.0)).collect();
        let (ty, letter) = (self.type_of(), if transposed { "t" } else { "n" });
        let body = format!(
            "%a = cooperative_matrix_load.{letter}.both_checked %A[%x,%y] : {ty}
        cooperative_matrix_atomic_store.device %a, %B[0,0]"
        );
        // Numbers behind the matrix show what is read beyond the edge.
        let mut memory = source.clone();
        memory.extend(vec![77.0; BEHIND * ROWS]);
        Case {
            name: self.name(),
            text: self.text(&format!("{ROWS}x{COLUMNS}"), &format!("{rows}x{columns}"), &body),
            groups: [1; 3],
            arguments: vec![
                Buffer::input(element, &memory).into(),
                Buffer::output(element, &vec![-1.0; rows * columns], &result).into(),
            ],
            evidence: Evidence::Instruction(evidence),
        }
    }

    /// Loads a block entry by entry, and stores what of it is within the matrix.
    fn store(self) -> Case {
        let Block { rows, columns, element, .. } = self;
        let source = integers(rows * columns, 100, 5);
        let before = vec![-1.0; ROWS * (COLUMNS + BEHIND)];
        let mut after = before.clone();
        for (number, &value) in source.iter().enumerate() {
            let address = self.address(number % rows, number / rows, false);
            if let Some(place) = address.and_then(|address| after.get_mut(address)) {
                *place = value;
            }
        }
        let body = format!(
            "%a = cooperative_matrix_atomic_load.device %A[0,0] : {}
        cooperative_matrix_store.both_checked %a, %B[%x,%y]",
            self.type_of()
        );
        Case {
            name: self.name(),
            text: self.text(&format!("{rows}x{columns}"), &format!("{ROWS}x{COLUMNS}"), &body),
            groups: [1; 3],
            arguments: vec![
                Buffer::input(element, &source).into(),
                Buffer::output(element, &before, &after).into(),
            ],
            evidence: Evidence::Instruction("OpSubgroup2DBlockStoreINTEL"),
        }
    }
}

/// Blocks of some shapes at all places.
fn blocks(info: &CoreInfo, shapes: &[(usize, usize)]) -> Vec<Block> {
    let lanes = lanes(info);
    let mut blocks = Vec::new();
    for element in [Element::F32, Element::I32] {
        for &(times, columns) in shapes {
            for place in PLACES {
                blocks.push(Block { lanes, element, rows: times * lanes, columns, place });
            }
        }
    }
    blocks
}

/// Plain loads.
pub fn loads(info: &CoreInfo) -> Vec<Case> {
    let blocks = blocks(info, &[(1, 4), (1, 16), (2, 8)]);
    blocks.into_iter().map(|block| block.load(false, "OpSubgroup2DBlockLoadINTEL")).collect()
}

/// Loads that transpose.
pub fn transposes(info: &CoreInfo) -> Vec<Case> {
    let blocks = blocks(info, &[(1, 8), (1, 16)]);
    blocks.into_iter().map(|block| block.load(true, "OpSubgroup2DBlockLoadTransposeINTEL")).collect()
}

/// Stores.
pub fn stores(info: &CoreInfo) -> Vec<Case> {
    blocks(info, &[(1, 4), (1, 16)]).into_iter().map(Block::store).collect()
}

/// Block loads and stores of rows.
pub fn rows(info: &CoreInfo) -> Vec<Case> {
    let lanes = lanes(info);
    let mut cases = Vec::new();
    for element in [Element::I32, Element::F32, Element::I64, Element::F64] {
        let has = element != Element::F64 || info.have(tiletc::device::SpirvFeature::Float64);
        for (times, columns) in [(1, 1), (1, 4), (2, 2)].into_iter().filter(|_| has) {
            for x in [0, 16] {
                let (rows, all) = (times * lanes, 64);
                let ty = element.spelling();
                let source = integers(all * columns, 100, 6);
                let within = |number: usize| (x..x + rows).contains(&(number % all));
                let numbers = source.iter().enumerate();
                let after: Vec<f64> =
                    numbers.map(|(number, &value)| if within(number) { value } else { -1.0 }).collect();
                let memory = format!("memref<{ty}x{all}x{columns}>");
                let text = format!(
                    "func @main(%A: {memory}, %B: {memory})
          attributes{{subgroup_size={lanes}, work_group_size=[{lanes},1], io_class=\"block_1d\"}} {{
    parallel {{
        %a = cooperative_matrix_load %A[{x},0] : coopmatrix<{ty}x{rows}x{columns},matrix_acc>
        cooperative_matrix_store %a, %B[{x},0]
    }}
}}
"
                );
                cases.push(Case {
                    name: format!("{ty} {rows}x{columns} from row {x}"),
                    text,
                    groups: [1; 3],
                    arguments: vec![
                        Buffer::input(element, &source).into(),
                        Buffer::output(element, &vec![-1.0; all * columns], &after).into(),
                    ],
                    evidence: Evidence::Instruction("OpSubgroupBlockReadINTEL"),
                });
            }
        }
    }
    cases
}
