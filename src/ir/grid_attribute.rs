//! The attribute `grid` of a function: numbers of work-groups, computed from arguments (language reference 3.5).

use super::attributes::Attribute;
use super::types::spelled;
use crate::status::Status;
use std::fmt;

/// An integer that is computed when a kernel is launched. `L` says what it is computed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GridExpression<L> {
    /// A number.
    Number(i64),
    /// An argument or a size.
    Of(L),
    /// Arithmetic on two integers.
    Binary(GridOp, Box<[GridExpression<L>; 2]>),
}

spelled! {
    /// Operation on two integers, as the instruction of the same name.
    GridOp {
        /// a + b.
        Add = "add",
        /// a - b.
        Sub = "sub",
        /// a · b.
        Mul = "mul",
        /// a / b, rounded toward zero.
        Div = "div",
        /// a / b, rounded up.
        Cdiv = "cdiv",
        /// The smaller one.
        Min = "min",
        /// The larger one.
        Max = "max",
    }
}

impl GridOp {
    /// The result; `None` if there is none that fits into 64 bits.
    fn apply(self, a: i64, b: i64) -> Option<i64> {
        match self {
            GridOp::Add => a.checked_add(b),
            GridOp::Sub => a.checked_sub(b),
            GridOp::Mul => a.checked_mul(b),
            GridOp::Div => a.checked_div(b),
            GridOp::Cdiv => {
                let quotient = a.checked_div(b)?;
                let is_inexact = a.checked_rem(b)? != 0 && (a < 0) == (b < 0);
                quotient.checked_add(i64::from(is_inexact))
            }
            GridOp::Min => Some(a.min(b)),
            GridOp::Max => Some(a.max(b)),
        }
    }
}

/// Largest nesting depth, which keeps recursion within the stack.
pub(super) const MAX_DEPTH: usize = 32;

impl<L> GridExpression<L> {
    /// An operation on two expressions.
    pub(super) fn binary(op: GridOp, a: Self, b: Self) -> Self {
        GridExpression::Binary(op, Box::new([a, b]))
    }

    /// The integer; `None` where something is not known or there is none.
    pub fn value(&self, of: &impl Fn(&L) -> Option<i64>) -> Option<i64> {
        match self {
            GridExpression::Number(number) => Some(*number),
            GridExpression::Of(leaf) => of(leaf),
            GridExpression::Binary(op, operands) => {
                let [a, b] = &**operands;
                op.apply(a.value(of)?, b.value(of)?)
            }
        }
    }

    /// The expression of what `change` makes of everything that it is computed from.
    ///
    /// # Errors
    /// The first error of `change`.
    pub(super) fn map<M, E>(
        &self,
        change: &impl Fn(&L) -> Result<GridExpression<M>, E>,
    ) -> Result<GridExpression<M>, E> {
        Ok(match self {
            GridExpression::Number(number) => GridExpression::Number(*number),
            GridExpression::Of(leaf) => change(leaf)?,
            GridExpression::Binary(op, operands) => {
                let [a, b] = &**operands;
                GridExpression::binary(*op, a.map(change)?, b.map(change)?)
            }
        })
    }
}

/// An integer parameter, or with a mode a size of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeName {
    /// Name of the parameter, or its place if it has none.
    pub parameter: String,
    /// The mode; 0 for the number of members of a group.
    pub mode: Option<usize>,
}

impl fmt::Display for SizeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.parameter)?;
        self.mode.map_or(Ok(()), |mode| write!(f, "[{mode}]"))
    }
}

impl fmt::Display for GridExpression<SizeName> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GridExpression::Number(number) => number.fmt(f),
            GridExpression::Of(name) => name.fmt(f),
            GridExpression::Binary(op, operands) => {
                let [a, b] = &**operands;
                write!(f, "{}({a},{b})", op.spelling())
            }
        }
    }
}

/// Reads the expression that a text begins with, and returns what stands behind it.
fn expression(text: &str, depth: usize) -> Option<(GridExpression<SizeName>, &str)> {
    let depth = depth.checked_sub(1)?;
    let text = text.trim_start();
    if let Some(rest) = text.strip_prefix('%') {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (name, rest) = rest.split_at_checked(end).filter(|(name, _)| !name.is_empty())?;
        let (mode, rest) = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((mode, rest)) => (Some(mode.trim().parse().ok()?), rest),
            None => (None, rest),
        };
        return Some((GridExpression::Of(SizeName { parameter: name.to_owned(), mode }), rest));
    }
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(text.len());
    let (word, rest) = text.split_at_checked(end)?;
    if let Ok(number) = word.parse() {
        return Some((GridExpression::Number(number), rest));
    }
    let op = GridOp::from_spelling(word)?;
    let (a, rest) = expression(rest.trim_start().strip_prefix('(')?, depth)?;
    let (b, rest) = expression(rest.trim_start().strip_prefix(',')?, depth)?;
    Some((GridExpression::binary(op, a, b), rest.trim_start().strip_prefix(')')?))
}

