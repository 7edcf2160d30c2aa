//! Attributes that tuning has found for functions.

use crate::device::CoreInfo;
use crate::ir::{Func, Ir, Program};
use crate::passes::Options;
use crate::schedule::Schedule;
use crate::syntax;
use crate::tuning::{self, Entry, Key};

/// The key that tables have the configs of a function under; the function is as it was written, or [specialized](super::specialize).
pub fn tuning_key(ir: &Ir, func: Func, info: &CoreInfo, options: &Options) -> Key {
    let text = syntax::print(ir, &Program { functions: vec![func] });
    let rounds = options.tf32 && ir[func].attributes.precision.is_none();
    let text = [text.as_ref(), if rounds { b"tf32" } else { b"".as_slice() }].concat();
    Key::new(&text, info)
}

/// The entries of the current table for the functions of a program, by the place of the function.
pub(super) fn found(ir: &Ir, program: &Program, info: &CoreInfo, options: &Options) -> Vec<Option<Entry>> {
    let table = tuning::current();
    let of = |&func: &Func| {
        if table.is_empty() || !options.is_tuned {
            return None;
        }
        // A config without attributes leaves the choice to the compiler.
        table.best(&tuning_key(ir, func, info, options)).filter(|entry| !entry.config.is_empty()).cloned()
    };
    program.functions.iter().map(of).collect()
}

/// Gives functions the attributes of the current table, where they do not say otherwise themselves. What the device cannot do is
/// left out, which the log tells.
pub(super) fn apply(
    ir: &mut Ir,
    program: &Program,
    info: &CoreInfo,
    options: &Options,
) -> Vec<Option<Entry>> {
    let mut found = found(ir, program, info, options);
    for (entry, &func) in found.iter_mut().zip(&program.functions) {
        let Some(Entry { config, .. }) = entry else { continue };
        let own = ir[func].attributes.clone();
        config.complete(&mut ir[func].attributes);
        if let Err(error) = Schedule::compiled(ir, func, info) {
            log::warn!("the tuning table's {config} for @{} is not used: {error}", ir[func].name);
            ir[func].attributes = own;
            *entry = None;
        }
    }
    found
}
