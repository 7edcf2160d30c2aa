//! Arguments of a kernel in memory that host and device share.

use super::device::failed;
use super::layout::Layout;
use super::parameter::{Argument, Array, Bound};
use super::tensor::Tensor;
use super::value::Random;
use crate::common::Failure;
use std::borrow::Cow;
use std::sync::Arc;
use tiletc::ir::Scalar;
use tiletc::runtime::{self, Memory};
use tiletc::status::Status;

/// The arguments of a kernel, whose memory is on the device. A clone shares the memory.
#[derive(Clone, Default)]
pub struct Arguments {
    placed: Vec<Arc<Placed>>,
}

/// A parameter whose memory is on the device.
struct Placed {
    bound: Arc<Bound>,
    /// One for a memref, one for each member of a group; none for a number.
    buffers: Vec<Memory<u8>>,
    /// The addresses of the members of a group, then each of the sizes that members are told.
    tables: Vec<Memory<u8>>,
}

/// An allocation and what it is for.
#[derive(Clone, Debug)]
pub struct Allocation {
    /// First address.
    pub address: u64,
    /// The parameter, and what of it.
    pub purpose: String,
    /// Numbers in it; none in a table of a group.
    pub elements: Option<Elements>,
}

/// Numbers of an allocation.
#[derive(Clone, Debug)]
pub struct Elements {
    /// Their places.
    pub layout: Layout,
    /// Their type.
    pub scalar: Scalar,
}

/// Memory of a parameter: what it held when it was placed, and what it holds now.
pub struct Content<'a> {
    /// The parameter.
    pub name: &'a str,
    array: &'a Array,
    buffers: &'a [Memory<u8>],
}

impl<'a> Content<'a> {
    /// The numbers that it was given.
    pub fn before(&self) -> &'a Tensor {
        &self.array.content
    }

    /// The numbers that are there now.
    pub fn after(&self) -> Tensor {
        self.array.collect(self.buffers.iter().map(|buffer| &**buffer))
    }
}

impl Arguments {
    /// Copies what parameters are given into memory of the device.
    pub fn place(device: &impl runtime::Session, bound: Vec<Bound>) -> Result<Arguments, Failure> {
        Arguments::of(bound, |bound| place(device, bound, false))
    }

    /// The same with members of groups that are allocated in random order, so that neighbours are far apart.
    pub fn scatter(device: &impl runtime::Session, bound: Vec<Bound>) -> Result<Arguments, Failure> {
        Arguments::of(bound, |bound| place(device, bound, true))
    }

    fn of(
        bound: Vec<Bound>,
        place: impl Fn(Arc<Bound>) -> Result<Placed, Failure>,
    ) -> Result<Arguments, Failure> {
        let placed = bound.into_iter().map(|bound| Ok(Arc::new(place(Arc::new(bound))?)));
        Ok(Arguments { placed: placed.collect::<Result<_, Failure>>()? })
    }

    /// The same arguments with memory of their own for some parameters, and for the others the memory of these.
    pub fn renewed(
        &self,
        device: &impl runtime::Session,
        is_renewed: impl Fn(&str) -> bool,
    ) -> Result<Arguments, Failure> {
        let renew = |placed: &Arc<Placed>| match is_renewed(&placed.bound.parameter.name) {
            true => Ok(Arc::new(place(device, Arc::clone(&placed.bound), false)?)),
            false => Ok(Arc::clone(placed)),
        };
        Ok(Arguments { placed: self.placed.iter().map(renew).collect::<Result<_, Failure>>()? })
    }

    /// Returns whether the parameters and what they are given are the same.
    pub fn are_given_as(&self, other: &Arguments) -> bool {
        let are_same =
            |(a, b): (&Arc<Placed>, &Arc<Placed>)| Arc::ptr_eq(&a.bound, &b.bound) || a.bound == b.bound;
        self.placed.len() == other.placed.len() && self.placed.iter().zip(&other.placed).all(are_same)
    }

