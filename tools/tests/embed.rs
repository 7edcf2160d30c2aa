//! `tiletc embed`: the header that it writes, and every way to get it wrong. The C++ tests compile and run such headers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "common/tool.rs"]
mod tool;

use tool::{folder, run};

const TILETC: &str = env!("CARGO_BIN_EXE_tiletc");

/// A file in the folder of the suite; returns its name.
fn file(name: &'static str, text: &str) -> &'static str {
    std::fs::write(folder().join(name), text).unwrap();
    name
}

const COPY: &str = "func @copy(%A: memref<f32x$n x?>, %0: memref<f32x$n x?>, %for: group<memref<i8x?x?>x?>) {
    %column = group_id.x
    %from = subview %A[0:$n,%column]
    %to = subview %0[0:$n,%column]
    axpby 1.0, %from, 0.0, %to
}
";

/// The header that a call writes.
fn header(name: &str, arguments: &[&str]) -> String {
    let path = folder().join(name);
    let _ = std::fs::remove_file(&path);
    let arguments = [&["embed"], arguments, &["-o", name]].concat();
    run(TILETC, &arguments, "").succeeded();
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn functions_have_the_types_of_the_kernels() {
    let name = file("copy.ir", COPY);
    let text = header("copy.hpp", &[name, "-D", "n=4"]);
    for words in [
        "#ifndef TILETC_KERNELS_EMBEDDED_COPY_",
        "namespace kernels {",
        "/// copy(%A: memref<f32x4x?>, %0: memref<f32x4x?>, %for: group<memref<i8x?x?>x?>)\n///\n/// Work-groups: [%1[1]]\n",
        "inline auto copy(sycl::queue const &q, float const *A, std::int64_t A_size1, float *arg1, std::int64_t arg1_size1, \
         std::int8_t const *const *for_, std::int64_t const *for__size0, std::int64_t const *for__size1, \
         std::int64_t const *for__stride1, std::int64_t for__members,\n    \
         std::vector<sycl::event> const &dep_events = {}) -> sycl::event {",
        "sycl::range<3u>{1, 1, tiletc::internal::grid_size(arg1_size1)}, dep_events, A, A_size1, arg1,",
    ] {
        assert!(text.contains(words), "{words}\nis not in\n{text}");
    }
    assert!(!text.contains("binary0"), "nothing is compiled without a device");
}

#[test]
fn headers_of_one_namespace_are_kept_apart() {
    let name = file("embed_apart.ir", COPY);
    let own = |definition| {
        let text = header("apart.hpp", &[name, "-D", definition]);
        let (_, own) = text.split_once("namespace kernels {\ninline namespace of_").unwrap();
        let (own, _) = own.split_once(" {\n").unwrap();
        let guard = format!("#define TILETC_KERNELS_EMBEDDED_APART_{}\n", own.to_uppercase());
        assert!(own.len() == 32 && text.contains(&guard), "{guard} is not in\n{text}");
        own.to_owned()
    };
    assert_eq!(own("n=4"), own("n=4"));
    assert_ne!(own("n=4"), own("n=8"));
}

#[test]
fn what_is_embedded_is_what_is_asked_for() {
    let name = file("embed_devices.ir", COPY);
    let text = header(
        "devices.hpp",
        &[name, "-D", "n=4", "-d", "pvc", "-d", "bmg", "--namespace", "a::b", "--report", "report.txt"],
    );
    assert!(
        text.contains("namespace a::b {") && text.contains("#ifndef TILETC_A_B_EMBEDDED_DEVICES"),
        "{text}"
    );
    for words in [
        "{\"pvc\", tiletc::bundle_format::spirv, 0, sizeof(binary0_0)",
        "{\"bmg\", ",
        "binary0_1[] = {3,2,35,7,",
    ] {
        assert!(text.contains(words), "{words}\nis not in\n{text}");
    }
    let report = std::fs::read_to_string(folder().join("report.txt")).unwrap();
    assert!(report.contains("@copy on pvc") && report.contains("@copy on bmg"), "{report}");
    let text = header("devices.hpp", &[name, "-D", "n=4", "-d", "pvc", "--embed", "text"]);
    assert!(!text.contains("binary0"), "{text}");
}

#[test]
fn promises_are_looked_at_in_each_launch() {
    let promise = file("embed_promise.ir", "func @f(%A: memref<f32x8> {alignment=64}) {\n}\n");
    let text = header("promise.hpp", &[promise]);
    let call = "return embedded_promise::program0().launch(q, 0, sycl::range<3u>{1, 1, 1}, dep_events, A);";
    assert!(text.contains(call), "{text}");
}

#[test]
fn several_programs_share_a_header() {
    let first = file("embed_first.ir", COPY);
    let second = file("embed_second.ir", "func @free(%n: memref<f32x$n>) { %g = num_groups.x }\n");
    let text = header("several.hpp", &[first, second, "-D", "n=4"]);
    assert!(text.contains("program1().launch(q, 0, num_groups, dep_events, n);"), "{text}");
    assert!(text.contains(
        "inline auto free(sycl::queue const &q, sycl::range<3u> const &num_groups, float const *n,"
    ));
}

#[test]
fn mistakes_are_explained_and_nothing_is_written() {
    let name = file("embed_mistakes.ir", COPY);
    let wrong = file("embed_wrong.ir", "func @f(%A: memref<f32x4>) {\n    store 1.0, %B[0]\n}\n");
    let large = file("embed_large.ir", "func @f() attributes{subgroup_size=8} {\n}\n");
    let path = folder().join("nothing.hpp");
    let _ = std::fs::remove_file(&path);
    for (arguments, code, words) in [
        (&[name, "-D", "n=4", "--embed", "spirv"][..], 2, "give it by -d DEVICE"),
        (&[name, "-D", "n=4", "--namespace", "a::class"], 2, "`a::class` is no name of a namespace"),
        (&[name, "-D", "n=4", "--namespace", ""], 2, "is no name of a namespace"),
        (&[name, "-D", "n=4", "-d", "i486"], 2, "unknown device `i486`"),
        (&["-D", "n=4"], 2, "give at least one"),
        (&[name, name, "-D", "n=4"], 1, "has a kernel copy, as another file does"),
        (&[name], 1, "n"),
        (&[wrong], 1, "embed_wrong.ir:2."),
        (&[large, "-d", "pvc"], 1, "subgroup"),
        (&["nowhere.ir"], 1, "cannot read `nowhere.ir`"),
    ] {
        let arguments = [&["embed"], arguments, &["-o", "nothing.hpp"]].concat();
        run(TILETC, &arguments, "").failed(code, &[words]);
        assert!(!path.exists(), "{arguments:?} wrote a header");
    }
    let arguments = ["embed", name, "-D", "n=4", "-o", "/dev/null/header.hpp"];
    run(TILETC, &arguments, "").failed(1, &["cannot write `/dev/null/header.hpp`"]);
}
