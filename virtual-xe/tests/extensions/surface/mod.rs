//! SPV_INTEL_2d_block_io: what each lane gets, clipping at the edges, and the rules of the hardware.

mod access;

pub use access::{Block, ROOM, Surface, module};

use crate::upload;
use access::{expected, run};
use virtual_xe::{Argument, Memory};

/// The devices that have the accesses.
const DEVICES: [&str; 5] = ["pvc", "bmg", "lnl", "ptl", "generic"];
const ACTIONS: [&str; 5] = ["Load", "LoadTransform", "LoadTranspose", "Prefetch", "Store"];

fn check(action: &str, block: Block, surface: Surface, at: (i32, i32)) {
    for device in DEVICES {
        check_on(device, action, block, surface, at);
    }
}

fn check_on(device: &str, action: &str, block: Block, surface: Surface, at: (i32, i32)) {
    let (matrix, own, reports) = run(device, action, 16, block, surface, at);
    assert_eq!(reports, Vec::<String>::new(), "{action} {block:?} at {at:?} on {device}");
    let wanted = if action == "Prefetch" {
        expected("Store", 16, Block { count: 0, ..block }, surface, at)
    } else {
        expected(action, 16, block, surface, at)
    };
    assert_eq!((matrix, own), wanted, "{action} {block:?} at {at:?} on {device}");
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

#[test]
fn devices_without_the_accesses_refuse_them() {
    for action in ACTIONS {
        let block = if action == "LoadTranspose" { block(4, 8, 16, 1) } else { block(2, 16, 8, 1) };
        for lanes in [8, 16] {
            for device in ["dg2", "tgl"] {
                assert_eq!(
                    module(action, lanes, block).refusal(device).map(|error| error.to_string()),
                    Some(format!("device {device} does not support capability Subgroup2DBlockIOINTEL")),
                    "{action}"
                );
            }
        }
        for device in DEVICES {
            assert!(module(action, 16, block).refusal(device).is_none(), "{action} on {device}");
        }
    }
}
