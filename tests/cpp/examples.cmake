# SPDX-License-Identifier: BSD-3-Clause

# The examples: that their results are right, and that they notice when they are not.

# tiletc_example_test(<name> <program> <argument>...): its results are right, says the exit code, and no line says
# otherwise.
function(tiletc_example_test name)
    tiletc_add_test(${name} ${ARGN})
    tiletc_keep_builds(${name})
    foreach(test IN ITEMS ${name} virtual_${name})
        if(TEST ${test})
            set_property(TEST ${test} APPEND PROPERTY FAIL_REGULAR_EXPRESSION " FAIL[ \n]")
        endif()
    endforeach()
endfunction()

# tiletc_example_usage(<name> <expected output> <program> <argument>...): it says what is wrong with the arguments.
function(tiletc_example_usage name expected)
    tiletc_expect_test(${name} 2 "${expected}" ${ARGN})
endfunction()

# tiletc_example_refusal(<name> <expected output> <program> <argument>...): it says what else is wrong.
function(tiletc_example_refusal name expected)
    tiletc_expect_test(${name} 1 "${expected}" ${ARGN})
    tiletc_keep_builds(${name})
endfunction()

# One line for each example that is not built
file(GLOB examples CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/cpp-examples"
    "${PROJECT_SOURCE_DIR}/cpp-examples/*/CMakeLists.txt")
list(TRANSFORM examples REPLACE "/CMakeLists.txt$" "")
list(REMOVE_ITEM examples common)
set(reason "a library that the example needs was not found, as CMake says")
if(NOT TILETC_BUILD_EXAMPLES)
    set(reason "TILETC_BUILD_EXAMPLES is off")
endif()
foreach(example IN LISTS examples)
    if(NOT TARGET ${example})
        tiletc_skipped_test(example_${example} "${reason}")
    endif()
endforeach()

