//! Copies of programs: every program of the examples and the filetests prints and compiles like its copy.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::path::{Path, PathBuf};
use tiletc::device::CoreInfo;
use tiletc::diagnostics::Sources;
use tiletc::driver::{self, Options};
use tiletc::ir::{Ir, Program};

/// All programs below a folder.
fn programs(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            programs(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "ir") {
            found.push(path);
        }
    }
}

/// The program of a text, if it is one.
fn parse(ir: &mut Ir, text: &[u8]) -> Option<Program> {
    let source = Sources::new().add("test", text);
    driver::parse(ir, source, text).ok()
}

#[test]
fn a_copy_is_equal_and_independent() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["cpp-examples", "tests/filetests"] {
        programs(&root.join(folder), &mut files);
    }
    let (info, options) = (CoreInfo::from_name("pvc").unwrap(), Options::default());
    let (mut parsed, mut compiled) = (0, 0);
    for file in files {
        let text = std::fs::read(&file).unwrap();
        let mut ir = Ir::default();
        let Some(program) = parse(&mut ir, &text) else { continue };
        parsed += 1;
        let (printed, count) = (driver::print(&ir, &program), ir.entity_count());
        let copy = ir.copy(&program);
        assert_eq!(ir.entity_count(), 2 * count, "{}", file.display());
        assert_eq!(driver::print(&ir, &copy), printed);
        for (&original, &copied) in program.functions.iter().zip(&copy.functions) {
            assert_ne!(original, copied);
            assert_eq!(ir[original].location, ir[copied].location);
        }
        ir.remove(&copy);
        assert_eq!(ir.entity_count(), count);

        // The copy that is compiled leaves nothing behind and its original as it was.
        let of_copy =
            driver::compile_copy(&mut ir, &program, &info, &options, &mut driver::Instrumentation::default());
        // A pass that gives up may leave instructions to nobody.
        assert!(of_copy.is_err() || ir.entity_count() == count, "{}", file.display());
        assert_eq!(driver::print(&ir, &program), printed);
        let of_original = driver::compile(&mut ir, &program, &info, &options);
        match (of_copy, of_original) {
            (Ok(copy), Ok(original)) => {
                assert!(copy.assemble() == original.assemble(), "{}", file.display());
                compiled += 1;
            }
            (Err(copy), Err(original)) => {
                assert_eq!(copy.to_string(), original.to_string());
                assert_eq!(copy.diagnostics(), original.diagnostics());
            }
            (copy, original) => assert_eq!(copy.is_ok(), original.is_ok(), "{}", file.display()),
        }
    }
    assert!(parsed > 100 && compiled > 50, "{parsed} parsed, {compiled} compiled");
}

#[test]
fn a_copy_lives_on_without_its_original() {
    let text = "func @f(%A: memref<f32x8> {alignment=64}, %n: index) attributes{subgroup_size=16} {
    parallel {
        %0 = subgroup_linear_id : i32
        %i = cast %0 : index
        %less = less_than %i, %n : bool
        if %less {
            %a = load %A[%i] : f32
        }
    }
}
func @g() {
}
";
    let mut ir = Ir::default();
    let program = parse(&mut ir, text.as_bytes()).unwrap();
    let (printed, count) = (driver::print(&ir, &program), ir.entity_count());
    let copy = ir.copy(&program);
    // An entity of the original would be dangling from now on, and using it would panic.
    ir.remove(&program);
    assert_eq!(ir.entity_count(), count);
    assert_eq!(driver::print(&ir, &copy), printed);
    let info = CoreInfo::from_name("pvc").unwrap();
    driver::run_pass("check-ir", &mut ir, &copy, None, &Options::default()).unwrap();
    driver::compile(&mut ir, &copy, &info, &Options::default()).unwrap();
    ir.remove(&copy);
    assert_eq!(ir.entity_count(), 0);
}
