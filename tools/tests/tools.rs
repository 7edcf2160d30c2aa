//! The command-line tools: options, exit codes, standard input, names of links.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Command, Stdio};

#[path = "common/tool.rs"]
mod tool;

use tool::{folder, run};

const TILETC: &str = env!("CARGO_BIN_EXE_tiletc");
const TILETC_OPT: &str = env!("CARGO_BIN_EXE_tiletc-opt");
const KERNEL: &str = "func @k(%A: memref<f32x4x4>) {\n    %0 = constant 1.0 : f32\n}\n";
/// First word of every SPIR-V module.
const MAGIC: [u8; 4] = 0x0723_0203_u32.to_ne_bytes();

/// A file in the test's own folder; returns its name.
fn file(name: &'static str, text: &str) -> &'static str {
    std::fs::write(folder().join(name), text).unwrap();
    name
}

/// A link to a tool, in a folder of its own since tests run side by side.
fn link(test: &str, tool: &str, name: &str) -> PathBuf {
    let folder = folder().join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let link = folder.join(name);
    symlink(tool, &link).unwrap();
    link
}

#[test]
fn help_lists_what_there_is() {
    let shared = ["-d", "-O", "-f", "-F", "pvc", "bmg", "unsafe-fp-math", "no-large-register-file"];
    let passes: Vec<&str> = tiletc::passes::Pass::names().collect();
    for (tool, arguments, words) in [
        (TILETC, &["--help"][..], &["-S", "-o", "compile"][..]),
        (TILETC, &["-h"], &["-S", "-o", "compile"]),
        (TILETC, &["compile", "--help"], &["-S", "-o"]),
        (TILETC, &["help", "compile"], &["-S", "-o"]),
        (TILETC, &["-Sh"], &["-S"]),
        (TILETC_OPT, &["--help"], &["-p"]),
        (TILETC_OPT, &["-h"], passes.as_slice()),
    ] {
        let help = run(tool, arguments, "").succeeded();
        for word in shared.iter().chain(words) {
            assert!(help.text().contains(word), "{word} is not in the help of {tool} {arguments:?}");
        }
    }
    for tool in [TILETC, TILETC_OPT] {
        assert!(run(tool, &["--version"], "").succeeded().text().contains(env!("CARGO_PKG_VERSION")));
    }
}

#[test]
fn every_command_takes_the_device_alike() {
    let name = file("device.ir", KERNEL);
    let module = run(TILETC, &["compile", name, "-d", "bmg"], "").succeeded().output;
    for arguments in [&["compile", name, "--device", "bmg"][..], &[name, "--device=bmg"], &["-dbmg", name]] {
        assert_eq!(run(TILETC, arguments, "").succeeded().output, module, "{arguments:?}");
    }
    for option in [&["-d", "virtual:bmg"][..], &["--device", "virtual:bmg"]] {
        run(TILETC, &[&["run", name, "--arg", "zeros"], option].concat(), "").succeeded();
    }
    for option in ["-d", "--device"] {
        run(TILETC_OPT, &[option, "bmg", name], "").succeeded();
        run(TILETC, &["info", name, option, "bmg"], "").succeeded();
    }
    for command in ["compile", "run", "info"] {
        let help = run(TILETC, &["help", command], "").succeeded();
        assert!(help.text().contains("-d, --device <DEVICE>"), "{}", help.text());
    }
}

#[test]
fn kernels_are_listed_with_parameters_and_sizes() {
    let text = "func @first(%K: memref<f32x56x56>, %n: index) {\n}\n\
                func @second(%0: f32) attributes{subgroup_size=32, work_group_size=[64,2]} {\n}\n";
    let name = file("kernels.ir", text);
    let table = run(TILETC, &["info", name, "-d", "pvc"], "").succeeded();
    let rows: Vec<Vec<&str>> = table.text().lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["kernel", "parameters", "work-group", "size", "subgroup", "size", "registers"]);
    assert_eq!(rows[1][..3], ["@first", "%K:", "memref<f32x56x56>"], "{}", table.text());
    assert_eq!(rows[2], ["%n:", "index"], "{}", table.text());
    assert_eq!(rows[3], ["@second", "%0:", "f32", "64x2", "32", "128"], "{}", table.text());
    assert_eq!(rows.len(), 4);
    let many_sums = include_str!("../../tests/filetests/kernels/cooperative_matrix_many_sums.ir");
    let table = run(TILETC, &["info", file("many-sums.ir", many_sums), "-d", "pvc"], "").succeeded();
    let first = table.text().lines().nth(1).unwrap();
    assert!(first.ends_with(" 256"), "{}", table.text());

    let json = run(TILETC, &["info", name, "-d", "pvc", "--json"], "").succeeded();
    let json: serde_json::Value = serde_json::from_str(json.text()).unwrap();
    let kernel = &json["kernels"][0];
    assert!(kernel["work_group_size"].is_array() && kernel["parameters"][0]["type"].is_string(), "{json}");
    let devices = run(TILETC, &["info", "--json"], "").succeeded();
    let devices: serde_json::Value = serde_json::from_str(devices.text()).unwrap();
    let has_pvc =
        |device: &serde_json::Value| device["device"] == "virtual:pvc" && device["features"].is_array();
    assert!(devices["devices"].as_array().unwrap().iter().any(has_pvc), "{devices}");
    run(TILETC, &["info", "no/such.ir"], "").failed(1, &["cannot read `no/such.ir`: ", "Error (9): "]);
    run(TILETC, &["info", name, "-d", "nonsense"], "").failed(2, &["unknown device `nonsense`"]);
    run(TILETC, &["info", "-d", "pvc"], "").failed(2, &["FILE"]);
    let text = "func @k() attributes{subgroup_size=7} {\n}\n";
    let report = run(TILETC, &["info", file("kernels-wrong.ir", text)], "");
    report.failed(1, &["kernels-wrong.ir:1.1-", "Error (6): "]);
}

