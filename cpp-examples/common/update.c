/* SPDX-License-Identifier: BSD-3-Clause */

#define _POSIX_C_SOURCE 200809L

#include "update.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

char const update_text[] = "func @update(%dt: f32,\n"
                           "             %K: memref<f32x20x20>,\n"
                           "             %P: memref<f32x20x9x?>,\n"
                           "             %Q: memref<f32x20x9x?>) {\n"
                           "    %e = group_id.x : index\n"
                           "    %p = subview %P[0:20,0:9,%e] : memref<f32x20x9>\n"
                           "    %q = subview %Q[0:20,0:9,%e] : memref<f32x20x9>\n"
                           "    %one = constant 1.0 : f32\n"
                           "    gemm %dt, %K, %p, %one, %q\n"
                           "}\n";

/** Reads a whole number from `min` to `max`; 0 after complaining. */
static int whole_number(int64_t *number, char const *option, char const *text, int64_t min,
                        int64_t max) {
    char *end = NULL;
    errno = 0;
    long long const value = strtoll(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || value < min || value > max) {
        fprintf(stderr, "error: %s needs a whole number from %lld to %lld, not '%s'\n", option,
                (long long)min, (long long)max, text);
        return 0;
    }
    *number = value;
    return 1;
}

static int is(char const *argument, char const *short_name, char const *long_name) {
    return strcmp(argument, short_name) == 0 || strcmp(argument, long_name) == 0;
}

/** Looks a word up in the list; if not, that is said. */
static int known(char const *word, char const *const *words) {
    for (char const *const *w = words; *w != NULL; ++w) {
        if (strcmp(word, *w) == 0) {
            return 1;
        }
    }
    fprintf(stderr, "error: --memory cannot be '%s'\n", word);
    return 0;
}

int update_parse(struct update_options *options, int argc, char **argv,
                 char const *const *memories) {
    *options = (struct update_options){.elements = 10000, .steps = 10};
    for (int i = 1; i < argc; ++i) {
        char const *const argument = argv[i];
        if (is(argument, "-h", "--help")) {
            options->help = 1;
            return 1;
        }
        int const elements = is(argument, "-e", "--elements");
        int const steps = is(argument, "-n", "--steps");
        int const memory = memories != NULL && is(argument, "-m", "--memory");
        if (!elements && !steps && !memory) {
            fprintf(stderr, "error: unknown argument '%s'\nTry --help.\n", argument);
            return 0;
        }
        if (++i >= argc) {
            fprintf(stderr, "error: %s needs a value\nTry --help.\n", argument);
            return 0;
        }
        int64_t number = 0;
        if (memory) {
            if (!known(argv[i], memories)) {
                return 0;
            }
            options->memory = argv[i];
        } else if (!whole_number(&number, argument, argv[i], 1, elements ? INT32_MAX : 1000000)) {
            return 0;
        } else if (elements) {
            options->elements = number;
        } else {
            options->steps = (int)number;
        }
    }
    return 1;
}

/** A number in [-1, 1) with 24 bits, the same one for the same index: the finaliser of splitmix64.
 */
static float random_number(uint64_t tensor, int64_t index) {
    uint64_t x = (tensor << 56) + (uint64_t)index;
    x = (x + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    x = x ^ (x >> 31);
    return (float)(x >> 40) * 0x1p-23f - 1.0f;
}

static float initial_Q(int64_t index) { return random_number(2, index); }

void update_fill(float *K, float *P, float *Q, int64_t elements) {
    for (int64_t i = 0; i < update_size_K; ++i) {
        K[i] = random_number(0, i);
    }
    for (int64_t i = 0; i < elements * update_size_Q; ++i) {
        P[i] = random_number(1, i);
        Q[i] = initial_Q(i);
    }
}

/**
 * The error of an entry as a fraction of what rounding allows.
 *
 * A step adds v = dt sum_k K_ik P_kj, with w the same sum of absolute values. Each product goes
 * through at most n = 22 roundings in the sum: its own, 20 additions, and the multiplication with
 * dt. So v is off by at most gamma(n) w, gamma(n) = n u / (1 - n u). Adding it to Q rounds once,
 * which loses at most u times what Q has grown to, (|q_0| + s (1 + gamma) w) (1 + u)^s after s
 * steps. (Higham, Accuracy and Stability, chapter 3.) Double precision loses nothing that would
 * count beside this.
 */
static double entry_error(double found, double initial, double v, double w, int steps) {
    double const u = FLT_EPSILON / 2;
    double const gamma = 22 * u / (1 - 22 * u);
    double const s = steps;
    double const largest = (fabs(initial) + s * (1 + gamma) * w) * exp(s * u);
    double const allowed = s * gamma * w + s * u * largest;
    return fabs(found - (initial + s * v)) / allowed;
}

double update_worst_error(float const *K, float const *P, float const *Q, int64_t elements,
                          int steps) {
    double worst = 0.0;
    for (int64_t e = 0; e < elements; ++e) {
        float const *const p = P + e * update_size_Q;
        for (int64_t j = 0; j < update_cols; ++j) {
            for (int64_t i = 0; i < update_rows; ++i) {
                double v = 0.0, w = 0.0;
                for (int64_t k = 0; k < update_rows; ++k) {
                    double const product = (double)K[i + k * update_rows] * p[k + j * update_rows];
                    v += product;
                    w += fabs(product);
                }
                int64_t const at = e * update_size_Q + j * update_rows + i;
                double const error =
                    entry_error(Q[at], initial_Q(at), UPDATE_DT * v, UPDATE_DT * w, steps);
                if (isnan(error)) {
                    return error;
                }
                worst = fmax(worst, error);
            }
        }
    }
    return worst;
}

double update_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

int update_report(struct update_options const *options, double compile_time, double time,
                  double worst_error) {
    int const pass = worst_error <= 1.0;
    double const per_step = time / options->steps;
    double const operations = 2.0 * update_rows * update_size_Q * (double)options->elements;
    printf("problem         E = %lld, %d step%s, f32\n", (long long)options->elements,
           options->steps, options->steps == 1 ? "" : "s");
    printf("compile time    %10.2f ms\n", compile_time);
    printf("time per step   %10.3f ms       mean\n", per_step);
    printf("performance     %10.1f GFLOP/s  E 2*20*20*9 operations per step\n",
           operations / per_step * 1e-6);
    printf("worst error     %10.2e          of what rounding allows\n", worst_error);
    printf("result          %s\n", pass ? "PASS" : "FAIL");
    return pass ? 0 : 1;
}
