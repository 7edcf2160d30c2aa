// Counts bytes by their value modulo 16, first for the work-group, then for all. The translator gives atomic_add
// the scope of the work-group, which is too little between work-groups; hence the explicit form.
kernel void histogram(global const uchar *in, global int *counts, uint count) {
    local int own[16];
    if (get_local_id(0) < 16)
        own[get_local_id(0)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < count; i += get_global_size(0))
        atomic_inc(&own[in[i] & 15]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) < 16)
        atomic_fetch_add_explicit((volatile global atomic_int *)&counts[get_local_id(0)], own[get_local_id(0)],
                                  memory_order_relaxed, memory_scope_device);
}
