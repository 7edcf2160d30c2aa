//! The headers that come from the Rust sources: `tiletc.h` from `src/ffi` by cbindgen, with the
//! enumerations and macros in front, `enums.hpp` from the tables of the enumerations, and the C++ headers
//! that follow from the functions of `tiletc.h`.

use std::ffi::c_int;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use tiletc::ffi::builder::{self, Prototype};
use tiletc::ffi::enums::{self, Case};

use crate::{by_hand, functors, prototypes, random_calls, threads};

/// First lines of each file.
pub const NOTICE: &str = "\
// SPDX-License-Identifier: BSD-3-Clause
//
// Written by `cargo xtask headers`; change src/ffi or xtask/src/headers.rs instead.
";

/// The sources that declare something for `tiletc.h`. The functions for OpenCL and Level Zero are declared by
/// hand, see [`by_hand`].
const SOURCES: &[&str] = &[
    "types",
    "names",
    "last_error",
    "log",
    "half_precision",
    "context",
    "cache",
    "tuning",
    "bench",
    "type_get",
    "attributes",
    "builder/value",
    "builder/inst",
    "builder/region",
    "builder/func",
    "program",
    "core_info",
    "compile",
    "spv_mod",
    "binary",
    "recipe",
    "recipe_handler",
    "tuner",
];

/// Writes the headers, or with `check` fails if one of them is out of date. Fails, too, if those that are written
/// by hand do not agree with the sources.
pub fn write(check: bool) -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask has no parent folder")?;
    let folder = root.join("include").join("tiletc");
    put(&root.join("src/ffi/builder/constructors.rs"), &constructors_source(), check)?;
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml"))
        .map_err(anyhow::Error::msg)
        .context("cannot read cbindgen.toml")?;
    by_hand::check(root, &config)?;
    let c = c_header(root, config)?;
    let functors = functors::headers(&prototypes::read(&c)?)?;
    let files =
        [("tiletc.h", threads::annotate(&c)?), ("enums.hpp", cpp_header())].into_iter().chain(functors);
    for (name, text) in files {
        put(&folder.join(name), &text, check)?;
    }
    let read = |name: &str| {
        std::fs::read_to_string(folder.join(name)).with_context(|| format!("cannot read {name}"))
    };
    let calls = random_calls::list(&read("tiletc.h")?, &[read("tiletc_cl.h")?, read("tiletc_ze.h")?])?;
    put(&root.join("tests/cpp/random_calls/functions.inc"), &calls, check)
}

