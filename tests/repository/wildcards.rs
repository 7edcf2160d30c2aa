//! Arms that stand for all other instructions or number types. In a `match` on instructions each is listed here with the
//! reason why it is right for one that does not exist yet: nothing is assumed of it, or it is refused. A `match` on number
//! types has none.

use crate::sources::{SourceFile, tokens};
use std::collections::BTreeSet;

/// Folders where instructions matter.
pub const FOLDERS: &[&str] = &["src/ir", "src/analysis", "src/passes", "src/schedule", "src/spirv"];

/// File, function, and why the arm is right.
pub const ALLOWED: &[(&str, &str, &str)] = &[
    ("src/analysis/constants.rs", "constant_of", "the value is not known"),
    ("src/analysis/constants.rs", "within", "any number of the type"),
    ("src/analysis/divisors.rs", "of_number", "divisible by 1 only"),
    ("src/analysis/divisors.rs", "of_tensor", "extents divisible by 1 only"),
    ("src/analysis/divisors.rs", "quotient", "the divisor is not known"),
    ("src/analysis/hidden_rows.rs", "carried_to", "may depend on all rows"),
    ("src/analysis/extents.rs", "from_source", "extents that the type leaves open are not known"),
    ("src/ir/cursor.rs", "yielded", "a test sees to it that only yield hands values on"),
    ("src/passes/fold/mod.rs", "fold", "not folded"),
    ("src/passes/insert_barrier.rs", "fences_of", "another declared synchronization is refused before"),
    ("src/passes/lower_coopmatrix.rs", "lower", "left as it is, and refused by the legality check"),
    ("src/passes/tile/bounds/apart.rs", "reached", "may mix rows or columns"),
    ("src/passes/lowering_rules.rs", "entry_region", "has no region that computes entries"),
    ("src/passes/lower_foreach.rs", "lower", "left as it is, and refused by the legality check"),
    (
        "src/analysis/chain.rs",
        "of",
        "decided by the declared effects; another use of the intermediate: no chain",
    ),
    ("src/passes/lower_linalg/mod.rs", "lower", "refused"),
    ("src/passes/set_stack_ptr.rs", "place_inst", "the end of an unknown allocation is refused"),
    ("src/passes/static_bounds.rs", "check_instruction", "not known to leave a tensor"),
    ("src/passes/tile/bounds/accesses.rs", "collect", "accesses of tiles are looked for in its regions"),
    ("src/passes/tile/bounds/versions.rs", "fast", "no access of a tile, which is all that was collected"),
    ("src/passes/tile/bounds/versions.rs", "uncheck", "no access of a tile, which is all that was collected"),
    ("src/passes/tile/lower/blocks.rs", "clips_rows", "decided by the declared effects"),
    ("src/passes/tile/lower/entries.rs", "copied", "a region that yields nothing is refused"),
    ("src/passes/tile/lower/entrywise.rs", "entrywise", "refused"),
    ("src/passes/tile/lower/mod.rs", "hoist_allocations", "a test sees to it that only alloca allocates"),
    ("src/passes/tile/lower/mod.rs", "insts", "only yield hands values on"),
    ("src/passes/tile/mask.rs", "bounds", "no access of a tile"),
    ("src/passes/tile/mask.rs", "conjunction", "the mask stays as it is"),
    ("src/passes/tile/mask.rs", "bounded", "no access of a tile, which is all that was found"),
    ("src/passes/tile/orient.rs", "connect_inst", "tiles that it uses and makes are connected"),
    ("src/passes/tile/orient.rs", "cost", "no access of a tile"),
    ("src/passes/tile/orient.rs", "transpose", "its tiles change their types alone"),
    ("src/passes/static_bounds.rs", "iterations", "a region that need not be carried out"),
    ("src/passes/access_classes.rs", "choose", "no access of a matrix, which is all that was collected"),
    ("src/schedule/joint.rs", "tiled_types", "takes components"),
    (
        "src/schedule/blockwise.rs",
        "is_independent",
        "decided by the declared effects, and no instruction on tiles",
    ),
    ("src/schedule/shape.rs", "shapes", "asks nothing of the schedule; its lowering would refuse it"),
    ("src/spirv/arithmetic.rs", "binary", "the divisor is not known"),
];

