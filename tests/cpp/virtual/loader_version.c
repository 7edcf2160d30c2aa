/* SPDX-License-Identifier: BSD-3-Clause */

/* Starts the loader that is found first, and says which version of Level Zero it knows. */

#include <level_zero/ze_api.h>

#include <stdio.h>
#include <string.h>

/** A part of the loader, as its own header has it. */
typedef struct {
    char name[64];
    ze_api_version_t api;
    int version[3];
} component;

ze_result_t zelLoaderGetVersions(size_t *count, component *components);

int main(void) {
    component components[16];
    size_t count = 0;
    ze_result_t result = zeInit(ZE_INIT_FLAG_GPU_ONLY);
    if (result != ZE_RESULT_SUCCESS) {
        fprintf(stderr, "zeInit returns %#x\n", (unsigned)result);
        return 1;
    }
    zelLoaderGetVersions(&count, NULL);
    count = count < 16 ? count : 16;
    zelLoaderGetVersions(&count, components);
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(components[i].name, "loader") == 0) {
            printf("loader %d.%d, Level Zero %d.%d\n", components[i].version[0],
                   components[i].version[1], (int)ZE_MAJOR_VERSION(components[i].api),
                   (int)ZE_MINOR_VERSION(components[i].api));
            return 0;
        }
    }
    fprintf(stderr, "the loader has no version\n");
    return 1;
}
