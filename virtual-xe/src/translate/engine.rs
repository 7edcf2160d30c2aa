//! The matrix engine (SPV_INTEL_subgroup_matrix_multiply_accumulate).

use super::Translator;
use crate::Error;
use crate::device::MatrixEngine;
use crate::layout::Scalar;
use crate::operations::{Element, Engine, Operand};
use crate::program::Step;
use rspirv::dr::{self, Instruction};
use rspirv::spirv::{MatrixMultiplyAccumulateOperands as Flags, Op};

impl<const S: usize> Translator<'_, S> {
    pub(super) fn engine(&mut self, inst: &Instruction) -> Result<bool, Error> {
        let (
            Op::SubgroupMatrixMultiplyAccumulateINTEL,
            [
                dr::Operand::IdRef(k),
                dr::Operand::IdRef(a),
                dr::Operand::IdRef(b),
                dr::Operand::IdRef(c),
                rest @ ..,
            ],
            Some(id),
            Some(ty),
        ) = (inst.class.opcode, inst.operands.as_slice(), inst.result_id, inst.result_type)
        else {
            return Ok(false);
        };
        let flags = match rest {
            [dr::Operand::MatrixMultiplyAccumulateOperands(flags)] => *flags,
            _ => Flags::NONE,
        };
        let engine = self.source.device.matrix_engine().filter(|engine| engine.lanes == S as u32);
        let engine = engine.ok_or_else(|| {
            self.refused(inst, format!("the matrix engine does not work in subgroups of {S} lanes"))
        })?;
        let sides = self.elements(inst, engine, flags)?;
        let k = self.number(*k)?;
        let depth = u64::from(engine.row_bits.checked_div(sides.0.bits()).unwrap_or(0));
        if k != depth {
            return Err(self.refused(inst, format!("K is {k} instead of {depth}")));
        }
        let result = self.scalar_type(ty)?;
        let d_flag = flags.contains(Flags::MATRIX_RESULT_B_FLOAT16_INTEL);
        let d = self.accumulator(inst, engine, d_flag, (sides.0, result))?;
        let of_c = self.scalar_type(self.type_of(*c)?)?;
        let c_flag = flags.contains(Flags::MATRIX_CB_FLOAT16_INTEL);
        let of_c = self.accumulator(inst, engine, c_flag, (sides.0, of_c))?;
        if of_c != d {
            return Err(self.refused(inst, "C and the result are of different types".to_owned()));
        }
        let rows = self.scalars(ty)?.len();
        if !engine.rows.contains(&rows) {
            return Err(self.refused(inst, format!("{rows} rows, instead of one of {:?}", engine.rows)));
        }
        let k = usize::try_from(k).unwrap_or(0);
        let carriers = carriers(engine, rows, k);
        let a = self.operand(inst, "A", *a, carriers, sides.0)?;
        let b = self.operand(
            inst,
            "B",
            *b,
            ((engine.row_bits / 32) as usize, &[Scalar::I32, Scalar::F32]),
            sides.1,
        )?;
        let c = self.operand(inst, "C", *c, (rows, &[result]), of_c)?;
        self.emit(Step::Converged)?;
        let dst = (0..rows).map(|_| self.row(result)).collect::<Result<Vec<u32>, Error>>()?;
        let d = Operand { rows: dst.clone(), bytes: result.bytes(), element: d };
        self.emit(Step::Engine(Box::new(Engine { a, b, c, d, k })))?;
        self.define(id, dst);
        Ok(true)
    }

    /// Element type of A and B.
    fn elements(
        &self,
        inst: &Instruction,
        engine: MatrixEngine,
        flags: Flags,
    ) -> Result<(Element, Element), Error> {
        let tf32 = Flags::MATRIX_ATF32INTEL | Flags::MATRIX_BTF32INTEL;
        let half = Flags::MATRIX_A_PACKED_FLOAT16_INTEL | Flags::MATRIX_B_PACKED_FLOAT16_INTEL;
        let bfloat = Flags::MATRIX_A_PACKED_B_FLOAT16_INTEL | Flags::MATRIX_B_PACKED_B_FLOAT16_INTEL;
        let bytes = Flags::MATRIX_A_PACKED_INT8_INTEL | Flags::MATRIX_B_PACKED_INT8_INTEL;
        let nibbles = Flags::MATRIX_A_PACKED_INT4_INTEL | Flags::MATRIX_B_PACKED_INT4_INTEL;
        let signs = Flags::MATRIX_A_SIGNED_COMPONENTS_INTEL | Flags::MATRIX_B_SIGNED_COMPONENTS_INTEL;
        let results = Flags::MATRIX_CB_FLOAT16_INTEL | Flags::MATRIX_RESULT_B_FLOAT16_INTEL;
        let integers = |bits| {
            let of = |sign| Element::Int { bits, signed: flags.contains(sign) };
            (of(Flags::MATRIX_A_SIGNED_COMPONENTS_INTEL), of(Flags::MATRIX_B_SIGNED_COMPONENTS_INTEL))
        };
        let kind = flags & !(signs | results);
        if kind == tf32 && engine.is_full {
            Ok((Element::Tf32, Element::Tf32))
        } else if kind == half {
            Ok((Element::F16, Element::F16))
        } else if kind == bfloat {
            Ok((Element::Bf16, Element::Bf16))
        } else if kind == bytes {
            Ok(integers(8))
        } else if kind == nibbles {
            Ok(integers(4))
        } else {
            Err(self.refused(inst, format!("operands {flags:?} are no combination that the engine knows")))
        }
    }

    /// Types of the numbers of C and of the result.
    fn accumulator(
        &self,
        inst: &Instruction,
        engine: MatrixEngine,
        is_bfloat: bool,
        (side, scalar): (Element, Scalar),
    ) -> Result<Element, Error> {
        match (side, scalar, is_bfloat) {
            (Element::Int { .. }, Scalar::I32, false) => Ok(Element::of(scalar, true)),
            (Element::F16 | Element::Bf16 | Element::Tf32, Scalar::F32, false) => Ok(Element::F32),
            // The smaller engine adds up in single precision only.
            (Element::F16, Scalar::F16, false) if engine.is_full => Ok(Element::F16),
            (Element::Bf16, Scalar::I16, true) if engine.is_full => Ok(Element::Bf16),
            _ => Err(self.refused(inst, format!("{side:?} is not added up in {scalar:?}"))),
        }
    }

    fn operand(
        &self,
        inst: &Instruction,
        name: &str,
        id: u32,
        (count, scalars): (usize, &[Scalar]),
        element: Element,
    ) -> Result<Operand, Error> {
        let (rows, scalar) = (self.rows(id)?, self.scalar_of(id)?);
        if rows.len() != count || !scalars.contains(&scalar) {
            let given = rows.len();
            let reason = format!("{name} is {given} × {scalar:?} instead of {count} × {scalars:?}");
            return Err(self.refused(inst, reason));
        }
        Ok(Operand { rows: rows.to_vec(), bytes: scalar.bytes(), element })
    }
}

/// Number and types of the numbers that a lane holds of A. Where there are fewer columns than lanes, these hold several rows.
fn carriers(engine: MatrixEngine, rows: usize, k: usize) -> (usize, &'static [Scalar]) {
    let rows_together = (engine.lanes as usize).checked_div(k).unwrap_or(1).max(1);
    match engine.row_bits.checked_div(engine.lanes) {
        _ if rows_together > 1 => (rows.div_ceil(rows_together), &[Scalar::I32, Scalar::F32]),
        Some(16) => (rows, &[Scalar::I16]),
        _ => (rows, &[Scalar::I32]),
    }
}