    /// The arguments in the order of the calling convention (API reference 8).
    pub fn given(&self) -> Result<Vec<runtime::Argument<'_>>, Failure> {
        let given: Option<Vec<_>> = self.placed.iter().flat_map(|placed| placed.arguments()).collect();
        given.ok_or_else(|| {
            let message = "an argument of a size that no type has".to_owned();
            Failure::Failed(Status::InternalCompilerError, message)
        })
    }

    /// The memory of all parameters.
    pub fn buffers(&self) -> impl Iterator<Item = &Memory<u8>> {
        self.placed.iter().flat_map(|placed| &placed.buffers)
    }

    /// The memory of the parameters of these names, with the places of the buffers among [all](Arguments::buffers).
    pub fn buffers_of(&self, names: &[String]) -> impl Iterator<Item = (usize, &Memory<u8>)> {
        let named = self.placed.iter().flat_map(|placed| {
            placed.buffers.iter().map(move |buffer| (&placed.bound.parameter.name, buffer))
        });
        let chosen = named.enumerate().filter(|(_, (name, _))| names.contains(name));
        chosen.map(|(place, (_, buffer))| (place, buffer))
    }

    /// Bytes of all numbers in the memory of parameters.
    pub fn bytes(&self) -> u64 {
        let bytes = |placed: &Arc<Placed>| match &placed.bound.argument {
            Argument::Number(_) => 0,
            Argument::Memory(array) => {
                let numbers = i64::try_from(array.content.bytes.len()).ok();
                let element = array.element();
                let bytes = numbers.and_then(|numbers| element.bytes_of(numbers / element.bytes()));
                bytes.map_or(u64::MAX, i64::unsigned_abs)
            }
        };
        self.placed.iter().map(bytes).fold(0, u64::saturating_add)
    }

    /// Purpose of each allocation.
    pub fn allocations(&self) -> Vec<Allocation> {
        self.placed.iter().flat_map(|placed| placed.allocations()).collect()
    }

    /// Content of the memory of each parameter.
    pub fn contents(&self) -> impl Iterator<Item = Content<'_>> {
        self.placed.iter().filter_map(|placed| {
            let Argument::Memory(array) = &placed.bound.argument else { return None };
            Some(Content { name: &placed.bound.parameter.name, array, buffers: &placed.buffers })
        })
    }
}

