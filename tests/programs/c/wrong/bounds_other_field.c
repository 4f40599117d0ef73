// A pointer walks from one object into the next.

int x, y;

int main(void) {
    int *p = &x;
    p += 1000;
    *p = 1; // wrong
    return y;
}
