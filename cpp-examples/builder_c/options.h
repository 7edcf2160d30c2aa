/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef BUILDER_C_OPTIONS_H
#define BUILDER_C_OPTIONS_H

#include <stdbool.h>

/** Options of the command line. */
struct options {
    /** Name of the device that the kernel is compiled for. */
    char const *device;
    /** File that the module is written to. */
    char const *output;
    bool help;
};

/** Reads the command line; says what is wrong and returns false if it makes no sense. */
bool parse_options(struct options *opts, int argc, char **argv);

/** The text of `--help`. */
extern char const help_text[];

#endif /* BUILDER_C_OPTIONS_H */