#[test]
fn reports_have_colours_on_a_terminal_only() {
    let name = file("colours.ir", "func @k() {\n    %0 = constant 1.0 : nothing\n}\n");
    let report = |variable: &str| {
        let mut command = Command::new(TILETC);
        command.arg(name).current_dir(folder()).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        tool::outcome(command.env(variable, "1"), "").errors
    };
    let plain = "colours.ir:2.25-27: expected a type, found the unknown word `nothing`\nfunc @k() {\n";
    assert!(report("NO_COLOR").starts_with(plain), "{}", report("NO_COLOR"));
    assert_eq!(report("TILETC_UNUSED"), report("NO_COLOR"), "standard error is no terminal here");
    let coloured = report("CLICOLOR_FORCE");
    assert!(coloured.contains("\x1b[1mcolours.ir:2.25-27:\x1b[0m expected a type"), "{coloured:?}");
    assert!(coloured.contains("~~~\x1b[0m\n"), "{coloured:?}");
}

#[test]
fn completions_and_manual_pages_are_written() {
    let place = folder().join("generated");
    let _ = std::fs::remove_dir_all(&place);
    run(TILETC, &["generate", "generated"], "").succeeded();
    for (file, words) in [
        ("man/man1/tiletc.1", &[".TH tiletc 1", "tiletc\\-run(1)"][..]),
        ("man/man1/tiletc-run.1", &["\\-\\-groups", "virtual:pvc"]),
        ("man/man1/tiletc-compile.1", &["\\-\\-explain"]),
        ("man/man1/tiletc-info.1", &["\\-\\-verbose"]),
        ("man/man1/tiletc-opt.1", &["PASS"]),
        ("bash-completion/completions/tiletc", &["--groups", "unsafe-fp-math"]),
        ("bash-completion/completions/tiletc-opt", &["-p"]),
        ("fish/vendor_completions.d/tiletc.fish", &["explain"]),
        ("zsh/site-functions/_tiletc", &["#compdef tiletc", "explain"]),
    ] {
        let text = std::fs::read_to_string(place.join(file)).unwrap();
        for word in words {
            assert!(text.contains(word), "{word} is not in {file}");
        }
    }
    // Nobody is told of what is for packages only.
    assert!(!place.join("man/man1/tiletc-generate.1").exists());
    run(TILETC, &["generate", "/dev/null/folder"], "").failed(1, &["cannot write", "Error (9): "]);
}

