/* SPDX-License-Identifier: BSD-3-Clause */

/* The tables that loaders ask for, and the functions that are not there. */

#define _GNU_SOURCE

#include "test.h"

#include <dlfcn.h>
#include <string.h>

typedef ze_result_t (*get_table)(ze_api_version_t, void **);
typedef ze_result_t (*absent_function)(void);

/** A table, and how many functions it has in version 1.14 of Level Zero and in 1.0. */
static struct {
    char const *name;
    int now, first;
} const tables[] = {
    {"zeGetGlobalProcAddrTable", 2, 1},
    {"zeGetDriverProcAddrTable", 9, 5},
    {"zeGetDriverExpProcAddrTable", 1, 0},
    {"zeGetDeviceProcAddrTable", 23, 14},
    {"zeGetDeviceExpProcAddrTable", 1, 0},
    {"zeGetContextProcAddrTable", 9, 8},
    {"zeGetCommandQueueProcAddrTable", 6, 4},
    {"zeGetCommandListProcAddrTable", 38, 26},
    {"zeGetCommandListExpProcAddrTable", 8, 0},
    {"zeGetImageProcAddrTable", 5, 3},
    {"zeGetImageExpProcAddrTable", 3, 0},
    {"zeGetFenceProcAddrTable", 5, 5},
    {"zeGetEventPoolProcAddrTable", 8, 5},
    {"zeGetEventProcAddrTable", 11, 7},
    {"zeGetEventExpProcAddrTable", 1, 0},
    {"zeGetModuleProcAddrTable", 9, 8},
    {"zeGetModuleBuildLogProcAddrTable", 2, 2},
    {"zeGetKernelProcAddrTable", 12, 12},
    {"zeGetKernelExpProcAddrTable", 4, 0},
    {"zeGetSamplerProcAddrTable", 2, 2},
    {"zeGetPhysicalMemProcAddrTable", 2, 2},
    {"zeGetMemProcAddrTable", 12, 9},
    {"zeGetMemExpProcAddrTable", 4, 0},
    {"zeGetVirtualMemProcAddrTable", 7, 7},
    {"zeGetFabricVertexExpProcAddrTable", 4, 0},
    {"zeGetFabricEdgeExpProcAddrTable", 3, 0},
    {"zeGetRTASBuilderExpProcAddrTable", 4, 0},
    {"zeGetRTASParallelOperationExpProcAddrTable", 4, 0},
    {"zeGetRTASBuilderProcAddrTable", 5, 0},
    {"zeGetRTASParallelOperationProcAddrTable", 4, 0},
    {"zerGetGlobalProcAddrTable", 4, 0},
    {"zesGetDeviceExpProcAddrTable", 0, 0},
    {"zesGetDeviceProcAddrTable", 0, 0},
    {"zesGetDiagnosticsProcAddrTable", 0, 0},
    {"zesGetDriverExpProcAddrTable", 0, 0},
    {"zesGetDriverProcAddrTable", 0, 0},
    {"zesGetEngineProcAddrTable", 0, 0},
    {"zesGetFabricPortProcAddrTable", 0, 0},
    {"zesGetFanProcAddrTable", 0, 0},
    {"zesGetFirmwareExpProcAddrTable", 0, 0},
    {"zesGetFirmwareProcAddrTable", 0, 0},
    {"zesGetFrequencyProcAddrTable", 0, 0},
    {"zesGetGlobalProcAddrTable", 0, 0},
    {"zesGetLedProcAddrTable", 0, 0},
    {"zesGetMemoryProcAddrTable", 0, 0},
    {"zesGetOverclockProcAddrTable", 0, 0},
    {"zesGetPerformanceFactorProcAddrTable", 0, 0},
    {"zesGetPowerProcAddrTable", 0, 0},
    {"zesGetPsuProcAddrTable", 0, 0},
    {"zesGetRasExpProcAddrTable", 0, 0},
    {"zesGetRasProcAddrTable", 0, 0},
    {"zesGetSchedulerProcAddrTable", 0, 0},
    {"zesGetStandbyProcAddrTable", 0, 0},
    {"zesGetTemperatureProcAddrTable", 0, 0},
    {"zesGetVFManagementExpProcAddrTable", 0, 0},
    {"zetGetCommandListExpProcAddrTable", 0, 0},
    {"zetGetCommandListProcAddrTable", 0, 0},
    {"zetGetContextProcAddrTable", 0, 0},
    {"zetGetDebugProcAddrTable", 0, 0},
    {"zetGetDeviceExpProcAddrTable", 0, 0},
    {"zetGetDeviceProcAddrTable", 0, 0},
    {"zetGetKernelProcAddrTable", 0, 0},
    {"zetGetMetricDecoderExpProcAddrTable", 0, 0},
    {"zetGetMetricExpProcAddrTable", 0, 0},
    {"zetGetMetricGroupExpProcAddrTable", 0, 0},
    {"zetGetMetricGroupProcAddrTable", 0, 0},
    {"zetGetMetricProcAddrTable", 0, 0},
    {"zetGetMetricProgrammableExpProcAddrTable", 0, 0},
    {"zetGetMetricQueryPoolProcAddrTable", 0, 0},
    {"zetGetMetricQueryProcAddrTable", 0, 0},
    {"zetGetMetricStreamerProcAddrTable", 0, 0},
    {"zetGetMetricTracerExpProcAddrTable", 0, 0},
    {"zetGetModuleProcAddrTable", 0, 0},
    {"zetGetTracerExpProcAddrTable", 0, 0},
    {"zelGetTracerApiProcAddrTable", 0, 0},
};