/// Numbers of work-groups in the directions x, y and z; 1 where there is none. Without any entry they are not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridSizes(pub Vec<GridExpression<SizeName>>);

impl GridSizes {
    /// The content of an attribute; status and message if it has none.
    ///
    /// # Errors
    /// The attribute is no list of at most three integers and expressions.
    pub(super) fn read(name: &str, attribute: &Attribute) -> Result<GridSizes, (Status, String)> {
        let Attribute::Array(items) = attribute else {
            let detail = format!("{name} is {}, {attribute}; write [x,y,z]", attribute.kind());
            return Err((Status::IrExpectedArrayAttribute, detail));
        };
        if items.len() > 3 {
            let detail = format!("{name} has {} entries instead of 3 at most", items.len());
            return Err((Status::IrUnexpectedArrayAttributeSize, detail));
        }
        let entry = |item: &Attribute| match item {
            Attribute::Integer(number) if *number >= 0 => Ok(GridExpression::Number(*number)),
            Attribute::String(text) => {
                let text = text.to_string();
                let read = expression(&text, MAX_DEPTH).filter(|(_, rest)| rest.trim_end().is_empty());
                read.map(|(expression, _)| expression).ok_or(text)
            }
            other => Err(other.to_string()),
        };
        let malformed = |text: String| {
            let detail = format!(
                "an entry of {name} is `{text}`; write a number, a size like %A[0], an integer parameter, or \
                 cdiv, mul, add, sub, div, min or max of two of them"
            );
            (Status::OutOfRange, detail)
        };
        items.iter().map(|item| entry(item).map_err(malformed)).collect::<Result<_, _>>().map(GridSizes)
    }

    /// The attribute with this content.
    pub(super) fn attribute(&self) -> Attribute {
        let entry = |size: &GridExpression<SizeName>| match size {
            GridExpression::Number(number) if *number >= 0 => Attribute::Integer(*number),
            other => Attribute::String(other.to_string().as_str().into()),
        };
        Attribute::Array(self.0.iter().map(entry).collect())
    }
}

impl fmt::Display for GridSizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entries: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        write!(f, "[{}]", entries.join(","))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        let (found, rest) = expression(text, MAX_DEPTH)?;
        rest.is_empty().then(|| found.to_string())
    }

    #[test]
    fn expressions_are_read_as_they_are_written() {
        for text in ["0", "%A[2]", "%n", "%3", "cdiv(%A[0],128)", "mul(cdiv(%A[0],128),max(%n,-1))"] {
            assert_eq!(read(text).as_deref(), Some(text));
        }
        assert_eq!(read(" sub( %A [0]").as_deref(), None);
        assert_eq!(read("cdiv( %A[ 0 ] , 128 )").as_deref(), Some("cdiv(%A[0],128)"));
        for text in
            ["", "%", "%A[", "%A[x]", "%A[-1]", "rem(1,2)", "cdiv(1)", "cdiv(1,2", "foo", "cdiv(1,2,3)"]
        {
            assert_eq!(read(text), None, "{text}");
        }
        let deep = |depth: usize| format!("{}1{}", "add(1,".repeat(depth), ")".repeat(depth));
        assert!(read(&deep(MAX_DEPTH - 1)).is_some() && read(&deep(MAX_DEPTH)).is_none());
    }

    #[test]
    fn values_are_those_of_whole_numbers_or_there_are_none() {
        let value = |text: &str| expression(text, MAX_DEPTH).unwrap().0.value(&|_| Some(100));
        for (text, expected) in [
            ("cdiv(%A[0],64)", Some(2)),
            ("cdiv(%A[0],50)", Some(2)),
            ("cdiv(-7,2)", Some(-3)),
            ("cdiv(-7,-2)", Some(4)),
            ("div(%A[0],64)", Some(1)),
            ("mul(add(%n,1),sub(3,1))", Some(202)),
            ("min(max(%n,7),200)", Some(100)),
            ("div(1,0)", None),
            ("cdiv(1,0)", None),
            ("mul(9223372036854775807,2)", None),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
    }
}
