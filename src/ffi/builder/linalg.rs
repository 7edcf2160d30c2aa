//! Linear algebra (`spec/api.md` 4.6). Vectors and matrices are memrefs; with `atomic`, every element of the
//! output is updated atomically.
#![allow(non_snake_case, reason = "the C parameters are named as the operands of the BLAS are")]

use super::super::types::*;
use super::site::{create, transpose};
use super::{Prototype, constructors};
use crate::ir::{Atomic, Axpby, Cumsum, Gemm, Gemv, Ger, Hadamard, Sum};

constructors! {
    CONSTRUCTORS;
    /// B := alpha·op(A) + beta·B.
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
    /// B := alpha·(running sums of A along a mode) + beta·B.
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
    /// B := alpha·(sums of the rows of op(A), or the sum of a vector) + beta·B.
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
    /// C := alpha·op(A)·op(B) + beta·C.
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
    /// c := alpha·op(A)·b + beta·c.
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
    /// C := alpha·a·b^T + beta·C.
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
    /// C := alpha·A∘B + beta·C, entry by entry.
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
