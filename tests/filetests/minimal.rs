//! Modules ask for nothing that they do not use: without any one of its capabilities or extensions a module
//! is no longer valid.

use crate::devices::validate;
use crate::directives::Case;
use crate::session::Session;
use rspirv::binary::Assemble;
use rspirv::dr::{Module, Operand, load_words};
use rspirv::spirv::Capability;
use tiletc::device::CoreInfo;
use tiletc::driver::Options;

/// Checks the module of a program for a device, if it compiles.
pub fn check(case: &Case) -> Result<(), String> {
    for device in ["pvc", "cpu"] {
        let info = if device == "cpu" { crate::devices::cpu() } else { pvc()? };
        let mut session = Session::parse(&case.name(), &case.text).map_err(|refusal| refusal.to_string())?;
        if let Ok(module) = session.compile(&info, &Options::default()) {
            let module = load_words(module.words()).map_err(|error| error.to_string())?;
            check_module(&module).map_err(|message| format!("{device}: {message}"))?;
        }
    }
    Ok(())
}

fn pvc() -> Result<CoreInfo, String> {
    CoreInfo::from_name("pvc").ok_or_else(|| "no such device".to_owned())
}

fn check_module(module: &Module) -> Result<(), String> {
    for index in 0..module.capabilities.len() {
        let mut less = module.clone();
        let removed = less.capabilities.remove(index);
        if removed.operands.iter().any(|capability| is_implied(module, capability)) {
            continue;
        }
        superfluous(&less, &format!("{:?}", removed.operands))?;
    }
    for index in 0..module.extensions.len() {
        let mut less = module.clone();
        let removed = less.extensions.remove(index);
        superfluous(&less, &format!("{:?}", removed.operands))?;
    }
    Ok(())
}

/// Returns whether another capability of a module implies this one. It is declared all the same where it is used, for
/// not every consumer draws the conclusion.
fn is_implied(module: &Module, capability: &Operand) -> bool {
    let has = |other| module.capabilities.iter().any(|inst| inst.operands == [Operand::Capability(other)]);
    match capability {
        Operand::Capability(Capability::Kernel) => has(Capability::SubgroupDispatch),
        Operand::Capability(Capability::Int64) => has(Capability::Int64Atomics),
        Operand::Capability(Capability::Subgroup2DBlockIOINTEL) => {
            has(Capability::Subgroup2DBlockTransformINTEL) || has(Capability::Subgroup2DBlockTransposeINTEL)
        }
        _ => false,
    }
}

fn superfluous(without: &Module, what: &str) -> Result<(), String> {
    match validate(&without.assemble()) {
        Ok(()) => Err(format!("{what} is declared, but not needed")),
        Err(_) => Ok(()),
    }
}
