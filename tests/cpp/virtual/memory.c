/* SPDX-License-Identifier: BSD-3-Clause */

/* Memory. */

#include "test.h"

static void test_free(struct test const *t, void *memory) {
    ze_memory_free_ext_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MEMORY_FREE_EXT_DESC,
                                      .freePolicy =
                                          ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE};
    EXPECT(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, zeMemFreeExt, t->context, &desc, memory);
    desc.freePolicy = 8;
    EXPECT(ZE_RESULT_ERROR_INVALID_ENUMERATION, zeMemFreeExt, t->context, &desc, memory);
    desc.freePolicy = ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE;
    OK(zeMemFreeExt, t->context, &desc, memory);
    EXPECT(NULL_POINTER, zeMemFree, t->context, NULL);
    EXPECT(INVALID, zeMemFree, t->context, memory);
}

/* Every kind of memory has the alignment that is asked for and that of a page, whatever its size. */
static void test_alignment(struct test const *t) {
    enum { kinds = 3, most = 4 };
    ze_device_mem_alloc_desc_t const device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    ze_host_mem_alloc_desc_t const host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    size_t const sizes[] = {1, 7, 64, 100, 4095, 4096, 4097, 32400, 65536, 65537, 1000000};
    for (size_t alignment = 1; alignment <= 65536; alignment *= 2) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
            void *memory[kinds][most];
            for (int i = 0; i < most; ++i) {
                OK(zeMemAllocDevice, t->context, &device, sizes[s], alignment, t->device,
                   &memory[0][i]);
                OK(zeMemAllocHost, t->context, &host, sizes[s], alignment, &memory[1][i]);
                OK(zeMemAllocShared, t->context, &device, &host, sizes[s], alignment, t->device,
                   &memory[2][i]);
            }
            for (int i = 0; i < kinds * most; ++i) {
                uintptr_t const address = (uintptr_t)memory[i / most][i % most];
                ze_memory_allocation_properties_t properties = {
                    .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
                OK(zeMemGetAllocProperties, t->context, (void *)address, &properties, NULL);
                CHECK(properties.pageSize >= 4096);
                CHECK(address % alignment == 0 && address % properties.pageSize == 0);
                OK(zeMemFree, t->context, (void *)address);
            }
        }
    }
    /* What is no power of two, or too large, is none (zeMemAllocDevice, zeMemAllocHost, zeMemAllocShared). */
    size_t const wrong[] = {3, 6, 12, 100, 4097, 65535, (size_t)1 << 40, SIZE_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        void *memory = NULL;
        EXPECT(ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT, zeMemAllocDevice, t->context, &device, 8,
               wrong[i], t->device, &memory);
        EXPECT(ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT, zeMemAllocHost, t->context, &host, 8,
               wrong[i], &memory);
        EXPECT(ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT, zeMemAllocShared, t->context, &device, &host,
               8, wrong[i], t->device, &memory);
        CHECK(memory == NULL);
    }
}

void test_memory(struct test const *t) {
    test_alignment(t);
    ze_device_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    ze_host_mem_alloc_desc_t host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    void *memory = NULL;
    EXPECT(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, zeMemAllocDevice, t->context, &desc, 0, 0, t->device,
           &memory);
    EXPECT(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, zeMemAllocDevice, t->context, &desc, (size_t)1 << 60,
           0, t->device, &memory);
    EXPECT(ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT, zeMemAllocDevice, t->context, &desc, 8, 3,
           t->device, &memory);
    EXPECT(NULL_HANDLE, zeMemAllocDevice, t->context, &desc, 8, 0, NULL, &memory);
    EXPECT(NULL_POINTER, zeMemAllocDevice, t->context, &desc, 8, 0, t->device, NULL);
    EXPECT(NULL_POINTER, zeMemAllocHost, t->context, NULL, 8, 0, &memory);
    desc.flags = 64;
    EXPECT(ZE_RESULT_ERROR_INVALID_ENUMERATION, zeMemAllocDevice, t->context, &desc, 8, 0,
           t->device, &memory);
    desc.flags = 0;
    OK(zeMemAllocDevice, t->context, &desc, 100, 4096, t->device, &memory);
    CHECK((uintptr_t)memory % 4096 == 0);

    ze_memory_allocation_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
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
