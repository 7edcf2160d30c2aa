//! The constructors that follow from the declarations of the instructions (API reference 4.6).
//!
//! A constructor takes the immediates of the instruction and then its operands, each in the order of declaration,
//! and then the types of the results. The declaration names the parameters; a list has its length before it.
//! `constructors.rs` has the functions; `cargo xtask headers` writes it from what this module says.

use super::super::call::Outcome;
use super::super::enums::{self, Enumeration};
use super::argument::{Argument, CType};
use super::site::{Site, extent};
use super::{Parameter, Prototype};
use crate::ir::{
    Atomic, Boundaries, Boundary, Checked, Component, FenceGlobal, FenceLocal, Field as _, FieldInfo,
    FieldKind, FieldValue, Info, MemoryScope, MemorySemantics, Op, ReduceMode, ReducePart, Results,
    StoreBoundary, StoreMode, TABLE, TileOrderKind, Transpose,
};
use crate::status::Status;
use std::sync::LazyLock;

/// Form in which C says a modifier.
enum Modifier {
    /// As a truth value: the second word or the first.
    Flag,
    /// As an enumerator.
    Enumerator(&'static LazyLock<Enumeration>),
    /// As one of several bits.
    Bit(i64),
}

/// The modifiers, the C types of their parameters and their forms.
static MODIFIERS: [(FieldKind, &str, Modifier); 14] = [
    (Atomic::KIND, "tiletc_bool_t", Modifier::Flag),
    (Transpose::KIND, "tiletc_transpose_t", Modifier::Enumerator(&enums::TRANSPOSE)),
    (Checked::KIND, "tiletc_checked_flag_t", Modifier::Enumerator(&enums::CHECKED_FLAG)),
    (Component::KIND, "tiletc_comp3_t", Modifier::Enumerator(&enums::COMP3)),
    (MemoryScope::KIND, "tiletc_memory_scope_t", Modifier::Enumerator(&enums::MEMORY_SCOPE)),
    (MemorySemantics::KIND, "tiletc_memory_semantics_t", Modifier::Enumerator(&enums::MEMORY_SEMANTICS)),
    (ReduceMode::KIND, "tiletc_reduce_mode_t", Modifier::Enumerator(&enums::REDUCE_MODE)),
    (Boundaries::KIND, "tiletc_boundary_t", Modifier::Enumerator(&enums::BOUNDARY)),
    (TileOrderKind::KIND, "tiletc_tile_order_t", Modifier::Enumerator(&enums::TILE_ORDER)),
    (StoreBoundary::KIND, "tiletc_bool_t", Modifier::Flag),
    (StoreMode::KIND, "tiletc_bool_t", Modifier::Flag),
    (ReducePart::KIND, "tiletc_bool_t", Modifier::Flag),
    (FenceGlobal::KIND, "tiletc_address_spaces_t", Modifier::Bit(1)),
    (FenceLocal::KIND, "tiletc_address_spaces_t", Modifier::Bit(2)),
];

/// All bits of address spaces.
const ALL_SPACES: i64 = 1 | 2;

fn modifier(kind: FieldKind) -> Option<&'static (FieldKind, &'static str, Modifier)> {
    MODIFIERS.iter().find(|modifier| modifier.0 == kind)
}

/// The fields that are parameters, with their places in the declaration: the immediates, then the operands.
fn parameter_fields(info: &'static Info) -> impl Iterator<Item = (usize, &'static FieldInfo)> {
    let fields = move |operands: bool| {
        info.fields.iter().enumerate().filter(move |(_, field)| {
            let is_parameter = !matches!(
                field.kind,
                FieldKind::Mnemonic(_) | FieldKind::Attributes { .. } | FieldKind::Comment
            );
            is_parameter && is_operand(field.kind) == operands
        })
    };
    fields(false).chain(fields(true))
}

fn is_operand(kind: FieldKind) -> bool {
    matches!(kind, FieldKind::Operand | FieldKind::OptionalOperand | FieldKind::Operands)
}

/// Returns whether a field and the one before are said by one argument.
fn shares_argument(previous: Option<&FieldInfo>, field: &FieldInfo) -> bool {
    previous.is_some_and(|previous| previous.argument == field.argument)
}