/// Writes a file, or with `check` fails if it says something else.
pub fn put(path: &Path, text: &str, check: bool) -> Result<()> {
    let old = std::fs::read_to_string(path).ok();
    if old.as_deref() == Some(text) {
        return Ok(());
    }
    if check {
        bail!("{} is out of date; run `cargo xtask headers`", path.display());
    }
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn c_header(root: &Path, config: cbindgen::Config) -> Result<String> {
    let header = format!("{NOTICE}{}", c_introduction(root)?);
    let mut builder = cbindgen::Builder::new().with_config(config).with_header(header.trim_end());
    for source in SOURCES {
        builder = builder.with_src(root.join("src").join("ffi").join(format!("{source}.rs")));
    }
    for enumeration in enums::all() {
        builder = builder.exclude_item(format!("tiletc_{}_t", enumeration.name));
    }
    let front = format!("{}{}{}{}", export_macros(), version_macros(), c_enumerations(), structure_names());
    let bindings =
        builder.with_after_include(front.trim_end()).generate().context("cbindgen cannot read src/ffi")?;
    let mut text = Vec::new();
    bindings.write(&mut text);
    let text = String::from_utf8(text).context("cbindgen wrote something else than text")?;
    let end = text.rfind(END_OF_DECLARATIONS).context("cbindgen ends the header differently")?;
    let (declarations, end) = text.split_at(end);
    Ok(format!("{declarations}{}{end}", constructors()?).replace("\n\n\n", "\n\n"))
}

/// Text that follows the last declaration.
const END_OF_DECLARATIONS: &str = "\n#ifdef __cplusplus\n}";

/// The constructors of instructions, which cbindgen does not see since they come from tables.
fn constructors() -> Result<String> {
    let mut text = String::new();
    for prototype in builder::prototypes() {
        text.push('\n');
        for line in prototype.doc {
            let _ = writeln!(text, "///{line}");
        }
        let mut line = format!("TILETC_EXPORT tiletc_status_t {}(tiletc_inst_t *instr", prototype.name);
        for (name, ty) in &prototype.parameters {
            append(&mut text, &mut line, &format!("{}{name}", c_type(ty)?));
        }
        append(&mut text, &mut line, "const tiletc_location_t *loc");
        let _ = writeln!(text, "{line});");
    }
    Ok(text)
}

/// Columns of a line of Rust.
const RUST_WIDTH: usize = 110;

/// The source of the constructors that follow from declarations.
fn constructors_source() -> String {
    let mut text = String::from(
        "//! The constructors of instructions (API reference 4.6), which follow from their declarations.\n\
         //!\n\
         //! Written by `cargo xtask headers`; change src/ir/instructions.rs instead.\n\n\
         use super::super::types::*;\n\
         use super::functions;\n\n\
         functions! {\n    DECLARED;\n",
    );
    for Prototype { name, doc, mnemonic, parameters } in builder::declared_prototypes() {
        for line in doc {
            let _ = writeln!(text, "    ///{line}");
        }
        let list: Vec<String> = parameters.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
        let whole = format!("    {name}({}) [\"{mnemonic}\"];", list.join(", "));
        if whole.len() <= RUST_WIDTH {
            let _ = writeln!(text, "{whole}");
        } else {
            let _ = writeln!(text, "    {name}(");
            for parameter in list {
                let _ = writeln!(text, "        {parameter},");
            }
            let _ = writeln!(text, "    ) [\"{mnemonic}\"];");
        }
    }
    text.push_str("}\n");
    text
}

/// Adds a parameter to the last line of a text, or to a new one if there is no room.
pub fn append(text: &mut String, line: &mut String, parameter: &str) {
    const WIDTH: usize = 100;
    if line.len() + ", ".len() + parameter.len() + ");".len() > WIDTH {
        let _ = writeln!(text, "{line},");
        *line = format!("    {parameter}");
    } else {
        let _ = write!(line, ", {parameter}");
    }
}

/// The C spelling of a parameter's Rust type, with what separates it from the name.
fn c_type(rust: &str) -> Result<String> {
    let plain = |ty: &str| match ty {
        "usize" => Ok("size_t".to_owned()),
        "i32" | "i64" => Ok(format!("int{}_t", &ty[1..])),
        "f64" => Ok("double".to_owned()),
        ty if ty.starts_with("tiletc_") => Ok(ty.to_owned()),
        ty => bail!("no C type for the Rust type {ty}"),
    };
    match rust.strip_prefix("*const ") {
        Some(pointee) => Ok(format!("const {} *", plain(pointee)?)),
        None => Ok(format!("{} ", plain(rust)?)),
    }
}

/// The section of `src/ffi/mod.rs` that is meant for C, too.
const PROMISES: &str = "//! # Promises and demands of every function";

/// Introduction of the header, and what holds for all its functions.
fn c_introduction(root: &Path) -> Result<String> {
    let source =
        std::fs::read_to_string(root.join("src/ffi/mod.rs")).context("cannot read src/ffi/mod.rs")?;
    let section = source.lines().skip_while(|line| *line != PROMISES).skip(1);
    let section: Vec<&str> = section.take_while(|line| !line.starts_with("//! #")).collect();
    ensure!(!section.is_empty(), "src/ffi/mod.rs has no section `{PROMISES}`");
    let mut text = "\n/// \\file\n/// The C interface of tiletc, but the runtimes.\n".to_owned();
    for line in section {
        let _ = writeln!(text, "///{}", line.trim_start_matches("//!"));
    }
    let mut text = text.trim_end_matches(['/', '\n']).to_owned();
    text.push_str(TWO_NAMES);
    Ok(text)
}

/// Notes on the types, which are those of `include/tinytc` as well.
const TWO_NAMES: &str = "
/// - The structures and enumerations are tinytc's (`struct tinytc_prog`) and have two names, ours and
///   tinytc's, so that both kinds of programs exchange handles: C++ makes symbols of the tags.
";

/// Names of structures that C++ programs use without `struct`; their tags are tinytc's.
const STRUCTURES: [&str; 3] = ["position", "location", "named_attr"];

fn structure_names() -> String {
    let mut text = String::new();
    for name in STRUCTURES {
        let _ = writeln!(text, "/// C++ name of tiletc_{name}_t.");
        let _ = writeln!(text, "typedef struct tinytc_{name} tiletc_{name};");
    }
    text
}

fn export_macros() -> &'static str {
    "
#if defined(TILETC_STATIC_DEFINE) || !defined(__GNUC__)
#define TILETC_EXPORT
#define TILETC_NO_EXPORT
#else
/// Marks what a shared library shows.
#define TILETC_EXPORT __attribute__((visibility(\"default\")))
/// Marks what a shared library hides.
#define TILETC_NO_EXPORT __attribute__((visibility(\"hidden\")))
#endif
#if defined(__GNUC__)
/// Marks what programs should no longer use.
#define TILETC_DEPRECATED __attribute__((__deprecated__))
#else
#define TILETC_DEPRECATED
#endif
/// Shown, but deprecated.
#define TILETC_DEPRECATED_EXPORT TILETC_EXPORT TILETC_DEPRECATED
/// Hidden and deprecated.
#define TILETC_DEPRECATED_NO_EXPORT TILETC_NO_EXPORT TILETC_DEPRECATED

/// A size that is known at run time only, `?` in a program's text.
#define TILETC_DYNAMIC INT64_MIN
/// The bits of an IP version in which the devices of one architecture differ.
#define TILETC_INTEL_GPU_ARCHITECTURE_SUB_VERSION_BITS 0xfff

/// Returns the status of the call `X` from the enclosing function unless it is success.
#define TILETC_CHECK_STATUS(X)                                                                        \\
    do {                                                                                              \\
        tiletc_status_t tiletc_check_status_ = (X);                                                   \\
        if (tiletc_check_status_ != tiletc_status_success) {                                          \\
            return tiletc_check_status_;                                                              \\
        }                                                                                             \\
    } while (0)

"
}

