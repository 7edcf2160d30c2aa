/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef TILETC_TESTS_OPENCL_COUNTS_H
#define TILETC_TESTS_OPENCL_COUNTS_H

/** State that the counting layer has of a process that uses one thread. */
struct opencl_counts {
    int programs;      /**< references to programs */
    int kernels;       /**< references to kernels */
    int made_programs; /**< programs that were ever made */
    int made_kernels;  /**< kernels that were ever made */
    int calls;         /**< calls that could fail, since the test set this to 0 */
    int fail_at;       /**< which of them fails; 0 for none */
};

#endif /* TILETC_TESTS_OPENCL_COUNTS_H */
