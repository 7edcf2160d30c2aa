//! Many small matrix products at once (API reference 9.1).

use super::beta::Beta;
use super::launch::{Scalars, count};
use super::{Argument, Error, Launch, check_leading, check_sizes};
use crate::device::CoreInfo;
use crate::diagnostics::Location;
use crate::ir::{
    AddressSpace, Atomic, Builder, Component, Extent, For, ForAttributes, Func, Gemm, Grid, GridBuiltin, Ir,
    Memref, Program, Scalar, Size, Slice, Transpose, Type, Value,
};
use crate::schedule::{LaneProduct, Schedule, Shape};
use std::fmt;

/// Place of the matrices of a batch: entry (m, n) of matrix i is at `m + n * leading + i * stride`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batched {
    /// Elements between neighbours of a row.
    pub leading: i64,
    /// Elements between matrices; 0 shares one over the batch.
    pub stride: i64,
}

/// C_i := α·opA(A_i)·opB(B_i) + β·C_i for all i of a batch, column-major, sizes known now.
///
/// The kernels take, in order, alpha, A, howmany, B, howmany, beta, C, howmany. A work-group computes the product of its own
/// number and, if several share one, each product as many further on as there are work-groups: any number of them will do.
///
/// ```
/// use tiletc::diagnostics::Location;
/// use tiletc::driver::Options;
/// use tiletc::ir::{Ir, Scalar, Transpose};
/// use tiletc::recipe::{Batched, Shape, SmallGemmBatched};
/// use tiletc::device::CoreInfo;
///
/// let shape = Shape::from(SmallGemmBatched {
///     number: Scalar::F32,
///     transpose_a: Transpose::N,
///     transpose_b: Transpose::N,
///     m: 56,
///     n: 9,
///     k: 56,
///     a: Batched { leading: 56, stride: 0 },
///     b: Batched { leading: 56, stride: 504 },
///     c: Batched { leading: 56, stride: 504 },
///     per_group: 1,
///     side_by_side: 1,
/// });
/// let pvc = CoreInfo::from_name("pvc").unwrap();
/// let recipe = shape.compile(&mut Ir::default(), Location::default(), &pvc, &Options::default()).unwrap();
/// assert!(recipe.module.disassemble().contains("gemm_beta0"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmallGemmBatched {
    /// Type of all numbers.
    pub number: Scalar,
    /// Storage of A: K×M if transposed, else M×K.
    pub transpose_a: Transpose,
    /// Storage of B: N×K if transposed, else K×N.
    pub transpose_b: Transpose,
    /// Rows of C.
    pub m: i64,
    /// Columns of C.
    pub n: i64,
    /// Length of the sums.
    pub k: i64,
    /// Place of the left factors.
    pub a: Batched,
    /// Place of the right factors.
    pub b: Batched,
    /// Place of the results.
    pub c: Batched,
    /// Products that may share a work-group, see [`SmallGemmBatched::sharing`].
    pub per_group: i64,
    /// Lanes of a subgroup that compute products side by side, so that of so many work-groups one has work; 1 if subgroups compute
    /// products.
    pub side_by_side: i64,
}

/// Multiply-adds for which it pays to start a work-group.
const GROUP_WORK: i64 = 4096;
/// Work-groups from which on there are enough for all threads of a device: twice as many as the largest GPU has.
const ENOUGH_GROUPS: u64 = 16_384;

