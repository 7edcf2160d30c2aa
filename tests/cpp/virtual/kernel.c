/* SPDX-License-Identifier: BSD-3-Clause */

/* Kernels and their arguments. */

#include "later.h"
#include "test.h"

#include <string.h>

ze_group_count_t const two_groups = {2, 1, 1};

ze_kernel_handle_t make_sum(struct test const *t, uint32_t *to, uint32_t value) {
    ze_kernel_desc_t const desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "sum"};
    ze_kernel_handle_t kernel = NULL;
    OK(zeKernelCreate, t->module, &desc, &kernel);
    OK(zeKernelSetArgumentValue, kernel, 0, sizeof(to), &to);
    OK(zeKernelSetArgumentValue, kernel, 1, sizeof(value), &value);
    OK(zeKernelSetArgumentValue, kernel, 2, 32, NULL);
    OK(zeKernelSetGroupSize, kernel, 8, 1, 1);
    return kernel;
}

static void test_arguments(struct test const *t) {
    uint32_t const number = 1;
    uint64_t const wide = 1;
    ze_kernel_handle_t const kernel = make_sum(t, NULL, 1);
    EXPECT(NULL_HANDLE, zeKernelSetArgumentValue, NULL, 0, 8, &wide);
    EXPECT(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX, zeKernelSetArgumentValue, kernel, 3, 4,
           &number);
    EXPECT(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE, zeKernelSetArgumentValue, kernel, 1, 8,
           &wide);
    char const *message = NULL;
    OK(zerGetLastErrorDescription, &message);
    CHECK(strcmp(message, "argument 2 has 8 bytes instead of 4") == 0);
    EXPECT(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE, zeKernelSetArgumentValue, kernel, 0, 4,
           &number);
    EXPECT(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE, zeKernelSetArgumentValue, kernel, 2, 4,
           &number);
    EXPECT(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE, zeKernelSetArgumentValue, kernel, 2, 0,
           NULL);
    OK(zeKernelSetArgumentValue, kernel, 0, 8, NULL);
    OK(zeKernelDestroy, kernel);
    EXPECT(INVALID, zeKernelDestroy, kernel);
}

static void test_group_sizes(ze_kernel_handle_t kernel) {
    ze_result_t const wrong = ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION;
    EXPECT(wrong, zeKernelSetGroupSize, kernel, 0, 1, 1);
    EXPECT(wrong, zeKernelSetGroupSize, kernel, 1024, 2, 1);
    EXPECT(wrong, zeKernelSetGroupSize, kernel, 65536, 65536, 1);
    uint32_t x = 0, y = 0, z = 0;
    OK(zeKernelSuggestGroupSize, kernel, 96, 7, 1, &x, &y, &z);
    CHECK(x * y * z <= 1024 && 96 % x == 0 && 7 % y == 0 && z == 1);
    EXPECT(ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION, zeKernelSuggestGroupSize, kernel, 0, 1,
           1, &x, &y, &z);
    EXPECT(NULL_POINTER, zeKernelSuggestGroupSize, kernel, 1, 1, 1, NULL, &y, &z);
    OK(zeKernelSuggestMaxCooperativeGroupCount, kernel, &x);
    CHECK(x == 1);
}

void test_kernel(struct test const *t) {
    ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "none"};
    ze_kernel_handle_t kernel = NULL;
    EXPECT(ZE_RESULT_ERROR_INVALID_KERNEL_NAME, zeKernelCreate, t->module, &desc, &kernel);
    desc.pKernelName = NULL;
    EXPECT(NULL_POINTER, zeKernelCreate, t->module, &desc, &kernel);
    desc.pKernelName = "sum";
    EXPECT(NULL_HANDLE, zeKernelCreate, NULL, &desc, &kernel);
    /* A handle of something else */
    EXPECT(INVALID, zeKernelCreate, (ze_module_handle_t)t->context, &desc, &kernel);
    OK(zeKernelCreate, t->module, &desc, &kernel);
    test_arguments(t);
    test_group_sizes(kernel);

    EXPECT(INVALID, zeCommandListAppendLaunchKernel, t->list, kernel, &two_groups, NULL, 0, NULL);
    ze_kernel_preferred_group_size_properties_t preferred = {
        .stype = ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES};
    ze_kernel_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES,
                                         .pNext = &preferred};
    OK(zeKernelGetProperties, kernel, &properties);
    CHECK(properties.numKernelArgs == 3 && properties.requiredGroupSizeX == 0);
    CHECK(properties.maxSubgroupSize == 16 && properties.spillMemSize == 0);
    CHECK(preferred.preferredMultiple == 16);

    ze_kernel_indirect_access_flags_t flags = 0;
    OK(zeKernelSetIndirectAccess, kernel, ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED);
    OK(zeKernelGetIndirectAccess, kernel, &flags);
    CHECK(flags == ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED);
    EXPECT(ZE_RESULT_ERROR_INVALID_ENUMERATION, zeKernelSetIndirectAccess, kernel, 8);
    OK(zeKernelSetCacheConfig, kernel, ZE_CACHE_CONFIG_FLAG_LARGE_SLM);
    OK(zeKernelSetGlobalOffsetExp, kernel, 0, 0, 0);
    ze_scheduling_hint_exp_desc_t hint = {.stype = ZE_STRUCTURE_TYPE_SCHEDULING_HINT_EXP_DESC};
    EXPECT(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, zeKernelSchedulingHintExp, kernel, &hint);
    uint32_t text_size = 0;
    char *text = NULL;
    OK(zeKernelGetSourceAttributes, kernel, &text_size, &text);
    CHECK(text_size == 1 && *text == 0);
    size_t size = 0;
    char name[8];
    OK(zeKernelGetName, kernel, &size, NULL);
    CHECK(size == sizeof("sum"));
    OK(zeKernelGetName, kernel, &size, name);
    CHECK(strcmp(name, "sum") == 0);
    OK(zeKernelDestroy, kernel);
}