fn place(device: &impl runtime::Session, bound: Arc<Bound>, is_scattered: bool) -> Result<Placed, Failure> {
    let Argument::Memory(array) = &bound.argument else {
        return Ok(Placed { bound, buffers: Vec::new(), tables: Vec::new() });
    };
    let alignment = usize::try_from(array.alignment).unwrap_or(usize::MAX);
    let upload = |image: &[u8]| device.aligned_memory(image, alignment).map_err(failed);
    let mut images: Vec<(usize, Cow<'_, [u8]>)> = array.images().into_iter().enumerate().collect();
    if is_scattered {
        let mut random = Random(0);
        images.sort_by_cached_key(|_| random.bits());
    }
    let buffers = images.iter().map(|(member, image)| Ok((*member, upload(image)?)));
    let mut buffers = buffers.collect::<Result<Vec<_>, Failure>>()?;
    buffers.sort_by_key(|(member, _)| *member);
    let buffers: Vec<Memory<u8>> = buffers.into_iter().map(|(_, buffer)| buffer).collect();
    let mut tables = Vec::new();
    if let Some(members) = array.members {
        let table = |numbers: &mut dyn Iterator<Item = u64>| {
            upload(&numbers.flat_map(u64::to_ne_bytes).collect::<Vec<u8>>())
        };
        tables.push(table(&mut buffers.iter().map(Memory::address))?);
        for &size in &array.sizes {
            tables.push(table(&mut (0..members).map(|_| size))?);
        }
    }
    Ok(Placed { bound, buffers, tables })
}

impl Placed {
    /// The kernel's arguments for the parameter, by the calling convention (API reference 8); `None` for a number of
    /// a size that no type has.
    fn arguments(&self) -> Vec<Option<runtime::Argument<'_>>> {
        let number = |&number: &u64| Some(number.into());
        let address = |memory| Some(runtime::Argument::from(memory));
        let Placed { bound, buffers, tables } = self;
        match &bound.argument {
            Argument::Number(bytes) => vec![runtime::Argument::from_bytes(bytes)],
            Argument::Memory(array) if array.members.is_none() => {
                let pointers = buffers.iter().chain(tables).map(address);
                pointers.chain(array.sizes.iter().map(number)).collect()
            }
            Argument::Memory(array) => {
                tables.iter().map(address).chain(array.group.iter().map(number)).collect()
            }
        }
    }

    /// Purpose of each allocation.
    fn allocations(&self) -> Vec<Allocation> {
        let Placed { bound, buffers, tables } = self;
        let (name, Argument::Memory(array)) = (&bound.parameter.name, &bound.argument) else {
            return Vec::new();
        };
        let Array { members, layout, content, .. } = array;
        let member = |place| match members {
            Some(_) => format!("member {place} of %{name}"),
            None => format!("%{name}"),
        };
        let numbers = Elements { layout: layout.clone(), scalar: content.element };
        let buffers = buffers.iter().enumerate().map(|(place, buffer)| Allocation {
            address: buffer.address(),
            purpose: member(place),
            elements: Some(numbers.clone()),
        });
        let tables = tables.iter().enumerate().map(|(place, buffer)| {
            let what = if place == 0 { "pointers" } else { "sizes" };
            Allocation {
                address: buffer.address(),
                purpose: format!("the {what} of %{name}"),
                elements: None,
            }
        });
        buffers.chain(tables).collect()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::super::parameter;
    use super::*;
    use tiletc::diagnostics::SourceId;
    use tiletc::driver;
    use tiletc::ir::Ir;

    #[test]
    fn arguments_are_the_same_by_parameter_and_numbers() {
        let device = virtual_xe_runtime::Session::open("pvc").unwrap();
        let arguments = |text: &str, given: &str| {
            let mut ir = Ir::default();
            let program = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).unwrap();
            let parameters = parameter::parameters(&ir, program.functions[0]);
            let bound = parameter::bind(parameters, &[given.parse().unwrap()]).unwrap();
            Arguments::place(&device, bound).unwrap()
        };
        let first = arguments("func @f(%A: memref<i32x4>) { }", "iota");
        assert!(first.are_given_as(&arguments("func @g(%A: memref<i32x4>) { }", "iota")));
        assert!(first.are_given_as(&first.renewed(&device, |_| true).unwrap()));
        assert!(!first.are_given_as(&arguments("func @f(%A: memref<i32x4>) { }", "zeros")));
        assert!(!first.are_given_as(&arguments("func @f(%B: memref<i32x4>) { }", "iota")));
        assert!(!first.are_given_as(&arguments("func @f(%A: memref<i32x2x2>) { }", "iota")));
        assert!(!first.are_given_as(&Arguments::default()));
    }

    #[test]
    fn scattered_members_have_their_numbers_in_other_places() {
        let text = b"func @f(%A: group<memref<i32x4>x?>) { }";
        let mut ir = Ir::default();
        let program = driver::parse(&mut ir, SourceId::UNKNOWN, text).unwrap();
        let bound = || {
            let parameters = parameter::parameters(&ir, program.functions[0]);
            parameter::bind(parameters, &["iota:4x50".parse().unwrap()]).unwrap()
        };
        let device = virtual_xe_runtime::Session::open("pvc").unwrap();
        let in_order = Arguments::place(&device, bound()).unwrap();
        let scattered = Arguments::scatter(&device, bound()).unwrap();
        let numbers = |arguments: &Arguments| -> Vec<Vec<u8>> {
            arguments.buffers().map(|buffer| buffer.to_vec()).collect()
        };
        assert_eq!(numbers(&in_order), numbers(&scattered));
        let rising = |arguments: &Arguments| {
            let addresses: Vec<u64> = arguments.buffers().map(Memory::address).collect();
            // The first table has the pointers.
            let table = arguments.placed[0].tables[0].to_vec();
            assert_eq!(
                table,
                addresses.iter().flat_map(|address| address.to_ne_bytes()).collect::<Vec<u8>>()
            );
            addresses.windows(2).filter(|pair| pair[0] < pair[1]).count()
        };
        let (in_order, scattered) = (rising(&in_order), rising(&scattered));
        assert!(in_order > 45 && (10..40).contains(&scattered), "{in_order} {scattered}");
    }
}
