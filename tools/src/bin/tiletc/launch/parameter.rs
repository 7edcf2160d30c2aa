//! The parameters of a kernel and what they are given.

use super::budget::{Budget, Need};
use super::layout::{self, Layout};
use super::npy;
use super::tensor::{self, Number, Tensor};
use super::value::{self, Content, Given, Memory};
use crate::common::Failure;
use std::borrow::Cow;
use std::fmt;
use tiletc::ir::{Extent, Func, FuncData, Ir, Memref, ParameterAttributes, Scalar, Type, Value, ValueData};
use tiletc::status::Status;

/// Arguments that make no sense for the kernel.
pub fn invalid(message: String) -> Failure {
    Failure::Usage(Status::InvalidKernelArguments, message)
}

/// The alignment that kernels rely on unless a parameter asks for more.
const ALIGNMENT: u64 = 128;

/// A parameter of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name without `%`, or its number.
    pub name: String,
    /// Its type.
    pub ty: Type,
    alignment: u64,
}

/// A parameter with what it is given.
#[derive(Debug, PartialEq)]
pub struct Bound {
    /// The parameter.
    pub parameter: Parameter,
    /// Argument.
    pub argument: Argument,
}

impl fmt::Display for Bound {
    /// The name with the sizes of the memory, or with the number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Bound { parameter, argument } = self;
        let given = match (argument, &parameter.ty) {
            (Argument::Memory(array), _) => tensor::shown(&array.content.shape),
            (Argument::Number(bytes), Type::Scalar(element)) => {
                Number::read(*element, bytes).map(|number| number.to_string()).unwrap_or_default()
            }
            (Argument::Number(_), _) => String::new(),
        };
        write!(f, "{}={given}", parameter.name)
    }
}

/// Argument of a parameter.
#[derive(Debug, PartialEq)]
pub enum Argument {
    /// A number, as it lies in memory.
    Number(Vec<u8>),
    /// Memory with numbers in it.
    Memory(Array),
}

/// Memory of a memref, or of all members of a group.
#[derive(Debug, PartialEq)]
pub struct Array {
    /// The numbers; the members of a group follow each other in a last mode of their own.
    pub content: Tensor,
    /// Layout of the numbers of the memref, or of one member.
    pub layout: Layout,
    /// Number of memrefs if it is a group.
    pub members: Option<u64>,
    /// Number of elements before the first of each member, because the group moves every pointer.
    pub offset: u64,
    /// Divisor of addresses.
    pub alignment: u64,
    /// Sizes and strides that the kernel is told.
    pub sizes: Vec<u64>,
    /// Further numbers of a group: its size and its offset, if the type leaves them open.
    pub group: Vec<u64>,
}

/// The parameters of a function.
pub fn parameters(ir: &Ir, function: Func) -> Vec<Parameter> {
    let FuncData { body, parameter_attributes, .. } = &ir[function];
    let parameter = |(place, (&value, attributes)): (usize, (&Value, &ParameterAttributes))| {
        let ValueData { name, number, ty, .. } = &ir[value];
        let number = || number.map_or_else(|| place.to_string(), |number| number.to_string());
        Parameter {
            name: name.clone().unwrap_or_else(number),
            ty: ty.clone(),
            alignment: attributes
                .alignment
                .and_then(|bytes| u64::try_from(bytes).ok())
                .unwrap_or(0)
                .max(ALIGNMENT),
        }
    };
    ir[*body].parameters.iter().zip(parameter_attributes).enumerate().map(parameter).collect()
}

/// Finds a value for every parameter: by name, those without a name in order.
pub fn bind(parameters: Vec<Parameter>, given: &[Given]) -> Result<Vec<Bound>, Failure> {
    let mut named: Vec<(&str, &str)> = Vec::new();
    for Given { name, value } in given {
        let Some(name) = name else { continue };
        if !parameters.iter().any(|parameter| parameter.name == *name) {
            let names: Vec<String> =
                parameters.iter().map(|parameter| format!("%{}", parameter.name)).collect();
            return Err(invalid(format!(
                "there is no parameter %{name}; the kernel has {}",
                names.join(", ")
            )));
        }
        if named.iter().any(|(known, _)| known == name) {
            return Err(invalid(format!("%{name} is given twice")));
        }
        named.push((name, value));
    }
    let mut in_order = given.iter().filter(|given| given.name.is_none());
    let mut budget = Budget::new();
    let (mut bound, mut missing) = (Vec::new(), Vec::new());
    for parameter in parameters {
        let by_name = named.iter().find(|(name, _)| *name == parameter.name).map(|(_, value)| *value);
        match by_name.or_else(|| in_order.next().map(|given| given.value.as_str())) {
            Some(value) => {
                let argument = parameter.argument(value, &mut budget);
                let about = |why| invalid(format!("%{} : {}: {why}", parameter.name, parameter.ty));
                let argument = match argument {
                    Ok(argument) => argument,
                    Err(Problem::Value(why)) => return Err(about(why)),
                    Err(Problem::File(failure)) => return Err(failure),
                };
                bound.push(Bound { parameter, argument });
            }
            None => missing.push(format!("    %{} : {}", parameter.name, parameter.ty)),
        }
    }
    if !missing.is_empty() {
        let message = format!("these parameters need a value, as --arg NAME=VALUE:\n{}", missing.join("\n"));
        return Err(invalid(message));
    }
    if let Some(Given { value, .. }) = in_order.next() {
        return Err(invalid(format!("there is no parameter left for `{value}`")));
    }
    Ok(bound)
}

