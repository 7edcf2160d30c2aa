//! `tiletc embed`: a header with the kernels of programs as constants and, for each kernel, a function of its types.

use super::common::{Common, Failure, Output, Session};
use super::{files, native};
use clap::{ArgAction, Args, ValueEnum};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use tiletc::driver::{self, Compilation};
use tiletc::ir::{Extent, Func, GridExpression, GridOp, Group, Ir, LaunchGrid, Memref, Scalar, Type, Value};
use tiletc::runtime::Binary;
use tiletc::status::Status;

/// Check programs and write a C++ header that holds them, with a function for each kernel.
///
/// The function is called like the kernel. It takes a queue of SYCL, the kernel's arguments, and the events that the launch
/// waits for; where the program does not show how many work-groups a kernel needs, their number follows the queue.
#[derive(Args)]
#[command(mut_arg("file", |file| file.index(1).help("Program to embed; standard input is not read")))]
pub struct Embed {
    #[command(flatten)]
    common: Common,
    /// Further programs, whose kernels have other names
    #[arg(value_name = "FILE", index = 2)]
    others: Vec<PathBuf>,
    /// Device that the programs are compiled for, to check them and for what is embedded
    #[arg(short = 'd', long = "device", value_name = "DEVICE", action = ArgAction::Append)]
    devices: Vec<String>,
    /// Form in which compiled programs are embedded besides the text; spirv where a device is given
    #[arg(long, value_name = "FORM")]
    embed: Option<Form>,
    /// Namespace of the functions
    #[arg(long, value_name = "NAME", default_value = "kernels")]
    namespace: String,
    /// Write how each kernel runs on each device, as `tiletc compile --explain` does
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Header to write
    #[arg(short = 'o', value_name = "HEADER")]
    output: PathBuf,
}

/// Form in which compiled programs are embedded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Nothing: a program is compiled when its first kernel is launched
    Text,
    /// SPIR-V for each device, which the driver compiles
    Spirv,
    /// A native binary for each device, by Intel's offline compiler
    Native,
}

/// A program compiled for a device.
struct Compiled {
    device: String,
    features: u32,
    data: Vec<u8>,
}

/// Runs the tool.
pub fn embed(embed: &Embed, output: &mut Output) -> Result<(), Failure> {
    let form = embed.embed.unwrap_or(if embed.devices.is_empty() { Form::Text } else { Form::Spirv });
    if form != Form::Text && embed.devices.is_empty() {
        return Err(Failure::usage("compiled programs are for a device; give it by -d DEVICE"));
    }
    if !embed.namespace.split("::").all(is_identifier) {
        return Err(Failure::usage(format!("`{}` is no name of a namespace in C++", embed.namespace)));
    }
    let Some(first) = embed.common.file.clone() else {
        return Err(Failure::usage("a header is made of files; give at least one"));
    };
    let files: Vec<PathBuf> = std::iter::once(first).chain(embed.others.iter().cloned()).collect();
    for path in std::iter::once(&embed.output).chain(&embed.report) {
        files::check(path, &files)?;
    }
    let (mut body, mut report, mut names) = (String::new(), String::new(), Vec::new());
    for (number, file) in files.iter().enumerate() {
        let (session, compiled) = compile(embed, file, form, output, &mut report)?;
        for &func in &session.program.functions {
            let name = session.ir[func].name.clone();
            if names.contains(&name) {
                let message = format!("{} has a kernel {name}, as another file does", file.display());
                return Err(Failure::Failed(Status::InvalidArguments, message));
            }
            names.push(name);
        }
        write_program(&mut body, &session, (&inner(embed), number), form, &compiled);
    }
    let header = header(embed, &files, &body);
    files::write(&embed.output, &header)?;
    if let Some(path) = &embed.report {
        files::write(path, &report)?;
    }
    Ok(())
}

