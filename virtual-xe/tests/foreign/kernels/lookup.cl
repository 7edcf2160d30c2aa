// Tables and texts in constant memory, one of them of pointers into another.
constant int squares[] = {0, 1, 4, 9, 16, 25, 36, 49};
constant char text[] = "tensor";
struct entry { short key; double value; char tag[3]; };
constant struct entry entries[2] = {{7, 0.5, {1, 2, 3}}, {-2, -1.25, {4, 5, 6}}};
constant int *constant places[] = {&squares[1], &squares[5], squares};
kernel void lookup(global int *out, global double *values) {
    int i = get_global_id(0);
    out[i] = squares[i & 7] + 100 * text[i % 7] + 100000 * places[i % 3][i & 1];
    constant struct entry *entry = &entries[i & 1];
    values[i] = entry->key * entry->value + entry->tag[i % 3];
}