/// Returns whether a pattern names something that may get company.
type Names<'n> = dyn Fn(&[&str]) -> bool + 'n;

/// Returns whether a pattern names an instruction.
pub fn names_instruction(pattern: &[&str], instructions: &BTreeSet<&str>) -> bool {
    let is_one = |path: &[&str]| matches!(path, ["Op", "::", name, "("] if instructions.contains(name));
    pattern.windows(4).any(is_one)
}

/// Returns whether a pattern names a number type.
pub fn names_scalar(pattern: &[&str]) -> bool {
    pattern.windows(2).any(|path| path == ["Scalar", "::"])
}

/// Complaints about arms for all others that are not in the list, and about entries for nothing.
pub fn complaints(files: &[SourceFile], allowed: &[(&str, &str, &str)], names: &Names<'_>) -> Vec<String> {
    let is_test = |path: &str| path.split('/').any(|part| part == "tests" || part == "tests.rs");
    let found: BTreeSet<(&str, &str)> = files
        .iter()
        .filter(|file| !is_test(&file.path))
        .flat_map(|file| wildcards(file, names).into_iter().map(|function| (file.path.as_str(), function)))
        .collect();
    let allowed: BTreeSet<(&str, &str)> =
        allowed.iter().map(|&(path, function, _)| (path, function)).collect();
    let new = found.difference(&allowed).map(|(path, function)| {
        format!(
            "{path}: `{function}` says something of what does not exist yet; name all cases, or see ALLOWED"
        )
    });
    let old =
        allowed.difference(&found).map(|(path, function)| format!("{path}: `{function}` needs no exception"));
    new.chain(old).collect()
}

/// The functions of a file with a `match` that names some and has an arm for all others.
pub fn wildcards<'s>(file: &'s SourceFile, names: &Names<'_>) -> Vec<&'s str> {
    let tokens = tokens(&file.text);
    let mut function = "";
    let mut found = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        match *token {
            "fn" => function = tokens.get(i + 1).copied().unwrap_or_default(),
            "match" => {
                let patterns = patterns(tokens.get(i + 1..).unwrap_or_default());
                let is_open = |pattern: &[&str]| {
                    // Nothing but `_`, or a name for what has not been named, without a condition.
                    let rest: Vec<&str> =
                        pattern.iter().copied().filter(|token| !"(),_&".contains(token)).collect();
                    let is_name = |name: &str| name.starts_with(char::is_lowercase);
                    rest.is_empty() || matches!(rest.as_slice(), [name] if is_name(name))
                };
                if patterns.iter().any(|pattern| names(pattern))
                    && patterns.iter().any(|pattern| is_open(pattern))
                {
                    found.push(function);
                }
            }
            _ => {}
        }
    }
    found
}

/// The patterns of the arms of a `match`, from what it looks at on.
fn patterns<'t, 's>(tokens: &'t [&'s str]) -> Vec<&'t [&'s str]> {
    let mut depth = 0;
    let Some(open) = tokens.iter().position(|token| {
        depth += match *token {
            "(" | "[" => 1,
            ")" | "]" => -1,
            _ => 0,
        };
        depth == 0 && *token == "{"
    }) else {
        return Vec::new();
    };
    let mut patterns = Vec::new();
    let (mut depth, mut begin, mut in_pattern) = (0, open + 1, true);
    for (i, token) in tokens.iter().enumerate().skip(open + 1) {
        match *token {
            "(" | "[" | "{" => depth += 1,
            "}" if depth == 0 => break,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth != 0 {
            continue;
        }
        let next = tokens.get(i + 1).copied();
        if in_pattern && *token == "=" && next == Some(">") {
            patterns.extend(tokens.get(begin..i));
            in_pattern = false;
        } else if !in_pattern && (*token == "," || *token == "}" && next != Some(".") && next != Some("?")) {
            in_pattern = true;
            begin = if next == Some(",") { i + 2 } else { i + 1 };
        }
    }
    patterns
}
