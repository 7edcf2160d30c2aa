/* SPDX-License-Identifier: BSD-3-Clause */

/* Modules, their build logs and binaries, and kernels. */

#include "test.h"

#include <string.h>

#define OP(words, opcode) ((uint32_t)(words) << 16 | (opcode))

enum {
    sum = 1,
    item,
    local_item,
    none,
    word,
    wide,
    vector,
    input,
    global,
    local,
    function,
    to,
    value,
    scratch,
    entry,
    two,
    order,
    global_id,
    x,
    local_id,
    lx,
    slot,
    back,
    small,
    result,
    place,
    last
};

uint32_t const sum_module[] = {
    0x07230203, 0x00010000, 0,         last,       0,          OP(2, 17),  4, /* capability
                                                                                 Addresses */
    OP(2, 17),  6,                                                            /* Kernel */
    OP(2, 17),  11,                                                           /* Int64 */
    OP(3, 14),  2,          2, /* memory model Physical64 OpenCL */
    OP(6, 15),  6,          sum,       0x006d7573, item,       local_item, /* entry point "sum" */
    OP(4, 71),  item,       11,        28, /* item is GlobalInvocationId */
    OP(4, 71),  local_item, 11,        27, /* local_item is LocalInvocationId */
    OP(2, 19),  none,       OP(4, 21), word,       32,         0,          OP(4, 21),  wide,
    64,         0,          OP(4, 23), vector,     wide,       3,          OP(4, 32),  input,
    1,          vector,     OP(4, 32), global,     5,          word,       OP(4, 32),  local,
    4,          word,       OP(6, 33), function,   none,       global,     word,       local,
    OP(4, 43),  word,       two,       2,     /* scope of a work-group */
    OP(4, 43),  word,       order,     0x108, /* acquire and release its memory */
    OP(4, 59),  input,      item,      1,          OP(4, 59),  input,      local_item, 1,
    OP(5, 54),  none,       sum,       0,          function,   OP(3, 55),  global,     to,
    OP(3, 55),  word,       value,     OP(3, 55),  local,      scratch,    OP(2, 248), entry,
    OP(4, 61),  vector,     global_id, item,       OP(5, 81),  wide,       x,          global_id,
    0,          OP(4, 61),  vector,    local_id,   local_item, OP(5, 81),  wide,       lx,
    local_id,   0,          OP(5, 70), local,      slot,       scratch,    lx,         OP(5, 62),
    slot,       value,      2,         4,     /* store, aligned by 4 */
    OP(4, 224), two,        two,       order, /* control barrier */
    OP(6, 61),  word,       back,      slot,       2,          4,          OP(4, 113), word,
    small,      x, /* convert to 32 bits */
    OP(5, 128), word,       result,    back,       small,      OP(5, 70),  global,     place,
    to,         x,          OP(5, 62), place,      result,     2,          4,          OP(1, 253),
    OP(1, 56),
};
size_t const sum_module_size = sizeof(sum_module);

static void test_log(ze_module_build_log_handle_t log, char const *expected) {
    size_t size = 0;
    char text[1024] = "";
    OK(zeModuleBuildLogGetString, log, &size, NULL);
    CHECK(size > 0 && size <= sizeof(text));
    OK(zeModuleBuildLogGetString, log, &size, text);
    CHECK(strlen(text) + 1 == size);
    CHECK(strstr(text, expected) != NULL);
    size = 0;
    EXPECT(ZE_RESULT_ERROR_INVALID_SIZE, zeModuleBuildLogGetString, log, &size, text);
    OK(zeModuleBuildLogDestroy, log);
    EXPECT(INVALID, zeModuleBuildLogDestroy, log);
}

static void test_failures(struct test const *t, ze_module_desc_t desc) {
    ze_module_handle_t module = NULL;
    ze_module_build_log_handle_t log = NULL;
    EXPECT(NULL_HANDLE, zeModuleCreate, NULL, t->device, &desc, &module, NULL);
    EXPECT(NULL_POINTER, zeModuleCreate, t->context, t->device, NULL, &module, NULL);
    EXPECT(NULL_POINTER, zeModuleCreate, t->context, t->device, &desc, NULL, NULL);

    uint32_t broken[64];
    memcpy(broken, sum_module, sizeof(broken));
    broken[6] = 5302; /* a capability that no GPU has */
    desc.pInputModule = (uint8_t const *)broken;
    EXPECT(ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, zeModuleCreate, t->context, t->device, &desc,
           &module, &log);
    CHECK(module == NULL && log != NULL);
    test_log(log, "");
    desc.inputSize = 0;
    EXPECT(ZE_RESULT_ERROR_INVALID_SIZE, zeModuleCreate, t->context, t->device, &desc, &module,
           NULL);
    desc.inputSize = 7;
    EXPECT(ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, zeModuleCreate, t->context, t->device, &desc,
           &module, &log);
    test_log(log, "7 bytes");
    desc.format = ZE_MODULE_FORMAT_NATIVE;
    EXPECT(ZE_RESULT_ERROR_INVALID_NATIVE_BINARY, zeModuleCreate, t->context, t->device, &desc,
           &module, &log);
    test_log(log, "no binary");
    desc.format = 7;
    EXPECT(ZE_RESULT_ERROR_INVALID_ENUMERATION, zeModuleCreate, t->context, t->device, &desc,
           &module, NULL);
    desc.pInputModule = NULL;
    desc.format = ZE_MODULE_FORMAT_IL_SPIRV;
    EXPECT(NULL_POINTER, zeModuleCreate, t->context, t->device, &desc, &module, NULL);
}

