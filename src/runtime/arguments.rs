//! Arguments of a launch, compared with what the kernel takes.
//!
//! A driver knows sizes at best. What the parameters are is known where a bundle is built; [`remember`] keeps it for as
//! long as nobody else is known to have the handle, and [`check`] says what does not fit.

use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use super::bounded::Bounded;
use super::{Argument, Error};
use crate::device::{CoreInfo, SpirvFeature};
use crate::driver::{self, Layout};
use crate::environment;
use crate::ir::{ArgumentType, Parameter, Promise, Scalar, Signature};

/// Kind of an argument as the program gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum ArgumentKind {
    /// Bytes of which nothing else is known.
    Bytes = 0,
    /// An integer.
    Integer = 1,
    /// A floating-point number.
    Floating = 2,
    /// A complex number.
    Complex = 3,
    /// A buffer object, `cl_mem`.
    Buffer = 4,
    /// An address of unified shared memory.
    Usm = 5,
    /// An address of shared virtual memory.
    Svm = 6,
    /// An address of unified shared memory, of which is known what it holds.
    TypedUsm = 7,
    /// An address that is no unified shared memory of the kernel's context.
    Foreign = 8,
}

impl ArgumentKind {
    const ALL: [ArgumentKind; 9] = [
        ArgumentKind::Bytes,
        ArgumentKind::Integer,
        ArgumentKind::Floating,
        ArgumentKind::Complex,
        ArgumentKind::Buffer,
        ArgumentKind::Usm,
        ArgumentKind::Svm,
        ArgumentKind::TypedUsm,
        ArgumentKind::Foreign,
    ];

    /// The kind of a code, if there is one.
    pub fn from_code(code: i32) -> Option<ArgumentKind> {
        ArgumentKind::ALL.into_iter().find(|&kind| kind as i32 == code)
    }

    /// Returns whether it is memory instead of a number.
    pub fn is_memory(self) -> bool {
        matches!(
            self,
            ArgumentKind::Buffer
                | ArgumentKind::Usm
                | ArgumentKind::Svm
                | ArgumentKind::TypedUsm
                | ArgumentKind::Foreign
        )
    }
}

/// The numbers that a pointer leads to, as the program's types say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointee {
    /// Kind of the numbers; bytes if nothing is known of them.
    pub kind: ArgumentKind,
    /// Bytes of a number.
    pub size: usize,
    /// Pointers that lead from the address to the numbers beside itself.
    pub levels: usize,
}

impl Pointee {
    /// The pointee that C gives as a number: the bytes of a number, its kind times 2⁸, and the levels times 2¹⁶.
    pub fn from_code(code: usize) -> Option<Pointee> {
        let kind = i32::try_from(code >> 8 & 0xff).ok().and_then(ArgumentKind::from_code)?;
        (!kind.is_memory()).then_some(Pointee { kind, size: code & 0xff, levels: code >> 16 })
    }

    fn is(self, scalar: Scalar, levels: usize) -> bool {
        let is_size = i64::try_from(self.size) == Ok(scalar.bytes()) && kinds(scalar).contains(&self.kind);
        self.levels == levels && (is_size || self.kind == ArgumentKind::Bytes)
    }

    fn name(self) -> String {
        let number = number_name(self.kind, self.size);
        match self.levels {
            1 if self.kind == ArgumentKind::Bytes => "a pointer to pointers".to_owned(),
            0 => format!("a pointer to {number}"),
            1 => format!("a pointer to pointers to {number}"),
            levels => format!("a pointer to {number} through {levels} pointers"),
        }
    }
}

/// The integer of 8 to 64 bits that bytes are, as one of 64.
pub fn integer(bytes: &[u8]) -> Option<u64> {
    let integer = match *bytes {
        [a] => i8::from_ne_bytes([a]).into(),
        [a, b] => i16::from_ne_bytes([a, b]).into(),
        [a, b, c, d] => i32::from_ne_bytes([a, b, c, d]).into(),
        _ => i64::from_ne_bytes(bytes.try_into().ok()?),
    };
    Some(integer.cast_unsigned())
}