# Sets <variable> to a copy of a kernel in which <right> is replaced by <wrong>: a check on the host
# has to notice.
function(tiletc_wrong_kernel variable file right wrong)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    file(READ "${file}" text)
    string(FIND "${text}" "${right}" place)
    if(place EQUAL -1)
        message(FATAL_ERROR "'${right}' does not occur in ${file}")
    endif()
    string(REPLACE "${right}" "${wrong}" text "${text}")
    file(GENERATE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${variable}.ir" CONTENT "${text}")
    set(${variable} "${CMAKE_CURRENT_BINARY_DIR}/${variable}.ir" PARENT_SCOPE)
endfunction()

if(TARGET builder_c)
    tiletc_example_test(builder_c
        builder_c --device bmg --output "${CMAKE_CURRENT_BINARY_DIR}/saxpy.spv")
    tiletc_example_refusal(builder_c_device "invalid arguments"
        builder_c --device i486 --output "${CMAKE_CURRENT_BINARY_DIR}/unwritten.spv")
    tiletc_example_refusal(builder_c_file "file could not be read or written"
        builder_c --output "${CMAKE_CURRENT_BINARY_DIR}/no/such/folder.spv")
    tiletc_example_usage(builder_c_usage "--output needs a value" builder_c --output)
endif()

if(TARGET builder_cpp)
    foreach(precision IN ITEMS f32 f64)
        tiletc_example_test(builder_cpp_${precision}
            builder_cpp --elements 1000 --steps 5 --precision ${precision})
    endforeach()
    # A matrix without entries nearly everywhere, a full one, and groups that are not full
    tiletc_example_test(builder_cpp_sparse
        builder_cpp --elements 33 --steps 2 --order 35 --density 1)
    tiletc_example_test(builder_cpp_full
        builder_cpp --elements 31 --steps 2 --order 10 --density 100)
    tiletc_expect_test(builder_cpp_print 0 "func @sparse_product" builder_cpp --print)
    tiletc_example_usage(builder_cpp_usage "--order needs a whole number"
        builder_cpp --order 0)
endif()

if(TARGET matrix_chain)
    foreach(precision IN ITEMS f32 f64)
        tiletc_example_test(matrix_chain_${precision}
            matrix_chain --elements 1000 --steps 5 --precision ${precision})
    endforeach()
    tiletc_example_refusal(matrix_chain_wrong_kernel "result +FAIL"
        matrix_chain --elements 10 --kernel "${CMAKE_CURRENT_SOURCE_DIR}/wrong_kernel.ir")
    tiletc_example_usage(matrix_chain_usage "--elements needs a whole number"
        matrix_chain --elements many)
endif()

# tiletc_mpirun(<variable> <ranks>): sets <variable> to what starts a program on so many ranks.
function(tiletc_mpirun variable ranks)
    # Open MPI wants to be told twice that whoever runs it as root means it, and that there may be more ranks than cores.
    set(${variable} "${CMAKE_COMMAND}" -E env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
        OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
        "${MPIEXEC_EXECUTABLE}" ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${MPIEXEC_PREFLAGS} PARENT_SCOPE)
endfunction()

if(TARGET matrix_chain_mpi)
    tiletc_mpirun(mpirun 2)
    set(chain "$<TARGET_FILE:matrix_chain_mpi>")
    foreach(precision IN ITEMS f32 f64)
        # One rank has an element more than the other.
        tiletc_expect_test(matrix_chain_mpi_${precision} 0
            "   0       250 .*   1       251 .*result +PASS"
            ${mpirun} "${chain}" --elements 501 --steps 3 --precision ${precision})
    endforeach()
    tiletc_example_refusal(matrix_chain_mpi_wrong_kernel "result +FAIL"
        ${mpirun} "${chain}" --elements 10 --kernel "${CMAKE_CURRENT_SOURCE_DIR}/wrong_kernel.ir")
    # A rank that fails does not leave the others waiting.
    tiletc_example_refusal(matrix_chain_mpi_no_kernel "cannot read `nowhere.ir`"
        ${mpirun} "${chain}" --elements 10 --kernel nowhere.ir)
    tiletc_example_usage(matrix_chain_mpi_usage "needs one element for each rank"
        ${mpirun} "${chain}" --elements 1)
endif()

if(TARGET jit)
    foreach(sizes IN ITEMS 1x1x1 7x1x33x9x5 56x35x20 17x16x15x14x13x12x11x10x9)
        foreach(precision IN ITEMS f32 f64)
            tiletc_example_test(jit_${sizes}_${precision}
                jit --elements 37 --steps 3 --sizes ${sizes} --precision ${precision})
        endforeach()
    endforeach()
    foreach(sizes IN ITEMS 3 3x4 3x0x4 3x4xx5 3x4x5x 3x4x2000 1x2x3x4x5x6x7x8x9x10)
        tiletc_example_usage(jit_usage_${sizes} "--sizes needs 3 to 9 sizes"
            jit --sizes ${sizes})
    endforeach()
endif()

if(TARGET opencl_c)
    foreach(memory IN ITEMS buffer usm)
        tiletc_example_test(opencl_c_${memory}
            opencl_c --elements 1000 --steps 3 --memory ${memory})
    endforeach()
    tiletc_example_usage(opencl_c_usage "--memory cannot be 'svm'" opencl_c --memory svm)
    tiletc_example_usage(opencl_c_usage_number "--elements needs a whole number"
        opencl_c --elements 1e3)
endif()
if(TARGET examples_update)
    tiletc_test(example_check example_check.c c_std_11 examples_update)
else()
    tiletc_skipped_test(example_check "TILETC_BUILD_EXAMPLES is off")
endif()

if(TARGET dg_volume)
    foreach(precision IN ITEMS f32 f64)
        foreach(order RANGE 2 7)
            tiletc_example_test(dg_volume_${precision}_${order}
                dg_volume --elements 37 --steps 3 --order ${order} --precision ${precision})
        endforeach()
    endforeach()
    set(volume "${PROJECT_SOURCE_DIR}/cpp-examples/dg_volume/volume.ir")
    tiletc_wrong_kernel(wrong_volume "${volume}" "%below, %c1, %q" "%below, %c0, %q")
    tiletc_example_refusal(dg_volume_wrong_kernel " FAIL\n$"
        dg_volume --elements 10 --order 4 --kernel "${wrong_volume}")
endif()

if(TARGET ader_dg)
    # The error falls with the order of the scheme.
    foreach(order RANGE 2 5)
        tiletc_example_test(ader_dg_order_${order} ader_dg --convergence --order ${order} --finer 3)
        if(TEST virtual_ader_dg_order_${order})
            set_property(TEST virtual_ader_dg_order_${order} APPEND PROPERTY
                ENVIRONMENT_MODIFICATION "VIRTUAL_XE_DEVICE=set:bmg")
        endif()
    endforeach()
    # Local time steps, of two lengths and of three
    set(local ader_dg --convergence --clusters 3)
    tiletc_example_test(ader_dg_clusters_order_2 ${local} --order 2 --thin 4)
    tiletc_example_test(ader_dg_clusters_order_3 ${local} --order 3 --thin 4 --finer 3)
    tiletc_example_test(ader_dg_clusters_order_4 ${local} --order 4 --thin 2 --finer 3)
    if(TEST virtual_ader_dg_clusters_order_2)
        set_property(TEST virtual_ader_dg_clusters_order_2 APPEND PROPERTY
            ENVIRONMENT_MODIFICATION "VIRTUAL_XE_DEVICE=set:bmg")
    endif()
    # On processors, between meshes that are further apart
    foreach(precision IN ITEMS f32 f64)
        tiletc_example_test(ader_dg_orders_${precision} ader_dg --convergence --precision ${precision})
        tiletc_example_test(ader_dg_clusters_orders_${precision}
            ${local} --thin 4 --precision ${precision})
    endforeach()
    tiletc_example_test(ader_dg_rates ader_dg --mesh 2 --order 3)
    # The other orders; where the rates of the device are given, it is not measured.
    set(few ader_dg --mesh 1 --steps 2 --peak 100 --bandwidth 10)
    tiletc_example_test(ader_dg_order_6 ${few} --order 6 --precision f32)
    tiletc_example_test(ader_dg_order_7 ${few} --order 7 --precision f64)
    tiletc_example_test(ader_dg_vtk ${few} --order 2 --vtk waves.vtk)
    tiletc_in_own_folder(ader_dg_vtk)

    # Their error is that of a global time step, and they take fewer updates.
    set(local_few ${few} --order 3 --mesh 2 --thin 4 --clusters 3)
    tiletc_expect_test(ader_dg_clusters 0
        "72 with step 1, 32 with step 2, 40 with step 4\n.*saved 31.9 %\nlaunches +16 a step.*result +PASS\n$"
        ${local_few})

    set(ader "${PROJECT_SOURCE_DIR}/cpp-examples/ader_dg/ader_dg.ir")
    # A wrong term of the Taylor series, and neighbours whose faces are taken for rotated ones
    tiletc_wrong_kernel(wrong_taylor "${ader}" "div %dt, 2.0" "div %dt, 3.0")
    tiletc_wrong_kernel(wrong_rotation "${ader}" "0:$basis,%case]" "0:$basis,0]")
    tiletc_example_refusal(ader_dg_wrong_taylor " FAIL\n$"
        ader_dg --convergence --order 4 --finer 3 --kernel "${wrong_taylor}")
    tiletc_example_refusal(ader_dg_wrong_rotation " FAIL\n$"
        ader_dg --convergence --order 2 --finer 3 --kernel "${wrong_rotation}")
    # Neighbours with shorter steps of which one is lost, and halves of a step that change places: what is wrong with
    # them is small, and to be seen by a high order.
    tiletc_wrong_kernel(wrong_pair "${ader}" "%i, 1.0, %total" "%i, 0.0, %total")
    tiletc_wrong_kernel(wrong_half "${ader}" "%ends, 4, 0" "%ends, 0, 4")
    tiletc_wrong_kernel(wrong_weight "${ader}" "axpby 0.25, %d1" "axpby 0.5, %d1")
    tiletc_example_refusal(ader_dg_wrong_pair " FAIL\n$"
        ${local_few} --kernel "${wrong_pair}")
    foreach(wrong IN ITEMS half weight)
        tiletc_example_refusal(ader_dg_wrong_${wrong} " FAIL\n$"
            ${local} --order 7 --thin 2 --finer 3 --kernel "${wrong_${wrong}}")
    endforeach()
    tiletc_example_refusal(ader_dg_order "--order needs a whole number from 2 to 7, not '8'"
        ader_dg --order 8)
    tiletc_example_refusal(ader_dg_mesh "--mesh needs a whole number from 1 to 400, not '0'"
        ader_dg --mesh 0)
    tiletc_example_refusal(ader_dg_memory "GB are needed, but" ader_dg --mesh 400 --order 7)
    tiletc_example_refusal(ader_dg_file "cannot write '/no/such/folder.vtk'"
        ${few} --order 2 --vtk /no/such/folder.vtk)
    tiletc_example_usage(ader_dg_usage "--steps needs a whole number" ader_dg --steps 0)
    tiletc_example_usage(ader_dg_clusters_usage "--clusters needs a whole number from 1 to 10"
        ader_dg --clusters 0)
    if(TARGET matrix_chain_mpi)
        set(solver "$<TARGET_FILE:ader_dg>")
        # The solution of 2, 4 and 5 ranks is that of one to the last bit: on processors, and on two cards of two tiles.
        set(part --mesh 2 --steps 3 --order 3 --peak 100 --bandwidth 10)
        foreach(ranks IN ITEMS 2 4 5)
            tiletc_mpirun(mpirun ${ranks})
            list(JOIN mpirun "|" words)
            foreach(memory IN ITEMS host device)
                tiletc_add_test(ader_dg_ranks_${ranks}_${memory} "${CMAKE_COMMAND}" "-DMPIRUN=${words}"
                    "-DEXPECTED=halo +through memory of the ${memory}.*PASS"
                    -P "${CMAKE_CURRENT_SOURCE_DIR}/same_checksum.cmake" --
                    "${solver}" ${part} --cut blocks --halo ${memory})
                tiletc_keep_builds(ader_dg_ranks_${ranks}_${memory})
            endforeach()
            foreach(hierarchy IN ITEMS COMPOSITE FLAT COMBINED)
                if(TILETC_LEVEL_ZERO_DRIVER)
                    math(EXPR last "(${ranks} - 1) % 4")
                    tiletc_virtual_test(ader_dg_tiles_${ranks}_${hierarchy} "${CMAKE_COMMAND}"
                        "-DMPIRUN=${words}" "-DEXPECTED=${last} of 4, virtual-xe pvc.*PASS"
                        -P "${CMAKE_CURRENT_SOURCE_DIR}/same_checksum.cmake" -- "${solver}" ${part})
                    set_property(TEST virtual_ader_dg_tiles_${ranks}_${hierarchy} APPEND PROPERTY
                        ENVIRONMENT_MODIFICATION "VIRTUAL_XE_DEVICE=set:pvc,pvc" "VIRTUAL_XE_TILES=set:2"
                        "ZE_FLAT_DEVICE_HIERARCHY=set:${hierarchy}")
                endif()
            endforeach()
        endforeach()
        # Clusters on several ranks, and their halves, pairs and lists
        foreach(ranks IN ITEMS 2 4)
            tiletc_mpirun(mpirun ${ranks})
            list(JOIN mpirun "|" words)
            tiletc_add_test(ader_dg_ranks_${ranks}_clusters "${CMAKE_COMMAND}" "-DMPIRUN=${words}"
                "-DEXPECTED=saved.*PASS" -P "${CMAKE_CURRENT_SOURCE_DIR}/same_checksum.cmake" --
                "${solver}" ${part} --thin 4 --clusters 3)
            tiletc_keep_builds(ader_dg_ranks_${ranks}_clusters)
        endforeach()
        tiletc_mpirun(mpirun 3)
        tiletc_expect_test(ader_dg_ranks_convergence 0 " PASS"
            ${mpirun} "${solver}" --convergence --order 2 --mesh 2 --finer 5)
        tiletc_example_refusal(ader_dg_ranks_wrong_rotation " FAIL\n"
            ${mpirun} "${solver}" --convergence --order 2 --finer 3 --kernel "${wrong_rotation}")
        tiletc_example_refusal(ader_dg_ranks_no_kernel "cannot read 'nowhere.ir'"
            ${mpirun} "${solver}" ${part} --kernel nowhere.ir)
        tiletc_example_usage(ader_dg_ranks_usage "unknown argument '--rank'" ${mpirun} "${solver}" --rank)
        tiletc_mpirun(mpirun 7)
        tiletc_example_refusal(ader_dg_ranks_elements "the mesh has 6 elements, too few for 7 ranks"
            ${mpirun} "${solver}" --mesh 1)
    endif()
    tiletc_example_usage(ader_dg_cut "--cut needs one of blocks, metis, not 'slabs'" ader_dg --cut slabs)
    if(TILETC_LEVEL_ZERO_DRIVER)
        tiletc_virtual_test(ader_dg_no_device "${CMAKE_COMMAND}" -DCODE=1
            "-DEXPECTED=error: No device of requested type is left by ONEAPI_DEVICE_SELECTOR and ZE_AFFINITY_MASK"
            -P "${CMAKE_CURRENT_SOURCE_DIR}/expect.cmake" -- "$<TARGET_FILE:ader_dg>")
        set_tests_properties(virtual_ader_dg_no_device PROPERTIES FAIL_REGULAR_EXPRESSION "did not say"
            ENVIRONMENT_MODIFICATION "${virtual_environment};ZE_AFFINITY_MASK=set:1")
        tiletc_virtual_test(ader_dg_no_f64 "${CMAKE_COMMAND}" -DCODE=1
            "-DEXPECTED=has no numbers of type f64" -P "${CMAKE_CURRENT_SOURCE_DIR}/expect.cmake" --
            "$<TARGET_FILE:ader_dg>")
        set_property(TEST virtual_ader_dg_no_f64 APPEND PROPERTY
            ENVIRONMENT_MODIFICATION "VIRTUAL_XE_DEVICE=set:dg2")
    endif()
endif()

if(TARGET gemm_batched)
    tiletc_example_test(gemm_batched
        gemm_batched --batch 7 --runs 1 --shape 7 5 3 --shape 56 9 56 --shape 1 1 1)
    tiletc_example_usage(gemm_batched_usage "--shape needs a whole number"
        gemm_batched --shape 7 5 0)
    tiletc_example_refusal(gemm_batched_mkl "cannot load MKL"
        gemm_batched --batch 1 --mkl no_such_library.so)
    tiletc_example_test(tall_and_skinny
        tall_and_skinny --rows 301 --runs 1 --small 9 9 --small 40 16)
    tiletc_example_test(tall_and_skinny_specialised
        tall_and_skinny --rows 301 --runs 1 --small 9 9 --block 64 --specialised)
    tiletc_example_usage(tall_and_skinny_usage "--rows needs a whole number"
        tall_and_skinny --rows 0)
endif()

if(TARGET flash_attention)
    set(few flash_attention --batch 1 --heads 2 --launches 2)
    foreach(length IN ITEMS 1 17 64 65 257)
        foreach(dim IN ITEMS 64 128)
            tiletc_example_test(flash_attention_${dim}_${length}
                ${few} --head-dim ${dim} --sequence ${length})
            tiletc_example_test(flash_attention_${dim}_${length}_causal
                ${few} --head-dim ${dim} --sequence ${length} --causal)
        endforeach()
    endforeach()
    # Other head dimensions, and several sequences
    foreach(dim IN ITEMS 32 96)
        tiletc_example_test(flash_attention_${dim}
            flash_attention --batch 2 --heads 3 --head-dim ${dim} --sequence 83 --causal)
    endforeach()
    foreach(type IN ITEMS f16 bf16)
        tiletc_example_test(flash_attention_${type}
            ${few} --type ${type} --sequence 101 --causal)
    endforeach()

    # Each query sees one key too many, or its own not.
    set(right_flash_attention "less_than %key_j")
    set(wrong_flash_attention "less_than_equal %key_j")
    set(right_lazy_attention "less_than_equal %j, %own")
    set(wrong_lazy_attention "less_than %j, %own")
    foreach(kernel IN ITEMS flash_attention lazy_attention)
        set(file "${PROJECT_SOURCE_DIR}/cpp-examples/flash_attention/${kernel}.ir")
        # The kernel of GPUs on a CPU, too, and the other way round
        tiletc_example_test(flash_attention_by_${kernel} ${few} --sequence 201 --kernel "${file}")
        # The output is not scaled down when the maximum grows.
        tiletc_wrong_kernel(wrong_scaling_${kernel} "${file}" "mul %acc, %shrink" "mul %acc, 1.0")
        tiletc_wrong_kernel(wrong_mask_${kernel} "${file}" "${right_${kernel}}" "${wrong_${kernel}}")
        foreach(wrong IN ITEMS wrong_scaling wrong_mask)
            tiletc_example_refusal(${kernel}_${wrong} "result +FAIL"
                ${few} --sequence 101 --causal --kernel "${${wrong}_${kernel}}")
        endforeach()
    endforeach()
    foreach(type IN ITEMS f32 bf16)
        tiletc_example_test(flash_attention_group_${type} flash_attention --batch 2 --heads 4 --group 2
            --type ${type} --sequence 83 --launches 1)
    endforeach()
    tiletc_example_usage(flash_attention_group_usage "--group needs a divisor"
        flash_attention --heads 3 --group 2)
    tiletc_example_usage(flash_attention_usage "--head-dim needs one of 32, 64, 96, 128"
        flash_attention --head-dim 65)
endif()

# In the wrong copies what is beyond the end of a column counts.
set(right_softmax "other -inf")
set(wrong_softmax "other 0.0")
set(right_layer_norm "%distance, 0.0")
set(wrong_layer_norm "%distance, %distance")
foreach(name IN ITEMS softmax layer_norm)
    if(TARGET ${name})
        foreach(rows IN ITEMS 1 63 64 65 1000 2049)
            tiletc_example_test(${name}_${rows} ${name} --rows ${rows} --cols 103 --launches 2)
        endforeach()
        tiletc_example_usage(${name}_usage "4096" ${name} --rows 4097)
        tiletc_wrong_kernel(wrong_kernel_of_${name} "${PROJECT_SOURCE_DIR}/cpp-examples/${name}/${name}.ir"
            "${right_${name}}" "${wrong_${name}}")
        tiletc_example_refusal(${name}_wrong "allows: FAIL"
            ${name} --rows 65 --cols 9 --kernel "${wrong_kernel_of_${name}}")
    endif()
endforeach()

if(TARGET split_k)
    # Parts of several steps and of one, parts without a step, no column of A, and a single entry
    foreach(size IN ITEMS "65 67 1001 7" "33 17 200 4" "63 129 70 5" "70 40 0 3" "1 1 1 2")
        string(REPLACE " " ";" sizes "${size}")
        string(REPLACE " " "x" name "${size}")
        list(POP_BACK sizes parts)
        tiletc_example_test(split_k_${name} split_k --size ${sizes} --parts ${parts})
    endforeach()
    tiletc_example_test(split_k_misaligned split_k --size 65 67 301 --parts 3 --misaligned)
    tiletc_example_usage(split_k_usage "--parts needs a whole number" split_k --parts 0)
    # The first part is not counted.
    tiletc_wrong_kernel(wrong_split_k "${PROJECT_SOURCE_DIR}/cpp-examples/split_k/split_k.ir"
        "for %part=0" "for %part=1")
    tiletc_example_refusal(split_k_wrong "result FAIL"
        split_k --size 65 67 301 --parts 3 --kernel "${wrong_split_k}")
endif()

if(TARGET fine_grained)
    # One tile, several with remainders on all sides, a single entry, no column of A
    foreach(size IN ITEMS "128 128 64" "150 257 100" "1 1 1" "70 40 0")
        string(REPLACE " " ";" sizes "${size}")
        string(REPLACE " " "x" name "${size}")
        tiletc_example_test(fine_grained_${name} fine_grained --size ${sizes})
    endforeach()
    tiletc_example_test(fine_grained_misaligned fine_grained --size 130 67 40 --misaligned)
    tiletc_example_usage(fine_grained_usage "unknown argument '--sizes'" fine_grained --sizes)
    # Each subgroup multiplies the columns of the first one.
    tiletc_wrong_kernel(wrong_fine_grained "${PROJECT_SOURCE_DIR}/cpp-examples/fine_grained/fine_grained.ir"
        "mul %own_col, $wn" "mul %own_col, 0")
    tiletc_example_refusal(fine_grained_wrong "result FAIL"
        fine_grained --size 128 128 64 --kernel "${wrong_fine_grained}")
    if(TILETC_LEVEL_ZERO_DRIVER)
        foreach(device IN ITEMS bmg dg2)
            tiletc_virtual_test(fine_grained_${device} fine_grained --size 129 140 65)
            set_property(TEST virtual_fine_grained_${device} APPEND PROPERTY
                ENVIRONMENT_MODIFICATION "VIRTUAL_XE_DEVICE=set:${device}"
                "TILETC_CACHE_DIR=set:${CMAKE_CURRENT_BINARY_DIR}/example_builds")
        endforeach()
    endif()
endif()

if(TARGET grouped_product)
    # Matrices of one tile and of several, and of a single entry
    foreach(largest IN ITEMS 1 65 200)
        tiletc_example_test(grouped_product_${largest}
            grouped_product --products 7 --largest ${largest})
    endforeach()
    tiletc_example_usage(grouped_product_usage "--products needs a whole number"
        grouped_product --products none)
    # Tiles are numbered through all products.
    tiletc_wrong_kernel(wrong_grouped_product
        "${PROJECT_SOURCE_DIR}/cpp-examples/grouped_product/grouped_product.ir" " from %tile" "")
    tiletc_example_refusal(grouped_product_wrong "result FAIL"
        grouped_product --products 3 --largest 100 --kernel "${wrong_grouped_product}")
endif()

if(TARGET mlp)
    # Less than a block of tokens, one more than blocks, and units that fill blocks or not
    foreach(sizes IN ITEMS "1 32" "65 72" "130 256")
        string(REPLACE " " ";" counts "${sizes}")
        string(REPLACE " " "x" name "${sizes}")
        list(GET counts 0 tokens)
        list(GET counts 1 units)
        tiletc_example_test(mlp_${name} mlp --tokens ${tokens} --units ${units})
    endforeach()
    tiletc_example_usage(mlp_usage "--units needs a multiple of 8" mlp --units 100)
    # Negative units go through.
    tiletc_wrong_kernel(wrong_mlp "${PROJECT_SOURCE_DIR}/cpp-examples/mlp/mlp.ir"
        "max %h, 0.0" "max %h, -1.0")
    tiletc_example_refusal(mlp_wrong "result FAIL"
        mlp --tokens 9 --units 40 --kernel "${wrong_mlp}")
endif()

# Sizes and groups that fill blocks or not, one scale for a row, a depth that is no multiple of
# `unit`, and sums that keep the unit of the first group.
function(tiletc_weights_tests example unit)
    if(NOT TARGET ${example})
        return()
    endif()
    foreach(size IN LISTS ARGN)
        string(REPLACE " " ";" sizes "${size}")
        string(REPLACE " " "x" name "${size}")
        list(POP_BACK sizes group)
        tiletc_example_test(${example}_${name} ${example} --size ${sizes} --group ${group})
    endforeach()
    tiletc_example_usage(${example}_usage "K of ${unit}" ${example} --size 64 64 65)
    tiletc_wrong_kernel(wrong_${example} "${PROJECT_SOURCE_DIR}/cpp-examples/${example}/${example}.ir"
        "mul %old, %ratio" "mul %old, 1.0")
    tiletc_example_refusal(${example}_wrong "result FAIL"
        ${example} --size 80 9 224 --group 64 --kernel "${wrong_${example}}")
endfunction()
tiletc_weights_tests(weights_i4 32 "64 1 32 8192" "80 65 224 64" "272 260 160 32")
tiletc_weights_tests(weights_i8 8 "64 1 32 8192" "80 65 200 64" "272 260 136 32")

if(TARGET stream_k)
    # Work-groups that cut tiles, have a tile or a step each, one for all, no column of A, and a single entry
    foreach(size IN ITEMS "130 70 500 7" "130 70 500 6" "130 70 500 1000" "130 70 500 1" "70 40 0 2" "1 1 1 3")
        string(REPLACE " " ";" sizes "${size}")
        string(REPLACE " " "x" name "${size}")
        list(POP_BACK sizes groups)
        tiletc_example_test(stream_k_${name} stream_k --size ${sizes} --groups ${groups})
    endforeach()
    tiletc_example_test(stream_k_misaligned stream_k --size 65 67 301 --groups 5 --misaligned)
    tiletc_example_usage(stream_k_usage "--groups needs a whole number" stream_k --groups 0)
    # The last part of a tile is not counted.
    tiletc_wrong_kernel(wrong_stream_k "${PROJECT_SOURCE_DIR}/cpp-examples/stream_k/stream_k.ir"
        "add %last, 1" "add %last, 0")
    tiletc_example_refusal(stream_k_wrong "result FAIL"
        stream_k --size 130 70 500 --groups 5 --kernel "${wrong_stream_k}")
endif()

if(TARGET autotune)
    tiletc_expect_test(autotune_tiles 0 "bk=16 bm=32 bn=32: [0-9.]+ .*result PASS" autotune --size 100 70 64)
    tiletc_keep_builds(autotune_tiles)
    tiletc_example_usage(autotune_usage "unknown argument '--tune'" autotune --tune)
endif()

if(TARGET tile_sgemm)
    # The printed sizes, one less and one more than a block, primes and a single column, no column of A, and all
    # of a size that misses everything
    tiletc_example_test(tile_sgemm tile_sgemm)
    foreach(size IN ITEMS "127 255 63" "129 257 65" "131 1 127")
        string(REPLACE " " ";" sizes "${size}")
        string(REPLACE " " "x" name "${size}")
        tiletc_example_test(tile_sgemm_${name} tile_sgemm --size ${sizes})
        # What the driver has built for the one, the others take.
        set_tests_properties(tile_sgemm_${name} PROPERTIES DEPENDS tile_sgemm)
        tiletc_example_test(tile_gemm_${name} tile_gemm --size ${sizes})
        tiletc_example_test(tile_hgemm_${name} tile_hgemm --size ${sizes})
    endforeach()
    foreach(example IN ITEMS tile_sgemm tile_gemm tile_hgemm)
        tiletc_example_test(${example}_empty ${example} --size 70 40 0)
        tiletc_example_test(${example}_misaligned ${example} --size 67 131 37 --misaligned)
    endforeach()
    tiletc_example_test(tile_gemm tile_gemm --size 256 256 128)
    tiletc_example_test(tile_gemm_1x1x1 tile_gemm --size 1 1 1)
    tiletc_example_test(tile_hgemm tile_hgemm --size 256 256 128)
    tiletc_example_test(tile_hgemm_staged tile_hgemm --size 200 136 96 --staged)
    # On other GPUs in software
    if(TILETC_LEVEL_ZERO_DRIVER)
        foreach(device IN ITEMS bmg dg2)
            foreach(example IN ITEMS tile_sgemm tile_gemm tile_hgemm)
                tiletc_virtual_test(${example}_${device} ${example} --size 129 257 65)
                set_property(TEST virtual_${example}_${device} APPEND PROPERTY
                    ENVIRONMENT_MODIFICATION "VIRTUAL_XE_DEVICE=set:${device}"
                    "TILETC_CACHE_DIR=set:${CMAKE_CURRENT_BINARY_DIR}/example_builds")
            endforeach()
        endforeach()
    endif()
    # 1024x1024x1024 would take the virtual GPU minutes.
    foreach(example IN ITEMS tile_gemm tile_hgemm)
        tiletc_example_test(${example}_large ${example})
    endforeach()
    tiletc_expect_test(tile_hgemm_stages 0 "---- tile-pipeline ----.*---- SPIR-V ----.*result PASS"
        tile_hgemm --size 128 128 64 --stages)
    tiletc_example_usage(tile_sgemm_usage "--size needs a whole number" tile_sgemm --size 0 1 1)
    tiletc_example_usage(tile_hgemm_usage "unknown argument '--stage'" tile_hgemm --stage)
endif()
