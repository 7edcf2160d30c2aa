//! Tables of what tuning has found: what a table says of a function is what it is compiled with.

use super::*;
use std::collections::BTreeMap;
use std::ptr::null;
use tiletc::device::CoreInfo;
use tiletc::diagnostics::{Location, SourceId};
use tiletc::driver::{self, Instrumentation, Options};
use tiletc::ffi::compile::*;
use tiletc::ffi::last_error::tiletc_get_error_message;
use tiletc::ffi::spv_mod::*;
use tiletc::ffi::tuning::*;
use tiletc::ir::{FunctionAttributes, Ir, Scalar, SubgroupSize, Transpose, WorkGroupSize};
use tiletc::recipe::{Batched, SmallGemmBatched};
use tiletc::tuning::{Config, Entry, Figure, Table};

/// Makes one product for this test alone.
const TEXT: &str = "func @tuned(%A: memref<f32x48x7>, %B: memref<f32x7x5>, %C: memref<f32x48x5>) {
    gemm.n.n 1.0, %A, %B, 0.0, %C
}";

/// A table that names a size for the function on pvc.
fn table(text: &str, subgroup_size: i32) -> Table {
    let mut ir = Ir::default();
    let program = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).unwrap();
    let pvc = CoreInfo::from_name("pvc").unwrap();
    let key = driver::tuning_key(&ir, program.functions[0], &pvc, &Options::default());
    let config = Config::of(&FunctionAttributes {
        subgroup_size: Some(SubgroupSize(subgroup_size)),
        work_group_size: Some(WorkGroupSize([subgroup_size, 3])),
        ..FunctionAttributes::default()
    });
    let (function, definitions) = ("tuned".to_owned(), BTreeMap::new());
    let (launch, figure) = (String::new(), Figure::Estimated { cycles: 1.0 });
    let mut table = Table::default();
    table.insert(Entry { key, function, definitions, launch, config, figure });
    table
}

/// The module of a text on a device.
fn module(text: &str, name: &str) -> String {
    let (context, info) = (new_context(), device(name));
    let program = parse(text, context);
    let (mut module, mut assembly) = (null_mut(), null_mut());
    unsafe {
        ok(tiletc_prog_compile_to_spirv(&raw mut module, program, info));
        ok(tiletc_spv_mod_print_to_string(module, &raw mut assembly));
        ok(tiletc_spv_mod_release(module));
        ok(tiletc_prog_release(program));
        ok(tiletc_core_info_release(info));
        ok(tiletc_compiler_context_release(context));
    }
    take_string(assembly)
}

fn load(text: &str) -> tiletc_status_t {
    unsafe { tiletc_tuning_load_from_memory(text.len(), text.as_ptr().cast()) }
}

#[test]
fn functions_are_compiled_as_a_table_says() {
    let Some((log, _)) =
        in_own_process_with("tuning::functions_are_compiled_as_a_table_says", "", &[("TILETC_LOG", "warn")])
    else {
        let size = |text: &str, device: &str| {
            let module = module(text, device);
            module.lines().find(|line| line.contains("LocalSize")).unwrap().trim().to_owned()
        };
        let [before, elsewhere] = [size(TEXT, "pvc"), size(TEXT, "bmg")];
        ok(load(&table(TEXT, 32).text()));
        assert!(size(TEXT, "pvc").ends_with("LocalSize 32 3 1"), "{before}");
        assert_ne!(size(TEXT, "pvc"), before);
        assert_eq!(size(TEXT, "bmg"), elsewhere);
        // Another function, and one that says what it wants.
        assert_eq!(size(&TEXT.replace("48x5", "48x5,strided<1,48>"), "pvc"), size(TEXT, "pvc"));
        assert!(!size(&TEXT.replace("x48", "x40"), "pvc").ends_with("32 3 1"));
        let own = TEXT.replace(") {", ") attributes{subgroup_size=16, work_group_size=[16,1]} {");
        assert!(size(&own, "pvc").ends_with("LocalSize 16 1 1"));
        // The device has no such subgroups.
        ok(load(&table(&TEXT.replace("tuned", "wide"), 64).text()));
        assert!(!module(&TEXT.replace("tuned", "wide"), "pvc").contains("LocalSize 64"));
        println!("done");
        return;
    };
    assert!(log.contains("done"), "{log}");
}

