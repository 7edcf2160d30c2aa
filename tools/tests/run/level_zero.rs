//! Kernels through Level Zero: virtual-xe's driver in the place of the loader, and what a run without any says.

use crate::devices::{broken, called, fake_level_zero, libraries};
use crate::results::{fused, reference};
use crate::tool::{self, Outcome};
use crate::{FUSED, Skip, TILETC, path, program};
use std::os::unix::fs::symlink;
use std::process::Command;

crate::tests! {
    level_zero_gives_the_same,
    groups_and_numbers_go_through_level_zero,
    work_groups_of_all_directions_go_through_level_zero,
    devices_have_the_numbers_of_the_list,
    devices_that_are_not_there,
    devices_that_are_no_gpus,
    kernels_that_fail,
}

/// The driver, which Cargo puts beside the programs of the tests.
const DRIVER: &str = "libvirtual_xe_level_zero.so";

/// Runs the tool with the driver as the loader, with these devices.
fn on(devices: &str, arguments: &[&str]) -> Result<Outcome, Skip> {
    let tests = std::env::current_exe().unwrap();
    let driver = tests.with_file_name(DRIVER);
    if !driver.exists() {
        return Err(Skip(format!("{DRIVER} has not been built")));
    }
    let folder = libraries(&format!("level-zero-{:?}", std::thread::current().id()));
    symlink(driver, folder.join("libze_loader.so.1")).unwrap();
    let mut command = Command::new(TILETC);
    command.args(arguments).current_dir(tool::folder());
    command.env("LD_LIBRARY_PATH", folder).env("VIRTUAL_XE_DEVICE", devices);
    Ok(tool::outcome(&mut command, ""))
}

fn level_zero_gives_the_same() -> Result<(), Skip> {
    let bytes: Vec<u8> = reference().iter().flat_map(|number| number.to_le_bytes()).collect();
    let found = on("pvc", &[&["run"], &fused("level_zero", "Q=level-zero.npy")[..]].concat())?.succeeded();
    let virtual_pvc = crate::run(&fused("virtual:pvc", "Q=virtual-pvc.npy")).succeeded();
    assert_eq!(found.text(), virtual_pvc.text());
    let file = std::fs::read(path("level-zero.npy")).unwrap();
    assert!(file.ends_with(&bytes));
    assert_eq!(file, std::fs::read(path("virtual-pvc.npy")).unwrap());
    Ok(())
}

/// Pointers in memory, and arguments of every size.
fn groups_and_numbers_go_through_level_zero() -> Result<(), Skip> {
    let text = "
        func @f(%a: i8, %b: f16, %c: f32, %d: f64, %z: c64, %G: group<memref<f32x16>x?, offset: ?>,
                %R: memref<f64x5>) {
            %g = group_id.x : index
            %m = load %G[%g] : memref<f32x16>
            %from = constant 0 : index
            %to = constant 16 : index
            foreach (%i)=(%from),(%to) {
                %x = load %m[%i] : f32
                %y = mul %x, %c : f32
                store %y, %m[%i]
            }
            %0 = cast %a : f64
            %1 = cast %b : f64
            %2 = re %z : f64
            %3 = im %z : f64
            %i0 = constant 0 : index
            %i1 = constant 1 : index
            %i2 = constant 2 : index
            %i3 = constant 3 : index
            %i4 = constant 4 : index
            store %0, %R[%i0]
            store %1, %R[%i1]
            store %d, %R[%i2]
            store %2, %R[%i3]
            store %3, %R[%i4]
        }";
    let program = program("level-zero-groups.ir", text);
    let values = ["-3", "0.5", "2", "2.25", "1.5-2i", "iota:16x3,offset=0", "zeros"];
    let values = values.iter().flat_map(|value| ["--arg", *value]);
    let run = |device| -> Vec<&str> {
        ["run", program, "--groups", "3", "--device", device].into_iter().chain(values.clone()).collect()
    };
    let expected = tool::run(TILETC, &run("virtual:pvc"), "").succeeded();
    assert!(expected.text().contains("-3.0  0.5 2.25  1.5 -2.0"), "{}", expected.text());
    assert_eq!(on("pvc", &run("level_zero"))?.succeeded().text(), expected.text());
    Ok(())
}

