//! Cooperative matrices (SPV_KHR_cooperative_matrix with what SPV_INTEL_joint_matrix adds), of any shape.
//!
//! Distribution of a matrix over the lanes, which is the implementation's: here it is row by row, lane after lane,
//! whatever its use, so that conversions between uses need no exchange.

use super::Translator;
use crate::Error;
use crate::layout::{Kind, Part, Scalar};
use crate::operations::{Element, Multiply, Operand, Shape};
use crate::program::{MatrixAccess, MatrixLayout, Step};
use rspirv::dr::{self, Instruction};
use rspirv::spirv::{CooperativeMatrixOperands as Flags, Op};

/// Operands of a product that Intel adds.
mod intel {
    pub const SIDES_ARE_TF32: u32 = 0x20;
    pub const SIDES_ARE_BF16: u32 = 0x40;
    pub const C_IS_BF16: u32 = 0x80;
    pub const RESULT_IS_BF16: u32 = 0x100;
    pub const ALL: u32 = SIDES_ARE_TF32 | SIDES_ARE_BF16 | C_IS_BF16 | RESULT_IS_BF16;
}

/// Rows, columns, component and use of a matrix type.
struct Matrix {
    rows: u32,
    columns: u32,
    scalar: Scalar,
    usage: u32,
}

/// The use as the right factor of a product.
const USE_B: u32 = 1;

