/* SPDX-License-Identifier: BSD-3-Clause */

/**
 * \file
 * Floating-point environments in which a host may call: with traps, another rounding, and without
 * subnormal numbers.
 */

#ifndef TILETC_TESTS_FLOAT_ENVIRONMENT_H
#define TILETC_TESTS_FLOAT_ENVIRONMENT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fenv.h>

#if defined(__x86_64__) && defined(FE_NOMASK_ENV)
#define TILETC_CAN_TRAP 1
#include <xmmintrin.h>
#endif

/** Settings that a host asks the processor for. */
struct float_environment {
    char const *name;
    int traps;
    int rounding;
    int flush_to_zero;
};

#ifdef TILETC_CAN_TRAP

/** Flushes results (0x8000) and operands (0x0040). */
#define TILETC_FLUSH_BITS 0x8040u

static struct float_environment const float_environments[] = {
    {"traps", FE_ALL_EXCEPT, FE_TONEAREST, 0}, {"upward", 0, FE_UPWARD, 0},
    {"downward", 0, FE_DOWNWARD, 0},           {"to zero", 0, FE_TOWARDZERO, 0},
    {"no subnormals", 0, FE_TONEAREST, 1},     {"all of it", FE_ALL_EXCEPT, FE_UPWARD, 1}};

enum { num_float_environments = sizeof float_environments / sizeof float_environments[0] };

/** The flags raised in the environment: one that nobody may lose, unless it would be trapped. */
static inline int raised_in(struct float_environment const *env) {
    return env->traps ? 0 : FE_INEXACT;
}

/** Enters the environment. */
static inline void enter(struct float_environment const *env) {
    fesetenv(FE_DFL_ENV);
    feraiseexcept(raised_in(env));
    fesetround(env->rounding);
    _mm_setcsr(_mm_getcsr() | (env->flush_to_zero ? TILETC_FLUSH_BITS : 0u));
    feenableexcept(env->traps);
}

/** Returns whether the environment is still what it was. */
static inline int is_in(struct float_environment const *env) {
    return fegetexcept() == env->traps && fegetround() == env->rounding &&
           fetestexcept(FE_ALL_EXCEPT) == raised_in(env) &&
           (_mm_getcsr() & TILETC_FLUSH_BITS) == (env->flush_to_zero ? TILETC_FLUSH_BITS : 0u);
}

/** The environment in which programs start. */
static inline void leave(void) { fesetenv(FE_DFL_ENV); }

#endif /* TILETC_CAN_TRAP */

#endif /* TILETC_TESTS_FLOAT_ENVIRONMENT_H */
