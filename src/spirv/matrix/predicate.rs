//! Code under a condition.

use crate::spirv::function::FunctionLowering;
use crate::spirv::module_builder::Emitted;
use rspirv::spirv::{SelectionControl, Word};

/// Puts the code of `then` where the condition holds; returns the label of the block before, and of the one in
/// which `then` ended.
pub(super) fn predicated(
    f: &mut FunctionLowering<'_, '_>,
    condition: Word,
    then: impl FnOnce(&mut FunctionLowering<'_, '_>) -> Emitted<()>,
) -> Emitted<(Word, Word)> {
    let [body, merge] = std::array::from_fn(|_| f.module.builder.id());
    let before = f.module.block;
    f.module.builder.selection_merge(merge, SelectionControl::NONE)?;
    f.module.builder.branch_conditional(condition, body, merge, [])?;
    f.module.continue_in_block(body)?;
    then(f)?;
    let end = f.module.block;
    f.module.builder.branch(merge)?;
    f.module.continue_in_block(merge)?;
    Ok((before, end))
}
