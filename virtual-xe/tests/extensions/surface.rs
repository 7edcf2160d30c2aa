//! SPV_INTEL_2d_block_io: what each lane gets, clipping at the edges, and the rules of the hardware.

use crate::{Module, download, upload};
use virtual_xe::{Argument, Memory};

const ACTIONS: [&str; 5] = ["Load", "LoadTransform", "LoadTranspose", "Prefetch", "Store"];

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
fn run(
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

/// What the extension says that an access does, from the bytes before.
fn expected(
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

fn check(action: &str, block: Block, surface: Surface, at: (i32, i32)) {
    let (matrix, own, reports) = run("pvc", action, 16, block, surface, at);
    assert_eq!(reports, Vec::<String>::new(), "{action} {block:?} at {at:?}");
    let wanted = if action == "Prefetch" {
        expected("Store", 16, Block { count: 0, ..block }, surface, at)
    } else {
        expected(action, 16, block, surface, at)
    };
    assert_eq!((matrix, own), wanted, "{action} {block:?} at {at:?}");
}

pub fn block(element: u32, width: u32, height: u32, count: u32) -> Block {
    Block { element, width, height, count }
}

/// 48 words of four bytes in each of 40 rows, with room behind them.
pub const SURFACE: Surface = Surface { width: 192, height: 40, pitch: 208 };

#[test]
fn every_lane_gets_its_share() {
    let loads = [
        block(2, 16, 8, 1),
        block(2, 16, 32, 2),
        block(2, 8, 16, 4),
        block(2, 32, 8, 1),
        block(1, 32, 8, 2),
        block(1, 64, 8, 1),
        block(1, 4, 16, 1),
        block(4, 16, 8, 1),
        block(4, 8, 32, 2),
        block(4, 1, 32, 1),
        block(8, 8, 16, 1),
        block(8, 2, 8, 1),
    ];
    for block in loads {
        check("Load", block, SURFACE, (8, 3));
        check("Prefetch", block, SURFACE, (8, 3));
    }
    for block in [block(2, 16, 16, 2), block(2, 16, 32, 1), block(1, 16, 32, 4), block(2, 8, 4, 4)] {
        check("LoadTransform", block, SURFACE, (8, 3));
    }
    for block in
        [block(4, 8, 16, 1), block(4, 4, 16, 1), block(4, 8, 8, 1), block(4, 8, 32, 1), block(8, 4, 8, 1)]
    {
        check("LoadTranspose", block, SURFACE, (8, 3));
    }
    for block in
        [block(4, 16, 8, 1), block(2, 16, 8, 1), block(2, 32, 4, 1), block(1, 64, 1, 1), block(8, 8, 8, 1)]
    {
        check("Store", block, SURFACE, (8, 3));
    }
}

#[test]
fn blocks_are_clipped_at_all_edges() {
    for at in [(-8, 0), (0, -3), (44, 37), (-8, -5), (400, 0), (0, 400), (-400, 0), (0, i32::MIN)] {
        check("Load", block(4, 16, 8, 1), SURFACE, at);
        check("LoadTransform", block(2, 16, 16, 2), SURFACE, (at.0 * 2, at.1));
        check("LoadTranspose", block(4, 8, 16, 1), SURFACE, at);
        check("Store", block(4, 16, 8, 1), SURFACE, at);
    }
}

#[test]
fn rules_of_the_hardware_are_checked() {
    let good = block(2, 16, 8, 1);
    let reported = |surface: Surface, at: (i32, i32), what: &str| {
        for action in ["Load", "Store", "Prefetch"] {
            let (.., reports) = run("bmg", action, 16, good, surface, at);
            assert_eq!(reports.len(), 1, "{what}: {reports:?}");
            assert!(reports[0].starts_with(what), "{}", reports[0]);
        }
    };
    let surface = |width, pitch| Surface { width, height: 40, pitch };
    reported(surface(60, 64), (0, 0), "width of a 2D block access");
    reported(surface(66, 80), (0, 0), "width of a 2D block access");
    reported(surface(192, 200), (0, 0), "pitch of a 2D block access");
    reported(surface(192, 128), (0, 0), "pitch of a 2D block access");
    reported(SURFACE, (1, 0), "first column of a 2D block access");
    // Xe-HPC takes pitches that Xe2 does not.
    assert!(run("pvc", "Load", 16, good, surface(192, 200), (0, 0)).2.is_empty());

    let memory = Memory::new();
    let bytes = upload(&memory, &[0u8; 8192], u8::to_le_bytes);
    let own = upload(&memory, &[0u8; 16 * ROOM], u8::to_le_bytes);
    let run_at = |address: u64, height: u32| {
        let arguments = [
            Argument::address(address),
            Argument::address(own),
            192u32.into(),
            height.into(),
            208u32.into(),
            0i32.into(),
            0i32.into(),
        ];
        module("Load", 16, good).run(&memory, &arguments)
    };
    assert!(run_at(bytes + 32, 30)[0].starts_with("base address of a 2D block access is no multiple of 64"));
    assert!(run_at(bytes, 0)[0].starts_with("height of a 2D block access"));
    assert!(run_at(bytes, 1 << 25)[0].starts_with("height of a 2D block access"));
    // The matrix is larger than its memory.
    assert!(
        run_at(bytes + 8192 - 256, 30)[0].starts_with("access out of bounds: OpSubgroup2DBlockLoadINTEL")
    );
}

#[test]
fn operands_that_lanes_do_not_share_are_reported() {
    let mut module = module("Load", 16, block(2, 16, 8, 1));
    module.body =
        module.body.replace("OpCompositeConstruct %int2 %p5 %p6", "OpCompositeConstruct %int2 %p5 %lane");
    let memory = Memory::new();
    let matrix = upload(&memory, &[0u8; 8192], u8::to_le_bytes);
    let own = upload(&memory, &[0u8; 16 * ROOM], u8::to_le_bytes);
    let sizes = [192u32, 30, 208, 0, 0].map(Argument::from);
    let arguments: Vec<Argument> = [matrix, own].map(Argument::address).into_iter().chain(sizes).collect();
    let reports = module.run(&memory, &arguments);
    assert!(reports[0].starts_with("operand differs between work-items"), "{reports:?}");
}

#[test]
fn blocks_that_no_device_has_are_refused() {
    let refused = |action: &str, block: Block| {
        let message = module(action, 16, block).refusal("pvc").map(|error| error.to_string());
        let message = message.unwrap_or_else(|| panic!("{action} {block:?} is taken"));
        assert!(message.contains("INTEL in function %k: no device has"), "{message}");
    };
    for action in ACTIONS {
        refused(action, block(2, 12, 8, 1));
        refused(action, block(2, 16, 3, 1));
        refused(action, block(3, 16, 8, 1));
        refused(action, block(4, 32, 8, 1));
        refused(action, block(2, 16, 64, 1));
        refused(action, block(8, 4, 8, 2));
    }
    refused("Store", block(2, 16, 16, 1));
    refused("Store", block(2, 16, 8, 2));
    refused("LoadTranspose", block(2, 16, 16, 1));
    refused("LoadTranspose", block(8, 8, 8, 1));
    refused("LoadTransform", block(4, 16, 16, 1));
    refused("LoadTransform", block(2, 32, 16, 1));
    refused("Load", block(2, 2, 8, 2));
    refused("Load", block(8, 8, 1, 1));
    refused("Load", block(1, 8, 1, 2));
    let refusal = module("Load", 16, block(2, 16, 8, 1)).refusal("tgl").unwrap().to_string();
    assert_eq!(refusal, "device tgl does not support capability Subgroup2DBlockIOINTEL");
}
