//! Arguments that a kernel takes: what its parameters become for whoever launches it (API reference 8).

use super::arguments::{ArgumentType, arguments};
use super::declare::Family;
use super::entities::{Func, FuncData, Ir, Program, Value, ValueData};
use super::grid::LaunchGrid;
use super::typed_attributes::{AttributeType, ModeDivisors, ParameterAttributes, UnitStride};
use super::types::{Extent, Memref, Scalar};

/// Arguments of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Name of the kernel.
    pub name: String,
    /// Its parameters in order.
    pub parameters: Vec<Parameter>,
    /// The number of work-groups that it needs, if the program tells.
    pub grid: Option<LaunchGrid>,
}

impl Signature {
    /// Returns whether the kernel follows pointers that it finds in memory, as those of a group.
    pub fn follows_pointers(&self) -> bool {
        let mut arguments = self.parameters.iter().flat_map(|parameter| &parameter.arguments);
        arguments.any(|argument| matches!(argument, ArgumentType::Pointers(_)))
    }
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
    /// Arguments of a matrix that is accessed by tiles and whose strides the type leaves open: code for the strides that
    /// it has at a launch is better (tile reference 2.6.3).
    pub open_layout: Option<MatrixArguments>,
}

/// A promise about arguments (tile reference 2.6.3). The compiler relies on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// Place of the argument among those of its parameter; of a matrix, its first.
    pub argument: usize,
    /// The argument in words: `the stride of mode 1`.
    pub meaning: String,
    /// The attribute as the program has it: `stride_gcd=[1,8]`.
    pub attribute: String,
    /// The promise.
    pub promise: Promise,
}

/// The content of a promise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Promise {
    /// The argument is a multiple of a number.
    MultipleOf(u64),
    /// The argument is a number.
    Is(i64),
    /// 2D block messages take the matrix, which is contiguous along a mode.
    Surface(MatrixArguments, UnitStride),
}

/// Arguments of a matrix, of which the address is the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixArguments {
    /// Type of the elements.
    pub element: Scalar,
    /// The sizes.
    pub shape: [ExtentArgument; 2],
    /// The strides.
    pub stride: [ExtentArgument; 2],
}

/// A size or stride of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtentArgument {
    /// The type says it.
    Known(i64),
    /// The argument of a place among those of the parameter.
    Argument(usize),
}

impl MatrixArguments {
    /// `None` for what is no matrix.
    fn of(memref: &Memref) -> Option<MatrixArguments> {
        let mut place = 0;
        let mut argument = |extent: &Extent| {
            extent.value().map_or_else(
                || {
                    place += 1;
                    ExtentArgument::Argument(place)
                },
                ExtentArgument::Known,
            )
        };
        let shape: Vec<_> = memref.shape.iter().map(&mut argument).collect();
        let stride: Vec<_> = memref.stride.iter().map(&mut argument).collect();
        let (shape, stride) = (shape.try_into().ok()?, stride.try_into().ok()?);
        Some(MatrixArguments { element: memref.element, shape, stride })
    }
}

impl Ir {
    /// Signatures of the kernels of a program, in order.
    pub fn signatures(&self, program: &Program) -> Vec<Signature> {
        program.functions.iter().map(|&func| self.signature(func)).collect()
    }

    /// Signatures of the kernels of a program that is compiled for a device of which pointers without an attribute
    /// `alignment` are taken for aligned to so many bytes.
    pub fn signatures_aligned(&self, program: &Program, default_alignment: i32) -> Vec<Signature> {
        let default = Some(i64::from(default_alignment));
        program.functions.iter().map(|&func| self.signature_aligned(func, default)).collect()
    }

    /// Signature of the kernel that a function becomes, on whatever device.
    pub fn signature(&self, func: Func) -> Signature {
        self.signature_aligned(func, None)
    }

    fn signature_aligned(&self, func: Func, default_alignment: Option<i64>) -> Signature {
        let FuncData { name, body, parameter_attributes, .. } = &self[func];
        let parameters = self[*body].parameters.iter().zip(parameter_attributes).enumerate();
        let parameters = parameters
            .map(|(place, (&value, attributes))| self.parameter(place, value, attributes, default_alignment));
        Signature { name: name.clone(), parameters: parameters.collect(), grid: self.launch_grid(func) }
    }

