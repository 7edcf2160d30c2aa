//! Products of tiles by several work-groups.

use crate::generate::{Generator, Parameter};
use crate::scope::{Mem, Num, Scope, exact_limit};
use tiletc::ir::{
    AddressSpace, Alloca, AllocaAttributes, Binary, BinaryOp, Boundaries, Boundary, BreakIf, Builder, Built,
    Cast, Compare, CompareOp, Component, Constant, Coopmatrix, Extent, For, ForAttributes, Foreach,
    FunctionAttributes, Grid, GridBuiltin, Inst, Load, MatrixUse, Memref, NumStages, OrderGroup, Parallel,
    Pipeline, ReduceMode, ReducePart, Scalar, Select, Size, Store, StoreBoundary, StoreMode, SubgroupSize,
    Swizzle, Sync, Tile, TileAny, TileApply, TileCopy, TileDot, TileDotAttributes, TileFragment, TileLoad,
    TileOrder, TileOrderAttributes, TileOrderKind, TilePrefetch, TileReduce, TileReduceOp, TileScale,
    TileStore, TileTranspose, TileWithFragment, Transpose, Type, Unary, UnaryOp, Unroll, Value,
    WorkGroupSize, Yield,
};

/// A tile that the program has computed.
#[derive(Clone)]
struct Entries {
    value: Value,
    ty: Tile,
    /// No entry is larger in magnitude.
    bound: f64,
}

/// A product of matrices, and how it is divided into tiles.
pub struct Product {
    /// Rows and columns of the result, and terms of its sums.
    size: [i64; 3],
    /// The same of the tiles.
    block: [i64; 3],
    /// Types of the factors, the sums and the result.
    types: [Scalar; 3],
    /// Type of the factors in memory, which is the narrower one if it is another.
    stored: Scalar,
    /// Orientation of the factors and the result in memory.
    transposes: [Transpose; 3],
    /// Work-groups that share the sums of one tile.
    splits: i64,
    /// Work-groups in each direction.
    pub groups: [usize; 3],
    /// Subgroup size and subgroups of a work-group in each direction, or what the compiler chooses.
    geometry: Option<[i64; 3]>,
    /// Rows and columns of blocks that fragments are of a subgroup's share of the sums.
    fragments: [i64; 2],
}

/// Local memory that the buffers of all stages of a loop take, at most.
const MAX_STAGED_BYTES: i64 = 1 << 15;

/// Boundaries of the rows and columns of a tile.
type Modes = [Boundary; 2];

impl Product {
    pub fn attributes(&self) -> FunctionAttributes {
        let [size, rows, cols] = match self.geometry {
            Some(sizes) => sizes.map(|size| size as i32),
            None => return FunctionAttributes::default(),
        };
        FunctionAttributes {
            subgroup_size: Some(SubgroupSize(size)),
            work_group_size: Some(WorkGroupSize([size * rows, cols])),
            ..FunctionAttributes::default()
        }
    }

    /// Returns whether the subgroups can share a tile with rows and columns exchanged as well.
    fn shares_turned(&self, tile: Tile) -> bool {
        let [size, rows, cols] = self.geometry.unwrap_or([16, 1, 1]);
        tile.cols % (size * rows) == 0 && tile.rows % cols == 0
    }

    fn tiles(&self) -> i64 {
        let count = |mode: usize| (self.size[mode] + self.block[mode] - 1) / self.block[mode];
        count(0) * count(1)
    }

    /// Returns whether every work-group has a tile, so that no access of theirs is outside along rows and columns.
    fn is_covered(&self) -> bool {
        self.groups.iter().product::<usize>() as i64 == self.tiles() * self.splits
    }

    fn tile(&self, component: Scalar, usage: MatrixUse) -> Tile {
        let [m, n, k] = self.block;
        let (rows, cols) = match usage {
            MatrixUse::A => (m, k),
            MatrixUse::B => (k, n),
            MatrixUse::Acc => (m, n),
        };
        Tile { component, rows, cols, usage }
    }
}

/// Row and column as modes of a memref.
fn oriented<T>(transpose: Transpose, [row, col]: [T; 2]) -> [T; 2] {
    if transpose == Transpose::N { [row, col] } else { [col, row] }
}

fn index(b: &mut Builder<'_>, op: BinaryOp, x: Value, y: Value) -> Built<Value> {
    b.value(Binary { op, a: x, b: y }, Type::INDEX)
}

