//! The counterparts of IR values: ids, dope vectors and matrices in registers.

use super::error::Error;
use super::id_map::IdMap;
use super::matrix::MatrixValue;
use crate::diagnostics::Location;
use crate::ir::Value;
use rspirv::spirv::Word;

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
