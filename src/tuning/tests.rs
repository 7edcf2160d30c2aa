use super::*;
use crate::device::{Avoidance, Avoidances, CoreInfo};
use crate::ir::{FunctionAttributes, KStep, RegisterFile, SubgroupSize, WorkGroupSize};
use std::collections::BTreeMap;

fn key(text: &str) -> Key {
    Key::new(text.as_bytes(), &CoreInfo::from_name("pvc").unwrap())
}

fn config(subgroup_size: i32, k_step: Option<i32>) -> Config {
    Config::of(&FunctionAttributes {
        subgroup_size: Some(SubgroupSize(subgroup_size)),
        work_group_size: Some(WorkGroupSize([subgroup_size, 2])),
        k_step: k_step.map(KStep),
        ..FunctionAttributes::default()
    })
}

fn entry(text: &str, config: Config, figure: Figure) -> Entry {
    let (function, launch) = ("gemm".to_owned(), String::new());
    Entry { key: key(text), function, definitions: BTreeMap::new(), launch, config, figure }
}

fn measured(seconds: f64) -> Figure {
    let interval = [0.99 * seconds, 1.01 * seconds];
    Figure::Measured { seconds, interval, on: "a GPU".to_owned(), date: "2026-11-26".to_owned() }
}

fn estimated(cycles: f64) -> Figure {
    Figure::Estimated { cycles }
}

fn table(entries: impl IntoIterator<Item = Entry>) -> Table {
    let mut table = Table::default();
    entries.into_iter().for_each(|entry| table.insert(entry));
    table
}

#[test]
fn attributes_of_a_program_come_first() {
    let own = FunctionAttributes { k_step: Some(KStep(8)), ..FunctionAttributes::default() };
    let mut attributes = own.clone();
    config(16, Some(32)).complete(&mut attributes);
    let expected = FunctionAttributes {
        subgroup_size: Some(SubgroupSize(16)),
        work_group_size: Some(WorkGroupSize([16, 2])),
        ..own
    };
    assert_eq!(attributes, expected);
    assert_eq!(config(16, Some(32)).to_string(), "k_step=32, subgroup_size=16, work_group_size=[16,2]");
    assert!(Config::default().is_empty() && config(16, None).len() == 2);
    assert!(config(16, Some(8)).is_about_products() && !config(16, None).is_about_products());
    let small = Config::parse([("subgroup_size", "8"), ("order", "hilbert")].into_iter()).unwrap();
    assert!(small.is_about_order() && !config(16, Some(8)).is_about_order());
    assert_eq!(
        config(16, Some(8)).completed(&small).to_string(),
        "k_step=8, order=\"hilbert\", subgroup_size=16, work_group_size=[16,2]"
    );
}

#[test]
fn tables_are_text_and_back() {
    let large = FunctionAttributes { grf_size: Some(RegisterFile::Large), ..FunctionAttributes::default() };
    let definitions = BTreeMap::from([("BM".to_owned(), "64".to_owned())]);
    let whole = table([
        entry("a", config(16, Some(32)), measured(1e-5)),
        Entry { definitions, ..entry("a", Config::of(&large), estimated(12.5)) },
        entry("b", Config::default(), Figure::Failed("no room".to_owned())),
    ]);
    assert_eq!(Table::parse(whole.text().as_bytes()).unwrap(), whole);
    let refused = |text: &str| Table::parse(text.as_bytes()).unwrap_err().to_string();
    assert!(refused("").starts_with("no tuning table: "));
    assert_eq!(refused("{}"), "no tuning table: there is no number `format`");
    assert_eq!(refused("{\"format\": 1}"), "no tuning table: there is no list `entries`");
    let foreign = "a tuning table of format 2; this version of tiletc reads format 1";
    assert_eq!(refused("{\"format\": 2, \"entries\": []}"), foreign);
}

#[test]
fn times_are_written_as_they_were_read() {
    let times = [9.031363636363637e-7, 9.16818181818182e-7, 9.25e-7, 9.348181818181821e-7];
    let entries =
        times.iter().zip(1..).map(|(&time, step)| entry("f", config(16, Some(step)), measured(time)));
    let text = table(entries).text();
    assert_eq!(Table::parse(text.as_bytes()).unwrap().text(), text);
}