/// Reads a program and compiles it for all devices.
fn compile(
    embed: &Embed,
    file: &Path,
    form: Form,
    output: &mut Output,
    report: &mut String,
) -> Result<(Session, Vec<Compiled>), Failure> {
    let mut common = embed.common.clone();
    common.file = Some(file.to_owned());
    let mut compiled = Vec::new();
    // Without a device the rules are checked that hold for all.
    let mut last = None;
    for device in &embed.devices {
        let mut session = Session::open(&common, common.info(device)?)?;
        session.options.remarks = embed.report.is_some();
        let Session { ir, program, info, options, .. } = &mut session;
        let mut instrumentation = driver::Instrumentation::none();
        let mut compilation = Compilation::new(ir, program, info, options);
        let module = compilation.compile_instrumented(&mut instrumentation);
        let warnings = std::mem::take(&mut compilation.warnings);
        session.warn(output, &warnings);
        let module = module.map_err(|error| session.failure(&error))?;
        if embed.report.is_some() {
            let about = (device.as_str(), &session.info);
            let driver::Instrumentation { explanations, decisions, .. } = &instrumentation;
            let told = super::explain::text(about, explanations, decisions, &module);
            let _ = writeln!(report, "{}:\n{}", file.display(), told.trim_end());
        }
        let binary = Binary::from(&module);
        let features = binary.core_features().bits();
        let data = match form {
            Form::Text => None,
            Form::Spirv => Some(binary.data().to_vec()),
            Form::Native => Some(native::compile(&binary, device)?),
        };
        compiled.extend(data.map(|data| Compiled { device: device.clone(), features, data }));
        last = Some(session);
    }
    let session = last.map_or_else(|| Session::open(&common, common.info("pvc")?), Ok)?;
    Ok((session, compiled))
}

/// Namespace for what nobody but the functions uses, of its own for each header.
fn inner(embed: &Embed) -> String {
    let stem = embed.output.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    format!("embedded_{}", identifier(&stem, "in"))
}

/// The whole header. An inline namespace of its own keeps functions of another header, which have the same names and types, apart.
fn header(embed: &Embed, files: &[PathBuf], body: &str) -> String {
    let names: Vec<_> =
        files.iter().filter_map(|file| file.file_name()).map(|name| name.to_string_lossy()).collect();
    let names = names.join(", ").replace(|c: char| c.is_control(), " ");
    let namespace = &embed.namespace;
    let digest = Sha256::digest(body);
    let own: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let guard = format!("TILETC_{}_{}_{own}", namespace.replace("::", "_"), inner(embed)).to_uppercase();
    format!(
        "// Written by `tiletc embed` of {names}; changes are lost.\n\n#ifndef {guard}\n#define {guard}\n\n\
         #include <tiletc/embedded.hpp>\n\nnamespace {namespace} {{\ninline namespace of_{own} {{\n{body}\n\
         }} // namespace of_{own}\n}} // namespace {namespace}\n\n#endif // {guard}\n"
    )
}

/// The constants and functions of a program.
fn write_program(
    out: &mut String,
    session: &Session,
    (inner, number): (&str, usize),
    form: Form,
    compiled: &[Compiled],
) {
    let Session { ir, program, .. } = session;
    let text = driver::print(ir, program).to_string();
    let _ = write!(
        out,
        "\nnamespace {inner} {{\n\ninline constexpr char text{number}[] =\n{};\n",
        literal(&text)
    );
    for (place, Compiled { data, .. }) in compiled.iter().enumerate() {
        let _ =
            write!(out, "\ninline constexpr std::uint8_t binary{number}_{place}[] = {{{}}};\n", bytes(data));
    }
    let names: Vec<String> = program.functions.iter().map(|&func| literal(&ir[func].name)).collect();
    let form = if form == Form::Native { "native" } else { "spirv" };
    let binaries = compiled.iter().enumerate().map(|(place, Compiled { device, features, .. })| {
        let data = format!("binary{number}_{place}");
        format!(
            "\n                 {{{}, tiletc::bundle_format::{form}, {features}, sizeof({data}), {data}}}",
            literal(device)
        )
    });
    let _ = write!(
        out,
        "\ninline auto program{number}() -> tiletc::embedded_program & {{\n    \
         static tiletc::embedded_program program{{\n        \
         {{text{number}, sizeof(text{number}) - 1}},\n        {{{}}},\n        {{{}}}}};\n    \
         return program;\n}}\n\n}} // namespace {inner}\n",
        names.join(", "),
        binaries.collect::<Vec<_>>().join(","),
    );
    for (place, &func) in program.functions.iter().enumerate() {
        write_kernel(out, ir, func, (&format!("{inner}::program{number}()"), place));
    }
}

