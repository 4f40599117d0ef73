// A jump to a label that is computed.
// refused: indirectbr
int main(int argc, char **argv) {
    static void *const labels[] = {&&zero, &&one};
    goto *labels[argc % 2]; // here
zero:
    return 0;
one:
    return 1;
}
