//! Every function of the headers with bad arguments: with all of them NULL or 0, and with one at a time that is
//! NULL, the handle of something else, an extreme number or no enumerator. None may crash, and what the
//! interface forbids must be refused.
//!
//! The functions are called by name and with integer arguments, as the x86-64 calling convention allows; the
//! types in the headers say what a good argument is. Whoever adds a function has nothing to add here.
#![cfg(target_arch = "x86_64")]

mod arguments;

use super::declarations::{Item, of_the_headers};
use super::in_own_process;
use arguments::{Fixture, Kind};
use libloading::Library;
use std::path::Path;
use std::process::Command;
use tiletc::status::Status;

/// A function of the headers.
struct Function {
    name: String,
    returned: String,
    /// The types of the parameters that are passed as integers, which is all but floating-point numbers.
    parameters: Vec<String>,
}

fn functions() -> Vec<Function> {
    let functions = of_the_headers().into_iter().filter_map(|item| match item {
        Item::Function(name, ty) => {
            let (returned, parameters) = ty.strip_suffix(')').unwrap().split_once('(').unwrap();
            let parameters = parameters.split(", ").filter(|ty| !["void", "float", "double"].contains(ty));
            let parameters = parameters.map(str::to_owned).collect();
            Some(Function { name, returned: returned.to_owned(), parameters })
        }
        _ => None,
    });
    functions.collect()
}

impl Function {
    fn returns_a_status(&self) -> bool {
        self.returned == "tiletc_status_t"
    }

    /// Calls the function; the result if it is a status.
    fn call(&self, library: &Library, arguments: &[usize]) -> Option<Status> {
        const MOST: usize = 16;
        type Any = unsafe extern "C" fn(
            usize,
            usize,
            usize,
            usize,
            usize,
            usize,
            usize,
            usize,
            usize,
            usize,
            usize,
            usize,
            usize,
            usize,
            usize,
            usize,
        ) -> i32;
        let mut a = [0; MOST];
        a[..arguments.len()].copy_from_slice(arguments);
        let function = unsafe { library.get::<Any>(self.name.as_bytes()) }.unwrap();
        let result = unsafe {
            function(
                a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13],
                a[14], a[15],
            )
        };
        self.returns_a_status().then(|| Status::from_code(result).expect("a status"))
    }
}

/// Tells which arguments may be NULL, by function and number among those that are no floating-point numbers.
fn may_be_null(function: &Function, index: usize) -> bool {
    let ty = function.parameters[index].as_str();
    let location = ty == "const tiletc_location_t *";
    // A private context.
    let private = function.name.starts_with("tiletc_parse_") && ty == "tiletc_compiler_context_t";
    let attribute = function.name.ends_with("_set_attr") || function.name.ends_with("_set_parameter_attr");
    location
        || private
        || (attribute && ty == "tiletc_attr_t")
        || matches!(
            (function.name.as_str(), index),
            ("tiletc_for_inst_create", 3)
                | ("tiletc_bench", 1 | 2)
                | ("tiletc_compiler_context_set_cache", 1)
                | ("tiletc_compiler_context_set_error_reporter" | "tiletc_set_log_callback", 1 | 2)
                | ("tiletc_recipe_handler_create_with_callbacks", 3)
                | ("tiletc_run_function_pass", 2)
                // Memory arguments are the driver's to refuse.
                | ("tiletc_recipe_small_gemm_batched_set_args", 5 | 7 | 11)
                | ("tiletc_recipe_tall_and_skinny_set_args", 5 | 8 | 13)
        )
}

#[test]
fn nothing_at_all_is_refused() {
    let Some((_, errors)) = in_own_process("boundary::nothing_at_all_is_refused", "") else {
        let library = unsafe { Library::new(crate::symbols::library("so")) }.unwrap();
        for function in functions() {
            eprintln!("{}", function.name);
            let status = function.call(&library, &[]);
            let fine = match function.name.as_str() {
                // 0 is the empty list of entries.
                "tiletc_dictionary_attr_sort" => Status::Success,
                // 0 is no log.
                "tiletc_set_log_callback" => Status::Success,
                _ => Status::InvalidArguments,
            };
            assert!(status.is_none_or(|status| status == fine), "{}: {status:?}", function.name);
        }
        return;
    };
    assert!(errors.lines().count() > 250, "{errors}");
}

#[test]
fn one_bad_argument_at_a_time_is_refused() {
    let Some((_, errors)) = in_own_process("boundary::one_bad_argument_at_a_time_is_refused", "") else {
        let library = unsafe { Library::new(crate::symbols::library("so")) }.unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::env::set_current_dir(&folder).unwrap();
        let fixture = Fixture::new(&library);
        for function in functions() {
            for (index, ty) in function.parameters.iter().enumerate() {
                let kind = Kind::of(ty);
                for bad in kind.bad_values(&fixture, ty) {
                    let good = |ty: &String| Kind::of(ty).good_value(&fixture, ty);
                    let mut arguments: Vec<usize> = function.parameters.iter().map(good).collect();
                    arguments[index] = bad;
                    eprintln!("{} with {bad:#x} for {ty} ({index})", function.name);
                    let status = function.call(&library, &arguments);
                    let refused = status.is_none_or(|status| status != Status::Success);
                    let null_is_fine = bad == 0 && may_be_null(&function, index);
                    let must_refuse = kind.is_refused(bad) && !null_is_fine;
                    assert!(refused || !must_refuse, "{} took {bad:#x} for {ty} ({index})", function.name);
                }
            }
        }
        return;
    };
    assert!(errors.lines().count() > 1500, "{errors}");
}

#[test]
fn no_panic_leaves_a_call() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("panics");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--lib", "--package", "tiletc", "--features", "panic-on-purpose"]);
    cargo.arg("--manifest-path").arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"));
    cargo.arg("--target-dir").arg(&folder).env_remove("CARGO_TARGET_DIR");
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let library = unsafe { Library::new(folder.join("debug").join("libtiletc.so")) }.unwrap();
    for function in functions() {
        let status = function.call(&library, &[]);
        assert!(status.is_none_or(|status| status == Status::InternalCompilerError), "{}", function.name);
    }
}
