//! The C++ headers of what a program is built from, each made from the prototypes in `tiletc.h`:
//! `tags.hpp`, a class for every kind of attribute, type and instruction; `getters.hpp` and
//! `creators.hpp`, what `get<TAG>` and `create<TAG>` call.

use std::fmt::Write as _;

use anyhow::{Context as _, Result, bail};

use crate::headers::{NOTICE, guard};
use crate::prototypes::{Parameter, Prototype};

/// Columns of a line.
const WIDTH: usize = 100;

/// Ends of the tags of getters, and of the tag of a creator.
const GETTERS: [&str; 2] = ["attr", "type"];

/// The C++ headers by name.
pub fn headers(functions: &[Prototype]) -> Result<[(&'static str, String); 3]> {
    let getters = GETTERS.map(|kind| tagged(functions, &format!("_{kind}_get")));
    let getters: Vec<_> = getters.into_iter().flatten().collect();
    let creators = tagged(functions, "_inst_create");

    let mut tags: Vec<&str> = getters.iter().chain(&creators).map(|(tag, _)| *tag).collect();
    // The constructors of constants carry what they take behind the name of the others.
    tags.push("constant_inst");
    tags.sort_unstable();
    Ok([
        ("tags.hpp", tags_header(&tags)),
        ("getters.hpp", functor_header(&GETTER, &getters)?),
        ("creators.hpp", functor_header(&CREATOR, &creators)?),
    ])
}

/// The functions of that ending with the name of their tag: `tiletc_i8_type_get` with `i8_type`.
fn tagged<'a>(functions: &'a [Prototype], ending: &str) -> Vec<(&'a str, &'a Prototype)> {
    let verb = ending.rfind('_').map_or("", |at| &ending[at..]);
    let of = |function: &'a Prototype| {
        let tag = function.name.strip_prefix("tiletc_")?.strip_suffix(verb)?;
        function.name.ends_with(ending).then_some((tag, function))
    };
    functions.iter().filter_map(of).collect()
}

fn tags_header(tags: &[&str]) -> String {
    let mut text =
        format!("{NOTICE}\n/// \\file\n/// The classes that name attributes, types and instructions.\n\n");
    text.push_str(&guard("TAGS_HPP"));
    text.push_str("namespace TILETC_NAMESPACE {\n\n");
    text.push_str("// Tags of `get` and `create`; there are no objects of these classes.\n");
    for tag in tags {
        let _ = writeln!(text, "class {tag};");
    }
    text.push_str("\n} // namespace TILETC_NAMESPACE\n\n#endif // TILETC_TAGS_HPP\n");
    text
}

/// A family of function objects, one for each tag.
struct Family {
    guard: &'static str,
    template: &'static str,
    doc: &'static str,
    includes: &'static [&'static str],
    system_includes: &'static [&'static str],
}

const GETTER: Family = Family {
    guard: "GETTERS_HPP",
    template: "getter",
    doc: "Looks up an attribute or a type; the handle belongs to the context.",
    includes: &["array_view", "enums", "error", "tags"],
    system_includes: &["cstdint", "string_view"],
};

const CREATOR: Family = Family {
    guard: "CREATORS_HPP",
    template: "creator",
    doc: "Makes an instruction that is in no region yet; throws `builder_error` at `loc`.",
    includes: &["array_view", "enums", "error", "handles", "tags"],
    system_includes: &["cstdint", "limits"],
};

fn functor_header(family: &Family, functions: &[(&str, &Prototype)]) -> Result<String> {
    let Family { guard: name, template, doc, .. } = family;
    let mut text = format!("{NOTICE}\n/// \\file\n/// Objects that call a function of C for each tag.\n\n");
    text.push_str(&guard(name));
    for include in family.includes {
        let _ = writeln!(text, "#include <tiletc/{include}.hpp>");
    }
    text.push_str("#include <tiletc/tiletc.h>\n\n");
    for include in family.system_includes {
        let _ = writeln!(text, "#include <{include}>");
    }
    text.push_str("\nnamespace TILETC_NAMESPACE {\n\n");
    let _ = writeln!(text, "/// {doc}\ntemplate <typename T> struct {template};\n");
    for (tag, function) in functions {
        let functor = functor(template, tag, function);
        text.push_str(&functor.with_context(|| format!("cannot translate {}", function.name))?);
    }
    let _ = writeln!(text, "}} // namespace TILETC_NAMESPACE\n\n#endif // TILETC_{name}");
    Ok(text)
}

