// Asynchronous copies into local memory and back, one after the other and with strides, and prefetches.
kernel void staging(global const float *in, global float *out, local float *tile, uint count) {
    uint first = get_group_id(0) * count;
    event_t whole = async_work_group_copy(tile, in + first, count, 0);
    prefetch(in + first + count, count);
    wait_group_events(1, &whole);
    for (uint i = get_local_id(0); i < count; i += get_local_size(0))
        tile[i] *= 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    // Every third place.
    event_t events[2];
    events[0] = async_work_group_strided_copy(out + 3 * first, tile, count, 3, 0);
    local float2 pairs[4];
    events[1] = async_work_group_strided_copy(pairs, (global const float2 *)in, 4, 2, 0);
    wait_group_events(2, events);
    if (get_local_id(0) < 4)
        out[3 * (first + get_local_id(0)) + 1] = pairs[get_local_id(0)].y;
}