impl SmallGemmBatched {
    /// The recipe in which so many products share a work-group as suits a device: several on GPUs, where one fills a single
    /// subgroup and is done before it has paid for its start. Processors start work-groups in order, and read ahead better what
    /// follows.
    pub fn sharing(self, info: &CoreInfo) -> SmallGemmBatched {
        let extents = [self.m, self.n, self.k];
        let work = extents.into_iter().fold(1, i64::saturating_mul).max(1);
        let product = LaneProduct::new([self.number; 3], extents);
        if let Some(lanes) = product.and_then(|product| product.side_by_side(info)).map(i64::from) {
            let per_group = (GROUP_WORK / (work * lanes)).max(1);
            return SmallGemmBatched { per_group, side_by_side: lanes, ..self };
        }
        let shape = Shape {
            op1: self.number,
            op2: self.number,
            destination: self.number,
            rows: Some(self.m),
            cols: Some(self.n),
            is_gemm: true,
            surfaces: None,
        };
        let leaves_idle = !info.is_cpu() && Schedule::of_shapes(&[shape], info).grid.subgroups() == 1;
        let per_group = if leaves_idle { (GROUP_WORK / work).max(1) } else { 1 };
        SmallGemmBatched { per_group, side_by_side: 1, ..self }
    }

    /// Builds the program. All of it is said to come from `location`.
    ///
    /// # Errors
    /// [`Error::Rule`] for sizes that no kernel can have, if a leading dimension is less than the rows of its matrix, and
    /// if a stride is negative.
    pub fn program(&self, ir: &mut Ir, location: Location) -> Result<Program, Error> {
        let sizes = [("M", self.m), ("N", self.n), ("K", self.k)];
        let places = [
            ("ldA", self.a.leading),
            ("strideA", self.a.stride),
            ("ldB", self.b.leading),
            ("strideB", self.b.stride),
            ("ldC", self.c.leading),
            ("strideC", self.c.stride),
        ];
        check_sizes(location, &sizes, &places)?;
        let rows = |transpose, plain, transposed| match transpose {
            Transpose::N => plain,
            Transpose::T => transposed,
        };
        let (m, n, k) = (("M", self.m), ("N", self.n), ("K", self.k));
        check_leading(location, ("ldA", self.a.leading), rows(self.transpose_a, m, k))?;
        check_leading(location, ("ldB", self.b.leading), rows(self.transpose_b, k, n))?;
        check_leading(location, ("ldC", self.c.leading), m)?;
        Beta::program(ir, |ir, name, beta| self.kernel(ir, location, name, beta))
    }