#[test]
fn a_file_is_read_unless_tuning_is_off() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tuning.json");
    table(TEXT, 32).save(&path).unwrap();
    let test = "tuning::a_file_is_read_unless_tuning_is_off";
    let run = |variables: &[(&str, &str)]| in_own_process_with(test, path.to_str().unwrap(), variables);
    let Some((loaded, _)) = run(&[]) else {
        let mut path = String::new();
        std::io::stdin().read_line(&mut path).unwrap();
        if !path.is_empty() && std::env::var_os("TILETC_TUNING_TABLE").is_none() {
            let path = c(path.trim());
            ok(unsafe { tiletc_tuning_load(path.as_ptr()) });
        }
        println!("tuned: {}", module(TEXT, "pvc").contains("LocalSize 32 3 1"));
        return;
    };
    assert!(loaded.contains("tuned: true"), "{loaded}");
    let (off, _) = run(&[("TILETC_TUNE", "off")]).unwrap();
    assert!(off.contains("tuned: false"), "{off}");
    let named = [("TILETC_TUNING_TABLE", path.to_str().unwrap())];
    let (of_environment, _) = run(&named).unwrap();
    assert!(of_environment.contains("tuned: true"), "{of_environment}");
    let missing = [("TILETC_TUNING_TABLE", "no such file"), ("TILETC_LOG", "warn")];
    let (without, log) = run(&missing).unwrap();
    assert!(without.contains("tuned: false"), "{without}");
    assert!(log.contains("TILETC_TUNING_TABLE: cannot read `no such file`"), "{log}");
}

/// The kernel for β = 0 of small products of squares in f32, and the config that the table has for it, of the first size that has one.
fn shipped(path: &str, pvc: &CoreInfo) -> Option<(SmallGemmBatched, Config)> {
    let shipped = Table::read(std::path::Path::new(path)).unwrap();
    (2..=64).find_map(|size| {
        let dense = Batched { leading: size, stride: size * size };
        let (m, n, k) = (size, size, size);
        let (transpose_a, transpose_b) = (Transpose::N, Transpose::N);
        let (a, b, c, per_group, side_by_side) = (dense, dense, dense, 1, 1);
        let number = Scalar::F32;
        let shape =
            SmallGemmBatched { number, transpose_a, transpose_b, m, n, k, a, b, c, per_group, side_by_side };
        let shape = shape.sharing(pvc);
        let mut ir = Ir::default();
        let program = shape.program(&mut ir, Location::default()).unwrap();
        let key = driver::tuning_key(&ir, program.functions[1], pvc, &Options::default());
        let config = shipped.best(&key).map(|entry| entry.config.clone()).filter(|config| !config.is_empty());
        Some((shape, config?))
    })
}

#[test]
fn recipes_are_compiled_as_the_shipped_table_says() {
    let test = "tuning::recipes_are_compiled_as_the_shipped_table_says";
    let Some((said, _)) = in_own_process_with(test, "", &[]) else {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tuning/recipes.json");
        let pvc = CoreInfo::from_name("pvc").unwrap();
        let (shape, config) = shipped(path, &pvc).unwrap();
        let compiled = || {
            let mut ir = Ir::default();
            let program = shape.program(&mut ir, Location::default()).unwrap();
            let mut instrumentation = Instrumentation::none();
            let options = Options { remarks: true, ..Options::default() };
            driver::compile_instrumented(&mut ir, &program, &pvc, &options, &mut instrumentation).unwrap();
            let tuned = instrumentation.explanations[1].tuned.clone();
            (ir[program.functions[1]].attributes.clone(), tuned)
        };
        let (before, tuned) = compiled();
        assert_eq!(tuned, None);
        let path = c(path);
        ok(unsafe { tiletc_tuning_load(path.as_ptr()) });
        let (after, tuned) = compiled();
        assert_eq!(tuned.as_deref(), Some("estimated"));
        assert_ne!(before, after);
        let mut completed = after.clone();
        config.complete(&mut completed);
        assert_eq!(completed, after, "{config}");
        println!("done");
        return;
    };
    assert!(said.contains("done"), "{said}");
}

#[test]
fn what_is_no_table_is_refused() {
    let message = |status: Status| {
        let text = unsafe { CStr::from_ptr(tiletc_get_error_message(status.code())) };
        text.to_str().unwrap().to_owned()
    };
    refused(load("garbage"));
    assert!(message(Status::InvalidArguments).starts_with("no tuning table: "));
    refused(load("{\"format\": 7, \"entries\": []}"));
    assert!(message(Status::InvalidArguments).contains("of format 7"));
    unsafe {
        refused(tiletc_tuning_load(null()));
        refused(tiletc_tuning_load_from_memory(1, null()));
        refused(tiletc_tuning_load_from_memory(0, null()));
        expect(tiletc_tuning_load(c"no such file".as_ptr()), Status::FileIoError);
    }
    assert!(message(Status::FileIoError).starts_with("cannot read `no such file`: "));
}