#[test]
fn entries_that_nobody_understands_are_left_out() {
    let good = table([entry("a", config(16, None), estimated(1.0))]);
    for bad in [
        good.text().replace("\"subgroup_size\":16", "\"subgroup_size\":\"x\""),
        good.text().replace("subgroup_size", "subgroup_syze"),
        good.text().replace("estimated", "guessed"),
        good.text().replace("\"function\":\"gemm\",", ""),
    ] {
        assert_ne!(bad, good.text());
        assert!(Table::parse(bad.as_bytes()).unwrap().is_empty(), "{bad}");
    }
}

#[test]
fn the_best_is_measured_if_anything_is() {
    let best = |table: &Table| table.best(&key("a")).map(|entry| entry.config.clone());
    let [first, second, third] = [8, 16, 32].map(|size| config(size, None));
    let mut all = table([
        entry("a", first.clone(), estimated(100.0)),
        entry("a", second.clone(), estimated(99.5)),
        entry("a", third.clone(), estimated(120.0)),
        entry("b", third.clone(), estimated(1.0)),
    ]);
    // Half a per cent is noise; what was tried first is simpler.
    assert_eq!(best(&all), Some(first.clone()));
    all.insert(entry("a", third.clone(), measured(2e-5)));
    assert_eq!(best(&all), Some(third.clone()));
    all.insert(entry("a", second.clone(), measured(1e-5)));
    assert_eq!(best(&all), Some(second.clone()));
    // An estimate says less than what was measured, a failure more.
    all.insert(entry("a", second.clone(), estimated(1.0)));
    assert_eq!(best(&all), Some(second.clone()));
    all.insert(entry("a", second, Figure::Failed("wrong".to_owned())));
    assert_eq!(best(&all), Some(third.clone()));
    assert_eq!(all.best(&key("c")), None);
}

#[test]
fn what_the_driver_was_measured_with_comes_before_what_others_were() {
    let with = |version: &str, figure: Figure, entry: Entry| {
        let mut info = CoreInfo::from_name("pvc").unwrap();
        info.set_driver("a GPU", version);
        Entry { key: Key::new(b"a", &info), figure, ..entry }
    };
    let [small, large] = [config(16, None), config(32, None)].map(|it| entry("a", it, estimated(1.0)));
    let old = with("1.0", measured(1e-5), small.clone());
    let new = with("2.0", measured(2e-5), large.clone());
    let guess = with("2.0", estimated(3.0), small.clone());
    let all = table([large.clone(), old.clone(), new.clone(), guess]);
    assert_eq!(all.entries().len(), 4);
    assert_eq!(all.best(&new.key), Some(&new));
    assert_eq!(all.best(&old.key), Some(&old));
    // Nothing was measured with these; a driver that is not known takes what is fastest.
    assert_eq!(all.best(&with("3.0", estimated(1.0), small.clone()).key), Some(&old));
    assert_eq!(all.best(&small.key), Some(&old));
    assert_eq!(table([large.clone()]).best(&new.key), Some(&large));
    assert_eq!(all.find(&old.key, &large.config), None);
    // Times with different drivers are not compared where there are some with the driver at hand.
    assert_eq!(all.find_of_any_driver(&old.key, &large.config), None);
    assert_eq!(all.find_of_any_driver(&new.key, &large.config), Some(&new));
    assert_eq!(
        all.find_of_any_driver(&with("3.0", estimated(1.0), small.clone()).key, &large.config),
        Some(&new)
    );
    let text = all.text();
    assert!(text.contains("\"driver\":\"a GPU, 2.0\"") && text.matches("driver").count() == 3, "{text}");
}

#[test]
fn devices_of_one_design_share_a_key() {
    let of = |info: &CoreInfo| Key::new(b"a", info).device;
    let info = |name: &str| CoreInfo::from_name(name).unwrap();
    assert_eq!(of(&info("pvc")), of(&CoreInfo::intel(0x030f_0007, 8, 8, &[16, 32])));
    assert_eq!(of(&info("bmg")), of(&info("lnl")));
    assert_ne!(of(&info("pvc")), of(&info("bmg")));
    let mut without = info("pvc");
    without.avoid(Avoidances::of(&[Avoidance::Block2d]));
    assert_eq!(of(&without), "xehpc without block2d");
    assert_eq!(of(&CoreInfo::cpu(2048, 8192, &[4, 8])), "cpu 2048 4-8 without atomic_float16_add");
}