/// The C types of the parameters that a field becomes; a list has its length before it.
fn types(kind: FieldKind) -> &'static [&'static str] {
    match kind {
        FieldKind::Operand | FieldKind::OptionalOperand => &["tiletc_value_t"],
        FieldKind::Operands => &["usize", "*const tiletc_value_t"],
        FieldKind::Int { bits: 32 } => &["i32"],
        FieldKind::Int { .. } => &["i64"],
        FieldKind::Ints | FieldKind::Extents => &["usize", "*const i64"],
        FieldKind::Modifier { .. } | FieldKind::Boundaries { .. } => {
            modifier(kind).map_or(&[], |(_, ty, _)| std::slice::from_ref(ty))
        }
        FieldKind::Constant | FieldKind::Mnemonic(_) | FieldKind::Attributes { .. } | FieldKind::Comment => {
            &[]
        }
    }
}

/// The constructors of all instructions but `constant`, which has one for each class of constants.
pub fn prototypes() -> impl Iterator<Item = Prototype> {
    let is_derived = |info: &&Info| info.fields.iter().all(|field| field.kind != FieldKind::Constant);
    TABLE.iter().filter(is_derived).flat_map(|info| {
        info.mnemonics().iter().enumerate().flat_map(|(word, mnemonic)| {
            let constructor = |part: &str, results| Prototype {
                name: format!("tiletc_{mnemonic}{part}_inst_create"),
                doc: info.word_docs.get(word).copied().unwrap_or(info.doc),
                mnemonic,
                parameters: parameters(info, results),
            };
            match WITHOUT_RESULTS.contains(mnemonic) {
                true => vec![constructor("", Results::None), constructor("_with_results", info.results)],
                false => vec![constructor("", info.results)],
            }
        })
    })
}

/// Instructions that return nothing in tinytc, whose constructor has no types of results there: what returns something is made
/// by one more.
const WITHOUT_RESULTS: &[&str] = &["parallel"];

fn parameters(info: &'static Info, results: Results) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    let mut add = |name: &str, types: &[&'static str]| {
        let names: &[String] = match types {
            [_, _] => &[format!("{name}_size"), name.to_owned()],
            _ => &[name.to_owned()],
        };
        parameters.extend(names.iter().cloned().zip(types.iter().copied()));
    };
    let mut previous = None;
    for (_, field) in parameter_fields(info) {
        if !shares_argument(previous, field) {
            add(field.argument, types(field.kind));
        }
        previous = Some(field);
    }
    match results {
        Results::None => {}
        Results::One => add("result", &["tiletc_type_t"]),
        Results::Many => add("results", &["usize", "*const tiletc_type_t"]),
    }
    parameters
}

/// The instruction that a mnemonic and the arguments of its constructor stand for.
pub(super) fn describe(site: &mut Site, mnemonic: &str, arguments: &[Argument]) -> Outcome<Op> {
    let (info, word) = Info::of_mnemonic(mnemonic).ok_or(Status::InternalCompilerError)?;
    let mut arguments = Arguments { site, rest: arguments.iter() };
    let mut contents: Vec<Option<FieldValue>> = info
        .fields
        .iter()
        .map(|field| match field.kind {
            FieldKind::Mnemonic(_) => Some(FieldValue::Word(word)),
            FieldKind::Attributes { .. } => Some(FieldValue::Attributes(None)),
            FieldKind::Comment => Some(FieldValue::Note(None)),
            _ => None,
        })
        .collect();
    let (mut previous, mut start) = (None, arguments.rest.clone());
    for (index, field) in parameter_fields(info) {
        if shares_argument(previous, field) {
            arguments.rest = start.clone();
        } else {
            start = arguments.rest.clone();
        }
        if let Some(content) = contents.get_mut(index) {
            *content = Some(arguments.field(field.kind)?);
        }
        previous = Some(field);
    }
    match info.results {
        Results::None => {}
        Results::One => arguments.result()?,
        Results::Many if arguments.rest.len() == 0 => {}
        Results::Many => arguments.results()?,
    }
    let fields: Option<Vec<FieldValue>> = contents.into_iter().collect();
    fields.and_then(info.make).ok_or(Status::InternalCompilerError)
}

