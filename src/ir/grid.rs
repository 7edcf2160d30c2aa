//! The number of work-groups that a kernel needs, from its arguments (API reference 8).
//!
//! The attribute `grid` says it, or the body shows it: where the number of a work-group is the place in a mode of a
//! memref, or of a tile, all of them are there if there is a work-group for each.

use super::arguments::arguments;
use super::attributes::AttributeError;
use super::constant::Constant;
use super::entities::{Definition, Func, Ir, Use, Value};
use super::fields::{BinaryOp, Component, GridBuiltin};
use super::grid_attribute::{GridExpression, GridOp, GridSizes, MAX_DEPTH, SizeName};
use super::instructions::{Op, Subview, TileOrder};
use super::types::{AddressSpace, Extent, Type};
use crate::status::Status;

/// The number of work-groups that a kernel needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchGrid {
    /// Numbers in the directions x, y and z, computed from the arguments of the kernel by their place among all.
    pub sizes: [GridExpression<usize>; 3],
    /// True if only the product of the numbers in x and y matters.
    pub is_linear: bool,
    /// The numbers as the attribute has them.
    pub text: String,
}

impl LaunchGrid {
    /// The numbers of work-groups for arguments of which the integers are known.
    pub fn groups(&self, argument: impl Fn(usize) -> Option<i64>) -> Option<[u64; 3]> {
        let value = |size: &GridExpression<usize>| size.value(&|&place| argument(place));
        let [x, y, z] = self.sizes.each_ref().map(value);
        let number = |value: i64| u64::try_from(value).unwrap_or(0);
        Some([number(x?), number(y?), number(z?)])
    }

    /// Returns whether a launch has as many work-groups as the kernel needs. Where that is one, none is as good: nobody
    /// forgets a part of the work.
    pub fn is_covered(&self, needed: [u64; 3], given: [u64; 3]) -> bool {
        let ([x, y, z], [own_x, own_y, own_z]) = (needed, given);
        if needed.contains(&0) || needed == [1; 3] {
            return true;
        }
        if self.is_linear {
            return own_z >= z && own_x.saturating_mul(own_y) >= x.saturating_mul(y);
        }
        own_x >= x && own_y >= y && own_z >= z
    }
}

/// The number that stands for a size of a parameter, or the reason why there is none.
fn resolve(ir: &Ir, func: Func, name: &SizeName) -> Result<GridExpression<usize>, String> {
    let parameters = &ir[ir[func].body].parameters;
    let place = |value: Value| ir[value].name.as_deref() == Some(name.parameter.as_str());
    let place = name.parameter.parse().ok().or_else(|| parameters.iter().position(|&value| place(value)));
    let place = place.filter(|&place| place < parameters.len());
    let unknown = || format!("grid names {name}, and the function has no such parameter");
    let place: usize = place.ok_or_else(unknown)?;
    let value = *parameters.get(place).ok_or_else(unknown)?;
    let before: usize = parameters.iter().take(place).map(|&value| arguments(ir.ty(value)).len()).sum();
    let ty = ir.ty(value);
    let refusal = || format!("grid names {name}, and the parameter is of type {ty}");
    match (ty, name.mode) {
        (Type::Scalar(scalar), None) if scalar.is_integer() => Ok(GridExpression::Of(before)),
        (Type::Memref(memref), Some(mode)) => {
            let size = memref.shape.get(mode).ok_or_else(refusal)?;
            let behind = memref.shape.iter().take(mode).filter(|size| size.is_dynamic()).count();
            Ok(size.value().map_or(GridExpression::Of(before + 1 + behind), GridExpression::Number))
        }
        (Type::Group(group), Some(0)) => {
            let member = [&group.member.shape, &group.member.stride];
            let tables: usize =
                member.iter().map(|list| list.iter().filter(|size| size.is_dynamic()).count()).sum();
            Ok(group.size.value().map_or(GridExpression::Of(before + 1 + tables), GridExpression::Number))
        }
        _ => Err(refusal()),
    }
}

