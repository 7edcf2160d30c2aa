//! Arguments that a kernel takes: what its parameters become for whoever launches it (API reference 8).

use super::attributes::Dictionary;
use super::entities::{Func, FuncData, Ir, Program, Value, ValueData};
use super::typed_attributes::ParameterAttribute;
use super::types::{Extent, Memref, Scalar, Type};

/// Arguments of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Name of the kernel.
    pub name: String,
    /// Its parameters in order.
    pub parameters: Vec<Parameter>,
}

/// A parameter of a kernel and the arguments that it becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name or number with the sigil.
    pub name: String,
    /// Its type as texts have it.
    pub ty: String,
    /// The arguments in order.
    pub arguments: Vec<ArgumentType>,
    /// Promises that its attributes make about the arguments.
    pub contracts: Vec<Contract>,
}

/// A promise that an argument is a multiple of a number (tile reference 2.6.3). The compiler relies on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// Place of the argument among those of its parameter.
    pub argument: usize,
    /// The argument in words: `the stride of mode 1`.
    pub meaning: String,
    /// The attribute as the program has it: `stride_gcd=[1,8]`.
    pub attribute: String,
    /// The number.
    pub divisor: u64,
}

/// Type of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentType {
    /// A number.
    Number(Scalar),
    /// Memory that holds elements.
    Pointer,
    /// Memory that holds pointers.
    Pointers,
    /// Memory that holds 64-bit integers.
    Sizes,
}

impl Ir {
    /// Signatures of the kernels of a program, in order.
    pub fn signatures(&self, program: &Program) -> Vec<Signature> {
        program.functions.iter().map(|&func| self.signature(func)).collect()
    }

    /// Signature of the kernel that a function becomes.
    pub fn signature(&self, func: Func) -> Signature {
        let FuncData { name, body, .. } = &self[func];
        let parameters = &self[*body].parameters;
        let attributes = |place: usize| self[func].parameter_attributes.get(place)?.as_ref();
        let parameters = parameters.iter().enumerate();
        let parameters = parameters.map(|(place, &value)| self.parameter(place, value, attributes(place)));
        Signature { name: name.clone(), parameters: parameters.collect() }
    }

    fn parameter(&self, place: usize, value: Value, attributes: Option<&Dictionary>) -> Parameter {
        let ValueData { name, number, ty, .. } = &self[value];
        let number = || number.map_or_else(|| place.to_string(), |number| number.to_string());
        let name = name.clone().unwrap_or_else(number);
        let contracts = ty.memref().map_or_else(Vec::new, |memref| contracts(memref, attributes));
        Parameter { name: format!("%{name}"), ty: ty.to_string(), arguments: arguments(ty), contracts }
    }
}

/// The promises about the arguments of a memref: those about what the type says are the verifier's business, and what is
/// in the memory of a group cannot be looked at.
fn contracts(memref: &Memref, attributes: Option<&Dictionary>) -> Vec<Contract> {
    let attribute = |name: &str| {
        let found = attributes.and_then(|attributes| attributes.get(name));
        found.map_or_else(String::new, |found| format!("{name}={found}"))
    };
    let mut contracts = Vec::new();
    let mut add = |argument, meaning, name, divisor| {
        if let Some(divisor) = u64::try_from(divisor).ok().filter(|&divisor| divisor > 1) {
            contracts.push(Contract { argument, meaning, attribute: attribute(name), divisor });
        }
    };
    let alignment = ParameterAttribute::ALIGNMENT;
    if let Ok(Some(divisor)) = alignment.read(attributes) {
        add(0, "the address".to_owned(), alignment.name(), divisor);
    }
    let mut argument = 1;
    for (key, extents, what) in [
        (ParameterAttribute::SHAPE_GCD, &memref.shape, "size"),
        (ParameterAttribute::STRIDE_GCD, &memref.stride, "stride"),
    ] {
        let divisors = key.read(attributes).ok().flatten().map_or_else(Vec::new, |divisors| divisors.0);
        for (mode, _) in extents.iter().enumerate().filter(|(_, extent)| extent.is_dynamic()) {
            if let Some(&divisor) = divisors.get(mode) {
                add(argument, format!("the {what} of mode {mode}"), key.name(), divisor);
            }
            argument += 1;
        }
    }
    contracts
}

/// The arguments that a parameter of a type becomes; none for a type that no kernel takes.
fn arguments(ty: &Type) -> Vec<ArgumentType> {
    let dynamic = |extents: &[Extent]| extents.iter().filter(|extent| extent.is_dynamic()).count();
    let index = ArgumentType::Number(Scalar::Index);
    match ty {
        Type::Scalar(scalar) => vec![ArgumentType::Number(*scalar)],
        Type::Memref(memref) => {
            let sizes = dynamic(&memref.shape) + dynamic(&memref.stride);
            [vec![ArgumentType::Pointer], vec![index; sizes]].concat()
        }
        Type::Group(group) => {
            let tables = dynamic(&group.member.shape) + dynamic(&group.member.stride);
            let sizes = dynamic(&[group.size, group.offset]);
            [vec![ArgumentType::Pointers], vec![ArgumentType::Sizes; tables], vec![index; sizes]].concat()
        }
        Type::Bool | Type::Coopmatrix(_) | Type::Tile(_) => Vec::new(),
    }
}
