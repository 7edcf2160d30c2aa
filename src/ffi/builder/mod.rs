//! The builder (API reference 4.3 to 4.10): values, instructions, regions, functions.
//!
//! The constructors of instructions follow from the declarations of these (`declared.rs`), those of constants are
//! a table of their own; the functions and the prototypes that `cargo xtask headers` writes both come from there.
//! A constructor takes the immediates of the instruction, its operands, the types of its results, and last the
//! place in a source, which may be NULL; it gives a new instruction that belongs to the caller. Its failure is the
//! broken rule of the language as a status, nothing is reported.

mod argument;
mod declared;
mod site;

pub(super) mod node_table;
pub(super) mod nodes;

pub mod constant;
#[allow(non_snake_case, reason = "the C parameters are named as the operands of the BLAS are")]
pub mod constructors;

pub mod func;
pub mod inst;
pub mod region;
pub mod value;

pub use argument::Argument;
pub use declared::prototypes as declared_prototypes;
pub(super) use site::extent;

use super::types::*;

/// Name and Rust type of a parameter.
pub type Parameter = (String, &'static str);

/// A constructor as C declares it.
#[derive(Debug)]
pub struct Prototype {
    /// Name of the function.
    pub name: String,
    /// Description of the result, lines that begin with a blank.
    pub doc: &'static [&'static str],
    /// The word of the language.
    pub mnemonic: &'static str,
    /// The parameters between the instruction and the location.
    pub parameters: Vec<Parameter>,
}

/// Calls a constructor with arguments; `None` if they do not fit its parameters.
///
/// # Safety
/// As for the function itself.
pub type Call =
    unsafe fn(*mut tiletc_inst_t, &[Argument], *const tiletc_location_t) -> Option<tiletc_status_t>;

/// A constructor as it was written.
#[derive(Debug)]
pub struct Constructor {
    /// Name of the function.
    pub name: &'static str,
    /// Description of the result, lines that begin with a blank.
    pub doc: &'static [&'static str],
    /// Names and Rust types of the parameters between the instruction and the location.
    pub parameters: &'static [(&'static str, &'static str)],
    /// Calls it.
    pub call: Call,
}

/// Declares constructors, each with its parameters and either the mnemonic of the instruction that they make or a
/// function of the site that makes it, and lists them.
macro_rules! functions {
    (@op $site:ident [$mnemonic:literal] $($parameter:ident)*) => {
        $crate::ffi::builder::declared::describe(
            $site,
            $mnemonic,
            &[$($crate::ffi::builder::argument::CType::argument($parameter)),*],
        )
    };
    (@op $site:ident [|$s:ident| $op:expr] $($parameter:ident)*) => {{
        let $s = $site;
        Ok($op.into())
    }};
    ($list:ident; $(
        $(#[doc = $doc:literal])+
        $name:ident($($parameter:ident: $ty:ty),* $(,)?) $op:tt;
    )*) => {
        $(
            $(#[doc = $doc])+
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(
                instr: *mut tiletc_inst_t,
                $($parameter: $ty,)*
                loc: *const tiletc_location_t,
            ) -> tiletc_status_t {
                // SAFETY: the caller passes NULL or, in order, a writable place, live handles and arrays of the
                // lengths before them, and a readable location.
                unsafe {
                    $crate::ffi::builder::site::create(
                        instr,
                        loc,
                        |site| functions!(@op site $op $($parameter)*),
                    )
                }
            }
        )*

        pub(super) static $list: &[$crate::ffi::builder::Constructor] = &[$($crate::ffi::builder::Constructor {
            name: stringify!($name),
            doc: &[$($doc),+],
            parameters: &[$((stringify!($parameter), stringify!($ty))),*],
            call: |instr, arguments, loc| {
                let [$($parameter),*] = *arguments else { return None };
                $(let $parameter = $crate::ffi::builder::argument::CType::of($parameter)?;)*
                // SAFETY: the contract of `Call` is that of the function.
                Some(unsafe { $name(instr, $($parameter,)* loc) })
            },
        }),*];
    };
}
use functions;

/// Every constructor as it was written, in the order of the C header.
pub fn constructors() -> impl Iterator<Item = &'static Constructor> {
    constant::CONSTRUCTORS.iter().chain(constructors::DECLARED)
}

/// Every constructor as C declares it, in the order of the C header.
pub fn prototypes() -> impl Iterator<Item = Prototype> {
    let constants = constant::CONSTRUCTORS.iter().map(|constructor| Prototype {
        name: constructor.name.to_owned(),
        doc: constructor.doc,
        mnemonic: "constant",
        parameters: constructor.parameters.iter().map(|&(name, ty)| (name.to_owned(), ty)).collect(),
    });
    constants.chain(declared_prototypes())
}
