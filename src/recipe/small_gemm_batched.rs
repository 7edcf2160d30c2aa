//! Many small matrix products at once, one work-group each (`spec/api.md` 9.1).

use super::{Error, Recipe};
use crate::diagnostics::Location;
use crate::driver::Options;
use crate::ir::{
    AddressSpace, Atomic, Builder, Component, Constant, Extent, Func, Gemm, Grid, GridBuiltin, Ir, Memref,
    Program, Scalar, Slice, Transpose, Type,
};
use crate::target::CoreInfo;

/// The integer that stands for "dynamic" in the language and its C interface.
const DYNAMIC: i64 = i64::MIN;

/// Where the matrices of a batch lie: entry (m, n) of matrix i at `m + n * leading + i * stride`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batched {
    /// Elements between neighbours of a row.
    pub leading: i64,
    /// Elements between matrices; 0 shares one over the batch.
    pub stride: i64,
}

/// C_i := α·opA(A_i)·opB(B_i) + β·C_i for all i of a batch, column-major, sizes known now.
///
/// The kernels take, in order, alpha, A, howmany, B, howmany, beta, C, howmany, and are launched with
/// `howmany` work-groups.
///
/// ```
/// use tiletc::driver::Options;
/// use tiletc::ir::{Ir, Scalar, Transpose};
/// use tiletc::recipe::{Batched, SmallGemmBatched};
/// use tiletc::target::CoreInfo;
///
/// let recipe = SmallGemmBatched {
///     number: Scalar::F32,
///     transpose_a: Transpose::N,
///     transpose_b: Transpose::N,
///     m: 56,
///     n: 9,
///     k: 56,
///     a: Batched { leading: 56, stride: 0 },
///     b: Batched { leading: 56, stride: 504 },
///     c: Batched { leading: 56, stride: 504 },
/// };
/// let pvc = CoreInfo::from_name("pvc").unwrap();
/// let compiled = recipe.compile(&mut Ir::default(), &pvc, &Options::default()).unwrap();
/// assert!(compiled.module.disassemble().contains("gemm_beta0"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmallGemmBatched {
    /// Type of all numbers.
    pub number: Scalar,
    /// Whether A is stored K×M instead of M×K.
    pub transpose_a: Transpose,
    /// Whether B is stored N×K instead of K×N.
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
}

/// What C is multiplied with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beta {
    Argument,
    Zero,
}

impl SmallGemmBatched {
    /// Builds the program and compiles it for a device.
    ///
    /// # Errors
    /// As for [`SmallGemmBatched::program`], and whatever the compiler finds. Nothing is left in the arena then.
    pub fn compile(&self, ir: &mut Ir, info: &CoreInfo, options: &Options) -> Result<Recipe, Error> {
        let program = self.program(ir)?;
        Ok(Recipe::compile(ir, program, info, options)?)
    }

    /// Builds the program.
    ///
    /// # Errors
    /// [`Error::Dynamic`] and [`Error::NotPositive`] for sizes that no kernel can have; [`Error::Rule`]
    /// if a leading dimension or a stride is negative.
    pub fn program(&self, ir: &mut Ir) -> Result<Program, Error> {
        self.check()?;
        let mut program = Program::default();
        for (name, beta) in [(Recipe::KERNEL, Beta::Argument), (Recipe::KERNEL_BETA0, Beta::Zero)] {
            match self.kernel(ir, name, beta) {
                Ok(func) => program.functions.push(func),
                Err(error) => {
                    ir.remove(&program);
                    return Err(error);
                }
            }
        }
        Ok(program)
    }

    fn check(&self) -> Result<(), Error> {
        let sizes = [("M", self.m), ("N", self.n), ("K", self.k)];
        let places = [
            ("ldA", self.a.leading),
            ("strideA", self.a.stride),
            ("ldB", self.b.leading),
            ("strideB", self.b.stride),
            ("ldC", self.c.leading),
            ("strideC", self.c.stride),
        ];
        if let Some(&(what, _)) = sizes.iter().chain(&places).find(|(_, value)| *value == DYNAMIC) {
            return Err(Error::Dynamic { what });
        }
        match sizes.into_iter().find(|(_, value)| *value <= 0) {
            Some((what, value)) => Err(Error::NotPositive { what, value }),
            None => Ok(()),
        }
    }

    fn kernel(&self, ir: &mut Ir, name: &str, beta_is: Beta) -> Result<Func, Error> {
        let shape_a = stored(self.transpose_a, [self.m, self.k]);
        let shape_b = stored(self.transpose_b, [self.k, self.n]);
        let shape_c = [self.m, self.n];
        let number = Type::Scalar(self.number);
        let parameters = [
            ("alpha", number.clone()),
            ("A", self.batch(shape_a, self.a)),
            ("B", self.batch(shape_b, self.b)),
            ("beta", number.clone()),
            ("C", self.batch(shape_c, self.c)),
        ];
        Builder::function(ir, name, parameters, Location::default(), |builder, [alpha, a, b, beta, c]| {
            let own = Grid { op: GridBuiltin::GroupId, component: Component::X };
            let own = builder.value(own, Type::INDEX)?;
            let mut matrix = |batch, [rows, columns]: [i64; 2]| {
                builder.subview(batch, &[Slice::range(0, rows), Slice::range(0, columns), Slice::at(own)])
            };
            let (a, b, c) = (matrix(a, shape_a)?, matrix(b, shape_b)?, matrix(c, shape_c)?);
            let beta = match beta_is {
                Beta::Argument => beta,
                Beta::Zero => builder.constant(Constant::zero(self.number), number)?,
            };
            let (atomic, transpose_a, transpose_b) = (Atomic::No, self.transpose_a, self.transpose_b);
            builder.emit(Gemm { atomic, transpose_a, transpose_b, alpha, a, b, beta, c }, &[])?;
            Ok(())
        })
    }

    /// The type of all matrices of an operand.
    fn batch(&self, [rows, columns]: [i64; 2], place: Batched) -> Type {
        let stride = [1, place.leading, place.stride].map(Extent::Static).to_vec();
        let shape = vec![Extent::Static(rows), Extent::Static(columns), Extent::Dynamic];
        Memref { element: self.number, shape, stride, space: AddressSpace::Global }.into()
    }
}

/// Rows and columns of a matrix as it lies in memory.
fn stored(transpose: Transpose, [rows, columns]: [i64; 2]) -> [i64; 2] {
    match transpose {
        Transpose::N => [rows, columns],
        Transpose::T => [columns, rows],
    }
}