impl Generator<'_> {
    /// Sizes and types of a program.
    pub fn product(&mut self) -> Product {
        use Scalar::{Bf16, F16, F32, F64, I8, I16, I32};
        let geometry = self.choices.of(&[None, Some([16, 1, 1]), Some([16, 2, 1]), Some([16, 2, 2])]);
        let geometry = geometry.or_else(|| self.choices.of(&[None, None, Some([32, 1, 2])]));
        let [lanes, rows, cols] = geometry.unwrap_or([32, 1, 1]);
        let block = [
            lanes * rows * self.choices.of(&[1i64, 1, 2]),
            cols * self.choices.of(&[4i64, 8, 1, 5, 16]),
            self.choices.of(&[8i64, 16, 1, 5]),
        ];
        let [m, n, k] = block;
        let (own_rows, own_cols) = (m / (lanes * rows), n / cols);
        let halves = if own_cols % 2 == 0 { 2 } else { own_cols };
        let fragments = [self.choices.of(&[1, own_rows]), self.choices.of(&[1, halves])];
        let size = [
            self.choices.of(&[m, 1, m - 1, m + 1, 2 * m, m / 2 + 3]),
            self.choices.of(&[n, 1, n + 1, 2 * n, (n - 1).max(1), 3 * n - 1]),
            self.choices.of(&[k, 0, 1, k + 1, k - 1, 2 * k, 3 * k + 2]),
        ];
        let [factor, sum] = self.choices.of(&[
            [F32, F32],
            [F16, F32],
            [F16, F16],
            [Bf16, F32],
            [I8, I32],
            [I32, I32],
            [F64, F64],
            [I16, I32],
        ]);
        let is_split = matches!(sum, I32 | F32) && self.choices.one_in(4);
        let stored = match factor {
            F16 | Bf16 | F32 if self.choices.one_in(4) => I8,
            same => same,
        };
        let out = match sum {
            F32 if !is_split => self.choices.of(&[F32, F16, Bf16]),
            I32 if !is_split => self.choices.of(&[I32, I8]),
            same => same,
        };
        let transposes = [(); 3].map(|()| self.choices.of(&[Transpose::N, Transpose::T]));
        let splits = if is_split { self.choices.of(&[1, 2, 3]) } else { 1 };
        let types = [factor, sum, out];
        let groups = [1; 3];
        let mut product =
            Product { size, block, types, stored, transposes, splits, groups, geometry, fragments };
        let groups = (product.tiles() * splits) as usize + self.choices.of(&[0, 0, 1, 3]);
        let deep = if splits > 1 { 1 } else { self.choices.of(&[1, 1, 2]) };
        product.groups = [groups.div_ceil(deep), deep, 1];
        product
    }

    /// The factors, the result, what is added to it, a factor, and a number that decides.
    pub fn product_parameters(&mut self, product: &Product) -> Vec<Parameter> {
        let [m, n, k] = product.size;
        let [_, sum, out] = product.types;
        let factor = product.stored;
        let shapes = [[m, k], [k, n], [m, n]];
        let mut parameters = Vec::new();
        for ((shape, transpose), element) in
            shapes.into_iter().zip(product.transposes).zip([factor, factor, out])
        {
            let mem = self.memory_of(element, oriented(transpose, shape).to_vec());
            parameters.push(Parameter::Memref(mem));
        }
        let bias = self.choices.of(&[m, 1, m + 7]);
        parameters.push(Parameter::Memref(self.memory_of(sum, vec![bias])));
        let number = self.choices.of(&[2i64, -1, 3]);
        parameters.push(Parameter::Scalar(sum, number));
        parameters.push(Parameter::Scalar(Scalar::I32, self.choices.of(&[1i64, 0])));
        parameters
    }

    /// The program: which tile it is, the sum, what becomes of it, and the store.
    pub fn tiles(&mut self, b: &mut Builder<'_>, scope: &mut Scope, product: &Product) -> Built<()> {
        let [bm, bn, bk] = product.block;
        let c = scope.mems[2].clone();
        let [row_mode, col_mode] = oriented(product.transposes[2], [0, 1]);
        let mut tiles_along = |mode: i64, block: i64| -> Built<[Value; 2]> {
            let size = b.value(Size { of: c.value, mode }, Type::INDEX)?;
            let block = b.constant(Constant::Int(block), Type::INDEX)?;
            Ok([index(b, BinaryOp::Cdiv, size, block)?, block])
        };
        let [rows, height] = tiles_along(row_mode, bm)?;
        let [cols, width] = tiles_along(col_mode, bn)?;
        if self.choices.one_in(4) {
            // Local memory that lives on into the versions of the tile code.
            let local = self.local_memory(b, scope, product.types[1], &[bm, bn])?;
            scope.mems.extend(local);
        }
        let zero = self.index(b, 0)?.value;
        let (mut linear, mut from) = (None, zero);
        if product.splits > 1 || product.groups[1] == 1 && self.choices.one_in(4) {
            let group = Grid { op: GridBuiltin::GroupId, component: Component::X };
            let group = b.value(group, Type::INDEX)?;
            let splits = self.index(b, product.splits)?.value;
            linear = Some(index(b, BinaryOp::Div, group, splits)?);
            let part = index(b, BinaryOp::Rem, group, splits)?;
            let block = self.index(b, bk)?.value;
            from = index(b, BinaryOp::Mul, part, block)?;
        }
        let order = self.choices.of(TileOrderKind::ALL);
        let mut attributes = TileOrderAttributes::default();
        if self.choices.one_in(2) {
            attributes.group = Some(OrderGroup(self.choices.of(&[2, 4, 8])));
        }
        let inst =
            b.emit(TileOrder { order, rows, cols, linear, attributes }, &[Type::INDEX, Type::INDEX])?;
        let [ti, tj] = [b.ir[inst].results[0], b.ir[inst].results[1]];
        let at = [index(b, BinaryOp::Mul, ti, height)?, index(b, BinaryOp::Mul, tj, width)?];
        let sum = self.sum(b, scope, product, at, from)?;
        let mut result = sum;
        for _ in 0..self.choices.below(4) {
            result = self.epilogue(b, scope, product, at, result)?;
        }
        self.store_tile(b, product, &c, at, result)
    }

    /// The sum of the products along K.
    fn sum(
        &mut self,
        b: &mut Builder<'_>,
        scope: &Scope,
        product: &Product,
        [m, n]: [Value; 2],
        from: Value,
    ) -> Built<Entries> {
        let [rows, cols, depth] = product.size;
        let [bm, bn, bk] = product.block;
        let [factor, sum, _] = product.types;
        let [a, other] = [scope.mems[0].clone(), scope.mems[1].clone()];
        let mode = oriented(product.transposes[0], [0, 1])[1];
        let to = b.value(Size { of: a.value, mode }, Type::INDEX)?;
        let step = self.index(b, bk * product.splits)?.value;
        let ty = product.tile(sum, MatrixUse::Acc);
        let number = self.choices.of(&[0i64, 1, -2]);
        let init = self.constant_tile(b, ty, number)?;
        // Zero times what lies outside has to be zero, so that both factors are checked along K, or neither.
        let along_k =
            if depth % bk == 0 && self.choices.one_in(3) { Some(Boundary::Unchecked) } else { None };
        let boundary = |generator: &mut Self, size: i64, is_inside: bool| {
            let mut options = vec![Boundary::Zero];
            options.extend((size > 0).then_some(Boundary::Wrap));
            options.extend(is_inside.then_some(Boundary::Unchecked));
            generator.choices.of(&options)
        };
        let is_covered = product.is_covered();
        let modes_a = [
            boundary(self, rows, is_covered && rows % bm == 0),
            along_k.unwrap_or_else(|| boundary(self, depth, false)),
        ];
        let modes_b = [
            along_k.unwrap_or_else(|| boundary(self, depth, false)),
            boundary(self, cols, is_covered && cols % bn == 0),
        ];
        let mut attributes = ForAttributes::default();
        if self.choices.one_in(2) {
            attributes.num_stages = Some(NumStages(1 + self.choices.below(4) as i32));
        }
        if self.choices.one_in(4) {
            attributes.pipeline =
                Some(self.choices.of(&[Pipeline::Auto, Pipeline::Prefetch, Pipeline::None]));
        }
        if self.choices.one_in(4) {
            attributes.sync = Some(self.choices.of(&[Sync::Auto, Sync::Full, Sync::None, Sync::Split]));
        }
        if self.choices.one_in(6) {
            attributes.unroll = Some(Unroll::By(2));
        }
        let factors = [MatrixUse::A, MatrixUse::B].map(|usage| product.tile(factor, usage));
        let mut buffers = [None, None];
        if self.choices.one_in(4) {
            let bytes: i64 = factors.iter().map(|tile| tile.rows * tile.cols * factor.bytes()).sum();
            buffers = factors.map(|tile| Some(self.buffer(b, tile)));
            let is_small = |NumStages(stages): NumStages| bytes * i64::from(stages) <= MAX_STAGED_BYTES;
            let is_small = attributes.num_stages.is_none_or(is_small);
            let forms = [Some(Pipeline::None), None, Some(Pipeline::Slm)];
            attributes.pipeline = self.choices.of(if is_small { &forms } else { &forms[..1] });
            // Copies have barriers of their own.
            attributes.sync = attributes.sync.filter(|&sync| sync != Sync::Split);
        }
        let [buffer_a, buffer_b] = buffers.map(Option::transpose);
        let (buffer_a, buffer_b) = (buffer_a?, buffer_b?);
        let mut term = 0.0;
        let dots = self.choices.of(&[1, 1, 1, 2]);
        let head = For { from, to, step: Some(step), init: vec![init.value], attributes };
        let results = b.for_loop(head, |inner, k, carried| {
            let x = self.factor(inner, (&a, factors[0], product.transposes[0]), modes_a, [m, k], buffer_a)?;
            let x = if self.choices.one_in(5) { self.changed(inner, scope, x)? } else { x };
            let y =
                self.factor(inner, (&other, factors[1], product.transposes[1]), modes_b, [k, n], buffer_b)?;
            let y = if self.choices.one_in(5) { self.changed(inner, scope, y)? } else { y };
            term = x.bound * y.bound;
            let mut value = carried[0];
            for _ in 0..dots {
                let attributes = TileDotAttributes::default();
                let dot = TileDot { a: x.value, b: y.value, c: value, attributes, schedule: None };
                value = inner.value(dot, ty)?;
            }
            Ok(vec![value])
        })?;
        let terms = ((depth + bk - 1) / bk * bk * dots) as f64;
        Ok(Entries { value: results[0], ty, bound: terms * term + number.abs() as f64 })
    }

    /// Local memory for a factor, which lies there as it is or transposed.
    fn buffer(&mut self, b: &mut Builder<'_>, tile: Tile) -> Built<(Value, Transpose)> {
        let transpose = self.choices.of(&[Transpose::N, Transpose::T]);
        let shape = oriented(transpose, [tile.rows, tile.cols]).map(Extent::Static).to_vec();
        let ty = Memref::packed(tile.component, shape, AddressSpace::Local);
        let alloca = Alloca { attributes: AllocaAttributes::default(), stack_ptr: None };
        Ok((b.value(alloca, ty)?, transpose))
    }

    /// A factor of memory, loaded from there or from the buffer that it is copied to.
    fn factor(
        &mut self,
        b: &mut Builder<'_>,
        (from, ty, transpose): (&Mem, Tile, Transpose),
        modes: Modes,
        at: [Value; 2],
        buffer: Option<(Value, Transpose)>,
    ) -> Built<Entries> {
        let Some((to, own)) = buffer else {
            let stored = Tile { component: from.element(), ..ty };
            let loaded = self.load_tile(b, from, stored, transpose, modes, at)?;
            return match stored == ty {
                true => Ok(loaded),
                false => Ok(Entries { value: b.value(Cast { a: loaded.value }, ty)?, ty, ..loaded }),
            };
        };
        let [x, y] = oriented(transpose, at);
        let turned = if transpose == own { Transpose::N } else { Transpose::T };
        let boundary = Boundaries(oriented(transpose, modes));
        let copy = TileCopy { transpose: turned, boundary, from: from.value, x, y, to };
        if !boundary.0.contains(&Boundary::Wrap) && self.choices.one_in(2) {
            self.copy_by_elements(b, &copy)?;
        } else {
            b.emit(copy, &[])?;
        }
        let zero = self.index(b, 0)?.value;
        let boundary = Boundaries([Boundary::Unchecked; 2]);
        let load = TileLoad { transpose: own, boundary, from: to, x: zero, y: zero, other: None };
        let bound = if from.element().is_integer() { 3.0 } else { self.bound(from) };
        Ok(Entries { value: b.value(load, ty)?, ty, bound })
    }

    /// A loop that copies element by element, with a test where a copy would have one.
    fn copy_by_elements(&mut self, b: &mut Builder<'_>, copy: &TileCopy) -> Built<()> {
        let counter = self.choices.of(&[Scalar::Index, Scalar::Index, Scalar::I32]);
        let [source, memref] = [copy.from, copy.to].map(|value| b.ir.ty(value).memref().cloned());
        let (Some(source), Some(memref)) = (source, memref) else { return Ok(()) };
        let (mut from, mut to) = (Vec::new(), Vec::new());
        for extent in &memref.shape {
            from.push(self.literal(b, counter, 0)?.value);
            to.push(self.literal(b, counter, extent.value().unwrap_or(0))?.value);
        }
        let inst = b.emit(Foreach { from, to }, &[])?;
        let region = b.ir[inst].regions[0];
        let variables = b.ir[region].parameters.clone();
        let inner = &mut b.inside(region);
        let mut point = Vec::new();
        for variable in variables {
            point.push(match counter {
                Scalar::Index => variable,
                _ => inner.value(Cast { a: variable }, Type::INDEX)?,
            });
        }
        let [row, col] = oriented(copy.transpose, [point[0], point[1]]);
        let add = |inner: &mut Builder<'_>, a, b| index(inner, BinaryOp::Add, a, b);
        let indices = vec![add(inner, copy.x, row)?, add(inner, col, copy.y)?];
        let mut is_inside = None;
        for (mode, (&index, _)) in
            indices.iter().zip(copy.boundary.0).enumerate().filter(|(_, (_, mode))| *mode == Boundary::Zero)
        {
            let size = inner.value(Size { of: copy.from, mode: mode as i64 }, Type::INDEX)?;
            let below = inner.value(Compare { op: CompareOp::LessThan, a: index, b: size }, Type::Bool)?;
            is_inside = Some(match is_inside {
                Some(a) => inner.value(Binary { op: BinaryOp::And, a, b: below }, Type::Bool)?,
                None => below,
            });
        }
        let load = Load { from: copy.from, indices };
        let mut value = match is_inside {
            None => inner.value(load, source.element)?,
            Some(is_inside) => {
                let element = source.element;
                let read = |b: &mut Builder<'_>| Built::Ok(vec![b.value(load, element)?]);
                let zero =
                    |b: &mut Builder<'_>| Built::Ok(vec![b.constant(Constant::zero(element), element)?]);
                inner.branch(is_inside, &[element.into()], read, zero)?[0]
            }
        };
        if source.element != memref.element {
            value = inner.value(Cast { a: value }, memref.element)?;
        }
        inner.emit(Store { value, to: copy.to, indices: point }, &[])?;
        Ok(())
    }

    /// A factor computed from another of its type, and no larger.
    fn changed(&mut self, b: &mut Builder<'_>, scope: &Scope, tile: Entries) -> Built<Entries> {
        let (ty, a) = (tile.ty, tile.value);
        match self.choices.below(3) {
            0 => Ok(Entries { value: b.value(Unary { op: UnaryOp::Neg, a }, ty)?, ..tile }),
            1 => self.min(b, tile, 2),
            _ => self.apply_tile(b, scope, &[tile], None),
        }
    }

    fn constant_tile(&mut self, b: &mut Builder<'_>, ty: Tile, number: i64) -> Built<Entries> {
        let constant = match ty.component.is_float() {
            true => Constant::Float(number as f64),
            false => Constant::Int(number),
        };
        Ok(Entries { value: b.constant(constant, ty)?, ty, bound: number.abs() as f64 })
    }

    /// The smaller of entry and number.
    fn min(&mut self, b: &mut Builder<'_>, tile: Entries, number: i64) -> Built<Entries> {
        let limit = self.constant_tile(b, tile.ty, number)?;
        let bound = tile.bound.max(limit.bound);
        let value = b.value(Binary { op: BinaryOp::Min, a: tile.value, b: limit.value }, tile.ty)?;
        Ok(Entries { value, ty: tile.ty, bound })
    }

    /// A swizzle of columns of so many elements, or none.
    fn swizzle(&mut self, rows: i64) -> Option<Swizzle> {
        let vec = self.choices.of(&[0, 4, 3, 1]);
        let swizzle =
            Swizzle { vec, per_phase: self.choices.of(&[1, 2, 3]), max_phase: self.choices.of(&[2, 4, 8]) };
        (vec > 0 && rows % (vec * swizzle.max_phase) == 0).then_some(swizzle)
    }

    fn load_tile(
        &mut self,
        b: &mut Builder<'_>,
        from: &Mem,
        ty: Tile,
        transpose: Transpose,
        modes: Modes,
        at: [Value; 2],
    ) -> Built<Entries> {
        let [x, y] = oriented(transpose, at);
        let modes = oriented(transpose, modes);
        let mut other = None;
        let mut bound: f64 = if from.element().is_integer() { 3.0 } else { self.bound(from) };
        if self.choices.one_in(4) {
            let number = self.choices.of(&[1i64, -2]);
            other = Some(self.literal(b, ty.component, number)?.value);
            bound = bound.max(number.abs() as f64);
        }
        let (boundary, mask) = (Boundaries(modes), self.mask_limits(b, from)?);
        let load = TileLoad { transpose, boundary, from: from.value, x, y, other };
        let inst = b.emit(load, &[ty.into()])?;
        self.mask(b, inst, mask)?;
        Ok(Entries { value: b.ir[inst].results[0], ty, bound })
    }

    /// Numbers that row and column are compared with, where there is a mask.
    fn mask_limits(&mut self, b: &mut Builder<'_>, mem: &Mem) -> Built<Option<[Value; 2]>> {
        if !self.choices.one_in(5) {
            return Ok(None);
        }
        let mut limit = |size: i64| -> Built<Value> {
            let number = self.choices.of(&[size - 1, size / 2, size + 5, 0]);
            Ok(self.index(b, number)?.value)
        };
        Ok(Some([limit(mem.shape[0])?, limit(mem.shape[1])?]))
    }

    /// The mask of a load or store.
    fn mask(&mut self, b: &mut Builder<'_>, inst: Inst, limits: Option<[Value; 2]>) -> Built<()> {
        let Some([rows, cols]) = limits else { return Ok(()) };
        let region = b.ir[inst].regions[0];
        let [row, col] = [b.ir[region].parameters[0], b.ir[region].parameters[1]];
        let inner = &mut b.inside(region);
        let compare = |b: &mut Builder<'_>, op, x, y| b.value(Compare { op, a: x, b: y }, Type::Bool);
        let is_inside = match self.choices.below(3) {
            0 => compare(inner, CompareOp::LessThan, row, rows)?,
            1 => {
                let x = compare(inner, CompareOp::LessThanEqual, row, rows)?;
                let y = compare(inner, CompareOp::GreaterThan, cols, col)?;
                inner.value(Binary { op: BinaryOp::And, a: x, b: y }, Type::Bool)?
            }
            _ => {
                let place = index(inner, BinaryOp::Add, row, col)?;
                let one = inner.constant(Constant::Int(1), Type::INDEX)?;
                let parity = index(inner, BinaryOp::And, place, one)?;
                compare(inner, CompareOp::NotEqual, parity, one)?
            }
        };
        inner.emit(Yield { values: vec![is_inside] }, &[])?;
        Ok(())
    }

    /// Each entry from those of tiles of one shape and use, and from memory.
    fn apply_tile(
        &mut self,
        b: &mut Builder<'_>,
        scope: &Scope,
        tiles: &[Entries],
        bias: Option<(&Mem, Value)>,
    ) -> Built<Entries> {
        let ty = tiles[0].ty;
        let operands = tiles.iter().map(|tile| tile.value).collect();
        let inst = b.emit(TileApply { tiles: operands }, &[ty.into()])?;
        let region = b.ir[inst].regions[0];
        let parameters = b.ir[region].parameters.clone();
        let [row, col] = [parameters[0], parameters[1]];
        let mut inside = Scope { nums: scope.nums.clone(), ..Scope::default() };
        let entries = parameters[2..].iter().zip(tiles);
        let entries: Vec<Num> = entries
            .map(|(&value, tile)| {
                let (scalar, bound) = (Some(tile.ty.component), tile.bound);
                Num { value, scalar, bound, below: None }
            })
            .collect();
        inside.nums.extend(entries.iter().cloned());
        let inner = &mut b.inside(region);
        let mut new = entries[0].clone();
        if let Some((bias, first)) = bias {
            let own = if self.choices.one_in(2) { col } else { row };
            let own = inner.value(Cast { a: own }, Type::INDEX)?;
            let place = index(inner, BinaryOp::Add, own, first)?;
            let loaded = self.load_at(inner, bias, vec![place])?;
            let bound = new.bound + loaded.bound;
            if bound <= exact_limit(ty.component) {
                let sum = Binary { op: BinaryOp::Add, a: new.value, b: loaded.value };
                new = Num { value: inner.value(sum, ty.component)?, bound, ..new };
            }
        }
        if self.choices.one_in(2) {
            let less = inner.value(Compare { op: CompareOp::LessThan, a: row, b: col }, Type::Bool)?;
            let zero = self.literal(inner, ty.component, 0)?;
            let b = entries.last().map_or(zero.value, |entry| entry.value);
            let bound = entries.iter().map(|entry| entry.bound).fold(new.bound, f64::max);
            let chosen = Select { condition: less, a: new.value, b };
            new = Num { value: inner.value(chosen, ty.component)?, bound, ..new };
        }
        let usage = ty.usage;
        if usage == MatrixUse::Acc && self.choices.one_in(3) {
            inside.nums.push(new);
            self.arithmetic(inner, &mut inside)?;
            new = self.latest_as(inner, &inside, ty.component)?;
        }
        inner.emit(Yield { values: vec![new.value] }, &[])?;
        Ok(Entries { value: b.ir[inst].results[0], ty, bound: new.bound })
    }

    /// Blocks of each subgroup's share computed on their own.
    fn fragments(&mut self, b: &mut Builder<'_>, product: &Product, tile: Entries) -> Built<Entries> {
        let Entries { value, ty, bound } = tile;
        let [_, grid_rows, grid_cols] = product.geometry.unwrap_or([16, 1, 1]);
        let [row_parts, col_parts] = product.fragments;
        let (rows, cols) = (ty.rows / grid_rows / row_parts, ty.cols / grid_cols / col_parts);
        let matrix = Coopmatrix { component: ty.component, rows, cols, usage: ty.usage };
        let doubles = 2.0 * bound <= exact_limit(ty.component) && self.choices.one_in(2);
        let inst = b.emit(Parallel {}, &[ty.into()])?;
        let region = b.ir[inst].regions[0];
        let inner = &mut b.inside(region);
        let mut new = value;
        for _ in 0..self.choices.of(&[1, 2, 3]) {
            let [row, col] = product.fragments.map(|count| self.choices.below(count as usize) as i64);
            let a = inner.value(TileFragment { tile: value, row, col }, matrix)?;
            let fragment = match doubles {
                true => inner.value(Binary { op: BinaryOp::Add, a, b: a }, matrix)?,
                false => inner.value(Unary { op: UnaryOp::Neg, a }, matrix)?,
            };
            new = inner.value(TileWithFragment { fragment, tile: new, row, col }, ty)?;
        }
        inner.emit(Yield { values: vec![new] }, &[])?;
        let value = b.ir[inst].results[0];
        Ok(Entries { value, ty, bound: if doubles { 2.0 * bound } else { bound } })
    }

    /// A step between the sum and the store.
    fn epilogue(
        &mut self,
        b: &mut Builder<'_>,
        scope: &mut Scope,
        product: &Product,
        at: [Value; 2],
        tile: Entries,
    ) -> Built<Entries> {
        let (ty, limit) = (tile.ty, exact_limit(tile.ty.component));
        let transpose = product.transposes[2];
        let value = tile.value;
        match self.choices.below(12) {
            10 if product.geometry.is_some() => self.fragments(b, product, tile),
            8 | 9 => {
                let reduced = self.reduced(b, &tile)?;
                if reduced.bound + tile.bound > limit {
                    return Ok(tile);
                }
                self.spread(b, scope, tile, reduced)
            }
            0 => {
                let bias = scope.mems[3].clone();
                self.apply_tile(b, scope, &[tile], Some((&bias, at[0])))
            }
            1 => {
                let scalar = self.num(b, scope, ty.component)?;
                let bound = scalar.bound * tile.bound;
                if bound.is_nan() || bound > limit {
                    return Ok(tile);
                }
                let scaled = b.value(TileScale { scalar: scalar.value, tile: value }, ty)?;
                Ok(Entries { value: scaled, ty, bound })
            }
            2 => {
                // What was in memory before, which no other work-group may write.
                let c = scope.mems[2].clone();
                if product.splits > 1 {
                    return Ok(tile);
                }
                let old = Tile { component: c.element(), ..ty };
                let old = self.load_tile(b, &c, old, transpose, [Boundary::Zero; 2], at)?;
                if old.bound + tile.bound > limit {
                    return Ok(tile);
                }
                let bound = old.bound + tile.bound;
                let old = if old.ty == ty { old.value } else { b.value(Cast { a: old.value }, ty)? };
                let op = self.choices.of(&[BinaryOp::Add, BinaryOp::Sub, BinaryOp::Max]);
                Ok(Entries { value: b.value(Binary { op, a: value, b: old }, ty)?, ty, bound })
            }
            3 => {
                // By way of local memory.
                let shape = [ty.rows, ty.cols];
                let transpose = self.choices.of(&[Transpose::N, Transpose::T]);
                let extents = oriented(transpose, shape).map(Extent::Static).to_vec();
                let swizzle = self.swizzle(oriented(transpose, shape)[0]);
                let packed = Memref::packed(ty.component, extents, AddressSpace::Local);
                let memory = Memref { swizzle, ..packed };
                let to =
                    b.value(Alloca { attributes: AllocaAttributes::default(), stack_ptr: None }, memory)?;
                let zero = self.index(b, 0)?.value;
                let (mode, boundary) = (StoreMode::Overwrite, StoreBoundary::Checked);
                b.emit(TileStore { mode, transpose, boundary, value, to, x: zero, y: zero }, &[])?;
                if swizzle.is_some() {
                    // Who only stores and loads tiles cannot tell.
                    let one = self.index(b, 1)?.value;
                    b.foreach(vec![zero], vec![one], |b, point| {
                        let indices = vec![point[0], zero];
                        let load = Load { from: to, indices: indices.clone() };
                        let value = b.value(load, ty.component)?;
                        b.emit(Store { value, to, indices }, &[])?;
                        Built::Ok(())
                    })?;
                }
                let (boundary, from) = (Boundaries([self.choices.of(Boundary::ALL); 2]), to);
                let load = TileLoad { transpose, boundary, from, x: zero, y: zero, other: None };
                Ok(Entries { value: b.value(load, ty)?, ..tile })
            }
            4 => {
                let decides = scope.nums[1].value;
                let zero = b.constant(Constant::Int(0), Scalar::I32)?;
                let condition = Compare { op: CompareOp::NotEqual, a: decides, b: zero };
                let condition = b.value(condition, Type::Bool)?;
                let results = b.branch(
                    condition,
                    &[ty.into()],
                    |inner| Ok(vec![inner.value(Unary { op: UnaryOp::Neg, a: value }, ty)?]),
                    |_| Built::Ok(vec![value]),
                )?;
                Ok(Entries { value: results[0], ..tile })
            }
            5 if product.shares_turned(ty) => {
                let turned = Tile { rows: ty.cols, cols: ty.rows, ..ty };
                let tile_turned = b.value(TileTranspose { tile: value }, turned)?;
                let value = b.value(TileTranspose { tile: tile_turned }, ty)?;
                Ok(Entries { value, ..tile })
            }
            5 => {
                let other = self.min(b, tile.clone(), 5)?;
                self.apply_tile(b, scope, &[tile, other], None)
            }
            7 => {
                let Some(local) = scope.mems.get(4).cloned() else { return Ok(tile) };
                let at = [self.index(b, 0)?.value, self.position(b, scope, 2)?.value];
                let modes = [Boundary::Zero, self.choices.of(&[Boundary::Zero, Boundary::Wrap])];
                let staged = self.load_tile(b, &local, ty, Transpose::N, modes, at)?;
                let bound = tile.bound + staged.bound;
                if bound > limit {
                    return Ok(tile);
                }
                let sum = Binary { op: BinaryOp::Add, a: value, b: staged.value };
                Ok(Entries { value: b.value(sum, ty)?, ty, bound })
            }
            6 => {
                // A loop that carries a tile and loads none.
                let [from, to] = [self.index(b, 0)?.value, self.index(b, 3)?.value];
                let attributes = ForAttributes::default();
                let head = For { from, to, step: None, init: vec![value], attributes };
                let ends_early = self.choices.one_in(2);
                let limit = self.constant_tile(b, ty, 3)?.value;
                let results = b.for_loop(head, |inner, _, carried| {
                    if ends_early {
                        let truth = Type::Tile(Tile { component: Scalar::I8, ..ty });
                        let compare = Compare { op: CompareOp::GreaterThan, a: carried[0], b: limit };
                        let tile = inner.value(compare, truth)?;
                        let condition = inner.value(TileAny { tile }, Type::Bool)?;
                        inner.emit(BreakIf { condition }, &[])?;
                    }
                    Built::Ok(vec![inner.value(Unary { op: UnaryOp::Neg, a: carried[0] }, ty)?])
                })?;
                Ok(Entries { value: results[0], ..tile })
            }
            _ => {
                let (of, [x, y]) = (scope.mems[2].value, oriented(transpose, at));
                b.emit(TilePrefetch { level: 0, of, x, y, rows: 16, cols: 4 }, &[])?;
                self.min(b, tile, 40)
            }
        }
    }

    /// Rows or columns of a tile combined, or all of its entries.
    fn reduced(&mut self, b: &mut Builder<'_>, tile: &Entries) -> Built<Entries> {
        let mut reduced = Entries { value: tile.value, ..tile.clone() };
        let first = self.choices.of(ReduceMode::ALL);
        let modes = if self.choices.one_in(3) { vec![first, first.transposed()] } else { vec![first] };
        for mode in modes {
            let op = self.choices.of(TileReduceOp::ALL);
            let Tile { rows, cols, .. } = reduced.ty;
            let count = if mode == ReduceMode::Row { cols } else { rows };
            // Several columns at first.
            if mode == ReduceMode::Row && cols % 32 == 0 && cols.count_ones() == 1 && self.choices.one_in(2) {
                let ty = Tile { cols: cols / 2, ..reduced.ty };
                let reduce = TileReduce { op, mode, part: ReducePart::Whole, tile: reduced.value };
                reduced.value = b.value(reduce, ty)?;
            }
            let [rows, cols] = mode.shape([rows, cols]);
            let ty = Tile { rows, cols, ..reduced.ty };
            let bound = reduced.bound * if op == TileReduceOp::Add { count as f64 } else { 1.0 };
            let reduce = TileReduce { op, mode, part: ReducePart::Whole, tile: reduced.value };
            reduced = Entries { value: b.value(reduce, ty)?, ty, bound };
        }
        Ok(reduced)
    }

    /// A tile computed from another, and from a row, a column or an entry that is spread over it.
    fn spread(
        &mut self,
        b: &mut Builder<'_>,
        scope: &Scope,
        tile: Entries,
        other: Entries,
    ) -> Built<Entries> {
        let (ty, [x, y]) = (tile.ty, [tile.value, other.value]);
        let bound = tile.bound + other.bound;
        match self.choices.below(3) {
            0 => self.apply_tile(b, scope, &[tile, other], None),
            1 => {
                let op = self.choices.of(&[BinaryOp::Add, BinaryOp::Sub, BinaryOp::Max, BinaryOp::Min]);
                let [a, b_operand] = if self.choices.one_in(2) { [x, y] } else { [y, x] };
                let value = b.value(Binary { op, a, b: b_operand }, ty)?;
                Ok(Entries { value, ty, bound })
            }
            _ => {
                let truth = Tile { component: Scalar::I8, ..ty };
                let op = self.choices.of(CompareOp::ALL);
                let condition = b.value(Compare { op, a: x, b: y }, truth)?;
                let [a, b_operand] = if self.choices.one_in(2) { [x, y] } else { [y, x] };
                let value = b.value(Select { condition, a, b: b_operand }, ty)?;
                Ok(Entries { value, ty, bound })
            }
        }
    }

    /// Writes a tile to the result, or adds it where several work-groups share a sum.
    fn store_tile(
        &mut self,
        b: &mut Builder<'_>,
        product: &Product,
        to: &Mem,
        at: [Value; 2],
        tile: Entries,
    ) -> Built<()> {
        let out = product.types[2];
        let is_atomic = product.splits > 1
            || matches!(out, Scalar::I32 | Scalar::F32) && out == tile.ty.component && self.choices.one_in(6);
        let bound = if is_atomic { product.splits as f64 * tile.bound + 3.0 } else { tile.bound };
        let mut tile = tile;
        if !out.is_integer() && (bound.is_nan() || bound > exact_limit(out)) {
            tile = self.min(b, tile, 100)?;
            let limit = self.constant_tile(b, tile.ty, -100)?;
            let most = Binary { op: BinaryOp::Max, a: tile.value, b: limit.value };
            tile = Entries { value: b.value(most, tile.ty)?, bound: 100.0, ..tile };
        }
        let ty = Tile { component: out, ..tile.ty };
        let value = if ty == tile.ty { tile.value } else { b.value(Cast { a: tile.value }, ty)? };
        let is_inside = |mode: usize| product.size[mode] % product.block[mode] == 0;
        let is_inside = product.is_covered() && is_inside(0) && is_inside(1);
        let boundary = match is_inside && self.choices.one_in(3) {
            true => StoreBoundary::Unchecked,
            false => StoreBoundary::Checked,
        };
        let mode = if is_atomic { StoreMode::AtomicAdd } else { StoreMode::Overwrite };
        let transpose = product.transposes[2];
        let [x, y] = oriented(transpose, at);
        let limits = self.mask_limits(b, to)?;
        let inst = b.emit(TileStore { mode, transpose, boundary, value, to: to.value, x, y }, &[])?;
        self.mask(b, inst, limits)
    }
}
