/* SPDX-License-Identifier: BSD-3-Clause */

/* Memory. */

#include "test.h"

static void test_free(struct test const *t, void *memory) {
    ze_memory_free_ext_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MEMORY_FREE_EXT_DESC,
                                      .freePolicy = ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE};
    EXPECT(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, zeMemFreeExt, t->context, &desc, memory);
    desc.freePolicy = 8;
    EXPECT(ZE_RESULT_ERROR_INVALID_ENUMERATION, zeMemFreeExt, t->context, &desc, memory);
    desc.freePolicy = ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE;
    OK(zeMemFreeExt, t->context, &desc, memory);
    EXPECT(NULL_POINTER, zeMemFree, t->context, NULL);
    EXPECT(INVALID, zeMemFree, t->context, memory);
}

void test_memory(struct test const *t) {
    ze_device_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    ze_host_mem_alloc_desc_t host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    void *memory = NULL;
    EXPECT(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, zeMemAllocDevice, t->context, &desc, 0, 0, t->device, &memory);
    EXPECT(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, zeMemAllocDevice, t->context, &desc, (size_t)1 << 60, 0, t->device, &memory);
    EXPECT(ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT, zeMemAllocDevice, t->context, &desc, 8, 3, t->device, &memory);
    EXPECT(NULL_HANDLE, zeMemAllocDevice, t->context, &desc, 8, 0, NULL, &memory);
    EXPECT(NULL_POINTER, zeMemAllocDevice, t->context, &desc, 8, 0, t->device, NULL);
    EXPECT(NULL_POINTER, zeMemAllocHost, t->context, NULL, 8, 0, &memory);
    desc.flags = 64;
    EXPECT(ZE_RESULT_ERROR_INVALID_ENUMERATION, zeMemAllocDevice, t->context, &desc, 8, 0, t->device, &memory);
    desc.flags = 0;
    OK(zeMemAllocDevice, t->context, &desc, 100, 4096, t->device, &memory);
    CHECK((uintptr_t)memory % 4096 == 0);

    ze_memory_allocation_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
    ze_device_handle_t device = NULL;
    OK(zeMemGetAllocProperties, t->context, (char *)memory + 99, &properties, &device);
    CHECK(properties.type == ZE_MEMORY_TYPE_DEVICE && device == t->device);
    OK(zeMemGetAllocProperties, t->context, &device, &properties, NULL);
    CHECK(properties.type == ZE_MEMORY_TYPE_UNKNOWN);
    void *base = NULL;
    size_t size = 0;
    OK(zeMemGetAddressRange, t->context, (char *)memory + 50, &base, &size);
    CHECK(base == memory && size == 100);
    EXPECT(INVALID, zeMemGetAddressRange, t->context, &device, &base, &size);
    OK(zeContextMakeMemoryResident, t->context, t->device, memory, 100);
    OK(zeContextEvictMemory, t->context, t->device, memory, 100);
    test_free(t, memory);

    OK(zeMemAllocHost, t->context, &host, 8, 0, &memory);
    OK(zeMemGetAllocProperties, t->context, memory, &properties, &device);
    CHECK(properties.type == ZE_MEMORY_TYPE_HOST && device == NULL);
    OK(zeMemFree, t->context, memory);
    OK(zeMemAllocShared, t->context, &desc, &host, 8, 0, NULL, &memory);
    OK(zeMemGetAllocProperties, t->context, memory, &properties, &device);
    CHECK(properties.type == ZE_MEMORY_TYPE_SHARED && device == NULL);
    OK(zeMemFree, t->context, memory);
}