/// An argument of a kernel: its type and name in C++.
struct Argument {
    ty: String,
    name: String,
}

/// The function that launches a kernel.
fn write_kernel(out: &mut String, ir: &Ir, func: Func, (program, number): (&str, usize)) {
    let mut taken = vec!["q".to_owned(), "num_groups".to_owned(), "dep_events".to_owned()];
    let parameters = ir[ir[func].body].parameters.iter().enumerate();
    let arguments: Vec<Argument> =
        parameters.flat_map(|(place, &value)| arguments(ir, value, place, &mut taken)).collect();
    let signature = ir.signature(func);
    let name = identifier(&ir[func].name, "kernel");
    let types = signature.parameters.iter().map(|parameter| format!("{}: {}", parameter.name, parameter.ty));
    let _ = write!(out, "\n/// {}({})", ir[func].name, types.collect::<Vec<_>>().join(", "));
    let grid = signature.grid.as_ref().map(|grid| (grid, cpp_grid(grid, &arguments)));
    if let Some((LaunchGrid { text, .. }, _)) = &grid {
        let _ = write!(out, "\n///\n/// Work-groups: {text}");
    }
    let _ = write!(out, "\ninline auto {name}(sycl::queue const &q");
    if grid.is_none() {
        out.push_str(", sycl::range<3u> const &num_groups");
    }
    for Argument { ty, name } in &arguments {
        let _ = write!(out, ", {ty}{name}");
    }
    let groups = grid.map_or_else(|| "num_groups".to_owned(), |(_, groups)| groups);
    let _ = write!(
        out,
        ",\n    std::vector<sycl::event> const &dep_events = {{}}) -> sycl::event {{\n    \
         return {program}.launch(q, {number}, {groups}, dep_events"
    );
    for Argument { name, .. } in &arguments {
        let _ = write!(out, ", {name}");
    }
    out.push_str(");\n}\n");
}

/// The arguments of a parameter, in the order of calling the kernel (API reference 8).
fn arguments(ir: &Ir, value: Value, place: usize, taken: &mut Vec<String>) -> Vec<Argument> {
    let name =
        ir[value].name.as_deref().map_or_else(|| format!("arg{place}"), |name| identifier(name, "arg"));
    let mut arguments = Vec::new();
    let mut add = |ty: &str, end: &str| {
        let mut unique = format!("{name}{end}");
        while taken.contains(&unique) {
            unique.push('_');
        }
        taken.push(unique.clone());
        arguments.push(Argument { ty: ty.to_owned(), name: unique });
    };
    let constant = if ir.is_written(value) { "" } else { "const " };
    match ir.ty(value) {
        Type::Scalar(scalar) => add(&format!("{} ", cpp_type(*scalar)), ""),
        Type::Memref(memref) => {
            add(&format!("{} {constant}*", cpp_type(memref.element)), "");
            extents(memref, |end| add("std::int64_t ", &end));
        }
        Type::Group(group) => {
            let Group { member, size, offset } = &**group;
            add(&format!("{} {constant}*const *", cpp_type(member.element)), "");
            extents(member, |end| add("std::int64_t const *", &end));
            for (extent, end) in [(size, "_members"), (offset, "_offset")] {
                if extent.is_dynamic() {
                    add("std::int64_t ", end);
                }
            }
        }
        // No kernel has such parameters, which the legality check refuses.
        Type::Bool | Type::Coopmatrix(_) | Type::Tile(_) => {}
    }
    arguments
}