#[test]
fn compile_shows_programs_and_times_of_passes() {
    let name = file("instrument.ir", KERNEL);
    let arguments =
        ["compile", name, "-S", "--print-after", "work-group-size", "--time-passes", "--verify-each"];
    let ran = run(TILETC, &arguments, "");
    assert!(ran.errors.contains("; after work-group-size\nfunc @k("), "{}", ran.errors);
    assert!(ran.errors.contains("work_group_size=["), "{}", ran.errors);
    for row in ["read and parse", "insert-barrier", "check-legality", "spirv", "total"] {
        assert!(
            ran.errors.lines().any(|line| line.contains(" ms ") && line.ends_with(row)),
            "{}",
            ran.errors
        );
    }
    assert_eq!(ran.errors.matches("; after ").count(), 1);

    let all = run(TILETC, &["compile", name, "-S", "--print-after=all", "-O0"], "").errors;
    assert!(all.contains("; after check-ir") && !all.contains("; after constant-propagation"), "{all}");

    // The driver's build stands beside the passes where a program is run, here by the virtual one.
    let ran = run(TILETC, &["run", name, "--arg", "A=zeros", "--time-passes"], "");
    assert_eq!(ran.code, 0, "{}", ran.errors);
    for row in ["insert-barrier", "spirv", "build by the driver", "total"] {
        assert!(
            ran.errors.lines().any(|line| line.contains(" ms ") && line.ends_with(row)),
            "{}",
            ran.errors
        );
    }

    let unknown = run(TILETC, &["compile", name, "-S", "--print-after=inliner"], "");
    assert_eq!(unknown.code, 2);
    assert!(unknown.errors.contains("`inliner` is no pass of the pipeline"), "{}", unknown.errors);
}

#[test]
fn definitions_come_from_the_command_line() {
    let text = "$n = 4 $type = f32
        func @scale(%x: memref<$type x $n>) { $two = 2.0 %a = constant $two : $type %z = constant 0.0 : $type
        axpby %a, %x, %z, %x }";
    let name = file("define.ir", text);
    let printed = |arguments: &[&str]| {
        let mut command = vec!["-pdump-ir", name];
        command.extend(arguments);
        run(TILETC_OPT, &command, "")
    };
    assert!(printed(&[]).succeeded().text().contains("memref<f32x4>"));
    let changed = printed(&["-D", "n=7", "-Dtype=f64", "--define", "two=3.0"]).succeeded();
    assert!(changed.text().contains("memref<f64x7>"), "{}", changed.text());
    assert!(changed.text().contains("constant 0x1.8p+1 : f64"), "{}", changed.text());
    // The program itself need not define the name.
    let open = "func @f(%x: memref<f32x$n>) {}";
    assert!(run(TILETC_OPT, &["-D", "n=3"], open).succeeded().text().contains("memref<f32x3>"));
    run(TILETC_OPT, &[], open).failed(1, &["$n is not defined here"]);

    printed(&["-D", "m=7"]).failed(1, &["-D:1.1-4: the program has no $m", "$m=7"]);
    printed(&["-D", "typ=7"]).failed(1, &["the program has no $typ; did you mean $type?"]);
    printed(&["-D", "n=7", "-D", "n=8"]).failed(1, &["$n is already in use", "$n is first defined here"]);
    printed(&["-D", "n"]).failed(1, &["expected `=` or `:`, found end of file"]);
    printed(&["-D", "n=4 5"]).failed(1, &["-D:1.6: expected nothing more, found "]);
    printed(&["-D", "n=tensor"]).failed(1, &["unknown word `tensor`"]);
    printed(&["-D", "n=f32"]).failed(1, &["define.ir:2."]);
}

#[test]
fn compile_writes_a_module_or_its_assembly() {
    let name = file("compile.ir", KERNEL);
    let module = run(TILETC, &["compile", name, "-d", "pvc"], "").succeeded().output;
    assert_eq!(module.get(..4), Some(&MAGIC[..]));
    let assembly = run(TILETC, &["compile", name, "-d", "pvc", "-S", "--no-lines"], "").succeeded();
    assert!(assembly.text().contains("OpEntryPoint Kernel"), "{}", assembly.text());
    assert!(!assembly.text().contains("OpName"), "{}", assembly.text());
    let named = run(TILETC, &["compile", name, "-S", "--no-lines", "--keep-names"], "").succeeded();
    assert!(named.text().contains("OpName"), "{}", named.text());

    // The plain form and standard input give the same.
    for (arguments, input) in [
        (&[name][..], ""),
        (&["-dpvc", name], ""),
        (&["--", name], ""),
        (&["compile"], KERNEL),
        (&[], KERNEL),
        (&["-O", "2", "-O0x2", name, "-O02"], ""),
    ] {
        assert_eq!(run(TILETC, arguments, input).succeeded().output, module, "{arguments:?}");
    }

    let out = folder().join("compile.spv");
    let _ = std::fs::remove_file(&out);
    assert!(run(TILETC, &["compile", name, "-o", "compile.spv"], "").succeeded().output.is_empty());
    assert_eq!(std::fs::read(out).unwrap(), module);
}

