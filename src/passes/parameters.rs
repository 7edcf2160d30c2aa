//! Checks what only kernels demand of parameters (language reference 3.5, 3.6).

use super::error::Error;
use crate::ir::{AddressSpace, Attribute, Dictionary, Func, Ir, Memref, Type, VerifierError};
use crate::status::Status;

/// Kernels take neither booleans nor cooperative matrices, and what is promised about tensors is of the
/// kind it should be.
pub(super) fn check(ir: &Ir, func: Func) -> Result<(), Error> {
    let data = &ir[func];
    for (index, &value) in ir[data.body].parameters.iter().enumerate() {
        let refuse = |status, detail| Err(VerifierError::new(status, ir[value].location, detail).into());
        let unsupported = || format!("{}, which a kernel cannot take", ir.describe(value));
        match ir.ty(value) {
            Type::Scalar(_) => {}
            Type::Bool => return refuse(Status::IrBooleanUnsupported, unsupported()),
            Type::Coopmatrix(_) => return refuse(Status::IrCoopmatrixUnsupported, unsupported()),
            Type::Memref(memref) if memref.space == AddressSpace::Local => {
                return refuse(Status::IrExpectedGlobalAddressSpace, unsupported());
            }
            Type::Group(group) if group.member.space == AddressSpace::Local => {
                return refuse(Status::IrExpectedGlobalAddressSpace, unsupported());
            }
            Type::Memref(memref) => {
                check_attributes(data.parameter_attributes.get(index), memref)
                    .or_else(|(status, detail)| refuse(status, detail))?;
            }
            Type::Group(group) => {
                check_attributes(data.parameter_attributes.get(index), &group.member)
                    .or_else(|(status, detail)| refuse(status, detail))?;
            }
        }
    }
    Ok(())
}

/// The attributes that parameters of memref and group type know; what they promise must be possible.
fn check_attributes(
    attributes: Option<&Option<Dictionary>>,
    memref: &Memref,
) -> Result<(), (Status, String)> {
    let Some(Some(attributes)) = attributes else { return Ok(()) };
    if let Some(value) = attributes.get("alignment") {
        let alignment = integer("alignment", value)?;
        let natural = memref.element.bytes();
        if alignment <= 0 || alignment % natural != 0 {
            let detail =
                format!("alignment is {alignment}, no multiple of the {natural} bytes of {}", memref.element);
            return Err((Status::IrInsufficientAlignment, detail));
        }
    }
    for key in ["shape_gcd", "stride_gcd"] {
        match attributes.get(key) {
            None => {}
            Some(Attribute::Array(items)) => {
                for item in items {
                    let divisor = integer(&format!("an entry of {key}"), item)?;
                    if divisor <= 0 {
                        return Err((
                            Status::OutOfRange,
                            format!("an entry of {key} is {divisor}, where 1 is the least"),
                        ));
                    }
                }
            }
            Some(other) => {
                let detail = format!("{key} is {}, {other}; a list has one entry a mode", other.kind());
                return Err((Status::IrExpectedArrayAttribute, detail));
            }
        }
    }
    Ok(())
}

fn integer(key: &str, value: &Attribute) -> Result<i64, (Status, String)> {
    let wrong = || (Status::IrExpectedIntegerAttribute, format!("{key} is {}, {value}", value.kind()));
    value.integer().ok_or_else(wrong)
}