/// The specialisation for a tag: the C function with the types of C++.
fn functor(template: &str, tag: &str, function: &Prototype) -> Result<String> {
    let (output, inputs) = function.parameters.split_first().context("it has no parameters")?;
    let returned = output.ty.strip_suffix(" *").context("its first parameter is no output")?;
    let arguments = arguments(inputs)?;
    let located = inputs.last().is_some_and(|input| input.name == "loc");
    let instruction = returned == "tiletc_inst_t";
    let result = if instruction { format!("unique_handle<{returned}>") } else { returned.to_owned() };

    let mut text = String::new();
    for line in &function.doc {
        let _ = writeln!(text, "{}", format!("/// {line}").trim_end());
    }
    let _ = writeln!(text, "template <> struct {template}<{tag}> {{");
    if instruction {
        let _ = writeln!(text, "    /// Number of results it can have.");
        let number = max_returned_values(inputs);
        let _ = writeln!(text, "    constexpr static std::int32_t max_returned_values = {number};\n");
    }
    let parameters: Vec<String> = arguments.iter().map(|argument| argument.parameter.clone()).collect();
    let _ = writeln!(text, "    /// Calls {}.", function.name);
    text.push_str(&list("    auto operator()(", &parameters, &format!(") const -> {result} {{")));
    let _ = writeln!(text, "        {returned} handle = nullptr;");
    let mut passed = vec!["&handle".to_owned()];
    passed.extend(arguments.into_iter().flat_map(|argument| argument.passed));
    let (check, end) = if located { ("CHECK_STATUS_LOC", "), loc);") } else { ("CHECK_STATUS", "));") };
    text.push_str(&list(&format!("        {check}({}(", function.name), &passed, end));
    let value = if instruction { "unique_handle{handle}" } else { "handle" };
    let _ = writeln!(text, "        return {value};\n    }}\n}};\n");
    Ok(text)
}

/// The result types tell how many results there are.
fn max_returned_values(inputs: &[Parameter]) -> &'static str {
    match inputs.iter().find(|input| input.ty.contains("tiletc_type_t")) {
        None => "0",
        Some(input) if input.ty.ends_with('*') => "std::numeric_limits<std::int32_t>::max()",
        Some(_) => "1",
    }
}

/// A parameter in C++, and what the C function is given for it.
struct Argument {
    parameter: String,
    passed: Vec<String>,
}

fn arguments(inputs: &[Parameter]) -> Result<Vec<Argument>> {
    let mut arguments = Vec::new();
    let mut rest = inputs;
    while let Some((first, others)) = rest.split_first() {
        rest = others;
        let list = first.name.strip_suffix("_size").or(first.name.strip_suffix("_length"));
        if let (Some(name), "size_t") = (list, first.ty.as_str()) {
            let data = others.first().filter(|data| data.name == name);
            let data = data.with_context(|| format!("no pointer goes with {}", first.name))?;
            rest = others.get(1..).unwrap_or_default();
            let ty = view(&data.ty)?;
            arguments.push(Argument {
                parameter: format!("{ty} {name}"),
                passed: vec![format!("{name}.size()"), format!("{name}.data()")],
            });
        } else {
            arguments.push(single(first)?);
        }
    }
    Ok(arguments)
}

/// The view that stands for a number of elements and a pointer of this type.
fn view(pointer: &str) -> Result<String> {
    let element = pointer.strip_suffix(" *").with_context(|| format!("`{pointer}` is no pointer"))?;
    Ok(match element.strip_prefix("const ") {
        Some("char") => "std::string_view".to_owned(),
        Some("int64_t") => "array_view<std::int64_t>".to_owned(),
        Some(handle) => format!("array_view<{handle}>"),
        None => format!("mutable_array_view<{element}>"),
    })
}