/// The version of the workspace. The commit is no property of this file; a build that knows it says so.
fn version_macros() -> String {
    let mut numbers = env!("CARGO_PKG_VERSION").split('.');
    let mut text = String::new();
    for part in ["MAJOR", "MINOR", "PATCH"] {
        let number = numbers.next().unwrap_or("0");
        let _ = writeln!(text, "/// The {} version.", part.to_lowercase());
        let _ = writeln!(text, "#define TILETC_VERSION_{part} {number}");
    }
    text.push_str("/// Short commit id; a build that knows it defines it.\n");
    text.push_str("#ifndef TILETC_VERSION_HASH\n#define TILETC_VERSION_HASH \"unknown\"\n#endif\n");
    text.push_str("/// Commits since the release; a build that knows the number defines it.\n");
    text.push_str("#ifndef TILETC_VERSION_NUMBER_OF_COMMITS_SINCE_RELEASE\n");
    text.push_str("#define TILETC_VERSION_NUMBER_OF_COMMITS_SINCE_RELEASE 0\n#endif\n");
    text.push_str("/// `X` as a string, as it stands.\n");
    text.push_str("#define TILETC_VERSION_TEXT_(X) #X\n");
    text.push_str("/// Expansion of the macro `X`, as a string.\n");
    text.push_str("#define TILETC_VERSION_TEXT(X) TILETC_VERSION_TEXT_(X)\n");
    text.push_str("/// \"v<major>.<minor>.<patch>-<commits>-<hash>\"\n");
    text.push_str("#define TILETC_VERSION_DESCRIPTION                                                 \\\n");
    let parts = ["MAJOR", "MINOR", "PATCH", "NUMBER_OF_COMMITS_SINCE_RELEASE"];
    for (part, separator) in parts.iter().zip(["v", ".", ".", "-"]) {
        let _ = writeln!(text, "    \"{separator}\" TILETC_VERSION_TEXT(TILETC_VERSION_{part}) \\");
    }
    text.push_str("    \"-\" TILETC_VERSION_HASH\n\n");
    text
}

fn c_enumerations() -> String {
    let mut text = String::new();
    for enumeration in enums::all() {
        let name = enumeration.name;
        let _ = writeln!(text, "/// {}.\ntypedef enum {{", enumeration.doc);
        for case in &enumeration.cases {
            let _ = writeln!(text, "    tiletc_{name}_{}", definition(case));
        }
        for Case { name: case, value, .. } in &enumeration.cases {
            let case = format!("{name}_{case}");
            let _ = writeln!(text, "    tinytc_{case} = {}, ///< tiletc_{case}", number(*value));
        }
        let _ = writeln!(text, "}} tinytc_{name}_t;");
        let _ = writeln!(text, "/// {}.\ntypedef tinytc_{name}_t tiletc_{name}_t;", enumeration.doc);
        let count = enumeration.cases.len();
        let _ = writeln!(text, "/// Number of enumerators.");
        let _ = writeln!(text, "#define TILETC_ENUM_NUM_{} {count}\n", name.to_uppercase());
    }
    text
}

const CPP_INTRODUCTION: &str = "\
/// \\file
/// The enumerations of the C interface for C++: `status::success` for `tiletc_status_success`.
";

