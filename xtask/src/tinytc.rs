//! tinytc's C interface, which follows from the headers in `include/tiletc`: the headers in `include/tinytc`
//! declare its types, macros and functions, and the sources in `tinytc` define the functions, each of which
//! calls ours. The other files of these folders are written by hand.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use crate::headers::append;
use crate::prototypes::{self, Prototype};
use crate::random_calls;

/// tinytc's functions under our names; others of ours have no name there.
const SYMBOLS: &str = "tests/ffi/symbols.txt";

/// Types that tinytc does not have.
const OWN_TYPES: [&str; 8] = [
    "tiletc_bench_launch_t",
    "tiletc_bench_summary_t",
    "tiletc_cache_counters_t",
    "tiletc_kernel_arg_t",
    "tiletc_launch_plan_t",
    "tiletc_log_callback_t",
    "tiletc_recipe_handler_callbacks_t",
    "tiletc_tuner_t",
];

/// Macros that `export.h` and `version.h` define, or that are no business of a program.
const OTHER_MACROS: [&str; 5] =
    ["TILETC_VERSION_", "TILETC_HAS_", "TILETC_EXPORT", "TILETC_NO_EXPORT", "TILETC_DEPRECATED"];

/// Macros that keep their values of tinytc 0.4, which a program may check, while ours have grown.
const FIXED_MACROS: [(&str, &str); 2] = [("TILETC_ENUM_NUM_STATUS", "94"), ("TILETC_ENUM_NUM_OPTFLAG", "1")];

/// The first lines of a file.
const NOTICE: &str = "\
/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Written by `cargo xtask headers` from the headers in include/tiletc.
 */
";

/// OpenCL's types as its header declares them, which need not be there when the library is built.
const OPENCL_TYPES: &str = "
/* The types of OpenCL, whose header need not be installed */
typedef uint32_t cl_uint;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_program *cl_program;
typedef struct _cl_kernel *cl_kernel;
typedef struct _cl_event *cl_event;
";

/// Writes the files, or with `check` fails if one of them is out of date. They follow from `tiletc.h`, which has to
/// be written first.
pub fn write(check: bool) -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask has no parent folder")?;
    let read = |path: PathBuf| {
        std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    let symbols = read(root.join(SYMBOLS))?;
    let include = root.join("include");
    let header = |name| Header::read(&read(include.join("tiletc").join(name))?, &symbols);
    let (core, cl, ze) = (header("tiletc.h")?, header("tiletc_cl.h")?, header("tiletc_ze.h")?);
    let of = |part: Part| core.functions.iter().filter(move |function| part_of(&function.name) == part);

    let headers = include.join("tinytc");
    let sources = root.join("tinytc");
    let files = [
        (headers.join("types.h"), TYPES.text(&core.names(), of(Part::Types))),
        (headers.join("core.h"), CORE.text("", of(Part::Core))),
        (headers.join("builder.h"), BUILDER.text("", of(Part::Builder))),
        (headers.join("tinytc_cl.h"), CL.text(&cl.names(), &cl.functions)),
        (headers.join("tinytc_ze.h"), ZE.text(&ze.names(), &ze.functions)),
        (sources.join("tinytc.c"), source("#include <tinytc/tinytc.h>\n", "", &core.functions)),
        (
            sources.join("tinytc_cl.c"),
            source(
                "#include <tinytc/types.h>\n\n#include <stddef.h>\n",
                &format!("{OPENCL_TYPES}{}", declarations(&cl.functions)),
                &cl.functions,
            ),
        ),
        (sources.join("tinytc_ze.c"), source("#include <tinytc/tinytc_ze.h>\n", "", &ze.functions)),
        (
            root.join("tests/cpp/random_calls/tinytc.inc"),
            random_calls::list_of_tinytc([&core, &cl, &ze].into_iter().flat_map(|header| &header.functions)),
        ),
    ];
    for (path, text) in files {
        crate::headers::put(&path, &text, check)?;
    }
    Ok(())
}

/// Header in `include/tiletc` and what it offers to programs written for tinytc.
struct Header {
    functions: Vec<Prototype>,
    types: Vec<String>,
    macros: Vec<String>,
}

impl Header {
    /// Reads a header; `symbols` lists the functions of tinytc.
    fn read(text: &str, symbols: &str) -> Result<Self> {
        let symbols: BTreeSet<&str> = symbols.lines().collect();
        let mut functions = prototypes::read(text)?;
        functions.retain(|function| symbols.contains(function.name.as_str()));
        ensure!(!functions.is_empty(), "{SYMBOLS} has no function of the header");
        let lines = || text.lines().filter(|line| !line.starts_with("///"));
        let types = lines().filter_map(type_name).map(str::to_owned).collect();
        let macros = lines().filter_map(macro_name).map(str::to_owned).collect();
        Ok(Self { functions, types, macros })
    }

