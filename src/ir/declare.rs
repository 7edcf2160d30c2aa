//! The machinery behind the instruction table: what a declaration says, and what is made of it.

use super::execution::{Execution, RegionKind};
use super::fields::{Field as _, FieldKind, FieldValue, MemorySemantics};
use super::instructions::{Op, TABLE};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Effect of an instruction on an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Uses the value itself, or what is known of a memref without its memory: shape, strides, pointer.
    Value,
    /// Reads the memory of the memref.
    Read,
    /// Overwrites memory of the memref.
    Write,
    /// Reads memory of the memref and overwrites it.
    ReadWrite,
    /// Makes the result a view of the memref's memory.
    Alias,
}

impl Access {
    /// Memory is written, whether it is read before or not.
    pub fn writes(self) -> bool {
        matches!(self, Access::Write | Access::ReadWrite)
    }
}

/// Effects of an instruction besides computing its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideEffect {
    /// Nothing.
    Pure,
    /// Accesses memory as its operands' [`Access`] says.
    Memory,
    /// The same with atomic accesses, in the order that its field of the type `MemorySemantics` names.
    AtomicMemory,
    /// Begins the lifetime of local memory.
    Allocation,
    /// Ends the lifetime of local memory.
    Deallocation,
    /// Makes work-items wait for each other, and orders the accesses that its fields name.
    Synchronization,
    /// Hands values on to the instruction around its region.
    Terminator,
    /// Leaves the loop around it.
    Exit,
    /// Effects of the instructions of its regions, each region once at most.
    Regions,
    /// Effects of the instructions of its regions, any number of times.
    Loop,
    /// Nothing that a result depends on, but wanted all the same.
    Hint,
}

/// Families of instructions, the sections of the manual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Constants, casts, arithmetic, comparison, elementary functions.
    Arithmetic,
    /// The position in the grid and in the work-group.
    Builtin,
    /// Loads, stores, atomics, views, allocation, barriers.
    Memory,
    /// Loops, branches, parallel regions.
    ControlFlow,
    /// Exchange between the work-items of a subgroup.
    Subgroup,
    /// Operations of a work-group on whole tensors.
    LinearAlgebra,
    /// Matrices that a subgroup holds in its registers.
    CooperativeMatrix,
    /// Matrices that a work-group holds in its registers.
    Tile,
}

/// Number of results of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Results {
    /// None; it is an action.
    None,
    /// One, whose type is written at the end.
    One,
    /// Any number.
    Many,
}

/// Syntax of the part behind the mnemonic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// By a template, in the notation of `syntax/template.rs`.
    Regular(&'static str),
    /// By functions of the parser and the printer.
    Custom,
}

/// Part of the compiler that replaces an instruction by something lower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoweredBy {
    /// The back end.
    BackEnd,
    /// A pass; the back end does not know the instruction.
    Pass,
    /// A pass, unless a matrix back end keeps the instruction for itself.
    Either,
}

/// The declaration of a field.
#[derive(Debug)]
pub struct FieldInfo {
    /// Name in the struct and in the template.
    pub name: &'static str,
    /// Written form.
    pub kind: FieldKind,
    /// Name of the parameter of the C constructor.
    pub argument: &'static str,
}

/// The declaration of an instruction.
#[derive(Debug)]
pub struct Info {
    /// Name of the struct.
    pub name: &'static str,
    /// Documentation, lines that begin with a blank.
    pub doc: &'static [&'static str],
    /// The same for each word of a family.
    pub word_docs: &'static [&'static [&'static str]],
    /// The word of the language; empty for a family, whose words are those of its first field.
    pub spelling: &'static str,
    /// The family it belongs to.
    pub family: Family,
    /// Level at which it is carried out.
    pub execution: Execution,
    /// Effects besides computing its results.
    pub side_effect: SideEffect,
    /// Number of results.
    pub results: Results,
    /// The fields.
    pub fields: &'static [FieldInfo],
    /// Kinds of the regions.
    pub regions: &'static [RegionKind],
    /// Written form.
    pub syntax: Syntax,
    /// Part of the compiler that replaces it.
    pub lowered_by: LoweredBy,
    /// Makes the instruction from its fields, in the order of declaration.
    pub make: fn(Vec<FieldValue>) -> Option<Op>,
}

impl Info {
    /// Every word of the language that starts this instruction.
    pub fn mnemonics(&self) -> &[&'static str] {
        match self.fields.first().map(|field| field.kind) {
            Some(FieldKind::Mnemonic(words)) => words,
            _ => std::slice::from_ref(&self.spelling),
        }
    }

