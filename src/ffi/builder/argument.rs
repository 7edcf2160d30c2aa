//! The arguments of constructors in a form that all of them share.

use super::super::types::*;

/// An argument of a constructor.
#[derive(Clone, Copy, Debug)]
pub enum Argument {
    /// An integer, an enumerator, a truth value or a set of bits.
    Number(i64),
    /// A floating-point number.
    Float(f64),
    /// Length of the array behind it.
    Size(usize),
    /// An operand.
    Value(tiletc_value_t),
    /// An array of operands.
    Values(*const tiletc_value_t),
    /// An array of integers.
    Numbers(*const i64),
    /// The type of a result.
    Type(tiletc_type_t),
    /// An array of types of results.
    Types(*const tiletc_type_t),
}

/// A type that a parameter of a constructor may have in C.
pub(super) trait CType: Sized {
    /// The argument with this content.
    fn argument(self) -> Argument;
    /// The content of an argument; `None` if it is of another kind or out of range.
    fn of(argument: Argument) -> Option<Self>;
}

/// Implements [`CType`] for the content of a case.
macro_rules! plain {
    ($($ty:ty => $case:ident;)*) => {$(
        impl CType for $ty {
            fn argument(self) -> Argument {
                Argument::$case(self)
            }
            fn of(argument: Argument) -> Option<Self> {
                if let Argument::$case(content) = argument { Some(content) } else { None }
            }
        }
    )*};
}

plain! {
    i64 => Number;
    f64 => Float;
    usize => Size;
    tiletc_value_t => Value;
    *const tiletc_value_t => Values;
    *const i64 => Numbers;
    tiletc_type_t => Type;
    *const tiletc_type_t => Types;
}

/// Implements [`CType`] for a smaller integer.
macro_rules! small {
    ($($ty:ty)*) => {$(
        impl CType for $ty {
            fn argument(self) -> Argument {
                Argument::Number(self.into())
            }
            fn of(argument: Argument) -> Option<Self> {
                i64::of(argument).and_then(|number| number.try_into().ok())
            }
        }
    )*};
}

small! { u8 u32 i32 }
