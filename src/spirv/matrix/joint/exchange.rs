//! From tiles to the components of the vector code and back, through local memory of the subgroup's own.

use super::memory::Columns;
use super::tiles::tile_type;
use crate::ir::{
    AccessClass, AccessReason, AddressSpace, Checked, Coopmatrix, Extent, MatrixIo, Memref, Scalar, Transpose,
};
use crate::schedule::{JointMatrices, JointTiles};
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::matrix::access::{MatrixAccess, MemrefPosition};
use crate::spirv::matrix::vector;
use crate::spirv::module_builder::Emitted;
use crate::spirv::values::MatrixValue;
use rspirv::spirv::{BuiltIn, MemorySemantics, Op, Scope, Word};
use std::cell::OnceCell;

/// Local memory that each subgroup has for itself, beside the allocations of the function.
pub(super) struct Scratch {
    /// Bytes for a subgroup.
    bytes: i64,
    /// The array that holds the memory of all subgroups, once some code has asked for it.
    array: OnceCell<Word>,
}

impl Scratch {
    /// So many bytes for a subgroup.
    pub fn new(bytes: i64) -> Scratch {
        Scratch { bytes, array: OnceCell::new() }
    }

    /// The components of a matrix of sums.
    pub fn components(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        tiles: &JointTiles,
        ids: &[Word],
    ) -> Emitted<MatrixValue> {
        let ty = packed_memref(tiles.matrix);
        self.columns(f, &ty, None)?.store(f, tiles, ids)?;
        barrier(f)?;
        let access = self.access(f, &ty, tiles.matrix)?;
        let components = vector::load(f, &access)?;
        barrier(f)?;
        Ok(components)
    }

    /// The tiles of a matrix whose components are given.
    pub fn tiles(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        tiles: &JointTiles,
        components: &MatrixValue,
    ) -> Emitted<Vec<Word>> {
        let zero = f.module.zero(tiles.matrix.component)?;
        if components.ids().iter().all(|&id| id == zero) {
            return splat(f, tiles, zero);
        }
        let words = match tiles.packed_cols {
            None => components.clone(),
            Some(cols) => side_by_side(f, components, cols)?,
        };
        let ty = packed_memref(words.ty());
        let access = self.access(f, &ty, words.ty())?;
        vector::store(f, &access, &words)?;
        barrier(f)?;
        let ty = packed_memref(tiles.matrix);
        let ids = self.columns(f, &ty, tiles.packed_cols)?.load(f, tiles)?;
        barrier(f)?;
        Ok(ids)
    }

    fn columns<'m>(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        ty: &'m Memref,
        packed: Option<i64>,
    ) -> Emitted<Columns<'m>> {
        let [_, stride] = constants(f, &ty.stride)?;
        Ok(Columns { ty, pointer: self.pointer(f, ty)?, stride, packed })
    }

    fn access<'m>(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        ty: &'m Memref,
        matrix: Coopmatrix,
    ) -> Emitted<MatrixAccess<'m>> {
        let (shape, stride) = (constants(f, &ty.shape)?, constants(f, &ty.stride)?);
        let pointer = self.pointer(f, ty)?;
        let at = MemrefPosition::of_scratch(f, ty, pointer, (shape, stride));
        let io = MatrixIo { class: AccessClass::Lanes, reason: AccessReason::Local };
        let (transpose, checked) = (Transpose::N, Checked::None);
        Ok(MatrixAccess { matrix, at, transpose, checked, io, result: None, is_undefined: false })
    }

    /// The subgroup's own memory as a pointer to elements.
    fn pointer(&self, f: &mut FunctionLowering<'_, '_>, ty: &Memref) -> Emitted<Word> {
        let subgroups = f.schedule.grid.subgroups();
        let number = |number: i64| {
            u32::try_from(number).map_err(|_| Error::internal(format!("{number} bytes of local memory")))
        };
        let (own, all) = (number(self.bytes)?, number(self.bytes.saturating_mul(subgroups))?);
        let alignment = number(JointMatrices::SCRATCH_ALIGNMENT)?;
        let array = *self.array.get_or_init(|| f.module.local_array(all, alignment));
        let start = if subgroups > 1 {
            let subgroup = f.module.builtin(BuiltIn::SubgroupId)?;
            let (narrow, own) = (f.module.i32_type(), f.module.i32_constant(own));
            f.module.value(Op::IMul, narrow, &[subgroup, own])?
        } else {
            f.module.i32_constant(0)
        };
        let of_bytes = f.module.element_pointer_type(Scalar::I8, ty.space)?;
        let bytes = f.module.builder.in_bounds_access_chain(of_bytes, None, array, [start])?;
        let pointer = f.module.element_pointer_type(ty.element, ty.space)?;
        if pointer == of_bytes { Ok(bytes) } else { f.module.value(Op::Bitcast, pointer, &[bytes]) }
    }
}

