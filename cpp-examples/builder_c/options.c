/* SPDX-License-Identifier: BSD-3-Clause */

#include "options.h"

#include <stdio.h>
#include <string.h>

char const help_text[] =
    "Usage: builder_c [options]\n"
    "\n"
    "Builds the kernel Y(:,j) <- alpha X(:,j) + Y(:,j) without a text, prints it, compiles\n"
    "it for a device and writes the SPIR-V module to a file. No device has to be there.\n"
    "\n"
    "Options:\n"
    "  -d, --device NAME   device to compile for, for example pvc or bmg (default pvc)\n"
    "  -o, --output FILE   file for the module (default saxpy.spv)\n"
    "  -h, --help          this text\n"
    "\n"
    "Exit code: 0 the module is written, 1 something failed, 2 wrong usage.\n";

static bool is(char const *argument, char const *short_name, char const *long_name) {
    return strcmp(argument, short_name) == 0 || strcmp(argument, long_name) == 0;
}

bool parse_options(struct options *opts, int argc, char **argv) {
    *opts = (struct options){"pvc", "saxpy.spv", false};
    for (int i = 1; i < argc; ++i) {
        char const **value = NULL;
        if (is(argv[i], "-h", "--help")) {
            opts->help = true;
            continue;
        }
        if (is(argv[i], "-d", "--device")) {
            value = &opts->device;
        } else if (is(argv[i], "-o", "--output")) {
            value = &opts->output;
        } else {
            fprintf(stderr, "error: unknown argument '%s'\nTry --help.\n", argv[i]);
            return false;
        }
        if (i + 1 == argc) {
            fprintf(stderr, "error: %s needs a value\nTry --help.\n", argv[i]);
            return false;
        }
        *value = argv[++i];
    }
    return true;
}
