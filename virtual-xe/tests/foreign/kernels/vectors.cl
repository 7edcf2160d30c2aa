// Vector loads and stores at addresses that are aligned to the element only.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void vectors(global const float *in, global float *out, global half *halves) {
    int i = get_global_id(0);
    float4 four = vload4(i, in + 1);
    float3 three = vload3(i, in);
    vstore3(three.zyx + four.xyz, i, out);
    float2 two = vload2(i, in + 3);
    vstore_half(two.x, 2 * i, halves);
    vstore_half_rte(two.y / 3, 2 * i + 1, halves);
    float sum = vload_half(2 * i, halves) + dot(four, (float4)(1, 2, 3, 4));
    float16 wide = vload16(0, in);
    vstore2((float2)(sum, wide.s3 + wide.sf), i, out + 3 * get_global_size(0));
}
