// Structures handed over by value, in private arrays and between functions.
struct inner { int2 pair; char flag; };
struct outer { struct inner parts[2]; float scale; long offset; };
static struct inner twist(struct inner value) {
    value.pair = value.pair.yx;
    value.flag = ~value.flag;
    return value;
}
static void fill(struct inner *array, int count, const struct outer *from) {
    for (int i = 0; i < count; ++i)
        array[i] = i & 1 ? twist(from->parts[0]) : from->parts[1];
}
kernel void structures(struct outer argument, global struct outer *in, global long *out) {
    struct inner array[5];
    int item = get_global_id(0);
    struct outer own = in[item];
    own.parts[0].pair += argument.parts[1].pair;
    fill(array, 5, &own);
    long sum = argument.offset + own.offset;
    for (int i = 0; i < 5; ++i)
        sum = sum * 31 + array[(i * 3 + item) % 5].pair.x * 7 + array[i].pair.y + array[i].flag;
    out[item] = sum + (long)(own.scale * argument.scale);
}
