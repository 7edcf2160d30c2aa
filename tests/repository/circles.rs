//! Files that import each other in circles.

use crate::imports::Crate;
use crate::sources::SourceFile;
use std::collections::{BTreeMap, BTreeSet};

/// Files whose imports do not count, with the reason. Each is named in `docs/ARCHITECTURE.md`.
const EXCEPTED: [(&str, &str); 1] = [(
    "src/ir/instructions.rs",
    "the table of instructions names the types of fields, and everything names the table",
)];

/// A description of every circle among the files below `root`, the shortest way round.
pub fn circles(root: &str, files: &[SourceFile]) -> Vec<String> {
    let sources = Crate::read(root, files);
    let mut imports = sources.imports();
    for (file, _) in EXCEPTED {
        imports.remove(file);
    }
    let mut found = Vec::new();
    // Files of circles that were found are taken out, so that each circle is said once.
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for &file in imports.keys() {
        let Some(circle) =
            shortest(&imports, file).filter(|circle| !circle.iter().any(|file| seen.contains(file)))
        else {
            continue;
        };
        let mut text = format!("circle: {file}");
        for pair in circle.windows(2) {
            let [from, to] = pair else { continue };
            let path = imports.get(from).and_then(|of| of.get(to)).map_or("", String::as_str);
            text += &format!(" → {to} ({path})");
        }
        found.push(text);
        seen.extend(circle);
    }
    found
}

/// The shortest way from a file back to it.
fn shortest<'s>(
    imports: &BTreeMap<&'s str, BTreeMap<&'s str, String>>,
    start: &'s str,
) -> Option<Vec<&'s str>> {
    let mut ways = vec![vec![start]];
    let mut visited = BTreeSet::new();
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            for &next in way.last().and_then(|last| imports.get(last)).into_iter().flat_map(BTreeMap::keys) {
                let way: Vec<&str> = way.iter().copied().chain([next]).collect();
                if next == start {
                    return Some(way);
                }
                if visited.insert(next) {
                    longer.push(way);
                }
            }
        }
        ways = longer;
    }
    None
}

#[test]
fn planted_circles_are_found() {
    let check = |files: &[(&str, &str)]| {
        let files: Vec<_> =
            files.iter().map(|(name, text)| crate::sample(&format!("src/{name}"), text)).collect();
        circles("src", &files)
    };
    let facade = ("m/mod.rs", "mod a; mod b; mod c; pub use a::A; pub use b::*;");
    assert_eq!(
        check(&[facade, ("m/a.rs", "use super::B; pub struct A;"), ("m/b.rs", "pub struct B;")]),
        [""; 0]
    );
    let tests = "pub struct B; #[cfg(test)] mod tests { use super::super::A; }";
    assert_eq!(check(&[facade, ("m/a.rs", "use super::B; pub struct A;"), ("m/b.rs", tests)]), [""; 0]);
    let found = check(&[
        facade,
        ("m/a.rs", "use super::B; pub struct A;"),
        ("m/b.rs", "use crate::m::A; pub struct B;"),
    ]);
    assert_eq!(found, ["circle: src/m/a.rs → src/m/b.rs (m::B) → src/m/a.rs (m::A)"]);
    let long = [("a.rs", "use crate::b::B;"), ("b.rs", "use super::c;"), ("c.rs", "fn f(a: crate::a::A) {}")];
    assert_eq!(check(&long).len(), 1);
    let own = [("m/mod.rs", "mod a; use a::A; pub struct M;"), ("m/a.rs", "use super::M; pub struct A;")];
    assert_eq!(check(&own).len(), 1);
}
