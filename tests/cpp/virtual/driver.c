/* SPDX-License-Identifier: BSD-3-Clause */

/* The driver and its context. */

#include "later.h"
#include "test.h"

#include <string.h>

static void test_start(struct test *t) {
    uint32_t count = 0;
    EXPECT(ZE_RESULT_ERROR_UNINITIALIZED, zeDriverGet, &count, NULL);
    CHECK(CALL(zerGetDefaultContext) == NULL);
    EXPECT(ZE_RESULT_ERROR_INVALID_ENUMERATION, zeInit, 77);
    EXPECT(ZE_RESULT_ERROR_UNINITIALIZED, zeInit, ZE_INIT_FLAG_VPU_ONLY);
    init_driver_type_desc desc = {.stype = 0, .flags = 2};
    EXPECT(ZE_RESULT_ERROR_UNINITIALIZED, zeInitDrivers, &count, NULL, &desc);
    desc.flags = 1;
    EXPECT(NULL_POINTER, zeInitDrivers, &count, NULL, NULL);
    EXPECT(NULL_POINTER, zeInitDrivers, NULL, NULL, &desc);
    OK(zeInit, ZE_INIT_FLAG_GPU_ONLY);
    OK(zeInit, 0);
    OK(zeInitDrivers, &count, NULL, &desc);
    CHECK(count == 1);
    ze_driver_handle_t same = NULL;
    OK(zeInitDrivers, &count, &same, &desc);
    count = 0;
    OK(zeDriverGet, &count, NULL);
    CHECK(count == 1);
    count = 5;
    OK(zeDriverGet, &count, &t->driver);
    CHECK(count == 1 && t->driver == same);
    EXPECT(NULL_POINTER, zeDriverGet, NULL, NULL);
}

static void test_properties(ze_driver_handle_t driver) {
    ze_api_version_t version = 0;
    OK(zeDriverGetApiVersion, driver, &version);
    CHECK(version == ZE_MAKE_VERSION(1, 14));
    ze_driver_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES};
    OK(zeDriverGetProperties, driver, &properties);
    CHECK(properties.driverVersion != 0);
    ze_driver_ipc_properties_t ipc = {.stype = ZE_STRUCTURE_TYPE_DRIVER_IPC_PROPERTIES, .flags = 1};
    OK(zeDriverGetIpcProperties, driver, &ipc);
    CHECK(ipc.flags == 0);
    uint32_t count = 0;
    OK(zeDriverGetExtensionProperties, driver, &count, NULL);
    CHECK(count > 0);
    ze_driver_extension_properties_t extension;
    count = 1;
    OK(zeDriverGetExtensionProperties, driver, &count, &extension);
    CHECK(count == 1 && strcmp(extension.name, "ZE_extension_float_atomics") == 0);
    void *address = NULL;
    EXPECT(INVALID, zeDriverGetExtensionFunctionAddress, driver, "zexNothing", &address);
    EXPECT(NULL_POINTER, zeDriverGetExtensionFunctionAddress, driver, NULL, &address);
}

void test_driver(struct test *t) {
    test_start(t);
    test_properties(t->driver);
    ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    EXPECT(NULL_HANDLE, zeContextCreate, NULL, &desc, &t->context);
    EXPECT(NULL_POINTER, zeContextCreate, t->driver, NULL, &t->context);
    EXPECT(NULL_POINTER, zeContextCreate, t->driver, &desc, NULL);
    char const *message = NULL;
    OK(zeDriverGetLastErrorDescription, t->driver, &message);
    CHECK(*message == 0);
    OK(zeContextCreate, t->driver, &desc, &t->context);
    OK(zeContextGetStatus, t->context);
    EXPECT(INVALID, zeContextGetStatus, (ze_context_handle_t)t->driver);
    OK(zerGetLastErrorDescription, &message);
    CHECK(strstr(message, "handle") != NULL);

    uint32_t count = 0;
    OK(zeDeviceGet, t->driver, &count, NULL);
    CHECK(count == 1);
    OK(zeDeviceGet, t->driver, &count, &t->device);
    CHECK(CALL(zerTranslateDeviceHandleToIdentifier, t->device) == 0);
    CHECK(CALL(zerTranslateIdentifierToDeviceHandle, 0) == t->device);
    CHECK(CALL(zerTranslateIdentifierToDeviceHandle, 1) == NULL);
    ze_context_handle_t other = NULL;
    OK(zeContextCreateEx, t->driver, &desc, 1, &t->device, &other);
    OK(zeContextDestroy, other);
    other = CALL(zeDriverGetDefaultContext, t->driver);
    CHECK(other != NULL && other == CALL(zerGetDefaultContext));
    OK(zeContextSystemBarrier, t->context, t->device);
    EXPECT(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, zeContextMakeImageResident, t->context, t->device, NULL);
    EXPECT(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, zeContextEvictImage, t->context, t->device, NULL);
}
