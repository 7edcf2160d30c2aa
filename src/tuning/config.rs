//! Attributes of a function that say how it runs.

use crate::ir::{Attribute, AttributeError, AttributeSet as _, Dictionary, FunctionAttributes, SubgroupSize};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Map, Value};
use std::fmt;

/// Attributes of a function that say how it runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config(FunctionAttributes);

impl Config {
    /// The attributes of a function that stand in neither the program nor the parts of a kernel that callers see.
    pub fn of(attributes: &FunctionAttributes) -> Config {
        Config(FunctionAttributes { grid: None, precision: None, has_braces: false, ..attributes.clone() })
    }

    /// The attributes of names with values as texts have them.
    ///
    /// # Errors
    /// If there is no such attribute, or it takes no such value; the reason in words.
    pub fn parse<'a>(attributes: impl Iterator<Item = (&'a str, &'a str)>) -> Result<Config, String> {
        let value = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
        let map: Map<String, Value> = attributes.map(|(name, text)| (name.to_owned(), value(text))).collect();
        Config::deserialize(Value::from(map)).map_err(|error: serde_json::Error| error.to_string())
    }

    /// Gives a function the attributes that it does not have.
    pub fn complete(&self, attributes: &mut FunctionAttributes) {
        let FunctionAttributes { grid, precision, has_braces, .. } = attributes.clone();
        let (given, own) = (attributes.clone(), self.0.clone());
        *attributes = FunctionAttributes {
            subgroup_size: given.subgroup_size.or(own.subgroup_size),
            work_group_size: given.work_group_size.or(own.work_group_size),
            register_block: given.register_block.or(own.register_block),
            k_step: given.k_step.or(own.k_step),
            prefetch_distance: given.prefetch_distance.or(own.prefetch_distance),
            grf_size: given.grf_size.or(own.grf_size),
            io_class: given.io_class.or(own.io_class),
            orientation: given.orientation.or(own.orientation),
            pipeline: given.pipeline.or(own.pipeline),
            order: given.order.or(own.order),
            group: given.group.or(own.group),
            precision,
            grid,
            has_braces,
        };
    }

    /// The config with what another one says besides.
    #[must_use]
    pub fn completed(&self, other: &Config) -> Config {
        let mut attributes = self.0.clone();
        other.complete(&mut attributes);
        Config(attributes)
    }

    /// Work-items of a subgroup, if it says so.
    pub fn subgroup_size(&self) -> Option<i32> {
        self.0.subgroup_size.map(|SubgroupSize(size)| size)
    }

    /// Returns whether it says something of products: their steps, blocks and messages.
    pub fn is_about_products(&self) -> bool {
        let FunctionAttributes { register_block, k_step, prefetch_distance, io_class, .. } = &self.0;
        register_block.is_some() || k_step.is_some() || prefetch_distance.is_some() || io_class.is_some()
    }

    /// Returns whether it says the same of products.
    pub fn has_products_of(&self, other: &Config) -> bool {
        let parts = |Config(it): &Config| (it.register_block, it.k_step, it.prefetch_distance, it.io_class);
        parts(self) == parts(other)
    }

    /// Returns whether it says something of the order of tiles, which caches care about and instructions do not.
    pub fn is_about_order(&self) -> bool {
        self.0.order.is_some() || self.0.group.is_some()
    }

    /// Number of attributes that say something.
    pub fn len(&self) -> usize {
        self.dictionary().iter().count()
    }

    /// Returns whether no attribute says anything.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn dictionary(&self) -> Dictionary {
        self.0.dictionary().unwrap_or_default()
    }
}

impl fmt::Display for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |(name, attribute)| format!("{name}={attribute}");
        f.write_str(&self.dictionary().iter().map(shown).collect::<Vec<_>>().join(", "))
    }
}

impl Serialize for Config {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let dictionary = self.dictionary();
        let entry = |(name, attribute): (_, &Attribute)| (format!("{name}"), value(attribute));
        dictionary.iter().map(entry).collect::<Map<String, Value>>().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Config {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Config, D::Error> {
        let map = Map::deserialize(deserializer)?;
        let entry = |(name, value): (String, Value)| Some((name, attribute(value)?));
        let dictionary: Option<Dictionary> =
            map.into_iter().map(entry).collect::<Option<Vec<_>>>().map(|it| it.into_iter().collect());
        let dictionary =
            dictionary.ok_or_else(|| de::Error::custom("an attribute that is no number, text or list"))?;
        let attributes = FunctionAttributes::of(Some(&dictionary));
        Ok(Config::of(&attributes.map_err(|error: AttributeError| de::Error::custom(error))?))
    }
}

fn value(attribute: &Attribute) -> Value {
    match attribute {
        Attribute::Boolean(value) => Value::from(*value),
        Attribute::Integer(value) => Value::from(*value),
        Attribute::String(text) => Value::from(text.to_string()),
        Attribute::Array(list) => list.iter().map(value).collect(),
        Attribute::Dictionary(dictionary) => {
            dictionary.iter().map(|(name, attribute)| (name.to_string(), value(attribute))).collect()
        }
    }
}

fn attribute(value: Value) -> Option<Attribute> {
    Some(match value {
        Value::Bool(value) => Attribute::Boolean(value),
        Value::Number(number) => Attribute::Integer(number.as_i64()?),
        Value::String(text) => Attribute::String(text.into()),
        Value::Array(list) => Attribute::Array(list.into_iter().map(attribute).collect::<Option<_>>()?),
        Value::Null | Value::Object(_) => return None,
    })
}
