//! Checks what only kernels demand of parameters (language reference 3.5, 3.6).

use super::error::Error;
use crate::ir::{
    AddressSpace, Extent, Func, Ir, Memref, ParameterAttributes, Type, UnitStride, VerifierError,
};
use crate::status::Status;

/// Kernels take neither booleans nor cooperative matrices, and what is promised about tensors is possible.
pub(super) fn check(ir: &Ir, func: Func) -> Result<(), Error> {
    let data = &ir[func];
    for (&value, attributes) in ir[data.body].parameters.iter().zip(&data.parameter_attributes) {
        let refuse = |status, detail| Err(VerifierError::new(status, ir[value].location, detail).into());
        let unsupported = || format!("{}, which a kernel cannot take", ir.describe(value));
        match ir.ty(value) {
            Type::Scalar(scalar) if scalar.is_packed() => {
                return refuse(Status::IrPackedReadOnly, unsupported());
            }
            Type::Scalar(_) => {}
            Type::Bool => return refuse(Status::IrBooleanUnsupported, unsupported()),
            Type::Coopmatrix(_) => return refuse(Status::IrCoopmatrixUnsupported, unsupported()),
            Type::Tile(_) => return refuse(Status::IrTileUnsupported, unsupported()),
            Type::Memref(memref) if memref.space == AddressSpace::Local => {
                return refuse(Status::IrExpectedGlobalAddressSpace, unsupported());
            }
            Type::Group(group) if group.member.space == AddressSpace::Local => {
                return refuse(Status::IrExpectedGlobalAddressSpace, unsupported());
            }
            Type::Memref(memref) => {
                check_attributes(attributes, memref).or_else(|(status, detail)| refuse(status, detail))?;
            }
            Type::Group(group) => {
                check_attributes(attributes, &group.member)
                    .or_else(|(status, detail)| refuse(status, detail))?;
            }
        }
    }
    Ok(())
}

/// Checks that the promises of a parameter are possible.
fn check_attributes(attributes: &ParameterAttributes, memref: &Memref) -> Result<(), (Status, String)> {
    if let Some(alignment) = attributes.alignment {
        let natural = memref.element.bytes();
        if alignment <= 0 || alignment % natural != 0 {
            let detail =
                format!("alignment is {alignment}, no multiple of the {natural} bytes of {}", memref.element);
            return Err((Status::IrInsufficientAlignment, detail));
        }
    }
    check_layout(attributes, memref)
}

/// Promises about the layout of a matrix do not contradict its type.
fn check_layout(attributes: &ParameterAttributes, memref: &Memref) -> Result<(), (Status, String)> {
    let (unit, is_surface) = (attributes.unit_stride, attributes.surface == Some(true));
    if unit.is_none() && !is_surface {
        return Ok(());
    }
    if memref.order() != 2 {
        let detail = format!("unit_stride and surface are about matrices, not {memref}");
        return Err((Status::IrExpectedMemrefOrder2, detail));
    }
    let stride = |mode: usize| memref.stride.get(mode).copied().unwrap_or(Extent::Dynamic);
    if let Some(UnitStride(mode)) = unit {
        let found = stride(usize::from(mode == 1));
        if !found.is_dynamic() && found != Extent::Static(1) {
            let detail = format!("unit_stride is {mode}, but mode {mode} of {memref} has stride {found}");
            return Err((Status::IrInvalidStride, detail));
        }
    }
    if is_surface && unit.is_none() && stride(0) != Extent::Static(1) {
        let detail =
            format!("a surface is contiguous along one mode; add unit_stride, or a stride to {memref}");
        return Err((Status::IrInvalidStride, detail));
    }
    Ok(())
}
