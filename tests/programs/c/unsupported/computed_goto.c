// A jump to a label that is computed.
// refused: address of a label
int main(int argc, char **argv) {
    static void *const labels[] = {&&zero, &&one}; // here
    goto *labels[argc % 2];
zero:
    return 0;
one:
    return 1;
}
