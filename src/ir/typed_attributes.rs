//! Attributes of instructions with a meaning, as declarations name their types.

use super::attributes::{Attribute, Dictionary};
use crate::status::Status;

/// The type of an attribute.
pub trait AttributeType: Sized {
    /// The content of an attribute; status and message if it has none of this type.
    ///
    /// # Errors
    /// The attribute is of another kind, or out of range.
    fn read(name: &str, attribute: &Attribute) -> Result<Self, (Status, String)>;
}

/// Reads an attribute that may be absent.
pub(super) fn read<T: AttributeType>(
    attributes: Option<&Dictionary>,
    name: &str,
) -> Result<Option<T>, (Status, String)> {
    attributes.and_then(|attributes| attributes.get(name)).map(|found| T::read(name, found)).transpose()
}

impl AttributeType for i64 {
    fn read(name: &str, attribute: &Attribute) -> Result<i64, (Status, String)> {
        let wrong = || format!("{name} is {}, {attribute}", attribute.kind());
        attribute.integer().ok_or_else(|| (Status::IrExpectedIntegerAttribute, wrong()))
    }
}

/// Request to a driver about the turns of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unroll {
    /// It should unroll the loop.
    Full,
    /// It should leave the loop as it is.
    Never,
    /// It should make so many turns one.
    By(u32),
}

impl AttributeType for Unroll {
    fn read(name: &str, attribute: &Attribute) -> Result<Unroll, (Status, String)> {
        match attribute {
            Attribute::Boolean(true) => Ok(Unroll::Full),
            Attribute::Boolean(false) => Ok(Unroll::Never),
            Attribute::Integer(count) => {
                u32::try_from(*count).ok().filter(|&count| count > 0).map(Unroll::By).ok_or_else(|| {
                    let most = u32::MAX;
                    let detail = format!("{name} is {count}; a loop is unrolled by 1 to {most} turns");
                    (Status::OutOfRange, detail)
                })
            }
            Attribute::String(_) | Attribute::Array(_) | Attribute::Dictionary(_) => {
                let kind = attribute.kind();
                let detail = format!("{name} is {kind}, {attribute}; true, false or a number is needed");
                Err((Status::IrExpectedBooleanAttribute, detail))
            }
        }
    }
}
