//! Tuners: programs try configs, tell what came of them, and get the best.

use super::*;
use std::ptr::null;
use std::time::Instant;
use tiletc::ffi::last_error::tiletc_get_error_message;
use tiletc::ffi::tuner::*;
use tiletc::tuning::Table;

const TEXT: &str = "$N = 8
func @product(%A: memref<f32x8x8>, %C: memref<f32x8x8>, %n: i32) {
    %step = constant $N : index
    gemm.n.n 1.0, %A, %A, 0.0, %C
}";

/// A tuner of the text for pvc.
fn tuner(text: &str, kernel: Option<&str>) -> Result<tiletc_tuner_t, String> {
    let (info, kernel) = (device("pvc"), kernel.map(c));
    let name = kernel.as_ref().map_or(null(), |name| name.as_ptr());
    let mut tuner = null_mut();
    let status = unsafe {
        let status = tiletc_tuner_create(&raw mut tuner, text.len(), text.as_ptr().cast(), name, info);
        ok(tiletc_core_info_release(info));
        status
    };
    if status == Status::Success.code() { Ok(tuner) } else { Err(message(status)) }
}

fn message(status: tiletc_status_t) -> String {
    let text = unsafe { CStr::from_ptr(tiletc_get_error_message(status)) };
    text.to_str().unwrap().to_owned()
}

fn add(tuner: tiletc_tuner_t, config: &[(&str, &str)]) -> tiletc_status_t {
    let [names, values] =
        [config.iter().map(|it| c(it.0)).collect::<Vec<_>>(), config.iter().map(|it| c(it.1)).collect()];
    let pointers = |texts: &[CString]| texts.iter().map(|text| text.as_ptr()).collect::<Vec<_>>();
    let (names, values) = (pointers(&names), pointers(&values));
    unsafe { tiletc_tuner_add_config(tuner, config.len(), names.as_ptr(), values.as_ptr()) }
}

/// Number of the case, its configs, and those that wait.
fn find(tuner: tiletc_tuner_t, n: i32) -> Result<[usize; 3], tiletc_status_t> {
    let memory = [0f32; 64];
    let pointer = tiletc_kernel_arg_t { kind: 5, size: 8, value: memory.as_ptr().cast() };
    let number = tiletc_kernel_arg_t { kind: 1, size: 4, value: (&raw const n).cast() };
    let args = [pointer, pointer, number];
    let [mut case, mut configs, mut waiting] = [7; 3];
    let status = unsafe {
        tiletc_tuner_find_case(&raw mut case, &raw mut configs, &raw mut waiting, tuner, 3, args.as_ptr())
    };
    if status == Status::Success.code() { Ok([case, configs, waiting]) } else { Err(status) }
}

/// The text of a program, which is given back.
fn text_of(program: tiletc_prog_t) -> String {
    let mut text = null_mut();
    unsafe {
        ok(tiletc_prog_print_to_string(program, &raw mut text));
        ok(tiletc_prog_release(program));
    }
    take_string(text)
}

fn config(tuner: tiletc_tuner_t, case: usize, config: usize) -> Option<String> {
    let mut program = null_mut();
    ok(unsafe { tiletc_tuner_get_config(&raw mut program, tuner, case, config) });
    (!program.is_null()).then(|| text_of(program))
}

fn best(tuner: tiletc_tuner_t, case: usize) -> String {
    let mut program = null_mut();
    ok(unsafe { tiletc_tuner_finish(&raw mut program, tuner, case, null()) });
    text_of(program)
}

fn compare(tuner: tiletc_tuner_t, config: usize, content: &[f32], tolerance: f64) -> bool {
    let mut agrees = 7;
    let size = size_of_val(content);
    ok(unsafe {
        tiletc_tuner_compare(&raw mut agrees, tuner, 0, config, 1, size, content.as_ptr().cast(), tolerance)
    });
    agrees == 1
}

