/* SPDX-License-Identifier: BSD-3-Clause */

#include "kernel.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Nothing here comes from a source text. */
static tiletc_location_t const *const nowhere = NULL;

/* The types that the kernel is made of; they belong to the context. */
struct types {
    tiletc_type_t f32;
    tiletc_type_t index;
    tiletc_type_t nothing;
    tiletc_type_t matrix;
    tiletc_type_t column;
};

static tiletc_status_t get_types(struct types *types, tiletc_compiler_context_t ctx) {
    int64_t const shape[] = {TILETC_DYNAMIC, TILETC_DYNAMIC};
    TILETC_CHECK_STATUS(tiletc_f32_type_get(&types->f32, ctx));
    TILETC_CHECK_STATUS(tiletc_index_type_get(&types->index, ctx));
    TILETC_CHECK_STATUS(tiletc_void_type_get(&types->nothing, ctx));
    /* Without strides, elements of a column are next to each other, and so are the columns. */
    TILETC_CHECK_STATUS(tiletc_memref_type_get(&types->matrix, types->f32, 2, shape, 0, NULL,
                                               tiletc_address_space_global));
    return tiletc_memref_type_get(&types->column, types->f32, 1, shape, 0, NULL,
                                  tiletc_address_space_global);
}

/* The first result of an instruction, NULL if it has none. */
static tiletc_status_t result_of(tiletc_inst_t inst, tiletc_value_t *result) {
    size_t size = 1;
    *result = NULL;
    return tiletc_inst_get_values(inst, &size, result);
}

/* Puts an instruction, or what is left of it after a failure, where it belongs: at the end of the
 * region, or nowhere. `name` and `result` may be NULL. */
static tiletc_status_t append(tiletc_region_t region, tiletc_status_t created, tiletc_inst_t inst,
                              char const *name, tiletc_value_t *result) {
    tiletc_value_t value = NULL;
    TILETC_CHECK_STATUS(created);
    tiletc_status_t const status = tiletc_region_append(region, inst);
    if (status != tiletc_status_success) {
        tiletc_inst_destroy(inst);
        return status;
    }
    TILETC_CHECK_STATUS(result_of(inst, &value));
    if (value != NULL && name != NULL) {
        TILETC_CHECK_STATUS(tiletc_value_set_name(value, name));
    }
    if (result != NULL) {
        *result = value;
    }
    return tiletc_status_success;
}

/* Appends the view of column j. */
static tiletc_status_t append_column(tiletc_region_t body, struct types const *types,
                                     tiletc_value_t matrix, tiletc_value_t rows, tiletc_value_t j,
                                     char const *name, tiletc_value_t *column) {
    /* A static size of zero takes the mode away. */
    int64_t const offsets[] = {0, TILETC_DYNAMIC};
    int64_t const sizes[] = {TILETC_DYNAMIC, 0};
    tiletc_inst_t inst = NULL;
    tiletc_status_t const created = tiletc_subview_inst_create(
        &inst, 2, offsets, 2, sizes, matrix, 1, &j, 1, &rows, types->column, nowhere);
    return append(body, created, inst, name, column);
}

/* Fills the body of the loop: y[i] <- alpha x[i] + y[i]. */
static tiletc_status_t fill_loop(tiletc_region_t loop, struct types const *types,
                                 tiletc_value_t alpha, tiletc_value_t x, tiletc_value_t y) {
    tiletc_inst_t inst = NULL;
    tiletc_value_t i = NULL, x_i = NULL, y_i = NULL, product = NULL, sum = NULL;
    size_t num_parameters = 1;
    TILETC_CHECK_STATUS(tiletc_region_get_parameters(loop, &num_parameters, &i));
    TILETC_CHECK_STATUS(tiletc_value_set_name(i, "i"));

    tiletc_status_t created = tiletc_load_inst_create(&inst, x, 1, &i, types->f32, nowhere);
    TILETC_CHECK_STATUS(append(loop, created, inst, "x_i", &x_i));
    created = tiletc_load_inst_create(&inst, y, 1, &i, types->f32, nowhere);
    TILETC_CHECK_STATUS(append(loop, created, inst, "y_i", &y_i));
    created = tiletc_mul_inst_create(&inst, alpha, x_i, types->f32, nowhere);
    TILETC_CHECK_STATUS(append(loop, created, inst, NULL, &product));
    created = tiletc_add_inst_create(&inst, product, y_i, types->f32, nowhere);
    TILETC_CHECK_STATUS(append(loop, created, inst, NULL, &sum));
    created = tiletc_store_inst_create(&inst, sum, y, 1, &i, nowhere);
    return append(loop, created, inst, NULL, NULL);
}

