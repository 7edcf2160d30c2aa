// Functions that take and give pointers, in the generic address space.
int bump(int *place, int by) {
    int old = *place;
    *place = old + by;
    return old;
}
__attribute__((noinline)) int *choose(int *first, int *second, int which) { return which & 1 ? first : second; }
kernel void pointers(global int *data) {
    local int shared[64];
    int own[4] = {1, 2, 3, 4};
    int item = get_local_id(0);
    global int *here = data + get_global_id(0);
    shared[item] = 10 * item;
    int *place = choose(&shared[item], &own[item & 3], item >> 1);
    int sum = bump(place, 5) + bump(here, 100);
    sum += bump(choose(here, &own[1], item), 3);
    sum += to_global(place) ? 1000 : 0;
    sum += to_local(place) ? 2000 : 0;
    sum += to_private(place) ? 4000 : 0;
    *here = *here * 100000 + sum + own[0] + own[1] + shared[item] + (int)(place == &shared[item]);
}
