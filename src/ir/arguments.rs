//! Arguments that a parameter of a kernel becomes, by its type (API reference 8).

use super::types::{Extent, Scalar, Type};

/// Type of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentType {
    /// A number.
    Number(Scalar),
    /// Memory that holds elements of a type.
    Pointer(Scalar),
    /// Memory that holds pointers to elements of a type.
    Pointers(Scalar),
    /// Memory that holds 64-bit integers.
    Sizes,
}

impl ArgumentType {
    /// Returns whether it is an integer of any width.
    pub fn is_integer(self) -> bool {
        matches!(self, ArgumentType::Number(scalar) if scalar.is_integer())
    }
}

/// The arguments that a parameter of a type becomes; none for a type that no kernel takes.
pub(super) fn arguments(ty: &Type) -> Vec<ArgumentType> {
    let dynamic = |extents: &[Extent]| extents.iter().filter(|extent| extent.is_dynamic()).count();
    let index = ArgumentType::Number(Scalar::Index);
    match ty {
        Type::Scalar(scalar) => vec![ArgumentType::Number(*scalar)],
        Type::Memref(memref) => {
            let sizes = dynamic(&memref.shape) + dynamic(&memref.stride);
            [vec![ArgumentType::Pointer(memref.element)], vec![index; sizes]].concat()
        }
        Type::Group(group) => {
            let tables = dynamic(&group.member.shape) + dynamic(&group.member.stride);
            let sizes = dynamic(&[group.size, group.offset]);
            [
                vec![ArgumentType::Pointers(group.member.element)],
                vec![ArgumentType::Sizes; tables],
                vec![index; sizes],
            ]
            .concat()
        }
        Type::Bool | Type::Coopmatrix(_) | Type::Tile(_) => Vec::new(),
    }
}
