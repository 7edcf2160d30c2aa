/* SPDX-License-Identifier: BSD-3-Clause */

/**
 * \file
 * Just enough of a test framework for C and C++: a test is a program that checks, counts what
 * failed, and returns that as its exit code.
 */

#ifndef TILETC_TESTS_CHECK_H
#define TILETC_TESTS_CHECK_H

#include <stdio.h>

/** CTest takes this exit code for a test that could not be run here. */
#define SKIPPED 77

static int check_failures = 0;

/** Goes on after a failure, so that one run shows all of them. */
#define CHECK(...)                                                                                 \
    do {                                                                                           \
        if (!(__VA_ARGS__)) {                                                                      \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #__VA_ARGS__);              \
            ++check_failures;                                                                      \
        }                                                                                          \
    } while (0)

/** The exit code of the test. */
static inline int check_result(void) {
    if (check_failures != 0) {
        fprintf(stderr, "%d checks failed\n", check_failures);
        return 1;
    }
    return 0;
}

/** The exit code of a test that cannot run, with the reason. */
static inline int skip(char const *why) {
    if (check_failures != 0) {
        return check_result();
    }
    fprintf(stderr, "skipped: %s\n", why);
    return SKIPPED;
}

#endif /* TILETC_TESTS_CHECK_H */