/// One number in all entries.
fn splat(f: &mut FunctionLowering<'_, '_>, tiles: &JointTiles, entry: Word) -> Emitted<Vec<Word>> {
    let types: Vec<Word> =
        tiles.iter().map(|tile| tile_type(f, tiles.matrix, tile)).collect::<Emitted<_>>()?;
    types.into_iter().map(|ty| f.module.value(Op::CompositeConstruct, ty, &[entry])).collect()
}

/// A as a matrix of words, each of so many columns of a row. A work-item has whole rows.
fn side_by_side(
    f: &mut FunctionLowering<'_, '_>,
    components: &MatrixValue,
    cols: i64,
) -> Emitted<MatrixValue> {
    let matrix = components.ty();
    let number = |number: i64| {
        u32::try_from(number).map_err(|_| Error::internal(format!("{number} components in a word")))
    };
    let together = number(cols)?;
    let scalar = f.module.scalar_type(matrix.component)?;
    let vector = f.module.vector_type(scalar, together);
    let word = f.module.i32_type();
    let mut words = Vec::new();
    for own in components.ids().chunks_exact(together as usize) {
        let pair = f.module.value(Op::CompositeConstruct, vector, own)?;
        words.push(f.module.value(Op::Bitcast, word, &[pair])?);
    }
    let ty = Coopmatrix { component: Scalar::I32, cols: matrix.cols / cols, ..matrix };
    Ok(MatrixValue::new(ty, words))
}

/// The type of a matrix in local memory, column by column.
fn packed_memref(matrix: Coopmatrix) -> Memref {
    let shape = [matrix.rows, matrix.cols].map(Extent::Static).to_vec();
    Memref::packed(matrix.component, shape, AddressSpace::Local)
}

fn constants(f: &mut FunctionLowering<'_, '_>, extents: &[Extent]) -> Emitted<[Word; 2]> {
    match extents {
        &[Extent::Static(first), Extent::Static(second)] => {
            Ok([f.module.index_constant(first), f.module.index_constant(second)])
        }
        _ => Err(Error::internal("scratch memory of an unknown size")),
    }
}

/// Lets the subgroup read what it wrote, and write again what it has read, also to the place in global memory where another work-item read it for the
/// exchange.
///
/// The work-items of a subgroup on a processor are lanes of one thread, so that program order is enough. Intel's compiler keeps it: to
/// it, tiles are accesses to the same memory. Of a barrier it would make calls that leave nothing in registers, of a fence one
/// for each lane.
fn barrier(f: &mut FunctionLowering<'_, '_>) -> Emitted<()> {
    if f.module.info.is_cpu() {
        return Ok(());
    }
    let scope = f.module.i32_constant(Scope::Subgroup as u32);
    let memory = MemorySemantics::WORKGROUP_MEMORY | MemorySemantics::CROSS_WORKGROUP_MEMORY;
    let semantics = MemorySemantics::ACQUIRE_RELEASE | memory;
    let semantics = f.module.i32_constant(semantics.bits());
    Ok(f.module.builder.control_barrier(scope, scope, semantics)?)
}
