//! Tests of the reports of virtual devices.

use crate::{Skip, path, program, run, summary};

crate::tests! {
    accesses_out_of_bounds_are_reported,
    members_of_groups_are_named,
    local_memory_has_bounds,
    races_are_reported,
    reads_of_what_nobody_wrote_are_reported,
    checks_can_be_chosen,
    endless_loops_are_ended,
    launches_that_take_too_long_are_ended,
    nothing_is_kept_of_a_run_with_a_report,
}

const BEHIND: &str = "func @behind(%A: memref<f32x16x?>, %n: index) {
    %two = constant 2.0 : f32
    %zero = constant 0.0 : f32
    %a = subview %A[0:16,%n] : memref<f32x16>
    axpby.n %two, %a, %zero, %a
}";

fn accesses_out_of_bounds_are_reported() -> Result<(), Skip> {
    let name = program("behind.ir", BEHIND);
    run(&[name, "--arg", "iota:16x2", "--arg", "1"]).succeeded();
    // What is read and written there is one finding: the place in the text, the tensor and its subscript.
    let words = [
        "behind.ir:5.5: error: access out of bounds: %A[0,2] of f32x16x2\n",
        "    kernel behind, instruction ",
        ": OpLoad %",
        "    work-group (0,0,0), subgroup 0, lane 0; found 32 times\n",
        "    4 bytes at 0x",
        ", 0 bytes behind the allocation of 128 bytes at 0x",
        ", %A\n",
        "Error (4): ",
    ];
    run(&[name, "--arg", "iota:16x2", "--arg", "2"]).failed(1, &words);
    run(&[name, "--arg", "iota:16x2", "--arg", "-1"])
        .failed(1, &["%A[0,-1] of f32x16x2", "64 bytes before the allocation of 128 bytes"]);
    // The second work-group alone is wrong.
    let text = BEHIND.replace("%two =", "%g = group_id.x : index %m = add %g, %n : index %two =");
    let name = program("behind-1.ir", &text.replace("16,%n]", "16,%m]"));
    run(&[name, "--groups", "2", "--arg", "iota:16x2", "--arg", "1"]).failed(1, &["work-group (1,0,0)"]);
    Ok(())
}

fn endless_loops_are_ended() -> Result<(), Skip> {
    let text = "func @f(%A: memref<i32x4x?>, %n: index) {
        %0 = constant 0 : index
        %1 = constant 1 : index
        for %i=%0,%n {
            %a = load %A[%0,%0] : i32
            %b = add %a, %a : i32
            store %b, %A[%1,%0]
        }
    }";
    let name = program("endless.ir", text);
    let arguments = [name, "--arg", "zeros:4x1", "--arg", "9223372036854775806"];
    let words = [
        "error: more instructions executed than allowed; the loop may be endless",
        "268435456",
        "--budget N",
    ];
    run(&arguments).failed(1, &words);
    run(&[&arguments[..], &["--budget", "1000"]].concat()).failed(1, &["may execute 1000 instructions"]);
    run(&[name, "--arg", "zeros:4x1", "--arg", "100", "--budget", "100000"]).succeeded();
    Ok(())
}

fn launches_that_take_too_long_are_ended() -> Result<(), Skip> {
    let name = program("groups.ir", "func @f(%a: i32) { }");
    let arguments = [name, "--arg", "1", "--groups", "4294967295"];
    let words = [
        "error: more instructions executed by all work-groups than allowed; ",
        " of 4294967295 are done\n    kernel f\n",
        "    all work-groups together may execute 1000000 instructions; --launch-budget N allows another number\n",
        "Error (4): ",
    ];
    run(&[&arguments[..], &["--launch-budget", "1000000"]].concat()).failed(1, &words);
    run(&[name, "--arg", "1", "--groups", "1000", "--launch-budget", "1000000"]).succeeded();
    Ok(())
}