/// Calls `add` with the end of the name of each size and stride that is an argument.
fn extents(memref: &Memref, mut add: impl FnMut(String)) {
    for (what, extents) in [("size", &memref.shape), ("stride", &memref.stride)] {
        for (mode, _) in extents.iter().enumerate().filter(|(_, extent)| **extent == Extent::Dynamic) {
            add(format!("_{what}{mode}"));
        }
    }
}

fn cpp_type(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::I8 => "std::int8_t",
        Scalar::I16 => "std::int16_t",
        Scalar::I32 => "std::int32_t",
        Scalar::I64 | Scalar::Index => "std::int64_t",
        Scalar::I4 | Scalar::F8e4m3 | Scalar::F8e5m2 => "std::uint8_t",
        Scalar::Bf16 => "tiletc::bfloat16",
        Scalar::F16 => "tiletc::half",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
        Scalar::C32 => "std::complex<float>",
        Scalar::C64 => "std::complex<double>",
    }
}

/// The number of work-groups in SYCL's order.
fn cpp_grid(grid: &LaunchGrid, arguments: &[Argument]) -> String {
    let [x, y, z] = grid.sizes.each_ref().map(|size| match size {
        GridExpression::Number(number) => number.max(&0).to_string(),
        size => format!("tiletc::internal::grid_size({})", cpp_expression(size, arguments)),
    });
    format!("sycl::range<3u>{{{z}, {y}, {x}}}")
}

fn cpp_expression(expression: &GridExpression<usize>, arguments: &[Argument]) -> String {
    match expression {
        GridExpression::Number(number) => number.to_string(),
        GridExpression::Of(place) => {
            arguments.get(*place).map_or_else(|| "0".to_owned(), |argument| argument.name.clone())
        }
        GridExpression::Binary(op, operands) => {
            let [a, b] = operands.each_ref().map(|operand| cpp_expression(operand, arguments));
            match op {
                GridOp::Add => format!("({a} + {b})"),
                GridOp::Sub => format!("({a} - {b})"),
                GridOp::Mul => format!("({a} * {b})"),
                GridOp::Div => format!("tiletc::internal::grid_div({a}, {b})"),
                GridOp::Cdiv => format!("tiletc::internal::grid_cdiv({a}, {b})"),
                GridOp::Min => format!("std::min<std::int64_t>({a}, {b})"),
                GridOp::Max => format!("std::max<std::int64_t>({a}, {b})"),
            }
        }
    }
}

/// A literal of C++ with the bytes of a text, a line each.
fn literal(text: &str) -> String {
    let line = |line: &str| {
        let mut out = "\"".to_owned();
        for byte in line.bytes() {
            match byte {
                b'\n' => out.push_str("\\n"),
                b'"' | b'\\' => {
                    out.push('\\');
                    out.push(char::from(byte));
                }
                b' '..=b'~' => out.push(char::from(byte)),
                // Three digits, so that none that follows belongs to it.
                _ => out.push_str(&format!("\\{byte:03o}")),
            }
        }
        out + "\""
    };
    let lines: Vec<String> = text.split_inclusive('\n').map(line).collect();
    if lines.is_empty() { "\"\"".to_owned() } else { lines.join("\n") }
}

fn bytes(data: &[u8]) -> String {
    let line = |line: &[u8]| line.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
    data.chunks(32).map(line).collect::<Vec<_>>().join(",\n")
}

/// A name that C++ takes, made of one of ours.
fn identifier(name: &str, fallback: &str) -> String {
    let mut own: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if own.is_empty() || own.starts_with(|c: char| c.is_ascii_digit() || c == '_') {
        own.insert_str(0, fallback);
    }
    if KEYWORDS.contains(&own.as_str()) {
        own.push('_');
    }
    own
}

/// Returns whether C++ takes a name as it is.
fn is_identifier(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(|c| c.is_ascii_alphabetic())
        && characters.all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !KEYWORDS.contains(&name)
}

/// The words that C++ keeps for itself, up to C++20.
const KEYWORDS: &[&str] = &[
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
];