    /// The types and macros under their names in tinytc.
    fn names(&self) -> String {
        let mut text = String::new();
        for name in &self.types {
            let _ = writeln!(text, "typedef {name} {};", original(name));
        }
        if !self.types.is_empty() {
            text.push('\n');
        }
        for name in &self.macros {
            let number = FIXED_MACROS.iter().find_map(|(fixed, number)| (fixed == name).then_some(number));
            let _ = writeln!(text, "#define {} {}", original(name), number.unwrap_or(&name.as_str()));
        }
        text.push('\n');
        text
    }
}

/// The name that a line of a header gives to a type which is tinytc's, too. The enumerations have their names in
/// tinytc already.
fn type_name(line: &str) -> Option<&str> {
    let definition = line.strip_prefix("typedef ")?.strip_suffix(';')?;
    let name = match definition.split_once("(*") {
        Some((_, rest)) => rest.split(')').next()?,
        None => definition.rsplit([' ', '*']).next()?,
    };
    let is_ours = name.starts_with("tiletc_") || name.starts_with("const_tiletc_");
    let is_enumeration = definition.starts_with("tinytc_");
    (is_ours && name.ends_with("_t") && !is_enumeration && !OWN_TYPES.contains(&name)).then_some(name)
}

/// The macro that a line of a header defines, if programs use it.
fn macro_name(line: &str) -> Option<&str> {
    let name = line.strip_prefix("#define ")?.split([' ', '(']).next()?;
    let is_ours = name.starts_with("TILETC_") && !name.ends_with("_H");
    (is_ours && !OTHER_MACROS.iter().any(|other| name.starts_with(other))).then_some(name)
}

/// A name or a declaration as tinytc spells it.
fn original(text: &str) -> String {
    text.replace("tiletc_", "tinytc_").replace("TILETC_", "TINYTC_")
}

/// The headers of tinytc among which the functions of `tiletc.h` are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Types,
    Core,
    Builder,
}

/// Prefixes of what the functions of `core.h` are about.
const CORE_PREFIXES: [&str; 12] = [
    "bf16_as_",
    "binary_",
    "compiler_context_",
    "core_info_",
    "f16_as_",
    "f32_to_",
    "list_function_passes",
    "parse_",
    "prog_",
    "run_function_pass",
    "spirv_assemble",
    "spv_mod_",
];

fn part_of(function: &str) -> Part {
    let name = function.strip_prefix("tiletc_").unwrap_or(function);
    let ends_in = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    if ends_in(&["_retain", "_release", "_destroy"])
        || name.ends_with("_to_string") && !name.ends_with("_print_to_string")
    {
        return Part::Types;
    }
    // Programs are made of text here, of functions there.
    let is_core = CORE_PREFIXES.iter().any(|prefix| name.starts_with(prefix));
    if is_core && !["prog_create", "prog_add_function"].contains(&name) { Part::Core } else { Part::Builder }
}

/// A header of tinytc around its declarations.
struct Frame {
    doc: &'static str,
    guard: &'static str,
    includes: &'static str,
}

const TYPES: Frame = Frame {
    doc: "tinytc's types, enumerations, and what frees them.",
    guard: "TINYTC_TYPES_H",
    includes: "#include <tinytc/export.h>\n\n#include <stdint.h>\n",
};
const CORE: Frame = Frame {
    doc: "tinytc's compiler: context, parser, program, device description, passes, binary.",
    guard: "TINYTC_CORE_H",
    includes: "#include <tinytc/export.h>\n#include <tinytc/types.h>\n#include <tinytc/version.h>\n\n\
               #include <stddef.h>\n#include <stdint.h>\n",
};
const BUILDER: Frame = Frame {
    doc: "tinytc's constructors of programs, and recipes.",
    guard: "TINYTC_BUILDER_H",
    includes: "#include <tinytc/export.h>\n#include <tinytc/types.h>\n\n\
               #include <stddef.h>\n#include <stdint.h>\n",
};
const CL: Frame = Frame {
    doc: "tinytc on OpenCL.",
    guard: "TINYTC_CL_H",
    includes: "#include <tinytc/export.h>\n#include <tinytc/types.h>\n\n#include <tiletc/tiletc_cl.h>\n",
};
const ZE: Frame = Frame {
    doc: "tinytc on Level Zero.",
    guard: "TINYTC_ZE_H",
    includes: "#include <tinytc/export.h>\n#include <tinytc/types.h>\n\n#include <tiletc/tiletc_ze.h>\n",
};