#[test]
fn files_are_shared() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/tuning.json");
    std::thread::scope(|scope| {
        for size in [4, 8, 16, 32] {
            let path = &path;
            scope.spawn(move || {
                for k_step in 1..=8 {
                    table([entry("a", config(size, Some(k_step)), estimated(1.0))]).save(path).unwrap();
                }
            });
        }
    });
    assert_eq!(Table::read(&path).unwrap().entries().len(), 32);
    assert_eq!(Table::prune(&path, |entry| entry.config == config(4, Some(3))).unwrap(), 31);
    let one = table([entry("a", config(4, Some(3)), estimated(1.0))]);
    assert_eq!(Table::read(&path).unwrap(), one);
    for empty in ["", " \n"] {
        std::fs::write(&path, empty).unwrap();
        one.save(&path).unwrap();
        assert_eq!(Table::read(&path).unwrap(), one);
    }
    // Somebody has mistaken the file.
    for other in ["func @f() {}", "{\"format\": 1}"] {
        std::fs::write(&path, other).unwrap();
        let error = one.save(&path).unwrap_err().to_string();
        assert!(error.starts_with("cannot add to `") && error.contains(": no tuning table: "), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), other);
    }
    std::fs::write(&path, "{\"format\": 9}").unwrap();
    assert!(matches!(one.save(&path), Err(Error::Foreign { found: 9, known: 1 })));
    assert!(matches!(Table::read(folder.path()), Err(Error::File { action: "read", .. })));
    let within_a_file = one.save(&path.join("table.json"));
    assert!(matches!(within_a_file, Err(Error::File { action: "make the folder of", .. })));
}

#[test]
fn times_scale_and_what_is_not_measured_does_not() {
    let [whole, half] =
        [2.0, 1.0].map(|seconds| Figure::measured_now(seconds, [seconds, 2.0 * seconds], "a device"));
    assert_eq!(whole.scaled(0.5), half);
    let estimated = Figure::Estimated { cycles: 3.0 };
    assert_eq!(estimated.clone().scaled(0.5), estimated);
}

#[test]
fn products_of_configs_are_compared_without_sizes() {
    let wide = config(16, Some(8));
    assert!(wide.has_products_of(&config(32, Some(8))));
    assert!(!wide.has_products_of(&config(16, Some(4))));
    assert!(!wide.has_products_of(&Config::default()));
}

#[test]
fn times_of_other_launches_are_not_compared() {
    let of = |launch: &str, size: i32, figure: Figure| Entry {
        launch: launch.to_owned(),
        ..entry("a", config(size, None), figure)
    };
    let (small, other) = (of("x=8", 16, measured(1e-6)), entry("b", config(4, None), measured(1.0)));
    let mut all = table([small.clone(), of("x=8", 32, measured(2e-6)), other.clone()]);
    // What was measured last counts, and nothing else makes it give way.
    all.insert(of("x=64", 32, estimated(1.0)));
    all.insert(of("x=64", 8, Figure::Failed("no room".to_owned())));
    assert_eq!((all.entries().len(), all.best(&small.key)), (3, Some(&small)));
    let large = of("x=64", 32, measured(3e-6));
    all.insert(large.clone());
    assert_eq!(all, table([other.clone(), large.clone()]));
    let (guess, later) = (of("x=8", 8, estimated(1.0)), of("x=64", 8, estimated(2.0)));
    assert_eq!(table([guess, later.clone()]), table([later]));
    assert_eq!(Table::parse(all.text().as_bytes()).unwrap(), all);
    assert!(
        all.text().matches("\"launch\":\"x=64\"").count() == 1 && all.text().matches("launch").count() == 1
    );
}

#[test]
fn few_samples_replace_no_interval() {
    let once = Figure::Measured {
        seconds: 0.5,
        interval: [0.5; 2],
        on: "a GPU".to_owned(),
        date: "2026-11-30".to_owned(),
    };
    let figure_after = |figures: [Figure; 2]| {
        let mut kept = Table::default();
        figures.into_iter().for_each(|figure| kept.insert(entry("a", config(4, None), figure)));
        assert_eq!(kept.entries().len(), 1);
        kept.entries().first().unwrap().figure.clone()
    };
    assert_eq!(figure_after([measured(1.0), once.clone()]), measured(1.0));
    assert_eq!(figure_after([once.clone(), estimated(1.0)]), once);
    assert_eq!(figure_after([estimated(1.0), once.clone()]), once);
    assert_eq!(figure_after([once, measured(1.0)]), measured(1.0));
}
