//! Thread safety of the functions of the C interface: a line in the documentation of each.

use std::fmt::Write as _;

use anyhow::{Result, ensure};

use crate::prototypes::{self, Prototype};

/// Start of each line.
const START: &str = "Threads: ";

/// Kinds of handles, `tiletc_KIND_t`.
const HANDLES: &[&str] = &[
    "attr",
    "binary",
    "compiler_context",
    "core_info",
    "func",
    "inst",
    "inst_iterator",
    "prog",
    "recipe",
    "recipe_handler",
    "region",
    "spv_mod",
    "type",
    "value",
];

/// Rule for threads of a function, as its prototype tells.
pub fn rule(function: &Prototype) -> &'static str {
    let types = || function.parameters.iter().map(|parameter| parameter.ty.as_str());
    if types().any(is_of_runtime) || types().eq(["tiletc_cl_object_t", "void *"]) {
        "any that the runtime lets use its handles; tiletc's own are good for the whole call, or refused."
    } else if function.name.ends_with("_release") || function.name.ends_with("_destroy") {
        "any; a call of another thread with the handle goes on to its end, or is refused."
    } else if types().any(is_borrowed) && types().any(is_handle) {
        "any; nobody may free the object while what is stored is read."
    } else if types().any(is_handle) {
        "any; a handle that another thread frees meanwhile is good for the whole call, or refused."
    } else {
        "any, at any time."
    }
}

/// Returns whether a parameter is a handle of OpenCL or Level Zero, or a pointer to one.
fn is_of_runtime(ty: &str) -> bool {
    let plain = ty.strip_prefix("const ").unwrap_or(ty);
    plain.starts_with("cl_") || plain.starts_with("ze_")
}

/// Returns whether a parameter is a handle, or an array of them.
fn is_handle(ty: &str) -> bool {
    let plain = ty.strip_prefix("const ").map_or(ty, |ty| ty.trim_end_matches([' ', '*']));
    let plain = plain.strip_prefix("const_").unwrap_or(plain);
    let kind = plain.strip_prefix("tiletc_").and_then(|rest| rest.strip_suffix("_t"));
    kind.is_some_and(|kind| HANDLES.contains(&kind))
}

/// Returns whether a pointer into an object is stored through a parameter.
fn is_borrowed(ty: &str) -> bool {
    ty.starts_with("const ") && ty.matches('*').count() >= 2
}

/// A header that cbindgen has written, with a line for each function.
pub fn annotate(header: &str) -> Result<String> {
    let functions = prototypes::read(header)?;
    let mut functions = functions.iter();
    let mut text = String::new();
    for line in header.lines() {
        if line.starts_with("TILETC_EXPORT") {
            let function = functions.next();
            let _ = writeln!(text, "///\n/// {START}{}", function.map_or("", rule));
        }
        let _ = writeln!(text, "{line}");
    }
    check("the header", &text)?;
    Ok(text)
}

/// Fails unless the comment before each function of a header ends with its line.
pub fn check(name: &str, header: &str) -> Result<()> {
    let functions = prototypes::read(header)?;
    let mut functions = functions.iter();
    let mut comment: Vec<&str> = Vec::new();
    for line in header.lines() {
        if line.starts_with("TILETC_EXPORT") {
            let Some(function) = functions.next() else { break };
            let wanted = format!("{START}{}", rule(function));
            let said = comment.join(" ");
            let function = &function.name;
            ensure!(said.contains(&wanted), "{name} does not say of {function}: {wanted}");
            comment.clear();
        } else if line.trim_start().starts_with(['/', '*']) {
            comment.push(line.trim().trim_start_matches(['/', '*']).trim());
        } else {
            comment.clear();
        }
    }
    ensure!(functions.next().is_none(), "{name} has functions in an order that nobody knows");
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_function_says_what_threads_may_do() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        for name in ["tiletc.h", "tiletc_cl.h", "tiletc_ze.h"] {
            let header = std::fs::read_to_string(root.join("include/tiletc").join(name)).unwrap();
            check(name, &header).unwrap();
            // One that is missing is noticed.
            let at = header.rfind(START).unwrap();
            assert!(check(name, &[&header[..at], &header[at + START.len()..]].concat()).is_err());
        }
    }

    #[test]
    fn rules_follow_from_prototypes() {
        let rule = |declaration: &str| rule(&prototypes::read(declaration).unwrap()[0]);
        for (declaration, words) in [
            ("TILETC_EXPORT const char *tiletc_status_to_string(tiletc_status_t status);", "at any time"),
            ("TILETC_EXPORT tiletc_status_t tiletc_prog_release(tiletc_prog_t obj);", "goes on to its end"),
            (
                "TILETC_EXPORT tiletc_status_t tiletc_prog_dump(const_tiletc_prog_t prg);",
                "another thread frees",
            ),
            (
                "TILETC_EXPORT tiletc_status_t tiletc_a(size_t n, const tiletc_value_t *all);",
                "another thread frees",
            ),
            (
                "TILETC_EXPORT tiletc_status_t tiletc_name(const_tiletc_value_t v, const char **name);",
                "nobody may free",
            ),
            ("TILETC_EXPORT tiletc_status_t tiletc_make(tiletc_prog_t *prg);", "at any time"),
            ("TILETC_EXPORT tiletc_status_t tiletc_cl_a(cl_kernel kernel, size_t *size);", "runtime"),
        ] {
            assert!(rule(declaration).contains(words), "{declaration}");
        }
    }
}