/** Functions that only refuse. */
static char const *const absent[] = {
    "zeDriverRTASFormatCompatibilityCheckExt",
    "zeDriverRTASFormatCompatibilityCheckExp",
    "zeDeviceImportExternalSemaphoreExt",
    "zeDeviceReleaseExternalSemaphoreExt",
    "zeDeviceGetVectorWidthPropertiesExt",
    "zeDeviceGetFabricVertexExp",
    "zeCommandListAppendImageCopy",
    "zeCommandListAppendImageCopyRegion",
    "zeCommandListAppendImageCopyToMemory",
    "zeCommandListAppendImageCopyFromMemory",
    "zeCommandListAppendImageCopyToMemoryExt",
    "zeCommandListAppendImageCopyFromMemoryExt",
    "zeCommandListAppendSignalExternalSemaphoreExt",
    "zeCommandListAppendWaitExternalSemaphoreExt",
    "zeCommandListCreateCloneExp",
    "zeImageGetProperties",
    "zeImageCreate",
    "zeImageDestroy",
    "zeImageGetAllocPropertiesExt",
    "zeImageViewCreateExt",
    "zeImageGetMemoryPropertiesExp",
    "zeImageViewCreateExp",
    "zeImageGetDeviceOffsetExp",
    "zeEventPoolGetIpcHandle",
    "zeEventPoolOpenIpcHandle",
    "zeEventPoolCloseIpcHandle",
    "zeEventPoolPutIpcHandle",
    "zeKernelGetBinaryExp",
    "zeKernelGetAllocationPropertiesExp",
    "zeSamplerCreate",
    "zeSamplerDestroy",
    "zePhysicalMemCreate",
    "zePhysicalMemDestroy",
    "zeMemGetIpcHandle",
    "zeMemOpenIpcHandle",
    "zeMemCloseIpcHandle",
    "zeMemPutIpcHandle",
    "zeMemGetPitchFor2dImage",
    "zeMemGetIpcHandleFromFileDescriptorExp",
    "zeMemGetFileDescriptorFromIpcHandleExp",
    "zeMemSetAtomicAccessAttributeExp",
    "zeMemGetAtomicAccessAttributeExp",
    "zeVirtualMemReserve",
    "zeVirtualMemFree",
    "zeVirtualMemQueryPageSize",
    "zeVirtualMemMap",
    "zeVirtualMemUnmap",
    "zeVirtualMemSetAccessAttribute",
    "zeVirtualMemGetAccessAttribute",
    "zeFabricVertexGetExp",
    "zeFabricVertexGetSubVerticesExp",
    "zeFabricVertexGetPropertiesExp",
    "zeFabricVertexGetDeviceExp",
    "zeFabricEdgeGetExp",
    "zeFabricEdgeGetVerticesExp",
    "zeFabricEdgeGetPropertiesExp",
    "zeRTASBuilderCreateExp",
    "zeRTASBuilderGetBuildPropertiesExp",
    "zeRTASBuilderBuildExp",
    "zeRTASBuilderDestroyExp",
    "zeRTASParallelOperationCreateExp",
    "zeRTASParallelOperationGetPropertiesExp",
    "zeRTASParallelOperationJoinExp",
    "zeRTASParallelOperationDestroyExp",
    "zeRTASBuilderCreateExt",
    "zeRTASBuilderGetBuildPropertiesExt",
    "zeRTASBuilderBuildExt",
    "zeRTASBuilderCommandListAppendCopyExt",
    "zeRTASBuilderDestroyExt",
    "zeRTASParallelOperationCreateExt",
    "zeRTASParallelOperationGetPropertiesExt",
    "zeRTASParallelOperationJoinExt",
    "zeRTASParallelOperationDestroyExt",
};

static void *find(char const *name) {
    void *const address = dlsym(RTLD_DEFAULT, name);
    if (address == NULL) {
        fprintf(stderr, "there is no %s\n", name);
        exit(1);
    }
    touch(name);
    return address;
}

/** Asks for a table of a version; as many functions have to be written, and nothing behind. */
static void check_table(get_table get, ze_api_version_t version, int expected) {
    enum { most = 64 };
    void *entries[most];
    memset(entries, 0xa5, sizeof(entries));
    void *const untouched = entries[0];
    CHECK(get(version, entries) == ZE_RESULT_SUCCESS);
    for (int i = 0; i < most; ++i) {
        CHECK((entries[i] != untouched) == (i < expected));
        CHECK(entries[i] != NULL);
    }
}

void test_tables(void) {
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); ++i) {
        get_table get;
        *(void **)&get = find(tables[i].name);
        check_table(get, ZE_MAKE_VERSION(1, 14), tables[i].now);
        check_table(get, ZE_MAKE_VERSION(1, 99), tables[i].now);
        check_table(get, ZE_MAKE_VERSION(1, 0), tables[i].first);
        void *entries[64];
        CHECK(get(ZE_MAKE_VERSION(2, 0), entries) == ZE_RESULT_ERROR_UNSUPPORTED_VERSION);
        CHECK(get(ZE_MAKE_VERSION(1, 0), NULL) == NULL_POINTER);
    }
    /* What is in a table is what has the name. */
    get_table get;
    *(void **)&get = find("zeGetGlobalProcAddrTable");
    void *entries[2];
    CHECK(get(ZE_MAKE_VERSION(1, 14), entries) == ZE_RESULT_SUCCESS);
    CHECK(entries[0] == find("zeInit") && entries[1] == find("zeInitDrivers"));
    for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); ++i) {
        absent_function function;
        *(void **)&function = find(absent[i]);
        CHECK(function() == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    }
}