/// Kind and size in bytes of an argument, and what it is if that is an address or an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenArgument {
    /// Its kind.
    pub kind: ArgumentKind,
    /// Its size; that of an address for memory.
    pub size: usize,
    /// The address, or an integer as one of 64 bits, if it is known.
    pub value: Option<u64>,
    /// The numbers that it leads to, if they are known.
    pub pointee: Option<Pointee>,
}

impl From<&Argument<'_>> for GivenArgument {
    fn from(argument: &Argument<'_>) -> Self {
        match argument.value() {
            Ok(bytes) => {
                let (size, value) = (bytes.len(), integer(bytes));
                GivenArgument { kind: ArgumentKind::Bytes, size, value, pointee: None }
            }
            Err(address) => {
                let value = u64::try_from(address.addr()).ok();
                let size = size_of::<*const u8>();
                GivenArgument { kind: ArgumentKind::Usm, size, value, pointee: None }
            }
        }
    }
}

impl GivenArgument {
    fn fits(self, needed: ArgumentType) -> bool {
        let is_address = self.kind == ArgumentKind::Bytes && self.size == size_of::<*const u8>();
        // A buffer object cannot be stored in memory, so that neither can a table of them be one.
        let is_table = is_address || self.kind.is_memory() && self.kind != ArgumentKind::Buffer;
        let holds = |scalar, levels| {
            let is_reached = self.kind != ArgumentKind::Foreign;
            is_reached && self.pointee.is_none_or(|pointee| pointee.is(scalar, levels))
        };
        match needed {
            ArgumentType::Pointer(scalar) => (is_address || self.kind.is_memory()) && holds(scalar, 0),
            ArgumentType::Pointers(scalar) => is_table && holds(scalar, 1),
            ArgumentType::Sizes => is_table && holds(Scalar::I64, 0),
            ArgumentType::Number(scalar) => {
                let is_size = i64::try_from(self.size) == Ok(scalar.bytes());
                is_size && kinds(scalar).contains(&self.kind)
            }
        }
    }

    fn name(self) -> String {
        match self.kind {
            ArgumentKind::Bytes | ArgumentKind::Integer => {
                format!("an {}", number_name(self.kind, self.size))
            }
            ArgumentKind::Floating | ArgumentKind::Complex => {
                format!("a {}", number_name(self.kind, self.size))
            }
            ArgumentKind::Buffer => "a buffer".to_owned(),
            ArgumentKind::Usm | ArgumentKind::TypedUsm => {
                self.pointee.map_or_else(|| "a pointer".to_owned(), Pointee::name)
            }
            ArgumentKind::Svm => "an SVM pointer".to_owned(),
            ArgumentKind::Foreign => {
                "a pointer to what is no unified shared memory of the kernel's context".to_owned()
            }
        }
    }
}

/// A number of a kind and a size in bytes as a message names it.
fn number_name(kind: ArgumentKind, size: usize) -> String {
    match (kind, size) {
        (ArgumentKind::Integer, size) => format!("int{}", size.saturating_mul(8)),
        (ArgumentKind::Floating, 2) => "16-bit float".to_owned(),
        (ArgumentKind::Floating, 4) => "float".to_owned(),
        (ArgumentKind::Floating, 8) => "double".to_owned(),
        (ArgumentKind::Floating, size) => format!("float of {size} bytes"),
        (ArgumentKind::Complex, 8) => "complex<float>".to_owned(),
        (ArgumentKind::Complex, 16) => "complex<double>".to_owned(),
        (ArgumentKind::Complex, size) => format!("complex number of {size} bytes"),
        (_, size) => format!("object of {size} bytes"),
    }
}

/// Kinds in which a number can be given. C has no type for floats of 16 bits and less but an integer that holds the bits.
fn kinds(scalar: Scalar) -> &'static [ArgumentKind] {
    if scalar.is_integer() {
        &[ArgumentKind::Integer, ArgumentKind::Bytes]
    } else if scalar.is_complex() {
        &[ArgumentKind::Complex, ArgumentKind::Bytes]
    } else if scalar.bytes() <= 2 {
        &[ArgumentKind::Floating, ArgumentKind::Integer, ArgumentKind::Bytes]
    } else {
        &[ArgumentKind::Floating, ArgumentKind::Bytes]
    }
}

