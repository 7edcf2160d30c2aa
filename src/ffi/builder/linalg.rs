//! Linear algebra (API reference 4.6). Vectors and matrices are memrefs; with `atomic`, every element of the
//! output is updated atomically.
#![allow(non_snake_case, reason = "the C parameters are named as the operands of the BLAS are")]

use super::super::types::*;
use super::site::{create, transpose};
use super::{Prototype, constructors};
use crate::ir::{Atomic, Axpby, Cumsum, Gemm, Gemv, Ger, Hadamard, Sum};

constructors! {
    CONSTRUCTORS;
    /// B := alpha·op(A) + beta·B. op(A) and B are two scalars, two vectors of N elements or two M x N
    /// matrices; tA only matters for matrices.
    tiletc_axpby_inst_create(
        atomic: tiletc_bool_t,
        tA: tiletc_transpose_t,
        alpha: tiletc_value_t,
        A: tiletc_value_t,
        beta: tiletc_value_t,
        B: tiletc_value_t,
    ) |s| Axpby {
        atomic: yes(atomic),
        transpose: transpose(tA)?,
        alpha: s.value(alpha)?,
        a: s.value(A)?,
        beta: s.value(beta)?,
        b: s.value(B)?,
    };
    /// B := alpha·(running sums of A along a mode, counted from 0) + beta·B. A and B have the same shape, of
    /// order 1 or more.
    tiletc_cumsum_inst_create(
        atomic: tiletc_bool_t,
        mode: i64,
        alpha: tiletc_value_t,
        A: tiletc_value_t,
        beta: tiletc_value_t,
        B: tiletc_value_t,
    ) |s| Cumsum {
        atomic: yes(atomic),
        mode,
        alpha: s.value(alpha)?,
        a: s.value(A)?,
        beta: s.value(beta)?,
        b: s.value(B)?,
    };
    /// B := alpha·(sums of the rows of op(A), or the sum of a vector) + beta·B. op(A) is M x N and B has M
    /// elements, or A has N elements and B is a memref of order 0.
    tiletc_sum_inst_create(
        atomic: tiletc_bool_t,
        tA: tiletc_transpose_t,
        alpha: tiletc_value_t,
        A: tiletc_value_t,
        beta: tiletc_value_t,
        B: tiletc_value_t,
    ) |s| Sum {
        atomic: yes(atomic),
        transpose: transpose(tA)?,
        alpha: s.value(alpha)?,
        a: s.value(A)?,
        beta: s.value(beta)?,
        b: s.value(B)?,
    };
    /// C := alpha·op(A)·op(B) + beta·C. op(A) is M x K, op(B) is K x N, C is M x N.
    tiletc_gemm_inst_create(
        atomic: tiletc_bool_t,
        tA: tiletc_transpose_t,
        tB: tiletc_transpose_t,
        alpha: tiletc_value_t,
        A: tiletc_value_t,
        B: tiletc_value_t,
        beta: tiletc_value_t,
        C: tiletc_value_t,
    ) |s| Gemm {
        atomic: yes(atomic),
        transpose_a: transpose(tA)?,
        transpose_b: transpose(tB)?,
        alpha: s.value(alpha)?,
        a: s.value(A)?,
        b: s.value(B)?,
        beta: s.value(beta)?,
        c: s.value(C)?,
    };
    /// C := alpha·op(A)·B + beta·C. op(A) is M x N, the vector B has N elements, the vector C has M.
    tiletc_gemv_inst_create(
        atomic: tiletc_bool_t,
        tA: tiletc_transpose_t,
        alpha: tiletc_value_t,
        A: tiletc_value_t,
        B: tiletc_value_t,
        beta: tiletc_value_t,
        C: tiletc_value_t,
    ) |s| Gemv {
        atomic: yes(atomic),
        transpose: transpose(tA)?,
        alpha: s.value(alpha)?,
        a: s.value(A)?,
        b: s.value(B)?,
        beta: s.value(beta)?,
        c: s.value(C)?,
    };
    /// C := alpha·A·B^T + beta·C. The vector A has M elements, the vector B has N, C is M x N.
    tiletc_ger_inst_create(
        atomic: tiletc_bool_t,
        alpha: tiletc_value_t,
        A: tiletc_value_t,
        B: tiletc_value_t,
        beta: tiletc_value_t,
        C: tiletc_value_t,
    ) |s| Ger {
        atomic: yes(atomic),
        alpha: s.value(alpha)?,
        a: s.value(A)?,
        b: s.value(B)?,
        beta: s.value(beta)?,
        c: s.value(C)?,
    };
    /// C := alpha·A∘B + beta·C, entry by entry. A, B and C are vectors of N elements or M x N matrices.
    tiletc_hadamard_inst_create(
        atomic: tiletc_bool_t,
        alpha: tiletc_value_t,
        A: tiletc_value_t,
        B: tiletc_value_t,
        beta: tiletc_value_t,
        C: tiletc_value_t,
    ) |s| Hadamard {
        atomic: yes(atomic),
        alpha: s.value(alpha)?,
        a: s.value(A)?,
        b: s.value(B)?,
        beta: s.value(beta)?,
        c: s.value(C)?,
    };
}

fn yes(atomic: tiletc_bool_t) -> Atomic {
    if atomic == 0 { Atomic::No } else { Atomic::Yes }
}
