//! Many programs on many threads: with a context for each, with one that goes from thread to thread, and with
//! one for all. `tests/cpp/threads.cpp` does the same with the library as users get it, and under valgrind.

use super::*;
use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use tiletc::ffi::binary::*;
use tiletc::ffi::compile::*;

const PROGRAMS: usize = 1000;
const THREADS: usize = 8;

/// A context that several threads use, as C programs may.
#[derive(Clone, Copy)]
struct Shared(tiletc_compiler_context_t);

// SAFETY: `docs/src/calling.md` allows it.
unsafe impl Send for Shared {}
// SAFETY: likewise.
unsafe impl Sync for Shared {}

/// Programs that take little time: 1000 of them are compiled without optimisation here.
fn texts() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/filetests/kernels");
    let mut texts: Vec<String> = ["gemm_nn", "gemv", "sum", "hadamard", "axpby", "cumsum", "foreach"]
        .iter()
        .map(|name| std::fs::read_to_string(format!("{folder}/{name}.ir")).unwrap())
        .collect();
    texts.extend([KERNEL.to_owned(), "func @f(%a: nonsense) {\n}\n".to_owned()]);
    texts
}

impl Shared {
    fn get(self) -> tiletc_compiler_context_t {
        self.0
    }
}

/// The status of parsing and compiling, and the bytes.
fn compile(text: &str, context: tiletc_compiler_context_t, device: tiletc_core_info_t) -> (i32, Vec<u8>) {
    let (mut program, mut binary, mut format, mut size, mut data) =
        (null_mut(), null_mut(), 0, 0, std::ptr::null());
    unsafe {
        let parsed =
            tiletc_parse_string(&raw mut program, text.len(), text.as_ptr().cast::<c_char>(), context);
        if parsed != Status::Success.code() {
            return (parsed, Vec::new());
        }
        let compiled = tiletc_prog_compile_to_spirv_and_assemble(&raw mut binary, program, device);
        ok(tiletc_prog_release(program));
        if compiled != Status::Success.code() {
            return (compiled, Vec::new());
        }
        ok(tiletc_binary_get_raw(binary, &raw mut format, &raw mut size, &raw mut data));
        let bytes = std::slice::from_raw_parts(data, size).to_vec();
        ok(tiletc_binary_release(binary));
        (compiled, bytes)
    }
}

/// Results of the texts on one thread.
fn alone(texts: &[String]) -> Vec<(i32, Vec<u8>)> {
    let results = texts.iter().map(|text| {
        let (context, device) = (new_context(), device("pvc"));
        let result = compile(text, context, device);
        unsafe {
            ok(tiletc_core_info_release(device));
            ok(tiletc_compiler_context_release(context));
        }
        result
    });
    let results: Vec<_> = results.collect();
    assert_eq!(results.iter().filter(|(status, _)| *status != Status::Success.code()).count(), 1);
    results
}

/// Compiles as many texts as that, each with what `context` gives for it, on all threads at once.
fn compile_many(number: usize, context: impl Fn() -> Shared + Sync, after: impl Fn(Shared) + Sync) {
    let texts = texts();
    let expected = alone(&texts);
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                let device = device("pvc");
                loop {
                    let program = next.fetch_add(1, Ordering::Relaxed);
                    if program >= number {
                        break;
                    }
                    let (context, kind) = (context(), program % texts.len());
                    assert_eq!(
                        compile(&texts[kind], context.get(), device),
                        expected[kind],
                        "{}",
                        texts[kind]
                    );
                    after(context);
                }
                ok(unsafe { tiletc_core_info_release(device) });
            });
        }
    });
}

#[test]
fn each_program_may_have_its_own_context() {
    let release = |context: Shared| ok(unsafe { tiletc_compiler_context_release(context.get()) });
    compile_many(PROGRAMS, || Shared(new_context()), release);
}

#[test]
fn all_threads_may_use_one_context() {
    let context = Shared(new_context());
    compile_many(PROGRAMS / 4, || context, |_| {});
    ok(unsafe { tiletc_compiler_context_release(context.get()) });
}

#[test]
fn a_context_may_go_from_thread_to_thread() {
    let texts = texts();
    let expected = alone(&texts);
    let context = Shared(new_context());
    for (text, expected) in texts.iter().zip(&expected) {
        let work = move || {
            let device = device("pvc");
            let result = compile(text, context.get(), device);
            ok(unsafe { tiletc_core_info_release(device) });
            result
        };
        let result = thread::scope(|scope| scope.spawn(work).join().unwrap());
        assert_eq!(result, *expected);
    }
    ok(unsafe { tiletc_compiler_context_release(context.get()) });
}

/// Counts what a reporter hears, from whatever thread.
unsafe extern "C" fn count(_: *const c_char, _: *const tiletc_location_t, heard: *mut c_void) {
    // SAFETY: the test passes a counter that outlives the context.
    unsafe { &*heard.cast_const().cast::<AtomicUsize>() }.fetch_add(1, Ordering::Relaxed);
}

#[test]
fn references_are_counted_by_all_threads() {
    const ROUNDS: usize = 10_000;
    let heard = AtomicUsize::new(0);
    let context = Shared(new_context());
    let user_data = (&raw const heard).cast_mut().cast();
    ok(unsafe { tiletc_compiler_context_set_error_reporter(context.get(), Some(count), user_data) });
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                for round in 0..ROUNDS {
                    ok(unsafe { tiletc_compiler_context_retain(context.get()) });
                    if round % 100 == 0 {
                        assert_eq!(
                            compile("nonsense", context.get(), null_mut()).0,
                            Status::ParseError.code()
                        );
                    }
                    ok(unsafe { tiletc_compiler_context_release(context.get()) });
                }
            });
        }
    });
    assert_eq!(heard.load(Ordering::Relaxed), THREADS * ROUNDS / 100);
    ok(unsafe { tiletc_compiler_context_release(context.get()) });
}
