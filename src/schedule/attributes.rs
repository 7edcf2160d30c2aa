//! The schedule as attributes of a function.

use super::error::Error;
use super::grid::Grid;
use super::{Pinned, RegisterFile};
use crate::ir::{Attribute, Func, Ir, VerifierError};
use crate::status::Status;

const SUBGROUP_SIZE: &str = "subgroup_size";
const WORK_GROUP_SIZE: &str = "work_group_size";
const REGISTER_BLOCK: &str = "register_block";
const K_STEP: &str = "k_step";
const PREFETCH_DISTANCE: &str = "prefetch_distance";
const GRF_SIZE: &str = "grf_size";

/// Largest part of a schedule that an attribute may ask for: more than any register file or loop has use for.
const MAX_PIN: i64 = 4096;

/// Choices that the attributes of a function pin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Attributes {
    pub subgroup_size: Option<i32>,
    pub work_group_size: Option<[i32; 2]>,
    pub pinned: Pinned,
}

impl Attributes {
    /// The attributes of a function, as far as they are given.
    pub fn of(ir: &Ir, func: Func) -> Result<Attributes, Error> {
        let reader = Reader { ir, func };
        Ok(Attributes {
            subgroup_size: reader.size(SUBGROUP_SIZE)?,
            work_group_size: reader.pair(WORK_GROUP_SIZE)?,
            pinned: Pinned {
                register_block: reader.pair(REGISTER_BLOCK)?.map(|[rows, cols]| (rows, cols)),
                k_step: reader.size(K_STEP)?,
                prefetch_distance: reader.size(PREFETCH_DISTANCE)?,
                register_file: reader.register_file()?,
            },
        })
    }

    /// The grid of subgroups, once both sizes are given.
    pub fn grid(&self) -> Option<(i32, Grid)> {
        let (size, [x, y]) = (self.subgroup_size.filter(|&size| size > 0)?, self.work_group_size?);
        Some((size, Grid { rows: (x / size).max(1), cols: y.max(1) }))
    }

    /// Writes the attributes that are set.
    pub fn write(&self, ir: &mut Ir, func: Func) {
        let integer = |value: i32| Attribute::Integer(i64::from(value));
        let pair = |pair: [i32; 2]| Attribute::Array(pair.map(integer).to_vec());
        let Pinned { register_block, k_step, prefetch_distance, register_file } = self.pinned;
        let attributes = [
            (SUBGROUP_SIZE, self.subgroup_size.map(integer)),
            (WORK_GROUP_SIZE, self.work_group_size.map(pair)),
            (REGISTER_BLOCK, register_block.map(|(rows, cols)| pair([rows, cols]))),
            (K_STEP, k_step.map(integer)),
            (PREFETCH_DISTANCE, prefetch_distance.map(integer)),
            (GRF_SIZE, register_file.map(|file| integer(file.registers()))),
        ];
        let dictionary = ir[func].attributes.get_or_insert_default();
        for (key, value) in attributes {
            if let Some(value) = value {
                dictionary.insert(key, value);
            }
        }
    }
}

struct Reader<'a> {
    ir: &'a Ir,
    func: Func,
}

impl Reader<'_> {
    fn get(&self, key: &str) -> Option<&Attribute> {
        self.ir[self.func].attributes.as_ref()?.get(key)
    }

    fn refuse(&self, status: Status, detail: String) -> Error {
        VerifierError::new(status, self.ir[self.func].location, detail).into()
    }

    fn integer(&self, key: &str, attribute: &Attribute, entry: &str) -> Result<i32, Error> {
        let value = attribute.integer().ok_or_else(|| {
            let detail = format!("{entry}{key} is {}, {attribute}", attribute.kind());
            self.refuse(Status::IrExpectedIntegerAttribute, detail)
        })?;
        // No device has sizes beyond 32 bits.
        let (status, fits) = match key {
            SUBGROUP_SIZE => (Status::UnsupportedSubgroupSize, true),
            WORK_GROUP_SIZE => (Status::UnsupportedWorkGroupSize, true),
            PREFETCH_DISTANCE => (Status::OutOfRange, (0..=MAX_PIN).contains(&value)),
            _ => (Status::OutOfRange, (1..=MAX_PIN).contains(&value)),
        };
        let number = i32::try_from(value).ok().filter(|_| fits);
        number.ok_or_else(|| self.refuse(status, format!("{key} is {value}")))
    }

    fn size(&self, key: &str) -> Result<Option<i32>, Error> {
        self.get(key).map(|value| self.integer(key, value, "")).transpose()
    }

    fn pair(&self, key: &str) -> Result<Option<[i32; 2]>, Error> {
        match self.get(key) {
            None => Ok(None),
            Some(Attribute::Array(items)) => match items.as_slice() {
                [x, y] => {
                    let entry = |item| self.integer(key, item, "an entry of ");
                    Ok(Some([entry(x)?, entry(y)?]))
                }
                other => {
                    let detail = format!("{key} has {} entries instead of 2", other.len());
                    Err(self.refuse(Status::IrUnexpectedArrayAttributeSize, detail))
                }
            },
            Some(other) => {
                let detail = format!("{key} is {}, {other}; write [x,y]", other.kind());
                Err(self.refuse(Status::IrExpectedArrayAttribute, detail))
            }
        }
    }

    fn register_file(&self) -> Result<Option<RegisterFile>, Error> {
        let Some(registers) = self.size(GRF_SIZE)? else { return Ok(None) };
        let file = RegisterFile::ALL.into_iter().find(|file| file.registers() == registers);
        let refusal =
            || self.refuse(Status::OutOfRange, format!("{GRF_SIZE} is {registers}; write 128 or 256"));
        file.map(Some).ok_or_else(refusal)
    }
}
