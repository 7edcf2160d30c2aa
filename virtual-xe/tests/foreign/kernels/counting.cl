// What programs of OpenCL C 1.2 do: they count over all work-groups with functions that have no scope.
kernel void counting(global const uchar *in, global int *counts, global int *last) {
    int i = get_global_id(0);
    atomic_inc(&counts[in[i] & 7]);
    atomic_max(last, (int)in[i]);
    uchar4 four = vload4(i, in);
    atomic_add(&counts[8], convert_int4(four).w);
}
