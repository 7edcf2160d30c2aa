//! Matrices on the XMX engine: fragments, DPAS, 2D block messages and panels in local memory (lowering reference 4.3 to 4.5).
//!
//! Matrices that the engine takes are lists of [`Fragments`]; all others are left to the vector code, as is what
//! works on components: the layout is the same, so that taking fragments apart costs no instruction on the device.

mod columns;
mod even_odd;
mod fragments;
mod memory;
mod panels;
mod product;

use super::access::{MatrixAccess, Prefetch};
use super::backend::MatrixBackend;
use super::vector;
use crate::device::MatrixEngine;
use crate::ir::{AccessClass, Coopmatrix, MatrixUse, Transpose};
use crate::schedule::takes_product;
use crate::spirv::function::FunctionLowering;
use crate::spirv::module_builder::Emitted;
use crate::spirv::values::{Form, MatrixValue};
use fragments::Fragments;
use product::Operands;
use rspirv::spirv::Word;
use std::borrow::Cow;

/// The code for a function with products for an engine.
pub(super) struct Dpas {
    pub engine: MatrixEngine,
}

impl Dpas {
    fn fragments(&self, matrix: Coopmatrix) -> Option<Fragments> {
        Fragments::new(matrix, self.engine)
    }
}

/// Returns whether 2D blocks move fragments of a matrix: accumulators that lie transposed come as components.
fn moves_fragments(access: &MatrixAccess<'_>) -> bool {
    let is_transposed = access.matrix.usage == MatrixUse::Acc && access.transpose == Transpose::T;
    access.io.class.is_block_2d() && !is_transposed
}

impl MatrixBackend for Dpas {
    fn value_types(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        matrix: Coopmatrix,
        _: Form,
    ) -> Emitted<Vec<Word>> {
        match self.fragments(matrix) {
            None => vector::value_types(f, matrix),
            Some(fragments) => {
                fragments.all_widths().map(|width| fragments.fragment_type(f, width)).collect()
            }
        }
    }

    fn components<'m>(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        matrix: &'m MatrixValue,
    ) -> Emitted<Cow<'m, MatrixValue>> {
        match self.fragments(matrix.ty()) {
            Some(fragments) => fragments.unpack(f, matrix).map(Cow::Owned),
            None => Ok(Cow::Borrowed(matrix)),
        }
    }

    fn own(&self, f: &mut FunctionLowering<'_, '_>, components: MatrixValue) -> Emitted<MatrixValue> {
        match self.fragments(components.ty()) {
            Some(fragments) => fragments.pack(f, &components),
            None => Ok(components),
        }
    }

    /// The engine takes a null for no operand at all.
    fn construct(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        matrix: Coopmatrix,
        entry: Word,
    ) -> Emitted<MatrixValue> {
        if self.fragments(matrix).is_some() && entry == f.module.zero(matrix.component)? {
            let types = self.value_types(f, matrix, Form::Own)?;
            let nulls = types.into_iter().map(|ty| f.module.null(ty)).collect();
            return Ok(MatrixValue::new(matrix, nulls));
        }
        let components = vector::construct(f, matrix, entry)?;
        self.own(f, components)
    }

    fn as_factor(&self, f: &mut FunctionLowering<'_, '_>, matrix: MatrixValue) -> Emitted<MatrixValue> {
        let Some(fragments) = self.fragments(matrix.ty()) else { return Ok(matrix) };
        match product::factor(f, &matrix, &fragments)? {
            Cow::Borrowed(_) => Ok(matrix),
            Cow::Owned(factor) => Ok(matrix.with_factor(factor.ids().to_vec())),
        }
    }

    fn engine_mul_add(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        [a, b]: [&MatrixValue; 2],
        c: &MatrixValue,
    ) -> Emitted<Option<MatrixValue>> {
        if takes_product(&self.engine, [a.ty(), b.ty(), c.ty()])
            && let (Some(of_a), Some(of_b), Some(of_c)) =
                (self.fragments(a.ty()), self.fragments(b.ty()), self.fragments(c.ty()))
        {
            let (a, b) = (product::factor(f, a, &of_a)?, product::factor(f, b, &of_b)?);
            let sums = product::mul_add(f, &Operands { a: (&a, of_a), b: (&b, of_b), c: (c, of_c) })?;
            return Ok(Some(MatrixValue::new(c.ty(), sums)));
        }
        Ok(None)
    }

    fn load(&self, f: &mut FunctionLowering<'_, '_>, from: &MatrixAccess<'_>) -> Emitted<MatrixValue> {
        if let Some(fragments) = self.fragments(from.matrix)
            && moves_fragments(from)
        {
            return match from.io.class {
                AccessClass::Block2dFolded => columns::load(f, from, &fragments),
                AccessClass::Block2dEvenOdd => even_odd::load(f, from, &fragments),
                AccessClass::Block2d
                | AccessClass::Block2dTransform
                | AccessClass::Block2dTranspose
                | AccessClass::Block1d
                | AccessClass::Panels
                | AccessClass::Vectors
                | AccessClass::Tiles
                | AccessClass::Uniform
                | AccessClass::Lanes => memory::load(f, from, &fragments),
            };
        }
        if let (AccessClass::Panels | AccessClass::Vectors, Some(fragments)) =
            (from.io.class, self.fragments(from.matrix))
        {
            return panels::load(f, from, &fragments);
        }
        let components = vector::load(f, from)?;
        self.own(f, components)
    }

    fn store(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        to: &MatrixAccess<'_>,
        value: &MatrixValue,
    ) -> Emitted<()> {
        if let Some(fragments) = self.fragments(to.matrix)
            && moves_fragments(to)
        {
            return memory::store(f, to, &fragments, value);
        }
        if let (AccessClass::Panels, Some(fragments)) = (to.io.class, self.fragments(to.matrix)) {
            return panels::store(f, to, &fragments, value);
        }
        let components = self.components(f, value)?;
        vector::store(f, to, &components)
    }

    fn own_part(&self, matrix: &MatrixValue, at: [i64; 2], result: Coopmatrix) -> Option<Vec<Word>> {
        let places = self.fragments(matrix.ty())?.places_of_part((matrix.ty(), at), result)?;
        places.into_iter().map(|place| matrix.ids().get(place).copied()).collect()
    }

    fn prefetch(&self, f: &mut FunctionLowering<'_, '_>, what: &Prefetch<'_>) -> Emitted<()> {
        memory::prefetch(f, what, &self.engine)
    }
}
