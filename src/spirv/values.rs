//! The counterparts of IR values: ids, dope vectors and matrices in registers.

use super::error::Error;
use super::id_map::IdMap;
use crate::diagnostics::Location;
use crate::ir::{Coopmatrix, Value};
use rspirv::spirv::Word;
use std::rc::Rc;

/// A memref at run time: where it is, and its extents as index values.
#[derive(Clone, Debug)]
pub(super) struct Memref {
    pub pointer: Word,
    pub shape: Vec<Word>,
    pub stride: Vec<Word>,
}

/// A group at run time: a table of pointers and tables of dynamic extents.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub pointers: Word,
    /// The extent of each mode, or the table of it if it differs from member to member.
    pub shape: Vec<Extent>,
    pub stride: Vec<Extent>,
    pub size: Word,
    pub offset: Word,
}

/// An extent of the members of a group.
#[derive(Clone, Copy, Debug)]
pub(super) enum Extent {
    Same(Word),
    Table(Word),
}

/// A cooperative matrix in registers: SPIR-V ids whose number and meaning its back end alone knows. Everybody
/// else hands them on as they are: to phis, to names and back to the back end.
#[derive(Clone, Debug)]
pub(super) struct MatrixValue {
    ty: Coopmatrix,
    ids: Vec<Word>,
    form: Form,
    /// Ids that products take in place of the others, if it is a factor that has such.
    factor: Option<Rc<[Word]>>,
}

/// Form of a matrix, for back ends that have two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// The back end's own, which loops carry.
    Own,
    /// Components of the work-items, as the vector code has them, which branches carry.
    Components,
}

impl MatrixValue {
    pub fn new(ty: Coopmatrix, ids: Vec<Word>) -> MatrixValue {
        MatrixValue { ty, ids, form: Form::Own, factor: None }
    }

    pub fn ty(&self) -> Coopmatrix {
        self.ty
    }

    pub fn ids(&self) -> &[Word] {
        &self.ids
    }

    pub fn form(&self) -> Form {
        self.form
    }

    pub fn in_form(self, form: Form) -> MatrixValue {
        MatrixValue { form, ..self }
    }

    /// The ids that products take as a factor, if they are others.
    pub fn factor(&self) -> Option<&[Word]> {
        self.factor.as_deref()
    }

    pub fn with_factor(self, factor: Vec<Word>) -> MatrixValue {
        MatrixValue { factor: Some(factor.into()), ..self }
    }
}

/// The counterpart of an IR value.
#[derive(Clone, Debug)]
pub(super) enum Lowered {
    Scalar(Word),
    Memref(Memref),
    Group(Group),
    Matrix(MatrixValue),
}

impl Lowered {
    /// The ids that a phi has to carry.
    pub fn ids(&self) -> &[Word] {
        match self {
            Lowered::Scalar(word) => std::slice::from_ref(word),
            Lowered::Matrix(matrix) => matrix.ids(),
            Lowered::Memref(_) | Lowered::Group(_) => &[],
        }
    }

    /// The value, if it is a matrix.
    pub fn matrix(&self) -> Option<&MatrixValue> {
        match self {
            Lowered::Matrix(matrix) => Some(matrix),
            Lowered::Scalar(_) | Lowered::Memref(_) | Lowered::Group(_) => None,
        }
    }

    /// The same kind of value made of as many other ids.
    pub fn with_ids(&self, ids: Vec<Word>) -> Result<Lowered, Error> {
        match (self, ids.as_slice()) {
            (Lowered::Scalar(_), &[word]) => Ok(Lowered::Scalar(word)),
            (Lowered::Matrix(matrix), _) if ids.len() == matrix.ids().len() => {
                Ok(Lowered::Matrix(MatrixValue::new(matrix.ty(), ids).in_form(matrix.form())))
            }
            _ => Err(Error::internal(format!("{} ids for {self:?}", ids.len()))),
        }
    }
}

/// The counterparts of the values of a function.
#[derive(Default)]
pub(super) struct Values {
    map: IdMap<Value, Lowered>,
    /// Place of the instruction that asks for values.
    pub location: Location,
}

impl Values {
    pub fn insert(&mut self, value: Value, lowered: Lowered) {
        self.map.insert(value, lowered);
    }

    pub fn get(&self, value: Value) -> Result<&Lowered, Error> {
        self.map.get(&value).ok_or(Error::UndefinedValue(self.location))
    }

    pub fn scalar(&self, value: Value) -> Result<Word, Error> {
        match self.get(value)? {
            Lowered::Scalar(word) => Ok(*word),
            _ => Err(Error::UndefinedValue(self.location)),
        }
    }

    pub fn memref(&self, value: Value) -> Result<&Memref, Error> {
        match self.get(value)? {
            Lowered::Memref(memref) => Ok(memref),
            _ => Err(Error::UndefinedValue(self.location)),
        }
    }

    pub fn matrix(&self, value: Value) -> Result<&MatrixValue, Error> {
        match self.get(value)? {
            Lowered::Matrix(matrix) => Ok(matrix),
            _ => Err(Error::UndefinedValue(self.location)),
        }
    }
}
