/* SPDX-License-Identifier: BSD-3-Clause */

/* What the fake drivers share. A test says which call goes wrong and how, and asks afterwards what was called
 * and what is still alive. Structures and numbers are declared from the specifications, not taken from a
 * header, so that the tests also compare the layouts. */

#ifndef TILETC_FAKE_H
#define TILETC_FAKE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Calls since the test last set this to 0. What changes without a test's doing is atomic, since drivers
 * serve all threads. */
atomic_int fake_calls;
/* Which of them goes wrong: 0 none, n the n-th, -1 all. */
int fake_fault_at;
/* What it returns. If that means success it returns at once, and has done nothing. */
int fake_fault_code;
/* The function that went wrong last. */
char fake_faulty[64];
/* Objects that were made and not yet given back. */
atomic_int fake_live;
/* Whether the compiler refuses every module. */
int fake_refuses;
/* Bytes that every kernel says it spills, in the usual register file and in the larger one; and work-items that fit into a
 * work-group there. */
int fake_spills, fake_spills_in_large, fake_fit_in_large = 1024;
/* Modules that were built, and whether the last one got the larger register file. */
atomic_int fake_builds, fake_large_register_file;
/* What it then has to say: 0 a sentence, 1 nothing, 2 bytes that are no text,
 * 3 more than there is memory, 4 a million sentences. */
int fake_log;

/* What the driver tells of the device: its IP version, its PCI id, and which of the names below it has. */
int fake_ip_version = 0x030f0007, fake_device_id, fake_name;

static char const *fake_device_name(void) {
    static char const *const names[] = {"fake", "Intel(R) Arc(TM) B580 Graphics", "Intel(R) Graphics [0x64a0]"};
    return names[fake_name];
}

/* Counts a call; whether it goes wrong. */
static int fake_enter(char const *name) {
    int const call = ++fake_calls;
    if (fake_fault_at != -1 && fake_fault_at != call) return 0;
    strncpy(fake_faulty, name, sizeof fake_faulty - 1);
    return 1;
}

/* To stand first in a function that returns a code. */
#define FAKE_CALL                                                                                  \
    if (fake_enter(__func__)) return fake_fault_code

/* The bytes of the log, with their NUL, if `text` is not NULL; how many they are. */
static size_t fake_write_log(char *text, size_t size) {
    static char const sentence[] = "error: not good\n";
    static char const noise[] = "\xff\xfe evil \x80";
    size_t const million = 1000000, length = sizeof sentence - 1;
    char const *message = fake_log == 1 ? "" : fake_log == 2 ? noise : sentence;
    if (fake_log == 3) return SIZE_MAX;
    if (fake_log == 4) {
        if (text && size > million * length) {
            for (size_t i = 0; i < million; ++i) memcpy(text + i * length, sentence, length);
            text[million * length] = 0;
        }
        return million * length + 1;
    }
    if (text && size > strlen(message)) strcpy(text, message);
    return strlen(message) + 1;
}

/* Whether a module has a kernel of the name. */
static int fake_is_kernel(char const *name) {
    static char const *const names[] = {"fused_kernel", "gemm", "gemm_beta0", "multiply", "update"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (strcmp(name, names[i]) == 0) return 1;
    return 0;
}

#endif /* TILETC_FAKE_H */
