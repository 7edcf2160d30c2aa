//! The machinery behind the instruction table: what a declaration says, and what is made of it.

use super::fields::{FieldKind, FieldValue};
use super::instructions::Op;

/// Who carries out an instruction (`spec/language.md` 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Execution {
    /// The work-group as a whole.
    Collective,
    /// Each work-item or subgroup on its own.
    Spmd,
    /// Allowed everywhere.
    Mixed,
}

/// Who runs the instructions of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RegionKind {
    /// Whoever runs the instruction that holds the region.
    Mixed,
    /// The work-group as a whole.
    Collective,
    /// Each work-item on its own.
    Spmd,
}

/// How many results an instruction has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Results {
    /// None; it is an action.
    None,
    /// One, whose type is written at the end.
    One,
    /// Any number.
    Many,
}

/// How the part behind the mnemonic is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// By a template: `{field}` stands for a field, `{type}` for the type of the result.
    Regular(&'static str),
    /// By functions of the parser and the printer.
    Own,
}

/// The declaration of an instruction.
#[derive(Debug)]
pub struct Info {
    /// Name of the struct.
    pub name: &'static str,
    /// The word of the language; empty for a family, whose words are those of its first field.
    pub spelling: &'static str,
    /// Who carries it out.
    pub execution: Execution,
    /// Number of results.
    pub results: Results,
    /// Names and kinds of the fields.
    pub fields: &'static [(&'static str, FieldKind)],
    /// Kinds of the regions.
    pub regions: &'static [RegionKind],
    /// How it is written.
    pub syntax: Syntax,
    /// Makes the instruction from its fields, in the order of declaration.
    pub make: fn(Vec<FieldValue>) -> Option<Op>,
}

impl Info {
    /// Every word of the language that starts this instruction.
    pub fn mnemonics(&self) -> &[&'static str] {
        match self.fields.first() {
            Some((_, FieldKind::Mnemonic(words))) => words,
            _ => std::slice::from_ref(&self.spelling),
        }
    }

    /// Index and kind of a field.
    pub fn field(&self, name: &str) -> Option<(usize, FieldKind)> {
        self.fields.iter().enumerate().find(|(_, field)| field.0 == name).map(|(i, field)| (i, field.1))
    }
}

/// Declares the instructions; see `instructions.rs`.
macro_rules! instructions {
    ($(
        $(#[$doc:meta])*
        $name:ident $spelling:literal $execution:ident ($($field:ident: $ty:ty),* $(,)?) -> $results:ident
        [$($region:ident),*] $syntax:ident $(($template:literal))?;
    )*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Debug, PartialEq)]
            pub struct $name {
                $(
                    #[doc = concat!("Field `", stringify!($field), "` of the declaration.")]
                    pub $field: $ty,
                )*
            }

            impl From<$name> for Op {
                fn from(inst: $name) -> Op {
                    Op::$name(inst)
                }
            }
        )*

        /// An instruction without its results and regions.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Op {
            $($(#[$doc])* $name($name),)*
        }

        /// The declaration of every instruction.
        pub static TABLE: &[Info] = &[$(Info {
            name: stringify!($name),
            spelling: $spelling,
            execution: Execution::$execution,
            results: Results::$results,
            fields: &[$((stringify!($field), <$ty as Field>::KIND)),*],
            regions: &[$(RegionKind::$region),*],
            syntax: Syntax::$syntax $(($template))?,
            make: |fields| {
                #[allow(unused_mut, unused_variables, reason = "instructions without fields")]
                let mut fields = fields.into_iter();
                Some(Op::$name($name { $($field: <$ty as Field>::from_value(fields.next()?)?),* }))
            },
        }),*];

        /// Index into [`TABLE`], in the order of the cases of [`Op`].
        #[derive(Clone, Copy)]
        enum Index { $($name),* }

        impl Op {
            /// The declaration.
            pub fn info(&self) -> &'static Info {
                static INFOS: &[Info] = TABLE;
                let index = match self { $(Op::$name(_) => Index::$name),* };
                // In bounds: `Index` and `TABLE` are made from the same list.
                #[allow(clippy::indexing_slicing)]
                &INFOS[index as usize]
            }

            /// The contents of the fields, in the order of declaration.
            pub fn fields(&self) -> Vec<FieldValue> {
                match self { $(Op::$name($name { $($field),* }) => vec![$(Field::get($field)),*]),* }
            }

            /// The word of the language that starts the instruction.
            pub fn mnemonic(&self) -> &'static str {
                let info = self.info();
                match self.fields().first() {
                    // A modifier of an instruction with one spelling is no choice of mnemonics.
                    Some(FieldValue::Word(word)) if info.spelling.is_empty() => {
                        info.mnemonics().get(*word).copied().unwrap_or_default()
                    }
                    _ => info.spelling,
                }
            }

            /// Calls `f` with each operand, in the order of declaration.
            #[allow(unused_variables, reason = "instructions without fields")]
            pub fn visit_operands(&self, f: &mut dyn FnMut(Value)) {
                match self { $(Op::$name($name { $($field),* }) => { $(Field::visit($field, f);)* }),* }
            }

            /// Calls `f` with each operand for replacement.
            #[allow(unused_variables, reason = "instructions without fields")]
            pub fn visit_operands_mut(&mut self, f: &mut dyn FnMut(&mut Value)) {
                match self { $(Op::$name($name { $($field),* }) => { $(Field::visit_mut($field, f);)* }),* }
            }

            /// Applies the instruction's rule.
            pub(super) fn check(&self, check: &Check<'_>) -> Result<(), Violation> {
                match self { $(Op::$name(inst) => inst.check(check)),* }
            }

            /// The types of the parameters of the first region.
            pub(super) fn region_parameters(&self, ir: &Ir) -> Vec<Type> {
                match self { $(Op::$name(inst) => inst.region_parameters(ir)),* }
            }
        }
    };
}
pub(super) use instructions;
