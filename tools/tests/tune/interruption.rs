//! Ctrl-C: the first one keeps what is known, the second one kills.

use super::common::{Folder, Outcome, PRODUCT, arguments};
use super::skip;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tiletc::runtime::opencl;

/// Starts tuning the product, and waits until it looks out for Ctrl-C.
fn start(folder: &Folder, members: usize, more: &[&str]) -> Child {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_tiletc"));
    tool.args(["tune", "kernel.ir", "--table", "tuning.json"]).args(arguments(24, members)).args(more);
    tool.current_dir(folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = tool.spawn().unwrap();
    wait_until(|| {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap().trim();
        u64::from_str_radix(caught, 16).unwrap() >> (Signal::INT.as_raw() - 1) & 1 == 1
    });
    child
}

fn wait_until(mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing happens");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn interrupt(child: &Child) {
    kill_process(Pid::from_child(child), Signal::INT).unwrap();
}

fn end(child: Child) -> Outcome {
    let output = child.wait_with_output().unwrap();
    let [text, errors] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    Outcome { code: output.status.code().unwrap_or(-1), text, errors }
}

/// The numbers of configs that were compiled, compared and timed, as the note tells.
fn told(outcome: &Outcome) -> [usize; 3] {
    let note = outcome.errors.lines().find(|line| line.starts_with("interrupted: ")).unwrap();
    let words = note.split(|letter: char| !letter.is_ascii_digit()).filter_map(|word| word.parse().ok());
    words.collect::<Vec<usize>>().try_into().unwrap()
}

/// The kinds of the entries that are kept.
fn kept(folder: &Folder) -> Vec<String> {
    let Ok(text) = fs::read_to_string(folder.table()) else { return Vec::new() };
    let table: Value = serde_json::from_str(&text).unwrap();
    let kind = |entry: &Value| {
        let (kind, figure) = entry["figure"].as_object().unwrap().iter().next().unwrap();
        assert!(kind != "estimated" || figure["cycles"].is_number(), "{entry}");
        kind.clone()
    };
    table["entries"].as_array().unwrap().iter().map(kind).collect()
}

/// Makes sure that table and report have what the note says.
fn look(folder: &Folder, outcome: &Outcome) {
    assert_eq!(outcome.code, 130, "{}", outcome.errors);
    let [compiled, compared, timed] = told(outcome);
    let count = |kind: &str| kept(folder).iter().filter(|known| *known == kind).count();
    assert_eq!([count("estimated") + count("measured"), count("measured")], [compiled, timed]);
    assert!(compared <= compiled && timed <= compared, "{}", outcome.errors);
    let value: Value = serde_json::from_str(&outcome.text).unwrap();
    let shown = value["configs"].as_array().map_or(0, Vec::len);
    assert_eq!(shown, kept(folder).len());
    let message = value["diagnostics"].as_array().unwrap().last().unwrap();
    assert_eq!(message["severity"], "warning");
    assert!(outcome.errors.contains(message["message"].as_str().unwrap()), "{message}");
}

#[test]
fn what_is_known_of_a_model_is_kept() {
    for wait in [0, 700] {
        let folder = Folder::new(PRODUCT);
        let child = start(&folder, 4000, &["--model", "--json"]);
        std::thread::sleep(Duration::from_millis(wait));
        interrupt(&child);
        let outcome = end(child);
        look(&folder, &outcome);
        let [_, compared, timed] = told(&outcome);
        assert!(compared < 8 && timed == 0, "{}", outcome.errors);
    }
}

#[test]
fn what_is_known_of_times_is_kept() {
    if let Err(error) = opencl::devices() {
        return skip::skip(error);
    }
    // How long it takes until times are known within 1 % depends on the machine.
    let outcomes = [1500, 500, 100, 0].into_iter().map(|wait| {
        let folder = Folder::new(PRODUCT);
        let wide = ["-d", "opencl", "--json", "--budget", "1000", "--where", "subgroup_size >= 32"];
        let child = start(&folder, 64, &wide);
        wait_until(|| folder.table().exists());
        std::thread::sleep(Duration::from_millis(wait));
        interrupt(&child);
        (end(child), folder)
    });
    let (outcome, folder) = outcomes.into_iter().find(|(outcome, _)| outcome.code != 0).unwrap();
    look(&folder, &outcome);
    let [compiled, compared, _] = told(&outcome);
    assert!(compiled > 0 && compiled == compared, "{}", outcome.errors);
}

#[test]
fn the_second_one_kills() {
    let folder = Folder::new(PRODUCT);
    let mut child = start(&folder, 200_000, &["--model"]);
    // The simulation of a launch takes seconds.
    std::thread::sleep(Duration::from_millis(700));
    interrupt(&child);
    std::thread::sleep(Duration::from_millis(100));
    assert!(child.try_wait().unwrap().is_none());
    interrupt(&child);
    let killed = Instant::now();
    assert_eq!(child.wait().unwrap().signal(), Some(Signal::INT.as_raw()));
    assert!(killed.elapsed() < Duration::from_secs(1) && !folder.table().exists());
}
