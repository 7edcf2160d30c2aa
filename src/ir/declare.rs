//! The machinery behind the instruction table: what a declaration says, and what is made of it.

use super::execution::{Execution, RegionKind};
use super::fields::{Field as _, FieldKind, FieldValue, MemorySemantics};
use super::instructions::Op;

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

/// The declaration of an instruction.
#[derive(Debug)]
pub struct Info {
    /// Name of the struct.
    pub name: &'static str,
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
    /// Names and kinds of the fields.
    pub fields: &'static [(&'static str, FieldKind)],
    /// Accesses to the operands of each field.
    pub accesses: &'static [Access],
    /// Names of the attributes with a meaning.
    pub attributes: &'static [&'static str],
    /// Kinds of the regions.
    pub regions: &'static [RegionKind],
    /// Written form.
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
    ($($family:ident { $(
        $(#[$doc:meta])*
        $name:ident $spelling:literal $execution:ident $side_effect:ident
        ($($field:ident: $ty:ty $([$access:ident])? $({ $($key:ident: $attribute:ty),* })?),* $(,)?)
        -> $results:ident
        [$($region:ident),*] $syntax:ident $(($template:literal))?;
    )* })*) => {
        $($(
            $(#[$doc])*
            #[derive(Clone, Debug, PartialEq)]
            pub struct $name {
                $(
                    #[doc = concat!("Field `", stringify!($field), "` of the declaration.")]
                    pub $field: $ty,
                )*
            }

            $($(impl $name {
                $(
                    #[doc = concat!("Attribute `", stringify!($key), "` of the declaration.")]
                    ///
                    /// # Errors
                    /// Status and message if the attribute is not of its type.
                    pub fn $key(&self) -> Result<Option<$attribute>, (Status, String)> {
                        read(self.$field.as_ref(), stringify!($key))
                    }
                )*
            })?)*

            impl From<$name> for Op {
                fn from(inst: $name) -> Op {
                    Op::$name(inst)
                }
            }
        )*)*

        /// An instruction without its results and regions.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Op {
            $($($(#[$doc])* $name($name),)*)*
        }

        /// The declaration of every instruction.
        pub static TABLE: &[Info] = &[$($(Info {
            name: stringify!($name),
            spelling: $spelling,
            family: Family::$family,
            execution: Execution::$execution,
            side_effect: SideEffect::$side_effect,
            results: Results::$results,
            fields: &[$((stringify!($field), <$ty as Field>::KIND)),*],
            accesses: &[$(access!($($access)?)),*],
            attributes: &[$($($(stringify!($key),)*)?)*],
            regions: &[$(RegionKind::$region),*],
            syntax: Syntax::$syntax $(($template))?,
            make: |fields| {
                #[allow(unused_mut, unused_variables, reason = "instructions without fields")]
                let mut fields = fields.into_iter();
                Some(Op::$name($name { $($field: <$ty as Field>::from_value(fields.next()?)?),* }))
            },
        }),*),*];

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

impl Op {
    /// The order of an atomic access among others, relaxed if it names none; `None` for what is not atomic.
    pub fn semantics(&self) -> Option<MemorySemantics> {
        if self.info().side_effect != SideEffect::AtomicMemory {
            return None;
        }
        let fields = self.info().fields.iter().zip(self.fields());
        let mut orders = fields.filter(|((_, kind), _)| *kind == MemorySemantics::KIND);
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
            | SideEffect::Regions
            | SideEffect::Loop
            | SideEffect::Hint => false,
        }
    }
}