    /// Describes the launch for a batch of `howmany` products: the factors, then the memory of A, B and C.
    ///
    /// # Errors
    /// [`Error::ScalarSize`] for a factor of another type, [`Error::Negative`] for a negative `howmany`,
    /// [`Error::Overlap`] if results of the batch share memory.
    pub fn launch<'a, M>(
        &self,
        howmany: i64,
        alpha: &'a [u8],
        beta: &'a [u8],
        [a, b, c]: [M; 3],
    ) -> Result<Launch<'a, M>, Error> {
        use Argument::{Memory, Number, Size};
        let kernel = Scalars { alpha, beta }.kernel(self.number)?;
        let all = count("howmany", howmany)?;
        let shared = all.div_ceil(u64::try_from(self.per_group).unwrap_or(1).max(1));
        let enough = ENOUGH_GROUPS.saturating_mul(u64::try_from(self.side_by_side).unwrap_or(1).max(1));
        let groups = shared.max(all.min(enough));
        if let Some(other) = self.overlap().filter(|&other| other < howmany) {
            let Batched { leading, stride } = self.c;
            return Err(Error::Overlap { stride, leading, other, howmany });
        }
        let arguments = vec![
            Number(alpha),
            Memory(a),
            Size(howmany),
            Memory(b),
            Size(howmany),
            Number(beta),
            Memory(c),
            Size(howmany),
        ];
        Ok(Launch { kernel, arguments, groups })
    }

    /// The number of a result that shares memory with that of number 0, none if all are apart. Results may be
    /// interleaved: number i has the entries m + n·ld + i·stride, so that two that are d apart share one if d·stride is
    /// less than M away from a multiple of ld that is the distance of two columns.
    fn overlap(&self) -> Option<i64> {
        let Batched { leading, stride } = self.c;
        if stride <= 0 {
            return Some(1);
        }
        let columns = (0..self.n).filter_map(|columns| {
            let distance = columns.checked_mul(leading)?;
            // The first d > 0 with d·stride > distance − M.
            let d = distance.checked_sub(self.m)?.div_euclid(stride).saturating_add(1).max(1);
            let reach = d.checked_mul(stride)?;
            (reach.checked_sub(distance)? < self.m).then_some(d)
        });
        columns.min()
    }

    fn kernel(&self, ir: &mut Ir, location: Location, name: &str, kind: Beta) -> Result<Func, Error> {
        let shape_a = stored(self.transpose_a, [self.m, self.k]);
        let shape_b = stored(self.transpose_b, [self.k, self.n]);
        let shape_c = [self.m, self.n];
        let parameters = [
            ("alpha", self.number.into()),
            ("A", self.batch(shape_a, self.a)),
            ("B", self.batch(shape_b, self.b)),
            ("beta", self.number.into()),
            ("C", self.batch(shape_c, self.c)),
        ];
        Builder::function(ir, name, parameters, location, |builder, [alpha, a, b, beta, c]| {
            let mut grid = |op| builder.value(Grid { op, component: Component::X }, Type::INDEX);
            let own = grid(GridBuiltin::GroupId)?;
            let product = |builder: &mut Builder<'_>, own: Value| -> Result<(), Error> {
                let mut matrix = |batch, [rows, columns]: [i64; 2]| {
                    builder.subview(batch, &[Slice::range(0, rows), Slice::range(0, columns), Slice::at(own)])
                };
                let (a, b, c) = (matrix(a, shape_a)?, matrix(b, shape_b)?, matrix(c, shape_c)?);
                let beta = kind.value(builder, beta, self.number)?;
                let (atomic, transpose_a, transpose_b) = (Atomic::No, self.transpose_a, self.transpose_b);
                builder.emit(
                    Gemm { atomic, transpose_a, transpose_b, alpha, a, b, beta, c, schedule: None },
                    &[],
                )?;
                Ok(())
            };
            if self.per_group <= 1 {
                return product(builder, own);
            }
            let groups = grid(GridBuiltin::NumGroups)?;
            let howmany = builder.value(Size { of: c, mode: 2 }, Type::INDEX)?;
            let iterations = For {
                from: own,
                to: howmany,
                step: Some(groups),
                init: Vec::new(),
                attributes: ForAttributes::default(),
            };
            builder.for_loop::<Error>(iterations, |builder, number, _| {
                product(builder, number)?;
                Ok(Vec::new())
            })?;
            Ok(())
        })
    }

    /// The type of all matrices of an operand.
    fn batch(&self, [rows, columns]: [i64; 2], place: Batched) -> Type {
        let stride = [1, place.leading, place.stride].map(Extent::Static).to_vec();
        let shape = vec![Extent::Static(rows), Extent::Static(columns), Extent::Dynamic];
        Memref { element: self.number, shape, stride, swizzle: None, space: AddressSpace::Global }.into()
    }
}

/// Rows and columns of a matrix as it lies in memory.
fn stored(transpose: Transpose, [rows, columns]: [i64; 2]) -> [i64; 2] {
    match transpose {
        Transpose::N => [rows, columns],
        Transpose::T => [columns, rows],
    }
}

impl fmt::Display for SmallGemmBatched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SmallGemmBatched { number, transpose_a, transpose_b, m, n, k, a, b, c, .. } = self;
        let [t_a, t_b] = [transpose_a, transpose_b].map(|transpose| match transpose {
            Transpose::N => "n",
            Transpose::T => "t",
        });
        write!(f, "small_gemm_batched({number}, {t_a}, {t_b}, M={m}, N={n}, K={k}")?;
        for (name, place) in [("A", a), ("B", b), ("C", c)] {
            write!(f, ", ld{name}={}, stride{name}={}", place.leading, place.stride)?;
        }
        f.write_str(")")
    }
}