fn members_of_groups_are_named() -> Result<(), Skip> {
    let text = "func @f(%A: group<memref<f32x4>x3>, %i: index, %j: index) {
        %a = load %A[%i] : memref<f32x4>
        %x = constant 1.0 : f32
        store %x, %a[%j]
    }";
    let name = program("members.ir", text);
    run(&[name, "--arg", "zeros", "--arg", "2", "--arg", "3"]).succeeded();
    run(&[name, "--arg", "zeros", "--arg", "2", "--arg", "4"])
        .failed(1, &["members.ir:4.9: error: access out of bounds: member 2 of %A[4] of f32x4\n", "OpStore"]);
    run(&[name, "--arg", "zeros", "--arg", "3", "--arg", "0"])
        .failed(1, &["members.ir:2.14: error: access out of bounds: the pointers of %A\n", "OpLoad"]);
    Ok(())
}

fn local_memory_has_bounds() -> Result<(), Skip> {
    let text = "func @f(%j: index, %A: memref<f32>) {
        %s = alloca : memref<f32x4,local>
        %x = constant 1.0 : f32
        store %x, %s[%j]
        %y = load %s[%j] : f32
        store %y, %A[]
    }";
    let name = program("local.ir", text);
    run(&[name, "--arg", "3", "--arg", "zeros"]).succeeded();
    let words = [
        "local.ir:4.9: error: access out of the bounds of local memory: %s\n",
        "OpStore",
        "local.ir:5.14: error: access out of the bounds of local memory: %s\n",
        "OpLoad",
    ];
    run(&[name, "--arg", "1000", "--arg", "zeros"]).failed(1, &words);
    Ok(())
}

fn checks_can_be_chosen() -> Result<(), Skip> {
    let name = program("chosen.ir", BEHIND);
    let with = |checks: &str| run(&[name, "--arg", "iota:16x2", "--arg", "2", "--check", checks]);
    for checks in ["bounds", "races,bounds", "all"] {
        with(checks).failed(1, &["access out of bounds", "Error (4): "]);
    }
    for checks in ["none", "races", "races,init"] {
        with(checks).succeeded();
    }
    Ok(())
}

fn nothing_is_kept_of_a_run_with_a_report() -> Result<(), Skip> {
    let name = program("kept.ir", BEHIND);
    let _ = std::fs::remove_file(path("kept.npy"));
    let arguments = ["--arg", "iota:16x2", "--save", "A=kept.npy", "--arg"];
    run(&[&[name], &arguments[..], &["2"]].concat()).failed(1, &["access out of bounds"]);
    assert!(!path("kept.npy").exists());
    let outcome = run(&[&[name], &arguments[..], &["1"]].concat()).succeeded();
    assert!(path("kept.npy").exists() && summary(&outcome, "A").contains("changed"));
    Ok(())
}

fn races_are_reported() -> Result<(), Skip> {
    // Every work-item of the only work-group adds to the same number.
    let text = "func @f(%A: memref<i32>) attributes{subgroup_size=16, work_group_size=[32,1]} {
        parallel {
            %one = constant 1 : i32
            %old = load %A[] : i32
            %new = add %old, %one : i32
            store %new, %A[]
        }
    }";
    let name = program("race.ir", text);
    let words =
        ["data race between work-items of a work-group", "kernel f, instruction ", ", %A\n", "Error (4): "];
    run(&[name, "--arg", "zeros"]).failed(1, &words);
    for checks in ["none", "bounds,init"] {
        run(&[name, "--arg", "zeros", "--check", checks]).succeeded();
    }
    Ok(())
}

fn reads_of_what_nobody_wrote_are_reported() -> Result<(), Skip> {
    let text = "func @f(%A: memref<f32>) {
        %i = constant 1 : index
        %s = alloca : memref<f32x4,local>
        %x = load %s[%i] : f32
        store %x, %A[]
    }";
    let name = program("init.ir", text);
    let words = ["read of memory that nobody has written", "OpLoad", "Error (4): "];
    run(&[name, "--arg", "zeros"]).failed(1, &words);
    for checks in ["none", "bounds,races"] {
        run(&[name, "--arg", "zeros", "--check", checks]).succeeded();
    }
    Ok(())
}
