/* SPDX-License-Identifier: BSD-3-Clause */

/**
 * \file
 * The builder from C: makes a program without a text, prints it, and compiles it to a SPIR-V module
 * in a file. Every status is looked at, and everything is released whatever fails.
 */

#include "kernel.h"
#include "options.h"

#include <tiletc/tiletc.h>

#include <stdint.h>
#include <stdio.h>

/* Everything that has to be released. A handle is NULL until there is something. */
struct handles {
    tiletc_compiler_context_t ctx;
    tiletc_prog_t prg;
    tiletc_core_info_t info;
    tiletc_binary_t bin;
    char *text;
};

static void release(struct handles *handles) {
    /* The release functions refuse NULL, which does no harm. */
    tiletc_string_destroy(handles->text);
    tiletc_binary_release(handles->bin);
    tiletc_core_info_release(handles->info);
    tiletc_prog_release(handles->prg);
    tiletc_compiler_context_release(handles->ctx);
}

static void report(char const *what, const tiletc_location_t *location, void *user_data) {
    (void)location;
    (void)user_data;
    fprintf(stderr, "%s\n", what);
}

static tiletc_status_t write_module(tiletc_binary_t bin, char const *filename, size_t *size) {
    tiletc_bundle_format_t format = tiletc_bundle_format_native;
    uint8_t const *data = NULL;
    TILETC_CHECK_STATUS(tiletc_binary_get_raw(bin, &format, size, &data));
    FILE *file = fopen(filename, "wb");
    if (file == NULL) {
        return tiletc_status_file_io_error;
    }
    size_t const written = fwrite(data, 1, *size, file);
    /* What is still in a buffer is written now. */
    int const closed = fclose(file);
    return written == *size && closed == 0 ? tiletc_status_success : tiletc_status_file_io_error;
}

static tiletc_status_t build_and_compile(struct handles *handles, struct options const *opts) {
    size_t num_instructions = 0;
    size_t size = 0;
    TILETC_CHECK_STATUS(tiletc_compiler_context_create(&handles->ctx));
    TILETC_CHECK_STATUS(tiletc_compiler_context_set_error_reporter(handles->ctx, report, NULL));
    TILETC_CHECK_STATUS(tiletc_core_info_intel_create_from_name(&handles->info, opts->device));

    TILETC_CHECK_STATUS(build_saxpy(&handles->prg, &num_instructions, handles->ctx));
    TILETC_CHECK_STATUS(tiletc_run_function_pass("check-ir", handles->prg, NULL));
    TILETC_CHECK_STATUS(tiletc_prog_print_to_string(handles->prg, &handles->text));
    fputs(handles->text, stdout);

    TILETC_CHECK_STATUS(
        tiletc_prog_compile_to_spirv_and_assemble(&handles->bin, handles->prg, handles->info));
    TILETC_CHECK_STATUS(write_module(handles->bin, opts->output, &size));
    printf("; %zu instructions and a loop body; %zu bytes of SPIR-V for %s in %s\n",
           num_instructions, size, opts->device, opts->output);
    return tiletc_status_success;
}

int main(int argc, char **argv) {
    struct options opts;
    if (!parse_options(&opts, argc, argv)) {
        return 2;
    }
    if (opts.help) {
        fputs(help_text, stdout);
        return 0;
    }
    struct handles handles = {NULL, NULL, NULL, NULL, NULL};
    tiletc_status_t const status = build_and_compile(&handles, &opts);
    release(&handles);
    if (status != tiletc_status_success) {
        fprintf(stderr, "error: tiletc: %s (%d)\n", tiletc_status_to_string(status), (int)status);
        return 1;
    }
    return 0;
}
