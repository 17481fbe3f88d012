
struct TYPE {
    FIELDS
};

static struct TYPE *VAR, **VARAll;
static int VARRoom;

static void VARNone(void) {
    int i;
    for (i = 0; i < VARRoom; i++) {
        if (VARAll[i] == NULL) continue;
        RELEASE
        free(VARAll[i]);
        VARAll[i] = NULL;
    }
}

static int VAROf(int number) {
    int i = VARRoom, fresh;
    if (number < 0 || number > 1 << 24) fail("a number of the line is out of range");
    if (number >= VARRoom) {
        VARRoom = 2 * number + 64;
        VARAll = realloc(VARAll, VARRoom * sizeof *VARAll);
        if (VARAll == NULL) fail("the memory is full");
        for (; i < VARRoom; i++) VARAll[i] = NULL;
    }
    fresh = VARAll[number] == NULL;
    if (fresh) VARAll[number] = calloc(1, sizeof **VARAll);
    if (VARAll[number] == NULL) fail("the memory is full");
    VAR = VARAll[number];
    return fresh;
}
