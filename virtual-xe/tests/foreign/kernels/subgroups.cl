// What work-items of a subgroup and of a work-group do together.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
__attribute__((intel_reqd_sub_group_size(16)))
kernel void subgroups(global int *out) {
    int item = get_local_id(0), value = item * item % 23;
    int lane = get_sub_group_local_id();
    out[get_global_id(0) * 8] = sub_group_reduce_add(value);
    out[get_global_id(0) * 8 + 1] = sub_group_scan_exclusive_add(value);
    out[get_global_id(0) * 8 + 2] = sub_group_scan_inclusive_max(value);
    out[get_global_id(0) * 8 + 3] = sub_group_broadcast(value, 5) + 100 * sub_group_any(value == 22);
    out[get_global_id(0) * 8 + 4] = work_group_reduce_add(value);
    out[get_global_id(0) * 8 + 5] = work_group_scan_inclusive_add(value);
    out[get_global_id(0) * 8 + 6] = work_group_broadcast(value, 17) + 100 * work_group_all(value < 23);
    out[get_global_id(0) * 8 + 7] =
        lane + 100 * get_sub_group_id() + 10000 * get_num_sub_groups() + 1000000 * get_sub_group_size();
}