#[test]
fn what_is_tried_once_is_known_from_then_on() {
    let test = "tuner::what_is_tried_once_is_known_from_then_on";
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("tuning.json");
    let run = |mode| {
        let variables = [("TILETC_TUNE", mode), ("TILETC_TUNING_TABLE", table.to_str().unwrap())];
        in_own_process_with(test, "", &variables)
    };
    let Some((looked_up, _)) = run("lookup") else {
        let start = Instant::now();
        let tuner = tuner(TEXT, None).unwrap();
        for [n, size] in [["8", "16"], ["8", "32"], ["16", "16"]] {
            ok(add(tuner, &[("$N", n), ("subgroup_size", size)]));
        }
        let key = [c("n")];
        ok(unsafe { tiletc_tuner_set_key(tuner, 1, [key[0].as_ptr()].as_ptr()) });
        let found = find(tuner, 4).unwrap();
        let best_text = best(tuner, 0);
        println!("milliseconds: {}", 1e3 * start.elapsed().as_secs_f64());
        println!("case: {found:?}, best: {}", best_text.contains("subgroup_size=32"));
        if found[2] == 0 {
            return;
        }
        let mut written = [7; 3];
        for (arg, bytes) in (0..).zip(&mut written) {
            ok(unsafe { tiletc_tuner_get_written_size(bytes, tuner, 0, arg) });
        }
        assert_eq!(written, [0, 256, 0]);
        assert_eq!(find(tuner, 4), Ok(found));
        assert_eq!(find(tuner, 5).unwrap()[0], 1);
        for (number, size) in [(0, "16"), (1, "32"), (2, "16")] {
            assert!(config(tuner, 0, number).unwrap().contains(&format!("subgroup_size={size}")));
        }
        // Results of other arguments are not what is expected of these.
        assert!(compare(tuner, 0, &[9.0; 64], 0.0));
        assert_eq!(find(tuner, 4), Ok(found));
        assert!(compare(tuner, 0, &[1.0; 64], 0.0));
        assert!(compare(tuner, 1, &[1.25; 64], 0.25));
        assert!(!compare(tuner, 2, &[1.25; 64], 0.0));
        let on = c("a device");
        for (number, time) in [(0, 2e-3), (1, 1e-3)] {
            ok(unsafe { tiletc_tuner_record(tuner, 0, number, time, time, time, on.as_ptr()) });
        }
        assert!((0..3).all(|number| config(tuner, 0, number).is_none()));
        assert!(best(tuner, 0).contains("subgroup_size=32"));
        let mut report = null_mut();
        ok(unsafe { tiletc_tuner_report(&raw mut report, tuner, 0) });
        let report = take_string(report);
        let lines: Vec<&str> = report.lines().collect();
        assert_eq!(lines[0], "%n=4 N=8 subgroup_size=32: 1000.00 µs");
        assert!(
            lines[2].contains("wrong result: number 0 of argument 1 is 1.25, with the first config 1.0"),
            "{report}"
        );
        ok(unsafe { tiletc_tuner_release(tuner) });
        return;
    };
    assert!(looked_up.contains("case: [0, 3, 0], best: false"), "{looked_up}");
    let (tuned, _) = run("on").unwrap();
    assert!(tuned.contains("case: [0, 3, 3], best: false"), "{tuned}");
    assert_eq!(Table::read(&table).unwrap().entries().len(), 3);
    // Who only reads a table leaves it alone.
    let changed = || std::fs::metadata(&table).unwrap().modified().unwrap();
    let before = changed();
    for mode in ["on", "lookup"] {
        let (again, _) = run(mode).unwrap();
        assert!(again.contains("case: [0, 3, 0], best: true"), "{mode}: {again}");
    }
    assert_eq!(changed(), before);
    // Others run beside this test; one of several times is not disturbed.
    let start_of_another = || -> f64 {
        let (text, _) = run("on").unwrap();
        let time = text.lines().find_map(|line| line.strip_prefix("milliseconds: ")).unwrap();
        time.parse().unwrap()
    };
    let least = (0..5).map(|_| start_of_another()).fold(f64::INFINITY, f64::min);
    assert!(least < 5.0, "it takes {least} ms until the best config is known");
    let (off, _) = run("off").unwrap();
    assert!(off.contains("case: [0, 3, 0], best: false"), "{off}");
}

#[test]
fn mistakes_of_callers_are_named() {
    let missing = tuner(TEXT, Some("f")).unwrap_err();
    assert_eq!(missing, "the program has no kernel f; it has product");
    let report = tuner("func", None).unwrap_err();
    assert!(report.starts_with("<memory>:1.") && report.contains("\nfunc\n"), "{report}");
    let tuner = tuner(TEXT, Some("product")).unwrap();
    let mut name = null();
    ok(unsafe { tiletc_tuner_get_kernel_name(&raw mut name, tuner) });
    assert_eq!(unsafe { CStr::from_ptr(name) }, c"product");
    let invalid = Status::InvalidArguments;
    expect(add(tuner, &[("width", "8")]), invalid);
    assert!(message(invalid.code()).contains("width"));
    let key = [c("C")];
    expect(unsafe { tiletc_tuner_set_key(tuner, 1, [key[0].as_ptr()].as_ptr()) }, invalid);
    let [case, configs, waiting] = find(tuner, 1).unwrap();
    assert!(case == 0 && configs > 3 && waiting == 0);
    let mut places = [0; 3];
    let [first, second, third] = &mut places;
    expect(
        unsafe { tiletc_tuner_find_case(first, second, third, tuner, 0, null()) },
        Status::InvalidKernelArguments,
    );
    let (mut program, mut agrees, mut size) = (null_mut(), 0, 0);
    let on = c("a device");
    let range = Status::OutOfRange;
    unsafe {
        expect(tiletc_tuner_get_config(&raw mut program, tuner, 0, configs), range);
        expect(tiletc_tuner_finish(&raw mut program, tuner, 1, null()), range);
        expect(tiletc_tuner_get_written_size(&raw mut size, tuner, 0, 3), range);
        expect(tiletc_tuner_compare(&raw mut agrees, tuner, 0, 0, 0, 0, null(), 0.0), range);
        for tolerance in [-1e-6, f64::NAN, f64::INFINITY] {
            expect(tiletc_tuner_compare(&raw mut agrees, tuner, 0, 0, 0, 0, null(), tolerance), invalid);
        }
        expect(tiletc_tuner_fail(tuner, 0, configs, on.as_ptr()), range);
        expect(tiletc_tuner_record(tuner, 0, 0, 0.0, 1.0, 1.0, on.as_ptr()), invalid);
        expect(tiletc_tuner_record(tuner, 0, 0, 1.0, 1.0, f64::INFINITY, on.as_ptr()), invalid);
        expect(tiletc_tuner_record(tuner, 0, 0, 1.0, 1.5, 0.5, on.as_ptr()), invalid);
        ok(tiletc_tuner_retain(tuner));
        ok(tiletc_tuner_release(tuner));
        ok(tiletc_tuner_release(tuner));
        refused(tiletc_tuner_release(tuner));
    }
}