fn single(input: &Parameter) -> Result<Argument> {
    let Parameter { ty, name } = input;
    let (parameter, passed) = match ty.as_str() {
        "const tiletc_location_t *" => (format!("location const &{name} = {{}}"), format!("&{name}")),
        "tiletc_bool_t" => (format!("bool {name}"), format!("{name} ? 1 : 0")),
        "int32_t" | "int64_t" => (format!("std::{ty} {name}"), name.clone()),
        _ => match enumeration(ty) {
            Some(class) => (format!("{class} {name}"), format!("static_cast<{ty}>({name})")),
            None if ty.starts_with("tiletc_") => (format!("{ty} {name}"), name.clone()),
            None => bail!("there is no rule for `{ty} {name}`"),
        },
    };
    Ok(Argument { parameter, passed: vec![passed] })
}

/// The C++ enumeration of a C enumeration.
fn enumeration(ty: &str) -> Option<&'static str> {
    let all = tiletc::ffi::enums::all();
    let name = ty.strip_prefix("tiletc_")?.strip_suffix("_t")?;
    all.iter().map(|enumeration| enumeration.name).find(|known| *known == name)
}

/// `front`, the items with commas between them, and `back`. Where a line is full the items go on below the
/// first one, which stands behind `front` if all of them fit there.
fn list(front: &str, items: &[String], back: &str) -> String {
    let longest = items.iter().map(String::len).max().unwrap_or_default();
    let (mut text, mut line, indentation) = if front.len() + longest + back.len() <= WIDTH {
        (String::new(), front.to_owned(), front.len())
    } else {
        let outer = front.len() - front.trim_start().len();
        (format!("{front}\n"), " ".repeat(outer + 4), outer + 4)
    };
    for (i, item) in items.iter().enumerate() {
        let end = if i + 1 == items.len() { back } else { "," };
        if i > 0 && line.len() + 1 + item.len() + end.len() > WIDTH {
            let _ = writeln!(text, "{line}");
            line = " ".repeat(indentation);
        } else if i > 0 {
            line.push(' ');
        }
        line.push_str(item);
        line.push_str(end);
    }
    let _ = writeln!(text, "{line}");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prototypes;

    const HEADER: &str = "\
/// Gets a list.
TILETC_EXPORT tiletc_status_t tiletc_list_attr_get(tiletc_attr_t *attr, size_t items_size, tiletc_attr_t *items);
/// Adds.
TILETC_EXPORT tiletc_status_t tiletc_sum_inst_create(tiletc_inst_t *instr, tiletc_bool_t atomic,
    tiletc_transpose_t tA, size_t list_size, const int64_t *list, tiletc_type_t result,
    const tiletc_location_t *loc);
";

    #[test]
    fn prototypes_become_function_objects() {
        let functions = prototypes::read(HEADER).unwrap_or_default();
        let texts = headers(&functions).ok().map(|files| files.map(|(_, text)| text));
        let [tags, getters, creators] = texts.unwrap_or_default();
        assert!(tags.contains("class constant_inst;\nclass list_attr;\nclass sum_inst;\n"), "{tags}");
        assert!(
            getters.contains("operator()(mutable_array_view<tiletc_attr_t> items) const -> tiletc_attr_t {")
                && getters
                    .contains("CHECK_STATUS(tiletc_list_attr_get(&handle, items.size(), items.data()));"),
            "{getters}"
        );
        let words: Vec<&str> = creators.split_whitespace().collect();
        let creators = words.join(" ");
        assert!(
            creators.contains("/// Adds. template <> struct creator<sum_inst> {")
                && creators.contains("max_returned_values = 1;")
                && creators.contains(
                    "operator()(bool atomic, transpose tA, array_view<std::int64_t> list, tiletc_type_t \
                     result, location const &loc = {}) const -> unique_handle<tiletc_inst_t> {"
                )
                && creators.contains(
                    "&handle, atomic ? 1 : 0, static_cast<tiletc_transpose_t>(tA), list.size(), \
                     list.data(), result, &loc), loc);"
                ),
            "{creators}"
        );
    }

    #[test]
    fn what_has_no_rule_is_refused() {
        let header = "TILETC_EXPORT tiletc_status_t tiletc_x_inst_create(tiletc_inst_t *instr, float x);";
        let functions = prototypes::read(header).unwrap_or_default();
        assert_eq!(functions.len(), 1);
        assert!(headers(&functions).is_err());
    }
}
