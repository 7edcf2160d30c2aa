//! Constraints of the search, `--where`: expressions over the names that `-D` defines and the attributes of a config.

use crate::common::Failure;
use evalexpr::{ContextWithMutableVariables as _, EvalexprError, HashMapContext, Node, Value};
use serde_json::Value as Json;
use std::str::FromStr;
use tiletc::tuning::Config;

/// Characters of an expression at most: it is read by recursion.
const MAX_LENGTH: usize = 1000;
/// Attributes that configs may have; of lists, each number has a name of its own.
const ATTRIBUTES: [&str; 13] = [
    "subgroup_size",
    "work_group_size_0",
    "work_group_size_1",
    "register_block_0",
    "register_block_1",
    "k_step",
    "prefetch_distance",
    "grf_size",
    "io_class",
    "orientation",
    "pipeline",
    "order",
    "group",
];

/// A constraint.
#[derive(Clone, Debug)]
pub struct Constraint {
    text: String,
    tree: Node,
}

impl FromStr for Constraint {
    type Err = String;

    fn from_str(text: &str) -> Result<Constraint, String> {
        if text.chars().count() > MAX_LENGTH {
            return Err(format!("a constraint has {MAX_LENGTH} characters at most"));
        }
        let tree = evalexpr::build_operator_tree(text);
        let tree: Node = tree.map_err(|error| format!("`{text}` is no expression: {error}"))?;
        if tree.iter_write_variable_identifiers().next().is_some() {
            return Err(format!("`{text}` assigns; a comparison for equality is written =="));
        }
        let constraint = Constraint { text: text.to_owned(), tree };
        // Numbers of operands and names of functions are only looked at when there are values: any will do.
        let any: Vec<(String, Value)> =
            constraint.names().map(|name| (name.to_owned(), Value::Int(1))).collect();
        match constraint.evaluate(&any) {
            Err(
                error @ (EvalexprError::WrongOperatorArgumentAmount { .. }
                | EvalexprError::FunctionIdentifierNotFound(_)),
            ) => Err(format!("`{text}` is no expression: {error}")),
            Ok(value) if !value.is_boolean() => {
                Err(format!("`{text}` is no comparison, so that it excludes nothing"))
            }
            Ok(_) | Err(_) => Ok(constraint),
        }
    }
}

impl Constraint {
    fn names(&self) -> impl Iterator<Item = &str> {
        self.tree.iter_variable_identifiers()
    }

    /// Reason why the constraint excludes a config, if it does.
    ///
    /// # Errors
    /// If the expression has no value for it, or one that is neither true nor false.
    fn exclusion(&self, values: &[(String, Value)]) -> Result<Option<String>, Failure> {
        let text = &self.text;
        if let Some(name) = self.names().find(|name| values.iter().all(|(known, _)| known != name)) {
            return Ok(Some(format!("excluded by --where {text}: the config has no {name}")));
        }
        match self.evaluate(values) {
            Ok(Value::Boolean(true)) => Ok(None),
            Ok(Value::Boolean(false)) => Ok(Some(format!("excluded by --where {text}"))),
            Ok(value) => Err(Failure::usage(format!("--where {text} is {value}, not a comparison"))),
            Err(error) => Err(Failure::usage(format!("--where {text} has no value: {error}"))),
        }
    }

    fn evaluate(&self, values: &[(String, Value)]) -> Result<Value, EvalexprError> {
        let mut context = HashMapContext::new();
        for (name, value) in values {
            context.set_value(name.clone(), value.clone())?;
        }
        self.tree.eval_with_context(&context)
    }
}

/// Reason why one of the constraints excludes a config; without a config, why one that is about definitions alone excludes these.
///
/// # Errors
/// If one has no value, or one that is neither true nor false.
pub fn exclusion(
    constraints: &[Constraint],
    definitions: &[(String, String)],
    config: Option<&Config>,
) -> Result<Option<String>, Failure> {
    let mut values: Vec<(String, Value)> =
        definitions.iter().map(|(name, text)| (name.clone(), value(text))).collect();
    let is_defined = |name: &str| definitions.iter().any(|(known, _)| known == name);
    if let Some(config) = config {
        values.extend(attributes(config).into_iter().filter(|(name, _)| !is_defined(name)));
    }
    for constraint in constraints {
        if config.is_some() || constraint.names().all(is_defined) {
            let found = constraint.exclusion(&values)?;
            if found.is_some() {
                return Ok(found);
            }
        }
    }
    Ok(None)
}

/// Makes sure that constraints are about names that configs can have.
///
/// # Errors
/// If one is not.
pub fn check_names(constraints: &[Constraint], definitions: &[(String, String)]) -> Result<(), Failure> {
    let defined: Vec<&str> = definitions.iter().map(|(name, _)| name.as_str()).collect();
    for constraint in constraints {
        let is_unknown = |name: &&str| !defined.contains(name) && !ATTRIBUTES.contains(name);
        if let Some(name) = constraint.names().find(is_unknown) {
            let known = [defined.as_slice(), &ATTRIBUTES].concat().join(", ");
            let message = format!(
                "there is no {name}, which --where {} names; there are the names that -D gives and attributes: {known}",
                constraint.text
            );
            return Err(Failure::usage(message));
        }
    }
    Ok(())
}

/// The value of a definition.
fn value(text: &str) -> Value {
    let integer = text.parse().ok().map(Value::Int);
    let float = || text.parse().ok().map(Value::Float);
    let boolean = || text.parse().ok().map(Value::Boolean);
    integer.or_else(float).or_else(boolean).unwrap_or_else(|| Value::String(text.to_owned()))
}

/// The attributes of a config by the names of [`ATTRIBUTES`].
fn attributes(config: &Config) -> Vec<(String, Value)> {
    let Ok(Json::Object(members)) = serde_json::to_value(config) else { return Vec::new() };
    let mut found = Vec::new();
    for (name, content) in members {
        match content {
            Json::Array(list) => {
                let numbered =
                    list.iter().enumerate().map(|(place, content)| (format!("{name}_{place}"), content));
                found.extend(numbered.filter_map(|(name, content)| Some((name, scalar(content)?))));
            }
            content => found.extend(scalar(&content).map(|value| (name, value))),
        }
    }
    found
}

fn scalar(content: &Json) -> Option<Value> {
    match content {
        Json::Number(number) => number.as_i64().map(Value::Int),
        Json::String(text) => Some(Value::String(text.clone())),
        Json::Bool(value) => Some(Value::Boolean(*value)),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use tiletc::ir::{AttributeSet as _, FunctionAttributes};

    #[test]
    fn attributes_of_configs_have_names() {
        let config: Config = serde_json::from_str(
            r#"{"subgroup_size": 16, "work_group_size": [32, 2], "register_block": [8, 16], "k_step": 8,
                "prefetch_distance": 2, "grf_size": 256, "io_class": "lanes", "orientation": "transposed",
                "pipeline": "slm", "order": "hilbert", "group": 8}"#,
        )
        .unwrap();
        // Neither is part of a config.
        assert_eq!(config.len(), FunctionAttributes::NAMES.len() - ["precision", "grid"].len());
        let mut names: Vec<String> = attributes(&config).into_iter().map(|(name, _)| name).collect();
        let mut known = ATTRIBUTES.map(str::to_owned);
        names.sort();
        known.sort();
        assert_eq!(names, known);
    }
}