    fn parameter(
        &self,
        place: usize,
        value: Value,
        attributes: &ParameterAttributes,
        default_alignment: Option<i64>,
    ) -> Parameter {
        let ValueData { name, number, ty, .. } = &self[value];
        let number = || number.map_or_else(|| place.to_string(), |number| number.to_string());
        let name = name.clone().unwrap_or_else(number);
        let contracts =
            ty.memref().map_or_else(Vec::new, |memref| contracts(memref, attributes, default_alignment));
        let open_layout = ty.memref().filter(|memref| self.has_open_layout(value, memref, attributes));
        Parameter {
            name: format!("%{name}"),
            ty: ty.to_string(),
            arguments: arguments(ty),
            contracts,
            open_layout: open_layout.and_then(MatrixArguments::of),
        }
    }

    fn has_open_layout(&self, value: Value, memref: &Memref, attributes: &ParameterAttributes) -> bool {
        let is_told = attributes.unit_stride.is_some();
        let by_tiles =
            || self.uses(value).iter().any(|found| self[found.user].op.info().family == Family::Tile);
        !is_told && memref.stride.first().is_some_and(|stride| stride.is_dynamic()) && by_tiles()
    }
}

/// The promises about the arguments of a memref, and what numbers that share bytes ask of them: those about what the
/// type says are the verifier's business, and what is in the memory of a group cannot be looked at.
fn contracts(
    memref: &Memref,
    attributes: &ParameterAttributes,
    default_alignment: Option<i64>,
) -> Vec<Contract> {
    let mut contracts = Vec::new();
    let mut add = |argument, meaning, attribute, divisor| {
        if let Some(divisor) = u64::try_from(divisor).ok().filter(|&divisor| divisor > 1) {
            contracts.push(Contract { argument, meaning, attribute, promise: Promise::MultipleOf(divisor) });
        }
    };
    let address = || "the address".to_owned();
    match (attributes.alignment, default_alignment) {
        (Some(divisor), _) => add(0, address(), written("alignment", &divisor), divisor),
        (None, Some(default)) => {
            add(0, address(), format!("the device's default alignment of {default} bytes"), default);
        }
        (None, None) => {}
    }
    let mut argument = 1;
    for (name, divisors, extents, what) in [
        ("shape_gcd", &attributes.shape_gcd, &memref.shape, "size"),
        ("stride_gcd", &attributes.stride_gcd, &memref.stride, "stride"),
    ] {
        for (mode, _) in extents.iter().enumerate().filter(|(_, extent)| extent.is_dynamic()) {
            let meaning = format!("the {what} of mode {mode}");
            if let Some(all @ ModeDivisors(divisors)) = divisors
                && let Some(&divisor) = divisors.get(mode)
            {
                add(argument, meaning.clone(), written(name, all), divisor);
            }
            // Columns begin at a byte (language reference 3.1).
            if what == "stride" && memref.stride.contains(&Extent::Static(1)) {
                let promise = format!("even strides of {}", memref.element);
                add(argument, meaning, promise, memref.element.per_byte());
            }
            argument += 1;
        }
    }
    contracts.extend(layout_contracts(memref, attributes));
    contracts
}

/// An attribute as the program has it.
fn written(name: &str, content: &impl AttributeType) -> String {
    format!("{name}={}", content.attribute())
}

/// The promises about the layout of a matrix.
fn layout_contracts(memref: &Memref, attributes: &ParameterAttributes) -> Vec<Contract> {
    let Some(matrix) = MatrixArguments::of(memref) else { return Vec::new() };
    let mut contracts = Vec::new();
    if let Some(unit @ UnitStride(mode)) = attributes.unit_stride
        && let Some(&ExtentArgument::Argument(argument)) = matrix.stride.get(usize::from(mode == 1))
    {
        let (meaning, attribute) = (format!("the stride of mode {mode}"), written("unit_stride", &unit));
        contracts.push(Contract { argument, meaning, attribute, promise: Promise::Is(1) });
    }
    if attributes.surface == Some(true) {
        let promise = Promise::Surface(matrix, attributes.unit_stride.unwrap_or(UnitStride(0)));
        let meaning = "2D block messages do not take the matrix".to_owned();
        contracts.push(Contract { argument: 0, meaning, attribute: written("surface", &true), promise });
    }
    contracts
}
