/* SPDX-License-Identifier: BSD-3-Clause */

/**
 * \file
 * Computation of the examples in C: Q_e <- Q_e + dt K P_e for all elements e, with K of size 20 x 20
 * and P_e, Q_e of size 20 x 9. Matrices are stored by columns, element after element.
 */

#ifndef EXAMPLES_UPDATE_H
#define EXAMPLES_UPDATE_H

#include <stddef.h>
#include <stdint.h>

enum {
    /** Rows of P_e and Q_e, order of K. */
    update_rows = 20,
    /** Columns of P_e and Q_e. */
    update_cols = 9,
    update_size_K = update_rows * update_rows,
    /** Numbers of an element in P and Q. */
    update_size_Q = update_rows * update_cols,
    /** Bytes to which the compiler assumes pointers to be aligned. */
    update_alignment = 128
};

/** dt of every step; a power of two. */
#define UPDATE_DT 0.125f

/** The kernel `update`. Arguments: dt, K, P, elements, Q, elements. */
extern char const update_text[];

/** Choices of the command line. */
struct update_options {
    int64_t elements;
    int steps;
    /** A word of the program's own, from --memory; NULL unless given. */
    char const *memory;
    int help;
};

/**
 * Reads a command line with -e N, -n N, -h, and, if `memories` is not NULL, -m WORD.
 *
 * \param memories what WORD may be, with NULL behind the last; or NULL
 *
 * \return 1, or 0 after saying on the standard error stream what makes no sense
 */
int update_parse(struct update_options *options, int argc, char **argv,
                 char const *const *memories);

/** Fills K, P and Q with reproducible numbers in [-1, 1). */
void update_fill(float *K, float *P, float *Q, int64_t elements);

/**
 * Compares every number of Q with the exact result of so many steps, computed in double precision.
 *
 * \return the largest error as a fraction of what rounding allows; NaN if a number is NaN
 */
double update_worst_error(float const *K, float const *P, float const *Q, int64_t elements,
                          int steps);

/** Milliseconds since some moment. */
double update_milliseconds(void);

/**
 * Prints times and errors.
 *
 * \param compile_time of text and driver, in milliseconds
 * \param time of all steps, in milliseconds
 *
 * \return the exit code: 0 if every result is right, else 1
 */
int update_report(struct update_options const *options, double compile_time, double time,
                  double worst_error);

#endif /* EXAMPLES_UPDATE_H */
