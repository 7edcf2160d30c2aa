//! The functions that a C header declares, one line or more each: `TILETC_EXPORT RESULT NAME(PARAMETERS);`.

use anyhow::{Context as _, Result};

/// A function of the C interface.
#[derive(Debug, PartialEq, Eq)]
pub struct Prototype {
    pub name: String,
    /// The lines of its documentation, without the slashes.
    pub doc: Vec<String>,
    /// The type that it returns.
    pub result: String,
    pub parameters: Vec<Parameter>,
}

/// A parameter: `const tiletc_value_t *offsets` has the type `const tiletc_value_t *`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub ty: String,
    pub name: String,
}

/// The functions in the order of the header.
pub fn read(header: &str) -> Result<Vec<Prototype>> {
    let mut functions = Vec::new();
    let mut doc = Vec::new();
    let mut lines = header.lines();
    while let Some(line) = lines.next() {
        if let Some(text) = line.strip_prefix("///") {
            doc.push(text.trim().to_owned());
            continue;
        }
        if line.starts_with("TILETC_EXPORT") {
            let mut declaration = line.to_owned();
            while !declaration.ends_with(';') {
                let next = lines.next().with_context(|| format!("no end of `{declaration}`"))?;
                declaration.push(' ');
                declaration.push_str(next.trim());
            }
            functions.push(prototype(&declaration, &doc)?);
        }
        doc.clear();
    }
    Ok(functions)
}

fn prototype(declaration: &str, doc: &[String]) -> Result<Prototype> {
    let parts = declaration
        .strip_prefix("TILETC_EXPORT ")
        .and_then(|rest| rest.strip_suffix(");"))
        .and_then(|rest| rest.split_once('('));
    let (head, parameters) = parts.with_context(|| format!("`{declaration}` is no function"))?;
    let Parameter { ty: result, name } = parameter(head)?;
    let parameters = match parameters.trim_start() {
        "void" => Vec::new(),
        parameters => parameters.split(", ").map(parameter).collect::<Result<_>>()?,
    };
    Ok(Prototype { name, doc: doc.to_vec(), result, parameters })
}

fn parameter(text: &str) -> Result<Parameter> {
    let at = text.rfind([' ', '*']).with_context(|| format!("`{text}` is no parameter"))?;
    let (ty, name) = text.split_at(at + 1);
    Ok(Parameter { ty: ty.trim_end().to_owned(), name: name.to_owned() })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    #[test]
    fn reads_functions_with_their_documentation() {
        let header = "\
/// Something else.
struct tiletc_inst;

/// First line.
///
/// Last line.
TILETC_EXPORT
tiletc_status_t tiletc_for_inst_create(tiletc_inst_t *instr,
                                       size_t from_size,
                                       const tiletc_value_t *from);

TILETC_EXPORT void tiletc_inst_destroy(tiletc_inst_t instr);
TILETC_EXPORT const char *tiletc_version(void);
TILETC_EXPORT tiletc_status_t tiletc_next_inst(
    tiletc_inst_iterator_t *iterator);
";
        let function = |result: &str, name: &str, doc: &[&str], parameters: &[(&str, &str)]| Prototype {
            name: name.to_owned(),
            result: result.to_owned(),
            doc: doc.iter().map(|line| (*line).to_owned()).collect(),
            parameters: parameters
                .iter()
                .map(|(ty, name)| Parameter { ty: (*ty).to_owned(), name: (*name).to_owned() })
                .collect(),
        };
        let expected = [
            function(
                "tiletc_status_t",
                "tiletc_for_inst_create",
                &["First line.", "", "Last line."],
                &[("tiletc_inst_t *", "instr"), ("size_t", "from_size"), ("const tiletc_value_t *", "from")],
            ),
            function("void", "tiletc_inst_destroy", &[], &[("tiletc_inst_t", "instr")]),
            function("const char *", "tiletc_version", &[], &[]),
            function("tiletc_status_t", "tiletc_next_inst", &[], &[("tiletc_inst_iterator_t *", "iterator")]),
        ];
        assert_eq!(read(header).ok().as_deref(), Some(expected.as_slice()));
    }
}
