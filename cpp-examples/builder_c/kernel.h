/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef BUILDER_C_KERNEL_H
#define BUILDER_C_KERNEL_H

#include <tiletc/tiletc.h>

#include <stddef.h>

/**
 * Makes the program with the kernel of this example.
 *
 * The kernel `saxpy(alpha: f32, X: memref<f32x?x?>, Y: memref<f32x?x?>)` updates one column of Y in
 * each work-group: Y(:,j) <- alpha X(:,j) + Y(:,j), where j is the first component of the group's
 * id. It reads and writes as many rows as X has.
 *
 * \param[out] prg the program, to be released by the caller; not touched on failure
 * \param[out] num_instructions how many instructions its body has, without those in the loop
 * \param ctx context of the program
 */
tiletc_status_t build_saxpy(tiletc_prog_t *prg, size_t *num_instructions,
                            tiletc_compiler_context_t ctx);

#endif /* BUILDER_C_KERNEL_H */
