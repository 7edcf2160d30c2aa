//! The product of a matrix with many rows and a small one, a block of rows a work-group
//! (API reference 9.2).

use super::beta::Beta;
use super::launch::{Scalars, count};
use super::{Argument, Error, Launch, check_leading, check_sizes};
use crate::device::CoreInfo;
use crate::diagnostics::Location;
use crate::ir::{
    AddressSpace, Atomic, Binary, BinaryOp, Bound, Builder, Compare, CompareOp, Component, Constant, Extent,
    Func, Gemm, Grid, GridBuiltin, Ir, Memref, Program, Scalar, Size, Slice, Transpose, Type, Value,
    VerifierError, WorkGroupSize,
};
use crate::schedule::{Schedule, Shape};
use std::fmt;

/// A matrix of a tall and skinny product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Elements between neighbours of a row.
    pub leading: Extent,
    /// Bytes that the address is a multiple of; `None` for the device's default.
    pub alignment: Option<i32>,
}

/// C := α·A·B + β·C with A M×K, B K×N and C M×N, column-major, where M is large.
///
/// The kernels take, in order, alpha, A, B, beta, C; behind each of A and C comes M if it is dynamic, and
/// behind each matrix its leading dimension if that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TallAndSkinny {
    /// Type of all numbers.
    pub number: Scalar,
    /// Rows of A and C.
    pub m: Extent,
    /// Columns of B and C.
    pub n: i64,
    /// Length of the sums.
    pub k: i64,
    /// The tall factor.
    pub a: Operand,
    /// The small factor.
    pub b: Operand,
    /// The result.
    pub c: Operand,
    /// Rows of a work-group, see [`suggest_block_size`].
    pub block: i32,
}

/// The number of rows per work-group that suits a device.
///
/// # Errors
/// [`Error::NoWorkGroups`] if the device admits no work-group at all.
pub fn suggest_block_size(info: &CoreInfo) -> Result<i32, Error> {
    /// More rows than that leave the work-groups of a moderate M too few.
    const MAX_BLOCK_SIZE: i32 = 128;
    match info.minmax_work_group_size() {
        limit if limit <= 0 => Err(Error::NoWorkGroups(limit)),
        limit => Ok(limit.min(MAX_BLOCK_SIZE)),
    }
}

/// The rows of the work-groups.
#[derive(Clone, Copy)]
enum Blocks {
    /// There is one block, of that many rows.
    One(i64),
    /// All blocks are full.
    Full,
    /// So many blocks are full, and a last one has that many rows.
    Last(i64, i64),
    /// The last one's rows are known when the kernel runs.
    Dynamic,
}

/// Values that the kernel multiplies.
#[derive(Clone, Copy)]
struct Values {
    alpha: Value,
    a: Value,
    b: Value,
    beta: Value,
    c: Value,
}

impl TallAndSkinny {
    /// A product of which only the small matrix's size is known.
    pub fn dynamic(number: Scalar, n: i64, k: i64, block: i32) -> TallAndSkinny {
        let any = Operand { leading: Extent::Dynamic, alignment: None };
        TallAndSkinny { number, m: Extent::Dynamic, n, k, a: any, b: any, c: any, block }
    }

    /// Builds the program for a device. All of it is said to come from `location`.
    ///
    /// # Errors
    /// [`Error::Rule`] for sizes that no kernel can have, and if a leading dimension is less than the rows of its matrix.
    pub fn program(&self, ir: &mut Ir, location: Location, info: &CoreInfo) -> Result<Program, Error> {
        let mut sizes = vec![("N", self.n), ("K", self.k), ("M_block_size", self.block.into())];
        sizes.extend(self.m.value().map(|m| ("M", m)));
        check_sizes(location, &sizes, &[])?;
        let rows = [
            ("ldA", self.a, "M", self.m),
            ("ldB", self.b, "K", Extent::Static(self.k)),
            ("ldC", self.c, "M", self.m),
        ];
        for (what, operand, name, rows) in rows {
            if let (Some(leading), Some(rows)) = (operand.leading.value(), rows.value()) {
                check_leading(location, (what, leading), (name, rows))?;
            }
        }
        let work_group_size = self.work_group_size(info);
        Beta::program(ir, |ir, name, kind| {
            let func = self.kernel(ir, location, name, kind)?;
            ir[func].attributes.work_group_size = Some(work_group_size);
            for (parameter, operand) in [(1, self.a), (2, self.b), (4, self.c)] {
                if let Some(attributes) = ir[func].parameter_attributes.get_mut(parameter) {
                    attributes.alignment = operand.alignment.map(i64::from);
                }
            }
            Ok(func)
        })
    }

