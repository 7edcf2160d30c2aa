// Output: numbers of all kinds, vectors, texts, and some work-items only.
kernel void printing(global const int *in) {
    int i = get_global_id(0);
    constant char *names[] = {"even", "odd"};
    if (i % 5 == 0)
        printf("%s %d: %5.2f|%-6x|%+d|%c|%%\n", i & 1 ? names[1] : names[0], i, in[i] / 4.0f, in[i], -i, 'a' + i);
    if (i == 7) {
        printf("%v4d %v2hx %.1v2hlf\n", (int4)(1, -2, 3, -4), (ushort2)(10, 0xffff), (float2)(0.375f, -1.5f));
        printf("%ld %lu %e %g\n", -(1l << 40), 1ul << 63, 12345.678, 0.0001);
    }
}