impl Frame {
    fn text<'a>(&self, names: &str, functions: impl IntoIterator<Item = &'a Prototype>) -> String {
        let Self { doc, guard, includes } = self;
        let mut text = format!("{NOTICE}\n/** \\file\n * {doc}\n *\n");
        text.push_str(
            " * Functions and types are described under their names in tiletc (include/tiletc).\n */\n\n",
        );
        let _ = write!(text, "#ifndef {guard}\n#define {guard}\n\n{includes}\n{names}");
        text.push_str("#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
        for function in functions {
            let _ = writeln!(text, "{};", original(&head("TILETC_EXPORT ", function)));
        }
        let _ = writeln!(text, "\n#ifdef __cplusplus\n}}\n#endif\n\n#endif /* {guard} */");
        text
    }
}

/// `PREFIX RESULT NAME(PARAMETERS)`
fn head(prefix: &str, function: &Prototype) -> String {
    let Prototype { name, result, parameters, .. } = function;
    let mut text = String::new();
    let mut line = format!("{prefix}{}{name}(", before_name(result));
    match parameters.split_first() {
        None => line.push_str("void"),
        Some((first, rest)) => {
            let _ = write!(line, "{}{}", before_name(&first.ty), first.name);
            for parameter in rest {
                append(&mut text, &mut line, &format!("{}{}", before_name(&parameter.ty), parameter.name));
            }
        }
    }
    format!("{text}{line})")
}

/// A type with what separates it from the name behind it.
fn before_name(ty: &str) -> String {
    if ty.ends_with('*') { ty.to_owned() } else { format!("{ty} ") }
}

/// Our functions for a source that does not include their header.
fn declarations(functions: &[Prototype]) -> String {
    let mut text = "\n/* Declarations of tiletc_cl.h */\n".to_owned();
    for function in functions {
        let _ = writeln!(text, "{};", head("TILETC_EXPORT ", function));
    }
    text
}

/// A source that defines functions of tinytc by ours.
fn source(includes: &str, declarations: &str, functions: &[Prototype]) -> String {
    let mut text = format!("{NOTICE}\n{includes}{declarations}");
    for function in functions {
        let arguments: Vec<&str> =
            function.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let result = if function.result == "void" { "" } else { "return " };
        let _ = writeln!(text, "\n{} {{", original(&head("TILETC_EXPORT ", function)));
        let _ = writeln!(text, "    {result}{}({});\n}}", function.name, arguments.join(", "));
    }
    text
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    const HEADER: &str = "\
#ifndef TILETC_X_H
#define TILETC_X_H
#define TILETC_VERSION_MAJOR 0
#define TILETC_TRY(X) do { int tiletc_local_ = (X); } while (0)
/// Colors.
typedef enum {
    tiletc_color_red = 0, ///< see tiletc_blue
} tinytc_color_t;
/// Colors.
typedef tinytc_color_t tiletc_color_t;
typedef const struct tinytc_prog *const_tiletc_prog_t;
typedef void (*tiletc_error_reporter_t)(const char *what, void *user_data);
typedef struct tiletc_cache_counters tiletc_cache_counters_t;
/// Copies.
TILETC_EXPORT const char *tiletc_color_to_string(tiletc_color_t val);
TILETC_EXPORT void tiletc_prog_dump(tiletc_prog_t *prog, size_t size);
TILETC_EXPORT tiletc_status_t tiletc_beyond(void);
";

    #[test]
    fn a_header_offers_the_names_that_tinytc_has() {
        let header = Header::read(HEADER, "tiletc_color_to_string\ntiletc_prog_dump\n").unwrap();
        assert_eq!(header.types, ["const_tiletc_prog_t", "tiletc_error_reporter_t"]);
        assert_eq!(
            header.names(),
            "typedef const_tiletc_prog_t const_tinytc_prog_t;\n\
             typedef tiletc_error_reporter_t tinytc_error_reporter_t;\n\n\
             #define TINYTC_TRY TILETC_TRY\n\n"
        );
        assert_eq!(
            source("", "", &header.functions).split_once("*/\n").unwrap().1,
            "\n\nTINYTC_EXPORT const char *tinytc_color_to_string(tinytc_color_t val) {\n    \
             return tiletc_color_to_string(val);\n}\n\n\
             TINYTC_EXPORT void tinytc_prog_dump(tinytc_prog_t *prog, size_t size) {\n    \
             tiletc_prog_dump(prog, size);\n}\n"
        );
        assert!(Header::read(HEADER, "").is_err());
    }

    /// The numbers that the API specification names.
    #[test]
    fn functions_are_divided_as_in_tinytc() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let symbols = std::fs::read_to_string(root.join(SYMBOLS)).unwrap();
        let core = |name: &&str| !name.starts_with("tiletc_cl_") && !name.starts_with("tiletc_ze_");
        let number = |part| symbols.lines().filter(core).filter(|name| part_of(name) == part).count();
        assert_eq!([Part::Types, Part::Core, Part::Builder].map(number), [33, 41, 160]);
    }
}
