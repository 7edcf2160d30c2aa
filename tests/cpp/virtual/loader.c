/* SPDX-License-Identifier: BSD-3-Clause */

/* What is asked of a loader. */

#include "later.h"
#include "test.h"

#include <string.h>

void test_loader(void) {
    OK(zeLoaderInit);
    CHECK(CALL(zeLoaderGetTracingHandle) == NULL);
    size_t count = 0;
    OK(zelLoaderGetVersions, &count, NULL);
    CHECK(count == 1);
    component version = {.api = 0};
    OK(zelLoaderGetVersions, &count, &version);
    CHECK(strcmp(version.name, "loader") == 0 && version.api == ZE_MAKE_VERSION(1, 14));
    component same = {.api = 0};
    OK(zelLoaderGetVersionsInternal, &count, &same);
    CHECK(memcmp(&same, &version, sizeof(same)) == 0);
    OK(zelGetLoaderVersion, &same);
    CHECK(same.version[0] == 1);
    EXPECT(NULL_POINTER, zelGetLoaderVersion, NULL);
    uint8_t is_outdated = 1;
    OK(zelLoaderDriverCheck, 0, NULL, NULL, NULL, &is_outdated, 0);
    CHECK(is_outdated == 0);
    void *handle = NULL;
    OK(zelLoaderTranslateHandle, 0, &count, &handle);
    CHECK(handle == &count);
    OK(zelLoaderTranslateHandleInternal, 0, &version, &handle);
    CHECK(handle == &version);
    EXPECT(NULL_HANDLE, zelLoaderTranslateHandle, 0, NULL, &handle);
}
