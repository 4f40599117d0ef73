// A program begins in main.
// refused: main
int start(void) {
    return 0;
}