/// The arguments of a constructor that have not been read yet. One of another kind than its parameter is a mistake
/// of ours: the function does not belong to the declaration.
struct Arguments<'a> {
    site: &'a mut Site,
    rest: std::slice::Iter<'a, Argument>,
}

impl Arguments<'_> {
    fn next<T: CType>(&mut self) -> Outcome<T> {
        self.rest.next().and_then(|&argument| T::of(argument)).ok_or(Status::InternalCompilerError)
    }

    fn field(&mut self, kind: FieldKind) -> Outcome<FieldValue> {
        Ok(match kind {
            FieldKind::Operand => {
                let handle = self.next()?;
                FieldValue::Operand(self.site.value(handle)?)
            }
            FieldKind::OptionalOperand => {
                let handle = self.next()?;
                FieldValue::OptionalOperand(self.site.optional(handle)?)
            }
            FieldKind::Operands => {
                let (size, handles) = (self.next()?, self.next()?);
                FieldValue::Operands(self.site.values(size, handles)?)
            }
            FieldKind::Int { .. } => FieldValue::Int(self.next()?),
            FieldKind::Ints => {
                let (size, values) = (self.next()?, self.next()?);
                FieldValue::Ints(self.site.numbers(size, values)?.to_vec())
            }
            FieldKind::Extents => {
                let (size, values) = (self.next()?, self.next()?);
                FieldValue::Extents(self.site.numbers(size, values)?.iter().copied().map(extent).collect())
            }
            FieldKind::Modifier { .. } => {
                let number = self.next()?;
                FieldValue::Word(self.word(kind, number)?)
            }
            FieldKind::Boundaries { .. } => {
                let number = self.next()?;
                let boundary = Boundary::ALL.get(self.word(kind, number)?).copied();
                FieldValue::Boundaries(Boundaries([boundary.unwrap_or_default(); 2]))
            }
            FieldKind::Constant
            | FieldKind::Mnemonic(_)
            | FieldKind::Attributes { .. }
            | FieldKind::Comment => {
                return Err(Status::InternalCompilerError);
            }
        })
    }

    /// Index of the word of a modifier that a number stands for.
    fn word(&self, kind: FieldKind, number: i64) -> Outcome<usize> {
        let (_, _, modifier) = modifier(kind).ok_or(Status::InternalCompilerError)?;
        match modifier {
            Modifier::Flag => Ok((number != 0).into()),
            Modifier::Enumerator(enumeration) => {
                let index = enumeration.cases.iter().position(|case| i64::from(case.value) == number);
                index.ok_or(Status::InvalidArguments)
            }
            Modifier::Bit(_) if number & !ALL_SPACES != 0 => Err(Status::InvalidArguments),
            Modifier::Bit(bit) => Ok((number & bit != 0).into()),
        }
    }

    fn result(&mut self) -> Outcome {
        let handle = self.next()?;
        self.site.result(handle)
    }

    fn results(&mut self) -> Outcome {
        let (size, handles) = (self.next()?, self.next()?);
        self.site.results(size, handles)
    }
}

#[cfg(test)]
mod tests {
    use super::super::constructors;
    use super::*;

    #[test]
    fn the_functions_are_those_of_the_declarations() {
        let text =
            |name: &str, doc: &[&str], parameters: &[(&str, &str)]| format!("{name} {doc:?} {parameters:?}");
        let declared = prototypes().map(|prototype| {
            let parameters: Vec<_> =
                prototype.parameters.iter().map(|(name, ty)| (name.as_str(), *ty)).collect();
            text(&prototype.name, prototype.doc, &parameters)
        });
        let written = constructors::DECLARED
            .iter()
            .map(|constructor| text(constructor.name, constructor.doc, constructor.parameters));
        assert_eq!(
            written.collect::<Vec<_>>(),
            declared.collect::<Vec<_>>(),
            "`cargo xtask headers` writes src/ffi/builder/constructors.rs anew"
        );
    }

    #[test]
    fn every_field_is_a_parameter_or_has_a_default() {
        for info in TABLE.iter().filter(|info| info.spelling != "constant") {
            for (_, field) in parameter_fields(info) {
                assert!(!types(field.kind).is_empty(), "{}: {} has no C type", info.name, field.name);
            }
        }
    }
}
