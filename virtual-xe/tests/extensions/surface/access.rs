//! One access around which the lanes' memory is copied, and what the extension says that it does.

use crate::{Module, download, upload};
use virtual_xe::{Argument, Memory};

#[derive(Clone, Copy, Debug)]
pub struct Block {
    pub element: u32,
    pub width: u32,
    pub height: u32,
    pub count: u32,
}

/// Bytes of private memory for the largest block of a lane.
pub const ROOM: usize = 128;

/// Copies private memory of each lane from the second parameter and to it, around one access. Parameters: matrix,
/// lanes' memory, width, height, pitch, column, row.
pub fn module(action: &str, lanes: u32, block: Block) -> Module {
    let Block { element, width, height, count } = block;
    let shape = "%element %width %height %count";
    let surface = "%p0 %p2 %p3 %p4 %at";
    let access = match action {
        "Prefetch" => format!("OpSubgroup2DBlockPrefetchINTEL {shape} {surface}"),
        "Store" => format!("OpSubgroup2DBlockStoreINTEL {shape} %own_c {surface}"),
        _ => format!("OpSubgroup2DBlock{action}INTEL {shape} {surface} %own_c"),
    };
    Module {
        capabilities: vec![
            "Subgroup2DBlockIOINTEL",
            "Subgroup2DBlockTransformINTEL",
            "Subgroup2DBlockTransposeINTEL",
        ],
        extensions: vec!["SPV_INTEL_2d_block_io"],
        subgroup: lanes,
        types: format!(
            "%element = OpConstant %int {element}
%width = OpConstant %int {width}
%height = OpConstant %int {height}
%count = OpConstant %int {count}
%room = OpConstant %int {}
%array = OpTypeArray %long %room
%ptr_own = OpTypePointer Function %array
%ptr_own_char = OpTypePointer Function %char
%ptr_array = OpTypePointer CrossWorkgroup %array",
            ROOM / 8
        ),
        parameters: vec!["ptr_char", "ptr_array", "int", "int", "int", "int", "int"],
        body: format!(
            "%own = OpVariable %ptr_own Function
%own_c = OpBitcast %ptr_own_char %own
%here = OpPtrAccessChain %ptr_array %p1 %lane
OpCopyMemory %own %here
%at = OpCompositeConstruct %int2 %p5 %p6
{access}
OpCopyMemory %here %own"
        ),
        ..Module::default()
    }
}

/// A matrix in memory.
#[derive(Clone, Copy)]
pub struct Surface {
    pub width: u32,
    pub height: u32,
    pub pitch: u32,
}

/// Runs an access; returns the matrix' bytes, those of the lanes, and what is reported.
pub fn run(
    device: &str,
    action: &str,
    lanes: u32,
    block: Block,
    surface: Surface,
    at: (i32, i32),
) -> (Vec<u8>, Vec<u8>, Vec<String>) {
    let memory = Memory::new();
    let size = (surface.pitch * surface.height) as usize;
    let bytes: Vec<u8> = (0..size).map(|i| (i * 7 + i / 251) as u8 | 1).collect();
    let matrix = upload(&memory, &bytes, u8::to_le_bytes);
    let own: Vec<u8> = (0..lanes as usize * ROOM).map(|i| (i * 13 % 127) as u8 & !1).collect();
    let private = upload(&memory, &own, u8::to_le_bytes);
    let arguments = [
        Argument::address(matrix),
        Argument::address(private),
        surface.width.into(),
        surface.height.into(),
        surface.pitch.into(),
        at.0.into(),
        at.1.into(),
    ];
    let reports = module(action, lanes, block).run_on(device, &memory, &arguments);
    let matrix = download(&memory, matrix, size, u8::from_le_bytes);
    (matrix, download(&memory, private, own.len(), u8::from_le_bytes), reports)
}

/// Result of an access as the extension defines it, from the bytes before.
pub fn expected(
    action: &str,
    lanes: usize,
    block: Block,
    surface: Surface,
    at: (i32, i32),
) -> (Vec<u8>, Vec<u8>) {
    let size = (surface.pitch * surface.height) as usize;
    let mut matrix: Vec<u8> = (0..size).map(|i| (i * 7 + i / 251) as u8 | 1).collect();
    let mut own: Vec<u8> = (0..lanes * ROOM).map(|i| (i * 13 % 127) as u8 & !1).collect();
    let element = block.element as usize;
    let place = |row: usize, column: usize| -> Option<usize> {
        let (x, y) = (i64::from(at.0) + column as i64, i64::from(at.1) + row as i64);
        let inside =
            x >= 0 && y >= 0 && y < surface.height.into() && (x + 1) * element as i64 <= surface.width.into();
        inside.then(|| y as usize * surface.pitch as usize + x as usize * element)
    };
    let read = |matrix: &[u8], row, column| match place(row, column) {
        Some(at) => matrix[at..at + element].to_vec(),
        None => vec![0; element],
    };
    let mut start = 0;
    for copy in 0..block.count as usize {
        let first = copy * block.width as usize;
        // The block as rows of words.
        let (rows, columns, word): (usize, usize, usize) = match action {
            "LoadTransform" => (block.height as usize * element / 4, block.width as usize, 4),
            "LoadTranspose" => (block.width as usize, block.height as usize, element),
            _ => (block.height as usize, block.width as usize, element),
        };
        let mut registers = 0;
        for row in 0..rows {
            for column in 0..columns {
                // Wide rows give neighbours to one lane, narrow ones fill the lanes one after the other.
                let (lane, register) = if columns > lanes {
                    let each = columns / lanes;
                    (column / each, row * each + column % each)
                } else {
                    let at = row * columns + column;
                    (at % lanes, at / lanes)
                };
                registers = registers.max(register + 1);
                let private = lane * ROOM + start + register * word;
                if action == "Store" {
                    if let Some(at) = place(row, first + column) {
                        matrix[at..at + element].copy_from_slice(&own[private..private + element]);
                    }
                    continue;
                }
                let bytes = match action {
                    "LoadTransform" => (0..4 / element)
                        .flat_map(|part| read(&matrix, row * 4 / element + part, first + column))
                        .collect(),
                    "LoadTranspose" => read(&matrix, column, first + row),
                    _ => read(&matrix, row, first + column),
                };
                own[private..private + word].copy_from_slice(&bytes);
            }
        }
        start += registers * word;
    }
    (matrix, own)
}