/* Bytes that the kernel of a module says it spills. */
static uint32_t spill_of(ze_module_handle_t module) {
    ze_kernel_desc_t const desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "sum"};
    ze_kernel_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES};
    ze_kernel_handle_t kernel = NULL;
    OK(zeKernelCreate, module, &desc, &kernel);
    OK(zeKernelGetProperties, kernel, &properties);
    OK(zeKernelDestroy, kernel);
    return properties.spillMemSize;
}

/* Kernels spill if the environment says so, but not in the larger register file, which a native binary keeps. */
static void test_register_files(struct test const *t) {
    char const *const set = getenv("VIRTUAL_XE_SPILL");
    uint32_t const expected = set ? (uint32_t)strtoul(set, NULL, 10) : 0;
    CHECK(spill_of(t->module) == expected);
    char const *const flags[] = {"-ze-opt-large-register-file", "-cl-intel-256-GRF-per-thread"};
    for (int i = 0; i < 2; ++i) {
        ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                 .format = ZE_MODULE_FORMAT_IL_SPIRV,
                                 .inputSize = sum_module_size,
                                 .pInputModule = (uint8_t const *)sum_module,
                                 .pBuildFlags = flags[i]};
        ze_module_handle_t module = NULL;
        OK(zeModuleCreate, t->context, t->device, &desc, &module, NULL);
        CHECK(spill_of(module) == 0);
        size_t size = 0;
        OK(zeModuleGetNativeBinary, module, &size, NULL);
        uint8_t *binary = malloc(size);
        CHECK(binary != NULL);
        OK(zeModuleGetNativeBinary, module, &size, binary);
        OK(zeModuleDestroy, module);
        desc.format = ZE_MODULE_FORMAT_NATIVE;
        desc.inputSize = size;
        desc.pInputModule = binary;
        desc.pBuildFlags = NULL;
        OK(zeModuleCreate, t->context, t->device, &desc, &module, NULL);
        CHECK(spill_of(module) == 0);
        OK(zeModuleDestroy, module);
        free(binary);
    }
}

void test_module(struct test *t) {
    ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                             .format = ZE_MODULE_FORMAT_IL_SPIRV,
                             .inputSize = sum_module_size,
                             .pInputModule = (uint8_t const *)sum_module};
    test_failures(t, desc);
    ze_module_handle_t module = NULL;
    ze_module_build_log_handle_t log = NULL;
    OK(zeModuleCreate, t->context, t->device, &desc, &module, &log);
    test_log(log, "");

    /* Out of the binary comes the module that is used from here on. */
    size_t size = 0;
    OK(zeModuleGetNativeBinary, module, &size, NULL);
    CHECK(size > sum_module_size);
    uint8_t *binary = malloc(size);
    CHECK(binary != NULL);
    OK(zeModuleGetNativeBinary, module, &size, binary);
    OK(zeModuleDestroy, module);
    desc.format = ZE_MODULE_FORMAT_NATIVE;
    desc.inputSize = size;
    desc.pInputModule = binary;
    OK(zeModuleCreate, t->context, t->device, &desc, &t->module, NULL);
    binary[12] ^= 1; /* in the device's name */
    EXPECT(ZE_RESULT_ERROR_INVALID_NATIVE_BINARY, zeModuleCreate, t->context, t->device, &desc,
           &module, NULL);
    free(binary);

    test_register_files(t);

    uint32_t count = 0;
    char const *name = NULL;
    OK(zeModuleGetKernelNames, t->module, &count, NULL);
    CHECK(count == 1);
    OK(zeModuleGetKernelNames, t->module, &count, &name);
    CHECK(strcmp(name, "sum") == 0);
    ze_module_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_MODULE_PROPERTIES, .flags = 1};
    OK(zeModuleGetProperties, t->module, &properties);
    CHECK(properties.flags == 0);
    void *pointer = NULL;
    EXPECT(ZE_RESULT_ERROR_INVALID_GLOBAL_NAME, zeModuleGetGlobalPointer, t->module, "x", &size,
           &pointer);
    EXPECT(ZE_RESULT_ERROR_INVALID_FUNCTION_NAME, zeModuleGetFunctionPointer, t->module, "x",
           &pointer);
    OK(zeModuleDynamicLink, 1, &t->module, &log);
    OK(zeModuleBuildLogDestroy, log);
    ze_linkage_inspection_ext_desc_t const inspection = {
        .stype = ZE_STRUCTURE_TYPE_LINKAGE_INSPECTION_EXT_DESC};
    OK(zeModuleInspectLinkageExt, (ze_linkage_inspection_ext_desc_t *)&inspection, 1, &t->module,
       &log);
    test_log(log, "");
}