/// False if the environment asks that nothing is compared (`TILETC_CHECK_ARGUMENTS=0`).
static IS_CHECKED: LazyLock<bool> =
    LazyLock::new(|| environment::switch("TILETC_CHECK_ARGUMENTS").unwrap_or(true));

/// Returns whether anything is compared.
pub(super) fn are_checked() -> bool {
    *IS_CHECKED
}

/// Compares arguments with what a kernel takes.
///
/// # Errors
/// [`Error::KernelArguments`] about the first parameter whose arguments are missing or of another kind or size;
/// [`Error::ArgumentContract`] about the first argument of another value than an attribute promises.
pub fn check(signature: &Signature, given: &[GivenArgument]) -> Result<(), Error> {
    if !*IS_CHECKED {
        return Ok(());
    }
    let mut rest = given;
    for parameter in &signature.parameters {
        let number = parameter.arguments.len();
        let (own, others) = rest.split_at_checked(number).unwrap_or((rest, &[]));
        let fits = own.len() == number
            && own.iter().zip(&parameter.arguments).all(|(given, &needed)| given.fits(needed));
        let first = given.len().saturating_sub(rest.len()).saturating_add(1);
        if !fits {
            return Err(refusal(signature, format!("{}, got {}", takes(parameter), got(own, first))));
        }
        check_contracts(&signature.name, parameter, own, first)?;
        rest = others;
    }
    if rest.is_empty() {
        return Ok(());
    }
    let needed: usize = signature.parameters.iter().map(|parameter| parameter.arguments.len()).sum();
    let parameters: Vec<String> = signature.parameters.iter().map(takes).collect();
    let all = if parameters.is_empty() { "no parameters".to_owned() } else { parameters.join("; ") };
    Err(refusal(signature, format!("{} arguments where it takes {needed}: {all}", given.len())))
}

/// Compares the arguments of a parameter, which begin with a number, with what its attributes promise.
fn check_contracts(
    kernel: &str,
    parameter: &Parameter,
    own: &[GivenArgument],
    first: usize,
) -> Result<(), Error> {
    for contract in &parameter.contracts {
        let given = own.get(contract.argument).copied();
        let Some(GivenArgument { kind, value: Some(value), .. }) = given else { continue };
        let found = || if kind.is_memory() { format!("{value:#x}") } else { value.cast_signed().to_string() };
        let broken = match contract.promise {
            Promise::MultipleOf(divisor) => {
                (!value.is_multiple_of(divisor)).then(|| format!("is {}", found()))
            }
            Promise::Is(number) => (value.cast_signed() != number).then(|| format!("is {}", found())),
            Promise::Surface(matrix, unit) => {
                driver::check_surface(&matrix, unit, |place| known_number(own, place))
                    .err()
                    .map(|reason| format!("since {reason}"))
            }
        };
        let Some(broken) = broken else { continue };
        let what = format!(
            "argument {} ({}): the kernel was compiled for {}, but {} {broken}",
            first.saturating_add(contract.argument),
            parameter.name,
            contract.attribute,
            contract.meaning
        );
        return Err(Error::ArgumentContract { kernel: kernel.to_owned(), what });
    }
    Ok(())
}

/// The address or 64-bit number at a place among the arguments of a parameter.
fn known_number(own: &[GivenArgument], place: usize) -> Option<i64> {
    own.get(place)?.value.map(u64::cast_signed)
}

/// Layouts of the parameters of a kernel whose type leaves them open, as the arguments have them and as far as they make
/// a difference to a device.
pub fn layouts(signature: &Signature, given: &[GivenArgument], info: &CoreInfo) -> Vec<Option<Layout>> {
    let has_surfaces = info.have(SpirvFeature::Block2dIo);
    let mut rest = given;
    let layout = |parameter: &Parameter| {
        let (own, others) = rest.split_at_checked(parameter.arguments.len()).unwrap_or((rest, &[]));
        rest = others;
        let layout = Layout::of(&parameter.open_layout?, |place| known_number(own, place))?;
        Some(Layout { is_surface: layout.is_surface && has_surfaces, ..layout })
    };
    signature.parameters.iter().map(layout).collect()
}

