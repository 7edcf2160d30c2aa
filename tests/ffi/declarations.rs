//! Reads the C headers: what they declare, one line a name, written the same way however the header lays it
//! out. It knows just the C that those headers are written in.

use std::collections::BTreeSet;
use std::path::Path;

/// The headers that declare the C ABI.
const HEADERS: [&str; 3] = ["tiletc.h", "tiletc_cl.h", "tiletc_ze.h"];

/// Macros that are no part of the ABI: they follow from something that is (the number of enumerators), tell
/// the version, or say what this machine has.
const OTHER_MACROS: [&str; 3] = ["TILETC_ENUM_NUM_", "TILETC_VERSION_", "TILETC_HAS_"];

/// A line of the ABI.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Item {
    /// `name = value` of a type.
    Enumerator(String, String),
    /// A function's name, and its type.
    Function(String, String),
    /// A macro and what it stands for.
    Macro(String),
    /// A structure with its fields, or the declaration of an opaque one.
    Struct(String),
    /// A type's other name.
    Typedef(String),
}

impl std::fmt::Display for Item {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Item::Enumerator(ty, case) => write!(f, "enum {ty}: {case}"),
            Item::Function(name, ty) => write!(f, "function {name}: {ty}"),
            Item::Macro(text) => write!(f, "macro {text}"),
            Item::Struct(text) => write!(f, "{text}"),
            Item::Typedef(text) => write!(f, "{text}"),
        }
    }
}

/// Everything that the headers of the C ABI declare. No name may be declared twice.
pub fn of_the_headers() -> BTreeSet<Item> {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("include").join("tiletc");
    let mut all = BTreeSet::new();
    for name in HEADERS {
        for item in declarations(&std::fs::read_to_string(include.join(name)).unwrap()) {
            assert!(all.insert(item.clone()), "{item} is declared twice");
        }
    }
    all
}

/// Declarations of a header, in its order.
pub fn declarations(header: &str) -> Vec<Item> {
    let mut items = Vec::new();
    let mut code = String::new();
    let mut is_for_cpp = false;
    let text = without_comments(header).replace("\\\n", " ");
    for line in text.lines().map(str::trim) {
        match line.strip_prefix('#').map(str::trim_start) {
            Some("ifdef __cplusplus") => is_for_cpp = true,
            Some("endif") => is_for_cpp = false,
            Some(directive) => items.extend(directive.strip_prefix("define ").and_then(macro_of)),
            None if !is_for_cpp => code.extend([line, " "]),
            None => {}
        }
    }
    for statement in statements(&code) {
        items.extend(items_of(&statement));
    }
    items
}

fn without_comments(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(start) = [rest.find("/*"), rest.find("//")].into_iter().flatten().min() {
        let (before, comment) = rest.split_at(start);
        code.push_str(before);
        let end = if comment.starts_with("/*") { "*/" } else { "\n" };
        let length = comment.find(end).expect("comments end");
        rest = comment[length..].strip_prefix("*/").unwrap_or(&comment[length..]);
    }
    code + rest
}

fn macro_of(definition: &str) -> Option<Item> {
    let name = definition.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    let is_guard = name.ends_with("_H");
    let is_ours = name.starts_with("TILETC_") && !OTHER_MACROS.iter().any(|other| name.starts_with(other));
    (is_ours && !is_guard).then(|| Item::Macro(tidy(definition)))
}

/// The text between semicolons that are in no braces.
fn statements(code: &str) -> Vec<String> {
    let mut depth = 0;
    let mut statements = vec![String::new()];
    for c in code.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ';' if depth == 0 => {
                statements.push(String::new());
                continue;
            }
            _ => {}
        }
        statements.last_mut().unwrap().push(c);
    }
    statements.iter().map(|statement| tidy(statement)).collect()
}

fn items_of(statement: &str) -> Vec<Item> {
    if !statement.contains("tiletc_") && !statement.contains("tinytc_") {
        // Declared in the name of OpenCL or Level Zero.
        Vec::new()
    } else if let Some(enumeration) = statement.strip_prefix("typedef enum {") {
        let (cases, name) = enumeration.rsplit_once('}').unwrap();
        let cases = cases.split(',').map(str::trim).filter(|case| !case.is_empty());
        cases.map(|case| Item::Enumerator(name.trim().to_owned(), case.to_owned())).collect()
    } else if statement.starts_with("typedef ") {
        vec![Item::Typedef(statement.to_owned())]
    } else if statement.starts_with("struct ") {
        vec![Item::Struct(statement.to_owned())]
    } else {
        let statement = statement.strip_prefix("TILETC_EXPORT ").expect("functions are exported");
        let (head, parameters) = statement.split_once('(').expect("the rest are functions");
        let (result, name) = split_name(head);
        let parameters = parameters.strip_suffix(')').unwrap().split(',').map(str::trim);
        let types: Vec<&str> = parameters.map(|parameter| split_name(parameter).0).collect();
        vec![Item::Function(name.to_owned(), format!("{result}({})", types.join(", ")))]
    }
}

/// A type and the name behind it, which a parameter may lack.
fn split_name(declaration: &str) -> (&str, &str) {
    let start = declaration.rfind([' ', '*']).map_or(0, |end| end + 1);
    if start == 0 || start == declaration.len() {
        (declaration, "")
    } else {
        (declaration[..start].trim_end(), &declaration[start..])
    }
}

/// The same text with single blanks.
fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn headers_are_read_as_c_means_them() {
    let header = "\
#ifndef TILETC_X_H
#define TILETC_X_H
#define TILETC_ENUM_NUM_COLOR 2
#define TILETC_TRY(X)   do { int a_ = (X); \\
    } while (0)
/* tiletc_old_t; */
typedef enum {
    tiletc_color_red = 0, ///< red; tiletc_blue
    tiletc_color_green = 0x10,
    tinytc_color_red = 0,
} tinytc_color_t;
typedef tinytc_color_t tiletc_color_t;
struct tinytc_prog;
struct tiletc_pair {
    /// First; and so on.
    int32_t a;
    const char *b;
};
typedef const struct tinytc_prog *const_tiletc_prog_t;
typedef struct _ze_thing *ze_thing_t;
#ifdef __cplusplus
extern \"C\" {
#endif
TILETC_EXPORT
const char *tiletc_name(const char *const **names,
                        size_t, ze_thing_t x);
TILETC_EXPORT void tiletc_nothing(void);
#ifdef __cplusplus
}
#endif
#endif
";
    let lines: Vec<String> = declarations(header).iter().map(Item::to_string).collect();
    assert_eq!(
        lines,
        [
            "macro TILETC_TRY(X) do { int a_ = (X); } while (0)",
            "enum tinytc_color_t: tiletc_color_red = 0",
            "enum tinytc_color_t: tiletc_color_green = 0x10",
            "enum tinytc_color_t: tinytc_color_red = 0",
            "typedef tinytc_color_t tiletc_color_t",
            "struct tinytc_prog",
            "struct tiletc_pair { int32_t a; const char *b; }",
            "typedef const struct tinytc_prog *const_tiletc_prog_t",
            "function tiletc_name: const char *(const char *const **, size_t, ze_thing_t)",
            "function tiletc_nothing: void(void)",
        ]
    );
}
