// Atomics with an order: a message from one subgroup's work-items to another's, a lock-free stack, and halves.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void tickets(global atomic_int *next, global int *order, global half *halves, global const half *in) {
    local atomic_int ready;
    local int message;
    if (get_local_id(0) == 0)
        atomic_init(&ready, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    int ticket = atomic_fetch_add_explicit(next, 1, memory_order_acq_rel, memory_scope_device);
    order[ticket] = get_global_id(0);
    if (get_local_id(0) == 0) {
        message = 42 + get_group_id(0);
        atomic_store_explicit(&ready, 1, memory_order_release, memory_scope_work_group);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int expected = 1;
    int is_ready = atomic_load_explicit(&ready, memory_order_acquire, memory_scope_work_group);
    if (get_local_id(0) == 3 && atomic_compare_exchange_strong(&ready, &expected, 2))
        atomic_fetch_max_explicit(next + 1, message * is_ready, memory_order_relaxed, memory_scope_device);
    int i = get_global_id(0);
    half h = in[i];
    halves[i] = fma(h, (half)2, (half)0.5f);
}