/// The numbers of work-groups of a launch in x, y and z: those that are asked for, or else those that the program says.
///
/// # Errors
/// [`Error::Grid`] if fewer are asked for than the arguments need, or if none are and nothing tells how many it takes.
pub fn grid(
    signature: Option<&Signature>,
    given: &[GivenArgument],
    asked: Option<[u64; 3]>,
) -> Result<[u64; 3], Error> {
    let known = signature.and_then(|signature| {
        let grid = signature.grid.as_ref()?;
        let needed = grid.groups(|place| known_number(given, place))?;
        Some((signature, grid, needed))
    });
    let times = |groups: [u64; 3]| groups.map(|number| number.to_string()).join(" × ");
    match (known, asked) {
        (None, Some(asked)) => Ok(asked),
        (Some((_, _, needed)), None) => Ok(needed),
        (Some((_, grid, needed)), Some(asked)) if !*IS_CHECKED || grid.is_covered(needed, asked) => Ok(asked),
        (Some((signature, grid, needed)), Some(asked)) => Err(Error::Grid {
            kernel: signature.name.clone(),
            what: format!(
                "{} work-groups, where the arguments need {} (grid={})",
                times(asked),
                times(needed),
                grid.text
            ),
        }),
        (None, None) => Err(Error::Grid {
            kernel: signature
                .map_or_else(|| "of unknown name".to_owned(), |signature| signature.name.clone()),
            what: "nothing tells how many work-groups it takes; pass their number, or give the function an \
                   attribute grid=[x,y,z]"
                .to_owned(),
        }),
    }
}

/// Compares the number of arguments with that of a kernel of which nothing else is known.
///
/// # Errors
/// [`Error::KernelArguments`] if they differ.
pub fn check_number(kernel: &str, needed: usize, given: usize) -> Result<(), Error> {
    if needed == given {
        return Ok(());
    }
    let what = format!("{given} arguments where it takes {needed}");
    Err(Error::KernelArguments { kernel: kernel.to_owned(), what })
}

fn refusal(signature: &Signature, what: String) -> Error {
    Error::KernelArguments { kernel: signature.name.clone(), what }
}

/// `%P: memref<f32x?> takes a pointer and one int64`
fn takes(Parameter { name, ty, arguments, .. }: &Parameter) -> String {
    let mut runs: Vec<(ArgumentType, usize)> = Vec::new();
    for &argument in arguments {
        match runs.last_mut() {
            Some((last, count)) if *last == argument => *count += 1,
            _ => runs.push((argument, 1)),
        }
    }
    let is_alone = runs.len() == 1;
    let parts: Vec<String> = runs
        .into_iter()
        .map(|(argument, count)| match argument {
            ArgumentType::Pointer(scalar) => format!("a pointer to {}", scalar.cpp_name()),
            ArgumentType::Pointers(scalar) => format!("a pointer to pointers to {}", scalar.cpp_name()),
            ArgumentType::Sizes if count == 1 => "a pointer to int64".to_owned(),
            ArgumentType::Sizes => format!("{} pointers to int64", in_words(count)),
            ArgumentType::Number(scalar) if is_alone => format!("{} {}", article(scalar), scalar.cpp_name()),
            ArgumentType::Number(scalar) => format!("{} {}", in_words(count), scalar.cpp_name()),
        })
        .collect();
    format!("{name}: {ty} takes {}", list(&parts))
}

fn article(scalar: Scalar) -> &'static str {
    if scalar.is_integer() { "an" } else { "a" }
}

fn got(given: &[GivenArgument], first: usize) -> String {
    match given {
        [] => format!("nothing (argument {first} is missing)"),
        _ => {
            let names: Vec<String> = given.iter().map(|argument| argument.name()).collect();
            let last = first.saturating_add(given.len()).saturating_sub(1);
            let place = if first == last {
                format!("argument {first}")
            } else {
                format!("arguments {first} to {last}")
            };
            format!("{} ({place})", list(&names))
        }
    }
}

