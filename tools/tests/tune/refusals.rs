//! Command lines that make no sense: a sentence, exit code 2, and nothing written.

use super::common::{Folder, PRODUCT, arguments, product};
use super::{fake, skip};
use std::fs;
use std::process::Command;

#[test]
fn what_cannot_be_tuned_is_said() {
    let folder = Folder::new(PRODUCT);
    let refused = |more: &[&str], given: &[String], code: i32, message: &str| {
        let outcome = folder.tune(&[&["--table", "new.json"], more].concat(), given);
        assert_eq!(outcome.code, code, "{more:?}: {}", outcome.errors);
        assert!(outcome.errors.contains(message), "{more:?}: {}", outcome.errors);
        assert!(outcome.text.is_empty(), "{}", outcome.text);
        assert!(!folder.path().join("new.json").exists());
    };
    let given = arguments(24, 2);
    refused(&["-D", "COLS=1"], &given, 2, "there is no $COLS in kernel.ir, which has $ROWS");
    refused(&["-D", "ROWS="], &given, 2, "a value of ROWS is empty");
    refused(&["-D", "ROWS=16"], &given, 2, "%P");
    refused(&["--kernel", "other"], &given, 2, "there is no kernel other; there are product");
    refused(&["--budget", "0"], &given, 2, "a budget is a number of seconds above 0");
    refused(&["-d", "virtual:nothing"], &given, 2, "nothing");
    refused(&[], &given[..2], 2, "%A");
    // The arguments are too small for one of the values, or for every config.
    refused(&["-D", "ROWS=24,48"], &given, 2, "kernel.ir ROWS=48: %P");
    refused(&["--groups", "1"], &given, 2, "1 × 1 × 1 work-groups, where the arguments need 2 × 1 × 1");
    let [p, _, q] = [0, 1, 2].map(|place| given[2 * place + 1].as_str());
    let small = ["--arg", p, "--arg", "A=random:9x9x1", "--arg", q].map(str::to_owned);
    refused(&["--model"], &small, 2, "with every config that was tried the virtual device reports");
    refused(
        &["--model"],
        &arguments(24, 0),
        2,
        "a launch of no work-groups takes no time; give larger arguments",
    );
    let alone = |arguments: &[&str]| folder.run("tune", arguments, None);
    assert_eq!(alone(&[]).code, 2);
    fs::write(folder.path().join("foreign.json"), "{\"format\": 9}").unwrap();
    let foreign = folder.tune(&["--table", "foreign.json", "--model"], &given);
    assert_eq!(foreign.code, 1);
    assert!(foreign.errors.contains("a tuning table of format 9"), "{}", foreign.errors);
}

#[test]
fn programs_without_kernels_are_refused() {
    let folder = Folder::new("$ROWS = 24\n");
    let outcome = folder.tune(&["--table", "new.json"], &[]);
    assert!(outcome.code == 2 && outcome.errors.contains("the program has no kernels"), "{}", outcome.errors);
    assert!(!folder.path().join("new.json").exists());
}

/// A driver that says nothing of accesses out of bounds.
#[test]
fn what_a_real_gpu_hides_is_found_by_its_virtual_twin() {
    let text = "func @copy(%A: memref<f32x16x?>, %C: memref<f32x16x?>) attributes{grid=[%C[1]]} {
        %g = group_id.x
        %a = subview %A[0:16,%g]
        %c = subview %C[0:16,%g]
        axpby 1.0, %a, 0.0, %c
    }";
    let folder = Folder::new(text);
    let driver = folder.path().join("driver");
    fs::create_dir(&driver).unwrap();
    if let Err(error) = fake::level_zero(&driver, ("", "")) {
        return skip::skip(format!("no C compiler: {error}"));
    }
    let tuned = |given: u32, written: u32| {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_tiletc"));
        tool.args([
            "tune",
            "kernel.ir",
            "-d",
            "level_zero:0",
            "--budget",
            "0.05",
            "--hot",
            "--table",
            "new.json",
        ]);
        tool.args(["--arg", &format!("A=zeros:16x{given}"), "--arg", &format!("C=zeros:16x{written}")]);
        tool.current_dir(folder.path()).env("LD_LIBRARY_PATH", &driver).env("TILETC_CACHE", "off");
        let outcome = tool.output().unwrap();
        (outcome.status.code(), String::from_utf8(outcome.stderr).unwrap())
    };
    let (code, errors) = tuned(2, 4);
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("the virtual device reports races or accesses out of bounds"), "{errors}");
    assert!(!errors.contains("too large"), "{errors}");
    assert!(!folder.path().join("new.json").exists());
    let (code, errors) = tuned(4, 4);
    assert_eq!(code, Some(0), "{errors}");
    assert!(folder.path().join("new.json").exists());
    // Of what it would need minutes for, the twin knows nothing.
    let (code, errors) = tuned(2, 2_000_000);
    assert!(code == Some(0) && errors.contains("too large"), "{code:?} {errors}");
}

#[test]
fn devices_without_timestamps_are_refused() {
    let (text, given) = product("f32", "f32", [8, 8, 8]);
    let folder = Folder::new(&text);
    let on = |name: &str, texts: (&str, &str)| {
        let driver = folder.path().join(name);
        fs::create_dir(&driver).unwrap();
        fake::level_zero(&driver, texts)?;
        let mut tool = Command::new(env!("CARGO_BIN_EXE_tiletc"));
        tool.args(["tune", "kernel.ir", "-d", "level_zero:0", "--budget", "0.05", "--hot"]).args(&given);
        tool.args(["--table", "new.json"]).current_dir(folder.path());
        Ok::<_, std::io::Error>(
            tool.env("LD_LIBRARY_PATH", driver).env("TILETC_CACHE", "off").output().unwrap(),
        )
    };
    let outcome = match on("timeless", fake::TIMELESS) {
        Ok(outcome) => outcome,
        Err(error) => return skip::skip(format!("no C compiler: {error}")),
    };
    let errors = String::from_utf8(outcome.stderr).unwrap();
    assert_eq!(outcome.status.code(), Some(2), "{errors}");
    assert!(errors.contains("the device has no timestamps, without which no kernel is timed"), "{errors}");
    assert!(outcome.stdout.is_empty() && !folder.path().join("new.json").exists());
    // It is nothing else.
    let outcome = on("timed", ("", "")).unwrap();
    assert!(outcome.status.success() && folder.path().join("new.json").exists());
}
