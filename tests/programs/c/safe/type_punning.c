// Memory as other types: through unions, pointers and memcpy, with padding, packed members and flexible arrays.
// executions: rc11 1
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct padded {
    char a;
    int b;
};
struct packed {
    char a;
    int b;
    short c;
} __attribute__((packed));
struct fields {
    unsigned x : 3, y : 5;
    unsigned : 0;
    unsigned z : 4;
};
struct flexible {
    int n;
    char data[];
};
union parts {
    uint64_t whole;
    struct {
        uint32_t low, high;
    } half;
    unsigned char bytes[8];
};

struct padded filled;
void *seen; // what is stored here is not private

int main(void) {
    struct padded *p = malloc(sizeof *p), *copy = malloc(sizeof *copy);
    seen = p;
    *(uint64_t *)p = 0x1122334455667788;
    assert(*(uint64_t *)p == 0x1122334455667788);
    uint64_t whole;
    memcpy(copy, p, sizeof whole);
    memcpy(&whole, copy, sizeof whole);
    assert(whole == 0x1122334455667788);
    memset(&filled, 0xff, sizeof filled);
    filled.a = 0;
    assert(((unsigned char *)&filled)[1] == 0xff);

    struct packed *q = malloc(2 * sizeof *q);
    seen = q;
    q[1].b = 0x01020304, q[1].c = 5, q[1].a = 6;
    assert(q[1].b == 0x01020304 && q[1].c == 5 && q[1].a == 6);
    memcpy(&q[0], &q[1], sizeof *q);
    assert(q[0].b == 0x01020304);

    struct fields *b = calloc(1, sizeof *b);
    seen = b;
    b->x = 5, b->y = 17, b->z = 9;
    assert(b->x == 5 && b->y == 17 && b->z == 9);

    struct flexible *f = malloc(sizeof *f + 9);
    seen = f;
    strcpy(f->data, "abcdefgh");
    uint32_t four;
    memcpy(&four, f->data, sizeof four);
    assert(four == 0x64636261);

    union parts *u = malloc(sizeof *u);
    seen = u;
    u->whole = 0x0102030405060708;
    assert(u->half.low == 0x05060708 && u->bytes[7] == 1);
    u->bytes[0] = 0xff;
    assert(u->whole == 0x01020304050607ff);
    u->half.high = 0;
    assert(u->whole == 0x050607ff);
    return 0;
}