fn work_groups_of_all_directions_go_through_level_zero() -> Result<(), Skip> {
    let text = "
        func @f(%A: memref<i64x2x3x4>) {
            %x = group_id.x : index
            %y = group_id.y : index
            %z = group_id.z : index
            %xy = add %x, %y : index
            %n = add %xy, %z : index
            %i = cast %n : i64
            store %i, %A[%x,%y,%z]
        }";
    let program = program("level-zero-directions.ir", text);
    let run = |device, groups| ["run", program, "--device", device, "--groups", groups, "--arg", "zeros"];
    let expected = tool::run(TILETC, &run("virtual:pvc", "2,3,4"), "").succeeded();
    assert_eq!(on("pvc", &run("level_zero", "2,3,4"))?.succeeded().text(), expected.text());
    let nothing = on("pvc", &run("level_zero", "2,0,4"))?.succeeded();
    assert!(nothing.text().contains("unchanged"), "{}", nothing.text());
    Ok(())
}

/// Checks that what is compiled follows from the device: Xe-LP has no double precision.
fn devices_have_the_numbers_of_the_list() -> Result<(), Skip> {
    let listed = on("tgl,bmg", &["info"])?.succeeded();
    let listed: Vec<&str> = listed.text().lines().filter(|line| line.starts_with("level_zero:")).collect();
    assert!(listed[0].starts_with("level_zero:0  ") && listed[1].starts_with("level_zero:1  "), "{listed:?}");
    let text = "func @f(%x: f64, %A: memref<f64>) { store %x, %A[] }";
    let program = program("level-zero-double.ir", text);
    let run = |device| ["run", program, "--device", device, "--arg", "2.5", "--arg", "zeros"];
    for device in ["level_zero", "level_zero:0"] {
        on("tgl,bmg", &run(device))?.failed(1, &["float64"]);
    }
    let found = on("tgl,bmg", &run("level_zero:1"))?.succeeded();
    assert!(found.text().contains("2.5"), "{}", found.text());
    on("tgl,bmg", &run("level_zero:2"))?
        .failed(2, &["there is no Level Zero device of this number", "Error (2): "]);
    Ok(())
}

fn devices_that_are_not_there() -> Result<(), Skip> {
    let without = |device| {
        let mut command = Command::new(TILETC);
        command.args(["run", FUSED, "--device", device]).env("LD_LIBRARY_PATH", broken("no-level-zero"));
        tool::outcome(&mut command, "")
    };
    without("level_zero").failed(1, &["Level Zero is not available", "Error (18): "]);
    without("level_zero:1").failed(1, &["Level Zero is not available", "Error (18): "]);
    // A loader that cannot start.
    on("i486", &["run", FUSED, "--device", "level_zero"])?
        .failed(1, &["i486", "zeInit failed: ZE_RESULT_ERROR_UNINITIALIZED", "Error (18): "]);
    Ok(())
}

/// The fake driver says of its device no more than that it is one.
fn devices_that_are_no_gpus() -> Result<(), Skip> {
    let folder = fake_level_zero("no-gpu")?;
    let run = |device| called("tiletc", &["run", FUSED, "--device", device], &folder);
    run("level_zero").failed(1, &["no Level Zero GPU", "Error (18): "]);
    // By its number it is taken at its word.
    run("level_zero:0").failed(2, &["need a value"]);
    Ok(())
}

/// Checks that the driver tells what a failed kernel did.
fn kernels_that_fail() -> Result<(), Skip> {
    let text = "
        func @behind(%A: memref<f32x4>, %i: index) {
            %x = constant 1.0 : f32
            store %x, %A[%i]
        }";
    let program = program("level-zero-behind.ir", text);
    on(
        "pvc",
        &[
            "run",
            program,
            "--device",
            "level_zero",
            "--arg",
            "zeros",
            "--arg",
            "4096",
            "--save",
            "A=behind.npy",
        ],
    )?
    .failed(
        1,
        &[
            "level-zero-behind.ir:4.13: access out of bounds: %A, OpStore in behind",
            "ZE_RESULT_ERROR_DEVICE_LOST",
            "Error (18): ",
        ],
    );
    assert!(!path("behind.npy").exists());
    Ok(())
}