/// Reason why a value does not fit a parameter.
enum Problem {
    Value(String),
    File(Failure),
}

impl From<String> for Problem {
    fn from(why: String) -> Problem {
        Problem::Value(why)
    }
}

impl Parameter {
    fn argument(&self, value: &str, budget: &mut Budget) -> Result<Argument, Problem> {
        match &self.ty {
            Type::Scalar(element) => {
                let mut bytes = Vec::new();
                value::number(value, *element)?.write(&mut bytes);
                Ok(Argument::Number(bytes))
            }
            Type::Memref(memref) => {
                let memory: Memory = value.parse()?;
                if memory.offset.is_some() {
                    return Err("only groups have an offset".to_owned().into());
                }
                let content = content(&memory.content, memref, None, budget)?;
                Ok(Argument::Memory(self.array(memref, content, None, 0, budget)?))
            }
            Type::Group(group) => {
                let memory: Memory = value.parse()?;
                let offset = offset(group.offset, memory.offset)?;
                let content = content(&memory.content, &group.member, Some(group.size), budget)?;
                let members = content.shape.last().copied().unwrap_or(0);
                let mut array = self.array(&group.member, content, Some(members), offset, budget)?;
                let told = [(group.size, members), (group.offset, array.offset)];
                array.group = told
                    .iter()
                    .filter(|(extent, _)| extent.is_dynamic())
                    .map(|(_, number)| *number)
                    .collect();
                Ok(Argument::Memory(array))
            }
            Type::Bool | Type::Coopmatrix(_) | Type::Tile(_) => {
                Err("kernels take no parameter of this type".to_owned().into())
            }
        }
    }

    fn array(
        &self,
        memref: &Memref,
        content: Tensor,
        members: Option<u64>,
        offset: u64,
        budget: &mut Budget,
    ) -> Result<Array, String> {
        let shape: Vec<u64> = content.shape.iter().take(memref.order()).copied().collect();
        let mut stride = Vec::new();
        let mut next = Some(1u64);
        for (&given, &size) in memref.stride.iter().zip(&shape) {
            let own = match given {
                Extent::Static(stride) => {
                    u64::try_from(stride).map_err(|_| format!("a stride of {stride} cannot be laid out"))?
                }
                // What the type leaves open is chosen so that there are no gaps.
                Extent::Dynamic => next.ok_or("its strides are beyond all memory")?,
            };
            stride.push(own);
            next = own.checked_mul(size);
        }
        let dynamic = |extents: &[Extent], numbers: &[u64]| -> Vec<u64> {
            let numbers = extents.iter().zip(numbers);
            numbers.filter(|(extent, _)| extent.is_dynamic()).map(|(_, number)| *number).collect()
        };
        let sizes = [dynamic(&memref.shape, &shape), dynamic(&memref.stride, &stride)].concat();
        let layout = Layout { shape, stride };
        // The size in bytes is asked for over and over; here it is made sure that it can be counted.
        let number = memref.element.bytes().unsigned_abs();
        let numbers = layout.span().and_then(|span| span.checked_add(offset));
        let size = numbers.and_then(|numbers| numbers.checked_mul(number));
        let bytes = size.filter(|&size| size <= MAX_BYTES).ok_or("it is beyond all memory")?;
        budget.take(&Need { shape: &content.shape, number, allocations: members.unwrap_or(1), bytes })?;
        let (alignment, group) = (self.alignment, Vec::new());
        Ok(Array { content, layout, members, offset, alignment, sizes, group })
    }
}

/// More than any memory this runs on; below it, no sum of sizes overflows.
const MAX_BYTES: u64 = 1 << 48;