#[test]
fn opt_runs_passes_in_order_and_prints() {
    let name = file("opt.ir", KERNEL);
    let plain = run(TILETC_OPT, &[name], "").succeeded();
    assert!(plain.text().starts_with("func @k(%A: memref<f32x4x4>)"), "{}", plain.text());
    assert!(plain.text().contains("constant"), "{}", plain.text());
    assert_eq!(run(TILETC_OPT, &[], KERNEL).succeeded().output, plain.output);
    assert_eq!(run(TILETC_OPT, &["-pdump-ir", name], "").succeeded().output, plain.output);
    assert_eq!(run(TILETC_OPT, &["-p", "check-ir", name], "").succeeded().output, plain.output);
    let cleaned = run(TILETC_OPT, &["-p", "dump-ir", "-p", "dead-code-elimination", name], "").succeeded();
    let cleaned = cleaned.text().strip_prefix(plain.text()).expect("dump-ir printed first");
    assert!(!cleaned.contains("constant"), "{cleaned}");
    let sized = run(TILETC_OPT, &["-d", "bmg", "-pwork-group-size", name], "").succeeded();
    assert!(sized.text().contains("work_group_size="), "{}", sized.text());
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let plain = run(TILETC_OPT, &[], KERNEL).succeeded().output;
    assert_eq!(run(TILETC_OPT, &[], &format!("\u{feff}{KERNEL}")).succeeded().output, plain);
    let marks = format!("{KERNEL}\u{feff}");
    run(TILETC_OPT, &[], &marks).failed(1, &["<stdin>:4.1: ", "\n\u{fffd}\n~\n", "Error (10): "]);
}

#[test]
fn standard_input_is_read_by_those_that_say_so() {
    let help = run(TILETC, &["embed", "--help"], "").succeeded();
    assert!(help.text().contains("standard input is not read"), "{}", help.text());
    assert!(!help.text().contains("standard input if absent"), "{}", help.text());
    run(TILETC, &["embed", "-o", "stdin.hpp"], KERNEL).failed(2, &["a header is made of files"]);
}

#[test]
fn wrong_programs_are_shown_and_end_with_1() {
    let name = file("wrong.ir", "func @k() {\n    %0 = constant 1.0 : nothing\n}\n");
    for tool in [TILETC, TILETC_OPT] {
        run(tool, &[name], "").failed(1, &["wrong.ir:2.", "constant 1.0", "~", "Error (10): "]);
        run(tool, &[], "func @k(").failed(1, &["<stdin>:1.", "Error (10): "]);
        run(tool, &[], "").failed(1, &["<stdin>:", "Error (10): "]);
    }
    run(TILETC_OPT, &["-p", "no-such-pass"], KERNEL)
        .failed(2, &["unknown pass `no-such-pass`", "Error (16): "]);
    // What nobody knows the place of is said without one.
    let without = run(TILETC_OPT, &["-p", "dump-ir", "-p", "work-group-size", "-d", "nonsense"], KERNEL);
    assert!(!without.errors.contains("unavailable"), "{}", without.errors);
}

#[test]
fn unreadable_files_are_named_and_end_with_1() {
    for tool in [TILETC, TILETC_OPT] {
        run(tool, &["no/such.ir"], "").failed(1, &["cannot read `no/such.ir`: ", "Error (9): "]);
        run(tool, &["/"], "").failed(1, &["cannot read `/`: ", "Error (9): "]);
    }
    let name = file("unwritable.ir", KERNEL);
    let failure = run(TILETC, &["compile", name, "-o", "no/such.spv"], "");
    failure.failed(1, &["cannot write `no/such.spv`: ", "Error (9): "]);
}