    /// Names of the attributes.
    pub fn attributes(&self) -> &'static [&'static str] {
        let mut names = self.fields.iter().filter_map(|field| match field.kind {
            FieldKind::Attributes { names } | FieldKind::Boundaries { names, .. } => Some(names),
            _ => None,
        });
        names.next().unwrap_or_default()
    }

    /// Index and kind of a field.
    pub fn field(&self, name: &str) -> Option<(usize, FieldKind)> {
        self.fields.iter().enumerate().find(|(_, field)| field.name == name).map(|(i, field)| (i, field.kind))
    }

    /// The declaration that a word of the language belongs to, and the index of the word in it.
    pub fn of_mnemonic(mnemonic: &str) -> Option<(&'static Info, usize)> {
        static MNEMONICS: LazyLock<HashMap<&'static str, (&'static Info, usize)>> = LazyLock::new(|| {
            let words = |info: &'static Info| info.mnemonics().iter().copied().zip(0..);
            TABLE.iter().flat_map(|info| words(info).map(move |(word, i)| (word, (info, i)))).collect()
        });
        MNEMONICS.get(mnemonic).copied()
    }
}

/// Declares the instructions; see `instructions.rs`.
macro_rules! instructions {
    ($($family:ident { $(
        $(#[doc = $doc:literal])+
        $name:ident $spelling:literal $execution:ident $side_effect:ident
        ($(
            $field:ident: $ty:ty $([$access:ident])? $(as $argument:ident)?
        ),* $(,)?)
        -> $results:ident
        [$($region:ident),*] $syntax:ident $(($template:literal))? $(by $stage:ident)?;
    )* })*) => {
        $($(
            $(#[doc = $doc])+
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
        )*)*

        /// An instruction without its results and regions.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Op {
            $($($(#[doc = $doc])+ $name($name),)*)*
        }

        /// The declaration of every instruction.
        pub static TABLE: &[Info] = &[$($(Info {
            name: stringify!($name),
            doc: &[$($doc),+],
            word_docs: {
                const DOCS: &[&[&[&str]]] = &[$(<$ty as Field>::WORD_DOCS),*];
                match DOCS { [first, ..] => first, [] => &[] }
            },
            spelling: $spelling,
            family: Family::$family,
            execution: Execution::$execution,
            side_effect: SideEffect::$side_effect,
            results: Results::$results,
            fields: &[$(FieldInfo {
                name: stringify!($field),
                kind: <$ty as Field>::KIND,
                argument: argument!($field $($argument)?),
            }),*],
            regions: &[$(RegionKind::$region),*],
            syntax: Syntax::$syntax $(($template))?,
            lowered_by: lowered_by!($($stage)?),
            make: |fields| {
                #[allow(unused_mut, unused_variables, reason = "instructions without fields")]
                let mut fields = fields.into_iter();
                Some(Op::$name($name { $($field: <$ty as Field>::from_value(fields.next()?)?),* }))
            },
        }),*),*];

        /// Calls a macro with the names of all instructions, each with its [`LoweredBy`] in brackets if that is not
        /// the back end.
        macro_rules! for_each_instruction {
            ($then:ident $context:tt) => { $then! { $context $($($name [$($stage)?])*)* } };
        }
        pub(crate) use for_each_instruction;

        /// Index into [`TABLE`], in the order of the cases of [`Op`].
        #[derive(Clone, Copy)]
        enum Index { $($($name),*),* }

        impl Op {
            /// The declaration.
            pub fn info(&self) -> &'static Info {
                static INFOS: &[Info] = TABLE;
                let index = match self { $($(Op::$name(_) => Index::$name),*),* };
                // In bounds: `Index` and `TABLE` are made from the same list.
                #[allow(clippy::indexing_slicing)]
                &INFOS[index as usize]
            }

            /// The contents of the fields, in the order of declaration.
            pub fn fields(&self) -> Vec<FieldValue> {
                match self { $($(Op::$name($name { $($field),* }) => vec![$(Field::get($field)),*]),*),* }
            }

            /// Replaces the attributes.
            ///
            /// # Errors
            /// The instruction does not have an attribute of the dictionary, or it is malformed.
            pub fn set_attributes(&mut self, attributes: Option<&Dictionary>) -> Result<(), AttributeError> {
                match self {
                    $($(Op::$name($name { $($field),* }) => {
                        $(if let Some(outcome) = Field::set_attributes($field, attributes) {
                            return outcome;
                        })*
                    }),*),*
                }
                let part = format!("`{}`", self.mnemonic());
                attributes.map_or(Ok(()), |attributes| check_names(attributes, &part, &[]))
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
                match self { $($(Op::$name($name { $($field),* }) => { $(Field::visit($field, f);)* }),*),* }
            }

            /// Calls `f` with each operand and what happens to it, in the order of declaration.
            #[allow(unused_variables, reason = "instructions without fields")]
            pub fn visit_accesses(&self, f: &mut dyn FnMut(Value, Access)) {
                match self {
                    $($(Op::$name($name { $($field),* }) => {
                        $(Field::visit($field, &mut |value| f(value, access!($($access)?)));)*
                    }),*),*
                }
            }

            /// Calls `f` with each operand for replacement.
            #[allow(unused_variables, reason = "instructions without fields")]
            pub fn visit_operands_mut(&mut self, f: &mut dyn FnMut(&mut Value)) {
                match self {
                    $($(Op::$name($name { $($field),* }) => { $(Field::visit_mut($field, f);)* }),*),*
                }
            }

            /// Applies the instruction's rule.
            pub(super) fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
                match self { $($(Op::$name(inst) => inst.check(check)),*),* }
            }

            /// Applies what the instruction's rule demands only where it is compiled.
            pub(super) fn check_lowering(&self, check: &Check<'_>) -> Result<(), VerifierError> {
                match self { $($(Op::$name(inst) => inst.check_lowering(check)),*),* }
            }

            /// The types of the parameters of the first region.
            pub(super) fn region_parameters(&self, ir: &Ir) -> Vec<Type> {
                match self { $($(Op::$name(inst) => inst.region_parameters(ir)),*),* }
            }

            /// The type that follows for an operand that a text has as a literal.
            pub(super) fn literal_type(&self, known: &Known<'_>, operand: Value) -> Option<Type> {
                match self { $($(Op::$name(inst) => inst.literal_type(known, operand)),*),* }
            }

            /// The types of the results, if they follow from the operands.
            pub fn result_types(&self, ir: &Ir) -> Option<Vec<Type>> {
                match self { $($(Op::$name(inst) => inst.result_types(ir)),*),* }
            }
        }
    };
}
pub(super) use instructions;

/// The [`Access`] of a field: the one that its declaration names, or the plain use of a value.
macro_rules! access {
    () => {
        Access::Value
    };
    ($access:ident) => {
        Access::$access
    };
}
pub(super) use access;

/// The name of a parameter of the C constructor: the one behind `as`, or that of the field.
macro_rules! argument {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $argument:ident) => {
        stringify!($argument)
    };
}
pub(super) use argument;

/// The [`LoweredBy`] of a declaration.
macro_rules! lowered_by {
    () => {
        LoweredBy::BackEnd
    };
    ($stage:ident) => {
        LoweredBy::$stage
    };
}
pub(super) use lowered_by;

impl Op {
    /// The order of an atomic access among others, relaxed if it names none; `None` for what is not atomic.
    pub fn semantics(&self) -> Option<MemorySemantics> {
        if self.info().side_effect != SideEffect::AtomicMemory {
            return None;
        }
        let fields = self.info().fields.iter().zip(self.fields());
        let mut orders = fields.filter(|(field, _)| field.kind == MemorySemantics::KIND);
        Some(orders.find_map(|(_, value)| MemorySemantics::from_value(value)).unwrap_or_default())
    }

    /// The instruction may go if its results are unused and it has no regions: it changes nothing that others see.
    pub fn is_removable_if_unused(&self) -> bool {
        let mut writes = false;
        self.visit_accesses(&mut |_, access| writes |= access.writes());
        match self.info().side_effect {
            SideEffect::Pure | SideEffect::Allocation => true,
            SideEffect::Memory => !writes,
            // Other accesses may rely on the order that it sets up.
            SideEffect::AtomicMemory => !writes && self.semantics() == Some(MemorySemantics::Relaxed),
            SideEffect::Deallocation
            | SideEffect::Synchronization
            | SideEffect::Terminator
            | SideEffect::Exit
            | SideEffect::Regions
            | SideEffect::Loop
            | SideEffect::Hint => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The declared effects that passes and back end know by the instructions that have them.
    #[test]
    fn effects_with_a_meaning_of_their_own_belong_to_known_instructions() {
        let expected = [
            (SideEffect::Allocation, &["Alloca"][..]),
            (SideEffect::Deallocation, &["LifetimeStop"]),
            (SideEffect::Synchronization, &["Barrier", "BarrierArrive", "BarrierWait"]),
            (SideEffect::Terminator, &["Yield"]),
            (SideEffect::Exit, &["BreakIf"]),
        ];
        for (effect, names) in expected {
            let found = TABLE.iter().filter(|info| info.side_effect == effect).map(|info| info.name);
            assert_eq!(found.collect::<Vec<_>>(), names, "{effect:?}");
        }
    }
}