    /// Describes the launch for `m` rows: the factors, then memory and leading dimension of A, B and C. A value that
    /// was known when the recipe was made is no argument of the kernels.
    ///
    /// # Errors
    /// [`Error::ScalarSize`] for a factor of another type, [`Error::Negative`] for a negative `m`,
    /// [`Error::OtherRows`] if it is not the one that the recipe was made for, [`Error::LeadingDimension`] for one that is
    /// less than the rows of its matrix.
    pub fn launch<'a, M>(
        &self,
        m: i64,
        alpha: &'a [u8],
        beta: &'a [u8],
        [(a, ld_a), (b, ld_b), (c, ld_c)]: [(M, i64); 3],
    ) -> Result<Launch<'a, M>, Error> {
        let kernel = Scalars { alpha, beta }.kernel(self.number)?;
        let rows = count("M", m)?;
        if let Some(made_for) = self.m.value().filter(|&made_for| made_for != m) {
            return Err(Error::OtherRows { given: m, made_for });
        }
        let known = |operand: Operand, given: i64| operand.leading.value().unwrap_or(given);
        let leading = [
            ("ldA", known(self.a, ld_a), m),
            ("ldB", known(self.b, ld_b), self.k),
            ("ldC", known(self.c, ld_c), m),
        ];
        if let Some((what, value, rows)) = leading.into_iter().find(|(_, value, rows)| value < rows) {
            return Err(Error::LeadingDimension { what, value, rows });
        }
        let block = u64::try_from(self.block).unwrap_or(1).max(1);
        let size = |known: Extent, size: i64| known.is_dynamic().then_some(Argument::Size(size));
        let arguments = [
            Some(Argument::Number(alpha)),
            Some(Argument::Memory(a)),
            size(self.m, m),
            size(self.a.leading, ld_a),
            Some(Argument::Memory(b)),
            size(self.b.leading, ld_b),
            Some(Argument::Number(beta)),
            Some(Argument::Memory(c)),
            size(self.m, m),
            size(self.c.leading, ld_c),
        ];
        let arguments = arguments.into_iter().flatten().collect();
        Ok(Launch { kernel, arguments, groups: rows.div_ceil(block) })
    }

    fn blocks(&self) -> Blocks {
        let block = i64::from(self.block);
        match self.m {
            Extent::Dynamic => Blocks::Dynamic,
            Extent::Static(m) if m <= block => Blocks::One(m),
            Extent::Static(m) if m % block == 0 => Blocks::Full,
            Extent::Static(m) => Blocks::Last(m / block, m % block),
        }
    }

    /// The tiling for a full block, with no more tiles along the columns than along the rows: A, whose rows
    /// every tile of a row reads again, then stays in the cache.
    fn work_group_size(&self, info: &CoreInfo) -> WorkGroupSize {
        let rows = match self.blocks() {
            Blocks::One(rows) => rows,
            _ => self.block.into(),
        };
        let (number, rows, cols) = (self.number, Some(rows), Some(self.n));
        let shape = Shape {
            op1: number,
            op2: number,
            destination: number,
            rows,
            cols,
            is_gemm: true,
            surfaces: None,
        };
        let Schedule { subgroup_size, mut grid, .. } = Schedule::of_shapes(&[shape], info);
        while grid.cols > grid.rows {
            grid.cols /= 2;
        }
        WorkGroupSize(grid.work_items(subgroup_size))
    }

    fn kernel(&self, ir: &mut Ir, location: Location, name: &str, kind: Beta) -> Result<Func, Error> {
        let (n, k) = (Extent::Static(self.n), Extent::Static(self.k));
        let parameters = [
            ("alpha", self.number.into()),
            ("A", self.matrix([self.m, k], self.a)),
            ("B", self.matrix([k, n], self.b)),
            ("beta", self.number.into()),
            ("C", self.matrix([self.m, n], self.c)),
        ];
        Builder::function(ir, name, parameters, location, |builder, [alpha, a, b, beta, c]| {
            let beta = kind.value(builder, beta, self.number)?;
            self.body(builder, Values { alpha, a, b, beta, c })?;
            Ok(())
        })
    }

    fn body(&self, builder: &mut Builder<'_>, values: Values) -> Result<(), VerifierError> {
        let blocks = self.blocks();
        if let Blocks::One(rows) = blocks {
            return self.product(builder, values, 0.into(), rows.into());
        }
        let block = i64::from(self.block);
        let own = Grid { op: GridBuiltin::GroupId, component: Component::X };
        let own = builder.value(own, Type::INDEX)?;
        let rows = builder.constant(Constant::Int(block), Type::INDEX)?;
        let first = builder.value(Binary { op: BinaryOp::Mul, a: own, b: rows }, Type::INDEX)?;
        let (is_full, last) = match blocks {
            Blocks::One(_) | Blocks::Full => {
                return self.product(builder, values, first.into(), block.into());
            }
            Blocks::Last(full, last) => {
                let full = builder.constant(Constant::Int(full), Type::INDEX)?;
                let is_full = Compare { op: CompareOp::LessThan, a: own, b: full };
                (builder.value(is_full, Type::Bool)?, Bound::Static(last))
            }
            Blocks::Dynamic => {
                let all = builder.value(Size { of: values.c, mode: 0 }, Type::INDEX)?;
                let left = builder.value(Binary { op: BinaryOp::Sub, a: all, b: first }, Type::INDEX)?;
                let is_full = Compare { op: CompareOp::GreaterThanEqual, a: left, b: rows };
                (builder.value(is_full, Type::Bool)?, Bound::Dynamic(left))
            }
        };
        let product = |builder: &mut Builder<'_>, rows| {
            self.product(builder, values, first.into(), rows).map(|()| Vec::new())
        };
        builder.branch(
            is_full,
            &[],
            |builder| product(builder, block.into()),
            |builder| product(builder, last),
        )?;
        Ok(())
    }

    /// Multiplies some rows.
    fn product(
        &self,
        builder: &mut Builder<'_>,
        Values { alpha, a, b, beta, c }: Values,
        first: Bound,
        rows: Bound,
    ) -> Result<(), VerifierError> {
        let mut part =
            |of, columns: i64| builder.subview(of, &[Slice::range(first, rows), Slice::range(0, columns)]);
        let (a, c) = (part(a, self.k)?, part(c, self.n)?);
        let (atomic, transpose_a, transpose_b) = (Atomic::No, Transpose::N, Transpose::N);
        builder.emit(Gemm { atomic, transpose_a, transpose_b, alpha, a, b, beta, c, schedule: None }, &[])?;
        Ok(())
    }

    fn matrix(&self, shape: [Extent; 2], operand: Operand) -> Type {
        let stride = vec![Extent::Static(1), operand.leading];
        Memref {
            element: self.number,
            shape: shape.to_vec(),
            stride,
            swizzle: None,
            space: AddressSpace::Global,
        }
        .into()
    }
}

impl fmt::Display for TallAndSkinny {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TallAndSkinny { number, m, n, k, a, b, c, block } = self;
        write!(f, "tall_and_skinny({number}, M={m}, N={n}, K={k}")?;
        for (name, operand) in [("A", a), ("B", b), ("C", c)] {
            write!(f, ", ld{name}={}", operand.leading)?;
            if let Some(alignment) = operand.alignment {
                write!(f, ", align{name}={alignment}")?;
            }
        }
        write!(f, ", M_block_size={block})")
    }
}
