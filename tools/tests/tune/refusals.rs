//! Command lines that make no sense: a sentence, exit code 2, and nothing written.

use super::common::{Folder, PRODUCT, arguments};
use std::fs;

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
    let alone = |arguments: &[&str]| folder.run("tune", arguments, None);
    assert_eq!(alone(&[]).code, 2);
    fs::write(folder.path().join("foreign.json"), "{\"format\": 9}").unwrap();
    let foreign = folder.tune(&["--table", "foreign.json", "--model"], &given);
    assert_eq!(foreign.code, 1);
    assert!(foreign.errors.contains("a tuning table of format 9"), "{}", foreign.errors);
}
