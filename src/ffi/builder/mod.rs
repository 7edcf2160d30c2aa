//! The builder (API reference 4.3 to 4.10): values, instructions, regions, functions.
//!
//! Every constructor of an instruction is a line of a table; the function and the prototype that
//! `cargo xtask headers` writes both come from it. A constructor takes the immediates of the instruction, its
//! operands, the types of its results, and last the place in a source, which may be NULL; it gives a new
//! instruction that belongs to the caller. Its failure is the broken rule of the language as a status, nothing
//! is reported.

mod site;

pub(super) mod node_table;
pub(super) mod nodes;

pub mod arithmetic;
pub mod constant;
pub mod control;
pub mod coopmatrix;
pub mod linalg;
pub mod memory;
pub mod subgroup;

pub mod func;
pub mod inst;
pub mod region;
pub mod value;

pub(super) use site::extent;

/// A constructor as C declares it.
#[derive(Debug)]
pub struct Prototype {
    /// Name of the function.
    pub name: &'static str,
    /// Description of the result, one line each.
    pub doc: &'static [&'static str],
    /// Names and Rust types of the parameters between the instruction and the location.
    pub parameters: &'static [(&'static str, &'static str)],
    /// The function, whose real type the parameters tell.
    pub function: unsafe extern "C" fn(),
}

/// Declares constructors, each with its parameters and the instruction that they make, and lists them.
macro_rules! constructors {
    ($list:ident; $(
        $(#[doc = $doc:literal])+
        $name:ident($($parameter:ident: $ty:ty),* $(,)?) |$site:ident| $op:expr;
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
                #[allow(unused_variables, reason = "constructors without operands")]
                unsafe {
                    create(instr, loc, |$site| Ok($op.into()))
                }
            }
        )*

        pub(super) static $list: &[Prototype] = &[$(Prototype {
            name: stringify!($name),
            doc: &[$($doc),+],
            parameters: &[$((stringify!($parameter), stringify!($ty))),*],
            // SAFETY: all pointers to functions are alike; whoever calls it makes it what it was.
            function: unsafe {
                std::mem::transmute::<
                    unsafe extern "C" fn(
                        *mut tiletc_inst_t,
                        $($ty,)*
                        *const tiletc_location_t,
                    ) -> tiletc_status_t,
                    unsafe extern "C" fn(),
                >($name)
            },
        }),*];
    };
}
use constructors;

/// Every constructor, in the order of the C header.
pub fn prototypes() -> impl Iterator<Item = &'static Prototype> {
    [
        constant::CONSTRUCTORS,
        arithmetic::BINARY,
        arithmetic::UNARY,
        arithmetic::COMPARE,
        arithmetic::MATH,
        memory::ACCESS,
        memory::VIEWS,
        memory::LOCAL,
        control::CONSTRUCTORS,
        linalg::CONSTRUCTORS,
        subgroup::PLACE,
        subgroup::COMBINE,
        coopmatrix::ACCESS,
        coopmatrix::ATOMIC,
        coopmatrix::COMPUTE,
    ]
    .into_iter()
    .flatten()
}
