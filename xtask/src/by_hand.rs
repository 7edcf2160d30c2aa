//! The headers for OpenCL and Level Zero, which are written by hand because the types of those APIs are known
//! there. What they declare is compared with what the Rust sources define.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};

use crate::prototypes::{self, Prototype};
use crate::threads;

/// The headers in `include/tiletc` and the sources in `src/ffi` with their functions.
const HEADERS: [(&str, &str); 2] = [("tiletc_cl.h", "cl.rs"), ("tiletc_ze.h", "ze.rs")];

/// Fails unless the headers declare the functions of the sources, with the same types and names of parameters
/// in the same order. `config` says how C spells the types.
pub fn check(root: &Path, config: &cbindgen::Config) -> Result<()> {
    for (header, source) in HEADERS {
        let path = root.join("include").join("tiletc").join(header);
        let text =
            std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let rust = root.join("src").join("ffi").join(source);
        compare((header, &text), (source, &declarations(&rust, config)?))?;
        threads::check(header, &text)?;
    }
    Ok(())
}

/// The C declarations of the functions in a Rust source.
fn declarations(source: &Path, config: &cbindgen::Config) -> Result<String> {
    let builder = cbindgen::Builder::new().with_config(config.clone()).with_src(source);
    let bindings =
        builder.generate().with_context(|| format!("cbindgen cannot read {}", source.display()))?;
    let mut text = Vec::new();
    bindings.write(&mut text);
    String::from_utf8(text).context("cbindgen wrote something else than text")
}

/// Compares two C texts, each with its name.
fn compare((header, declared): (&str, &str), (source, defined): (&str, &str)) -> Result<()> {
    let (declared, defined) = (signatures(declared)?, signatures(defined)?);
    ensure!(!defined.is_empty(), "{source} defines no function");
    if let Some(function) = declared.difference(&defined).next() {
        bail!("{header} declares `{function}`, which {source} does not define");
    }
    if let Some(function) = defined.difference(&declared).next() {
        bail!("{source} defines `{function}`, which {header} does not declare");
    }
    Ok(())
}

fn signatures(text: &str) -> Result<BTreeSet<String>> {
    Ok(prototypes::read(text)?.iter().map(signature).collect())
}

/// A function in one spelling, but for its documentation.
fn signature(function: &Prototype) -> String {
    let Prototype { name, result, parameters, .. } = function;
    let parameters: Vec<String> = parameters
        .iter()
        .map(|parameter| format!("{} {}", const_first(&parameter.ty), parameter.name))
        .collect();
    format!("{} {name}({})", const_first(result), parameters.join(", "))
}

/// `char const *` and `const char *` are the same.
fn const_first(ty: &str) -> String {
    match ty.split_once(" const *") {
        Some((pointee, rest)) if !pointee.contains('*') => format!("const {pointee} *{rest}"),
        _ => ty.to_owned(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    #[test]
    fn the_headers_declare_what_the_sources_define() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();
        check(root, &config).unwrap();
    }

    #[test]
    fn differences_are_found() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let header = std::fs::read_to_string(root.join("include/tiletc/tiletc_cl.h")).unwrap();
        let differs = |from: &str, to: &str| {
            assert!(header.contains(from), "{from}");
            compare(("a.h", &header.replacen(from, to, 1)), ("b.rs", &header)).unwrap_err().to_string()
        };
        compare(("a.h", &header), ("b.rs", &header)).unwrap();
        for (from, to) in [
            // Parameters that change places, with their types and without.
            ("cl_program *bundle, cl_context context", "cl_context context, cl_program *bundle"),
            (
                "const size_t *num_groups, const size_t *local_size",
                "const size_t *local_size, const size_t *num_groups",
            ),
            // Another type, one level of pointers less, no const.
            ("cl_device_id device", "cl_context device"),
            ("cl_event *event", "cl_event event"),
            ("const cl_event *wait_events", "cl_event *wait_events"),
            // Another result, another name, no function at all.
            ("void tiletc_cl_get_global_size", "tiletc_status_t tiletc_cl_get_global_size"),
            ("tiletc_cl_core_info_create", "tiletc_cl_info_create"),
            (
                "TILETC_EXPORT tiletc_status_t tiletc_cl_get_group_size",
                "tiletc_status_t tiletc_cl_get_group_size",
            ),
        ] {
            assert!(differs(from, to).contains("tiletc_cl_"), "{from}");
        }
        assert_eq!(
            differs(
                "tiletc_cl_get_group_size(cl_kernel kernel",
                "tiletc_cl_get_group_size(cl_program kernel"
            ),
            "a.h declares `tiletc_status_t tiletc_cl_get_group_size(cl_program kernel, size_t * local_size)`, \
             which b.rs does not define"
        );
        assert!(compare(("a.h", ""), ("b.rs", "")).is_err());
    }

    #[test]
    fn the_place_of_const_does_not_matter() {
        assert_eq!(const_first("char const *"), "const char *");
        assert_eq!(const_first("char const **"), "const char **");
        assert_eq!(const_first("const char *const *"), "const char *const *");
        assert_eq!(const_first("size_t"), "size_t");
    }
}