impl Ir {
    /// The grid of a kernel; `None` if neither attribute nor body tell.
    pub(super) fn launch_grid(&self, func: Func) -> Option<LaunchGrid> {
        let (sizes, is_linear) = match &self[func].attributes.grid {
            Some(sizes) if sizes.0.is_empty() => return None,
            Some(sizes) => (sizes.clone(), false),
            None => shown_by_body(self, func)?,
        };
        let resolved = |place: usize| {
            let size = sizes.0.get(place);
            size.map_or(Some(GridExpression::Number(1)), |size| {
                size.map(&|name| resolve(self, func, name)).ok()
            })
        };
        Some(LaunchGrid {
            sizes: [resolved(0)?, resolved(1)?, resolved(2)?],
            is_linear,
            text: sizes.to_string(),
        })
    }

    /// Checks that the attribute `grid` names what the function has.
    ///
    /// # Errors
    /// [`Status::OutOfRange`] about a name that no parameter has, or not with this type or mode.
    pub fn check_grid(&self, func: Func) -> Result<(), AttributeError> {
        let sizes = self[func].attributes.grid.iter().flat_map(|sizes| &sizes.0);
        let resolved = |size: &GridExpression<_>| size.map(&|name| resolve(self, func, name)).map(drop);
        let malformed =
            |detail| AttributeError::Malformed { key: "grid", status: Status::OutOfRange, detail };
        sizes.map(resolved).try_for_each(|resolved| resolved).map_err(malformed)
    }
}

/// Work-groups that an access needs, and whether it writes.
struct Need {
    size: GridExpression<SizeName>,
    writes: bool,
}

/// The grid that a body shows, and whether it is that of an order of tiles.
fn shown_by_body(ir: &Ir, func: Func) -> Option<(GridSizes, bool)> {
    let mut finder = Finder { ir, func, needs: [const { Vec::new() }; 3] };
    let (mut is_known, mut orders, mut has_group_id) = (true, Vec::new(), false);
    ir.walk(ir[func].body, &mut |inst| {
        if let Op::Grid(grid) = &ir[inst].op {
            has_group_id = true;
            let mut is_shown = |&id: &Value| finder.follow(id, grid.component, 1, MAX_DEPTH).is_some();
            is_known &= grid.op == GridBuiltin::GroupId && ir[inst].results.iter().all(&mut is_shown);
        } else if let Op::TileOrder(order) = &ir[inst].op
            && order.linear.is_none()
        {
            orders.push(finder.tiles(order));
        }
    });
    if !is_known || has_group_id && !orders.is_empty() {
        return None;
    }
    if !orders.is_empty() {
        let size = orders.into_iter().collect::<Option<Vec<_>>>()?;
        return Some((GridSizes(vec![combined(size, GridOp::Max)?]), true));
    }
    let mut sizes: Vec<_> = finder.needs.into_iter().map(needed).collect::<Option<_>>()?;
    while sizes.len() > 1 && sizes.last() == Some(&GridExpression::Number(1)) {
        sizes.pop();
    }
    Some((GridSizes(sizes), false))
}

/// Work-groups in a direction: so many that everything is written, or if nothing is, so many that all read what is there.
fn needed(needs: Vec<Need>) -> Option<GridExpression<SizeName>> {
    if needs.is_empty() {
        return Some(GridExpression::Number(1));
    }
    let writes = needs.iter().any(|need| need.writes);
    let sizes = needs.into_iter().filter(|need| need.writes == writes).map(|need| need.size).collect();
    combined(sizes, if writes { GridOp::Max } else { GridOp::Min })
}

/// One of several sizes, of which equal ones are compared once.
fn combined(sizes: Vec<GridExpression<SizeName>>, op: GridOp) -> Option<GridExpression<SizeName>> {
    let mut distinct: Vec<GridExpression<SizeName>> = Vec::new();
    for size in sizes {
        if !distinct.contains(&size) {
            distinct.push(size);
        }
    }
    if distinct.len() > MAX_DEPTH {
        return None;
    }
    let mut sizes = distinct.into_iter();
    let first = sizes.next()?;
    Some(sizes.fold(first, |all, size| GridExpression::binary(op, all, size)))
}

/// The search for what numbers of work-groups are used for.
struct Finder<'a> {
    ir: &'a Ir,
    func: Func,
    needs: [Vec<Need>; 3],
}

