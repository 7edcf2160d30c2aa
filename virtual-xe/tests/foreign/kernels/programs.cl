// A small machine: structures by value, a switch in a loop, arrays of each work-group and work-item, and reductions.
struct code { uchar ops[8]; struct { short start; int scale; } numbers; };
kernel void programs(struct code code, global const int *in, global int *out, global int *sums) {
    local int totals[64];
    int stack[4];
    int i = get_global_id(0), l = get_local_id(0), top = 0;
    stack[0] = code.numbers.start;
    for (int at = 0; at < 8; ++at) {
        switch (code.ops[at]) {
        case 0: stack[top] += in[i]; break;
        case 1: stack[top] *= code.numbers.scale; break;
        case 2: if (top < 3) { stack[top + 1] = stack[top] ^ at; ++top; } break;
        case 3: if (top > 0) { stack[top - 1] -= stack[top]; --top; } break;
        case 4: if (in[i] & 1) at = 8; break;
        default: stack[top] = -stack[top];
        }
    }
    out[i] = stack[top];
    totals[l] = stack[top];
    for (int half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < half_size)
            totals[l] += totals[l + half_size];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        sums[2 * get_group_id(0)] = totals[0];
    int least = work_group_reduce_min(stack[top]);
    if (l == 1)
        sums[2 * get_group_id(0) + 1] = least;
}
