/* SPDX-License-Identifier: BSD-3-Clause */

/* What a device says of itself; it is the default one, pvc. */

#include "later.h"
#include "test.h"

#include <string.h>

static void test_kernels(ze_device_handle_t device) {
    ze_device_compute_properties_t compute = {.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES};
    OK(zeDeviceGetComputeProperties, device, &compute);
    CHECK(compute.maxTotalGroupSize == 1024 && compute.maxSharedLocalMemory == 128 * 1024);
    CHECK(compute.numSubGroupSizes == 2 && compute.subGroupSizes[0] == 16);
    ze_float_atomic_ext_properties_t atomics = {.stype =
                                                    ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES};
    ze_device_module_properties_t module = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES,
                                            .pNext = &atomics};
    OK(zeDeviceGetModuleProperties, device, &module);
    CHECK(module.spirvVersionSupported == ZE_MAKE_VERSION(1, 4));
    CHECK((module.flags & ZE_DEVICE_MODULE_FLAG_FP64) != 0 && module.fp64flags != 0);
    CHECK((atomics.fp64Flags & ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD) != 0);
}

static void test_memory_properties(ze_device_handle_t device) {
    uint32_t count = 0;
    OK(zeDeviceGetMemoryProperties, device, &count, NULL);
    CHECK(count == 1);
    ze_device_memory_properties_t memory = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES};
    OK(zeDeviceGetMemoryProperties, device, &count, &memory);
    CHECK(memory.totalSize > 0);
    ze_device_memory_access_properties_t access = {
        .stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES,
        .sharedSystemAllocCapabilities = 1};
    OK(zeDeviceGetMemoryAccessProperties, device, &access);
    CHECK(access.deviceAllocCapabilities != 0 && access.sharedSystemAllocCapabilities == 0);
    ze_device_cache_properties_t cache = {.stype = ZE_STRUCTURE_TYPE_DEVICE_CACHE_PROPERTIES};
    count = 1;
    OK(zeDeviceGetCacheProperties, device, &count, &cache);
    CHECK(count == 1 && cache.cacheSize > 0);
    ze_device_image_properties_t image = {.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES,
                                          .maxSamplers = 9};
    OK(zeDeviceGetImageProperties, device, &image);
    CHECK(image.stype == ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES && image.maxSamplers == 0);
    ze_device_external_memory_properties_t external = {
        .stype = ZE_STRUCTURE_TYPE_DEVICE_EXTERNAL_MEMORY_PROPERTIES, .imageImportTypes = 1};
    OK(zeDeviceGetExternalMemoryProperties, device, &external);
    CHECK(external.imageImportTypes == 0);
    EXPECT(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, zeDeviceReserveCacheExt, device, 1, 1);
    EXPECT(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, zeDeviceSetCacheAdviceExt, device, &cache, 1, 0);
}

static void test_relations(ze_device_handle_t device) {
    uint32_t count = 9;
    OK(zeDeviceGetSubDevices, device, &count, NULL);
    CHECK(count == 0);
    // A device of one tile has no parts, whatever there is room for.
    ze_device_handle_t parts[2] = {device, device};
    count = 2;
    OK(zeDeviceGetSubDevices, device, &count, parts);
    CHECK(count == 0 && parts[0] == device && parts[1] == device);
    ze_device_handle_t root = device;
    OK(zeDeviceGetRootDevice, device, &root);
    CHECK(root == NULL);
    ze_device_p2p_properties_t p2p = {.stype = ZE_STRUCTURE_TYPE_DEVICE_P2P_PROPERTIES};
    OK(zeDeviceGetP2PProperties, device, device, &p2p);
    CHECK((p2p.flags & ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS) != 0);
    ze_bool_t can = 0;
    OK(zeDeviceCanAccessPeer, device, device, &can);
    CHECK(can);
    EXPECT(NULL_HANDLE, zeDeviceCanAccessPeer, device, NULL, &can);
    ze_pci_ext_properties_t pci = {.stype = ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES};
    OK(zeDevicePciGetPropertiesExt, device, &pci);
    CHECK(pci.address.bus == 0);
}

void test_device(struct test const *t) {
    ze_device_handle_t const device = t->device;
    ze_eu_count_ext_t units = {.stype = ZE_STRUCTURE_TYPE_EU_COUNT_EXT};
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES,
                                         .pNext = &units};
    OK(zeDeviceGetProperties, device, &properties);
    CHECK(properties.type == ZE_DEVICE_TYPE_GPU && properties.vendorId == 0x8086);
    CHECK(strcmp(properties.name, "virtual-xe pvc") == 0);
    CHECK(properties.timerResolution == 1 && units.numTotalEUs > 0);
    properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
    OK(zeDeviceGetProperties, device, &properties);
    CHECK(properties.timerResolution == 1000000000);
    EXPECT(NULL_HANDLE, zeDeviceGetProperties, NULL, &properties);
    EXPECT(NULL_POINTER, zeDeviceGetProperties, device, NULL);
    EXPECT(INVALID, zeDeviceGetProperties, (ze_device_handle_t)1, &properties);
    test_kernels(device);
    test_memory_properties(device);
    test_relations(device);

    uint32_t count = 0;
    OK(zeDeviceGetCommandQueueGroupProperties, device, &count, NULL);
    CHECK(count == 1);
    ze_command_queue_group_properties_t group = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES};
    OK(zeDeviceGetCommandQueueGroupProperties, device, &count, &group);
    CHECK((group.flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE) != 0 && group.numQueues > 0);
    OK(zeDeviceGetStatus, device);
    OK(zeDeviceSynchronize, device);
    uint64_t host = 0, first = 0, second = 0;
    OK(zeDeviceGetGlobalTimestamps, device, &host, &first);
    OK(zeDeviceGetGlobalTimestamps, device, &host, &second);
    CHECK(first > 0 && second >= first);
}