impl Finder<'_> {
    /// Follows `scale` times the number of a work-group; `None` if it is used for anything that tells no size.
    fn follow(&mut self, value: Value, component: Component, scale: i64, depth: usize) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        for &Use { user, .. } in self.ir.uses(value) {
            let data = &self.ir[user];
            let result = data.results.first().copied();
            if let Op::Cast(_) = &data.op {
                self.follow(result?, component, scale, depth)?;
                continue;
            }
            if let Op::Binary(binary) = &data.op
                && binary.op == BinaryOp::Mul
                && binary.a != binary.b
            {
                let other = if binary.a == value { binary.b } else { binary.a };
                let factor = constant(self.ir, other).filter(|&factor| factor > 0)?;
                self.follow(result?, component, scale.checked_mul(factor)?, depth)?;
                continue;
            }
            let need = self.need(&data.op, result, value, scale)?;
            let needs = match component {
                Component::X => &mut self.needs[0],
                Component::Y => &mut self.needs[1],
                Component::Z => &mut self.needs[2],
            };
            needs.push(need);
        }
        Some(())
    }

    /// The need of an instruction one of whose operands is `scale` times the number of a work-group.
    fn need(&self, op: &Op, result: Option<Value>, value: Value, scale: i64) -> Option<Need> {
        let element = |memory: Value, indices: &[Value], writes: bool| {
            let mode = only_place(indices, value).filter(|_| scale == 1)?;
            Some(Need { size: self.size(memory, mode)?, writes })
        };
        let tile = |memory: Value, indices: [Value; 2], writes: bool| {
            let size = self.size(memory, only_place(&indices, value)?)?;
            Some(Need { size: divided(size, scale, GridOp::Cdiv), writes })
        };
        if let Op::Load(load) = op {
            return element(
                load.from,
                &load.indices,
                result.is_some_and(|result| self.ir.is_written(result)),
            );
        }
        if let Op::Store(store) = op {
            return element(store.to, &store.indices, true).filter(|_| store.value != value);
        }
        if let Op::AtomicUpdate(update) = op {
            return element(update.to, &update.indices, true).filter(|_| update.value != value);
        }
        if let Op::TileLoad(load) = op {
            return tile(load.from, [load.x, load.y], false);
        }
        if let Op::TileCopy(copy) = op {
            return tile(copy.from, [copy.x, copy.y], false);
        }
        if let Op::TileStore(store) = op {
            return tile(store.to, [store.x, store.y], true);
        }
        if let Op::TilePrefetch(prefetch) = op {
            return tile(prefetch.of, [prefetch.x, prefetch.y], false);
        }
        if let Op::TileOrder(order) = op
            && order.linear == Some(value)
            && scale == 1
        {
            return Some(Need { size: self.tiles(order)?, writes: true });
        }
        let Op::Subview(view) = op else { return None };
        let size = self.size(view.of, offset_mode(view, value, scale)?)?;
        let writes = result.is_some_and(|result| self.ir.is_written(result));
        Some(Need { size: divided(size, scale, GridOp::Div), writes })
    }

    /// Number of the tiles of an order.
    fn tiles(&self, order: &TileOrder) -> Option<GridExpression<SizeName>> {
        let [rows, cols] = [self.integer(order.rows, MAX_DEPTH)?, self.integer(order.cols, MAX_DEPTH)?];
        Some(GridExpression::binary(GridOp::Mul, rows, cols))
    }

    /// Size of a mode of global memory, or number of members of a group.
    fn size(&self, memory: Value, mode: usize) -> Option<GridExpression<SizeName>> {
        let extent = match self.ir.ty(memory) {
            Type::Memref(memref) if memref.space == AddressSpace::Global => *memref.shape.get(mode)?,
            Type::Group(group) if mode == 0 => group.size,
            Type::Scalar(_)
            | Type::Bool
            | Type::Memref(_)
            | Type::Group(_)
            | Type::Coopmatrix(_)
            | Type::Tile(_) => {
                return None;
            }
        };
        match extent {
            Extent::Static(size) => Some(GridExpression::Number(size)),
            Extent::Dynamic => {
                Some(GridExpression::Of(SizeName { parameter: self.name(memory)?, mode: Some(mode) }))
            }
        }
    }

    /// Name of a parameter of the function.
    fn name(&self, value: Value) -> Option<String> {
        let body = self.ir[self.func].body;
        let Definition::Parameter(region) = self.ir[value].definition else { return None };
        let place = self.ir[body].parameters.iter().position(|&parameter| parameter == value);
        let place = place.filter(|_| region == body)?;
        Some(self.ir[value].name.clone().unwrap_or_else(|| place.to_string()))
    }

    /// An integer as an expression of the arguments.
    fn integer(&self, value: Value, depth: usize) -> Option<GridExpression<SizeName>> {
        let depth = depth.checked_sub(1)?;
        if let Some(parameter) = self.name(value) {
            let is_integer = matches!(self.ir.ty(value), Type::Scalar(scalar) if scalar.is_integer());
            return is_integer.then_some(GridExpression::Of(SizeName { parameter, mode: None }));
        }
        let op = self.ir.defining_op(value)?;
        if let Op::Size(size) = op {
            return self.size(size.of, usize::try_from(size.mode).ok()?);
        }
        if let Op::Cast(cast) = op {
            return self.integer(cast.a, depth);
        }
        if let Op::Binary(binary) = op {
            let [a, b] = [self.integer(binary.a, depth)?, self.integer(binary.b, depth)?];
            return Some(GridExpression::binary(GridOp::from_spelling(binary.op.spelling())?, a, b));
        }
        constant(self.ir, value).map(GridExpression::Number)
    }
}