impl<const S: usize> Translator<'_, S> {
    pub(super) fn cooperative(&mut self, inst: &Instruction) -> Result<bool, Error> {
        use dr::Operand::{CooperativeMatrixOperands, IdRef};
        match (inst.class.opcode, inst.operands.as_slice(), inst.result_type) {
            (Op::CooperativeMatrixLengthKHR, [IdRef(ty)], Some(result)) => {
                let Matrix { rows, columns, .. } = self.matrix_type(*ty)?;
                let length = self.source.types.share(rows, columns);
                let row = self.constant(self.scalar_type(result)?, length)?;
                self.define(inst.result_id.unwrap_or(0), [row]);
            }
            (Op::CooperativeMatrixLoadKHR, [IdRef(pointer), IdRef(layout), rest @ ..], Some(ty)) => {
                let scalars = self.scalars(ty)?;
                let rows =
                    scalars.into_iter().map(|scalar| self.row(scalar)).collect::<Result<Vec<_>, _>>()?;
                self.matrix_access(inst, ty, *pointer, *layout, rest, (rows.clone(), false))?;
                self.define(inst.result_id.unwrap_or(0), rows);
            }
            (
                Op::CooperativeMatrixStoreKHR,
                [IdRef(pointer), IdRef(value), IdRef(layout), rest @ ..],
                None,
            ) => {
                let (ty, rows) = (self.type_of(*value)?, self.rows(*value)?.to_vec());
                self.matrix_access(inst, ty, *pointer, *layout, rest, (rows, true))?;
            }
            (Op::CooperativeMatrixMulAddKHR, [IdRef(a), IdRef(b), IdRef(c), rest @ ..], Some(ty)) => {
                let flags = match rest {
                    [CooperativeMatrixOperands(flags)] => *flags,
                    _ => Flags::NONE_KHR,
                };
                self.product(inst, [*a, *b, *c], ty, flags)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn matrix_type(&self, ty: u32) -> Result<Matrix, Error> {
        match *self.source.types.kind(ty)? {
            Kind::Matrix { rows, columns, usage, .. } => {
                Ok(Matrix { rows, columns, scalar: self.scalar_type(ty)?, usage })
            }
            _ => Err(Error::Id { id: ty, expected: "type of a cooperative matrix" }),
        }
    }

    fn matrix_access(
        &mut self,
        inst: &Instruction,
        ty: u32,
        pointer: u32,
        layout: u32,
        rest: &[dr::Operand],
        (values, is_store): (Vec<u32>, bool),
    ) -> Result<(), Error> {
        let Matrix { rows, columns, scalar, usage } = self.matrix_type(ty)?;
        let layout = match self.number(layout)? {
            0 => MatrixLayout::RowMajor,
            1 => MatrixLayout::ColumnMajor,
            // As many rows as fill four bytes.
            2 if usage == USE_B && scalar.bytes() <= 4 => {
                MatrixLayout::Packed(4u32.checked_div(scalar.bytes()).unwrap_or(1))
            }
            2 => return Err(self.refused(inst, "only right factors are packed".to_owned())),
            other => return Err(self.refused(inst, format!("layout {other} is not known"))),
        };
        let [dr::Operand::IdRef(stride), access @ ..] = rest else {
            return Err(self.refused(inst, "a matrix in memory needs a stride".to_owned()));
        };
        let pointee = self.pointee_of(pointer)?;
        let unit = self.source.types.size(pointee)?;
        let alignment = self.alignment(access, pointee)?;
        let stride = (self.scalar(*stride)?, self.scalar_of(*stride)?.bytes());
        self.emit(Step::Converged)?;
        let pointer = self.pointer(pointer)?;
        let part = (Part { scalar, offset: 0 }, values.first().copied().unwrap_or(0));
        let pointer = self.access(pointer, vec![part], alignment);
        let access = MatrixAccess { pointer, layout, stride, unit, rows, columns, scalar, values, is_store };
        self.emit(Step::Matrix(Box::new(access)))
    }

    fn product(
        &mut self,
        inst: &Instruction,
        [a, b, c]: [u32; 3],
        ty: u32,
        flags: Flags,
    ) -> Result<(), Error> {
        let id = inst.result_id.unwrap_or(0);
        let extra = self.source.extras.matrix_operands.get(&id).copied().unwrap_or(0);
        if extra & !intel::ALL != 0 {
            return Err(self.refused(inst, format!("operands {extra:#x} are not known")));
        }
        let types = [self.type_of(a)?, self.type_of(b)?, self.type_of(c)?, ty];
        let [of_a, of_b, of_c, of_d] = types.map(|ty| self.matrix_type(ty));
        let (of_a, of_b, of_c, of_d) = (of_a?, of_b?, of_c?, of_d?);
        let (m, n, k) = (of_d.rows, of_d.columns, of_a.columns);
        let fits = (of_a.rows, of_b.rows, of_b.columns) == (m, k, n);
        if !fits || (of_c.rows, of_c.columns) != (m, n) {
            return Err(self.refused(inst, "the shapes of the matrices do not fit together".to_owned()));
        }
        let sides = intel::SIDES_ARE_BF16;
        let element = |matrix: &Matrix, bfloat: u32, sign: Flags| match matrix.scalar {
            Scalar::I16 if extra & bfloat != 0 => Element::Bf16,
            Scalar::F32 if bfloat == sides && extra & intel::SIDES_ARE_TF32 != 0 => Element::Tf32,
            scalar => Element::of(scalar, flags.contains(sign)),
        };
        let elements = [
            element(&of_a, sides, Flags::MATRIX_A_SIGNED_COMPONENTS_KHR),
            element(&of_b, sides, Flags::MATRIX_B_SIGNED_COMPONENTS_KHR),
            element(&of_c, intel::C_IS_BF16, Flags::MATRIX_C_SIGNED_COMPONENTS_KHR),
            element(&of_d, intel::RESULT_IS_BF16, Flags::MATRIX_RESULT_SIGNED_COMPONENTS_KHR),
        ];
        let floats = elements.map(Element::is_float);
        if floats != [true; 4] && floats != [false; 4] {
            return Err(self.refused(inst, "integers and floating-point numbers are mixed".to_owned()));
        }
        self.emit(Step::Converged)?;
        let scalars = self.scalars(ty)?;
        let dst = scalars.into_iter().map(|scalar| self.row(scalar)).collect::<Result<Vec<_>, _>>()?;
        let [element_a, element_b, element_c, element_d] = elements;
        let operand = |rows: &[u32], matrix: &Matrix, element| Operand {
            rows: rows.to_vec(),
            bytes: matrix.scalar.bytes(),
            element,
        };
        let multiply = Multiply {
            a: operand(&self.rows(a)?, &of_a, element_a),
            b: operand(&self.rows(b)?, &of_b, element_b),
            c: operand(&self.rows(c)?, &of_c, element_c),
            d: operand(&dst, &of_d, element_d),
            shape: Shape { m: m as usize, n: n as usize, k: k as usize },
            saturates: flags.contains(Flags::SATURATING_ACCUMULATION_KHR),
        };
        self.emit(Step::Multiply(Box::new(multiply)))?;
        self.define(id, dst);
        Ok(())
    }
}