/// The numbers of a memref, or of all members of a group of so many.
fn content(
    content: &Content,
    memref: &Memref,
    members: Option<Extent>,
    budget: &mut Budget,
) -> Result<Tensor, Problem> {
    let wanted: Vec<Extent> = memref.shape.iter().copied().chain(members).collect();
    let example = || {
        let sizes: Vec<String> = wanted.iter().map(Extent::to_string).collect();
        let behind = if members.is_some() { ", the last of them the number of members" } else { "" };
        format!("{} sizes, {}{behind}", wanted.len(), sizes.join("x"))
    };
    let tensor = match content {
        Content::File(path) => npy::read(path, memref.element).map_err(Problem::File)?,
        Content::Fill(fill, shape) => {
            let shape = match shape {
                Some(shape) => shape.clone(),
                None => {
                    let sizes: Option<Vec<u64>> = wanted
                        .iter()
                        .map(|size| size.value().and_then(|size| u64::try_from(size).ok()))
                        .collect();
                    sizes.ok_or_else(|| {
                        format!("the type leaves sizes open; give all of them behind a colon: {}", example())
                    })?
                }
            };
            check(&shape, &wanted, &example)?;
            let bytes = memref.element.bytes().unsigned_abs();
            let size = shape.iter().try_fold(bytes, |size, &mode| size.checked_mul(mode));
            let size = size.filter(|&size| size <= MAX_BYTES);
            let size = size.ok_or_else(|| "it is beyond all memory".to_owned())?;
            budget.take(&Need { shape: &shape, number: bytes, allocations: 1, bytes: size })?;
            return Ok(fill.tensor(memref.element, shape));
        }
    };
    check(&tensor.shape, &wanted, &example)?;
    Ok(tensor)
}

fn check(shape: &[u64], wanted: &[Extent], example: &dyn Fn() -> String) -> Result<(), String> {
    let fits = shape.len() == wanted.len()
        && shape.iter().zip(wanted).all(|(&size, wanted)| {
            wanted.value().is_none_or(|wanted| u64::try_from(wanted) == Ok(size))
                && i64::try_from(size).is_ok()
        });
    let given = if shape.is_empty() { "of a single number".to_owned() } else { tensor::shown(shape) };
    if fits { Ok(()) } else { Err(format!("the shape {given} does not fit; it takes {}", example())) }
}

/// The offset of a group from its type and from what is given.
fn offset(of_type: Extent, given: Option<u64>) -> Result<u64, String> {
    match (of_type, given) {
        (Extent::Dynamic, Some(offset)) if offset < MAX_BYTES => Ok(offset),
        (Extent::Dynamic, None) => {
            Err("the type leaves the offset open; give it as in zeros:9x9x5,offset=2".to_owned())
        }
        (Extent::Static(offset), None) => {
            u64::try_from(offset).map_err(|_| format!("an offset of {offset} cannot be laid out"))
        }
        (Extent::Static(offset), Some(given)) if u64::try_from(offset) == Ok(given) => Ok(given),
        (_, Some(given)) => Err(format!("an offset of {given} does not fit")),
    }
}

impl Array {
    /// The type of the numbers.
    pub fn element(&self) -> Scalar {
        self.content.element
    }

    /// The bytes of each memref as they lie in memory, the elements before the first included.
    pub fn images(&self) -> Vec<Cow<'_, [u8]>> {
        let size = tensor::size(self.element());
        let count = self.layout.shape.iter().product::<u64>();
        let each = usize::try_from(count).unwrap_or(0) * size;
        let before = usize::try_from(self.offset).unwrap_or(0) * size;
        (0..self.members.unwrap_or(1))
            .map(|member| {
                let start = usize::try_from(member).unwrap_or(0) * each;
                let numbers = self.content.bytes.get(start..start + each).unwrap_or_default();
                let image = self.layout.scatter(self.element(), numbers);
                let image = match before {
                    0 => image,
                    _ => [vec![0; before].as_slice(), &image].concat().into(),
                };
                layout::pack(self.element(), image)
            })
            .collect()
    }

    /// The numbers that lie in the memory of each memref.
    pub fn collect<'a>(&self, images: impl Iterator<Item = &'a [u8]>) -> Tensor {
        let size = tensor::size(self.element());
        let before = usize::try_from(self.offset).unwrap_or(0) * size;
        let mut bytes = Vec::with_capacity(self.content.bytes.len());
        for image in images {
            let image = layout::unpack(self.element(), image);
            bytes.extend_from_slice(&self.layout.gather(image.get(before..).unwrap_or_default(), size));
        }
        Tensor { element: self.content.element, shape: self.content.shape.clone(), bytes }
    }
}