/// The integer that a value is.
fn constant(ir: &Ir, value: Value) -> Option<i64> {
    let Op::ConstantInst(inst) = ir.defining_op(value)? else { return None };
    if let Constant::Int(number) = inst.value { Some(number) } else { None }
}

/// The place of a value in a list that has it once.
fn only_place(values: &[Value], value: Value) -> Option<usize> {
    let mut places = values.iter().enumerate().filter(|&(_, &other)| other == value);
    let (place, _) = places.next()?;
    places.next().is_none().then_some(place)
}

/// The mode of which a view takes the part that begins at `scale` times the number of a work-group, and ends where the
/// next one begins.
fn offset_mode(view: &Subview, value: Value, scale: i64) -> Option<usize> {
    let place = only_place(&view.offsets, value).filter(|_| !view.sizes.contains(&value))?;
    let mut dynamic = view.static_offsets.iter().enumerate().filter(|(_, offset)| offset.is_dynamic());
    let (mode, _) = dynamic.nth(place)?;
    let window = view.static_sizes.get(mode)?.value()?;
    (window.max(1) == scale).then_some(mode)
}

fn divided(size: GridExpression<SizeName>, divisor: i64, op: GridOp) -> GridExpression<SizeName> {
    if divisor == 1 { size } else { GridExpression::binary(op, size, GridExpression::Number(divisor)) }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::diagnostics::SourceId;
    use crate::driver;
    use crate::ir::{Ir, LaunchGrid};

    fn grid(text: &str) -> Option<LaunchGrid> {
        let mut ir = Ir::default();
        let program = driver::parse(&mut ir, SourceId::default(), text.as_bytes()).unwrap();
        ir.signatures(&program).swap_remove(0).grid
    }

    /// The grid of a kernel with matrices A, B and C, whose sizes are open, and an integer n.
    fn shown(body: &str) -> Option<String> {
        let header = "%A: memref<f32x?x?>, %B: memref<f32x16x?>, %C: group<memref<f32x16>x?>, %n: i32";
        grid(&format!("func @f({header}) {{\n{body}\n}}\n")).map(|grid| grid.text)
    }

    #[test]
    fn places_of_work_groups_show_how_many_there_are() {
        for (body, expected) in [
            ("", "[1]"),
            ("%g = group_id.x  %v = load %B[3,%g]", "[%B[1]]"),
            ("%g = group_id.x  %c = load %C[%g]  %x = load %c[1]", "[%C[0]]"),
            ("%g = group_id.y  store 1.0, %B[2,%g]", "[1,%B[1]]"),
            ("%g = group_id.z  %v = subview %B[0:16,%g]", "[1,1,%B[1]]"),
            // What is written counts, whatever is read; all of it, and of what is read only as much as there is everywhere.
            ("%g = group_id.x  %v = load %A[%g,0]  store %v, %B[0,%g]", "[%B[1]]"),
            ("%g = group_id.x  store 1.0, %A[%g,0]  store 1.0, %B[0,%g]", "[max(%A[0],%B[1])]"),
            // A number that a loop or a branch takes is not written.
            (
                "%g = group_id.x  %v = load %A[%g,0]  %p = constant true : bool
                 %w = if %p -> (f32) { yield (%v) } else { %z = constant 0.0 : f32 yield (%z) }
                 store %w, %B[0,%g]",
                "[%B[1]]",
            ),
            ("%g = group_id.x  %v = load %A[%g,0]  %w = load %B[0,%g]", "[min(%A[0],%B[1])]"),
            ("%g = group_id.x  %c = load %C[%g]  store 1.0, %c[0]  %v = load %A[%g,0]", "[%C[0]]"),
            // Parts of a mode, whole ones only, and tiles.
            ("%g = group_id.x  %i = mul %g, 64  %v = subview %A[%i:64,0:1]", "[div(%A[0],64)]"),
            (
                "%g = group_id.x  %i = mul 2, %g  %j = mul %i, 16  tile_prefetch 0, %A[%j,0], 32, 8",
                "[cdiv(%A[0],32)]",
            ),
            (
                "%m = size %A[0]  %r = cdiv %m, 64  %i, %j = tile_order.grouped %r, 3 {group=4}",
                "[mul(cdiv(%A[0],64),3)]",
            ),
            (
                "%g = group_id.y  %k = cast %n : index  %i, %j = tile_order.linear_m %k, 3 from %g",
                "[1,mul(%n,3)]",
            ),
        ] {
            assert_eq!(shown(body).as_deref(), Some(expected), "{body}");
        }
    }

    #[test]
    fn a_body_that_does_not_show_it_tells_nothing() {
        for body in [
            "%g = group_id.x  %k = num_groups.x",
            "%g = group_id.x  %i = add %g, 1  %v = load %B[0,%i]",
            "%g = group_id.x  %i = mul %g, 2  %v = load %B[0,%i]",
            "%g = group_id.x  %i = mul %g, 64  %v = subview %A[%i:32,0:1]",
            "%g = group_id.x  %i = mul %g, %g  %v = load %B[0,%i]",
            "%g = group_id.x  %v = load %B[%g,%g]",
            "%g = group_id.x  %v = subview %A[0:%g,0:1]",
            "%g = group_id.x  %i, %j = tile_order.linear_m 2, 3",
            "%m = num_subgroups.x  %k = cast %m : index  %i, %j = tile_order.linear_m %k, 3",
            "%g = group_id.x  %p = equal %g, 0  if %p {\n}",
            "%g = group_id.x  %l = alloca : memref<f32x4,local>  %v = load %l[%g]",
        ] {
            assert_eq!(shown(body), None, "{body}");
        }
    }

    #[test]
    fn sizes_are_those_of_the_arguments() {
        let text = "func @f(%a: f32, %A: memref<f32x?x4x?,strided<1,?,?>>, %2: group<memref<f32x?x?>x?, offset: ?>, %n: i16)";
        for (sizes, expected) in [
            ("%A[0], %A[1], %A[2]", [102, 4, 103]),
            ("%n, 7, %2[0]", [112, 7, 110]),
            ("sub(%n,200)", [0, 1, 1]),
        ] {
            let grid = grid(&format!("{text} attributes{{grid=[{sizes}]}} {{\n}}\n")).unwrap();
            let groups = grid.groups(|place| i64::try_from(100 + place).ok()).unwrap();
            assert_eq!(groups, expected, "{sizes}");
        }
        assert_eq!(grid("func @f(%A: memref<f32x?>) attributes{grid=[]} {\n}\n"), None);
        let quotient = grid("func @f(%n: i64) attributes{grid=[div(1,%n)]} {\n}\n").unwrap();
        assert_eq!((quotient.groups(|_| Some(0)), quotient.groups(|_| None)), (None, None));
    }

    #[test]
    fn a_launch_covers_what_it_has_a_work_group_for() {
        let by_direction = grid("func @f() {\n}\n").unwrap();
        assert!(
            by_direction.is_covered([2, 3, 1], [2, 3, 1]) && by_direction.is_covered([2, 3, 1], [4, 3, 2])
        );
        assert!(
            !by_direction.is_covered([2, 3, 1], [3, 2, 1]) && !by_direction.is_covered([2, 1, 1], [2, 0, 1])
        );
        assert!(by_direction.is_covered([0, 3, 1], [0, 0, 0]) && by_direction.is_covered([1; 3], [1, 0, 1]));
        let by_order = grid("func @f() {\n%i, %j = tile_order.linear_m 2, 3\n}\n").unwrap();
        assert!(by_order.is_covered([6, 1, 1], [3, 2, 1]) && !by_order.is_covered([6, 1, 1], [5, 1, 1]));
        assert!(!by_order.is_covered([6, 1, 1], [6, 1, 0]));
    }
}