/// First lines of a C++ header, which is read once for each of the namespaces `tiletc` and `tinytc`.
pub fn guard(name: &str) -> String {
    format!(
        "#include <tiletc/namespace.hpp>\n\n\
         #if defined(TILETC_IN_TINYTC) ? !defined(TILETC_IN_TINYTC_{name}) : !defined(TILETC_{name})\n\
         #ifdef TILETC_IN_TINYTC\n#define TILETC_IN_TINYTC_{name}\n#else\n#define TILETC_{name}\n#endif\n\n"
    )
}

fn cpp_header() -> String {
    let mut text = format!("{NOTICE}\n{CPP_INTRODUCTION}\n{}", guard("ENUMS_HPP"));
    text.push_str("#include <tiletc/tiletc.h>\n\n#include <type_traits>\n\nnamespace TILETC_NAMESPACE {\n\n");
    for enumeration in enums::all() {
        let name = enumeration.name;
        if name == enums::STATUS.name {
            text.push_str(&status_class(&enumeration.cases));
        } else {
            let _ = writeln!(text, "/// {}.\n{}", enumeration.doc, enum_class(name, &enumeration.cases));
        }
        text.push_str("/// The name of an enumerator, \"unknown\" for any other number.\n");
        let _ = writeln!(text, "inline auto to_string({name} val) -> char const * {{");
        let _ = writeln!(text, "    return ::tiletc_{name}_to_string(static_cast<::tiletc_{name}_t>(val));");
        text.push_str("}\n\n");
    }
    text.push_str("} // namespace TILETC_NAMESPACE\n\n#endif // TILETC_ENUMS_HPP\n");
    text
}

fn enum_class(name: &str, cases: &[Case]) -> String {
    let mut text = format!("enum class {name} : int {{\n");
    for case in cases {
        let _ = writeln!(text, "    {}", definition(case));
    }
    text + "};"
}

/// The outcome of a call, of which an exception can be derived, or the enumeration that it was before.
fn status_class(cases: &[Case]) -> String {
    let numbers = enum_class("", cases);
    let numbers = numbers.split_once(" {\n").map_or("", |(_, numbers)| numbers);
    let (mut constants, mut definitions) = (String::new(), String::new());
    for Case { name, doc, .. } in cases {
        let _ = writeln!(constants, "    static status const {name}; ///< {doc}");
        let _ = writeln!(definitions, "inline constexpr status status::{name}{{status_code::{name}}};");
    }
    format!("{STATUS_NUMBERS}{numbers}\n\n{STATUS_CLASS}{constants}{STATUS_END}{definitions}#endif\n")
}

const STATUS_NUMBERS: &str = "\
/// The numbers of outcomes.
#if defined(TILETC_PLAIN_STATUS) || defined(TILETC_IN_TINYTC)
enum class status : int {
#else
enum class status_code : int {
#endif
";

const STATUS_CLASS: &str = "\
#if !defined(TILETC_PLAIN_STATUS) && !defined(TILETC_IN_TINYTC)
/// Outcome of a call. It is used like an enumeration: compared, switched over, and converted from and to
/// its number by static_cast. What is thrown is a `status_error`, which is a `status` as well as a
/// `std::exception`. In the namespace `tinytc` it is a true enumeration, and exceptions are nothing else.
/// So it is here if all files of a program define TILETC_PLAIN_STATUS in front of all headers.
class status {
  public:
";

const STATUS_END: &str = "
    /// Success.
    constexpr status() noexcept = default;
    /// Outcome of a number.
    constexpr status(status_code code) noexcept : code_{code} {}
    /// Outcome of a number, which need not be one of the above.
    template <typename T, std::enable_if_t<std::is_integral_v<T> || std::is_enum_v<T>, int> = 0>
    constexpr explicit status(T number) noexcept : code_{static_cast<status_code>(number)} {}
    /// The number, for comparisons and `switch`.
    constexpr operator status_code() const noexcept { return code_; }
    /// The number in another type.
    template <typename T,
              std::enable_if_t<std::is_arithmetic_v<T> ||
                                   (std::is_enum_v<T> && !std::is_same_v<T, status_code>),
                               int> = 0>
    constexpr explicit operator T() const noexcept {
        return static_cast<T>(code_);
    }

  private:
    status_code code_ = status_code::success;
};
";

/// `name = value,` and what it means.
fn definition(case: &Case) -> String {
    let Case { name, value, doc, .. } = case;
    let value = number(*value);
    let comment = if doc.is_empty() { String::new() } else { format!(" ///< {doc}") };
    format!("{name} = {value},{comment}")
}

/// The spelling of an enumerator's value; large ones are made of bits, hence hexadecimal.
fn number(value: c_int) -> String {
    if value > 0xff { format!("{value:#x}") } else { value.to_string() }
}