#[test]
fn programs_are_not_overwritten() {
    let name = file("overwritten.ir", KERNEL);
    let second = file("overwritten-2.ir", &KERNEL.replace("@k", "@l"));
    let _ = std::fs::remove_file(folder().join("link.spv"));
    std::fs::hard_link(folder().join(name), folder().join("link.spv")).unwrap();
    for arguments in [
        &["compile", name, "-o", name][..],
        &["compile", name, "-S", "-o", "link.spv"],
        &["embed", name, second, "-o", "./overwritten-2.ir"],
        &["embed", name, "-o", "overwritten.hpp", "--report", name],
        &["bench", second, name, "-o", name],
    ] {
        run(TILETC, arguments, "").failed(2, &["is a program, which would be overwritten", "Error (2): "]);
    }
    assert_eq!(std::fs::read_to_string(folder().join(name)).unwrap(), KERNEL);
    assert!(!folder().join("overwritten.hpp").exists());
    // What cannot be written is said before a kernel runs.
    let unwritable = ["run", name, "--arg", "zeros", "--save", "A=no/such.npy", "--check", "none"];
    run(TILETC, &unwritable, "").failed(1, &["cannot write `no/such.npy`: ", "Error (9): "]);
    // Nothing is left of a test for that, and nothing is said to be missing where a link names a new file.
    let link = folder().join("link-to-new.spv");
    let _ = std::fs::remove_file(&link);
    let _ = std::fs::remove_file(folder().join("new.spv"));
    symlink("new.spv", &link).unwrap();
    run(TILETC, &["compile", "no/such.ir", "-o", "new.spv"], "").failed(1, &["cannot read"]);
    assert!(!folder().join("new.spv").exists());
    run(TILETC, &["compile", name, "-o", "link-to-new.spv"], "").succeeded();
    assert!(folder().join("new.spv").exists());
}

#[test]
fn wrong_usage_ends_with_2() {
    for arguments in [
        &["--nonsense"][..],
        &["-f", "nonsense"],
        &["-F", "nonsense"],
        &["-O", "-1"],
        &["-O", "fast"],
        &["-O"],
        &["one.ir", "two.ir"],
        &["-d", "nonsense"],
        &["-"],
    ] {
        run(TILETC, arguments, "").failed(2, &[]);
        run(TILETC_OPT, arguments, "").failed(2, &[]);
        run(TILETC, &[&["compile"], arguments].concat(), "").failed(2, &[]);
    }
    for tool in [TILETC, TILETC_OPT] {
        run(tool, &["--dvice", "pvc"], "").failed(2, &["--device"]);
    }
    for (arguments, meant) in [
        (&["comple"][..], "compile"),
        (&["comple", "one.ir"], "compile"),
        (&["benhc", "one.ir", "-d", "opencl"], "bench"),
        (&["seltest", "--json"], "selftest"),
    ] {
        let outcome = run(TILETC, arguments, "");
        assert_eq!(outcome.code, 2, "{}", outcome.errors);
        assert!(outcome.errors.contains(&format!("did you mean `{meant}`?")), "{}", outcome.errors);
    }
    run(TILETC, &["run", "--dvice", "virtual:pvc"], "").failed(2, &["--device"]);
    // A file may have such a name.
    run(TILETC, &[file("compil", KERNEL)], "").succeeded();
    run(TILETC_OPT, &["-S"], "").failed(2, &["-S"]);
    run(TILETC, &["-p", "dump-ir"], "").failed(2, &["-p"]);
    run(TILETC, &["-d", "nonsense"], "").failed(2, &["unknown device `nonsense`", "pvc", "Error (2): "]);
}