/* Fills the body of the function, instruction by instruction. */
static tiletc_status_t fill_body(tiletc_region_t body, struct types const *types) {
    tiletc_value_t parameters[3];
    size_t num_parameters = 3;
    TILETC_CHECK_STATUS(tiletc_region_get_parameters(body, &num_parameters, parameters));
    char const *const names[] = {"alpha", "X", "Y"};
    for (size_t i = 0; i < num_parameters; ++i) {
        TILETC_CHECK_STATUS(tiletc_value_set_name(parameters[i], names[i]));
    }

    tiletc_inst_t inst = NULL;
    tiletc_value_t j = NULL, rows = NULL, x = NULL, y = NULL, zero = NULL;
    tiletc_status_t created =
        tiletc_group_id_inst_create(&inst, tiletc_comp3_x, types->index, nowhere);
    TILETC_CHECK_STATUS(append(body, created, inst, "j", &j));
    created = tiletc_size_inst_create(&inst, 0, parameters[1], types->index, nowhere);
    TILETC_CHECK_STATUS(append(body, created, inst, "rows", &rows));
    TILETC_CHECK_STATUS(append_column(body, types, parameters[1], rows, j, "x", &x));
    TILETC_CHECK_STATUS(append_column(body, types, parameters[2], rows, j, "y", &y));

    /* The first bound of the loop is needed now, but it reads better in front: an iterator says
     * where an instruction goes, and points to it afterwards. */
    tiletc_inst_iterator_t iterator = NULL;
    TILETC_CHECK_STATUS(tiletc_region_begin(body, &iterator));
    TILETC_CHECK_STATUS(tiletc_constant_inst_create_zero(&inst, types->index, nowhere));
    tiletc_status_t const inserted = tiletc_region_insert(body, &iterator, inst);
    if (inserted != tiletc_status_success) {
        tiletc_inst_destroy(inst);
        return inserted;
    }
    TILETC_CHECK_STATUS(result_of(iterator, &zero));
    TILETC_CHECK_STATUS(tiletc_value_set_name(zero, "zero"));

    /* The loop has its region before it is in one itself. */
    tiletc_region_t loop = NULL;
    size_t num_regions = 1;
    created = tiletc_foreach_inst_create(&inst, 1, &zero, 1, &rows, nowhere);
    TILETC_CHECK_STATUS(append(body, created, inst, NULL, NULL));
    TILETC_CHECK_STATUS(tiletc_inst_get_regions(inst, &num_regions, &loop));
    return fill_loop(loop, types, parameters[0], x, y);
}

/* Walks over the instructions of a region; those in regions inside of it do not count. */
static tiletc_status_t count_instructions(tiletc_region_t region, size_t *count) {
    tiletc_inst_iterator_t iterator = NULL;
    tiletc_inst_iterator_t end = NULL;
    TILETC_CHECK_STATUS(tiletc_region_begin(region, &iterator));
    TILETC_CHECK_STATUS(tiletc_region_end(region, &end));
    *count = 0;
    while (iterator != end) {
        ++*count;
        TILETC_CHECK_STATUS(tiletc_next_inst(&iterator));
    }
    return tiletc_status_success;
}

/* Has the compiler use subgroups of 16 work-items. */
static tiletc_status_t set_subgroup_size(tiletc_func_t fun, tiletc_compiler_context_t ctx) {
    char const name[] = "subgroup_size";
    tiletc_named_attr_t item = {NULL, NULL};
    tiletc_attr_t dictionary = NULL;
    TILETC_CHECK_STATUS(tiletc_string_attr_get(&item.name, ctx, strlen(name), name));
    TILETC_CHECK_STATUS(tiletc_integer_attr_get(&item.attr, ctx, 16));
    TILETC_CHECK_STATUS(tiletc_dictionary_attr_get(&dictionary, ctx, 1, &item));
    return tiletc_func_set_attr(fun, dictionary);
}

/* Fills a function and gives it to the program, which owns it afterwards. */
static tiletc_status_t complete(tiletc_prog_t prg, tiletc_func_t fun, struct types const *types,
                                size_t *num_instructions, tiletc_compiler_context_t ctx) {
    tiletc_region_t body = NULL;
    TILETC_CHECK_STATUS(tiletc_func_get_body(fun, &body));
    TILETC_CHECK_STATUS(fill_body(body, types));
    TILETC_CHECK_STATUS(count_instructions(body, num_instructions));
    TILETC_CHECK_STATUS(set_subgroup_size(fun, ctx));
    return tiletc_prog_add_function(prg, fun);
}

tiletc_status_t build_saxpy(tiletc_prog_t *prg, size_t *num_instructions,
                            tiletc_compiler_context_t ctx) {
    char const name[] = "saxpy";
    struct types types;
    TILETC_CHECK_STATUS(get_types(&types, ctx));

    tiletc_prog_t program = NULL;
    TILETC_CHECK_STATUS(tiletc_prog_create(&program, ctx, nowhere));

    tiletc_func_t fun = NULL;
    tiletc_type_t const parameters[] = {types.f32, types.matrix, types.matrix};
    tiletc_status_t status =
        tiletc_func_create(&fun, strlen(name), name, 3, parameters, types.nothing, nowhere);
    if (status == tiletc_status_success) {
        status = complete(program, fun, &types, num_instructions, ctx);
        if (status != tiletc_status_success) {
            tiletc_func_destroy(fun);
        }
    }
    if (status != tiletc_status_success) {
        tiletc_prog_release(program);
        return status;
    }
    *prg = program;
    return tiletc_status_success;
}
