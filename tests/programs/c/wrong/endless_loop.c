// A loop that touches no shared memory never ends.

int main(void) {
    unsigned n = 1;
    while (n) // wrong
        n |= 1;
    return 0;
}