#[test]
fn links_with_the_names_of_the_original_behave_like_it() {
    let name = file("link.ir", KERNEL);
    let tinytc = link("links-tinytc", TILETC, "tinytc");
    let tinytc_opt = link("links-opt", TILETC_OPT, "tinytc-opt");
    for tool in [&tinytc, &tinytc_opt] {
        run(tool, &["--nonsense"], "").failed(255, &[]);
        run(tool, &["-d", "nonsense"], "").failed(255, &["Error (2): "]);
        run(tool, &["no/such.ir"], "").failed(1, &["Error (9): "]);
        run(tool, &["--help"], "").succeeded();
    }
    // The original has no subcommands: this is a file that does not exist.
    run(&tinytc, &["compile"], "").failed(1, &["cannot read `compile`: "]);
    let module = run(TILETC, &[name], "").succeeded().output;
    assert_eq!(run(&tinytc, &[name, "-dpvc"], "").succeeded().output, module);
    let text = run(TILETC_OPT, &[name], "").succeeded().output;
    assert_eq!(run(&tinytc_opt, &[name], "").succeeded().output, text);
}

#[test]
fn a_closed_pipe_is_no_error() {
    let name = file("closed.ir", KERNEL);
    for (tool, arguments) in [(TILETC, &[name, "-S"][..]), (TILETC_OPT, &[name]), (TILETC, &["--help"])] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(tool);
        command.args(arguments).current_dir(folder()).stdout(writer);
        let output = command.stderr(Stdio::piped()).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    }
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let name = file("unwritten.ir", KERNEL);
    let tinytc = link("links-unwritten", TILETC, "tinytc");
    let tinytc = tinytc.to_str().unwrap();
    let json = [name, "--stats", "--json"];
    for (tool, arguments) in [
        (TILETC, &[name][..]),
        (TILETC, &["compile", name, "-S"]),
        (TILETC, &json),
        (TILETC, &["--help"]),
        (TILETC, &["run", "--help", "--json"]),
        (TILETC, &["--version"]),
        (TILETC, &["info"]),
        (TILETC, &["info", name]),
        (TILETC, &["run", name, "--arg", "zeros"]),
        (TILETC_OPT, &[name]),
        (TILETC_OPT, &["--help"]),
        (tinytc, &[name]),
        (tinytc, &["--version"]),
    ] {
        for (redirection, reason) in [(">&-", "it is closed"), (">/dev/full", "No space left on device")] {
            let mut shell = Command::new("sh");
            shell.args(["-c", &format!("exec \"$0\" \"$@\" {redirection}"), tool]).args(arguments);
            let ran = tool::outcome(shell.current_dir(folder()), "");
            assert_eq!(ran.code, 1, "{arguments:?} {redirection}: {}", ran.errors);
            let message = format!("cannot write standard output: {reason}");
            assert!(ran.errors.contains(&message), "{arguments:?} {redirection}: {}", ran.errors);
            assert!(ran.errors.ends_with("Error (9): file could not be read or written\n"), "{}", ran.errors);
        }
        let mut command = Command::new(tool);
        command.args(arguments).current_dir(folder()).stdin(Stdio::null()).stdout(Stdio::null());
        assert_eq!(command.status().unwrap().code(), Some(0), "{arguments:?}");
    }
    // Nobody misses what nobody writes.
    let mut shell = Command::new("sh");
    shell.args(["-c", "exec \"$0\" \"$@\" >&-", TILETC, "compile", name, "-o", "unwritten.spv"]);
    assert_eq!(tool::outcome(shell.current_dir(folder()), "").code, 0);
}

#[test]
fn warnings_go_to_standard_error_and_change_nothing_else() {
    let text = "func @k(%A: memref<f32x4x3>, %x: f32) {
    %t = alloca : memref<f32x4x3,strided<1,STRIDE>,local>
    %zero = constant 0.0 : f32
    axpby %x, %A, %zero, %t
    axpby %x, %t, %x, %A
}
";
    let packed = file("packed.ir", &text.replace("STRIDE", "4"));
    let with_mark = file("warned.ir", &text.replace("STRIDE", "?"));
    let warning = "warned.ir:2.10-52: warning: local memory is allocated packed, ";
    // The lines name the file.
    let expected = run(TILETC, &[packed, "--no-lines"], "").succeeded();
    let warned = run(TILETC, &[with_mark, "--no-lines"], "").warned(warning);
    assert_eq!(warned.output, expected.output);
    run(TILETC, &["run", "--arg", "zeros", "--arg", "1", with_mark], "").warned(warning);
    let printed = run(TILETC_OPT, &[with_mark], "").warned(warning);
    let again = run(TILETC_OPT, &[], printed.text()).warned("<stdin>:");
    assert_eq!(again.output, printed.output);
}
