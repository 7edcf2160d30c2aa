/* SPDX-License-Identifier: BSD-3-Clause */

/* The check that the examples in C make of their results: right ones pass, a single wrong number
 * does not. */

#include "check.h"
#include "update.h"

#include <math.h>

enum { elements = 3, steps = 4 };

static float K[update_size_K], P[elements * update_size_Q], Q[elements * update_size_Q];

/** The steps on the host, in single precision. */
static void run_steps(void) {
    for (int n = 0; n < steps * elements; ++n) {
        float const *const p = P + n % elements * update_size_Q;
        float *const q = Q + n % elements * update_size_Q;
        for (int j = 0; j < update_cols; ++j) {
            for (int i = 0; i < update_rows; ++i) {
                float sum = 0.0f;
                for (int k = 0; k < update_rows; ++k) {
                    sum += K[i + k * update_rows] * p[k + j * update_rows];
                }
                q[i + j * update_rows] += UPDATE_DT * sum;
            }
        }
    }
}

static double worst(void) { return update_worst_error(K, P, Q, elements, steps); }

int main(void) {
    update_fill(K, P, Q, elements);
    CHECK(worst() > 1.0);
    run_steps();
    CHECK(worst() <= 1.0);

    float *const last = &Q[elements * update_size_Q - 1];
    float const right = *last;
    *last = right + 1e-4f;
    CHECK(worst() > 1.0);
    *last = NAN;
    CHECK(!(worst() <= 1.0));
    *last = right;
    CHECK(worst() <= 1.0);
    return check_result();
}
