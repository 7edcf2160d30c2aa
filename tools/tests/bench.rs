//! `tiletc bench`: figures, tables, pictures, and what is refused.
//!
//! What needs an OpenCL device is ignored without one, with the reason; a fake driver of Level Zero, whose launches all take the
//! same time, gives figures that are known.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "common/fake.rs"]
mod fake;
#[path = "common/tool.rs"]
mod tool;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use tool::Outcome;

const TILETC: &str = env!("CARGO_BIN_EXE_tiletc");
const FUSED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../cpp-examples/matrix_chain/fused_kernel.ir");

/// Numbers that double with each launch, block by block.
const TWICE: &str = "
$BLOCK = 64 ; as in $NOTHING
func @gemm(%x: memref<f32x?>) {
    %size = size %x[0] : index
    %group = group_id.x : index
    %block = constant $BLOCK : index
    %from = mul %group, %block : index
    %end = add %from, %block : index
    %to = min %end, %size : index
    foreach (%i)=(%from),(%to) {
        %a = load %x[%i] : f32
        %b = add %a, %a : f32
        store %b, %x[%i]
    }
}";

/// Reason why a test cannot run.
struct Skip(String);

type Test = fn() -> Result<(), Skip>;

fn main() -> ExitCode {
    std::fs::write(path("twice.ir"), TWICE).unwrap();
    let tests: [(&str, Test); 13] = [
        ("figures_make_sense", figures_make_sense),
        ("sweeps_are_one_table", sweeps_are_one_table),
        ("tiles_of_an_example_are_swept", tiles_of_an_example_are_swept),
        ("numbers_do_not_run_away", numbers_do_not_run_away),
        ("a_kernel_is_as_fast_as_itself", a_kernel_is_as_fast_as_itself),
        ("cold_caches_are_overwritten", cold_caches_are_overwritten),
        ("known_times_give_known_figures", known_times_give_known_figures),
        ("operations_are_those_of_all_linear_algebra", operations_are_those_of_all_linear_algebra),
        ("files_are_written", files_are_written),
        ("devices_without_timestamps_are_refused", devices_without_timestamps_are_refused),
        ("wrong_options_end_with_2", wrong_options_end_with_2),
        ("wrong_configs_are_named", wrong_configs_are_named),
        ("a_commit_is_measured_against", a_commit_is_measured_against),
    ];
    let trials = tests.into_iter().map(|(name, test)| {
        Trial::ignorable_test(name, move || match test() {
            Ok(()) => Ok::<_, Failed>(Completion::Completed),
            Err(Skip(reason)) => Ok(Completion::ignored_with(format!("SKIPPED: {reason}"))),
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

fn path(name: &str) -> PathBuf {
    tool::folder().join(name)
}

/// `tiletc bench` on the OpenCL device, as a document.
fn measured(arguments: &[&str]) -> Result<Vec<Value>, Skip> {
    let all = [&["bench", "--format", "json", "--budget", "0.1"], arguments].concat();
    let outcome = tool::run(TILETC, &all, "");
    if outcome.code == 1 && outcome.errors.contains("Error (18)") {
        return Err(Skip(outcome.errors));
    }
    assert_eq!((outcome.code, outcome.errors.as_str()), (0, ""));
    let document: Value = serde_json::from_slice(&outcome.output).unwrap();
    assert_eq!(document["status"]["code"], 0);
    Ok(document["measurements"].as_array().unwrap().clone())
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

const CHAIN: [&str; 9] = [
    FUSED,
    "--arg",
    "K=random",
    "--arg",
    "P=random:56x9x200",
    "--arg",
    "A=random:9x9x200",
    "--arg",
    "Q=zeros:56x9x200",
];

fn figures_make_sense() -> Result<(), Skip> {
    let found = measured(&[&CHAIN[..], &["--hot"]].concat())?;
    assert_eq!(found.len(), 1);
    let (found, time) = (&found[0], &found[0]["time"]);
    assert_eq!((&found["program"], &found["kernel"]), (&"fused_kernel.ir".into(), &"fused_kernel".into()));
    assert_eq!((&found["caches"], &found["device"]), (&"hot".into(), &"opencl".into()));
    let median = number(&time["median"]);
    assert!(median > 1e-6 && median < 1.0, "{found:#}");
    assert!(number(&time["min"]) <= median && number(&time["deviation"]) < median, "{found:#}");
    assert!(number(&time["samples"]) >= 8.0 && number(&time["latency"]) > 0.0, "{found:#}");
    let (lower, upper) = (number(&time["interval"][0]), number(&time["interval"][1]));
    assert!(lower <= median && median <= upper, "{found:#}");
    // Two products for each of the elements: 56x9x56 and 56x9x9.
    let operations = 200.0 * 2.0 * (56.0 * 9.0 * 56.0 + 56.0 * 9.0 * 9.0);
    assert_eq!(number(&found["operations"]), operations);
    let rate = number(&found["operations_per_second"]);
    assert!((rate * median / operations - 1.0).abs() < 1e-9, "{found:#}");
    // P and A are read, Q is read and written, and each work-group reads K.
    let bytes = number(&found["compulsory_bytes"]);
    let least = 4.0 * 200.0 * (3.0 * 56.0 * 9.0 + 81.0);
    assert!(bytes >= least && bytes <= least + 4.0 * 200.0 * 56.0 * 56.0, "{found:#}");
    assert_eq!(found["roofline"], Value::Null, "no peak is known of a CPU");
    Ok(())
}

fn sweeps_are_one_table() -> Result<(), Skip> {
    let arguments = ["twice.ir", "--arg", "x=iota:6400", "--groups", "100", "-D", "BLOCK=64,32", "--both"];
    let fast = ["--cache-size", "1", "--budget", "0.05"];
    let found = measured(&[&arguments[..], &fast].concat())?;
    let key = |row: &Value| (row["definitions"]["BLOCK"].clone(), row["caches"].clone());
    let keys: Vec<_> = found.iter().map(key).collect();
    let wanted = [("64", "cold"), ("64", "hot"), ("32", "cold"), ("32", "hot")];
    assert_eq!(keys, wanted.map(|(block, caches)| (block.into(), caches.into())));
    assert!(found[0]["notes"].to_string().contains("GB/s of all arguments"), "{found:#?}");
    assert_eq!((&found[0]["operations"], number(&found[0]["compulsory_bytes"])), (&Value::Null, 25600.0));

    let arguments = ["twice.ir", "--arg", "x=iota:6400", "--groups", "100", "-D", "BLOCK=64,32,16,8"];
    let outcome = |format| on_fake("sweep", ("", ""), &[&arguments[..], &["--format", format]].concat());
    let markdown = outcome("markdown")?.succeeded();
    let lines: Vec<&str> = markdown.text().lines().collect();
    assert_eq!(lines.len(), 6, "{lines:?}");
    assert!(lines[0].starts_with("| program | kernel | BLOCK | device | caches | median |"), "{lines:?}");
    let csv = outcome("csv")?.succeeded();
    let mut lines = csv.text().lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let median = header.iter().position(|name| *name == "median").unwrap();
    let medians: Vec<f64> = lines.map(|line| line.split(',').nth(median).unwrap().parse().unwrap()).collect();
    assert!(medians.len() == 4 && medians.iter().all(|median| *median > 0.0), "{}", csv.text());
    let text = outcome("text")?.succeeded();
    assert!(text.text().starts_with("program ") && text.text().lines().count() == 5, "{}", text.text());
    Ok(())
}

/// The manual's sweep over the tiles of an example, in part.
fn tiles_of_an_example_are_swept() -> Result<(), Skip> {
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../cpp-examples/autotune/autotune.ir");
    let sizes = ["--arg", "A=random:24x20", "--arg", "B=random:20x28", "--arg", "C=zeros:24x28"];
    let sweep = [example, "-D", "bm=16", "-D", "bn=16", "-D", "bk=8,16", "--hot", "--budget", "0.05"];
    let found = measured(&[&sweep[..], &sizes].concat())?;
    let steps: Vec<&Value> = found.iter().map(|row| &row["definitions"]["bk"]).collect();
    assert_eq!(steps, ["8", "16"]);
    assert!(found.iter().all(|row| number(&row["time"]["median"]) > 0.0), "{found:#?}");
    Ok(())
}

fn a_kernel_is_as_fast_as_itself() -> Result<(), Skip> {
    let block = |number: &str| TWICE.replace("$BLOCK = 64", &format!("$BLOCK = {number}"));
    std::fs::write(path("much.ir"), block("640")).unwrap();
    std::fs::write(path("other.ir"), block("640")).unwrap();
    let arguments = ["much.ir", "--arg", "x=iota:64000", "--groups", "100", "--hot", "--against"];
    let found = measured(&[&arguments[..], &["other.ir"]].concat())?;
    let against = &found[0]["against"];
    assert_eq!(against["program"], "other.ir");
    let (ratio, ends) = (number(&against["ratio"]), &against["ratio_interval"]);
    assert!(ratio > 0.5 && ratio < 2.0, "{found:#?}");
    assert!(number(&ends[0]) <= ratio && ratio <= number(&ends[1]), "{found:#?}");
    let samples = |time: &Value| number(&time["samples"]);
    assert_eq!(samples(&found[0]["time"]), samples(&against["time"]), "they are measured in turn");
    // A tenth of the work takes less time.
    std::fs::write(path("less.ir"), block("64")).unwrap();
    let found = measured(&[&arguments[..], &["less.ir"]].concat())?;
    assert!(number(&found[0]["against"]["ratio"]) < 0.8, "{found:#?}");
    Ok(())
}

/// Adds 1 to the first number in a launch of 100 work-groups, copies in one of two, and tells of each launch.
const COUNTED: &str = "#include <stdio.h>
    static void on_launch(uint64_t const *arguments, uint32_t groups) {
        if (groups == 100) {
            float *const x = (float *)arguments[0];
            fprintf(stderr, \"kernel %g\\n\", x[0]++);
        } else if (groups == 2) {
            memcpy((void *)arguments[2], (void *)arguments[0], arguments[1]);
            fprintf(stderr, \"copy\\n\");
        } else {
            fprintf(stderr, \"overwrite %u\\n\", groups);
        }
    }
    __attribute__((constructor)) static void choose(void) { fake_on_launch = on_launch; }";

/// The launches of a run whose kernel changes its argument.
fn launches(modes: &[&str]) -> Result<Vec<String>, Skip> {
    let arguments = ["twice.ir", "--arg", "x=zeros:6400", "--groups", "100", "--cache-size", "1"];
    let name = format!("counted{}", modes.concat());
    let outcome = on_fake_device(&name, ("", COUNTED), &[&arguments[..], modes].concat())?;
    assert_eq!(outcome.code, 0, "{}", outcome.errors);
    Ok(outcome.errors.lines().map(str::to_owned).collect())
}

/// Numbers that a kernel changes are brought back before it runs more than nine times.
fn numbers_do_not_run_away() -> Result<(), Skip> {
    let found = launches(&["--hot"])?;
    let (first, batches) = found.split_first().unwrap();
    assert_eq!(first, "kernel 0");
    let batch = [
        "copy", "kernel 0", "kernel 1", "kernel 2", "kernel 3", "kernel 4", "kernel 5", "kernel 6",
        "kernel 7", "kernel 8",
    ];
    assert!(
        batches.len() >= 5 * batch.len() && batches.chunks(batch.len()).all(|found| found == batch),
        "{found:?}"
    );
    Ok(())
}

/// Twice the cache, 2 MiB, are written by work-groups of 64 KiB each before each sample.
fn cold_caches_are_overwritten() -> Result<(), Skip> {
    let found = launches(&["--cold"])?;
    let start = found.iter().position(|launch| launch == "overwrite 32").unwrap() + 1;
    let samples: Vec<&[String]> = found[start..].chunks(3).collect();
    let is_sample = |found: &&[String]| *found == ["copy", "overwrite 32", "kernel 0"];
    assert!(samples.len() >= 20 && samples.iter().all(is_sample), "{found:?}");
    assert!(!launches(&["--hot"])?.iter().any(|launch| launch.starts_with("overwrite")));
    Ok(())
}

/// Runs the tool on a fake driver of Level Zero, whose launches take 8 µs, with C text before and behind its own.
fn on_fake(name: &str, texts: (&str, &str), arguments: &[&str]) -> Result<Outcome, Skip> {
    on_fake_device(name, texts, &[&["--hot"], arguments].concat())
}

/// The same with caches as the arguments say.
fn on_fake_device(name: &str, (before, behind): (&str, &str), arguments: &[&str]) -> Result<Outcome, Skip> {
    let folder = path(name);
    std::fs::create_dir_all(&folder).unwrap();
    fake::level_zero(&folder, (before, behind)).map_err(|error| Skip(format!("no C compiler: {error}")))?;
    let mut command = Command::new(TILETC);
    command.args([&["bench", "-d", "level_zero:0", "--budget", "0.05"], arguments].concat());
    command.current_dir(tool::folder()).env("LD_LIBRARY_PATH", folder).env("TILETC_CACHE", "off");
    Ok(tool::outcome(&mut command, ""))
}

/// Says that the device is a B580.
const B580: &str = "__attribute__((constructor)) static void choose(void) { fake_name = 1; }";

fn operations_are_those_of_all_linear_algebra() -> Result<(), Skip> {
    let text = "func @f(%A: memref<f32x64x64>, %x: memref<f32x64>) {
        hadamard 1.0, %A, %A, 1.0, %A
        ger 1.0, %x, %x, 1.0, %A
        sum.n 1.0, %A, 0.0, %x
        %g = group_id.x : index
        %c = less_than %g, 4 : bool
        if %c {
            axpby.n 1.0, %x, 2.0, %x
        }
    }";
    std::fs::write(path("algebra.ir"), text).unwrap();
    let arguments = ["algebra.ir", "--groups", "20", "--arg", "zeros", "--arg", "zeros", "--format", "json"];
    let outcome = on_fake("algebra", ("", ""), &arguments)?.succeeded();
    let document: Value = serde_json::from_slice(&outcome.output).unwrap();
    let found = &document["measurements"][0];
    assert_eq!(number(&found["operations"]), 20.0 * (5.0 * 64.0 * 64.0 + 64.0), "{found:#}");
    assert!(found["notes"].to_string().contains("the side with more operations"), "{found:#}");
    Ok(())
}

fn known_times_give_known_figures() -> Result<(), Skip> {
    let text = "func @gemm(%A: memref<f32x64x64>, %B: memref<f32x64x64>, %C: memref<f32x64x64>) {
        gemm.n.n 1.0, %A, %B, 0.0, %C
    }";
    std::fs::write(path("gemm.ir"), text).unwrap();
    let arguments = ["gemm.ir", "--groups", "20", "--arg", "zeros", "--arg", "zeros", "--arg", "zeros"];
    let more = ["--format", "json", "--picture", "known.svg"];
    let outcome = on_fake("known", ("", B580), &[&arguments[..], &more].concat())?.succeeded();
    let document: Value = serde_json::from_slice(&outcome.output).unwrap();
    let found = &document["measurements"][0];
    let (time, ticks) = (&found["time"], 100.0 * 80e-9);
    assert!((number(&time["median"]) / ticks - 1.0).abs() < 1e-9, "{found:#}");
    assert_eq!((number(&time["deviation"]), number(&time["spread"])), (0.0, 0.0));
    assert_eq!(time["interval"][0], time["interval"][1]);
    let operations = 20.0 * 2.0 * 64.0 * 64.0 * 64.0;
    assert_eq!(number(&found["operations"]), operations);
    let roofline = operations / (20.0 * 256.0 * 2.67e9) / ticks;
    assert!((number(&found["roofline"]) / roofline - 1.0).abs() < 1e-9, "{found:#}");
    assert_eq!(found["product"], "Arc B580");
    let svg = std::fs::read_to_string(path("known.svg")).unwrap();
    assert!(svg.contains("published peaks of Arc B580") && svg.contains("1: 8.000 µs"), "{svg}");
    Ok(())
}

fn files_are_written() -> Result<(), Skip> {
    for name in ["table.json", "table.svg"] {
        let _ = std::fs::remove_file(path(name));
    }
    let arguments = ["twice.ir", "--arg", "x=iota:6400", "--groups", "100"];
    let files = ["--format", "json", "-o", "table.json", "--picture", "table.svg"];
    let outcome = on_fake("files", ("", ""), &[&arguments[..], &files].concat())?.succeeded();
    assert_eq!(outcome.text(), "");
    let document: Value = serde_json::from_slice(&std::fs::read(path("table.json")).unwrap()).unwrap();
    assert_eq!(document["measurements"][0]["kernel"], "gemm");
    assert!(
        std::fs::read_to_string(path("table.svg")).unwrap().contains("1: twice.ir, gemm, level_zero:0, hot")
    );
    let outcome = on_fake("files", ("", ""), &[&arguments[..], &["-o", "none/table.txt"]].concat())?;
    outcome.failed(1, &["cannot write `none/table.txt`"]);
    // That is known before the first launch, which the fake tells of.
    for option in [["-o", "none/table.txt"], ["--picture", "none/table.svg"]] {
        let outcome = on_fake("unwritable", ("", COUNTED), &[&arguments[..], &option].concat())?;
        assert!(!outcome.errors.contains("kernel"), "{}", outcome.errors);
        outcome.failed(1, &[&format!("cannot write `{}`", option[1])]);
    }
    Ok(())
}

fn devices_without_timestamps_are_refused() -> Result<(), Skip> {
    let arguments = ["twice.ir", "--arg", "x=iota:6400", "--groups", "100"];
    let outcome = on_fake("timeless", fake::TIMELESS, &arguments)?;
    outcome.failed(2, &["the device has no timestamps", "choose another with -d"]);
    Ok(())
}

fn wrong_options_end_with_2() -> Result<(), Skip> {
    let picture = path("nothing.svg");
    let _ = std::fs::remove_file(&picture);
    for (arguments, words) in [
        (&["twice.ir", "-d", "virtual:pvc"][..], &["virtual:pvc has no clock", "tiletc run --count"][..]),
        (&["twice.ir", "-d", "opencl", "-d", "virtual:bmg"], &["virtual:bmg has no clock"]),
        (&["twice.ir", "-d", "nonsense"], &["opencl[:N]"]),
        (&[], &["<FILE>"]),
        (&["twice.ir", "-D", "BLOCKS=1"], &["there is no $BLOCKS in twice.ir, which has $BLOCK"]),
        (&["twice.ir", "-D", "NOTHING=1"], &["there is no $NOTHING"]),
        (&[FUSED, "-D", "BLOCK=1"], &["fused_kernel.ir, which has no such names"]),
        (&["twice.ir", "-D", "BLOCK="], &["a value of BLOCK is empty"]),
        (&["twice.ir", "-D", "BLOCK=1,,2"], &["a value of BLOCK is empty"]),
        (&["twice.ir", "-D", "BLOCK"], &["NAME=VALUE"]),
        (&["twice.ir", "-D", "BLOCK=1", "-D", "BLOCK=2"], &["BLOCK is defined twice"]),
        (&["twice.ir", "--budget", "0"], &["a number of seconds above 0"]),
        (&["twice.ir", "--budget", "nan"], &["a number of seconds above 0"]),
        (&["twice.ir", "--hot", "--cold"], &["--hot", "--cold"]),
        (&["twice.ir", "--both", "--cold"], &["--both", "--cold"]),
        (&["twice.ir", "--cache-size", "0"], &["--cache-size"]),
        (&["twice.ir", "--format", "xml"], &["markdown"]),
        (&["twice.ir", "--picture", "nothing.png"], &["ends in .svg"]),
    ] {
        let all = [&["bench"], arguments, &["-o", "nothing.txt"]].concat();
        tool::run(TILETC, &all, "").failed(2, words);
    }
    tool::run(TILETC, &["bench", "none.ir", "-o", "nothing.txt"], "").failed(1, &["cannot read `none.ir`"]);
    assert!(!path("nothing.txt").exists());
    Ok(())
}

fn wrong_configs_are_named() -> Result<(), Skip> {
    let text = "$N = 8\nfunc @gemm(%x: memref<f32x$N>, %y: memref<f32x?>) attributes{grid=[1,1,1]} { }\nfunc @g() { }";
    std::fs::write(path("sizes.ir"), text).unwrap();
    let files = ["-o", "nothing.txt", "--picture", "nothing.svg"];
    for (arguments, words) in [
        (
            &["sizes.ir", "--kernel", "gemm", "-D", "N=8,9", "--arg", "zeros:8", "--arg", "zeros:3"][..],
            &["sizes.ir N=9: %x", "the shape 8 does not fit"][..],
        ),
        (&["sizes.ir"], &["sizes.ir: say with --kernel"]),
        (&["sizes.ir", "--kernel", "h"], &["there is no kernel h; there are gemm, g"]),
        (&["twice.ir", "--arg", "z=zeros:8"], &["twice.ir: there is no parameter %z"]),
        (&["twice.ir"], &["twice.ir: these parameters need a value"]),
        (&["twice.ir", "--arg", "zeros:8"], &["twice.ir: ", "nothing tells how many work-groups"]),
        (&["twice.ir", "--arg", "zeros:8", "--groups", "0"], &["a launch of no work-groups takes no time"]),
        (
            &["twice.ir", "--arg", "zeros:8", "--groups", "1", "--against", FUSED],
            &["fused_kernel.ir: %K", "the shape 8 does not fit"],
        ),
    ] {
        on_fake("wrong", ("", ""), &[arguments, &files].concat())?.failed(2, words);
    }
    assert!(!path("nothing.txt").exists() && !path("nothing.svg").exists());
    Ok(())
}

/// Runs git in a folder, as nobody in particular.
fn git(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.current_dir(folder).args(["-c", "user.name=N", "-c", "user.email=n@invalid"]).args(arguments);
    let output = command.env("GIT_CONFIG_GLOBAL", "/dev/null").output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn a_commit_is_measured_against() -> Result<(), Skip> {
    if Command::new("git").arg("--version").output().is_err() {
        return Err(Skip("there is no git".to_owned()));
    }
    let folder = path("repository");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("kernels")).unwrap();
    // Neither the folder of the repository nor that of the program is the one that the tool runs in.
    let file = folder.join("kernels").join("gemm.ir");
    std::fs::write(&file, TWICE.replace("$BLOCK = 64", "$BLOCK = 32")).unwrap();
    git(&folder, &["init", "-q", "-b", "first/one"]);
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "-q", "-m", "first"]);
    // The definition is new, and the kernel has another name, so that only the older text has the old one.
    let newer = TWICE.replace("BLOCK", "SIZE").replace("@gemm", "@axpby");
    std::fs::write(&file, newer).unwrap();
    let newest = folder.join("kernels").join("newest.ir");
    std::fs::write(&newest, TWICE).unwrap();
    let (file, newest) = (file.to_str().unwrap(), newest.to_str().unwrap());
    let measured = |files: &[&str], against: &str, more: &[&str]| {
        let arguments = ["--arg", "x=iota:640", "--groups", "10", "--format", "json", "--against", against];
        on_fake("commit", ("", ""), &[files, &arguments, more].concat())
    };
    let outcome = measured(&[file], "git:first/one", &["-D", "SIZE=64,32"])?.succeeded();
    let document: Value = serde_json::from_slice(&outcome.output).unwrap();
    let found = document["measurements"].as_array().unwrap();
    assert_eq!(found.len(), 2);
    for row in found {
        assert_eq!((&row["program"], &row["kernel"]), (&"gemm.ir".into(), &"axpby".into()));
        assert_eq!(row["against"]["program"], "gemm.ir@first-one");
        assert_eq!(number(&row["against"]["ratio"]), 1.0, "all launches of the fake take the same time");
    }
    // That the text is the older one shows what is refused of it alone.
    let kernel = ["--kernel", "axpby", "-o", "nothing.txt"];
    let words = ["gemm.ir@HEAD: there is no kernel axpby; there are gemm"];
    measured(&[file], "git:HEAD", &kernel)?.failed(2, &words);

    let nowhere = tempfile::tempdir().unwrap();
    let outside = nowhere.path().join("twice.ir");
    std::fs::write(&outside, TWICE).unwrap();
    for (file, against, words) in [
        (newest, "git:HEAD", &["newest.ir` in commit `HEAD`", "name another commit"][..]),
        (file, "git:nothing", &["there is no commit `nothing` in the repository of"]),
        (file, "git:HEAD:kernels", &["there is no commit `HEAD:kernels`"]),
        (file, "git:", &["git:HEAD~1"]),
        (file, "git:--help", &["git:HEAD~1"]),
        (outside.to_str().unwrap(), "git:HEAD", &["twice.ir` is in no repository"]),
    ] {
        measured(&[file], against, &["-o", "nothing.txt"])?.failed(2, words);
    }
    let arguments = ["bench", file, "--against", "git:HEAD", "--arg", "x=iota:640", "--groups", "10"];
    let mut without_git = Command::new(TILETC);
    without_git.args(arguments).env("PATH", nowhere.path());
    tool::outcome(&mut without_git, "").failed(2, &["cannot run git, which --against git:HEAD needs"]);
    assert!(!path("nothing.txt").exists());
    Ok(())
}
