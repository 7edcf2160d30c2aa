//! Checks what only kernels demand of parameters (`spec/language.md` 3.5, 3.6).

use super::error::Error;
use crate::ir::{AddressSpace, Attribute, Dictionary, Func, Ir, Type, Violation};
use crate::status::Status;

/// Kernels take neither booleans nor cooperative matrices, and what is promised about tensors is of the
/// kind it should be.
pub(super) fn check(ir: &Ir, func: Func) -> Result<(), Error> {
    let data = &ir[func];
    for (index, &value) in ir[data.body].parameters.iter().enumerate() {
        let refuse = |status, detail| Err(Violation::new(status, ir[value].location, detail).into());
        let unsupported = |ty| format!("a kernel parameter cannot be {ty}");
        match ir.ty(value) {
            Type::Scalar(_) => {}
            ty @ Type::Bool => return refuse(Status::IrBooleanUnsupported, unsupported(ty)),
            ty @ Type::Coopmatrix(_) => return refuse(Status::IrCoopmatrixUnsupported, unsupported(ty)),
            Type::Memref(memref) if memref.space == AddressSpace::Local => {
                return refuse(Status::IrExpectedGlobalAddressSpace, unsupported(ir.ty(value)));
            }
            Type::Group(group) if group.member.space == AddressSpace::Local => {
                return refuse(Status::IrExpectedGlobalAddressSpace, unsupported(ir.ty(value)));
            }
            Type::Memref(_) | Type::Group(_) => {
                if let Some(Some(attributes)) = data.parameter_attributes.get(index)
                    && let Err((status, detail)) = check_attributes(attributes)
                {
                    return refuse(status, detail);
                }
            }
        }
    }
    Ok(())
}

/// The attributes that parameters of memref and group type know.
fn check_attributes(attributes: &Dictionary) -> Result<(), (Status, String)> {
    let integer = |key: &str, value: &Attribute| match value {
        Attribute::Integer(_) => Ok(()),
        other => Err((Status::IrExpectedIntegerAttribute, format!("{key} is {other}"))),
    };
    if let Some(value) = attributes.get("alignment") {
        integer("alignment", value)?;
    }
    for key in ["shape_gcd", "stride_gcd"] {
        match attributes.get(key) {
            None => {}
            Some(Attribute::Array(items)) => items.iter().try_for_each(|item| integer(key, item))?,
            Some(other) => return Err((Status::IrExpectedArrayAttribute, format!("{key} is {other}"))),
        }
    }
    Ok(())
}
