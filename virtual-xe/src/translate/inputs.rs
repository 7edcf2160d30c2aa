//! Built-in variables.

use super::{Translator, Value};
use crate::Error;
use crate::layout::{Part, Scalar};
use crate::program::{Input, LaneMask};
use rspirv::spirv::BuiltIn;
use std::rc::Rc;

impl<const S: usize> Translator<'_, S> {
    /// The rows of a built-in variable.
    pub(super) fn input(&mut self, id: u32, ty: u32) -> Result<Value, Error> {
        let unknown = Error::Id { id, expected: "built-in variable of kernels" };
        let builtin = self.source.builtin(id).ok_or(unknown)?;
        let mut rows: Vec<(Part, u32)> = Vec::new();
        for (index, part) in self.source.types.parts(ty)?.into_iter().enumerate() {
            let row = match u8::try_from(index).ok().and_then(|index| input(builtin, index)) {
                Some(input) => {
                    let wide = self.row(Scalar::I64)?;
                    self.program.inputs.push((input, wide));
                    match crate::operations::resize(Scalar::I64, part.scalar, false) {
                        Some(run) if part.scalar != Scalar::I64 => self.compute(part.scalar, run, &[wide])?,
                        _ => wide,
                    }
                }
                // Ballots have more bits than there are lanes.
                None if index > 0 => self.constant(part.scalar, 0)?,
                None => return Err(Error::Id { id, expected: "built-in variable of kernels" }),
            };
            rows.push((part, row));
        }
        Ok(Value::Input(Rc::from(rows), 0))
    }
}

/// Component of a built-in variable.
fn input(builtin: BuiltIn, index: u8) -> Option<Input> {
    let scalar = |input| (index == 0).then_some(input);
    match builtin {
        BuiltIn::GlobalInvocationId => Some(Input::GlobalId(index)),
        BuiltIn::LocalInvocationId => Some(Input::LocalId(index)),
        BuiltIn::WorkgroupId => Some(Input::GroupId(index)),
        BuiltIn::WorkgroupSize => Some(Input::GroupSize(index)),
        BuiltIn::EnqueuedWorkgroupSize => Some(Input::EnqueuedGroupSize(index)),
        BuiltIn::NumWorkgroups => Some(Input::NumGroups(index)),
        BuiltIn::GlobalSize => Some(Input::GlobalSize(index)),
        BuiltIn::GlobalOffset => Some(Input::GlobalOffset(index)),
        BuiltIn::WorkDim => scalar(Input::WorkDim),
        BuiltIn::GlobalLinearId => scalar(Input::GlobalLinearId),
        BuiltIn::LocalInvocationIndex => scalar(Input::LocalLinearId),
        BuiltIn::SubgroupId => scalar(Input::SubgroupId),
        BuiltIn::NumSubgroups | BuiltIn::NumEnqueuedSubgroups => scalar(Input::NumSubgroups),
        BuiltIn::SubgroupSize => scalar(Input::SubgroupSize),
        BuiltIn::SubgroupMaxSize => scalar(Input::SubgroupMaxSize),
        BuiltIn::SubgroupLocalInvocationId => scalar(Input::Lane),
        BuiltIn::SubgroupEqMask => scalar(Input::LaneMask(LaneMask::Eq)),
        BuiltIn::SubgroupGeMask => scalar(Input::LaneMask(LaneMask::Ge)),
        BuiltIn::SubgroupGtMask => scalar(Input::LaneMask(LaneMask::Gt)),
        BuiltIn::SubgroupLeMask => scalar(Input::LaneMask(LaneMask::Le)),
        BuiltIn::SubgroupLtMask => scalar(Input::LaneMask(LaneMask::Lt)),
        _ => None,
    }
}
