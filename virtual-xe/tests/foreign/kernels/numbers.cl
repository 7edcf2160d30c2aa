// Half and double precision, conversions and functions of all kinds.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void numbers(global const float *in, global half *halves, global double *doubles, global int *ints) {
    int i = get_global_id(0);
    float x = in[i];
    half h = (half)x;
    halves[i] = fma(h, (half)1.5h, sqrt(fabs(h))) / (h + 3.0h);
    double whole, d = x;
    double part = modf(d * 1.75, &whole);
    int exponent;
    double significand = frexp(d + 0.1, &exponent);
    doubles[i] = fmin(exp(-d * d), 0.9) + part + 10 * whole + 100 * significand + 1000 * exponent;
    float cosine, sine = sincos(x, &cosine);
    ints[i] = convert_int_sat_rte(x * 1e8f) ^ convert_uchar_sat(x * 40) ^ (int)(1024 * (sine + cosine));
    int4 mixed = convert_int4_rtp((float4)(x, -x, x / 7, 2.5f)) + select((int4)(1), (int4)(2), isless((float4)(x), (float4)(0, 1, 2, 3)));
    ints[i] += mixed.x + 3 * mixed.y + 5 * mixed.z + 7 * mixed.w + mad24(i, 3, 1) + rotate(i, 5) + popcount(i) + (int)hadd(i, 7) + clz(i + 1);
    ints[i] += any(mixed > 3) + as_int(x) % 11 + (int)mul_hi((uint)i * 77777777u, 99u) + (int)upsample((short)i, (ushort)3);
}
