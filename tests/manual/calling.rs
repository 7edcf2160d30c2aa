//! Checks of what the manual says about kernel arguments, against the modules that the compiler makes.

use crate::coverage::rows;
use crate::page::{Page, Row};
use crate::{Outcome, outcome, trial};
use libtest_mimic::Trial;
use std::sync::Arc;
use tiletc::device::CoreInfo;
use tiletc::diagnostics::SourceId;
use tiletc::driver::{self, Options};
use tiletc::ir::Ir;
use virtual_xe::Module;

/// The check of the table of arguments.
pub fn trials(pages: &Arc<[Page]>) -> Vec<Trial> {
    let pages = Arc::clone(pages);
    vec![trial("parameters become these arguments", move || check(&pages))]
}

fn check(pages: &[Page]) -> Outcome {
    let mut complaints = Vec::new();
    let mut count = 0;
    for (page, row) in rows(pages, "parameter") {
        count += 1;
        if let Err(complaint) = check_row(row) {
            complaints.push(format!("{}:{}: {complaint}", page.path, row.line));
        }
    }
    if count == 0 {
        complaints.push("there is no table of parameters".to_owned());
    }
    outcome(complaints)
}

/// The second column has one C++ declaration for each argument of the kernel.
fn check_row(row: &Row) -> Outcome {
    let [parameter, arguments] = row.cells.as_slice() else { return Err("not two columns".to_owned()) };
    let found: Vec<String> = arguments.code.iter().map(|declaration| spirv_type(declaration)).collect();
    let expected = kernel_arguments(&parameter.text)?;
    if found == expected { Ok(()) } else { Err(format!("the arguments are {}", expected.join(", "))) }
}

/// A C++ declaration as SPIR-V has it, for instance `f32 global*` for `float *x`.
fn spirv_type(declaration: &str) -> String {
    let stars = declaration.matches('*').count();
    let ty = declaration.split([' ', '*']).next().unwrap_or_default();
    let spelled = match ty {
        "int8_t" | "uint8_t" => "i8",
        "int16_t" | "tiletc::bfloat16" => "i16",
        "int32_t" => "i32",
        "int64_t" => "i64",
        "tiletc::half" => "f16",
        "float" => "f32",
        "double" => "f64",
        "std::complex<float>" => "f32x2",
        "std::complex<double>" => "f64x2",
        other => other,
    };
    format!("{spelled}{}", " global*".repeat(stars))
}

fn kernel_arguments(ty: &str) -> Result<Vec<String>, String> {
    let text = format!("func @k(%x: {ty}) {{ }}");
    let info = CoreInfo::from_name("pvc").ok_or("there is no pvc")?;
    let mut ir = Ir::default();
    let program =
        driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).map_err(|error| error.to_string())?;
    let module =
        driver::compile(&mut ir, &program, &info, &Options::default()).map_err(|error| error.to_string())?;
    let module = Module::parse(&module.assemble()).map_err(|error| error.to_string())?;
    let kernel = module.kernels().first().ok_or("there is no kernel")?;
    Ok(kernel.parameters().iter().map(ToString::to_string).collect())
}
