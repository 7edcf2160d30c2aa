// Switches that fall through, loops that are left early, and divergent calls.
static int collatz(uint n) {
    int steps = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        if (++steps > 100)
            return -1;
    }
    return steps;
}
kernel void choices(global const int *in, global int *out) {
    int i = get_global_id(0), value = in[i], result = 0;
    switch (value) {
    case 0: result = 7; break;
    case 1: result += 1;
    case 2: result += 2;
    case 3: result += 4; break;
    case -5: result = collatz(i + 1); break;
    case 1000000: goto end;
    default:
        for (int k = 0; k < value; ++k) {
            if (k % 3 == 1) continue;
            if (k > 9) break;
            result += k;
        }
    }
    switch ((long)value << 33) {
    case 1L << 33: result *= 10; break;
    case 5L << 33: result = -result; break;
    }
end:
    out[i] = result;
}
