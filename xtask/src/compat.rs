//! The names of tinytc: `include/tinytc/names.h` maps each to the tiletc name of the same meaning, for
//! every name the C headers declare. The other headers of that folder are written by hand.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

/// The headers whose names have a counterpart in tinytc.
const SOURCES: &[&str] = &["tiletc.h", "tiletc_cl.h", "tiletc_ze.h"];

/// Macros of which tinytc has its own (the version), or that are no business of a program.
const NOT_RENAMED: &[&str] = &["TILETC_VERSION_", "TILETC_HAS_"];

const FRONT: &str = "\
/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Written by `cargo xtask headers` from the headers in include/tiletc.
 *
 * A program written for tinytc means tiletc by every name below. The names are macros, so that they
 * work as types, tags, enumerators and functions alike, and so that the namespace can be reopened and
 * its templates be specialised.
 */

#ifndef TINYTC_NAMES_H
#define TINYTC_NAMES_H

/* tiletc's headers ask for it, which is why all others here include this one before those. */
#if defined(TINYTC_STATIC_DEFINE) && !defined(TILETC_STATIC_DEFINE)
#define TILETC_STATIC_DEFINE
#endif

#ifdef __cplusplus
#define tinytc tiletc
#endif

";

const BACK: &str = "
#endif /* TINYTC_NAMES_H */
";

/// Writes the header, or with `check` fails if it is out of date. It follows from `tiletc.h`, so that
/// header has to be written first.
pub fn write(check: bool) -> Result<()> {
    let include =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask has no parent folder")?.join("include");
    let mut names = BTreeSet::new();
    for source in SOURCES {
        let path = include.join("tiletc").join(source);
        let text =
            std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        names.extend(public_names(&text));
    }
    let path = include.join("tinytc").join("names.h");
    let text = names_header(&names)?;
    if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    if check {
        bail!("{} is out of date; run `cargo xtask headers`", path.display());
    }
    std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn names_header(names: &BTreeSet<String>) -> Result<String> {
    let mut text = FRONT.to_owned();
    for name in names {
        let original = name.replacen("tiletc", "tinytc", 1).replacen("TILETC", "TINYTC", 1);
        writeln!(text, "#define {original} {name}")?;
    }
    text.push_str(BACK);
    Ok(text)
}

/// What a header declares or defines under our prefix.
fn public_names(header: &str) -> BTreeSet<String> {
    let code = without_comments(header);
    let mut names = BTreeSet::new();
    for line in code.lines().map(str::trim_start) {
        if line.starts_with("#include") {
            continue;
        }
        // Of the macros only those count that are defined here; the include guards do not.
        let defined = line.strip_prefix("#define ").and_then(|rest| identifiers(rest).next());
        names.extend(defined.filter(|name| is_public_macro(name)).map(str::to_owned));
        names.extend(identifiers(line).filter(|name| is_public_name(name)).map(str::to_owned));
    }
    names
}

fn is_public_macro(name: &str) -> bool {
    name.starts_with("TILETC_")
        && !name.ends_with("_H")
        && !NOT_RENAMED.iter().any(|prefix| name.starts_with(prefix))
}

/// Types, tags, enumerators and functions. A trailing underscore marks what is local to a macro.
fn is_public_name(name: &str) -> bool {
    (name.starts_with("tiletc_") || name.starts_with("const_tiletc_")) && !name.ends_with('_')
}

fn identifiers(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

fn without_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("/*").into_iter().chain(rest.find("//")).min() {
        let (before, comment) = rest.split_at(start);
        code.push_str(before);
        let (end, skip) = if comment.starts_with("/*") { ("*/", 2) } else { ("\n", 0) };
        rest = comment.find(end).map_or("", |at| &comment[at + skip..]);
    }
    code.push_str(rest);
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_a_header_offers() {
        let header = "\
#ifndef TILETC_X_H
#define TILETC_X_H
#include \"tiletc_inner.h\"
#define TILETC_VERSION_MAJOR 0
/* tiletc_old_t */
#define TILETC_TRY(X) do { int tiletc_local_ = (X); } while (0)
typedef enum { tiletc_color_red = 0 /* see tiletc_blue */, tiletc_color_green } tiletc_color_t; // tiletc_z
typedef const struct tiletc_prog *const_tiletc_prog_t;
";
        let names: Vec<String> = public_names(header).into_iter().collect();
        assert_eq!(
            names,
            [
                "TILETC_TRY",
                "const_tiletc_prog_t",
                "tiletc_color_green",
                "tiletc_color_red",
                "tiletc_color_t",
                "tiletc_prog"
            ]
        );
    }
}