fn list(parts: &[String]) -> String {
    match parts {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

fn in_words(count: usize) -> String {
    const WORDS: [&str; 4] = ["one", "two", "three", "four"];
    let word = count.checked_sub(1).and_then(|place| WORDS.get(place));
    word.map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

/// Handle of a runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NativeHandle {
    /// A `cl_program`.
    ClProgram(usize),
    /// A `ze_module_handle_t`.
    ZeModule(usize),
    /// A `ze_kernel_handle_t`.
    ZeKernel(usize),
}

/// Entries that are kept.
const CAPACITY: usize = 1 << 14;

/// Signatures of handles that user programs own.
type Known = Bounded<NativeHandle, Arc<[Arc<Signature>]>>;

fn known() -> MutexGuard<'static, Known> {
    static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(|| Mutex::new(Bounded::new(CAPACITY)));
    // A panic leaves at worst an entry too few.
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps the signatures of the kernels of a bundle, or of the one kernel that a handle is.
pub fn remember(handle: NativeHandle, signatures: impl IntoIterator<Item = Arc<Signature>>) {
    known().insert(handle, signatures.into_iter().collect());
}

/// Forgets a handle that is freed, or whose kernels are of unknown signatures.
pub fn forget(handle: NativeHandle) {
    known().remove(handle);
}

/// Signature of the kernel of a name, or the only one, that takes so many arguments; `None` if it is not known.
pub fn signature(handle: NativeHandle, kernel: Option<&str>, number: usize) -> Option<Arc<Signature>> {
    let signatures = known().get(handle)?.clone();
    // What has another number of arguments is a kernel of somebody else at the same address.
    let takes =
        |signature: &Signature| signature.parameters.iter().map(|it| it.arguments.len()).sum::<usize>();
    signatures
        .iter()
        .find(|known| kernel.is_none_or(|name| known.name == name) && takes(known) == number)
        .cloned()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::diagnostics::SourceId;
    use crate::status::Status;

    const INTEGER: GivenArgument = given(ArgumentKind::Integer, 8);
    const INT: GivenArgument = given(ArgumentKind::Integer, 4);
    const FLOAT: GivenArgument = given(ArgumentKind::Floating, 4);
    const POINTER: GivenArgument = given(ArgumentKind::Usm, 8);
    const BUFFER: GivenArgument = given(ArgumentKind::Buffer, 8);

    const fn given(kind: ArgumentKind, size: usize) -> GivenArgument {
        GivenArgument { kind, size, value: None, pointee: None }
    }

    fn signature_of(header: &str) -> Signature {
        let (signature, _) = signatures(&format!("func @f({header}) {{\n}}\n"));
        signature
    }

    fn signatures(text: &str) -> (Signature, usize) {
        let mut ir = crate::ir::Ir::default();
        let program = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).unwrap();
        let mut all = ir.signatures(&program);
        let number = all.len();
        (all.remove(0), number)
    }

    #[test]
    fn attributes_are_promises() {
        let signature = signature_of(
            "%x: f32, %A: memref<f32x?x8x?,strided<1,?,?>>{alignment=64, shape_gcd=[4,2,1], stride_gcd=[1,8,16]}",
        );
        let of = |kind, value| GivenArgument { value: Some(value), ..given(kind, 8) };
        let number = |value| of(ArgumentKind::Integer, value);
        let right = [FLOAT, of(ArgumentKind::Usm, 0x1040), number(12), number(5), number(24), number(0)];
        check(&signature, &right).unwrap();
        for (place, wrong, message) in [
            (1, of(ArgumentKind::Usm, 0x1044), "alignment=64, but the address is 0x1044"),
            (1, of(ArgumentKind::Svm, 8), "alignment=64, but the address is 0x8"),
            (2, number(6), "shape_gcd=[4,2,1], but the size of mode 0 is 6"),
            (4, of(ArgumentKind::Bytes, 1001), "stride_gcd=[1,8,16], but the stride of mode 1 is 1001"),
            (5, number(8), "stride_gcd=[1,8,16], but the stride of mode 2 is 8"),
            (5, number((-8_i64).cast_unsigned()), "but the stride of mode 2 is -8"),
        ] {
            let mut given = right;
            *given.get_mut(place).unwrap() = wrong;
            let error = check(&signature, &given).unwrap_err();
            assert_eq!(error.status(), Status::LaunchArgumentContract);
            let start = format!("kernel f: argument {} (%A): the kernel was compiled for ", place + 1);
            let error = error.to_string();
            assert!(error.starts_with(&start) && error.ends_with(message), "{error}");
        }
        // Nobody knows where a buffer lies.
        check(&signature, &[[FLOAT, BUFFER].as_slice(), &right[2..]].concat()).unwrap();
    }

    #[test]
    fn columns_of_numbers_that_share_bytes_begin_at_a_byte() {
        // A promise of an attribute takes nothing back.
        let signature = signature_of("%x: f32, %A: memref<i4x?x?,strided<1,?>>{stride_gcd=[1,3]}");
        let number = |value| GivenArgument { value: Some(value), ..given(ArgumentKind::Integer, 8) };
        let given = |pitch| [FLOAT, POINTER, number(33), number(5), number(pitch)];
        check(&signature, &given(36)).unwrap();
        let error = check(&signature, &given(33)).unwrap_err();
        assert_eq!(error.status(), Status::LaunchArgumentContract);
        assert!(
            error.to_string().ends_with("for even strides of i4, but the stride of mode 1 is 33"),
            "{error}"
        );
    }

    #[test]
    fn the_default_alignment_is_a_promise_where_no_attribute_is() {
        let mut ir = crate::ir::Ir::default();
        let text = b"func @f(%a: f32, %A: memref<f32x8>, %B: memref<f32x8>{alignment=4}, %G: group<memref<f32x8>x8>) {\n}\n";
        let program = driver::parse(&mut ir, SourceId::UNKNOWN, text).unwrap();
        let at = |value| GivenArgument { value: Some(value), ..POINTER };
        let check_at = |alignment, a, b| {
            let signature = ir.signatures_aligned(&program, alignment).remove(0);
            check(&signature, &[FLOAT, at(a), at(b), at(8)])
        };
        for (alignment, a, b) in
            [(128, 0x1080, 0x1004), (128, 0, 0), (64, 0x1040, 0x1004), (1, 0x1001, 0x1004)]
        {
            check_at(alignment, a, b).unwrap();
        }
        let error = check_at(128, 0x1040, 0x1004).unwrap_err();
        assert_eq!(error.status(), Status::LaunchArgumentContract);
        let expected = "kernel f: argument 2 (%A): the kernel was compiled for the device's default alignment of 128 bytes, \
                        but the address is 0x1040";
        assert_eq!(error.to_string(), expected);
        assert!(check_at(128, 0x1080, 0x1002).unwrap_err().to_string().contains("argument 3 (%B)"));
    }

    fn message(header: &str, given: &[GivenArgument]) -> String {
        check(&signature_of(header), given).unwrap_err().to_string()
    }

    #[test]
    fn parameters_take_what_the_manual_says() {
        let rows = [
            ("%a: f32, %P: memref<f32x56x9x?>", vec![FLOAT, POINTER, INTEGER]),
            ("%P: memref<f32x?x?>", vec![BUFFER, INTEGER, INTEGER, INTEGER]),
            ("%G: group<memref<f32x8x?x9>x?, offset: ?>", vec![POINTER, POINTER, POINTER, INTEGER, INTEGER]),
            ("", vec![]),
        ];
        for (header, given) in rows {
            assert_eq!(check(&signature_of(header), &given), Ok(()), "{header}");
        }
    }

    #[test]
    fn the_parameter_at_fault_is_named_with_what_it_takes_and_got() {
        let rows: [(&str, &[GivenArgument], &str); 8] = [
            (
                "%a: f32, %P: memref<f32x56x9x?>",
                &[FLOAT, POINTER, INT],
                "%P: memref<f32x56x9x?> takes a pointer to float and one int64, got a pointer and an int32 (arguments 2 to 3)",
            ),
            (
                "%a: f32, %P: memref<f32x56x9x?>",
                &[FLOAT, POINTER],
                "%P: memref<f32x56x9x?> takes a pointer to float and one int64, got a pointer (argument 2)",
            ),
            (
                "%x: memref<f32x4>",
                &[given(ArgumentKind::Foreign, 8)],
                "%x: memref<f32x4> takes a pointer to float, got a pointer to what is no unified shared memory of the kernel's \
                 context (argument 1)",
            ),
            ("%a: f32", &[INT], "%a: f32 takes a float, got an int32 (argument 1)"),
            ("%a: i8", &[], "%a: i8 takes an int8, got nothing (argument 1 is missing)"),
            ("%a: f32", &[FLOAT, INTEGER], "2 arguments where it takes 1: %a: f32 takes a float"),
            ("", &[FLOAT], "1 arguments where it takes 0: no parameters"),
            (
                "%G: group<memref<f32x?x?>x?>",
                &[BUFFER, POINTER, POINTER, POINTER, INTEGER],
                "%G: group<memref<f32x?x?>x?> takes a pointer to pointers to float, three pointers to int64 and one int64, \
                 got a buffer, a pointer, a pointer, a pointer and an int64 (arguments 1 to 5)",
            ),
        ];
        for (header, given, expected) in rows {
            assert_eq!(message(header, given), format!("kernel f: {expected}"));
        }
    }

    #[test]
    fn pointers_say_what_they_point_to() {
        let to = |kind, size, levels| GivenArgument {
            pointee: Some(Pointee { kind, size, levels }),
            ..given(ArgumentKind::TypedUsm, 8)
        };
        let floats = to(ArgumentKind::Floating, 4, 0);
        let (doubles, tables) = (to(ArgumentKind::Floating, 8, 0), to(ArgumentKind::Floating, 8, 1));
        let (sizes, bits) = (to(ArgumentKind::Integer, 8, 0), to(ArgumentKind::Integer, 2, 0));
        let anything = to(ArgumentKind::Bytes, 0, 1);
        for (header, given) in [
            ("%I: memref<f64x4>", vec![doubles]),
            ("%I: memref<f64x4>", vec![POINTER]),
            ("%I: memref<c64x4>", vec![to(ArgumentKind::Complex, 16, 0)]),
            ("%I: memref<bf16x4>", vec![bits]),
            ("%G: group<memref<f64x?>x?>", vec![tables, sizes, INTEGER]),
            ("%G: group<memref<f64x4>x?>", vec![anything, INTEGER]),
        ] {
            assert_eq!(check(&signature_of(header), &given), Ok(()), "{header}");
        }
        for (header, given, expected) in [
            ("%I: memref<f64x4>", floats, "takes a pointer to double, got a pointer to float (argument 1)"),
            (
                "%I: memref<f64x4>",
                tables,
                "takes a pointer to double, got a pointer to pointers to double (argument 1)",
            ),
            ("%I: memref<f32x4>", bits, "takes a pointer to float, got a pointer to int16 (argument 1)"),
            (
                "%G: group<memref<f64x4>x8>",
                doubles,
                "takes a pointer to pointers to double, got a pointer to double (argument 1)",
            ),
        ] {
            assert!(message(header, &[given]).ends_with(expected), "{}", message(header, &[given]));
        }
        assert_eq!(Pointee::from_code(8 | 2 << 8 | 1 << 16), tables.pointee);
        assert_eq!(Pointee::from_code(5 << 8), None);
    }

    #[test]
    fn handles_are_known_until_they_are_freed_or_serve_somebody_else() {
        let (one, number) = signatures("func @f(%a: f32) {\n}\nfunc @g() {\n}\n");
        assert_eq!(number, 2);
        let handle = NativeHandle::ClProgram(usize::MAX);
        remember(handle, [Arc::new(one.clone())]);
        assert_eq!(signature(handle, Some("f"), 1).as_deref(), Some(&one));
        assert_eq!(signature(handle, Some("f"), 2), None);
        assert_eq!(signature(handle, Some("g"), 1), None);
        forget(handle);
        assert_eq!(signature(handle, Some("f"), 1), None);
    }
}
