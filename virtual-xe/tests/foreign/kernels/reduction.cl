// Sums the elements of each work-group in local memory.
kernel void reduction(global const int *in, global int *out, local int *scratch, uint count) {
    uint item = get_local_id(0), global_item = get_global_id(0);
    scratch[item] = global_item < count ? in[global_item] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
        if (item < half_size)
            scratch[item] += scratch[item + half_size];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0)
        out[get_group_id(0)] = scratch[0];
}
