//! Prints the known divisors of the integers of a function, and of the offsets, shapes and strides of its
//! tensors (API reference 5).

use super::constant_propagation::refuse_division_by_zero;
use super::context::Context;
use super::error::Error;
use crate::analysis::Divisors;
use crate::ir::{Func, Ir, Listing, Scalar, Type, Value};
use std::fmt::{self, Write};

pub(super) fn run(ir: &Ir, func: Func, listing: &Listing, context: &Context<'_>) -> Result<String, Error> {
    let info = context.device("dump-gcd")?;
    let body = ir[func].body;
    let divisors = Divisors::new(ir, func, i64::from(info.default_alignment()));
    let is_integer = |value| ir.ty(value).scalar().is_some_and(Scalar::is_integer);
    // Zero alone has the divisor 0.
    refuse_division_by_zero(ir, body, &|value| is_integer(value) && divisors.number(value) == 0)?;
    let mut facts = Facts { ir, divisors, listing, out: format!("GCD in @{}\n", ir[func].name) };
    // Writing to a string cannot fail.
    let _ = facts.function(func);
    Ok(facts.out)
}

struct Facts<'a> {
    ir: &'a Ir,
    divisors: Divisors,
    listing: &'a Listing,
    out: String,
}

impl Facts<'_> {
    fn function(&mut self, func: Func) -> fmt::Result {
        let ir = self.ir;
        let body = ir[func].body;
        ir[body].parameters.iter().try_for_each(|&value| self.value(value))?;
        let mut insts = Vec::new();
        ir.walk(body, &mut |inst| insts.push(inst));
        for inst in insts {
            writeln!(self.out, "> {}", self.listing.instruction(inst))?;
            let parameters = ir[inst].regions.iter().flat_map(|&region| &ir[region].parameters);
            ir[inst].results.iter().chain(parameters).try_for_each(|&value| self.value(value))?;
        }
        Ok(())
    }

    /// Prints the facts about a value; nothing where nothing can be known.
    fn value(&mut self, value: Value) -> fmt::Result {
        let name = self.listing.name(value);
        if let Some(tensor) = self.divisors.tensor(value) {
            writeln!(self.out, "  offset_gcd({name}) = {}", tensor.offset)?;
            writeln!(self.out, "  shape_gcd({name}) = {}", List(&tensor.shape))?;
            writeln!(self.out, "  stride_gcd({name}) = {}", List(&tensor.stride))?;
        } else if let Type::Scalar(scalar) = self.ir.ty(value)
            && scalar.is_integer()
        {
            writeln!(self.out, "  gcd({name}) = {}", self.divisors.number(value))?;
        }
        Ok(())
    }
}

/// `[4,1]`
struct List<'a>(&'a [i64]);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('[')?;
        crate::ir::write_list(f, self.0, ",")?;
        f.write_char(']')
    }
}
